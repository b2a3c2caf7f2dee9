"""Coarser labels in place of values that are withheld."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.directory.cases import is_safe, people, table

import giveaway as ga
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.protecting.plan import Planner
from giveaway.attacks.directory.question import ask
from giveaway.model.data.people import Gaps

AGES = {"a": ["ab", "any"], "b": ["ab", "any"], "c": ["cd", "any"], "d": ["cd", "any"]}
NAMES = ("c0", "c1")
LETTERS = st.sampled_from(["a", "b", "c", "d", None])
RECORDS = st.lists(
    st.fixed_dictionaries({"c0": LETTERS, "c1": st.sampled_from("xy")}), min_size=2, max_size=6
)

Record = dict[str, Any]
Disclosed = dict[str, tuple[int, str]]
"""A level and a label for each column that is disclosed."""


def agrees(entry: Record, shown: Disclosed, gaps: Gaps) -> bool:
    for name, (level, label) in shown.items():
        value = entry[name]
        if value is None:
            if gaps == "apart":
                return False
        elif (value if level == 0 else AGES[value][level - 1]) != label:
            return False
    return True


def disclosed(release: ga.Release, records: list[Record]) -> list[Disclosed]:
    hidden, levels = release.hidden, {(row, name): level for row, name, level in release.coarser}
    found = []
    for row, record in enumerate(records, start=1):
        shown: Disclosed = {}
        for name, value in record.items():
            if value is not None and (row, name) not in hidden:
                level = levels.get((row, name), 0)
                shown[name] = (level, value if level == 0 else AGES[value][level - 1])
        found.append(shown)
    return found


def chances(directory: list[Record], rule: list[Disclosed], gaps: Gaps) -> list[Fraction]:
    counts = [sum(agrees(entry, shown, gaps) for entry in directory) for shown in rule]
    return [Fraction(1, max(count, 1)) for count in counts]


def within(chance: list[Fraction], limits: dict[str, Fraction]) -> bool:
    over = any(one > limits.get("identity", 1) for one in chance)
    return not over and ("average" not in limits or sum(chance) / len(chance) <= limits["average"])


@settings(max_examples=60)
@given(
    RECORDS,
    st.sampled_from(
        [{"identity": Fraction(1, 2)}, {"identity": Fraction(1, 3)}, {"average": Fraction(1, 2)}]
    ),
    st.booleans(),
    st.sampled_from(["apart", "agree"]),
)
def test_every_label_is_as_fine_as_the_tolerance_allows(
    records: list[Record], limits: dict[str, Fraction], own: bool, gaps: Gaps
) -> None:
    directory = records if own else [*records, {"c0": "a", "c1": "x"}, {"c0": None, "c1": "y"}]
    attacker = ga.KnowsDirectory(
        knows_method=False,
        people=None if own else people([(f"p{at}", one) for at, one in enumerate(directory)], NAMES),
        on=NAMES,
    )
    tolerance = ga.Tolerance(**limits)
    shown = ga.Release(table(records, NAMES), hierarchies={"c0": AGES}, gaps=gaps)
    question = ask(shown, attacker)
    planner = Planner(question=question, tolerance=tolerance, need=None, options=DirectoryOptions())
    try:
        release = planner.plan().release
    except ga.NoSafeRelease:
        assert not within(chances(directory, [{} for _ in records], gaps), limits)
        return
    rule = disclosed(release, records)
    found = chances(directory, rule, gaps)
    assert within(found, limits) == is_safe(release, attacker, tolerance) is True
    for row, record in enumerate(records):
        if record["c0"] is None:
            continue
        for level in range(rule[row].get("c0", (3, ""))[0]):
            label = record["c0"] if level == 0 else AGES[record["c0"]][level - 1]
            finer = [*rule[:row], rule[row] | {"c0": (level, label)}, *rule[row + 1 :]]
            assert not within(chances(directory, finer, gaps), limits)


def test_a_coarser_label_is_published_measured_and_followed() -> None:
    records = [{"c0": one, "c1": "x"} for one in ["a", "a", "b", "b", "c", "d"]]
    shown = ga.Release(table(records, NAMES), hierarchies={"c0": AGES})
    safer = ga.protect(shown, ga.KnowsDirectory(knows_method=False), ga.Tolerance(identity="1/2"))
    assert list(safer.withheld.levels) == [(5, "c0", 1), (6, "c0", 1)]
    assert safer.safe
    assert safer.kept["directory"] == {"cells": 10, "cells_total": 12, "coarser": 2}
    after = [one["after"] for one in safer.to_dict()["before"][0]["exposures"]]
    assert max(after) == 0.5
    again = ga.protect(safer.release, ga.KnowsDirectory(knows_method=False), ga.Tolerance(identity="1/4"))
    assert {level for _, _, level in again.withheld.levels} == {1, 2}
    assert again.safe
    assert not again.withheld.cells


def test_coarser_labels_weigh_as_much_as_values_and_other_attacks_do_not_know_them() -> None:
    records = [{"c0": "a", "c1": "x"}, {"c0": "b", "c1": "x"}]
    weights = ga.Sensitivity(columns={"c0": 4})
    coarse = ga.Release(
        table(records, NAMES),
        ga.Withheld(levels=[(1, "c0", 1)]),
        sensitivity=weights,
        hierarchies={"c0": AGES},
    )
    found = ga.assess(coarse, ga.KnowsDirectory(knows_method=False), ga.Tolerance(identity="999/1000"))
    losses = {one.target: one.sensitivity * float(one.chance) for one in found.exposures}
    assert losses == {"r0": 2.0, "r1": 4.0}
    illness = ga.Table.from_rows([{"c0": "a", "ill": "yes"}], sensitive="ill")
    with pytest.raises(ga.ScenarioError, match="does not judge coarser labels"):
        ga.assess(
            ga.Release(illness, hierarchies={"c0": AGES}, secrets=[1]),
            ga.KnowsAttributes(columns=["c0"]),
            ga.Tolerance(attribute="1/2"),
        )


def test_no_label_is_added_where_the_loss_is_infinite() -> None:
    records = [{"c0": "a", "c1": "x"}, {"c0": "a", "c1": "x"}, {"c0": "b", "c1": "y"}, {"c0": "b", "c1": "y"}]
    weights = ga.Sensitivity(columns={"c0": "inf", "c1": "inf"})
    shown = ga.Release(table(records, NAMES), sensitivity=weights, hierarchies={"c0": AGES})
    need = ga.NeedsColumns(per_record=1, fill=False)
    tolerance = ga.Tolerance(identity="1/2")
    planner = Planner(
        question=ask(shown, ga.KnowsDirectory(knows_method=False)),
        tolerance=tolerance,
        need=need,
        options=DirectoryOptions(),
    )
    planned = planner.plan()
    assert len(planned.cells) == 4
    assert not planned.levels
