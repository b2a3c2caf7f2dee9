"""Small services of the file system."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from giveaway.errors import NotWritten


@contextmanager
def reported(target: Path) -> Iterator[None]:
    """Turn a failure of the file system into one clear error."""
    try:
        yield
    except OSError as error:
        raise NotWritten(
            f"{target} could not be written: {error.strerror or error}.", hint="nothing was left behind."
        ) from error


def synced(path: Path) -> None:
    """Make sure that a file, or the names in a folder, outlive a failure of the machine."""
    if os.name == "nt" and path.is_dir():  # there, folders cannot be opened
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
