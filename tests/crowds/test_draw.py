"""Dealing: everybody gets a form of their profile, by lot, once."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.crowds.building import forms_of, profiles_of
from tests.oracles import crowds as oracle
from tests.oracles.crowds import Row

from giveaway.crowds.draw import deal, open_forms
from giveaway.crowds.plan import plan
from giveaway.crowds.split import Split
from giveaway.errors import DataError
from giveaway.model.data.arrays import alike
from giveaway.model.question.effort import Effort
from giveaway.model.release import lot

TABLES = st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 2), min_size=2, max_size=8)


@settings(max_examples=60)
@given(TABLES, st.integers(0, 99))
def test_what_is_dealt_is_what_was_planned(rows: list[Row], seed: int) -> None:
    profiles, profile_of = profiles_of(rows)
    found = plan(profiles, 2)

    dealt = deal(found, profile_of, seed)

    seen = Split.observed(profile_of, alike(list(profiles.labels_of(profile_of, dealt).T))[0])
    assert seen.profile.tolist() == found.split.profile.tolist()
    assert seen.form.tolist() == found.split.form.tolist()
    assert seen.members.tolist() == found.split.members.tolist()


def test_members_of_a_profile_are_equally_likely_to_lend(monkeypatch: pytest.MonkeyPatch) -> None:
    profiles, profile_of = profiles_of(oracle.rows_of("aa aa aa ab"))
    found = plan(profiles, 2)
    random = Random(1)  # noqa: S311 # draws that repeat
    monkeypatch.setattr(lot, "source", lambda *_: random)

    lent = Counter(int(np.flatnonzero(deal(found, profile_of)[:3].any(axis=1))[0]) for _ in range(900))

    assert all(abs(lent[row] - 300) < 60 for row in range(3))


def test_the_draw_repeats_for_one_lot_and_differs_for_whatever_else_is_drawn_for() -> None:
    rows = oracle.rows_of("aa " * 40 + "ab")
    profiles, profile_of = profiles_of(rows)
    found = plan(profiles, 3)
    of_release, nothing = lot.Lot(), lambda: ""

    def drawn(*names: str, data: str = "") -> bytes:
        with of_release.drawing(lambda: data, nothing, Effort()):
            return deal(found, profile_of, *names).tobytes()

    assert len({deal(found, profile_of).tobytes() for _ in range(12)}) > 6
    assert len({drawn("a") for _ in range(6)}) == 1
    assert len({drawn(f"{place}", data=f"{place % 3}") for place in range(12)}) > 6


def test_more_rows_than_were_planned_are_refused() -> None:
    profiles, profile_of = profiles_of(oracle.rows_of("aa aa"))

    with pytest.raises(DataError, match="more rows"):
        deal(plan(profiles, 2), np.append(profile_of, 0))


@settings(max_examples=60)
@given(TABLES, TABLES)
def test_records_show_forms_that_enough_listed_people_carry(people: list[Row], records: list[Row]) -> None:
    found = plan(profiles_of(people)[0], 2)
    carried = Counter(form for hand in forms_of(found).values() for form in hand)
    profiles, profile_of = profiles_of(records)

    vectors, has_one = open_forms(found, profiles)

    labels = profiles.labels_of(profile_of, vectors[profile_of]).tolist()
    forms = [tuple(None if label == 0 else "abc"[label - 1] for label in line) for line in labels]
    for row, form, has in zip(records, forms, has_one[profile_of].tolist(), strict=True):
        assert has == (carried[form] >= 2)
        assert all(shown in (value, None) for value, shown in zip(row, form, strict=True))
    assert carried[None, None] < 2 or has_one.all()


def test_records_that_are_not_listed_get_the_cheapest_open_form() -> None:
    found = plan(profiles_of(oracle.rows_of("aa aa aa ab cb cb"))[0], 2)
    records, profile_of = profiles_of(oracle.rows_of("ac dd aa"))

    vectors, has_one = open_forms(found, records)

    assert profile_of.tolist() == [1, 2, 0]
    assert has_one.tolist() == [True, True, False]
    assert vectors.tolist() == [[0, 0], [0, 1], [1, 1]]
