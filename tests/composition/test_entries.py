"""Blanked entries given away twice, and blanks by hand."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import attributes
from tests.oracles.attributes import Planned
from tests.oracles.composition import entries as oracle

OTHERS = ("sensitive of others",)
TABLES = attributes.tables(rows=5, width=2, regions=st.just(OTHERS))


def test_blanks_that_differ_hide_the_secret_alone() -> None:
    """Row 1 of six teachers is secret; blanks in 2 and 3, then in 4 and 5: the union hides 1 alone."""
    table = Planned(
        records=(("a", "teacher"),) * 6,
        secrets=frozenset([0]),
        limit=Fraction(1, 2),
        regions=OTHERS,
    )
    first, second = (attributes.published(table, [(row, 1) for row in rows]) for rows in ((1, 2), (3, 4)))

    assert oracle.worst(table, first) == oracle.worst(table, second) == Fraction(3, 6)
    assert oracle.safe_of_people(table, [first, second])
    union = oracle.visible([first, second])
    assert [record[-1] for record in union] == [None] + ["teacher"] * 5
    assert oracle.worst(table, union) == Fraction(5, 6)
    assert not oracle.safe_of_rows(table, [first, second])


def test_a_secret_that_was_visible_is_already_given_away() -> None:
    table = Planned(records=(("a", "x"), ("b", "y")), secrets=frozenset([0]), limit=Fraction(1, 2))

    assert oracle.already(table, list(table.records)) == {0}
    assert not oracle.safe_of_rows(table, [list(table.records), attributes.published(table)])
    assert oracle.best_given_before(table, list(table.records)) is None


@settings(max_examples=60)
@given(TABLES)
def test_t9_replay(table: Planned) -> None:
    hidden = table.allowed()[:2]
    earlier = attributes.published(table, hidden)
    again = attributes.published(table, table.allowed()[:3])

    assert oracle.visible([earlier, again]) == earlier
    if attributes.safe(table, hidden):
        assert oracle.safe_of_rows(table, [earlier, earlier])


@settings(max_examples=40)
@given(TABLES, st.data())
def test_entries_that_are_out_must_be_published(table: Planned, data: st.DataObject) -> None:
    """The fewest entries to hide given before are as many as with everything that is out marked."""
    table = replace(table, marks=frozenset())
    some = data.draw(st.sets(st.sampled_from(table.allowed()))) if table.allowed() else set()
    earlier = attributes.published(table, some)

    best = oracle.best_given_before(table, earlier)

    assert best == (
        attributes.optimum(oracle.marked(table, earlier)) if attributes.safe(table, some) else None
    )
