"""Names of files as people write them, which may be names that no file can have."""

from pathlib import Path

_SHOWN = 200


def exists(path: Path) -> bool:
    r"""Tell whether something stands at a path; a name that is too long or holds a NUL byte names nothing.

    >>> exists(Path("a" * 5000)), exists(Path("a\0b")), exists(Path("."))
    (False, False, True)
    """
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def unusable(path: Path) -> str | None:
    """Say in a few words why nothing can stand at a path, or cannot be looked at there; None when all is well."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return (error.strerror or type(error).__name__).lower()
    except ValueError:
        return "a name cannot hold a NUL byte"
    return None


def shown(path: str | Path) -> str:
    """Return a path for a message, cut where it is very long."""
    text = str(path)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
