"""Readings and chances of Adult and the bank table, as worked out by hand, by ARX and by pyCANON."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.attacks.directory.shared_tables import adult, bank, codes, hierarchy, profiles, subset
from tests.oracles.attribute_risk import (
    AttributeRisk,
    attribute_risk,
    baseline,
    likeliest,
    target_risks,
    true_ones,
)
from tests.oracles.partial_knowledge import over_for_some_columns, smallest_crowds

import giveaway as ga
from giveaway.attacks.directory.inference.reach import FittingRows, fitting_shares
from giveaway.attacks.directory.inference.told import best_guesses
from giveaway.attacks.directory.readings.attribute_chances import ValueTargets
from giveaway.attacks.directory.readings.close import Close
from giveaway.attacks.directory.readings.shares import GroupValues
from giveaway.attacks.directory.readings.special_uniques import uniques_of
from giveaway.model.data.arrays import Ints, distinct

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Case:
    """A table with the columns compared and a sensitive one."""

    bank: bool
    columns: str
    sensitive: str

    @property
    def on(self) -> list[str]:
        return self.columns.split()

    def frame(self) -> pd.DataFrame:
        return bank() if self.bank else adult()


CASES = {
    "adult-1": Case(False, "sex race marital-status", "occupation"),
    "adult-2": Case(False, "decade sex race education marital-status", "occupation"),
    "adult-3": Case(False, "sex mar1 age20", "occupation"),
    "adult-4": Case(False, "sex race edu2", "age"),
    "bank-1": Case(True, "job marital education", "y"),
    "bank-2": Case(True, "decade job marital", "poutcome"),
    "bank-3": Case(True, "job marital", "balance"),
}
BLOCKS = {
    "adult-1": (63, 1, 2),
    "adult-2": (1794, 1, 673),
    "adult-3": (20, 3, 0),
    "adult-4": (30, 2, 0),
    "bank-1": (144, 1, 5),
    "bank-2": (192, 1, 10),
    "bank-3": (36, 6, 0),
}
VALUES = {
    "adult-1": ("1", 1, 1, None, 0.876633),
    "adult-2": ("1", 1, 1, None, 0.995259),
    "adult-3": ("2/3", 2, 1.889882, "2", 0.733771),
    "adult-4": ("1/2", 2, 2, "1", 0.949108),
    "bank-1": ("1", 1, 1, None, 0.883015),
    "bank-2": ("1", 1, 1, None, 0.600899),
    "bank-3": ("3/17", 6, 6, "3/14", 0.920263),
}
PEOPLE = {
    "adult-1": (2, 10, 7),
    "adult-2": (935, 3136, 2441),
    "adult-3": (0, 3, 2),
    "adult-4": (0, 0, 0),
    "bank-1": (91, 45209, 39922),
    "bank-2": (91, 45170, 36941),
    "bank-3": (0, 0, 0),
}


@pytest.mark.parametrize("name", CASES)
def test_blocks_and_values(name: str) -> None:
    case = CASES[name]
    found = ga.readings(case.frame(), columns=case.on, sensitive=case.sensitive)
    alpha, different, entropy, factor, t = VALUES[name]

    assert (found.blocks, found.k, found.sample_uniques) == BLOCKS[name]
    assert (found.alpha, found.l_distinct) == (Fraction(alpha), different)
    assert found.l_entropy == pytest.approx(entropy, abs=1e-6)
    assert found.c_recursive == (None if factor is None else Fraction(factor))
    assert float(found.t_equal) == pytest.approx(t, abs=1e-6)


@pytest.mark.parametrize(("name", "t"), [("adult-1", 0.767738), ("adult-2", 0.829653), ("adult-3", 0.552251)])
def test_hierarchical_distance(name: str, t: float) -> None:
    case = CASES[name]
    found = ga.readings(
        case.frame(), columns=case.on, sensitive="occupation", hierarchy=hierarchy("occupation")
    )

    assert float(found.t_hierarchical) == pytest.approx(t, abs=1e-6)


@pytest.mark.parametrize(("name", "t"), [("adult-4", 0.277517), ("bank-3", 0.109426)])
def test_ordered_distance(name: str, t: float) -> None:
    case = CASES[name]
    found = ga.readings(case.frame(), columns=case.on, sensitive=case.sensitive)

    assert float(found.t_ordered) == pytest.approx(t, abs=1e-6)


def test_largest_l_for_a_factor_of_three() -> None:
    found = ga.readings(adult(), columns=CASES["adult-4"].on, sensitive="age")

    assert found.l_recursive == 2


def test_a_sample_in_a_register() -> None:
    found = ga.readings(subset(), columns=["sex", "age", "race", "marital-status"], people=adult())

    assert (found.k, found.k_map, found.sample_uniques, found.population_uniques) == (1, 1, 321, 68)
    assert found.prosecutor_average == Fraction(165, 754)
    assert found.prosecutor_at_risk == Fraction(65, 232)
    assert float(found.journalist_average) == pytest.approx(0.0583967, abs=1e-7)
    assert found.marketer == found.journalist_average
    assert found.journalist_at_risk == Fraction(93, 1508)
    assert (found.presence_least, found.presence_most) == (0, 1)
    assert found.rows_without_people == 0


def fitted(case: Case) -> tuple[ga.Table, GroupValues, Ints, Ints]:
    """Return the table, what the rows that fit each profile show, the profile of each record and the people of each."""
    table = ga.Table.from_frame(case.frame()[[*case.on, case.sensitive]])
    values = codes(table, case.on)
    first, profile = distinct(values, [len(table.labels[name]) for name in case.on])
    rows = FittingRows.of(
        values, table.columns[case.sensitive], table.weights, different=len(table.labels[case.sensitive])
    )
    people = np.bincount(profile, weights=table.weights).astype(np.int64)
    return table, fitting_shares(rows, values[first]), profile, people


@pytest.mark.parametrize("name", CASES)
def test_people_above_one_half(name: str) -> None:
    case = CASES[name]
    table, shares, profile, people = fitted(case)
    targets = ValueTargets.of(len(table.labels[case.sensitive]))
    own = true_ones(shares, targets, profile, table.columns[case.sensitive])
    risk = attribute_risk(likeliest(shares, targets), people, HALF, own=(own, table.weights))

    assert (risk.people_certain, risk.exposed_people, risk.true_above) == PEOPLE[name]
    assert risk.people_without_row == 0
    assert risk.worst_attribute == Fraction(VALUES[name][0])
    assert risk.min_rows == BLOCKS[name][1]
    judged = attribute_risk(likeliest(shares, targets), people, HALF, own=(own, table.weights), judges="true")
    assert judged.exposed_people == PEOPLE[name][2]
    assert judged.worst_attribute == risk.worst_attribute


def test_a_baseline_above_the_limit_is_told_by_target() -> None:
    table, shares, _, people = fitted(CASES["bank-1"])
    no, yes = target_risks(shares, ValueTargets.of(2), people, HALF)

    assert table.labels["y"] == ("no", "yes")
    assert no.baseline == Fraction(39922, 45211)
    assert (no.exposed, yes.exposed) == (45208, 1)
    only = ValueTargets.of(2, [1])
    assert baseline(likeliest(shares, only)) == Fraction(5289, 45211)
    assert attribute_risk(likeliest(shares, only), people, HALF).exposed_people == 1


def guessed(name: str) -> AttributeRisk:
    case = CASES[name]
    table, shares, _, people = fitted(case)
    numbers = [Fraction(str(label)) for label in table.labels[case.sensitive]]
    return attribute_risk(best_guesses(shares, numbers, Close("10 %")).chances, people, HALF)


def test_guesses_within_a_tenth() -> None:
    ages, balances = guessed("adult-4"), guessed("bank-3")

    assert (ages.worst_attribute, ages.exposed_people) == (Fraction(2, 3), 14)
    assert ages.baseline == Fraction(6979, 30162)
    assert (balances.worst_attribute, balances.baseline) == (Fraction(1, 3), Fraction(3514, 45211))


@pytest.mark.parametrize(
    ("at_most", "below", "alone", "over"),
    [(1, 0, 0, 2544), (2, 100, 11, 2625), (3, 875, 224, 3395), (4, 1683, 562, 4280), (5, 2058, 673, 4595)],
)
def test_partial_knowledge(at_most: int, below: int, alone: int, over: int) -> None:
    case = CASES["adult-2"]
    table = ga.Table.from_frame(case.frame()[[*case.on, case.sensitive]])
    rows = profiles(table, case.on)
    crowds = smallest_crowds(rows, at_most)
    told = over_for_some_columns(
        rows, table.columns["occupation"], ValueTargets.of(len(table.labels["occupation"])), HALF, at_most
    )

    assert int(table.weights[crowds < 5].sum()) == below
    assert int(table.weights[crowds == 1].sum()) == alone
    assert int(table.weights[told].sum()) == over


def test_special_uniques_of_the_research_subset() -> None:
    columns = ["sex", "race", "marital-status", "education", "workclass", "native-country"]
    table = ga.Table.from_frame(subset()[columns])
    found = uniques_of(table, columns, at_most=3)

    assert found.by_size == (7, 217, 369)
    assert found.rows_unique == 323
    assert (found.alone, found.in_pairs) == (433, 208)
    assert float(found.dis) == pytest.approx(0.0205945, abs=1e-7)
    assert found.total_score == sum(found.scores) == 4131
