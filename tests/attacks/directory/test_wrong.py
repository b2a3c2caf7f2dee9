"""What a wrong identification hurts (section 2.2): numbers that can be typed in, and where it is refused.

The properties of `test_measure.py`, `test_protect.py` and `test_least_risk.py` draw it too.
"""

from fractions import Fraction
from pathlib import Path

import pytest
from tests.attacks.directory.cases import people, table
from tests.cli.conftest import Invoke

import giveaway as ga

NAMES = ("c0", "c1")
UNINFORMED = ga.KnowsDirectory(knows_method=False)


def rows(*lines: str) -> list[dict[str, str]]:
    return [dict(zip(NAMES, line, strict=True)) for line in lines]


def figures(release: ga.Release, attacker: ga.KnowsDirectory = UNINFORMED) -> dict[str, object]:
    return ga.assess(release, attacker, ga.Tolerance(average="9/10")).findings[0].risk.figures


def test_a_wrong_pick_costs_its_part() -> None:
    """Of two records one is unique (always right), of the other two people agree: right in one case of two."""
    sensitivity = ga.Sensitivity(columns={"c0": 1, "c1": 2}, wrong="1/4")
    held = people([("r0", rows("ax")[0]), ("r1", rows("by")[0]), ("z", rows("by")[0])], NAMES)
    attacker = ga.KnowsDirectory(knows_method=False, people=held)
    found = figures(ga.Release(table(rows("ax", "by"), NAMES), sensitivity=sensitivity), attacker)
    # 3 for the first; for the second 3/2 when right, and a quarter of 3 in the other half of the cases.
    assert found["risk"] == (3 + Fraction(3, 2) + Fraction(3, 8)) / 2
    assert found["risk_if_right"] == (3 + Fraction(3, 2)) / 2
    assert found["identification_risk"] == Fraction(3, 4)
    assert found["max_loss"] == 3


def test_nobody_is_taken_where_nobody_agrees() -> None:
    held = people([("z", rows("by")[0]), ("y", rows("by")[0])], NAMES)
    attacker = ga.KnowsDirectory(knows_method=False, people=held)
    release = ga.Release(table(rows("ax", "by"), NAMES), sensitivity=ga.Sensitivity(wrong=1))
    found = figures(release, attacker)
    assert (found["risk"], found["risk_if_listed"]) == (Fraction(1, 2), 1)


@pytest.mark.papers
def test_where_a_wrong_pick_hurts_as_much_only_what_is_disclosed_counts() -> None:
    """Then the loss is the sensitivity itself, whoever agrees, and the least risk shows what weighs least."""
    release = ga.Release(
        ga.Table.from_rows(rows("ax", "by", "by")),
        sensitivity=ga.Sensitivity(columns={"c0": 1, "c1": "1/2"}, wrong=1),
    )
    found = ga.least_risk(release, UNINFORMED, ga.NeedsColumns(per_record=1))
    assert (found.risk, {name for _, name in found.release.withheld.cells}) == (Fraction(1, 2), {"c0"})


def test_it_is_no_figure_of_whoever_knows_the_method() -> None:
    release = ga.Release(ga.Table.from_rows(rows("ax", "by")), sensitivity=ga.Sensitivity(wrong="1/2"))
    with pytest.raises(ga.ScenarioError, match="knows_method = false"):
        ga.assess(release, ga.KnowsDirectory(), ga.Tolerance(average="1/2"))


@pytest.mark.parametrize("wrong", [-1, "3/2", "much"])
def test_it_is_a_part(wrong: object) -> None:
    with pytest.raises(ga.ScenarioError, match="wrong"):
        ga.Sensitivity(wrong=wrong)


def test_a_scenario_says_it_and_the_checker_reads_it(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "people.csv").write_text("c0,c1\nax,u\nax,v\nax,w\nby,u\nby,v\n")
    scenario = tmp_path / "people.toml"
    scenario.write_text("""\
[release]
data = "people.csv"
sensitivity = { columns = { c0 = 1, c1 = 1 }, wrong = "1/2" }

[tolerates]
average = "9/10"

[[knows]]
attack = "directory"
columns = ["c0", "c1"]
knows_method = false
""")
    out = tmp_path / "out"
    answer = invoke("protect", str(scenario), "-o", str(out), "--json", str(tmp_path / "told.json"))
    assert answer.exit_code == 0, answer.output
    assert out.is_dir()
    assert '"risk_if_right"' in (tmp_path / "told.json").read_text()


def test_evidence_says_that_values_need_only_be_similar() -> None:
    """A report that says "has this title" of somebody whose title is only like it would not be true."""
    people_ = [
        {"title": "martha", "sex": "f"},
        {"title": "marhta", "sex": "f"},
        {"title": "dixon", "sex": "m"},
    ]
    attacker = ga.KnowsDirectory(knows_method=False, match={"title": ga.Jaro("0.8")})
    found = ga.assess(ga.Release(ga.Table.from_rows(people_)), attacker, ga.Tolerance(identity="1/3"))
    assert [one.because for one in found.exposures][-1] == (
        "2 of 3 people in the table itself have a similar title."
    )
    assert "title at_least 0.8" in found.to_html()
