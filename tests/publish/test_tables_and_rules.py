"""What an assessment says, gives back and writes of tables and of rules; attackers are judged elsewhere."""

import json
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from tests.publish.test_publish import hashed, names, publish_to, written

import giveaway as ga
from giveaway.model.release.cells import Cells
from giveaway.model.release.rule import Rule, Statement

ROWS = [
    {"who": "ann", "age": 30, "ill": "yes"},
    {"who": "bob", "age": 31, "ill": "no"},
    {"who": "cay", "age": 31, "ill": "yes"},
]
TABLE = ga.Table.from_rows(ROWS, id="who", sensitive="ill")
RULES = [Rule({"age": 31}, "yes"), Rule({"age": 30}, "yes")]


def holding(release: ga.Release) -> ga.Assessment:
    return ga.Assessment(release=release, findings=(), effort=ga.Effort(), seconds=0)


def of_rules(**how: object) -> ga.Release:
    rules = ga.PublishedRules(RULES, min_support=0, min_confidence=0, **how)
    statements = [Statement(where={"age": "30..31"}, value="yes", count=2)]
    return ga.Release(TABLE, rules=rules, statements=statements)


def test_withheld_entries_are_listed_by_record_and_counted(tmp_path: Path) -> None:
    cells = [(1, "ill"), (1, "age"), (2, "age"), (3, "age")]
    release = ga.Release(TABLE, ga.Withheld(cells=cells), secrets=["ann"])

    said = holding(release).to_dict(exposures=2)["withheld"]
    done = holding(release).publish(tmp_path / "out")

    assert said == {
        "items": [],
        "items_coarser": [],
        "cells": [{"record": "ann", "column": "age"}, {"record": "bob", "column": "age"}],
        "cells_total": 3,
        "coarser_total": 0,
        "coarser_by_column": {},
        "cells_by_column": {"age": 3},
        "secrets": 1,
        "rules": [],
    }
    assert len(holding(release).to_dict(exposures=None)["withheld"]["cells"]) == 3
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["counts"] == {"rows": 3, "columns": 2, "empty": {"age": 3, "ill": 1}}
    assert done.written is not None
    assert [(part.file, part.rows) for part in done.written] == [("release.jsonl", 3)]


def test_coarser_entries_are_listed_with_their_level_and_counted_apart(tmp_path: Path) -> None:
    ages = {30: ["30-31", "adult"], 31: ["30-31", "adult"]}
    withheld = ga.Withheld(cells=[(2, "ill")], levels=[(1, "age", 1), (2, "age", 2)])
    release = ga.Release(TABLE, withheld, hierarchies={"age": ages}, order="kept")

    said = holding(release).to_dict()["withheld"]
    done = holding(release).publish(tmp_path / "out")

    assert said["cells"] == [
        {"record": "ann", "column": "age", "level": 1},
        {"record": "bob", "column": "age", "level": 2},
        {"record": "bob", "column": "ill"},
    ]
    assert (said["cells_total"], said["coarser_total"]) == (1, 2)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["counts"] == {"rows": 3, "columns": 2, "empty": {"ill": 1}}
    shown = [{"age": "30-31", "ill": "yes"}, {"age": "adult", "ill": None}, {"age": "31", "ill": "yes"}]
    assert done.released() == shown
    lines = (tmp_path / "out" / "release.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == shown


def test_records_without_id_are_listed_by_their_row() -> None:
    release = ga.Release(ga.Table.from_rows([{"x": 1}, {"x": 2}]), ga.Withheld(cells=[(2, "x")]))

    assert holding(release).to_dict()["withheld"]["cells"] == [{"record": 2, "column": "x"}]


def test_released_tables_are_given_back_with_nothing_in_the_hidden_entries() -> None:
    table = ga.Table.from_frame(pd.DataFrame(ROWS), id="who", sensitive="ill")
    release = ga.Release(table, ga.Withheld(cells=[(2, "age")]), secrets=["ann"], order="kept")

    frame = holding(release).released()

    assert list(frame.columns) == ["age", "ill"]
    assert frame["age"].tolist() == [30, pd.NA, 31]
    assert frame["ill"].isna().tolist() == [True, False, False]


def test_withheld_rules_are_listed_and_the_rest_is_given_back_as_published() -> None:
    release = of_rules(scores="exact").withholding(ga.Withheld(rules=RULES[1:]))

    said = holding(release).to_dict()["withheld"]
    (rule,) = holding(release).released()

    assert said["rules"] == [{"condition": {"age": 30}, "value": "yes", "column": "ill"}]
    assert rule == Rule({"age": 31}, "yes", sensitive="ill")
    assert (rule.support, rule.confidence) == (Fraction(1, 3), Fraction(1, 2))
    assert holding(of_rules()).released()[0].support is None


def test_rules_are_published_with_all_that_stands_beside_them(tmp_path: Path) -> None:
    holding(of_rules(distribution="published")).publish(tmp_path / "out")

    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    files = {part["file"]: part["rows"] for part in manifest["files"]}
    assert files == {"rules.csv": 2, "statements.csv": 1, "distribution.csv": 2}
    assert names(tmp_path / "out") == sorted([*files, "manifest.json"])
    assert all(part["sha256"] == hashed(tmp_path / "out" / part["file"]) for part in manifest["files"])
    holding(of_rules()).publish(tmp_path / "out", force=True)
    assert "distribution.csv" not in names(tmp_path / "out")


def test_a_file_that_was_not_judged_is_not_published(tmp_path: Path) -> None:
    def more(place: Path) -> Path:
        (place / "notes.txt").write_text("ann is ill")
        return written(place)

    with pytest.raises(ga.CheckFailed, match=r"notes\.txt was written, but not judged"):
        publish_to(tmp_path / "out", write=more)
    assert names(tmp_path) == []


def test_statements_about_bare_rows_cannot_be_published(tmp_path: Path) -> None:
    said = Statement(value="yes", count=1, rows=Cells([(1, "ill")]).positions("ill"))
    release = ga.Release(TABLE, rules=of_rules().rules, statements=[said])

    with pytest.raises(ga.ScenarioError, match="cannot be published"):
        holding(release).publish(tmp_path / "out")
    assert names(tmp_path) == []


def test_a_table_that_was_built_by_hand_has_no_form() -> None:
    from dataclasses import replace

    bare = holding(ga.Release(replace(TABLE, origin=None)))
    with pytest.raises(ga.NotWritten, match="built by hand"):
        bare.released()
