"""The public edition is true for every kind of release, and tells only what a reader of the files can count."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.report import samples
from tests.report.reading import Page

import giveaway as ga
from giveaway.report.html import document

PEOPLE = [
    {
        "who": f"p{n}",
        "sex": "fm"[n % 2],
        "birth": str(1960 + n % 30),
        "job": "abcd"[n % 4],
        "ill": "xyz"[n % 3],
    }
    for n in range(60)
]


def written(tmp_path: Path, rows: list[dict[str, str]], name: str = "people.csv") -> Path:
    path = tmp_path / name
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def told(made: Any) -> str:
    return Page(document.render(made, edition="public")).text.replace("\u00a0", " ")


def published(found: ga.Assessment, folder: Path) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Write a release; return its Summary and the rows of its file."""
    made = found.publish(folder).to_dict()
    (file,) = (one["file"] for one in made["written"])
    with (folder / file).open(newline="") as opened:
        return made, list(csv.DictReader(opened))


def test_rules_are_told_as_rules_about_people(tmp_path: Path) -> None:
    table = ga.read_table(written(tmp_path, PEOPLE), sensitive="ill", id="who")
    limits = {"min_support": "1/60", "min_confidence": "1/4"}
    rules = ga.PublishedRules(ga.mine_rules(table, columns=["sex"], **limits), scores=2, **limits)
    attacker = ga.KnowsProfiles(columns=["sex"])
    limit = ga.Tolerance(attribute="999/1000")
    found = ga.assess(ga.Release(table, rules=rules), attacker, limit)
    made, rows = published(found, tmp_path / "out")
    text = told(made)

    assert f"It holds {len(rows)} rules; no record is published." in text
    assert "with support and confidence to 2 digits" in text
    for false in ("records with", "left empty", "altered", "empty ones too", "transactions"):
        assert false not in text


def test_the_number_of_people_behind_rules_is_not_told(tmp_path: Path) -> None:
    table = ga.read_table(written(tmp_path, PEOPLE), sensitive="ill", id="who")
    limits = {"min_support": "1/60", "min_confidence": "1/2"}
    rules = ga.PublishedRules(ga.mine_rules(table, columns=["sex"], **limits), **limits)
    attacker = ga.KnowsProfiles(columns=["sex", "birth", "job"])
    made = ga.assess(ga.Release(table, rules=rules), attacker, ga.Tolerance(attribute="999/1000")).to_dict()

    assert "people" not in made["released"]
    assert "60" not in told(made)


def test_blanks_and_coarser_labels_are_those_of_the_file(tmp_path: Path) -> None:
    rows = [
        row | ({"job": ""} if place % 20 == 0 else {}) | {"note": "n"} for place, row in enumerate(PEOPLE)
    ]
    table = ga.read_table(written(tmp_path, rows), sensitive="ill", id="who", publish_unjudged=["note"])
    decades = {str(year): [f"{str(year)[:3]}0s"] for year in range(1960, 1990)}
    release = ga.Release(table, hierarchies={"birth": decades})
    found = ga.protect(release, ga.KnowsDirectory(on=["sex", "birth", "job"]), ga.Tolerance(identity="1/5"))
    made, shown = published(found, tmp_path / "out")
    empty = Counter(name for row in shown for name, value in row.items() if not value)
    coarser = sum(row["birth"].endswith("s") for row in shown)
    text = told(made)

    assert coarser, "the case is one of coarser labels"
    assert made["released"]["empty"] == dict(empty)
    assert made["released"]["coarser"] == {"birth": coarser}
    assert f"{coarser} in birth. They are given by a coarser label" in text
    assert len(shown[0]) == 5, "the unjudged column is in the file"
    assert "It holds 60 records with 5 columns, 1 not judged." in text
    assert "nothing was altered" not in text
    assert made["withheld"]["cells_total"] < sum(empty.values()), "some entries were missing before"


def test_codes_are_told_to_be_codes(tmp_path: Path) -> None:
    path = tmp_path / "baskets.dat"
    path.write_text("\n".join(" ".join("abcdefgh"[: 1 + n % 8]) for n in range(80)) + "\n")
    release = ga.Release(ga.read_transactions(path))
    found = ga.assess(release, ga.KnowsFrequencies(compliance="1/10"), ga.Tolerance(average="1/5"))
    text = told(found.publish(tmp_path / "out").to_dict())

    assert "It holds 80 transactions with 8 items." in text
    assert "Items carry random codes" in text
    assert "nothing was altered" not in text
    assert "on average" in text
    assert "highest chance" not in text


def test_items_that_occur_nowhere_are_not_counted() -> None:
    baskets = ga.Transactions.from_lists([["a", "b"]] * 3, domain=["never"])
    made = ga.assess(
        ga.Release(baskets), ga.KnowsItems(at_most=1), ga.Tolerance(identity="999/1000")
    ).to_dict()

    assert made["released"]["items"] == 2


@pytest.mark.parametrize(
    ("order", "said"), [("shuffled", "Rows are in random order."), ("kept", "in the order of the original")]
)
def test_the_order_of_the_rows_is_said(order: str, said: str) -> None:
    made = samples.protected()
    made["released"]["order"] = order

    assert said in told(made)


def test_files_of_the_owner_are_not_named(tmp_path: Path) -> None:
    table = ga.read_table(written(tmp_path, PEOPLE), sensitive="ill", id="who", rest="leave_out")
    register = written(tmp_path, PEOPLE, "secret-register.csv")
    attacker = ga.KnowsDirectory(people=register, id="who", on=["sex"])
    limit = ga.Tolerance(identity="999/1000")
    found = ga.assess(ga.Release(table), attacker, limit).publish(tmp_path / "out")
    made = found.to_dict()

    assert "everybody in secret-register.csv" in made["findings"][0]["knows"]
    assert "secret-register" not in told(made)
    assert "everybody in a directory" in told(made)
    assert "secret-register" not in json.dumps(json.loads((tmp_path / "out" / "manifest.json").read_text()))


def test_how_much_is_withheld_is_not_told() -> None:
    made = samples.protected()
    text = told(made)

    for number in ("34", "907", "1,001", "90.6", "81.7", "35,431", "43,367", "169"):
        assert number not in text.replace("9,835", "")


def test_a_stronger_attacker_who_is_over_the_limit_is_not_told_that_it_is() -> None:
    made = samples.blank_entries()
    text = told(made)

    assert "87.9 %" in made["findings"][0]["warning"]
    assert "finds a rule" not in text
    assert "87.9" not in text


def test_an_older_summary_is_drawn_without_what_it_does_not_know() -> None:
    made = samples.protected()
    del made["released"]
    for finding in [*made["findings"], *made["before"]]:
        del finding["knows_publicly"]

    assert "what the attack items assumes" in told(made)
