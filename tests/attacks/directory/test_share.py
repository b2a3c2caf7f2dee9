"""Records that are tolerated over the limit are left as they are: `share` never lets more be withheld than needed."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.directory.cases import table
from tests.sizes import sized

import giveaway as ga

HALF = Fraction(1, 2)

Row = tuple[str, str]


def of(*rows: Row) -> ga.Table:
    return table([dict(zip("AB", row, strict=True)) for row in rows], "AB")


def crowd(rows: list[Row], row: Row, shown: str) -> int:
    """Count the rows that are the same in the columns shown."""
    places = ["AB".index(name) for name in shown]
    return sum(all(other[at] == row[at] for at in places) for other in rows)


def most_values(rows: list[Row], limit: Fraction, share: Fraction) -> int:
    """Count the values of the best safe release: records by themselves, then as many left whole as the share allows."""
    alone = [
        max(len(shown) for shown in ("", "A", "B", "AB") if Fraction(1, crowd(rows, row, shown)) <= limit)
        for row in rows
    ]
    tolerated = int(share * len(rows))
    return sum(alone) + sum(sorted((2 - size for size in alone), reverse=True)[:tolerated])


@sized(1000)
@given(
    rows=st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("uvw")), min_size=3, max_size=9),
    limit=st.sampled_from([HALF, Fraction(1, 3), Fraction(2, 5)]),
    share=st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 3), HALF, Fraction(3, 4)]),
)
def test_the_most_values_are_disclosed_that_the_share_allows(
    rows: list[Row], limit: Fraction, share: Fraction
) -> None:
    tolerance = ga.Tolerance(identity=limit, share=share)
    try:
        answer = ga.protect(ga.Release(of(*rows)), ga.KnowsDirectory(knows_method=False), tolerance)
    except ga.NoSafeRelease:
        # Nothing would be left to publish.
        assert most_values(rows, limit, share) == 0
        return
    assert answer.safe
    assert 2 * len(rows) - len(answer.withheld.cells) == most_values(rows, limit, share)


@pytest.mark.parametrize("knows_method", [True, False])
@pytest.mark.parametrize(("share", "withheld"), [(0, 4), ("1/4", 2), ("1/2", 0)])
def test_by_hand(share: str | int, withheld: int, knows_method: bool) -> None:
    """Each of the last four records stands alone by both columns, and with another one by either of them."""
    rows = [("a", "x")] * 4 + [("b", "x"), ("b", "y"), ("c", "x"), ("c", "y")]
    attacker, tolerance = (
        ga.KnowsDirectory(knows_method=knows_method),
        ga.Tolerance(identity=HALF, share=share),
    )
    answer = ga.protect(ga.Release(of(*rows)), attacker, tolerance)
    assert answer.safe
    assert len(answer.withheld.cells) == withheld


@pytest.mark.papers
def test_so_many_of_each_column_may_be_over_the_limit_as_far_as_the_share_goes() -> None:
    """The last two records stand alone by A: with four values of each column one of them is over the limit."""
    rows = [("a", "x"), ("a", "x"), ("a", "x"), ("b", "y"), ("c", "x")]
    release, need = ga.Release(of(*rows)), ga.NeedsColumns(per_column=4, fill=False)
    answer = ga.protect(
        release, ga.KnowsDirectory(knows_method=False), ga.Tolerance(identity=HALF, share="1/5"), need=need
    )
    assert answer.safe
    assert {*answer.withheld.cells} == {(4, "A"), (4, "B")}
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(release, ga.KnowsDirectory(knows_method=False), ga.Tolerance(identity=HALF), need=need)


def test_who_is_over_the_limit_anyway_may_disclose_coarser_labels_too() -> None:
    """With B published the last record stands alone; a coarser A next to it gives nobody else away."""
    rows = [("a", "x"), ("b", "x"), ("c", "x"), ("d", "y")]
    coarser = {"a": ["abc"], "b": ["abc"], "c": ["abc"], "d": ["def"]}
    answer = ga.protect(
        ga.Release(of(*rows), hierarchies={"A": coarser}),
        ga.KnowsDirectory(knows_method=False),
        ga.Tolerance(identity=HALF, share="1/4"),
        need=ga.NeedsColumns(per_record=1, always=["B"], fill=False),
    )
    assert answer.safe
    assert {*answer.withheld.levels} == {(row, "A", 1) for row in range(1, 5)}
