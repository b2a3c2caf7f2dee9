"""Properties that hold for every attack."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.bench.cases import CASES, PAPERS, Case
from tests.sizes import first

import giveaway as ga
from giveaway.report.terminal import screen

FINDING = {
    "attack", "attacker", "tolerance", "safe", "reasons", "worst", "average", "share", "baseline", "how", "figures",
    "holds_up_to", "curves", "worked", "exposures_total", "exposures", "kept", "limits", "missing", "paper",
}  # fmt: skip
SUMMARY = {"schema", "giveaway", "verdict", "data", "seed", "seconds", "findings", "withheld", "before"}


@pytest.fixture(scope="module", params=[*sorted(CASES), *first(0, PAPERS)])
def case(request: pytest.FixtureRequest) -> Case:
    return (CASES | PAPERS)[request.param]


def assessed(case: Case, **changes: Any) -> ga.Assessment:
    words = {
        "release": case.release(case.rows),
        "attackers": case.attacker,
        "tolerance": case.tolerance,
    } | changes
    return ga.assess(**words, need=case.need)


def protected(case: Case, **changes: Any) -> ga.Assessment:
    words = {
        "release": case.release(case.rows),
        "attackers": case.attacker,
        "tolerance": case.tolerance,
    } | changes
    return ga.protect(**words, need=case.need)


def protected_from_both(case: Case) -> ga.Assessment:
    return protected(
        case, attackers=[case.attacker, case.stronger], tolerance=case.together or case.tolerance
    )


def steady(assessment: ga.Assessment) -> dict[str, Any]:
    return {key: value for key, value in assessment.to_dict().items() if key != "seconds"}


def test_the_case_is_at_risk_as_planned_and_safe_once_protected(case: Case) -> None:
    assert assessed(case).safe is False
    assert protected(case).safe is True


def test_the_summary_has_every_key_of_the_contract_and_is_strict_json(case: Case) -> None:
    for made in (assessed(case), protected(case)):
        summary = json.loads(made.to_json(), parse_constant=pytest.fail)
        assert set(summary) >= SUMMARY
        for finding in summary["findings"] + (summary["before"] or []):
            assert set(finding) >= FINDING
            assert finding["exposures_total"] <= len(finding["exposures"]) or len(finding["exposures"]) >= 100


def test_runs_repeat_but_for_what_is_drawn_by_lot(case: Case) -> None:
    assert steady(assessed(case)) == steady(assessed(case))
    one, other = steady(protected(case)), steady(protected(case))
    if case.by_lot:
        drawn = [made["withheld"].pop("cells") for made in (one, other)]
        assert [len(cells) for cells in drawn] == [one["withheld"]["cells_total"]] * 2
    assert one == other


def test_the_order_of_rows_does_not_matter(case: Case) -> None:
    rows = list(case.rows)
    rows.reverse()
    shuffled = case.release(rows)

    assert steady(assessed(case, release=shuffled)) == steady(assessed(case))
    assert case.outcome(protected(case, release=shuffled)) == case.outcome(protected(case))


def test_protection_is_measured_again_and_shown_beside_the_plan(case: Case) -> None:
    safer = protected(case)

    assert ga.assess(safer.release, case.attacker, case.tolerance).safe
    assert safer.before is not None
    assert not safer.before[0].safe
    assert safer.withheld


def test_protecting_the_protected_withholds_nothing_more(case: Case) -> None:
    safer = protected(case)

    assert protected(case, release=safer.release).withheld == safer.withheld


def test_a_looser_tolerance_or_a_weaker_attacker_never_makes_it_worse(case: Case) -> None:
    assert assessed(case, tolerance=case.looser).safe
    safer = protected(case, attackers=case.stronger)
    assert ga.assess(safer.release, case.attacker, case.tolerance).safe


def test_several_attackers_are_all_within_tolerance_in_the_end(case: Case) -> None:
    both = protected_from_both(case)

    assert [finding.safe for finding in both.findings] == [True, True]


def test_after_protecting_against_several_figures_are_those_of_the_release_as_it_ended_up(case: Case) -> None:
    both = protected_from_both(case)
    again = ga.assess(
        both.release, [case.attacker, case.stronger], case.together or case.tolerance, need=case.need
    )
    alone = [finding.protection is not None for finding in both.findings].count(True) == 1

    for finding, measured in zip(both.to_dict()["findings"], again.to_dict()["findings"], strict=True):
        for name, value in measured["figures"].items():
            assert finding["figures"][name] == value or (alone and value is None)
        for name in ("worst", "share", "kinds", "holds_up_to", "exposures_total", "exposures", "kept"):
            assert finding[name] == measured[name]


def test_a_budget_that_is_exceeded_is_never_safe(case: Case) -> None:
    found = ga.assess(case.release(case.rows), case.attacker, case.tolerance, effort=ga.Effort(seconds=1e-9))

    assert found.safe is None
    assert found.to_dict()["findings"][0]["safe"] is None
    assert found.findings[0].reasons


def test_the_published_files_pass_the_checker_and_hold_no_withheld_label(case: Case, tmp_path: Path) -> None:
    safer = protected(case).publish(tmp_path / "out")

    assert safer.written is not None
    text = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir()).decode(errors="replace")
    assert not any(str(label) in text for label in safer.withheld.items)


def test_a_release_that_is_not_safe_is_not_published(case: Case, tmp_path: Path) -> None:
    with pytest.raises(ga.NotWritten):
        assessed(case).publish(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_checker_refuses_a_file_that_was_tampered_with(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from giveaway import publish

    honest = publish.write_release

    def tampering(*words: Any) -> Path:
        file = honest(*words)
        file.write_bytes(b"\n".join(file.read_bytes().split(b"\n")[1:]))
        return file

    monkeypatch.setattr(publish, "write_release", tampering)
    with pytest.raises(ga.CheckFailed):
        protected(case).publish(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_public_edition_and_the_manifest_hold_no_value(case: Case, tmp_path: Path) -> None:
    safer = protected(case).publish(tmp_path / "out")
    shown = safer.to_html(public=True) + (tmp_path / "out" / "manifest.json").read_text()

    assert not [label for label in case.labels if label in shown]
    assert all(label in safer.to_html() + safer._repr_html_() for label in safer.withheld.items[:1])


def test_exposures_become_frames(case: Case) -> None:
    found = assessed(case)

    assert len(found.exposures.to_pandas()) == len(found.exposures.to_polars()) == len(found.exposures)
    assert found.exposures[0].chance >= found.exposures[-1].chance


@pytest.fixture(scope="module")
def findings(case: Case) -> list[dict[str, Any]]:
    """What is found on the case and on a part of it, as planned and once protected, with all exposures."""
    found = []
    part = [row for place, row in enumerate(case.rows) if place % 4 != 2]
    for rows, asked, limits in product(
        (case.rows, part), (case.attacker, case.stronger), (case.tolerance, case.looser)
    ):
        question = {"release": case.release(rows), "attackers": asked, "tolerance": limits}
        try:
            made = protected(case, **question)
        except ga.NoSafeRelease:
            made = assessed(case, **question)
        summary = made.to_dict(exposures=None)
        found += (summary["before"] or []) + summary["findings"]
    return found


def test_the_worst_chance_of_each_kind_is_that_of_the_first_exposure_of_this_kind(
    findings: list[dict[str, Any]],
) -> None:
    for finding in findings:
        worst = {level["kind"]: level["worst"] for level in finding["kinds"]}
        listed = {
            kind: [one["chance"] for one in finding["exposures"] if one["kind"] == kind]
            for kind in worst.keys() & {"identity", "attribute"}
        }
        for kind, chances in listed.items():
            assert chances[0] == max(chances) == worst[kind]
        if listed:
            assert finding["exposures"][0]["chance"] == max(worst[kind] for kind in listed)


def is_over(exposure: dict[str, Any], level: dict[str, Any], *, at_limit: bool) -> bool:
    """Compare fractions where there are any: a chance that is a float has been compared as one."""
    name = "{}_exact" if "chance_exact" in exposure else "{}"
    chance, limit = Fraction(exposure[name.format("chance")]), Fraction(level[name.format("limit")])
    return chance > limit or (at_limit and chance == limit)


def test_as_many_exposures_are_over_the_limit_as_is_said(case: Case, findings: list[dict[str, Any]]) -> None:
    for finding in findings:
        levels = {level["kind"]: level for level in finding["kinds"]}
        over = [
            is_over(one, levels[one["kind"]], at_limit=case.over_at_limit)
            for one in finding["exposures"]
            if one["kind"] in levels
        ]
        assert finding["exposures_total"] == sum(over)
        assert bool(finding["share"]) == any(over)


def test_the_share_the_figures_and_the_curve_come_from_one_count(
    case: Case, findings: list[dict[str, Any]]
) -> None:
    for finding in findings:
        figures = finding["figures"]
        if case.exposed is not None:
            over, of = (figures[figure] for figure in case.exposed)
            assert Fraction(finding["share_exact"]) == Fraction(over, of)
        if case.strength is None:
            continue
        name, stated = case.strength
        (curve,) = (curve for curve in finding["curves"] if curve["name"] == "strength")
        here = finding["attacker"][stated] if isinstance(stated, str) else stated
        reached = [y for x, y in zip(curve["x"], curve["y"], strict=True) if x <= here]
        assert reached[-1] == pytest.approx(finding[name], abs=1e-12)


ONLY_REPORTED = {"exposures", "figures", "holds_up_to", "curves", "worked", "kept"}


def test_a_verdict_works_out_nothing_that_only_a_report_shows(case: Case) -> None:
    for made in (assessed(case), protected(case)):
        measured = [finding.risk for finding in (*made.findings, *(made.before or ()))]
        assert made.verdict
        for risk in measured:
            assert not ONLY_REPORTED & vars(risk.details).keys()
        quiet = screen.render(made.headline(), exposures=False, quiet=True)
        for risk in measured:  # the worst chance may be the first exposure's
            assert not (ONLY_REPORTED - {"exposures"}) & vars(risk.details).keys()
        summary = made.to_dict()
        for risk in measured:
            assert vars(risk.details).keys() >= ONLY_REPORTED
        assert made.verdict.upper() in quiet
        assert set(quiet.split()) <= set(screen.render(summary, exposures=False, quiet=True).split())


def test_every_line_of_the_ledger_says_why_in_words(case: Case) -> None:
    lines = protected(case).to_dict()["findings"][0]["ledger"]

    assert lines
    assert all(len(line["why_says"].split()) > 1 for line in lines)


def test_what_another_limit_left_behind_changes_nothing(case: Case) -> None:
    release = case.release(case.rows)
    limits = (case.looser, case.tolerance, case.looser, case.tolerance)

    again = [steady(assessed(case, release=release, tolerance=limit)) for limit in limits]

    fresh = [steady(assessed(case, tolerance=limit)) for limit in limits[:2]]
    assert again == fresh * 2
