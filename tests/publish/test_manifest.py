"""The manifest holds what was promised and what a reader of the files can count: nothing else follows from the original."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.bench.cases import CASES
from tests.publish.test_publish import names
from tests.publish.test_tables_and_rules import holding

import giveaway as ga

ROWS = [
    {"job": job, "town": town, "ill": ill} for job, town, ill in zip("aabbb", "xyxyy", "nnnmm", strict=True)
]
RULES = [ga.Rule({"job": "a"}, "n"), ga.Rule({"job": "b"}, "m"), ga.Rule({"town": "x"}, "n")]


def basket_release(extra: list[str]) -> ga.Release:
    rows = [["a", "b", *extra], ["a", *extra[:1]], [], ["b"]]
    return ga.Release(ga.Transactions.from_lists(rows), ga.Withheld(items=extra), order="kept")


def blank_release(hidden: list[tuple[int, str]]) -> ga.Release:
    """Hide some entries where others were missing before."""
    gone = {(2, "town"), (4, "ill"), (5, "ill")}
    rows = [
        {name: None if (place, name) in gone - {*hidden} else value for name, value in row.items()}
        for place, row in enumerate(ROWS, 1)
    ]
    table = ga.Table.from_rows(rows, sensitive="ill")
    return ga.Release(table, ga.Withheld(cells=hidden), order="kept")


def coarse_release(coarser: bool) -> ga.Release:
    rows = [{**row, "town": row["town"] if coarser or row["town"] == "x" else "north"} for row in ROWS]
    towns = {"town": {"x": ["south"], "y": ["north"]}} if coarser else {}
    levels = [(place, "town", 1) for place, row in enumerate(ROWS, 1) if row["town"] == "y"]
    withheld = ga.Withheld(levels=levels if coarser else ())
    return ga.Release(ga.Table.from_rows(rows), withheld, hierarchies=towns, order="kept")


def rule_release(withheld: list[ga.Rule]) -> ga.Release:
    table = ga.Table.from_rows(ROWS, sensitive="ill")
    rules = ga.PublishedRules([RULES[0], *withheld], min_support=0, min_confidence=0, complete=False)
    return ga.Release(table, ga.Withheld(rules=withheld), rules=rules)


ALIKE: dict[str, list[Callable[[], ga.Release]]] = {
    "items": [lambda: basket_release([]), lambda: basket_release(["c"]), lambda: basket_release(["c", "d"])],
    "entries": [
        lambda: blank_release([]),
        lambda: blank_release([(2, "town")]),
        lambda: blank_release([(2, "town"), (4, "ill"), (5, "ill")]),
    ],
    "coarser entries": [lambda: coarse_release(False), lambda: coarse_release(True)],
    "rules": [lambda: rule_release([]), lambda: rule_release(RULES[1:2]), lambda: rule_release(RULES[1:])],
}


@pytest.mark.parametrize("kind", ALIKE)
def test_the_same_files_have_the_same_manifest_however_much_was_withheld(kind: str, tmp_path: Path) -> None:
    written = []
    for number, release in enumerate(ALIKE[kind]):
        folder = tmp_path / str(number) / "2026"
        holding(release()).publish(folder)
        written.append({name: (folder / name).read_bytes() for name in names(folder)})

    assert len(written) > 1
    assert all(files == written[0] for files in written[1:])


def test_the_number_of_withheld_rules_is_told_nowhere(tmp_path: Path) -> None:
    """With it a reader would find the rule again: 61 of 102 safe lists were over the limit then."""
    attacker, tolerance = ga.KnowsProfiles(columns=["job", "town"]), ga.Tolerance(attribute="999/1000")
    manifests = []
    for number, withheld in enumerate([RULES[1:2], RULES[1:]]):
        found = ga.assess(rule_release(withheld), attacker, tolerance)
        found.publish(tmp_path / str(number) / "2026")
        manifests.append((tmp_path / str(number) / "2026" / "manifest.json").read_text())

    assert manifests[0] == manifests[1]
    assert "withheld" not in manifests[0]
    assert json.loads(manifests[0])["counts"] == {"rules": 1}


def counted(file: Path) -> dict[str, Any]:
    """Count what a file shows, knowing nothing but its format."""
    if file.suffix == ".dat":
        rows = [line.split() for line in file.read_text().splitlines()]
        return {"rows": len(rows), "items": len({item for row in rows for item in row})}
    if file.name == "rules.csv":
        with file.open(newline="") as found:
            return {"rules": len(list(csv.DictReader(found)))}
    records = [json.loads(line) for line in file.read_text().splitlines()]
    columns = {name for record in records for name in record}
    empty = {name: sum(record.get(name) is None for record in records) for name in columns}
    return {
        "rows": len(records),
        "columns": len(columns),
        "empty": {name: count for name, count in empty.items() if count},
    }


@pytest.mark.parametrize("name", CASES)
def test_every_count_can_be_made_from_the_files(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    safer = ga.protect(case.release(case.rows), case.attacker, case.tolerance, need=case.need)
    written = safer.publish(tmp_path / "out").written
    assert written is not None

    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["counts"] == counted(tmp_path / "out" / written[0].file)
    assert manifest["order"] == "shuffled"


def test_columns_that_nobody_judged_are_counted_too(tmp_path: Path) -> None:
    table = ga.Table.from_rows([{"id": 1, "x": None, "note": "n"}], id="id", publish_unjudged=["note"])
    holding(ga.Release(table)).publish(tmp_path / "out")

    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["counts"] == {"rows": 1, "columns": 2, "empty": {"x": 1}}


def test_files_of_the_owner_are_not_named(tmp_path: Path) -> None:
    (tmp_path / "hospital.csv").write_text("zip\n" + "10\n" * 4)
    (tmp_path / "register-1.csv").write_text("zip\n" + "10\n" * 4)
    (tmp_path / "register-2.csv").write_text("zip\n" + "10\n" * 5)
    table = ga.read_table(tmp_path / "hospital.csv")
    for number, people in enumerate([["register-1.csv"], ["register-1.csv", "register-2.csv"]]):
        attacker = ga.KnowsDirectory(people=[tmp_path / name for name in people], on=["zip"])
        found = ga.assess(ga.Release(table), attacker, ga.Tolerance(identity="1/2"))
        found.publish(tmp_path / str(number))

        manifest = (tmp_path / str(number) / "manifest.json").read_text()
        assert not [name for name in ("hospital", "register") if name in manifest]
        assert json.loads(manifest)["attackers"][0]["knows"].endswith(
            "everybody in a directory" if number == 0 else "everybody in the worst of 2 directories"
        )


def test_a_manifest_names_the_manifests_of_earlier_releases_and_no_permutation(tmp_path: Path) -> None:
    holding(basket_release([])).publish(tmp_path / "2025", key=tmp_path / "ledger.json")
    told = json.loads((tmp_path / "2025" / "manifest.json").read_text())
    assert (told["name"], told["earlier"]) == ("2025", [])
    sha256 = ga.Ledger.read(tmp_path / "ledger.json").releases[0].manifest
    shop = ga.Transactions.from_lists([["a"], ["b"]])
    before = [
        ga.Earlier(shop, name="2025", linked="nobody", sha256=sha256, has_manifest=True),
        ga.Earlier(shop, name="a file", linked="nobody", sha256="f" * 64),
    ]
    made = holding(ga.Release(basket_release([]).original, order="shuffled", earlier=before))
    made.publish(tmp_path / "2026")
    text = (tmp_path / "2026" / "manifest.json").read_text()
    assert json.loads(text)["earlier"] == [sha256]
    assert 'rows": [' not in text
