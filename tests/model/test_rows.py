from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from giveaway.model.data import arrays
from giveaway.model.data.labels import in_order

few_rows = st.lists(st.sets(st.integers(0, 6), max_size=5).map(sorted), max_size=12)


def packed(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return offsets, np.array([code for part in lists for code in part], np.int32)


def unpacked(offsets: np.ndarray, codes: np.ndarray) -> list[tuple[int, ...]]:
    return [tuple(codes[start:end].tolist()) for start, end in pairwise(offsets)]


@given(few_rows)
def test_merged_rows_are_the_distinct_rows_with_their_counts(lists: list[list[int]]) -> None:
    offsets, codes, weights, became = arrays.merge(*packed(lists), np.ones(len(lists), np.int64))
    merged = unpacked(offsets, codes)

    assert dict(zip(merged, weights.tolist(), strict=True)) == Counter(map(tuple, lists))
    assert [merged[place] for place in became] == list(map(tuple, lists))
    assert merged == list(dict.fromkeys(map(tuple, lists)))


@given(few_rows)
def test_merging_survives_equal_fingerprints(lists: list[list[int]]) -> None:
    offsets, codes = packed(lists)

    assert unpacked(*arrays.take(offsets, codes, arrays._groups_by_bytes(offsets, codes)[0])) == list(
        dict.fromkeys(map(tuple, lists))
    )


@given(few_rows, st.sets(st.integers(0, 6)))
def test_dropped_codes_are_gone_and_emptied_rows_stay(lists: list[list[int]], gone: set[int]) -> None:
    mask = np.isin(np.arange(7), list(gone))

    assert unpacked(*arrays.drop(*packed(lists), mask)) == [
        tuple(code for code in part if code not in gone) for part in lists
    ]


def test_whole_numbers_sort_by_value_before_other_text() -> None:
    assert in_order(["b", "10", "9", "007", "7", "-3", "a1", "a"]) == [
        "-3",
        "007",
        "7",
        "9",
        "10",
        "a",
        "a1",
        "b",
    ]


def test_labels_of_different_types_have_an_order() -> None:
    assert in_order([("x", 1), "7", 7, "a", 3]) == [3, 7, "7", "a", ("x", 1)]


@given(st.integers(0, 4), st.lists(st.tuples(*[st.integers(-1, 2)] * 4), max_size=30), st.booleans())
def test_distinct_rows_are_numbered_as_they_come(
    width: int, given_rows: list[tuple[int, ...]], far: bool
) -> None:
    matrix = np.array(given_rows, np.int32).reshape(-1, 4)[:, :width]
    sizes = [2**20 if far else 3] * width
    first, number = arrays.distinct(matrix, sizes)
    seen = list(dict.fromkeys(map(tuple, matrix.tolist())))

    assert [tuple(row) for row in matrix[first].tolist()] == seen
    assert [seen[at] for at in number.tolist()] == list(map(tuple, matrix.tolist()))
    assert number.dtype == np.int64
