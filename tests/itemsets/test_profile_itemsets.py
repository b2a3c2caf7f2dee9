from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles import profiles as oracle
from tests.oracles.profiles import Itemset, Record

from giveaway.errors import BudgetExceeded
from giveaway.itemsets import occurring as counting
from giveaway.itemsets import profile_itemsets
from giveaway.itemsets.profile_itemsets import ProfileItemsets, Profiles, frequent, group, occurring
from giveaway.maximum_entropy.constraints import theorem3
from giveaway.model.progress import limited, watched

records_of = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(-1, 2)] * width), min_size=1, max_size=14)
)
shares = st.sampled_from([Fraction(part, 12) for part in (0, 1, 2, 3, 4, 6, 9, 12)])
quick = settings(max_examples=120)


def profiles_of(records: list[Record], values: list[int] | None = None, domain: int = 2) -> Profiles:
    codes = np.array(records, np.int32)
    value = np.array([0] * len(records) if values is None else values, np.int32)
    return group(codes, np.ones(len(records), np.int64), value, domain)


def listed(found: ProfileItemsets, place: int) -> Itemset:
    part = slice(found.offsets[place], found.offsets[place + 1])
    return frozenset(zip(found.columns[part].tolist(), found.codes[part].tolist(), strict=True))


def as_dict(found: ProfileItemsets) -> dict[Itemset, int]:
    made = {listed(found, place): int(found.support[place]) for place in range(len(found))}
    assert len(made) == len(found)
    return made


@quick
@given(records=records_of, values=st.data())
def test_profiles_are_the_distinct_records_in_order(records: list[Record], values: st.DataObject) -> None:
    value = [values.draw(st.integers(-1, 2)) for _ in records]
    found = group(np.array(records, np.int32), np.arange(1, len(records) + 1), np.array(value, np.int32), 3)
    assert list(map(tuple, found.codes.tolist())) == sorted(set(records))
    for q, record in enumerate(sorted(set(records))):
        places = [place for place, other in enumerate(records) if other == record]
        assert found.weights[q] == sum(place + 1 for place in places)
        for x in range(3):
            assert found.values[q, x] == sum(place + 1 for place in places if value[place] == x)
    assert found.records == sum(range(1, len(records) + 1))


def test_profiles_of_many_wide_columns_are_told_apart() -> None:
    codes = np.array([[10**6 - i] * 4 + [i % 2] for i in (3, 1, 2, 1)], np.int32)
    found = group(codes, np.ones(4, np.int64), np.zeros(4, np.int32), 1)
    assert found.codes[:, 0].tolist() == [10**6 - 3, 10**6 - 2, 10**6 - 1]
    assert found.weights.tolist() == [1, 1, 2]


@quick
@given(records=records_of, least=st.integers(1, 5))
@example(records=[(-1, -1)], least=1)
def test_frequent_itemsets_equal_brute_force(records: list[Record], least: int) -> None:
    profiles = profiles_of(records)
    found = frequent(profiles, least)
    assert as_dict(found) == {i: n for i, n in oracle.supports(records).items() if n >= least}
    for place in range(len(found)):
        members = found.members[found.member_offsets[place] : found.member_offsets[place + 1]]
        items = listed(found, place)
        matching = [q for q, codes in enumerate(profiles.codes) if all(codes[j] == v for j, v in items)]
        assert members.tolist() == matching
        assert found.profiles[place] == len(matching)
    assert found.sums(profiles.weights[:, None])[:, 0].tolist() == found.support.tolist()


@quick
@given(records=records_of, least=st.integers(1, 5))
def test_the_border_has_the_rare_sets_that_extend_frequent_ones(records: list[Record], least: int) -> None:
    every = oracle.supports(records)

    def extends(itemset: Itemset) -> bool:
        rest = itemset - {max(itemset)}
        return not rest or every[rest] >= least

    found = frequent(profiles_of(records), least, border=True)
    assert as_dict(found) == {i: n for i, n in every.items() if extends(i)}
    assert (np.diff(found.member_offsets) == np.where(found.support >= least, found.profiles, 0)).all()


@quick
@given(records=records_of)
def test_all_occurring_itemsets_are_counted(records: list[Record]) -> None:
    assert occurring(profiles_of(records)) == len(oracle.supports(records))


def many() -> Profiles:
    random = np.random.default_rng(1)
    return profiles_of([tuple(row) for row in random.integers(0, 3, (400, 7)).tolist()])


def test_too_many_itemsets_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_BLOCK", 100)
    assert occurring(many(), budget=10) is None
    with limited(seconds=1e-9), pytest.raises(BudgetExceeded, match="seconds allowed"):
        occurring(many(), budget=10)


def test_a_search_that_pauses_and_runs_out_of_room_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = as_dict(frequent(many(), 2))
    monkeypatch.setattr(profile_itemsets, "_BLOCK", 1000)
    monkeypatch.setattr(profile_itemsets, "_FIRST_ROOM", 2)
    told = []
    with watched(lambda *what: told.append(what[1])):
        found = frequent(many(), 2)
    assert as_dict(found) == whole
    assert len(told) > 20


def test_itemsets_beyond_the_memory_allowed_are_refused() -> None:
    with limited(memory=20_000), pytest.raises(BudgetExceeded, match="min_support"):
        frequent(many(), 2)


@quick
@given(
    records=records_of,
    s=shares,
    c=shares,
    inclusive=st.booleans(),
    data=st.data(),
    domain=st.integers(1, 3),
)
def test_the_absent_rules_needed_equal_brute_force(
    records: list[Record], s: Fraction, c: Fraction, inclusive: bool, data: st.DataObject, domain: int
) -> None:
    values = [data.draw(st.integers(-1, domain - 1)) for _ in records]
    found = theorem3(
        profiles_of(records, values, domain),
        np.eye(domain, dtype=np.bool_),
        min_support=s,
        min_confidence=c,
        inclusive=inclusive,
    )
    expected = oracle.kept(records, values, domain, s, c, inclusive=inclusive)
    distinct = oracle.supports(sorted(set(records)))
    assert found.constraints == len(expected)
    assert found.variables == sum(distinct[itemset] for itemset, _ in expected)


def test_a_consequent_of_several_values_mentions_each_of_them() -> None:
    records, halves = [(0, 0), (0, 1), (1, 0), (1, 1)], [0, 0, 1, 1]
    patterns = np.array([[True, True, False, False], [False, False, True, True]])
    profiles = profiles_of(records, [0, 1, 2, 3], 4)
    found = theorem3(profiles, patterns, min_support=Fraction(1, 2), min_confidence=Fraction(1))
    expected = oracle.kept(records, halves, 2, Fraction(1, 2), Fraction(1), inclusive=True)
    assert found.constraints == len(expected) > 0
    assert found.variables == 2 * sum(oracle.supports(records)[itemset] for itemset, _ in expected)


def test_very_many_columns_are_told_apart() -> None:
    random = np.random.default_rng(2)
    records = [tuple(row) for row in (random.integers(0, 2, (6, 9)) * (1 << 20)).tolist()]
    s, c = Fraction(1, 3), Fraction(1, 2)
    found = theorem3(profiles_of(records), np.eye(2, dtype=np.bool_), min_support=s, min_confidence=c)
    assert found.constraints == len(oracle.kept(records, [0] * 6, 2, s, c, inclusive=True))
