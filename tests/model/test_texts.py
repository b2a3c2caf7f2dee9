"""Texts held in one buffer behave like a tuple of texts."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from giveaway.errors import ScenarioError
from giveaway.model.data import texts as module
from giveaway.model.data.table import Table
from giveaway.model.data.texts import Texts

words = st.lists(st.text(alphabet=st.characters(codec=None), max_size=4), max_size=12)


@given(given=words, cuts=st.lists(st.integers(0, 12), max_size=3), wanted=st.text(max_size=2))
def test_texts_are_as_a_tuple(given: list[str], cuts: list[int], wanted: str) -> None:
    ends = sorted({0, len(given), *(cut for cut in cuts if cut < len(given))})
    parts = [Texts.of(given)[start:end] for start, end in pairwise(ends)]

    held = Texts.joined(parts)

    assert held == tuple(given)
    assert (list(held), len(held)) == (given, len(given))
    assert [held[place] for place in range(-len(given), len(given))] == given + given
    assert held[::-2] == given[::-2]
    assert held.repeated == (len(set(given)) < len(given))
    for text in (*given, wanted):
        assert held.find(text) == (given.index(text) if text in given else None)
        assert (text in held) == (text in given)


@pytest.mark.parametrize("place", [2, -3])
def test_a_place_that_is_not_there_is_refused(place: int) -> None:
    with pytest.raises(IndexError):
        Texts.of(["a", "b"])[place]


def test_texts_equal_neither_fewer_nor_other_texts() -> None:
    held = Texts.of(["a", "b"])

    assert held == Texts.of(["a", "b"])
    assert held != ["a"]
    assert held != ("a", "c")
    assert held != "ab"
    assert held.find(1) is None


def test_texts_with_the_same_fingerprint_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_prints", lambda _, offsets: np.zeros(len(offsets) - 1, np.uint64))
    held = Texts.of(["a", "b", "c"])

    assert [held.find(text) for text in "abcd"] == [0, 1, 2, None]
    assert not held.repeated
    assert Texts.of(["a", "b", "a"]).repeated


def test_many_texts_are_found() -> None:
    held = Texts.joined(Texts.of(map(str, range(start, start + 50_000))) for start in (0, 50_000, 100_000))

    assert held.find("149999") == 149_999
    assert held.find("150000") is None
    assert not held.repeated
    assert held[99_999] == "99999"
    assert sum(len(text) for text in held) == len(held.buffer)


def table(ids: list[str]) -> Table:
    return Table(
        columns={"sex": np.zeros(1, np.int32)},
        labels={"sex": ("f",)},
        weights=np.array([len(ids)]),
        record_of=np.zeros(len(ids), np.int32),
        id="person",
        ids=Texts.of(ids),
    )


def test_a_table_finds_its_records_by_them() -> None:
    people = table(["7", "ann", "bob"])

    assert (people.row("bob"), people.row(7), people.record(1)) == (2, 0, "ann")
    with pytest.raises(ScenarioError, match="No record has the person 'eve'"):
        people.row("eve")
    with pytest.raises(ScenarioError, match="gives several records the same id"):
        table(["ann", "bob", "ann"]).row("bob")
