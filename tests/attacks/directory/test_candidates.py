from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles import directory as oracle
from tests.oracles.directory import Person, Value
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.directory.candidates import count as matching_counts
from giveaway.attacks.directory.candidates.agreement import ANYTHING, Agreement, ExactKeys, exact, near
from giveaway.attacks.directory.candidates.columns import Columns
from giveaway.attacks.directory.candidates.count import Matching
from giveaway.errors import BudgetExceeded, ScenarioError
from giveaway.model.data.labels import in_order
from giveaway.model.data.people import Gaps, People
from giveaway.model.progress import limited, watched

NAMES = ("", "a", "ab", "ba", "abc", "acb", "abba", "abab")
KINDS = ("exact", "near", "nearer", "levels", "absent")
LIMITS = {"near": Fraction(1, 2), "nearer": Fraction(5, 6)}
GROUPS = {"a": "A", "ab": "A", "abc": "A", "abba": "A", "ba": "B", "acb": "B"}
"""Some values have no line in the hierarchy: at level 1 they agree with missing values only."""

quick = settings(max_examples=100)


WAYS = ("few at once", "none few", "in parts")


@contextmanager
def _counted(way: str) -> Iterator[None]:
    """Count as in a small directory, and as in a large one, whose entries are gone through in parts."""
    with pytest.MonkeyPatch.context() as patch:
        if way != "few at once":
            patch.setattr(matching_counts, "_FEW", -1)
        if way == "in parts":
            patch.setattr(matching_counts, "_AT_ONCE", 2)
        yield


@pytest.fixture(params=WAYS)
def _way(request: pytest.FixtureRequest) -> Iterator[None]:
    with _counted(request.param):
        yield


in_each_way = pytest.mark.usefixtures("_way")


def in_all_ways(count: Callable[[], Any]) -> Any:
    """Return what is counted, which is the same in every way; what is expected is then worked out once."""
    found = []
    for way in WAYS:
        with _counted(way):
            found.append(count())
    assert found == found[:1] * len(WAYS)
    return found[0]


@dataclass(frozen=True)
class Case:
    """Kinds of attributes, people with their entries, and records with all their values."""

    kinds: tuple[str, ...]
    people: list[Person]
    records: list[tuple[Value, ...]]
    gaps: Gaps = "agree"


@st.composite
def cases(draw: st.DrawFn, kinds: Sequence[str] = KINDS, widest: int = 4) -> Case:
    chosen = tuple(draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=widest)))
    values = st.tuples(*[st.sampled_from([None, *NAMES]) for _ in chosen])
    people = draw(st.lists(st.lists(values, min_size=1, max_size=4), min_size=1, max_size=8))
    records = draw(st.lists(values, min_size=1, max_size=5))
    return Case(chosen, people, records, draw(st.sampled_from(["apart", "agree"])))


def people_of(persons: Sequence[Person]) -> People:
    width = len(persons[0][0])
    entries = list(dict.fromkeys(entry for person in persons for entry in person))
    labels = [tuple(in_order({entry[j] for entry in entries} - {None})) for j in range(width)]
    owned = [sorted({entries.index(entry) for entry in person}) for person in persons]
    several = [rows for rows in owned if len(rows) > 1]
    return People(
        columns={
            f"c{j}": np.array(
                [-1 if entry[j] is None else labels[j].index(entry[j]) for entry in entries], np.int32
            )
            for j in range(width)
        },
        labels={f"c{j}": labels[j] for j in range(width)},
        alone=np.bincount([rows[0] for rows in owned if len(rows) == 1], minlength=len(entries)),
        several_person=np.repeat(np.arange(len(several)), [len(rows) for rows in several]),
        several_entry=np.array([entry for rows in several for entry in rows], np.int64),
    )


def agreements(kind: str, known: Sequence[Value]) -> tuple[Agreement, ...]:
    if kind == "absent":
        return (ANYTHING,)
    if kind in LIMITS:
        return (near(NAMES, known, LIMITS[kind]),)
    values = exact(NAMES, known)
    if kind == "exact":
        return (values,)
    keys = [{"A": 0, "B": 1}.get(GROUPS.get(str(label), ""), -2) for label in known]
    return (values, ExactKeys(np.arange(2, dtype=np.int32), np.array(keys, np.int32)))


def matching(case: Case) -> Matching:
    people = people_of(case.people)
    return Matching(
        people=people,
        names=tuple(None if kind == "absent" else f"c{j}" for j, kind in enumerate(case.kinds)),
        agreements=tuple(agreements(kind, people.labels[f"c{j}"]) for j, kind in enumerate(case.kinds)),
        gaps=case.gaps,
    )


def coded(records: Sequence[Sequence[Value]]) -> np.ndarray:
    codes = [[-1 if value is None else NAMES.index(str(value)) for value in record] for record in records]
    return np.array(codes, np.int32)


def rule(kind: str, level: int) -> oracle.Agrees:
    if level:
        return lambda disclosed, known: disclosed == GROUPS.get(str(known))
    return {"absent": oracle.everybody, "exact": oracle.same, "levels": oracle.same}.get(
        kind
    ) or oracle.alike(LIMITS[kind])


def expected(case: Case, disclosed: Sequence[Value], levels: Sequence[int] | None = None) -> int:
    chosen = levels or [0] * len(case.kinds)
    return oracle.candidates(disclosed, case.people, list(map(rule, case.kinds, chosen)), case.gaps)


def subsets(record: tuple[Value, ...]) -> list[tuple[Value, ...]]:
    return [
        tuple(value if subset >> j & 1 else None for j, value in enumerate(record))
        for subset in range(1 << len(record))
    ]


@sized(100)
@given(cases())
@example(Case(("exact",), [[("a",), (None,)], [("a",)], [("ab",)]], [("a",), ("ba",)]))
@example(Case(("exact",), [[("a",), (None,)], [(None,)], [("ab",)]], [("a",), ("ba",)], "apart"))
@example(Case(("near",), [[(None,)], [(None,)], [("ab",)]], [("a",), ("ab",)], "apart"))
def test_candidates_of_every_part_of_a_record_are_the_people_found_one_by_one(case: Case) -> None:
    disclosed = [part for record in case.records for part in subsets(record)]

    found = in_all_ways(lambda: matching(case).candidates(coded(disclosed)).tolist())

    assert found == [expected(case, part) for part in disclosed]


@sized(100)
@given(cases(kinds=("exact", "levels")))
def test_counting_by_groups_finds_the_same_people(case: Case) -> None:
    disclosed = [part for record in case.records for part in subsets(record)]

    def count() -> list[list[int]]:
        columns = matching(case)._columns
        keys, chosen = columns.disclosed(coded(disclosed), None)
        shown = [np.flatnonzero(codes >= 0) for codes in chosen.T]
        return [
            by_groups(columns, chosen[some, record], keys[some][:, [record, record]]) if len(some) else []
            for record, some in enumerate(shown)
        ]

    for part, found in zip(disclosed, in_all_ways(count), strict=True):
        if found or any(value is not None for value in part):
            assert found == [expected(case, part)] * 2


def by_groups(columns: Columns, chosen: np.ndarray, wanted: np.ndarray) -> list[int]:
    chosen = chosen.astype(np.int64)
    kinds = columns.rows.kinds(chosen)
    found = matching_counts._grouped(columns, chosen, wanted, kinds)
    return [] if found is None else found.tolist()


@quick
@given(cases(kinds=("levels", "near", "exact")), st.data())
def test_a_coarser_label_agrees_with_everybody_in_its_group(case: Case, data: st.DataObject) -> None:
    disclosed, codes, levels = [], [], []
    for record in case.records:
        shown: list[Value] = []
        wanted: list[int] = []
        for kind, value in zip(case.kinds, record, strict=True):
            coarse = kind == "levels" and str(value) in GROUPS and data.draw(st.booleans())
            shown.append(GROUPS[str(value)] if coarse else value)
            wanted.append(int(coarse))
        disclosed.append(shown)
        levels.append(wanted)
        codes.append(
            [
                "AB".index(str(value)) if level else -1 if value is None else NAMES.index(str(value))
                for value, level in zip(shown, wanted, strict=True)
            ]
        )

    wanted_codes, wanted_levels = np.array(codes, np.int32), np.array(levels, np.int8)
    found = in_all_ways(lambda: matching(case).candidates(wanted_codes, wanted_levels).tolist())

    assert found == [expected(case, *one) for one in zip(disclosed, levels, strict=True)]


@sized(100)
@given(cases())
def test_signatures_add_up_to_the_candidates_of_every_part(case: Case) -> None:
    def count() -> list[tuple[list[int], list[int]]]:
        made = matching(case)
        found = [*made.signatures(coded(case.records)), made.signature(coded(case.records)[-1])]
        return [(one.masks.tolist(), one.counts.tolist()) for one in found]

    *signatures, last = in_all_ways(count)
    assert len(signatures) == len(case.records)
    for record, (masks, counts) in zip(case.records, signatures, strict=True):
        assert masks == sorted({*masks})
        assert all(counts)
        for subset, part in enumerate(subsets(record)):
            held = (many for mask, many in zip(masks, counts, strict=True) if mask & subset == subset)
            assert sum(held) == expected(case, part)
    assert last == signatures[-1]


@quick
@given(cases())
def test_alone_is_the_number_of_candidates_when_one_attribute_is_disclosed(case: Case) -> None:
    found = in_all_ways(lambda: matching(case).alone(coded(case.records)).tolist())

    for record, counts in zip(case.records, found, strict=True):
        single = [tuple(v if i == j else None for i, v in enumerate(record)) for j in range(len(case.kinds))]
        assert counts == [expected(case, part) for part in single]


@sized(100)
@given(cases())
def test_the_order_of_people_and_of_their_entries_does_not_matter(case: Case) -> None:
    people = [list(reversed(person)) for person in reversed(case.people)]
    turned = Case(case.kinds, people, case.records, case.gaps)

    def count() -> list[Any]:
        found = [matching(one) for one in (case, turned)]
        before, after = (
            (
                made.candidates(coded(case.records)).tolist(),
                [(one.masks.tolist(), one.counts.tolist()) for one in made.signatures(coded(case.records))],
            )
            for made in found
        )
        assert before == after
        return [before]

    in_all_ways(count)


def random_case(
    rows: int, width: int, values: int, seed: int, gaps: Gaps = "agree"
) -> tuple[Matching, np.ndarray]:
    """Random people with one or two entries, some values missing, and random disclosures."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, values, (rows, width)).astype(np.int32)
    twice = rows // 3
    people = People(
        columns={f"c{j}": codes[:, j].copy() for j in range(width)},
        labels={f"c{j}": tuple(range(values)) for j in range(width)},
        alone=np.where(np.arange(rows) < 2 * twice, 0, rng.integers(1, 4, rows)),
        several_person=np.repeat(np.arange(twice), 2),
        several_entry=rng.permutation(2 * twice),
    )
    made = Matching(
        people=people,
        names=tuple(f"c{j}" for j in range(width)),
        agreements=tuple((exact(range(values), range(values)),) for _ in range(width)),
        gaps=gaps,
    )
    return made, rng.integers(-1, values, (rows, width)).astype(np.int32)


def slow(made: Matching, disclosed: np.ndarray) -> int:
    people = made.people
    entries = np.stack(list(people.columns.values()), axis=1)
    gap = (entries < 0) & (made.gaps == "agree")
    agrees = ((entries == disclosed) | gap | (disclosed < 0)).all(axis=1)
    several = people.several_person[agrees[people.several_entry]]
    return int(people.alone[agrees].sum()) + len(np.unique(several))


@in_each_way
@pytest.mark.parametrize("gaps", ["apart", "agree"])
@pytest.mark.parametrize(("width", "values"), [(3, 4), (6, 3), (40, 2), (70, 2)])
def test_larger_directories_are_counted_right(width: int, values: int, gaps: Gaps) -> None:
    made, disclosed = random_case(600, width, values, seed=width, gaps=gaps)
    disclosed[np.random.default_rng(1).random(disclosed.shape) < 1 - 3 / width] = -1
    disclosed[:200] = np.where(disclosed[0] < 0, -1, disclosed[:200])

    found = made.candidates(disclosed)

    assert found.tolist() == [slow(made, row) for row in disclosed]
    assert found.max() > found.min() >= int(gaps == "agree")


@in_each_way
def test_a_signature_may_have_more_masks_than_expected() -> None:
    made, disclosed = random_case(20_000, 24, 2, seed=5)

    signature = made.signature(disclosed[0])

    assert len(signature.masks) > 4096
    assert signature.counts.sum() == len(made.people)
    for subset in (0b1011, 1 << 20, 0b1111 << 8):
        shown = np.array([subset >> j & 1 for j in range(24)], np.bool_)
        holds = (signature.masks & np.uint64(subset)) == subset
        assert signature.counts[holds].sum() == slow(made, np.where(shown, disclosed[0], -1))


@in_each_way
def test_somebody_with_very_many_entries_is_counted_one_by_one() -> None:
    width = 14
    entries = [tuple("a" if i == j else None for i in range(width)) for j in range(width)]
    case = Case(("exact",) * width, [entries, [("a",) * width]], [("a",) * width])
    made = matching(case)
    wanted = np.zeros((width, 1), np.int32)

    assert by_groups(made._columns, np.arange(width), wanted) == []
    assert made.candidates(coded(case.records)).tolist() == [2]
    assert made.signature(coded(case.records)[0]).counts.tolist() == [2]


@in_each_way
def test_a_signature_that_needs_too_many_terms_is_refused() -> None:
    width = 14
    entries = [tuple("b" if i == j else "a" for i in range(width)) for j in range(width)]
    made = matching(Case(("exact",) * width, [entries], [("a",) * width]))

    with pytest.raises(BudgetExceeded, match="too many entries"):
        made.signature(np.full(width, NAMES.index("a"), np.int32))


@in_each_way
def test_a_mask_has_room_for_64_attributes() -> None:
    made, disclosed = random_case(30, 64, 2, seed=2)
    everything = np.uint64(2**64 - 1)
    signature = made.signature(np.full(64, -1, np.int32))
    assert signature.masks.tolist() == [everything]
    assert signature.counts.tolist() == [len(made.people)]

    made, disclosed = random_case(30, 65, 2, seed=2)
    with pytest.raises(ScenarioError, match="65 columns"):
        made.signature(disclosed[0])


@in_each_way
def test_nothing_disclosed_leaves_everybody() -> None:
    made, disclosed = random_case(30, 3, 2, seed=1)
    assert made.candidates(np.full((2, 3), -1, np.int32)).tolist() == [len(made.people)] * 2
    assert made.candidates(disclosed[:0]).tolist() == []
    assert list(made.signatures(disclosed[:0])) == []


@in_each_way
def test_a_directory_without_people_has_no_candidates() -> None:
    nobody = People(
        columns={"c0": np.zeros(0, np.int32)},
        labels={"c0": ()},
        alone=np.zeros(0, np.int64),
        several_person=np.zeros(0, np.int64),
        several_entry=np.zeros(0, np.int64),
    )
    for agreement in (exact(NAMES, ()), near(NAMES, (), Fraction(1, 2))):
        made = Matching(people=nobody, names=("c0",), agreements=((agreement,),))
        assert made.candidates(np.array([[0], [-1]], np.int32)).tolist() == [0, 0]
        assert made.signature(np.array([0], np.int32)).counts.tolist() == []


@in_each_way
def test_long_comparisons_tell_how_far_they_are_and_stop_in_time() -> None:
    made, disclosed = random_case(50, 3, 2, seed=1)
    told = set()
    with watched(lambda stage, *_: told.add(stage)):
        made.candidates(disclosed)
        list(made.signatures(disclosed))
        near(NAMES, NAMES, Fraction(4, 5))
    assert told - {"comparing entries"} == {
        "counting who agrees",
        "comparing records with the directory",
        "comparing values",
    }
    with limited(seconds=1e-9), pytest.raises(BudgetExceeded):
        made.candidates(disclosed)


@in_each_way
def test_candidates_and_signatures_agree_on_real_people() -> None:
    """Each person of the data stands in it twice, with errors, and some values are missing."""
    rows = [row | {"rec_id": row["rec_id"].split("-")[1]} for row in oracle.febrl()]
    names = [name for name in rows[0] if name != "rec_id"]
    people = People.from_table(ga.Table.from_rows(rows, id="rec_id"), names)
    fuzzy = {"given_name", "surname", "address_1", "suburb"}
    made = Matching(
        people=people,
        names=tuple(names),
        agreements=tuple(
            (near(people.labels[n], people.labels[n], Fraction(4, 5)),)
            if n in fuzzy
            else (exact(people.labels[n], people.labels[n]),)
            for n in names
        ),
    )
    records = np.stack([people.columns[name] for name in names], axis=1)[::10]
    shown = np.random.default_rng(0).random(records.shape) < 0.4

    found = made.candidates(np.where(shown, records, -1))

    subsets_shown = (shown * (1 << np.arange(len(names)))).sum(axis=1).astype(np.uint64)
    for signature, subset, count in zip(made.signatures(records), subsets_shown, found, strict=True):
        assert signature.counts[(signature.masks & subset) == subset].sum() == count
    assert len(people) == 500
    assert people.several == 500
    assert found.min() == 1
    assert found.max() > 10
