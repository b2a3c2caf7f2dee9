"""Files that are dropped on the page: kept in a private folder that is removed at the end."""

import filecmp
import os
from pathlib import Path
from tempfile import mkdtemp

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from giveaway.page.session import Session
from giveaway.scratch import scratch_file

LARGEST = 1 << 31
"""Bytes of a file that may be dropped."""
_PIECE = 1 << 20
LONGEST = 255
"""Bytes of the name of a file."""


def too_large() -> HTTPException:
    """Make the answer to a file above the limit."""
    return HTTPException(413, f"A file that is dropped here may have {LARGEST:,} bytes. It was not kept.")


def fresh(session: Session) -> Path:
    """Make a folder for data to begin with: what was dropped before stays as it is."""
    return Path(mkdtemp(dir=session.uploads))


async def kept(
    upload: UploadFile, session: Session, *, begins: bool = False, again: Path | None = None
) -> Path:
    """Keep a file that was dropped, for nobody but this user: data to begin with, or one next to those.

    One of the same name that holds something else stays, unless `again` is its place: it is chosen anew.
    """
    name = Path(upload.filename or "data").name
    if name in ("", "..") or not name.isprintable() or len(os.fsencode(name)) > LONGEST:
        raise HTTPException(400, "A file of this name cannot be kept: give it another and drop it again.")
    is_scenario = begins and Path(name).suffix.lower() == ".toml"
    beside = session.base if session.is_dropped else session.uploads
    with scratch_file(session.uploads / name, mode=0o600) as place:
        with place.open("wb") as file:
            while (piece := await upload.read(_PIECE)) and file.tell() <= LARGEST:
                file.write(piece)
        if place.stat().st_size > LARGEST:
            raise too_large()
        path = (fresh(session) if begins and not is_scenario else beside) / name
        free = is_scenario or (path == again and name != session.data_name) or not path.exists()
        if not free and not filecmp.cmp(place, path, shallow=False):
            raise HTTPException(
                409, f"Another {name} is in use: give this one another name and drop it again."
            )
        place.replace(path)  # it may be a link to a file of the user's
    return path
