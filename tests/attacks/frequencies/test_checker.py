"""The judge of renamed releases works from the other end and must come to the same."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import (
    TOTAL,
    baskets,
    beliefs,
    candidates,
    counts_of_items,
    intervals,
    papers_attacker,
)
from tests.drawing import fractions
from tests.oracles import cracks as oracle
from tests.sizes import first, sized

import giveaway as ga
from giveaway.attacks.frequencies.itemsets.question import set_question
from giveaway.attacks.frequencies.question import FrequenciesQuestion, see
from giveaway.checker import Promise
from giveaway.checker.attacks.frequencies import beliefs as believed
from giveaway.checker.attacks.frequencies import chances as recognising
from giveaway.checker.attacks.frequencies import itemsets, judge, mappings


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
    return judge.keeps(rows_of(data), data, (), codes_of(data), promise(attacker, tolerance))


ORDERS = st.sampled_from(["random", "worst", "best", "frequency"])
BELIEFS = st.sampled_from(
    [
        ga.Belief.around(),
        ga.Belief.around("mean gap"),
        ga.Belief.around("1/12"),
        ga.Belief.exact(),
        ga.Belief.ignorant(),
    ]
)
SMALL = fractions("1/20", 1, max_denominator=20)
SHARES = fractions(0, "9/10", max_denominator=10)


def measured_safe(data: ga.Transactions, attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance) -> bool:
    """Return the verdict of what is measured exactly, without the reports around it."""
    seen = see(ga.Release(data), attacker, ga.Effort())
    if attacker.wants_sets:
        sets = set_question(seen, tolerance)
        return sets.share(sets.counted(sets.vulnerable), sets.right) <= tolerance.share
    asked = FrequenciesQuestion(seen=seen, tolerance=tolerance)
    if tolerance.average is not None and asked.expected > tolerance.average * asked.targets:
        return False
    return tolerance.identity is None or asked.share_of(asked.vulnerable) <= tolerance.share


@sized(1000)
@given(
    counts=counts_of_items,
    belief=BELIEFS,
    order=ORDERS,
    compliance=fractions(0, 1, max_denominator=6),
    wanted=st.sets(st.integers(0, 6)),
    average=st.none() | SMALL,
    identity=st.sampled_from([None, Fraction(1, 2), Fraction(1, 3)]),
    knows_method=st.booleans(),
)
def test_the_judge_agrees_with_the_measure(
    counts: list[int],
    belief: ga.Belief,
    order: Any,
    compliance: Fraction,
    wanted: set[int],
    average: Fraction | None,
    identity: Fraction | None,
    knows_method: bool,
) -> None:
    if average is identity is None:
        average = Fraction(1, 3)
    held = baskets(counts)
    tolerance = ga.Tolerance(average=average, identity=identity, share="1/4")
    interest = [f"i{item}" for item in wanted if item < len(counts)]
    attacker = ga.KnowsFrequencies(
        belief=belief,
        order=order,
        compliance=compliance,
        of_interest=interest,
        knows_method=knows_method,
    )

    assert keeps(held, attacker, tolerance) == measured_safe(held, attacker, tolerance)


@sized(500)
@given(
    counts=counts_of_items,
    belief=BELIEFS,
    size=st.integers(1, 4),
    top=st.sampled_from([0, "1/4", "1/2"]),
    compliance=fractions(0, 1, max_denominator=6),
    identity=fractions("1/9", 1, max_denominator=9),
    share=SHARES,
    knows_method=st.booleans(),
)
def test_the_judge_agrees_about_sets_of_a_size(
    counts: list[int],
    belief: ga.Belief,
    size: int,
    top: Any,
    compliance: Fraction,
    identity: Fraction,
    share: Fraction,
    knows_method: bool,
) -> None:
    held = baskets(counts)
    targets: Any = "pairs" if size == 2 and not top else ga.Itemsets(size=size, without_top=top)
    left = len(counts) - int(Fraction(top) * len(counts))
    assume(left >= size)
    attacker = ga.KnowsFrequencies(
        belief=belief, targets=targets, compliance=compliance, knows_method=knows_method
    )
    tolerance = ga.Tolerance(identity=identity, share=share)

    assert keeps(held, attacker, tolerance) == measured_safe(held, attacker, tolerance)


@sized(200)
@given(
    counts=counts_of_items,
    size=st.integers(1, 3),
    top=st.sampled_from([0, "1/4"]),
    interest=st.sets(st.integers(0, 6)),
    asked=st.sets(st.integers(0, 6)),
    identity=fractions("1/9", 1, max_denominator=9),
    share=SHARES,
)
def test_the_judge_agrees_about_sets_of_some_items(
    counts: list[int],
    size: int,
    top: Any,
    interest: set[int],
    asked: set[int],
    identity: Fraction,
    share: Fraction,
) -> None:
    held, items = baskets(counts), {*range(len(counts))}
    attacker = papers_attacker(
        belief=ga.Belief.around("1/12"),
        targets=ga.Itemsets(size=size, without_top=top, with_any=[f"i{item}" for item in asked & items]),
        of_interest=[f"i{item}" for item in interest & items],
    )
    tolerance = ga.Tolerance(identity=identity, share=share)
    assume(measured_number(held, attacker, tolerance))

    assert keeps(held, attacker, tolerance) == measured_safe(held, attacker, tolerance)


def measured_number(held: ga.Transactions, attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance) -> int:
    """Return how many targets there are; 0 where there is nothing to judge."""
    risk = ga.assess(ga.Release(held), attacker, tolerance).findings[0].risk
    return 0 if risk is None else int(risk.figures["targets"])


@sized(300)
@given(
    counts=counts_of_items,
    data=st.data(),
    identity=fractions("1/9", 1, max_denominator=9),
    share=SHARES,
    knows_method=st.booleans(),
)
def test_the_judge_agrees_about_listed_sets(
    counts: list[int], data: st.DataObject, identity: Fraction, share: Fraction, knows_method: bool
) -> None:
    items = st.sets(st.integers(0, len(counts) - 1), min_size=1, max_size=4)
    sets = [[f"i{item}" for item in one] for one in data.draw(st.lists(items, min_size=1, max_size=5))]
    ranges = data.draw(beliefs(counts, right=True)) or {0: (Fraction(0), Fraction(1))}
    held = baskets(counts)
    attacker = ga.KnowsFrequencies(belief=intervals(ranges), targets=sets, knows_method=knows_method)
    tolerance = ga.Tolerance(identity=identity, share=share)

    assert keeps(held, attacker, tolerance) == measured_safe(held, attacker, tolerance)


rows_with_pairs = st.lists(st.sets(st.integers(0, 5)), min_size=3, max_size=10).filter(
    lambda rows: any(len(row) > 1 for row in rows)
)


def transactions(rows: list[set[int]]) -> ga.Transactions:
    return ga.Transactions.from_lists([[f"i{item}" for item in sorted(row)] for row in rows])


@sized(300)
@given(
    rows=rows_with_pairs,
    top=st.integers(1, 4),
    more=st.integers(0, 2),
    width=st.sampled_from(["0", "1/10", "1/4"]),
    average=SMALL,
    identity=st.sampled_from([None, Fraction(1, 2), Fraction(1, 3)]),
    listed=st.booleans(),
    knows_method=st.booleans(),
)
def test_the_judge_recomputes_what_known_pairs_tell(
    rows: list[set[int]],
    top: int,
    more: int,
    width: str,
    average: Fraction,
    identity: Fraction | None,
    listed: bool,
    knows_method: bool,
) -> None:
    held = transactions(rows)
    labels = sorted(held.labels)
    assume(len(labels) > 1)
    known = (
        ga.KnownPairs(pairs=[(labels[0], labels[-1])], candidates=top + more)
        if listed
        else ga.KnownPairs(top=top, candidates=top + more)
    )
    attacker = ga.KnowsFrequencies(
        belief=ga.Belief.around(width), known_pairs=known, knows_method=knows_method
    )
    tolerance = ga.Tolerance(average=average, identity=identity, share="1/4")
    if see(ga.Release(held), attacker, ga.Effort()).contradiction is None:
        assert keeps(held, attacker, tolerance) == measured_safe(held, attacker, tolerance)
    else:
        with pytest.raises(ga.CheckFailed, match="known pairs"):
            keeps(held, attacker, tolerance)


@sized(300)
@given(
    rows=rows_with_pairs,
    data=st.data(),
    size=st.sampled_from([None, 1, 2, 3]),
    identity=fractions("1/9", 1, max_denominator=9),
    share=SHARES,
    knows_method=st.booleans(),
)
def test_the_judge_recomputes_known_pairs_with_candidates_for_items_and_sets(
    rows: list[set[int]],
    data: st.DataObject,
    size: int | None,
    identity: Fraction,
    share: Fraction,
    knows_method: bool,
) -> None:
    held = transactions(rows)
    labels = sorted(held.labels)
    assume(len(labels) >= max(size or 1, 2))
    pairs = st.lists(st.sampled_from(list(combinations(labels, 2))), min_size=1, max_size=2)
    least = data.draw(st.none() | fractions("1/10", 1, max_denominator=10))
    known = (
        ga.KnownPairs(candidate_pairs={pair: data.draw(pairs) for pair in data.draw(pairs)})
        if data.draw(st.booleans())
        else ga.KnownPairs(
            pairs=data.draw(pairs),
            candidates_at_least=least,
            candidate_pairs=() if least else data.draw(pairs),
        )
    )
    attacker = ga.KnowsFrequencies(
        belief=ga.Belief.around("1/4"),
        known_pairs=known,
        targets="items" if size is None else ga.Itemsets(size=size),
        knows_method=knows_method,
    )
    tolerance = ga.Tolerance(identity=identity, share=share)
    if see(ga.Release(held), attacker, ga.Effort()).contradiction is None:
        assert keeps(held, attacker, tolerance) == measured_safe(held, attacker, tolerance)
    else:
        with pytest.raises(ga.CheckFailed, match="known pairs"):
            keeps(held, attacker, tolerance)


@sized(300)
@given(
    rows=rows_with_pairs,
    least=fractions("1/3", 1, max_denominator=6),
    average=SMALL,
    pairs=st.booleans(),
    knows_method=st.booleans(),
)
def test_the_judge_refines_what_is_believed_of_items_that_imply_each_other(
    rows: list[set[int]], least: Fraction, average: Fraction, pairs: bool, knows_method: bool
) -> None:
    held = transactions(rows)
    assume(len(held.labels) > 1)
    attacker = ga.KnowsFrequencies(
        belief=ga.Belief.around("1/5"),
        known_pairs=ga.KnownPairs(use="refine", at_least=least),
        targets="pairs" if pairs else "items",
        knows_method=knows_method,
    )
    tolerance = (
        ga.Tolerance(identity="1/2", share=min(average, Fraction(9, 10)))
        if pairs
        else ga.Tolerance(average=average)
    )
    assume(see(ga.Release(held), attacker, ga.Effort()).contradiction is None)

    assert keeps(held, attacker, tolerance) == measured_safe(held, attacker, tolerance)


@sized(200)
@given(
    counts=st.lists(st.integers(0, 6), min_size=1, max_size=5).filter(any),
    data=st.data(),
    average=SMALL,
    knows_method=st.booleans(),
)
def test_beliefs_of_any_kind_are_judged_exactly(
    counts: list[int], data: st.DataObject, average: Fraction, knows_method: bool
) -> None:
    ranges = data.draw(beliefs(counts, right=data.draw(st.booleans()))) or {0: (Fraction(0), Fraction(1))}
    some = candidates(counts, ranges)
    possible = next(oracle.mappings(some), None) is not None
    counted, softly = (
        (oracle.likeliest_chances, oracle.soft_likeliest_chances)
        if knows_method
        else (oracle.crack_chances, oracle.soft_chances)
    )
    chances = counted(some) if possible else softly(some, Fraction(1, 10 * len(counts)))
    attacker = ga.KnowsFrequencies(belief=intervals(ranges), knows_method=knows_method)
    expected = sum(chances, Fraction(0)) / len(counts)

    assert keeps(baskets(counts), attacker, ga.Tolerance(average=average)) == (expected <= average)
    limit = Fraction(1, 2)
    half = sum(chance > limit or (not knows_method and chance == limit) for chance in chances)
    assert keeps(baskets(counts), attacker, ga.Tolerance(identity="1/2", share="1/4")) == (
        4 * half <= len(counts)
    )


NEAR = Fraction(1, 10**6)


@pytest.mark.parametrize("knows_method", [True, False])
def test_the_judge_gives_nothing_away_at_the_limit(knows_method: bool) -> None:
    """Each limit is kept to the last digit where mappings can be counted: any slack would be seen here."""
    held = baskets([1, 2, 3, 5, 5, 8, 8, 8, 11])

    def edge(value: Fraction, ask: Any, attacker: ga.KnowsFrequencies) -> None:
        assert 0 < value < 1
        assert keeps(held, attacker, ask(value))
        assert not keeps(held, attacker, ask(value - NEAR))

    plain = ga.KnowsFrequencies(knows_method=knows_method)
    risk = ga.assess(ga.Release(held), plain, ga.Tolerance(average="999/1000")).findings[0].risk
    assert risk is not None
    edge(Fraction(risk.average or 0), lambda limit: ga.Tolerance(average=limit), plain)
    assert risk.worst is not None
    chances = sorted({Fraction(one.chance) for one in risk.exposures})
    share = Fraction(sum(one.chance >= chances[-2] for one in risk.exposures), len(risk.exposures))
    # A chance that equals the limit is over it for the attacker of the paper alone.
    over, within = (chances[-2] - NEAR, chances[-2]) if knows_method else (chances[-2], chances[-2] + NEAR)
    edge(share, lambda limit: ga.Tolerance(identity=over, share=limit), plain)
    assert keeps(held, plain, ga.Tolerance(identity=within, share=share - NEAR))
    pairs = ga.KnowsFrequencies(targets="pairs", knows_method=knows_method)
    found = ga.assess(ga.Release(held), pairs, ga.Tolerance(identity="49/100")).findings[0].risk
    assert found is not None
    edge(Fraction(found.share or 0), lambda limit: ga.Tolerance(identity="49/100", share=limit), pairs)


def believed_total(data: ga.Transactions, attacker: ga.KnowsFrequencies) -> Fraction:
    found = believed.believed(rows_of(data), data, (), codes_of(data), vars(attacker)).graph.estimated_total
    assert found is not None
    return found


@pytest.mark.parametrize("knows_method", [True, False])
def test_an_estimate_is_judged_with_what_it_may_be_too_low_by(
    knows_method: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = baskets(list(range(1, 13)))
    attacker = ga.KnowsFrequencies(belief=ga.Belief.around("1/6"), knows_method=knows_method)
    true = ga.assess(ga.Release(held), attacker, ga.Tolerance(average="999/1000")).findings[0].risk
    assert true is not None
    exact = Fraction(true.average or 0)
    monkeypatch.setattr(mappings, "WORK", 0)

    most = believed_total(held, attacker) / 12
    assert exact < most < exact * Fraction(6, 5)
    assert keeps(held, attacker, ga.Tolerance(average=most))
    with pytest.raises(ga.NotConfirmed, match="only be bounded"):
        keeps(held, attacker, ga.Tolerance(average=most - NEAR))
    for limit in (exact * Fraction(21, 20), exact, exact / 2):
        with pytest.raises(ga.NotConfirmed, match="only be bounded"):
            keeps(held, attacker, ga.Tolerance(average=limit))
    with pytest.raises(ga.NotConfirmed):
        keeps(held, attacker, ga.Tolerance(identity="1/2"))
    assert keeps(baskets([4, 4, 4, 5, 5, 5]), attacker, ga.Tolerance(identity="1/2"))


def test_sets_that_were_drawn_are_judged_as_all_sets_are() -> None:
    """Which sets were drawn is not told, and need not be: the promise is about all of them."""
    held = baskets([1, 2, 3, 4, 5, 6, 7, 8])
    for sample in (3, 50):
        known = papers_attacker(belief=ga.Belief.exact(), targets=ga.Itemsets(size=3, sample=sample))
        vague = papers_attacker(belief=ga.Belief.ignorant(), targets=ga.Itemsets(size=3, sample=sample))
        assert not keeps(held, known, ga.Tolerance(identity="1/2", share="9/10"))
        assert keeps(held, vague, ga.Tolerance(identity="1/2"))


def test_sets_of_too_many_kinds_are_drawn_by_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    held, sets = baskets([1, 2, 3, 5, 5, 8, 8, 8, 11]), ga.Itemsets(size=3, sample=10)
    attacker = papers_attacker(targets=sets)
    whole = papers_attacker(targets=ga.Itemsets(size=3))
    found = ga.assess(ga.Release(held), whole, ga.Tolerance(identity="1/8")).findings[0].risk
    assert found is not None
    share = Fraction(found.share or 0)
    monkeypatch.setattr(itemsets, "MOST", 1)

    assert 0.1 < share < 0.9
    assert keeps(held, attacker, ga.Tolerance(identity="1/8", share=share + Fraction(1, 20)))
    assert not keeps(held, attacker, ga.Tolerance(identity="1/8", share=share - Fraction(1, 20)))
    with pytest.raises(ga.NotConfirmed):
        keeps(held, attacker, ga.Tolerance(identity="1/8", share=share))


def test_none_of_the_drawn_sets_is_not_none_of_all_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    held = baskets([1, 2, 3, 5, 5, 8, 8, 8, 11])
    attacker = papers_attacker(belief=ga.Belief.ignorant(), targets=ga.Itemsets(size=3, sample=10))
    monkeypatch.setattr(itemsets, "MOST", 1)
    monkeypatch.setattr(itemsets, "DRAWN", 1000)

    assert keeps(held, attacker, ga.Tolerance(identity="1/2", share="1/200"))
    with pytest.raises(ga.NotConfirmed):
        keeps(held, attacker, ga.Tolerance(identity="1/2"))


APART = [{0, 1}, {0, 1}, {0, 1, 2}, {2, 3}, {2, 3}, {3, 4}, {4}, {4, 5}, {5, 0}, {5}]


def apart_chances(*, knows_method: bool = False) -> list[Fraction]:
    """Return the chances over the mappings that put neither 0 and 3 nor 1 and 4 together, by listing them all."""
    counts = [sum(item in row for row in APART) for item in range(6)]
    some = [{j for j in range(6) if abs(counts[j] - counts[i]) <= 1} for i in range(6)]
    together = {frozenset(pair) for row in APART for pair in combinations(row, 2)}
    left = [
        one
        for one in oracle.mappings(some)
        if not any(frozenset((one[a], one[b])) in together for a, b in ((0, 3), (1, 4)))
    ]
    guess = [Counter(one[i] for one in left).most_common(1)[0][0] if knows_method else i for i in range(6)]
    return [Fraction(sum(one[i] == guess[i] for one in left), len(left)) for i in range(6)]


NEVER = ga.KnownPairs(never=[("i0", "i3"), ("i1", "i4")])


def apart(**how: Any) -> ga.KnowsFrequencies:
    return papers_attacker(belief=ga.Belief.around("1/10"), known_pairs=NEVER, **how)


@pytest.mark.parametrize("knows_method", first(1, [True, False]))
def test_pairs_known_to_be_apart_are_judged_by_mappings_drawn_independently(knows_method: bool) -> None:
    held, chances = transactions(APART), apart_chances(knows_method=knows_method)
    average, attacker = sum(chances) / 6, apart(knows_method=knows_method)

    assert keeps(
        held,
        attacker,
        ga.Tolerance(average=average + Fraction(1, 50), identity=max(chances) + Fraction(1, 20)),
    )
    assert not keeps(held, attacker, ga.Tolerance(average=average - Fraction(1, 50)))
    assert not keeps(held, attacker, ga.Tolerance(identity=min(chances) - Fraction(1, 20), share="9/10"))
    for limit in ({"average": average}, {"identity": max(chances)}):
        with pytest.raises(ga.NotConfirmed):
            keeps(held, attacker, ga.Tolerance(**limit))


@pytest.mark.parametrize(
    ("order", "compliance"), [("worst", "1/3"), ("best", "1/3"), ("frequency", "1/2"), ("random", "1/2")]
)
def test_with_pairs_apart_some_items_may_be_believed_correctly(
    order: Any, compliance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "MAPPINGS", 2000)
    held, chances = transactions(APART), apart_chances()
    counts = [sum(item in row for row in APART) for item in range(6)]
    number = int(6 * Fraction(compliance))
    total = {
        "worst": sum(sorted(chances)[-number:]),
        "best": sum(sorted(chances)[:number]),
        "frequency": sum(chances[item] for item in sorted(range(6), key=counts.__getitem__)[:number]),
        "random": sum(chances) / 2,
    }[order]
    attacker = apart(compliance=compliance, order=order)

    assert keeps(held, attacker, ga.Tolerance(average=total / 6 + Fraction(1, 40)))
    assert not keeps(held, attacker, ga.Tolerance(average=total / 6 - Fraction(1, 40)))


def test_with_pairs_apart_sets_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MAPPINGS", 2000)
    held = transactions(APART)

    assert keeps(held, apart(targets="pairs"), ga.Tolerance(identity="9/10"))
    assert not keeps(
        held, apart(targets=ga.Itemsets(size=2, sample=3)), ga.Tolerance(identity="1/50", share="1/15")
    )
    assert not keeps(held, apart(targets=[["i0"], ["i1", "i2"]]), ga.Tolerance(identity="1/50", share="1/3"))


def test_too_few_mappings_with_pairs_apart_leave_it_unconfirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MAPPINGS", 200)
    with pytest.raises(ga.NotConfirmed, match="Too few mappings"):
        keeps(transactions(APART), apart(), ga.Tolerance(average=1))


def test_what_was_not_promised_is_not_confirmed() -> None:
    held = baskets([1, 4, 4])
    with pytest.raises(ga.NotConfirmed, match="Nothing that was promised"):
        keeps(held, papers_attacker(), ga.Tolerance(attribute="1/2"))
    with pytest.raises(ga.NotConfirmed, match="Nothing that was promised"):
        keeps(held, papers_attacker(targets="pairs"), ga.Tolerance(average="1/2"))
    with pytest.raises(ga.NotConfirmed, match="Nothing that was promised"):
        keeps(held, papers_attacker(targets=ga.Itemsets(size=4)), ga.Tolerance(identity="1/2"))


@pytest.mark.parametrize(
    ("attacker", "gone"),
    [
        (papers_attacker(of_interest=["i0"]), ["i0"]),
        (papers_attacker(targets=[["i0", "i1"]]), ["i1"]),
        (papers_attacker(targets="pairs"), ["i0", "i1"]),
        (papers_attacker(targets=ga.Itemsets(size=3)), ["i2"]),
        (papers_attacker(targets="pairs", of_interest=["i0", "i1"]), ["i1"]),
        (papers_attacker(targets=ga.Itemsets(size=2, with_any=["i1"])), ["i1"]),
    ],
)
def test_targets_that_are_all_withheld_are_not_recognised(
    attacker: ga.KnowsFrequencies, gone: list[str]
) -> None:
    held = baskets([1, 4, 4])
    asked = promise(attacker, ga.Tolerance(identity="1/2"))

    assert judge.keeps(rows_of(held, tuple(gone)), held, gone, codes_of(held), asked)


def test_what_is_not_confirmed_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ga.assess(
        ga.Release(baskets(list(range(1, 13)))), papers_attacker(), ga.Tolerance(average="9/10")
    )
    monkeypatch.setattr(mappings, "WORK", 0)
    monkeypatch.setattr(recognising, "scaled", lambda kinds, _, **__: dict.fromkeys(kinds, 1.0))

    assert found.safe
    with pytest.raises(ga.NotConfirmed):
        found.publish(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_items_that_are_not_renamed_or_miscounted_are_refused() -> None:
    held, attacker = baskets([1, 4, 4]), papers_attacker()
    asked = promise(attacker, ga.Tolerance(average=1))

    with pytest.raises(ga.CheckFailed, match="not renamed"):
        judge.keeps(rows_of(held), held, (), None, asked)
    short = rows_of(held)
    short[frozenset()] += 1
    short[next(row for row in short if row)] -= 1
    with pytest.raises(ga.CheckFailed, match="as in the original"):
        judge.keeps(short, held, (), codes_of(held), asked)


def test_a_release_that_only_seems_safe_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FrequenciesQuestion, "expected", Fraction(0))
    found = ga.assess(
        ga.Release(baskets([1, 4, 8, 11])),
        papers_attacker(belief=ga.Belief.exact()),
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
        ga.Release(data), papers_attacker(belief=ga.Belief.exact()), ga.Tolerance(average="1/2")
    )

    assert safer.withheld.items == ("i0",)
    assert safer.publish(tmp_path / "out").written
