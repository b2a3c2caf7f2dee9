"""Missing values protect nobody by themselves; with gaps = "agree" they do, and the answer says so."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.attacks.directory.cases import people, table

import giveaway as ga
from giveaway.scenario.reading import read_scenario, understand

FIVE = ga.Tolerance(identity="1/5")
NAMES = ("c0", "c1")


def unique(number: int, gaps: int) -> ga.Table:
    """People with a zip and a birth of their own, and some of whom neither is known."""
    rows = [{"zip": f"z{place}", "birth": f"b{place}", "ill": "no"} for place in range(number)]
    rows += [{"zip": "", "birth": "", "ill": "yes"} for _ in range(gaps)]
    return ga.Table.from_rows(rows, sensitive="ill")


def crowds(release: ga.Release) -> list[int]:
    """Count for each record who agrees with it, by going through the original."""
    shown, held = release.published, release.original
    columns = ("zip", "birth")

    def codes(part: Any, row: int) -> list[int]:
        return [int(part.columns[name][part.record_of[row]]) for name in columns]

    people_ = [codes(held, row) for row in range(len(held))]
    return [
        sum(all(mine in (-1, theirs) for mine, theirs in zip(codes(shown, row), one, strict=True)) for one in people_)
        for row in range(len(held))
    ]  # fmt: skip


@pytest.mark.parametrize(("number", "gaps"), [(90, 4), (100, 4)])
def test_rows_with_gaps_hide_nobody_else(number: int, gaps: int) -> None:
    release, attacker = (
        ga.Release(unique(number, gaps)),
        ga.KnowsDirectory(knows_method=False, on=["zip", "birth"]),
    )
    found = ga.assess(release, attacker, FIVE)
    assert found.verdict == "at risk"
    assert found.findings[0].risk.over == number
    assert f"Only 1 of {number + gaps} people in the table itself has this zip." in {
        one.because for one in found.exposures[:1]
    }

    safer = ga.protect(release, attacker, FIVE)

    assert safer.verdict == "safe"
    assert min(crowds(safer.release)) >= 5
    assert "missing value" not in str(safer).lower()


def test_the_reading_of_the_paper_is_named_in_the_verdict_and_in_the_evidence() -> None:
    release = ga.Release(unique(100, 4), gaps="agree")
    found = ga.assess(release, ga.KnowsDirectory(knows_method=False, on=["zip", "birth"]), FIVE)
    assert found.verdict == "safe"
    assert found.findings[0].risk.against == ("takes a missing value in the directory for any value")
    assert found.exposures[0].because == "5 of 104 people in the table itself have this zip or none."
    assert [step.label for step in found.findings[0].risk.worked][1:] == [
        "with zip z0 or none",
        "with birth b0 or none",
    ]


def test_several_columns_without_a_gap_are_said_as_they_are() -> None:
    rows = [{"zip": "1", "sex": "m"}, {"zip": "1", "sex": "f"}, {"zip": "2", "sex": "m"}]
    for gap, words in (
        ({}, "has this zip and sex."),
        ({"zip": "", "sex": ""}, "have this zip and sex, or none in"),
    ):
        shown = ga.Release(ga.Table.from_rows([*rows, *([gap] if gap else [])]), gaps="agree")
        found = ga.assess(shown, ga.KnowsDirectory(knows_method=False, on=["zip", "sex"]), FIVE)
        assert any(words in one.because for one in found.exposures)


def test_a_gap_of_a_record_is_a_blank_and_its_person_stays_among_the_candidates() -> None:
    rows = [{"c0": "a", "c1": None}, {"c0": "a", "c1": "x"}, {"c0": None, "c1": None}]
    found = ga.assess(
        ga.Release(table(rows, NAMES)),
        ga.KnowsDirectory(knows_method=False),
        ga.Tolerance(identity="999/1000"),
    )
    assert {one.target: one.chance for one in found.exposures} == {
        "r0": Fraction(1, 2),
        "r1": 1,
        "r2": Fraction(1, 3),
    }
    assert found.findings[0].risk.figures["k_in_original"] == 1


def test_likeness_and_coarser_labels_follow() -> None:
    held = people([("1", {"c0": "MARHTA"}), ("2", {"c0": None}), ("3", {"c0": None})], ["c0"])
    shown = table([{"c0": "MARTHA"}], ["c0"])
    alike = ga.KnowsDirectory(knows_method=False, people=held, match={"c0": ga.Jaro("0.9")})
    coarse: dict[str, Any] = {"hierarchies": {"c0": {"MARTHA": ["m"], "MARHTA": ["m"]}}}
    for attacker, more in (
        (alike, {}),
        (
            ga.KnowsDirectory(knows_method=False, people=held),
            coarse | {"withheld": ga.Withheld(levels=[(1, "c0", 1)])},
        ),
    ):
        chances = [
            ga.assess(ga.Release(shown, gaps=gaps, **more), attacker, ga.Tolerance(identity="999/1000"))
            .exposures[0]
            .chance
            for gaps in ("apart", "agree")
        ]
        assert chances == [1, Fraction(1, 3)]


SCENARIO = """
[release]
data = "t.csv"
{gaps}
publish_unjudged = ["ill"]

[tolerates]
identity = "1/5"

[[knows]]
attack = "directory"
knows_method = false
on = ["zip", "birth"]
"""


def test_a_scenario_says_what_gaps_mean_and_other_data_have_none(tmp_path: Path) -> None:
    lines = [f"z{place},b{place},no" for place in range(9)] + [",,yes"] * 4
    (tmp_path / "t.csv").write_text("\n".join(["zip,birth,ill", *lines]) + "\n")
    verdicts = {}
    for gaps in ("", 'gaps = "apart"', 'gaps = "agree"'):
        (tmp_path / "s.toml").write_text(SCENARIO.format(gaps=gaps))
        values, text = read_scenario(tmp_path / "s.toml")
        asked = understand(values, base=tmp_path, name="s.toml", text=text)
        verdicts[gaps] = ga.assess(asked.release, asked.attackers, asked.tolerances).verdict
    assert list(verdicts.values()) == ["at risk", "at risk", "safe"]
    wrong = {
        "release": {"data": "b.dat", "kind": "transactions", "gaps": "agree"},
        "knows": [{"attack": "items"}],
        "tolerates": {"identity": "1/2"},
    }
    with pytest.raises(ga.ScenarioError, match="gaps belongs to a table"):
        understand(wrong, base=tmp_path, name="s.toml")
    with pytest.raises(ga.ScenarioError, match="gaps = 'none' is unknown"):
        ga.Release(unique(2, 0), gaps="none")  # type: ignore[arg-type]
