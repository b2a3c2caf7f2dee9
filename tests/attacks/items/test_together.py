"""Baskets judged and protected together with earlier releases, against listings and the golden values of real data."""

import gzip
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles import items
from tests.oracles.composition import baskets as oracle
from tests.oracles.shared import SHARED
from tests.sizes import sized

import giveaway as ga

Rows = list[frozenset[str]]

BASKETS = st.lists(st.frozensets(st.sampled_from("abcs")), min_size=2, max_size=6)
PAIRS = BASKETS.flatmap(
    lambda first: st.tuples(
        st.just(first),
        st.lists(st.frozensets(st.sampled_from("abcs")), min_size=len(first), max_size=len(first)),
    )
)
HALF = Fraction(1, 2)
YEARS = ["2025", "now"]


def release(rows: Rows, **more: object) -> ga.Release:
    return ga.Release(ga.Transactions.from_lists(rows, private=_private(rows)), **more)  # type: ignore[arg-type]


def _private(rows: Rows) -> list[str]:
    return ["s"] if any("s" in row for row in rows) else []


def last_year(baskets: Rows, **more: object) -> ga.Earlier:
    settings = {"name": "2025", "linked": "rows", "rows": range(1, len(baskets) + 1)} | more
    return ga.Earlier(release(baskets), **settings)  # type: ignore[arg-type]


def has_public(rows: Rows) -> bool:
    return any(row - {"s"} for row in rows)


def limits(attribute: Fraction | None, k: int) -> ga.Tolerance:
    return ga.Tolerance(identity=Fraction(1, k), attribute=attribute)


def test_two_years() -> None:
    now, earlier = ["c", "d", "c", "d"], ["a", "a", "b", "b"]
    two = ga.KnowsItems(at_most=2)
    crowd = ga.Tolerance(identity=HALF)
    found = ga.assess(release([frozenset(row) for row in now]), two, crowd)
    assert found.safe

    before = last_year([frozenset(row) for row in earlier])
    found = ga.assess(release([frozenset(row) for row in now]), two, crowd, earlier=before)
    (joined,) = found.findings[0].together
    assert found.verdict == "at risk"
    assert found.findings[0].reasons == ("With the file of 2025: 4 of 4 transactions can be singled out.",)
    assert len(joined.only_together) == 4
    assert not joined.given_away
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(release([frozenset(row) for row in now]), two, crowd, earlier=before)


def test_who_cannot_join_rows_of_another_period_learns_nothing_more() -> None:
    before = last_year([frozenset(row) for row in "aabb"], linked="people")
    found = ga.assess(
        release([frozenset(row) for row in "cdcd"]),
        ga.KnowsItems(at_most=2),
        ga.Tolerance(identity=HALF),
        earlier=before,
    )
    assert found.safe
    assert found.findings[0].together == ()


@settings(max_examples=80)
@given(PAIRS, st.integers(2, 3), st.integers(1, 3), st.sampled_from([None, HALF]))
def test_a_mole_is_one_of_the_tagged_baskets(
    drawn: tuple[Rows, Rows], k: int, p: int, h: Fraction | None
) -> None:
    earlier, now = drawn
    private = {"s"} if any("s" in row for row in [*earlier, *now]) else set()
    assume(has_public(now))
    assume(h is None or any("s" in row for row in now))
    found = ga.assess(
        release(now), ga.KnowsItems(at_most=p), limits(h, k), earlier=last_year(earlier)
    ).findings[0]
    (joined,) = found.together
    tagged = [
        {f"{item}@2025" for item in first} | set(second) for first, second in zip(earlier, now, strict=True)
    ]
    if h is not None:
        tagged = [
            row | {f"{item} at some time" for item in set(first) | set(second)}
            for row, first, second in zip(tagged, earlier, now, strict=True)
        ]
    hidden = private | {f"{item}{when}" for item in private for when in ("@2025", " at some time")}
    exposed = items.exposed_rows(tagged, hidden, h or Fraction(1), k, p)
    assert joined.risk is not None
    assert joined.risk.share == Fraction(len(exposed), len(now))
    assert joined.safe == (not exposed)
    assert found.safe == (not exposed)


@settings(max_examples=60)
@given(PAIRS, st.integers(2, 3), st.integers(1, 2))
def test_what_is_withheld_given_before_is_safe_and_found_wherever_there_is_something(
    drawn: tuple[Rows, Rows], k: int, p: int
) -> None:
    earlier, now = ([row - {"s"} for row in rows] for rows in drawn)
    assume(has_public(now))
    out = items.coherent(earlier, (), Fraction(1), k, p)
    best = oracle.best_given_before(earlier, now, (), Fraction(1), k, p)
    try:
        made = ga.protect(release(now), ga.KnowsItems(at_most=p), limits(None, k), earlier=last_year(earlier))
    except ga.NoSafeRelease:
        everything = {item for row in now for item in row}
        assert not out or best is None or all(choice == everything for choice in best[1])
        return
    assert out
    assert made.safe
    assert oracle.safe_given_before(earlier, now, made.withheld.items, (), Fraction(1), k, p)
    assert best is not None
    assert sum(items.support(now, [str(item)]) for item in made.withheld.items) >= best[0]


def test_milk_at_some_time_tells_more_than_milk_in_either_year() -> None:
    """Half of the buyers of either year are ill, but 4 of the 6 who bought at some time."""
    years = [{1, 2, 5, 6}, {3, 4, 5, 6}]
    first, second = (
        [frozenset({"milk"} if person in year else ()) for person in range(1, 9)] for year in years
    )
    now = [frozenset({"s"} if person <= 4 else {"bread"}) for person in range(1, 9)]
    found = ga.assess(
        release(now),
        ga.KnowsItems(at_most=1),
        ga.Tolerance(attribute=HALF),
        earlier=[last_year(first), last_year(second, name="2026")],
    )
    each = {one.view.releases: one for one in found.findings[0].together}
    assert each["2025",].safe
    assert each["2026",].safe
    both = each["2025", "2026"]
    assert both.safe is False
    assert [exposure.target for exposure in both.over] == [("milk at some time",)]
    assert both.over[0].chance == Fraction(4, 6)


def test_what_is_out_already_is_refused_unless_accepted() -> None:
    earlier = [frozenset(row) for row in ("a", "b", "b")]
    now = [frozenset("c")] * 3
    refused = last_year(earlier)
    with pytest.raises(ga.NoSafeRelease, match="2025 already gave away"):
        ga.protect(release(now), ga.KnowsItems(at_most=1), ga.Tolerance(identity=HALF), earlier=refused)
    accepted = last_year(earlier, already="accept")
    made = ga.protect(release(now), ga.KnowsItems(at_most=1), ga.Tolerance(identity=HALF), earlier=accepted)
    assert made.safe
    assert not made.withheld
    (joined,) = made.findings[0].together
    assert joined.given_away


def test_the_same_baskets_with_other_items_withheld() -> None:
    """Each release shows what the other withholds."""
    rows = [frozenset(row) for row in ("ab", "ab", "a", "b")]
    whole = release(rows)
    first, second = (whole.withholding(ga.Withheld(items=[item])) for item in "ba")
    knows, crowd = ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/3")
    assert ga.assess(second, knows, crowd).safe
    before = ga.Earlier(first, name="2025", linked="rows", facts="same", rows=[1, 2, 3, 4])
    found = ga.assess(second, knows, crowd, earlier=before)
    joined = found.findings[0].together[0]
    assert joined.risk is not None
    assert [exposure.target for exposure in joined.only_together] == [("a", "b")]
    assert joined.risk.share == Fraction(2, 4)


def test_transactions_that_are_not_the_same_are_told() -> None:
    before = last_year([frozenset("a"), frozenset("b")], facts="same")
    with pytest.raises(ga.ScenarioError, match="do not hold them now"):
        ga.assess(
            release([frozenset("b"), frozenset("b")]),
            ga.KnowsItems(at_most=1),
            ga.Tolerance(identity=HALF),
            earlier=before,
        )


@settings(max_examples=60)
@given(BASKETS, BASKETS, st.integers(2, 3), st.integers(1, 2))
def test_newcomers_are_judged_among_themselves(stayed: Rows, joined: Rows, k: int, p: int) -> None:
    stayed, joined = ([row - {"s"} for row in rows] for rows in (stayed, joined))
    now = [*stayed, *joined]
    assume(has_public(stayed))
    before = last_year(stayed, facts="same")
    found = ga.assess(release(now), ga.KnowsItems(at_most=p), limits(None, k), earlier=before).findings[0]
    common = {item for row in stayed for item in row} & {item for row in now for item in row}
    rows = oracle.joined_rows(now, stayed, common)
    views = {one.view.linked: one for one in found.together}
    if not any(rows):
        assert "joined" not in views
        return
    risk = views["joined"].risk
    assert risk is not None
    exposed = items.exposed_rows(rows, (), Fraction(1), k, p)
    assert risk.share == Fraction(len(exposed), len(rows))
    assert "left" not in views


def halves(name: str) -> tuple[Rows, Rows]:
    path = Path(SHARED) / "transactions" / f"{name}.dat.gz"
    if not path.exists():
        pytest.skip(f"the data set {name} is not at hand")
    with gzip.open(path, "rt") as lines:
        rows = [frozenset(line.split()) for line in lines if line.strip()]
    half = len(rows) // 2
    return rows[:half], rows[half : 2 * half]


def test_mushroom_given_before() -> None:
    """Row i of the second half plays the person of row i of the first."""
    first, second = halves("mushroom")
    crowd, knows = ga.Tolerance(identity="1/5"), ga.KnowsItems(at_most=2, knows_method=False)
    alone = [ga.protect(release(rows), knows, crowd).release for rows in (first, second)]
    kept = [one.published.occurrences for one in alone]  # type: ignore[union-attr]
    assert kept == [89_708, 90_631]
    before = ga.Earlier(alone[0], name="first", linked="rows", rows=range(1, len(first) + 1))
    (joined,) = ga.assess(alone[1], knows, crowd, earlier=before).findings[0].together
    assert joined.risk is not None
    assert (joined.risk.share * len(first), len(joined.only_together)) == (254, 304)
    after = ga.protect(release(second), knows, crowd, earlier=before)
    assert after.safe
    assert after.release.published.occurrences == 67_154  # type: ignore[union-attr]


def test_who_has_left_hides_nobody() -> None:
    """Of those who had milk in 2025 only one is in the data now, and whoever joins rows sees it."""
    now: Rows = [frozenset("cs"), *[frozenset("c")] * 3]
    before = last_year([frozenset("m"), frozenset("m"), *[frozenset("n")] * 3], rows=[1, 0, 2, 3, 4])
    found = ga.assess(release(now), ga.KnowsItems(at_most=1), limits(HALF, 2), earlier=before)
    (joined,) = found.findings[0].together
    assert found.verdict == "at risk"
    assert joined.risk is not None
    assert {(one.target, one.kind): one.chance for one in joined.risk.exposures}[("m@2025",), "identity"] == 1


def test_who_has_left_since_two_releases_is_not_two_people() -> None:
    """At some time milk was bought by two who have the private item now, and by one who left and is in both releases."""
    now: Rows = [frozenset("cs"), frozenset("cs"), *[frozenset("c")] * 4]
    one = last_year([frozenset("m"), frozenset("n"), frozenset("m")], name="one", rows=[1, 3, 0])
    two = last_year([frozenset("m"), frozenset("n"), frozenset("m")], name="two", rows=[2, 4, 0])
    found = ga.assess(
        release(now), ga.KnowsItems(at_most=1), ga.Tolerance(attribute=HALF), earlier=[one, two]
    )
    together = found.findings[0].together[-1]
    assert together.risk is not None
    assert max(one.chance for one in together.risk.exposures if one.target == ("m at some time",)) == 1


@sized()
@given(
    st.lists(
        st.tuples(
            st.frozensets(st.sampled_from("abs")),
            st.frozensets(st.sampled_from("cd")),
            st.sampled_from("nlj"),
        ),
        min_size=2,
        max_size=7,
    ),
    st.integers(1, 2),
)
def test_crowds_are_of_those_in_the_data_now(
    people: list[tuple[frozenset[str], frozenset[str], str]], most: int
) -> None:
    """Some left (l) and some joined (j): who is in the data now is counted by hand."""
    then = [(row, place) for place, (row, _, when) in enumerate(people) if when != "j"]
    here = [place for place, (_, _, when) in enumerate(people) if when != "l"]
    assume(then and here and any(people[place][1] for place in here) and any(row - {"s"} for row, _ in then))
    rows = [here.index(place) + 1 if place in here else 0 for _, place in then]
    found = ga.assess(
        release([people[place][1] for place in here]),
        ga.KnowsItems(at_most=most),
        ga.Tolerance(identity=HALF),
        earlier=last_year([row for row, _ in then], rows=rows),
    )
    (joined,) = found.findings[0].together
    known = [
        {*people[place][1], *(f"{item}@2025" for item in people[place][0] - {"s"} if people[place][2] == "n")}
        for place in here
    ]
    alone = [
        set(some)
        for size in range(1, most + 1)
        for some in combinations(sorted(set().union(*known)), size)
        if sum(set(some) <= row for row in known) == 1
    ]
    assert joined.safe is (not alone)
