"""Blanks of several releases: an entry is visible if it ever was, and what was visible cannot be hidden again."""

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import giveaway as ga

ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=4, max_size=8)
LIMIT = ga.Tolerance(attribute="3/5")


def table(rows: list[tuple[str, str]]) -> ga.Table:
    return ga.Table.from_rows([{"job": job, "pay": pay} for job, pay in rows], sensitive="pay")


def blanks(release: ga.Release, rows: set[int], column: str = "pay") -> ga.Release:
    return release.withholding(ga.Withheld(cells=[(row, column) for row in rows]))


def earlier(release: ga.Release, **more: object) -> ga.Earlier:
    said = {"name": "2025", "linked": "rows", "rows": range(1, len(release.original) + 1)} | more
    return ga.Earlier(release, **said)  # type: ignore[arg-type]


def test_two_choices_of_blanks_leave_the_secret_alone() -> None:
    people = table([("t", pay) for pay in ("low", "high", "mid", "high", "mid")])
    planned = ga.Release(people, secrets=[1])
    first, second = blanks(planned, {2, 3}), blanks(planned, {4, 5})
    knows = ga.KnowsAttributes(columns=["job"])
    for each in (first, second):
        assert ga.assess(each, knows, LIMIT).safe
    found = ga.assess(second, knows, LIMIT, earlier=earlier(first))
    assert found.verdict == "cannot judge"
    assert any("2 entries that are blank now" in said for said in found.findings[0].reasons)
    assert ga.assess(first, knows, LIMIT, earlier=earlier(first)).safe, "the same blanks again"

    made = ga.protect(planned, knows, LIMIT, earlier=earlier(first))
    assert made.safe
    assert {row for row, _ in made.withheld.cells} <= {1, 2, 3}, "what was visible is not blanked"


def test_a_secret_that_was_visible_is_given_away() -> None:
    people = table([("t", pay) for pay in ("low", "high", "mid", "low", "high")])
    now = blanks(ga.Release(people, secrets=[1, 2]), {3, 4, 5})
    before = ga.Release(people, secrets=[2])
    knows = ga.KnowsAttributes(columns=["job"], knows_method=False)
    (joined,) = ga.assess(now, knows, LIMIT, earlier=earlier(before)).findings[0].together
    assert joined.safe is False
    assert joined.reasons[0] == "1 secret is visible in 2025."
    accepted = ga.assess(now, knows, LIMIT, earlier=earlier(before, already="accept"))
    assert accepted.findings[0].together[0].view.figures == {"secrets_visible_before": 1}


@settings(max_examples=60, deadline=None)
@given(ROWS, st.data())
def test_the_rules_are_those_of_what_was_ever_visible(
    rows: list[tuple[str, str]], data: st.DataObject
) -> None:
    numbers = st.sets(st.integers(1, len(rows)))
    secrets = data.draw(numbers)
    assume(secrets)
    planned = ga.Release(table(rows), secrets=sorted(secrets))
    (pays, jobs), (pays_now, jobs_now) = ((data.draw(numbers), data.draw(numbers)) for _ in range(2))
    knows = ga.KnowsAttributes(columns=["job"], knows_method=False)
    before = blanks(blanks(planned, pays), jobs, "job")
    now = blanks(blanks(planned, pays_now), jobs_now, "job")
    whole = blanks(blanks(planned, pays & pays_now), jobs & jobs_now, "job")
    found = ga.assess(now, knows, LIMIT, earlier=earlier(before)).findings[0]
    assume(found.risk is not None)
    (joined,) = found.together
    expected = ga.assess(whole, knows, LIMIT).findings[0]
    assume(expected.risk is not None)
    assert joined.risk is not None
    assert joined.risk.share == expected.risk.share  # type: ignore[union-attr]
    assert isinstance(joined.risk.share, Fraction)
    assert joined.safe == expected.safe


@settings(max_examples=30, deadline=None)
@given(ROWS, st.data())
def test_what_is_protected_after_an_earlier_release_blanks_nothing_that_was_visible(
    rows: list[tuple[str, str]], data: st.DataObject
) -> None:
    secrets = data.draw(st.sets(st.integers(1, len(rows)), min_size=1, max_size=2))
    planned = ga.Release(table(rows), secrets=sorted(secrets))
    knows = ga.KnowsAttributes(columns=["job"])
    try:
        first = ga.protect(planned, knows, LIMIT).release
        again = ga.protect(planned, knows, LIMIT, earlier=earlier(first))
    except ga.NoSafeRelease:
        return
    assert again.safe
    assert set(again.release.hidden) <= set(first.hidden)
