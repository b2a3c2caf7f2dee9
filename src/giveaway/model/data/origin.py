"""Where data came from, and how the same kind of thing is made again without what is withheld."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, Self

from giveaway.model.layout import Layout
from giveaway.model.published import Published

Rest = Literal["leave_out", "publish_unjudged"]
"""What becomes of columns without a role."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StoredTable:
    """A table into which a release was loaded, seen through the connection that loaded it."""

    kind: Literal["duckdb", "postgres", "spark"]
    connection: Any
    address: str
    """Where it is, without a password."""
    name: str
    """As its owner calls it."""
    quoted: str
    """As the engine is asked for it; another name while it is not yet given its own."""
    layout: Layout


class Destination(Protocol):
    """Where a release becomes a new table; used as a context, it undoes everything unless the whole body succeeds."""

    @property
    def whereabouts(self) -> tuple[str, str]:
        """Address and name, the same from whichever folder a command is run."""
        ...

    @property
    def file(self) -> Path | None:
        """The file that gets the table; None where it is not a file."""
        ...

    def check(self) -> None:
        """Refuse a table that cannot be made, before any work is done for it."""
        ...

    def stands(self) -> bool:
        """Tell whether the table is there, for everybody: an earlier run may have made it."""
        ...

    def load(self, release: Path) -> StoredTable:
        """Make the table out of written files, for the eyes of this connection only."""
        ...

    def commit(self) -> None:
        """Give the table its name, for everybody."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *failure: object) -> None: ...


class Origin(Protocol):
    """Something in `sources` that can write its data again."""

    @property
    def name(self) -> str:
        """The file name, or "memory"."""
        ...

    @property
    def path(self) -> Path | None:
        """Where the file is; None for data that are elsewhere."""
        ...

    @property
    def sha256(self) -> str | None:
        """The hash of the file as stored; None for data in memory."""
        ...

    @property
    def layout(self) -> Layout:
        """The form in which `write` writes."""
        ...

    def write(self, folder: Path, published: Published) -> Path:
        """Write what is published of the data as `release.<ending>` in `folder`, withheld entries empty.

        A large release that came from an engine is written in parts, in the folder `release`, which is returned.
        """
        ...

    def native(self, published: Published) -> object:
        """Return what is published of the data as the same kind of object as came in, under their own labels."""
        ...
