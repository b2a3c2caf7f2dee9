"""Rows of a release joined with what earlier releases show of the same people."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import giveaway as ga
from giveaway.errors import DataError
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import JoinedRows, join_rows, some_rows, with_column

SIX = [
    (30, "cook", "flu"),
    (30, "smith", "flu"),
    (30, "smith", "hiv"),
    (40, "cook", "flu"),
    (40, "cook", "ulcer"),
    (40, "smith", "hiv"),
]
NAMES = ("age", "job", "illness")


def only(rows: Sequence[tuple[Any, ...]], *names: str) -> ga.Table:
    """Return a table of some columns."""
    lines = [dict(zip(NAMES, row, strict=True)) for row in rows]
    return ga.Table.from_rows([{name: line[name] for name in names} for line in lines], sensitive="illness")


def data(release: ga.Release) -> ga.Table:
    """Return the original, which is a table here."""
    assert isinstance(release.original, ga.Table)
    return release.original


def joined(now: ga.Release, *earlier: Earlier) -> JoinedRows:
    pairs = []
    for one in earlier:
        rows, _ = one.row_now(now)
        assert rows is not None
        pairs.append((one, rows))
    return join_rows(now, pairs)


def shown(release: ga.Release) -> list[dict[str, object]]:
    """Return what each row of a release shows, by its own way through the published table."""
    published = release.published
    assert isinstance(published, ga.Table)
    return [
        {
            name: str(published.labels[name][codes[record]])
            for name, codes in published.columns.items()
            if codes[record] >= 0
        }
        for record in published.record_of
    ]


def test_joined_rows_show_what_any_release_shows() -> None:
    earlier = Earlier(ga.Release(only(SIX, "age", "illness")), name="2025", rows=range(1, 7))
    now = ga.Release(only(SIX, "job", "illness"), ga.Withheld(cells=[(1, "job"), (6, "job")]))
    made = joined(now, earlier)
    assert shown(made.release)[0] == {"age": "30", "illness": "flu"}
    assert shown(made.release)[1] == {"age": "30", "job": "smith", "illness": "flu"}
    assert shown(made.out)[1] == {"age": "30", "illness": "flu"}
    assert data(made.release).sensitive == ("illness",)
    assert len(made.out_already) == 12
    assert made.release.must_publish == made.out_already
    assert made.back(made.release).withheld == now.withheld


def test_what_joined_rows_withhold_more_is_withheld_now() -> None:
    earlier = Earlier(ga.Release(only(SIX, "age", "illness")), name="2025", rows=range(1, 7))
    now = ga.Release(only(SIX, "job", "illness"))
    made = joined(now, earlier)
    more = made.release.withholding(ga.Withheld(cells=[(1, "job"), (6, "job")]))
    assert made.back(more).withheld == ga.Withheld(cells=[(1, "job"), (6, "job")])


def test_an_entry_that_is_blank_now_and_was_shown_is_shown_together() -> None:
    both = only(SIX, "age", "job", "illness")
    earlier = Earlier(ga.Release(both, ga.Withheld(cells=[(2, "job")])), name="2025", rows=range(1, 7))
    now = ga.Release(both, ga.Withheld(cells=[(1, "job"), (2, "job")]))
    made = joined(now, earlier)
    assert list(made.release.withheld.cells) == [(2, "job")]
    assert made.back(made.release).withheld == now.withheld


def test_rows_are_joined_by_the_rows_they_are_said_to_be() -> None:
    earlier = Earlier(only(SIX[::-1], "age", "illness"), name="2025", rows=[6, 5, 4, 3, 2, 1])
    assert shown(joined(ga.Release(only(SIX, "job", "illness")), earlier).release)[4]["age"] == "40"


def test_a_column_that_changes_is_two_columns() -> None:
    older = [(age - 1, job, ill) for age, job, ill in SIX]
    earlier = Earlier(
        only(older, "age", "illness"), name="2025", rows=range(1, 7), changes=["age"], original=None
    )
    now = ga.Release(
        only(SIX, "age", "job", "illness"), sensitivity=ga.Sensitivity(columns={"age": 2, "job": 1})
    )
    made = joined(now, earlier)
    assert made.changed == {"age": ("age@2025",)}
    assert shown(made.release)[0] == {"age": "30", "age@2025": "29", "job": "cook", "illness": "flu"}
    assert made.release.sensitivity.columns == {"age": 2, "age@2025": 2, "job": 1}
    assert made.back(made.release).withheld == now.withheld


def test_other_values_in_a_column_that_does_not_change_are_refused() -> None:
    older = [(age - (age == 40), job, ill) for age, job, ill in SIX]
    earlier = Earlier(only(older, "age", "illness"), name="2025", rows=range(1, 7))
    with pytest.raises(
        DataError, match=r"2025 shows '39' in the column \"age\".*'40': row 4, 5, 6\."
    ) as error:
        joined(ga.Release(only(SIX, "age", "illness")), earlier)
    assert 'changes = ["age"]' in str(error.value)


def test_who_joined_shows_nothing_before_and_who_left_has_no_row() -> None:
    earlier = Earlier(only(SIX, "age", "illness"), name="2025", rows=[1, 2, 3, 0, 0, 0])
    now = ga.Release(only([*SIX[:3], SIX[5]], "job", "illness"))
    made = joined(now, earlier)
    assert made.present[0].tolist() == [True, True, True, False]
    assert shown(made.release)[3] == {"job": "smith", "illness": "hiv"}
    assert shown(made.out)[3] == {}


def test_the_finer_of_two_labels_is_shown() -> None:
    ages = Hierarchy({age: ["young" if age < 40 else "old"] for age in (30, 40)})
    everything = only(SIX, "age", "illness")
    first = ga.Release(
        everything, ga.Withheld(levels=[(row, "age", 1) for row in (1, 2, 4)]), hierarchies={"age": ages}
    )
    second = ga.Release(
        everything,
        ga.Withheld(cells=[(1, "age"), (4, "age")], levels=[(3, "age", 1)]),
        hierarchies={"age": ages},
    )
    made = joined(second, Earlier(first, name="2025", rows=range(1, 7), original=everything))
    assert [row["age"] for row in shown(made.release)] == ["young", "30", "30", "old", "40", "40"]
    assert [row["age"] for row in shown(made.out)] == ["young", "young", "30", "old", "40", "40"]
    elsewhere = ga.Release(everything)
    with pytest.raises(DataError, match="hierarchy"):
        joined(elsewhere, Earlier(first, name="2025", rows=range(1, 7)))


def test_a_value_that_is_missing_now_is_taken_from_the_earlier_release() -> None:
    now = ga.Release(only([(None, "cook", "flu"), *SIX[1:]], "age", "job", "illness"))
    made = joined(now, Earlier(only(SIX, "age", "illness"), name="2025", rows=range(1, 7)))
    assert shown(made.release)[0]["age"] == "30"


def test_the_data_of_an_earlier_release_tell_what_it_withheld() -> None:
    original = only(SIX, "age", "illness")
    first = ga.Release(original, ga.Withheld(cells=[(1, "age")]))
    now = ga.Release(only(SIX, "job", "illness"))
    published = first.published
    assert isinstance(published, ga.Table)
    known = data(joined(now, Earlier(first, name="2025", rows=range(1, 7))).release)
    unknown = data(joined(now, Earlier(published, name="2025", rows=range(1, 7))).release)
    assert known.columns["age"][known.record_of[0]] >= 0
    assert unknown.columns["age"][unknown.record_of[0]] == -1


def test_a_secret_that_is_out_is_no_longer_hidden() -> None:
    both = only(SIX, "age", "illness")
    now = ga.Release(both, secrets=[1, 2])
    first = ga.Release(both, ga.Withheld(cells=[(1, "illness")]))
    made = joined(now, Earlier(first, name="2025", rows=range(1, 7)))
    assert list(made.release.secrets) == [(1, "illness")]


@pytest.mark.parametrize(
    ("rows", "fact"),
    [([1, 2, 3], "6 rows, and 3"), ([1, 2, 3, 4, 5, 7], "which has 6"), ([1, 1, 2, 3, 4, 5], "several rows")],
)
def test_rows_that_cannot_be_are_refused(rows: list[int], fact: str) -> None:
    with pytest.raises(DataError, match=fact):
        joined(
            ga.Release(only(SIX, "job", "illness")),
            Earlier(only(SIX, "age", "illness"), name="2025", rows=rows),
        )


def test_earlier_releases_are_joined_in_any_order() -> None:
    first = Earlier(only(SIX, "age", "illness"), name="2024", rows=range(1, 7))
    second = Earlier(
        ga.Release(only(SIX, "age", "illness"), ga.Withheld(cells=[(1, "age")])),
        name="2025",
        rows=range(1, 7),
    )
    now = ga.Release(only(SIX, "job", "illness"))
    one, other = joined(now, first, second).release, joined(now, second, first).release
    assert shown(one) == shown(other)
    assert one.must_publish == other.must_publish


def test_some_rows_keep_their_names_and_what_is_withheld() -> None:
    now = ga.Release(only(SIX, "job", "illness"), ga.Withheld(cells=[(2, "job"), (6, "job")]), secrets=[6])
    made = some_rows(now, np.array([1, 5]))
    assert [data(made).record(row) for row in range(2)] == [2, 6]
    assert shown(made) == [{"illness": "flu"}, {}]


def test_a_column_more_is_published() -> None:
    now = ga.Release(only(SIX, "job", "illness"))
    made = with_column(now, "in 2025", ("no", "yes"), np.array([0, 1, 1, 1, 1, 0]))
    assert shown(made)[5] == {"job": "smith", "illness": "hiv", "in 2025": "no"}
    assert len(made.must_publish) == 6


def test_an_id_that_names_somebody_twice_is_refused() -> None:
    rows = [{"who": "ann", "age": 30}, {"who": "bob", "age": 40}, {"who": "bob", "age": 40}]
    now = ga.Release(ga.Table.from_rows(rows[:2], id="who"))
    earlier = Earlier(ga.Table.from_rows(rows, id="who"), name="2025", linked="rows")
    with pytest.raises(DataError, match='"who" of 2025 names a record twice: bob'):
        earlier.row_now(now)


def test_ids_are_compared_as_they_read() -> None:
    """A file has texts where a frame may have numbers."""
    now = ga.Release(ga.Table.from_rows([{"who": 7, "age": 30}, {"who": 8, "age": 40}], id="who"))
    earlier = Earlier(ga.Table.from_rows([{"who": "8", "age": 40}, {"who": "9", "age": 1}], id="who"))
    rows, joined_by = earlier.row_now(now)
    assert rows is not None
    assert (rows.tolist(), joined_by) == ([1, -1], "id")


@pytest.mark.parametrize(
    ("rows", "order", "joined_by"),
    [(3, "kept", "row number"), (3, "shuffled", None), (2, "kept", None), (4, "kept", None)],
)
def test_numbers_join_rows_only_where_all_kept_their_places(
    rows: int, order: Any, joined_by: str | None
) -> None:
    now, then = (ga.Table.from_rows([{"a": "x"}] * many) for many in (3, rows))
    assert ga.Earlier(then, order=order).joins_by(ga.Release(now)) == joined_by
