"""The judge of renamed releases works from the other end and must come to the same."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frequencies.cases import TOTAL, baskets, beliefs, candidates, counts_of_items, intervals
from tests.oracles import cracks as oracle

import giveaway as ga
from giveaway.checker import Promise, frequencies, mappings


def promise(attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance) -> Promise:
    return Promise(attack="frequencies", attacker=vars(attacker), tolerance=tolerance)


def codes_of(data: ga.Transactions) -> dict[Any, str]:
    return {label: str(number) for number, label in enumerate(reversed(data.labels))}


def rows_of(data: ga.Transactions, without: tuple[Any, ...] = ()) -> Counter[frozenset[str]]:
    codes = codes_of(data)
    rows: Counter[frozenset[str]] = Counter()
    for row, weight in enumerate(data.weights.tolist()):
        held = [data.labels[code] for code in data.codes[data.offsets[row] : data.offsets[row + 1]]]
        rows[frozenset(codes[label] for label in held if label not in without)] += weight
    return rows


def keeps(data: ga.Transactions, attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance) -> bool:
    return frequencies.keeps(rows_of(data), data, (), codes_of(data), promise(attacker, tolerance))


@given(counts=counts_of_items, data=st.data())
def test_chances_counted_downwards_are_those_of_all_mappings(counts: list[int], data: st.DataObject) -> None:
    ranges = data.draw(beliefs(counts, right=True))
    some = candidates(counts, ranges)
    falling = sorted(set(counts), reverse=True)
    group = {count: place for place, count in enumerate(falling)}
    kinds = [
        ((min(group[counts[j]] for j in few), max(group[counts[j]] for j in few)), group[counts[i]])
        for i, few in enumerate(some)
    ]
    sizes = [counts.count(count) for count in falling]
    exact, guessed = mappings.chances(sizes, Counter(kinds))

    assert guessed == {}
    assert [exact[kind] for kind in kinds] == oracle.crack_chances(some)


def test_large_components_are_scaled(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = Counter({((max(g - 1, 0), min(g + 1, 5)), g): 1 for g in range(6)})
    exact, _ = mappings.chances([1] * 6, kinds)
    monkeypatch.setattr(mappings, "WORK", 3)
    nothing, guessed = mappings.chances([1] * 6, kinds)

    assert nothing == {}
    assert guessed.keys() == exact.keys()
    assert 0.8 * sum(exact.values()) < sum(guessed.values()) < sum(exact.values())


@settings(max_examples=30)
@given(
    counts=counts_of_items,
    data=st.data(),
    order=st.sampled_from(["random", "worst", "best", "frequency"]),
    share=st.fractions(0, 1, max_denominator=6),
    average=st.fractions("1/20", 1, max_denominator=20),
    identity=st.sampled_from([None, Fraction(1, 2), Fraction(1, 3)]),
)
def test_the_judge_agrees_with_the_measure(
    counts: list[int],
    data: st.DataObject,
    order: str,
    share: Fraction,
    average: Fraction,
    identity: Fraction | None,
) -> None:
    held = baskets(counts)
    tolerance = ga.Tolerance(average=average, identity=identity, share="1/4")
    wanted = data.draw(st.sets(st.sampled_from(range(len(counts)))))
    interest = [f"i{item}" for item in wanted]
    for belief in (ga.Belief.around(), ga.Belief.around("mean gap"), ga.Belief.exact(), ga.Belief.ignorant()):
        attacker = ga.KnowsFrequencies(belief=belief, order=order, compliance=share, of_interest=interest)
        assert keeps(held, attacker, tolerance) == ga.assess(ga.Release(held), attacker, tolerance).safe


@settings(max_examples=40)
@given(counts=counts_of_items, data=st.data())
def test_right_ranges_are_judged_exactly(counts: list[int], data: st.DataObject) -> None:
    ranges = data.draw(beliefs(counts, right=True)) or {0: (Fraction(0), Fraction(1))}
    held, attacker = baskets(counts), ga.KnowsFrequencies(belief=intervals(ranges))
    for average in (Fraction(1, 3), Fraction(1, 2)):
        tolerance = ga.Tolerance(average=average)
        assert keeps(held, attacker, tolerance) == ga.assess(ga.Release(held), attacker, tolerance).safe


def test_a_sample_is_judged_by_candidates() -> None:
    held = baskets([1, 4, 8, 11])
    attacker = ga.KnowsFrequencies(belief=ga.Belief.from_sample(baskets([1, 4, 8, 11])))

    assert keeps(held, attacker, ga.Tolerance(average=1))
    assert not keeps(held, attacker, ga.Tolerance(average="1/10"))
    wrong = ga.KnowsFrequencies(belief=ga.Belief.intervals({"i0": ("1/2", 1), "i1": ("1/3", "1/3")}))
    assert not keeps(held, wrong, ga.Tolerance(average="1/10"))


@pytest.mark.parametrize("targets", ["pairs", [["i0", "i1"], ["i2", "i3"], ["i0"]]])
def test_sets_are_judged_by_the_estimate_of_the_paper(targets: Any) -> None:
    held = baskets([1, 4, 8, 11])
    attacker = ga.KnowsFrequencies(belief=ga.Belief.exact(), targets=targets)

    assert not keeps(held, attacker, ga.Tolerance(identity="1/2", share="1/4"))
    vague = ga.KnowsFrequencies(belief=ga.Belief.ignorant(), targets=targets)
    assert keeps(held, vague, ga.Tolerance(identity="1/2", share="1/4"))


def test_items_that_are_not_renamed_or_miscounted_are_refused() -> None:
    held, attacker = baskets([1, 4, 4]), ga.KnowsFrequencies()
    asked = promise(attacker, ga.Tolerance(average=1))

    with pytest.raises(ga.CheckFailed, match="not renamed"):
        frequencies.keeps(rows_of(held), held, (), None, asked)
    short = rows_of(held)
    short[frozenset()] += 1
    short[next(row for row in short if row)] -= 1
    with pytest.raises(ga.CheckFailed, match="as in the original"):
        frequencies.keeps(short, held, (), codes_of(held), asked)


def test_a_release_that_only_seems_safe_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from giveaway.attacks.frequencies.question import Question

    monkeypatch.setattr(Question, "expected", Fraction(0))
    found = ga.assess(
        ga.Release(baskets([1, 4, 8, 11])),
        ga.KnowsFrequencies(belief=ga.Belief.exact()),
        ga.Tolerance(average="1/10"),
    )

    assert found.safe
    with pytest.raises(ga.CheckFailed, match="breaks the promise"):
        found.publish(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_withheld_items_are_gone_from_the_judgement_too(tmp_path: Path) -> None:
    data = ga.Transactions.from_lists(
        [[f"i{i}" for i, count in enumerate([1, 4, 4, 9, 9]) if place < count] for place in range(TOTAL)],
        private=["i0"],
    )
    safer = ga.protect(
        ga.Release(data), ga.KnowsFrequencies(belief=ga.Belief.exact()), ga.Tolerance(average="1/2")
    )

    assert safer.withheld.items == ("i0",)
    assert safer.publish(tmp_path / "out").written
