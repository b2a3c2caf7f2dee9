"""The attack through the public names alone: a register, records about some of its people, and what is published."""

import json
import random
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pandas as pd
import polars as pl
import pytest

import giveaway as ga

COLUMNS = ["name", "zip", "sex"]
TOLERANCE = ga.Tolerance(identity="1/3")


def register(seed: int = 5, number: int = 240) -> list[dict[str, str]]:
    draw = random.Random(seed)  # noqa: S311 # made-up people, not secrets
    names = ["Ann", "Bea", "Cid", "Dan", "Eve", "Fay"]
    return [
        {
            "person": f"p{place}",
            "name": draw.choices(names, [8, 5, 3, 2, 1, 1])[0],
            "zip": draw.choice(["10", "11", "12", "13", ""]),
            "sex": draw.choice("fm"),
        }
        for place in range(number)
    ]


def records() -> list[dict[str, str]]:
    return [
        row | {"ill": "yes" if place % 7 else "no"} for place, row in enumerate(register()) if place % 6 == 0
    ]


def people(frame: Any = None) -> Any:
    return ga.Table.from_rows(register(), id="person") if frame is None else frame


def patients(**more: Any) -> ga.Release:
    return ga.Release(ga.Table.from_rows(records(), sensitive="ill", id="person"), **more)


def test_rows_and_frames_give_the_same_answer_and_the_summary_tells_it() -> None:
    made = [
        patients(),
        ga.Release(ga.Table.from_frame(pd.DataFrame(records()), sensitive="ill", id="person")),
        ga.Release(ga.Table.from_frame(pl.DataFrame(records()), sensitive="ill", id="person")),
    ]
    attacker = ga.KnowsDirectory(knows_method=False, people=people(), id="person", on=COLUMNS)
    answers = [
        [(one.target, one.chance, one.because) for one in ga.assess(release, attacker, TOLERANCE).exposures]
        for release in made
    ]
    assert answers[0] == answers[1] == answers[2]
    found = ga.assess(made[0], attacker, TOLERANCE)
    summary = json.loads(found.to_json())["findings"][0]
    figures = summary["figures"]
    assert figures["directory_size"] == 240
    assert figures["exposed_records"] == summary["exposures_total"] > 0
    assert (figures["k_in_release"], figures["k_in_original"]) == (None, None)
    assert summary["baseline"] == pytest.approx(1 / 240)
    assert summary["holds_up_to"]["unit"] == "columns"
    assert {"chances", "strength"} <= {curve["name"] for curve in summary["curves"]}
    assert all(curve["says"] for curve in summary["curves"])
    assert "fewer than 3 people fit" in summary["reasons"][0]
    assert sum(figures["columns"][at]["identifies"] for at in range(3)) > 0


@pytest.mark.papers
def test_figure_1_of_the_paper_is_in_the_summary() -> None:
    attacker = ga.KnowsDirectory(knows_method=False, people=people(), id="person", on=COLUMNS)
    (summary,) = ga.assess(patients(), attacker, TOLERANCE).to_dict()["findings"]
    assert {"disclosed", "size"} <= {curve["name"] for curve in summary["curves"]}
    assert all(curve["says"] for curve in summary["curves"])


def test_protecting_makes_it_safe_and_follows_the_exposures() -> None:
    attacker = ga.KnowsDirectory(knows_method=False, people=people(), id="person", on=COLUMNS)
    safer = ga.protect(patients(), attacker, TOLERANCE)
    summary = safer.to_dict()
    (before,), (after,) = summary["before"], summary["findings"]
    assert (before["safe"], after["safe"]) == (False, True)
    assert after["figures"]["min_candidates"] >= 3
    assert after["figures"]["optimal_records"] == 40
    kept = safer.kept["directory"]
    assert kept["cells_total"] - kept["cells"] == len(safer.withheld.cells) == after["figures"]["lower_bound"]
    assert all(one["after"] == "withheld" or one["after"] <= 1 / 3 for one in before["exposures"])
    assert sum(line["lost"] for line in after["ledger"]) == len(safer.withheld.cells)
    assert sum(line["removed"] for line in after["ledger"]) == before["exposures_total"]
    assert after["curves"][-1]["name"] == "kept"
    assert "ill" not in safer.withheld.cells.columns
    assert "no safe release discloses more" in after["how"]["detail"]


def test_what_is_withheld_or_marked_stays_so_and_columns_always_shown_are_shown() -> None:
    attacker = ga.KnowsDirectory(knows_method=False, people=people(), id="person", on=COLUMNS)
    planned = patients(withheld=ga.Withheld(cells=[(1, "sex"), (2, "zip")]), must_publish=[("p6", "name")])
    safer = ga.protect(planned, attacker, TOLERANCE, need=ga.NeedsColumns(always=["sex"]))
    assert {(1, "sex"), (2, "zip")} <= set(safer.withheld.cells)
    assert (2, "name") not in safer.withheld.cells
    assert set(safer.withheld.cells.positions("sex").tolist()) == {0}


def test_a_need_that_cannot_be_served_within_tolerance_is_refused_with_what_helps() -> None:
    attacker = ga.KnowsDirectory(knows_method=False, people=people(), id="person", on=COLUMNS)
    need = ga.NeedsColumns(per_record=3, clip=True)
    with pytest.raises(ga.NoSafeRelease) as refused:
        ga.protect(patients(), attacker, TOLERANCE, need=need)
    assert refused.value.proved
    assert any("tolerates.share=" in helps for helps in refused.value.helps)
    share = next(helps for helps in refused.value.helps if "share=" in helps).split("share=")[1].split()[0]
    looser = ga.Tolerance(identity="1/3", share=share)
    assert ga.protect(patients(), attacker, looser, need=need).safe
    with pytest.raises(ga.NoSafeRelease, match="least risk of what is needed") as costly:
        ga.protect(patients(), attacker, ga.Tolerance(average="1/50"), need=need)
    limit = next(helps for helps in costly.value.helps if "average=" in helps).split("average=")[1].split()[0]
    assert ga.protect(patients(), attacker, ga.Tolerance(average=limit), need=need).safe


def test_a_prior_over_directories_and_the_worst_of_them() -> None:
    half = ga.Table.from_rows(register()[:120], id="person")
    both = {"people": [people(), half], "id": "person", "on": COLUMNS}
    worst = (
        ga.assess(patients(), ga.KnowsDirectory(knows_method=False, **both), ga.Tolerance(average="999/1000"))
        .findings[0]
        .risk
    )
    bayes = ga.assess(
        patients(),
        ga.KnowsDirectory(knows_method=False, **both, prior=["1/4", "3/4"]),
        ga.Tolerance(average="999/1000"),
    )
    expected = bayes.findings[0].risk
    assert worst.figures["bayes_risk"] is None
    assert worst.figures["risk"] == worst.figures["worst_case_risk"] >= expected.figures["bayes_risk"]
    assert expected.figures["worst_case_risk"] == worst.figures["worst_case_risk"]
    assert "by their prior (Bayes)" in expected.how.detail
    safer = ga.protect(
        patients(), ga.KnowsDirectory(knows_method=False, **both), ga.Tolerance(identity="1/3")
    )
    assert safer.findings[0].risk.figures["min_candidates"] >= 3


def test_it_stands_beside_another_attack_on_the_same_release() -> None:
    shown = patients(secrets=["p0", "p6", "p12"])
    attackers = [
        ga.KnowsDirectory(knows_method=False, people=people(), id="person", on=COLUMNS),
        ga.KnowsAttributes(columns=COLUMNS, knows_method=False),
    ]
    limits = [TOLERANCE, ga.Tolerance(attribute="19/20")]
    safer = ga.protect(shown, attackers, limits)
    assert [finding.safe for finding in safer.findings] == [True, True]


def test_weights_decide_what_is_withheld() -> None:
    attacker = ga.KnowsDirectory(knows_method=False, people=people(), id="person", on=COLUMNS)
    limit = ga.Tolerance(average=Fraction(1, 20))
    weights = {"name": 5, "zip": 1, "sex": 0}
    safer = ga.protect(patients(sensitivity=ga.Sensitivity(columns=weights)), attacker, limit)
    hidden = {name: len(safer.withheld.cells.positions(name)) for name in COLUMNS}
    assert hidden["name"] > hidden["zip"] >= 0
    assert safer.findings[0].risk.figures["risk"] <= limit.average
    assert "taken as harmless in itself: sex" in " ".join(safer.findings[0].reasons)
    forbidden = ga.Sensitivity(columns={"name": "inf", "zip": 1})
    none = ga.protect(patients(sensitivity=forbidden), attacker, limit)
    assert len(none.withheld.cells.positions("name")) == 40


def test_a_small_release_is_judged_and_reported_without_loading_a_compiler_or_a_solver() -> None:
    """To compile takes seconds, which the first verdict on a small table must not wait for."""
    script = """
import sys
import giveaway as ga
rows = [{"id": n, "town": "abc"[n % 3], "born": n % 17, "sex": "fm"[n % 2]} for n in range(200)]
table = ga.Table.from_rows(rows, id="id")
ga.assess(ga.Release(table), ga.KnowsDirectory(knows_method=False), ga.Tolerance(identity="1/5")).to_dict()
print(sorted({"numba", "scipy", "rapidfuzz"} & {*sys.modules}))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
