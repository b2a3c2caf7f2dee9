"""Earlier releases on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import giveaway as ga
from giveaway.cli.main import app

SIX = ["30,cook,flu", "30,smith,flu", "30,smith,hiv", "40,cook,flu", "40,cook,ulcer", "40,smith,hiv"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("\n".join(["age,job,illness", *SIX]) + "\n")
    (tmp_path / "ages.csv").write_text("\n".join(["age", *(line[:2] for line in SIX)]) + "\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "now.toml").write_text(
        """
[release]
data = "../people.csv"
sensitive = "illness"
leave_out = ["age"]
[tolerates]
identity = "1/2"
[[knows]]
attack = "directory"
columns = ["age", "job"]
knows_method = false
"""
    )
    return lambda *words: CliRunner().invoke(app, list(map(str, words)))


def test_a_path_is_of_the_folder_that_we_are_in_and_linked_stands_behind_it(run: Callable[..., Any]) -> None:
    found = run("assess", "folder/now.toml", "--earlier", "ages.csv:rows", "--json", "now.json")
    assert found.exit_code == 1
    assert "giveaway protect folder/now.toml --earlier ages.csv:rows -o out" in found.output
    told = json.loads(Path("now.json").read_text())
    assert [(one["name"], one["linked"]) for one in told["earlier"]] == [("ages", "rows")]
    assert told["findings"][0]["together"][0]["only_together"] == 2
    assert "--earlier ages.csv:rows" in told["scenario"]["settings"]
    alone = run("assess", "folder/now.toml", "--earlier", "ages.csv:nobody")
    assert alone.exit_code == 0, alone.output
    assert run("report", "now.json").exit_code == 0


@pytest.mark.parametrize(
    ("earlier", "fact"),
    [
        ("nothing.csv", "nothing.csv"),
        ("ages.csv:0.5", "a chance that somebody is in both"),
        ("ages.csv:row", "linked = 'row' is unknown"),
    ],
)
def test_what_is_wrong_is_one_clear_mistake(run: Callable[..., Any], earlier: str, fact: str) -> None:
    found = run("assess", "folder/now.toml", "--earlier", earlier)
    assert found.exit_code == 2
    assert fact in " ".join(found.output.split())


def test_what_was_given_away_is_never_written_over(run: Callable[..., Any]) -> None:
    words = ("--set", 'release.leave_out=["job"]', "--set", "knows.0.columns=age")
    made = run("protect", "folder/now.toml", *words, "-o", "2025", "--ledger", "ledger.json")
    assert made.exit_code == 0, made.output
    before = {path.name: path.read_bytes() for path in Path("2025").iterdir()}
    asked = ("folder/now.toml", "--earlier", "2025:rows", "--set", "earlier.0.ledger=../ledger.json")
    again = run("protect", *asked, "-o", "2025", "--force")
    assert again.exit_code == 2
    assert "is read by this command" in again.output
    assert {path.name: path.read_bytes() for path in Path("2025").iterdir()} == before
    done = run("protect", *asked, "-o", "2026", "--ledger", "ledger.json")
    assert done.exit_code == 0, done.output
    repeated = run("protect", *asked, "-o", "again", "--ledger", "ledger.json")
    assert repeated.exit_code == 0, repeated.output
    entries = ga.Ledger.read("ledger.json")
    told = json.loads(Path("2026/manifest.json").read_text())
    assert told["earlier"] == [entries.of("2025").manifest]
    assert len(entries) == 3
    with pytest.raises(ga.DataError, match="does not know the release nowhere"):
        entries.of("nowhere")
    with pytest.raises(ga.DataError, match="There is no ledger"):
        ga.Ledger.read("other.json")


def test_explain_tells_the_fields(run: Callable[..., Any]) -> None:
    text = run("explain", "earlier").output
    assert all(f"\n  {word} " in text for word in ("release", "linked", "ledger", "population", "prefer"))
