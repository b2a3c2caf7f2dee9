"""What holds for every attack when earlier releases are at hand."""

from typing import Any

import pytest
from tests.bench.cases import CASES, PAPERS, Case

import giveaway as ga


def after(release: ga.Release, **said: Any) -> ga.Earlier:
    """Return a release as one that was given away before, all of whose rows are those of now."""
    rows = {"rows": range(1, len(release.original) + 1)} if release.rules is None else {}
    return ga.Earlier(release, **{"name": "2025", "linked": "rows", "facts": "same"} | rows | said)


@pytest.fixture(scope="module", params=[*sorted(CASES), *PAPERS])
def case(request: pytest.FixtureRequest) -> Case:
    return (CASES | PAPERS)[request.param]


def as_planned(case: Case) -> ga.Release:
    """Return the release in the form that the attack is about."""
    return ga.assess(case.release(case.rows), case.attacker, case.tolerance).release


def protected(case: Case) -> ga.Assessment:
    return ga.protect(case.release(case.rows), case.attacker, case.tolerance, need=case.need)


def test_a_release_that_is_given_away_again_tells_nothing_more(case: Case) -> None:
    safer = protected(case)
    again = ga.assess(safer.release, case.attacker, case.tolerance, earlier=after(safer.release))
    views = again.findings[0].together
    if again.verdict == "cannot judge":
        # What two plans tell somebody who knows the method is not worked out for all that a plan can go by.
        assert case.attacker.knows_method
        assert any(one.risk is None for one in views)
        return
    assert again.verdict == "safe"
    assert all(len(one.only_together) == 0 for one in views)
    assert again.findings[0].risk is not None


def test_releases_about_nobody_here_change_nothing(case: Case) -> None:
    planned = case.release(case.rows)
    alone = ga.assess(planned, case.attacker, case.tolerance)
    beside = ga.assess(
        planned, case.attacker, case.tolerance, earlier=after(protected(case).release, linked="nobody")
    )
    assert beside.verdict == alone.verdict
    assert beside.findings[0].reasons == alone.findings[0].reasons


def test_the_order_of_earlier_releases_does_not_matter(case: Case) -> None:
    planned = as_planned(case)
    first, second = after(planned, name="2024"), after(protected(case).release)
    found = [
        ga.assess(planned, case.attacker, case.tolerance, earlier=order)
        for order in ([first, second], [second, first])
    ]
    verdicts = [
        {(frozenset(one.view.releases), one.view.linked): one.safe for one in each.findings[0].together}
        for each in found
    ]
    assert found[0].verdict == found[1].verdict
    assert verdicts[0] == verdicts[1]


def test_every_view_of_an_answer_can_be_drawn(case: Case) -> None:
    planned = as_planned(case)
    found = ga.assess(planned, case.attacker, case.tolerance, earlier=after(planned))
    summary = found.to_dict()
    assert summary["verdict"] == "at risk"
    assert "2025" in found.to_html()
    assert str(found)


def test_what_is_accepted_is_never_an_average_that_grows() -> None:
    """Each release is within the average by itself or accepted, and together they are not."""
    people = [{"age": number // 4, "job": number % 4} for number in range(8)]
    then = ga.Table.from_rows([{"age": row["age"]} for row in people])
    now = ga.Release(ga.Table.from_rows([{"job": row["job"]} for row in people]))
    known = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    before = ga.Earlier(then, name="2025", linked="rows", rows=range(1, 9), already="accept", original=then)
    found = ga.assess(now, known, ga.Tolerance(average="3/5"), earlier=before)
    (view,) = [one for one in found.findings[0].together if one.view.linked == "rows"]
    assert found.findings[0].risk is not None
    assert view.risk is not None
    assert view.risk.average == 1
    assert found.verdict == "at risk"
    strict = ga.assess(now, known, ga.Tolerance(average="1/5"), earlier=before)
    assert [one.safe for one in strict.findings[0].together if one.given_away] == [False]


def test_what_is_out_is_not_accepted_where_one_more_item_would_make_it_worse() -> None:
    then = ga.Transactions.from_lists([["a"], ["a"], ["b"], ["b"], ["b"], ["b"]])
    now = ga.Transactions.from_lists([["c"], ["d"], ["c"], ["d"], ["c"], ["d"]])
    before = ga.Earlier(then, name="2025", linked="rows", rows=range(1, 7), already="accept")
    limit = ga.Tolerance(identity="1/3")
    verdicts = [
        ga.assess(ga.Release(now), ga.KnowsItems(at_most=many), limit, earlier=before).verdict
        for many in (1, 2)
    ]
    assert verdicts == ["safe", "at risk"]


def test_a_release_at_risk_stays_so_where_earlier_ones_cannot_be_judged() -> None:
    rows = ga.Transactions.from_lists([["a"], ["b"], ["b"]])
    before = ga.Earlier(rows, name="2025", linked="people", facts="same")
    found = ga.assess(
        ga.Release(rows), ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"), earlier=before
    )
    assert found.verdict == "at risk"
    assert not found.findings[0].is_measured
