"""Writers that get one thing wrong, in every format, before the checker: none of their releases gets its name."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import giveaway as ga
from giveaway import publish
from giveaway.errors import CheckFailed

Rows = list[dict[str, Any]]
BASKETS = "bread milk\nbread milk\nbread jam\n"
PEOPLE = (
    "who,age,ill\n"
    + "".join(f"p{i},{20 + i % 3},{'no' if i % 2 else 'yes'}\n" for i in range(12))
    + "q,90,no\n"
)


def table(folder: Path) -> ga.Assessment:
    (folder / "people.csv").write_text(PEOPLE)
    data = ga.read_table(folder / "people.csv", id="who", sensitive="ill")
    return ga.protect(ga.Release(data), ga.KnowsDirectory(columns=["age"]), ga.Tolerance(identity="1/3"))


def baskets(folder: Path) -> ga.Assessment:
    (folder / "shop.dat").write_text(BASKETS)
    data = ga.read_transactions(folder / "shop.dat")
    return ga.protect(ga.Release(data), ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))


def read(file: Path) -> Rows:
    """Read a file as any reader would."""
    if file.suffix == ".jsonl":
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        return [line if isinstance(line, dict) else {"items": line} for line in lines]
    found = duckdb.sql(f"FROM read_parquet('{file}')")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def write(file: Path, rows: Rows) -> None:
    """Write it again in the same format."""
    if file.suffix == ".jsonl":
        lists = "items" in rows[0]
        file.write_text("".join(json.dumps(row["items"] if lists else row) + "\n" for row in rows))
        return
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(rows), file)


def _changed(row: dict[str, Any]) -> dict[str, Any]:
    name = next(iter(row))
    return {**row, name: [*row[name], "jam"] if isinstance(row[name], list) else "90"}


MUTANTS: dict[str, Callable[[Rows], Rows]] = {
    "what is withheld is back": lambda rows: [_changed(rows[-1]) if row is rows[-1] else row for row in rows],
    "a row is lost": lambda rows: rows[:-1],
    "a row stands twice": lambda rows: [*rows, rows[0]],
    "a row is another": lambda rows: (
        [rows[1] if row is rows[0] else row for row in rows] if rows[0] != rows[1] else [rows[-1], *rows[1:]]
    ),
    "a column more": lambda rows: [{**row, "who": "p"} for row in rows],
    "nothing is there": lambda rows: [dict.fromkeys(row) for row in rows],
}
TEXTS: dict[str, Callable[[Path], object]] = {
    "a name twice": lambda file: file.write_text(
        file.read_text().replace("{", '{"age": "90", ', 1).replace("[", '["jam", ', 1)
    ),
    "cut off": lambda file: os.truncate(file, file.stat().st_size // 2),
    "a line of something else": lambda file: file.write_text(file.read_text() + "# p12 is 90\n"),
    "another file beside": lambda file: (file.parent / "notes.txt").write_text("p12"),
    "a link": lambda file: (file.rename(file.parent.parent / "else"), file.symlink_to("../else")),
    "a link of the other kind": lambda file: os.link(file, file.parent.parent / "else"),
}


def refused(
    made: ga.Assessment,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    wrong: Callable[[Path], object],
) -> None:
    """Publish by a writer that is right, and then by one that is wrong, which leaves nothing."""
    made.publish(folder / "right", format=kind)
    right = publish.write_release

    def writer(*given: Any) -> Path:
        file = right(*given)
        wrong(file)
        return file

    monkeypatch.setattr(publish, "write_release", writer)
    with pytest.raises(CheckFailed):
        made.publish(folder / "wrong", format=kind)
    assert not (folder / "wrong").exists()


@pytest.mark.parametrize("mutant", MUTANTS)
@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
@pytest.mark.parametrize("data", [table, baskets])
def test_a_writer_that_gets_a_row_wrong_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Any, kind: str, mutant: str
) -> None:
    if data is baskets and mutant == "a column more" and kind == "jsonl":
        pytest.skip("a list has no columns")
    refused(
        data(tmp_path), tmp_path, monkeypatch, kind, lambda file: write(file, MUTANTS[mutant](read(file)))
    )


@pytest.mark.parametrize("mutant", TEXTS)
@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
@pytest.mark.parametrize("data", [table, baskets])
def test_a_writer_that_gets_the_file_wrong_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Any, kind: str, mutant: str
) -> None:
    if kind == "parquet" and mutant in ("a name twice", "a line of something else"):
        pytest.skip("Parquet is no text")
    refused(data(tmp_path), tmp_path, monkeypatch, kind, TEXTS[mutant])


@pytest.mark.engines
@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE {0} SET age = '90' WHERE age IS NULL",
        "UPDATE {0} SET ill = 'yes' WHERE ill = 'no'",
        "DELETE FROM {0} WHERE age = '20' AND ill = 'no'",
        "INSERT INTO {0} FROM {0} LIMIT 1",
        "ALTER TABLE {0} ADD COLUMN who VARCHAR DEFAULT 'p'",
        "ALTER TABLE {0} DROP COLUMN ill",
        "ALTER TABLE {0} RENAME COLUMN ill TO well",
    ],
)
def test_a_table_of_duckdb_that_is_loaded_wrong_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    from giveaway.engines.loading.duckdb import DuckDBLoader

    made = table(tmp_path)
    made.publish(tmp_path / "right", to=f"duckdb:{tmp_path / 'right.duckdb'}", table="people")
    right = DuckDBLoader.fill

    def fill(self: DuckDBLoader, rows: Any) -> None:
        right(self, rows)
        before = self.connection.execute(f"FROM {self.quoted}").fetchall()
        self.connection.execute(wrong.format(self.quoted))
        assert before != self.connection.execute(f"FROM {self.quoted}").fetchall() or "RENAME" in wrong

    monkeypatch.setattr(DuckDBLoader, "fill", fill)
    with pytest.raises(CheckFailed):
        made.publish(tmp_path / "wrong", to=f"duckdb:{tmp_path / 'wrong.duckdb'}", table="people")
    assert not (tmp_path / "wrong").exists()
    assert not (tmp_path / "wrong.duckdb").exists()


@pytest.mark.parametrize("when", ["while it is judged", "before it has its name"])
def test_what_changes_after_it_was_judged_gets_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    made, files = table(tmp_path), list[Path]()
    right, judged = publish.write_release, ga.Assessment.judge

    def writer(*given: Any) -> Path:
        files.append(right(*given))
        return files[-1]

    def judge(self: ga.Assessment, *given: Any) -> Any:
        told = judged(self, *given)
        if when == "while it is judged":
            files[-1].write_text(PEOPLE)
        return told

    def report(*_: Any, **__: Any) -> str:
        files[-1].write_text(PEOPLE)
        return ""

    monkeypatch.setattr(publish, "write_release", writer)
    monkeypatch.setattr(ga.Assessment, "judge", judge)
    if when != "while it is judged":
        monkeypatch.setattr(ga.Assessment, "to_json", report)
    with pytest.raises(CheckFailed, match="changed"):
        made.publish(tmp_path / "out", json=tmp_path / "out.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv"]


EARLIER = """
[release]
data = "people.csv"
id = "who"
sensitive = "ill"
[tolerates]
identity = "1/3"
[[knows]]
attack = "directory"
columns = ["age"]
"""


def _with_hash(then: Path) -> None:
    file = then / "release.csv"
    before = publish.hashed(file)
    file.write_text(file.read_text().replace("20", "21", 1))
    manifest = then / "manifest.json"
    manifest.write_text(manifest.read_text().replace(before, publish.hashed(file)))


def _with_rows(ledger: Path) -> None:
    told = json.loads(ledger.read_text())
    told["releases"][0]["rows"][0] = told["releases"][0]["rows"][1]
    ledger.write_text(json.dumps(told))


TAMPERINGS: dict[str, Callable[[Path], object]] = {
    "a row less": lambda then: (then / "release.csv").write_text(
        "\n".join((then / "release.csv").read_text().splitlines()[:-1]) + "\n"
    ),
    "a cell": lambda then: (then / "release.csv").write_text(
        (then / "release.csv").read_text().replace("20", "21", 1)
    ),
    "a cell and its hash": _with_hash,
    "the file is gone": lambda then: (then / "release.csv").unlink(),
    "the manifest": lambda then: (then / "manifest.json").write_text('{"schema": 2}'),
    "who is who": lambda then: _with_rows(then.parent / "ledger.json"),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_earlier_releases_that_were_tampered_with_are_refused(tmp_path: Path, tampering: str) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    first = ga.Scenario.from_text(EARLIER, tmp_path).protect()
    first.publish(tmp_path / "then", key=tmp_path / "ledger.json")
    text = EARLIER + '[[earlier]]\nrelease = "then"\nlinked = "rows"\nledger = "ledger.json"\n'
    ga.Scenario.from_text(text, tmp_path).protect().publish(tmp_path / "now")
    TAMPERINGS[tampering](tmp_path / "then")
    with pytest.raises(ga.GiveawayError):
        ga.Scenario.from_text(text, tmp_path).protect().publish(tmp_path / "again")
    assert not (tmp_path / "again").exists()
