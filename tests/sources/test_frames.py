"""Frames come back with their index, types and order; nothing that was not published is written with them."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from tests.sources.forms import held

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.transactions import Transactions
from giveaway.model.published import Published
from giveaway.sources import frame_of


def long_pandas() -> pd.DataFrame:
    return pd.DataFrame(
        {"who": [5, 5, 9], "what": pd.Categorical(["a", "b", "b"]), "price": [1, 2, 3]}, index=["x", "y", "z"]
    )


def test_a_long_pandas_frame_keeps_its_types_and_loses_its_index() -> None:
    data = Transactions.from_frame(long_pandas(), id="who", item="what", publish_unjudged=["price"])
    assert data.origin is not None

    native = data.origin.native(Published(["a"]))

    assert isinstance(native, pd.DataFrame)
    assert native.index.tolist() == [0, 1]
    assert native["who"].tolist() == [1, 2]
    assert native["what"].cat.categories.tolist() == ["b"]
    assert native["price"].dtype == long_pandas()["price"].dtype


def test_an_index_is_never_written(tmp_path: Path) -> None:
    data = Transactions.from_frame(long_pandas(), id="who", item="what", leave_out=["price"])
    assert data.origin is not None

    assert pl.read_parquet(data.origin.write(tmp_path, Published(["a"]))).to_dicts() == [
        {"who": 1, "what": "b"},
        {"who": 2, "what": "b"},
    ]


def test_notes_of_an_arrow_table_are_not_written(tmp_path: Path) -> None:
    table = pa.table({"who": [1], "what": ["a"]}).replace_schema_metadata({"owner": "somebody"})
    data = Transactions.from_frame(table, id="who", item="what")
    assert data.origin is not None

    assert b"somebody" not in data.origin.write(tmp_path, Published()).read_bytes()


def test_later_changes_of_a_frame_do_not_reach_the_release() -> None:
    frame = pd.DataFrame({"a": [True, False], "b": [True, True]})
    data = Transactions.from_frame(frame)
    assert data.origin is not None

    frame.loc[1, "a"] = True

    assert data.origin.native(Published())["a"].tolist() == [True, False]  # type: ignore[index]


def test_labels_of_frames_keep_their_type() -> None:
    frame = pl.DataFrame({"who": ["x", "x"], "what": [10, 9]})

    assert Transactions.from_frame(frame, id="who", item="what", private=[9]).labels == (9, 10)
    assert Transactions.from_frame(pd.DataFrame({7: [1, 0], "a": [0, 1]})).labels == (7, "a")


def test_one_hot_values_may_be_truth_values_or_zero_and_one_of_any_type() -> None:
    frame = pd.DataFrame(
        {
            "a": [True, False],
            "b": np.array([1, 0], np.int8),
            "c": [1.0, 0.0],
            "d": pd.array([True, False], "boolean"),
            "e": np.array([1, False], object),
        }
    )

    assert held(Transactions.from_frame(frame)) == [({"a", "b", "c", "d", "e"}, 1), (set(), 1)]


@pytest.mark.parametrize("values", [[2, 0], [0.5, 1], ["1", "0"], [None, True], [np.nan, 1.0]])
def test_quantities_in_a_one_hot_frame_are_refused(values: list[object]) -> None:
    for frame in (pd.DataFrame({"milk": values}), pl.DataFrame({"milk": values}, strict=False)):
        with pytest.raises(DataError, match='Column "milk" has values other than 0, 1, true and false'):
            Transactions.from_frame(frame)


def test_float_one_hot_frames_are_written_as_truth_values(tmp_path: Path) -> None:
    data = Transactions.from_frame(
        pl.DataFrame({"a": [1.0, 0.0], "b": [0, 1], "day": ["mo", "tu"]}), publish_unjudged=["day"]
    )
    assert data.origin is not None

    assert pl.read_parquet(data.origin.write(tmp_path, Published(["b"]))).rows() == [
        (True, "mo"),
        (False, "tu"),
    ]


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok"])
@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix])
def test_a_sparse_matrix_comes_back_in_its_format(form: str, make: type) -> None:
    matrix = make(np.array([[1, 0, 1], [0, 0, 0], [0, 1, 1]])).asformat(form)

    data = Transactions.from_frame(matrix, private=[1])
    assert data.origin is not None
    native = data.origin.native(Published([1]))

    assert held(data) == [({"0", "2"}, 1), (set(), 1), ({"1", "2"}, 1)]
    assert type(native) is type(matrix)
    assert native.toarray().tolist() == [[1, 1], [0, 0], [0, 1]]  # type: ignore[attr-defined]


def test_a_sparse_matrix_of_quantities_is_refused() -> None:
    with pytest.raises(DataError, match="values other than 0 and 1"):
        Transactions.from_frame(sparse.csr_array(np.array([[2, 0]])))


def test_labels_of_a_matrix_must_fit() -> None:
    matrix = sparse.csr_array(np.eye(2))

    with pytest.raises(ScenarioError, match="3 labels are given for 2 columns"):
        Transactions.from_frame(matrix, labels="abc")
    with pytest.raises(DataError, match="same label"):
        Transactions.from_frame(matrix, labels=["a", "a"])


def test_columns_of_one_name_are_refused() -> None:
    with pytest.raises(DataError, match="same name"):
        Transactions.from_frame(pd.DataFrame([[1, 0]], columns=["a", "a"]))


def test_something_that_is_no_frame_is_refused_with_a_hint() -> None:
    with pytest.raises(ScenarioError, match="dict is not a frame"):
        Transactions.from_frame({"a": [1]})


def test_lists_of_numbers_and_odd_labels_are_written_so_that_they_read_alike(tmp_path: Path) -> None:
    whole = Transactions.from_frame(pl.DataFrame({"i": [[1, 2], [2]]}), item="i").origin
    broken = Transactions.from_frame(pl.DataFrame({"i": [[1.5, 2.0], [2.0]]}), item="i").origin
    assert whole is not None
    assert broken is not None

    assert pl.read_parquet(whole.write(tmp_path, Published([1])))["i"].to_list() == [[2], [2]]
    assert pl.read_parquet(broken.write(tmp_path, Published([1.5])))["i"].to_list() == [["2.0"], ["2.0"]]


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_records_become_a_frame(kind: str) -> None:
    records = [
        {"target": ["a", "b"], "chance": 0.5},
        {"target": ["c"], "chance": 1, "after": "withheld"},
        {"after": 0.5},
    ]

    frame = frame_of(records, kind)

    assert list(frame.columns) == ["target", "chance", "after"]
    assert len(frame) == 3


def test_a_frame_library_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polars", None)

    with pytest.raises(ScenarioError, match="polars is not installed"):
        frame_of([{"a": 1}], "polars")
