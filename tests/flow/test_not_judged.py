"""What was not judged stands in one line under the verdict, in every view."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.bench.cases import CASES, uninformed

import giveaway as ga
from giveaway.report import saved
from giveaway.report.html.document import render

ROWS = [
    {"zip": "z", "note": f"called {n} times because of pain", "phone": f"+49 30 12345{n:02}", "ill": "y"}
    for n in range(20)
]
LIMIT = ga.Tolerance(identity="1/5")


def asked(**how: Any) -> ga.Assessment:
    table = ga.Table.from_rows(ROWS, sensitive="ill", rest="publish_unjudged")
    knows_method = how.get("order") != "kept"
    return ga.protect(
        ga.Release(table, **how), ga.KnowsDirectory(columns=["zip"], knows_method=knows_method), LIMIT
    )


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def views(found: ga.Assessment, folder: Path) -> dict[str, str]:
    written = found.publish(folder)
    return {
        "terminal": " ".join(str(found).split()),
        "owner": text_of(found.to_html()),
        "notebook": text_of(found._repr_html_()),
        "public": text_of(written.to_html(public=True)),
        "manifest": (folder / "manifest.json").read_text(),
    }


def test_every_view_tells_how_many_columns_there_are_and_how_many_were_not_judged(tmp_path: Path) -> None:
    shown = views(asked(), tmp_path / "out")
    for name in ("terminal", "owner", "notebook", "public"):
        assert "Not judged: 2 columns, " in shown[name], name
        assert "other releases." in shown[name], name
    for name in ("terminal", "owner"):
        assert "4 columns, 2 not judged" in shown[name], name
    assert "20 records with 4 columns" in shown["public"]
    manifest = json.loads(shown["manifest"])
    assert manifest["counts"]["columns"] == 4
    assert manifest["not_judged"][0]["says"] == "2 columns"
    assert manifest["not_judged"][-1]["what"] == "other releases"


def test_only_the_owner_sees_what_the_columns_are_called_and_look_like(tmp_path: Path) -> None:
    shown = views(asked(), tmp_path / "out")
    said = "note looks like free text, phone like phone numbers."
    assert [name for name, text in shown.items() if said in text] == ["terminal", "owner", "notebook"]
    assert "Not judged columns: note and phone." in shown["owner"]
    assert "note" not in shown["public"].replace("notes", "")
    assert "looks like" not in shown["manifest"]
    assert "+49" not in "".join(shown.values())
    assert "because of pain" not in "".join(shown.values())


@pytest.mark.parametrize("order", ["kept", "shuffled"])
def test_the_order_of_the_rows_is_told_where_it_is_kept(order: Any) -> None:
    said = [part["what"] for part in asked(order=order).to_dict()["not_judged"]]
    assert ("order" in said) is (order == "kept")


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_method_is_not_judged_for_somebody_who_does_not_know_it_whatever_is_withheld(name: str) -> None:
    case = CASES[name]
    release = case.release(case.rows)
    attacker = uninformed(case.attacker)
    planned = ga.assess(release, attacker, case.looser)
    safer = ga.protect(release, attacker, case.tolerance, need=case.need)
    method = "knowing how giveaway chose what to withhold"
    for found in (planned, safer):
        assert method in " ".join(str(found).split())
        assert "method" in [part["what"] for part in found.to_dict()["not_judged"]]
        assert "does not know how giveaway chooses" in found.to_dict()["findings"][0]["against"]
    lines = [re.search("Not judged: [^.]*", text_of(f.to_html(public=True)))[0] for f in (planned, safer)]
    assert lines[0] == lines[1]
    assert method in lines[0]
    assert len(safer.to_dict()["not_judged"]) <= 5
    if case.attacker.knows_method:
        informed = ga.assess(release, case.attacker, case.looser).to_dict()
        assert "method" not in [part["what"] for part in informed["not_judged"]]


def test_the_order_of_the_rows_is_more_than_any_method() -> None:
    found = ga.assess(
        ga.Release(ga.Table.from_rows(ROWS[:9], leave_out=["note", "phone", "ill"]), order="kept"),
        ga.KnowsDirectory(columns=["zip"]),
        LIMIT,
    )
    assert found.verdict == "cannot judge"
    assert "keep their order" in found.findings[0].reasons[0]


def test_what_an_attack_does_not_judge_is_told_by_its_row() -> None:
    rows = [{"zip": "z", "ill": "y", "drug": "d"}, {"zip": "z", "ill": "n", "drug": "d"}] * 3
    two = ga.Release(ga.Table.from_rows(rows, sensitive=["ill", "drug"]), secrets=[(1, "ill")])
    one = ga.Release(ga.Table.from_rows(rows, sensitive="ill", leave_out=["drug"]), secrets=[1])
    said = [
        [
            part["says"]
            for part in ga.assess(r, ga.KnowsAttributes(columns=["zip"]), limit).to_dict()["not_judged"]
        ]
        for r, limit in ((two, ga.Tolerance(attribute="1/2")), (one, ga.Tolerance(attribute="1/2")))
    ]
    assert "other sensitive columns as conditions" in said[0]
    assert "other sensitive columns as conditions" not in said[1]


def test_a_saved_summary_of_either_schema_is_read_and_drawn(tmp_path: Path) -> None:
    summary = asked().to_dict()
    assert summary["schema"] == 2
    old = {key: value for key, value in summary.items() if key != "not_judged"} | {"schema": 1}
    for name, value in (("new", summary), ("old", old)):
        (tmp_path / name).write_text(json.dumps(value))
        page = render(saved.read(tmp_path / name))
        assert ("Not judged:" in page) is (name == "new")
    (tmp_path / "later").write_text(json.dumps(summary | {"schema": 3}))
    with pytest.raises(ga.DataError, match="schema 1 or 2"):
        saved.read(tmp_path / "later")
