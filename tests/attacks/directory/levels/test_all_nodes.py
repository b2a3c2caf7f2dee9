"""The best node against all nodes, row by row."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.levels import Ladder, Tried, all_nodes
from tests.sizes import sized

from giveaway.attacks.directory.levels import counting as counting_module
from giveaway.attacks.directory.levels import lattice as lattice_module
from giveaway.attacks.directory.levels import search
from giveaway.attacks.directory.levels.counting import NodeCounts, ShareLimit
from giveaway.attacks.directory.levels.lattice import ColumnLevels, CountedRows, Lattice, Loss
from giveaway.attacks.directory.levels.plan import LevelPlan, plan_levels
from giveaway.attacks.directory.levels.search import best_node
from giveaway.attacks.directory.readings.attribute_chances import ValueTargets
from giveaway.errors import BudgetExceeded, ScenarioError
from giveaway.model.data.hierarchy import Hierarchy

AGES = Hierarchy(
    {
        "20": ("20-29", "young"),
        "25": ("20-29", "young"),
        "31": ("30-39", "young"),
        "60": ("60-69", "old"),
        "99": ("90-99", "old"),
    }
)
PLACES = Hierarchy({"Rome": ("Italy", "Europe"), "Pisa": ("Italy", "Europe"), "Bonn": ("Germany", "Europe")})
DOMAINS = (tuple(AGES.of), tuple(PLACES.of), ("f", "m"))
COLUMNS = tuple(
    ColumnLevels.of(values, hierarchy)
    for values, hierarchy in zip(DOMAINS, (AGES, PLACES, None), strict=True)
)
LADDERS: tuple[Ladder, ...] = (
    (
        {value: value for value in (*AGES.of, None)},
        {value: None if value is None else AGES.label(value, 1) for value in (*AGES.of, None)},
        {value: None if value is None else AGES.label(value, 2) for value in (*AGES.of, None)},
        dict.fromkeys((*AGES.of, None), "*"),
    ),
    (
        {value: value for value in (*PLACES.of, None)},
        {value: None if value is None else PLACES.label(value, 1) for value in (*PLACES.of, None)},
        dict.fromkeys((*PLACES.of, None), "*"),
    ),
    ({value: value for value in ("f", "m", None)}, dict.fromkeys(("f", "m", None), "*")),
)
JOBS = ("cook", "smith", "nurse")

row = st.tuples(*(st.sampled_from([*domain, None]) for domain in DOMAINS))
rows_of_profiles = st.lists(row, min_size=1, max_size=14)


@dataclass(frozen=True)
class Asked:
    """A question about levels."""

    rows: list[tuple[str | None, ...]]
    people: list[tuple[str | None, ...]] | None
    sensitive: list[list[str | None]]
    limit: Fraction
    crowd: int
    suppress: Fraction
    loss: Loss
    importance: tuple[Fraction, ...]
    fills: bool = False

    def tried(self) -> list[Tried]:
        return all_nodes(
            LADDERS,
            self.rows,
            self.crowd,
            self.suppress,
            people=self.people,
            sensitive=self.sensitive,
            limit=self.limit,
            loss=self.loss,
            importance=self.importance,
            fills=self.fills,
        )

    @property
    def lattice(self) -> Lattice:
        return Lattice.of(COLUMNS, len(self.rows), loss=self.loss, importance=self.importance)

    @property
    def arguments(self) -> dict[str, Any]:
        codes = [
            np.array([-1 if job is None else JOBS.index(job) for job in jobs], np.int32)
            for jobs in self.sensitive
        ]
        return {
            "people": None if self.people is None else profiles(self.people),
            "shares": [
                ShareLimit(sensitive=column, targets=ValueTargets.of(len(JOBS)), limit=self.limit)
                for column in codes
            ],
        }

    def counting(self) -> NodeCounts:
        return NodeCounts(self.lattice, profiles(self.rows), self.crowd, fills=self.fills, **self.arguments)


def profiles(rows: list[tuple[str | None, ...]]) -> CountedRows:
    values = [
        [-1 if value is None else domain.index(value) for value, domain in zip(one, DOMAINS, strict=True)]
        for one in rows
    ]
    return CountedRows(values=np.array(values, np.int32).reshape(-1, 3), count=np.ones(len(rows), np.int64))


@st.composite
def asked(
    draw: st.DrawFn,
    *,
    with_people: bool | None = None,
    with_jobs: bool | None = None,
    fills: bool = False,
) -> Asked:
    rows = draw(rows_of_profiles)
    registered = draw(st.booleans()) if with_people is None else with_people
    told = draw(st.booleans()) if with_jobs is None else with_jobs
    return Asked(
        rows=rows,
        people=rows + draw(st.lists(row, max_size=10)) if registered else None,
        sensitive=[
            draw(st.lists(st.sampled_from([*JOBS, None]), min_size=len(rows), max_size=len(rows)))
            for _ in range(draw(st.integers(1, 2)) if told else 0)
        ],
        limit=draw(st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)])),
        crowd=draw(st.integers(1, 5)),
        suppress=draw(st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(1)])),
        loss=draw(st.sampled_from(["labels", "cells", "precision"])),
        importance=draw(st.sampled_from([(Fraction(1),) * 3, (Fraction(3), Fraction(1), Fraction(1, 2))])),
        fills=fills,
    )


@sized(300)
@given(asked(), st.booleans())
def test_the_best_node_is_the_best_of_all(question: Asked, begins_with_steps: bool) -> None:
    expected = question.tried()
    counting = question.counting()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_MANY", 0 if begins_with_steps else 1_000)
        found = best_node(counting, question.suppress)
    if not expected:
        assert found is None
        return
    assert found is not None
    assert found.proved
    assert (found.node, found.loss, found.bound) == (expected[0].node, expected[0].loss, expected[0].loss)
    assert found.rows == len(expected[0].suppressed)
    suppressed = found.suppressed[counting.profile_of]
    assert set(np.flatnonzero(suppressed).tolist()) == expected[0].suppressed


@sized(300)
@given(asked(with_people=False, with_jobs=False, fills=True))
def test_the_best_node_with_whole_blocks_to_fill_up_is_the_best_of_all(question: Asked) -> None:
    expected = question.tried()
    counting = question.counting()
    found = best_node(counting, question.suppress)
    if not expected:
        assert found is None
        return
    assert found is not None
    assert found.proved
    assert (found.loss, found.rows, found.node) == (
        expected[0].loss,
        len(expected[0].suppressed),
        expected[0].node,
    )
    suppressed = frozenset(np.flatnonzero(found.suppressed[counting.profile_of]).tolist())
    assert any((one.node, one.suppressed) == (found.node, suppressed) for one in expected)


@sized(300)
@given(asked(with_people=False, with_jobs=False, fills=True), st.randoms(use_true_random=False))
def test_a_filled_chain_has_crowds_only_and_does_not_depend_on_the_order_of_rows(
    question: Asked, random: Any
) -> None:
    def planned(rows: list[tuple[str | None, ...]], **how: bool) -> LevelPlan | None:
        return plan_levels(
            question.lattice, profiles(rows), question.crowd, suppress=question.suppress, **how
        )

    plan = planned(question.rows, fills=True, again=True)
    if plan is None:
        assert not question.tried()
        return
    assert plan.rows_suppressed <= question.suppress * len(question.rows)
    assert plan.loss <= question.tried()[0].loss
    forms = [
        tuple(None if label == "*" else label for label in form) for form in shown(question.rows, plan.levels)
    ]
    assert min(Counter(forms).values()) >= question.crowd
    order = random.sample(range(len(question.rows)), len(question.rows))
    other = planned([question.rows[at] for at in order], fills=True, again=True)
    assert other is not None
    assert (plan.levels[order] == other.levels).all()


@given(asked(), st.integers(0, 6))
def test_a_search_that_ends_early_knows_how_much_better_the_best_may_be(question: Asked, most: int) -> None:
    expected = question.tried()
    try:
        found = best_node(question.counting(), question.suppress, most_counted=most)
    except BudgetExceeded:
        return
    if found is None:
        assert not expected
        return
    assert found.bound <= expected[0].loss <= found.loss
    assert any((one.node, one.loss) == (found.node, found.loss) for one in expected)
    assert found.proved == (found.bound == found.loss)
    assert 0 <= found.bound <= found.loss


@given(asked())
def test_steps_from_node_to_node_stay_within_the_limits_and_the_bound(question: Asked) -> None:
    expected = question.tried()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "MOST_NODES", 1)
        patch.setattr(search, "_MANY", 0)
        try:
            found = best_node(question.counting(), question.suppress)
        except BudgetExceeded:
            assert not any(one.node == question.lattice.top for one in expected)
            return
    assert found is not None
    assert found.bound <= expected[0].loss <= found.loss
    assert any((one.node, one.loss) == (found.node, found.loss) for one in expected)


@given(asked())
def test_where_a_common_unit_would_overflow_the_loss_is_nearly_the_same(question: Asked) -> None:
    expected = question.tried()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lattice_module, "_LARGEST", 1 << 30)
        found = best_node(question.counting(), question.suppress)
    assert (found is None) == (not expected)
    if found is not None:
        assert abs(found.loss - expected[0].loss) < Fraction(1, 10**6)


@given(asked())
def test_long_keys_and_no_room_change_nothing(question: Asked) -> None:
    plain = best_node(question.counting(), question.suppress)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting_module, "_LARGEST_KEY", 4)
        patch.setattr(counting_module, "_ROOM", 0)
        found = best_node(question.counting(), question.suppress)
    assert (found is None) == (plain is None)
    if found is not None and plain is not None:
        assert (found.node, found.loss, found.rows) == (plain.node, plain.loss, plain.rows)


def shown(rows: list[tuple[str | None, ...]], levels: Any) -> list[tuple[Any, ...]]:
    return [
        tuple(ladder[int(level)][value] for ladder, level, value in zip(LADDERS, at, one, strict=True))
        for at, one in zip(levels, rows, strict=True)
    ]


@given(asked(with_people=False), st.booleans())
def test_every_pattern_of_a_plan_is_within_the_limits(question: Asked, again: bool) -> None:
    plan = plan_levels(
        question.lattice,
        profiles(question.rows),
        question.crowd,
        suppress=question.suppress,
        again=again,
        **question.arguments,
    )
    if plan is None:
        assert not question.tried()
        return
    best = question.tried()[0]
    assert plan.nodes[0] == best.node
    assert plan.loss <= best.loss if again else plan.loss == best.loss
    assert plan.rows_suppressed == int(plan.suppressed.sum()) <= len(best.suppressed)
    assert (plan.levels[plan.suppressed] == question.lattice.top).all()
    published = [
        (pattern, number)
        for number, pattern in enumerate(shown(question.rows, plan.levels))
        if not plan.suppressed[number]
    ]
    for pattern, _ in published:
        members = [number for other, number in published if other == pattern]
        assert len(members) >= question.crowd
        for jobs in question.sensitive:
            told = [jobs[number] for number in members if jobs[number] is not None]
            assert all(told.count(job) <= question.limit * len(told) for job in told)


@given(asked(with_people=False, with_jobs=False))
def test_a_plan_blind_to_sensitive_values_keeps_equal_rows_together(question: Asked) -> None:
    plan = plan_levels(
        question.lattice, profiles(question.rows), question.crowd, suppress=question.suppress, again=True
    )
    if plan is not None:
        first: dict[tuple[str | None, ...], int] = {}
        for number, one in enumerate(question.rows):
            same = first.setdefault(one, number)
            assert (plan.levels[same] == plan.levels[number]).all()


def test_values_of_a_register_need_a_line_too() -> None:
    with pytest.raises(ScenarioError, match="have no line"):
        ColumnLevels.of(("20", "77"), AGES, name="age")


def test_a_hierarchy_that_ends_in_one_label_needs_no_blank_above_it() -> None:
    assert COLUMNS[1].height == 2
    assert COLUMNS[0].height == 3
    assert [level.tolist() for level in COLUMNS[2].labels] == [[0, 1, 2], [0, 0, 0]]


@pytest.mark.parametrize("rows", [0, 2])
def test_too_few_rows_have_no_node(rows: int) -> None:
    few = profiles([("20", "Rome", "f")] * rows)

    assert plan_levels(Lattice.of(COLUMNS, rows), few, 3, suppress=Fraction(1)) is None


def test_a_plan_whose_time_is_over_is_refused_or_has_a_bound() -> None:
    rows = profiles([("20", "Rome", "f"), ("25", "Pisa", "f"), ("31", "Bonn", "m"), ("60", "Bonn", "m")])
    with pytest.raises(BudgetExceeded, match="No levels within the limits"):
        plan_levels(Lattice.of(COLUMNS, 4), rows, 2, seconds=0)
