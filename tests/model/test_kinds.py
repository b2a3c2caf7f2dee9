"""Rows of one kind together tell the same as row by row."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sizes import sized

import giveaway as ga
from giveaway.model.data.kinds import Kinds
from giveaway.model.data.texts import Texts
from giveaway.model.release.cells import Cells, CellsOfKinds
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import alone, by_itself, join, join_rows
from giveaway.model.release.levels import Levels, LevelsOfKinds

VALUES = st.sampled_from(["a", "b", None])
PEOPLE = st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=12)


def table(rows: list[dict[str, Any]]) -> ga.Table:
    return ga.Table.from_rows(rows)


def shown(release: ga.Release) -> list[list[object]]:
    """Return what each row shows."""
    published = release.published
    assert isinstance(published, ga.Table)
    columns = [
        (published.labels[name], codes[published.record_of]) for name, codes in published.columns.items()
    ]
    return [
        [None if codes[row] < 0 else labels[codes[row]] for labels, codes in columns]
        for row in range(len(published))
    ]


@settings(deadline=None, max_examples=40)
@given(PEOPLE, st.data())
def test_joined_by_kinds_as_row_by_row(people: list[tuple[Any, Any, Any]], data: st.DataObject) -> None:
    """What is shown together, what is out and each release by itself are the same, whoever left and whatever is withheld."""
    size = len(people)
    cells = data.draw(st.sets(st.tuples(st.integers(1, size), st.sampled_from("xy")), max_size=4))
    now = ga.Release(table([dict(zip("xy", row, strict=False)) for row in people]), ga.Withheld(cells=cells))
    pairs = []
    for name in ("2024", "2025"):
        order = data.draw(st.permutations(range(size)))
        rows = [row for row in order if data.draw(st.integers(0, 3))]
        then = [{"y": people[row][1], "z": people[row][2]} for row in rows]
        blank = data.draw(
            st.sets(st.tuples(st.integers(1, len(rows) + 1), st.sampled_from("yz")), max_size=4)
        )
        left = [{"y": "b", "z": "a"}] * data.draw(st.integers(0, 2))
        kept = ga.Release(table([*then, *left, {"y": "b", "z": None}]), ga.Withheld(cells=blank))
        numbers = [row + 1 for row in rows] + [0] * (len(left) + 1)
        one = Earlier(kept, name=name, linked="rows", rows=numbers)
        pairs.append((one, np.array(numbers) - 1))
    each = join_rows(now, pairs)
    kinds = join(now, [one for one, _ in pairs])
    assert kinds is not None
    assert kinds.met.kinds.rows == size
    for ours, theirs in ((kinds.release, each.release), (kinds.out, each.out)):
        assert shown(ours) == shown(theirs)
        assert len(ours.withheld.cells) == len(theirs.withheld.cells)
        assert ours.withheld.cells == theirs.withheld.cells
        assert ours.must_publish == theirs.must_publish
    assert kinds.out_already == each.out_already
    assert kinds.back(kinds.release).withheld == each.back(each.release).withheld
    for (one, rows), part in zip(pairs, kinds.met.parts, strict=True):
        assert shown(by_itself(part, kinds)) == shown(alone(one, rows, each))
        assert part.people_left == int((rows < 0).sum())


MARKS = st.lists(st.booleans(), min_size=3, max_size=3).map(np.array)


@given(
    st.lists(st.integers(0, 2), max_size=6),
    MARKS,
    MARKS,
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
)
def test_entries_of_kinds_are_those_of_their_rows(
    of_row: list[int], first: Any, second: Any, levels: list[int]
) -> None:
    rows = np.array([2, 0, 1, *of_row])
    kinds = Kinds(np.bincount(rows, minlength=3), lambda: rows)
    a, b = (CellsOfKinds(kinds, {"x": marks}) for marks in (first, second))
    c, d = (Cells.at({"x": np.flatnonzero(marks[rows])}) for marks in (first, second))
    for ours, theirs in (
        (a | b, c | d),
        (a & b, c & d),
        (a - b, c - d),
        (a | d, c | d),
        (c - b, c - d),
        (a, c),
    ):
        assert (ours, len(ours), list(ours)) == (theirs, len(theirs), list(theirs))
    coarser = np.array(levels)
    some = LevelsOfKinds(kinds, {"x": coarser})
    at = np.flatnonzero(coarser[rows])
    same = Levels.at({"x": (at, coarser[rows][at])})
    assert (some, len(some)) == (same, len(same))
    assert some.without(a) == same.without(c)
    assert some | Levels([(1, "x", 2)]) == same | Levels([(1, "x", 2)])


@sized()
@given(st.lists(st.text(max_size=3), max_size=8), st.lists(st.text(max_size=3), max_size=8))
def test_places_of_texts(first: list[str], second: list[str]) -> None:
    found = Texts.of(first).places(Texts.of(second)).tolist()
    assert found == [first.index(text) if text in first else -1 for text in second]
    assert bool(Texts.of(first).twice) == (len(set(first)) < len(first))
