"""Data that an engine holds, written again without what is withheld: numbered by id, streamed through this machine's disk."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from giveaway.engines.connections.working import told_as_data_errors, told_as_not_written
from giveaway.engines.held import Backend, HeldRows
from giveaway.engines.tables import read_engine_table
from giveaway.errors import DataError, NotWritten
from giveaway.model.data.table import Table
from giveaway.model.layout import Layout, Others, Shape
from giveaway.model.progress import tell
from giveaway.model.published import Published
from giveaway.sources.encoding.resting import CountedAgain
from giveaway.sources.encoding.roles import Roles
from giveaway.sources.files.as_relation import Relation
from giveaway.sources.files.duckdb import DuckDBEngine, engine, exact_path, label_order, literal, trimmed
from giveaway.sources.files.stored import StoredFile
from giveaway.sources.files.write_tables import EngineFile
from giveaway.sources.formats.format import ReadAs

_MOST_ROWS = 10_000_000
"""How many rows one part of a release holds."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EngineOrigin(CountedAgain):
    """A table or long transactions that an engine holds; the release is written as Parquet."""

    held: HeldRows
    fingerprint: str
    """The rows as they were counted."""
    shape: Shape
    id: str
    item: str | None = None
    missing: tuple[str, ...] = ("",)
    leave_out: tuple[str, ...] = ()
    others: Others = field(default_factory=dict)
    """The columns that are published without being judged."""
    sha256: None = None
    path: None = None

    @property
    def name(self) -> str:
        """The masked address and the table."""
        return self.held.name

    @property
    def layout(self) -> Layout:
        """How the release stands in its files."""
        return self._form.layout

    @property
    def _form(self) -> EngineFile:
        """A Parquet file of the same shape, which is released likewise."""
        return EngineFile(
            file=StoredFile(Path("release.parquet")),
            sha256="",
            shape=self.shape,
            stated=ReadAs(id=self.id, item=self.item, missing=self.missing),
            leave_out=self.leave_out,
            others=self.others,
        )

    def write(self, folder: Path, published: Published) -> Path:
        """Write `release.parquet` in `folder`, or the parts of a large release in the folder `release`."""
        with told_as_not_written(self.name), engine() as opened:
            self._fetch(opened)
            loaded = self._in_order(opened)
            return in_parts(opened, self._form.released(loaded, folder, published))

    def native(self, published: Published) -> object:  # noqa: ARG002 # as all origins
        """Return nothing: the data stay where they are."""
        raise NotWritten(
            f"{self.name} is held by an engine, which is given no form in memory.",
            hint="write it with publish(folder), or as a new table with publish(folder, to=..., table=...).",
        )

    def rested(self, table: Table, columns: Sequence[str]) -> Table:
        """Count the rows again without some columns, which are published unjudged or left out, as the table's `rest` says."""
        roles = Roles(publish_unjudged=tuple(self.others), leave_out=self.leave_out, rest=table.rest)
        named = roles.resting(columns)
        return read_engine_table(
            self.held,
            id=self.id,
            sensitive=table.sensitive,
            missing=self.missing,
            publish_unjudged=named.publish_unjudged,
            leave_out=named.leave_out,
            rest=table.rest,
            classes=table.classes,
            ladders=table.ladders,
        )

    def _fetch(self, opened: DuckDBEngine) -> None:
        """Bring the rows here as the table `arrived`, once it is sure that they are those that were counted."""
        kept = [name for name in self.held.columns if name not in self.leave_out]
        with self._unchanged():
            rows = self.held.backend.bring(self.held.frame.select(kept), opened)
        if not rows:
            raise DataError(f"{self.name} has no rows.", hint="check where they are.")

    def _in_order(self, opened: DuckDBEngine) -> Relation:
        """Number the rows in the order of the ids, those of a transaction in the order of its items."""
        described = opened.run("DESCRIBE arrived")
        names = [str(column[0]) for column in described]
        numbered = ", ".join(f"c{place}" for place in range(len(names)))
        first = [self.id] if self.item is None else [self.id, self.item]
        texts = [trimmed(f"CAST(c{names.index(name)} AS VARCHAR)") for name in first]
        keys = ", ".join(f"{text} AS key{place}" for place, text in enumerate(texts))
        order = ", ".join(label_order(f"key{place}") for place in range(len(first)))
        opened.run(
            f"CREATE TABLE given AS SELECT row_number() OVER () AS n, {numbered} FROM (SELECT {numbered}, {keys} "  # noqa: S608 # our own
            f"FROM arrived AS arrived({numbered}) ORDER BY {order}, {numbered})"
        )
        opened.run("DROP TABLE arrived")
        rows = int(opened.value("SELECT count(*) FROM given"))
        return Relation(
            opened, self._form.file, tuple(names), tuple(str(column[1]) for column in described), rows
        )

    @contextmanager
    def _unchanged(self) -> Iterator[None]:
        """Refuse rows that are no longer those that were counted, before they are read and after."""
        with _snapshot(self.held.backend) as still:
            self._compare()
            yield
            if not still:
                self._compare()

    def _compare(self) -> None:
        if self.held.backend.fingerprint(self.held.frame) != self.fingerprint:
            raise self.held.changed()


@contextmanager
def _snapshot(backend: Backend) -> Iterator[bool]:
    """Keep what is read the same all the while, where that can be had; tell whether it was."""
    connection: Any = getattr(getattr(backend, "database", None), "con", None)
    if backend.kind != "postgres" or connection.info.transaction_status.name != "IDLE":
        yield False
        return
    with told_as_data_errors(backend.shown), connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield True


def in_parts(opened: DuckDBEngine, written: Path) -> Path:
    """Cut a large Parquet file into parts of whole rows in order; return the folder of parts, or the file as it is."""
    stored = f"read_parquet({exact_path(written)})"
    rows = int(opened.value(f"SELECT count(*) FROM {stored}"))  # noqa: S608 # quoted
    if rows <= _MOST_ROWS:
        return written
    folder = written.with_suffix("")
    folder.mkdir()
    for number, start in enumerate(range(0, rows, _MOST_ROWS)):
        tell("writing the parts", start, rows)
        target = literal(str(folder / f"part-{number:05}.parquet"))
        opened.run(
            f"COPY (SELECT * FROM {stored} LIMIT {_MOST_ROWS} OFFSET {start}) TO {target} (FORMAT parquet)"  # noqa: S608 # quoted
        )
    written.unlink()
    return folder
