"""Directories are put into the classes of the release: values, labels, and intervals of their own."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import giveaway as ga
from giveaway import checker
from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.model.classes.fixed import Classes

Interval = tuple[int, int]


def worst(table: ga.Table, attacker: KnowsDirectory, **how: Any) -> Fraction:
    found = ga.assess(ga.Release(table, **how), attacker, ga.Tolerance(identity="1/2"))
    return Fraction(found.exposures[0].chance)


def people(*ages: Any) -> pd.DataFrame:
    return pd.DataFrame({"name": [f"p{at}" for at in range(len(ages))], "age": [*map(str, ages)]})


def test_values_and_labels_fall_into_the_classes_of_the_release() -> None:
    table = ga.Table.from_rows([{"age": 20}, {"age": 70}], classes={"age": [18, 65]})
    register = people(17, 18, 64, "18-64", "65+", 103)

    attacker = ga.KnowsDirectory(people=register, id="name", columns=["age"])

    assert worst(table, attacker) == Fraction(1, 2)  # two people above 65, three in 18-64


def test_quantiles_are_not_worked_out_again_on_the_directory() -> None:
    table = ga.Table.from_rows([{"age": age} for age in (1, 2, 3, 4)], classes={"age": "quantiles 2"})
    register = people(*[50] * 7, 1, 2)

    assert worst(table, ga.KnowsDirectory(people=register, id="name", columns=["age"])) == Fraction(1, 2)


def test_what_cannot_be_put_into_a_class_is_refused() -> None:
    table = ga.Table.from_rows([{"age": 20}, {"age": 70}], classes={"age": [18, 65]})
    attacker = ga.KnowsDirectory(people=people(20, "young", "30,5"), id="name", columns=["age"])

    with pytest.raises(
        ga.DataError, match='2 values of age in the directory are not numbers: "30,5", "young"'
    ):
        worst(table, attacker)


def test_somebody_with_two_entries_in_one_class_counts_once() -> None:
    table = ga.Table.from_rows([{"age": 20}], classes={"age": [18, 65]})
    register = pd.DataFrame({"name": ["a", "a", "b"], "age": ["20", "30", "70"]})

    assert worst(table, ga.KnowsDirectory(people=register, id="name", columns=["age"])) == 1


def test_distance_enlarges_crowds() -> None:
    table = ga.Table.from_rows([{"age": 20}, {"age": "30.5"}])
    register = people(18, 20, 22, 23, "30.5", "28.5", "32.6")

    exact = ga.KnowsDirectory(people=register, id="name", columns=["age"], knows_method=False)
    roughly = ga.KnowsDirectory(
        people=register, id="name", columns=["age"], match={"age": ga.Within(2)}, knows_method=False
    )

    assert (worst(table, exact), worst(table, roughly)) == (1, Fraction(1, 2))


def test_distance_is_not_for_classes() -> None:
    table = ga.Table.from_rows([{"age": 20}], classes={"age": [18, 65]})
    attacker = ga.KnowsDirectory(people=people(20), id="name", columns=["age"], match={"age": ga.Within(2)})

    with pytest.raises(ga.ScenarioError, match="has classes and is compared by likeness or distance"):
        worst(table, attacker)


# Everybody gone through one by one ------------------------------------------------------------------------------

ages = st.integers(0, 60)
known = ages.map(lambda age: (age, age)) | st.tuples(ages, ages).map(lambda ends: (min(ends), max(ends)))


def written(one: Interval) -> str:
    low, high = one
    return str(low) if low == high else f"{low}-{high}"


def in_class(label: str, classes: Classes) -> Interval:
    low, high = classes.intervals[label]
    return (-1000 if low is None else int(low), 1000 if high is None else int(high) - 1)


@given(
    st.lists(ages, min_size=1, max_size=8),
    st.lists(known, min_size=1, max_size=10),
    st.sampled_from([[20, 40], 7, "quantiles 3"]),
    st.booleans(),
)
def test_two_classes_agree_when_they_have_a_value_in_common(
    records: list[int], register: list[Interval], rule: Any, ladder: bool
) -> None:
    table = ga.Table.from_rows(
        [{"age": age} for age in records],
        classes={"age": rule},
        ladders={"age": "auto"} if ladder and len({*records}) > 8 else None,
    )
    classes = table.classes["age"]
    expected = {}
    for label in classes.rows:
        low, high = in_class(label, classes)
        expected[label] = sum(
            (first <= high and low <= last) or label == written((first, last)) for first, last in register
        )
    attacker = ga.KnowsDirectory(
        people=people(*map(written, register)), id="name", columns=["age"], knows_method=False
    )
    release = ga.Release(table)
    found = ga.assess(release, attacker, ga.Tolerance(identity="1/2", average=1))

    chances = [
        Fraction(1, n) if n else Fraction(0) for n in (expected[classes.of_value[str(a)]] for a in records)
    ]
    assert max(chances) == max(Fraction(one.chance) for one in found.exposures)


def test_the_checker_counts_the_same_people(tmp_path: Path) -> None:
    rows = [{"age": age, "sex": sex} for age in range(15, 75, 3) for sex in "fm"]
    table = ga.Table.from_rows(rows, classes={"age": 10}, ladders={"age": [20, 40]})
    register = pd.DataFrame(
        [
            {"name": f"{age}{sex}{n}", "age": age, "sex": sex}
            for age in ("20-24", "15-34", "37", "60+", "71")
            for sex in "fm"
            for n in range(3)
        ]
    )
    attacker = ga.KnowsDirectory(people=register, id="name", columns=["age", "sex"])
    safe = ga.protect(ga.Release(table), attacker, ga.Tolerance(identity="1/4"))

    safe.publish(tmp_path / "out")

    assert safe.safe


def test_the_checker_knows_distance(tmp_path: Path) -> None:
    table = ga.Table.from_rows([{"age": age} for age in (20, 21, 30)])
    attacker = ga.KnowsDirectory(
        people=people(18, 19, 20, 22, 29, 31, "30.0"),
        id="name",
        columns=["age"],
        match={"age": ga.Within("1.5")},
        knows_method=False,
    )
    found = ga.assess(ga.Release(table), attacker, ga.Tolerance(identity="1/2"))
    assert found.safe
    found.publish(tmp_path / "out")
    tight = checker.Promise(
        attack="directory", attacker=vars(attacker), tolerance=ga.Tolerance(identity="1/3")
    )

    with pytest.raises(ga.CheckFailed):
        checker.judge(tmp_path / "out" / "release.jsonl", found.release, [tight])
