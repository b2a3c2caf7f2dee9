"""Files that are dropped on the page: kept in a private folder that is removed at the end."""

from pathlib import Path

from starlette.datastructures import UploadFile

from giveaway.page.session import Session

LARGEST = 1 << 31
"""Bytes of a file that may be dropped."""
_PIECE = 1 << 20


async def kept(upload: UploadFile, session: Session) -> Path:
    """Keep a file that was dropped, for nobody but this user."""
    path = session.uploads / Path(upload.filename or "data").name
    path.unlink(missing_ok=True)  # it may be a link to a file of the user's
    with path.open("wb") as file:
        path.chmod(0o600)
        while piece := await upload.read(_PIECE):
            file.write(piece)
    return path
