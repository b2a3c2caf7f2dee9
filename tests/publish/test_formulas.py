"""Cells that a spreadsheet would run are counted, by other means than the product."""

import csv
import gzip
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.sizes import sized
from typer.testing import CliRunner

import giveaway as ga
from giveaway.cli.main import app
from giveaway.publish.folder import formulas
from giveaway.report.html import document
from giveaway.report.terminal import screen

PIECES = [
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    '"',
    ",",
    ";",
    ".",
    "1",
    "23",
    "e",
    "E+5",
    "a",
    " ",
    "é",
    "cmd|",
]
CELLS = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
RUN = re.compile(r"[=@\t\r]|[+-](?!$|[0-9.,]*[0-9][0-9.,]*([eE][+-]?[0-9]+)?$)")


def runs(cell: str) -> bool:
    """Tell the same in one expression; `$` must not stop at a last newline."""
    return RUN.match(cell.replace("\n", " ")) is not None


def text_of(rows: list[list[str]], separator: str, *, quoting: int, end: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end).writerows(rows)
    return out.getvalue()


@sized(300)
@given(
    rows=st.lists(st.lists(CELLS, min_size=2, max_size=4), max_size=5),
    separator=st.sampled_from([",", ";", "\t", "§"]),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    end=st.sampled_from(["\n", "\r\n"]),
    compressed=st.booleans(),
)
@example(
    rows=[["-", "+.", "-1e", "-1e+", "=", "-1e+5"]],
    separator=",",
    quoting=0,
    end="\n",
    compressed=True,
)
def test_the_formulas_of_any_file_are_counted(
    tmp_path: Path,
    rows: list[list[str]],
    separator: str,
    quoting: int,
    end: str,
    compressed: bool,
) -> None:
    text = text_of(rows, separator, quoting=quoting, end=end)
    file = tmp_path / ("a.csv.gz" if compressed else "a.csv")
    file.write_bytes(gzip.compress(text.encode(), mtime=0) if compressed else text.encode())
    read = csv.reader(io.StringIO(text, newline=""), delimiter=separator)

    assert formulas(file, separator) == sum(runs(cell) for row in read for cell in row)


@pytest.mark.parametrize("name", ["release.dat", "release.jsonl", "release.parquet"])
def test_files_that_no_spreadsheet_cuts_into_cells_have_none(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"=1 @x\n")

    assert formulas(tmp_path / name) == 0


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a table with three such cells, one of them in quotes, and negative numbers."""
    monkeypatch.chdir(tmp_path)
    rows = ["sex;pay;note", "f;-5;=cmd|' /C calc'!A0", 'f;-6,5;"+1;+1"', "f;-5;@SUM(A1)", "f;7;-"]
    (tmp_path / "people.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "a.toml").write_text(
        '[release]\ndata = "people.csv"\nsensitive = "pay"\npublish_unjudged = "note"\n[tolerates]\nidentity = "1/2"\n'
        '[[knows]]\nattack = "directory"\non = ["sex"]\n'
    )
    return tmp_path


def test_formulas_are_published_as_they_are_and_counted_in_every_place(release: Path) -> None:
    words = [
        "protect",
        "a.toml",
        "-o",
        "out",
        "--json",
        "a.json",
        "--html",
        "a.html",
        "--set",
        "release.order=kept",
        "--set",
        "knows.0.knows_method=false",
    ]
    done = CliRunner().invoke(app, words)

    assert done.exit_code == 0, done.output
    assert (release / "out" / "release.csv").read_bytes() == (release / "people.csv").read_bytes()
    assert json.loads((release / "out" / "manifest.json").read_text())["files"][0]["formulas"] == 3
    assert json.loads((release / "a.json").read_text())["written"][0]["formulas"] == 3
    said = "3 cells of release.csv begin like a formula"
    assert said in " ".join(done.output.split())
    assert said in (release / "a.html").read_text().replace("\u00a0", " ")


def test_without_formulas_nothing_is_said(release: Path) -> None:
    (release / "people.csv").write_text("sex;pay;note\n" + "f;-5;-\n" * 4)
    CliRunner().invoke(app, ["protect", "a.toml", "-o", "out", "--json", "a.json"])
    made = json.loads((release / "a.json").read_text())

    assert made["written"][0]["formulas"] == 0
    assert "formula" not in screen.render(made, exposures=True, quiet=False)
    assert "formula" not in document.render(made)


def test_rules_are_looked_at_too(tmp_path: Path) -> None:
    rows = [{"sex": sex, "job": job} for sex in ("=f", "m") for job in ("x", "y")] * 4
    table = ga.Table.from_rows(rows, sensitive="job")
    least = {"min_support": "1/4", "min_confidence": "1/2"}
    release = ga.Release(
        table, rules=ga.PublishedRules(ga.mine_rules(table, **least), **least, distribution="published")
    )
    found = ga.assess(release, ga.KnowsProfiles(columns=["sex"]), ga.Tolerance(attribute="9/10"))

    made = found.publish(tmp_path / "out").written

    files = {file.file: file.formulas for file in made}
    texts = {name: (tmp_path / "out" / name).read_text().splitlines() for name in files}
    assert files == {
        name: sum(runs(cell) for row in csv.reader(lines) for cell in row) for name, lines in texts.items()
    }
