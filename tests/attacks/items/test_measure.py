from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles import items as oracle
from tests.oracles.build import transactions
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.asked import questions
from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.measure import after, measure
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.errors import BudgetExceeded, ScenarioError
from giveaway.model.answer.risk import Curve, Exposure, HoldsUpTo, Risk
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release, Withheld

Rows = list[set[str]]
PRIVATE = ("y", "z")
FIGURE_1 = [
    {"a", "b", "e", "f", "s1"},
    {"c", "e", "f", "g", "s2"},
    {"a", "b", "g", "s3"},
    {"a", "b", "f", "g", "s2"},
    {"a", "b", "d", "g", "s2"},
    {"e", "f", "g", "s1"},
    {"b", "e", "f", "g", "s3"},
]

some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdeyz")), st.integers(1, 3)), min_size=1, max_size=7
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])
limits = st.one_of(st.none(), fractions(Fraction(1, 5), 1, max_denominator=5))
crowds = st.one_of(st.none(), st.integers(1, 5))
quick = settings(max_examples=150)


def private_in(rows: Rows) -> list[str]:
    return [item for item in PRIVATE if any(item in row for row in rows)]


def measured(rows: Rows, at_most: int, tolerance: Tolerance, need: NeedsItemsets | None = None) -> Risk:
    return measure(
        Release(transactions(rows, private_in(rows))), KnowsItems(at_most=at_most), tolerance, need, Effort()
    )


def figure_1(tolerance: Tolerance, need: NeedsItemsets | None = None, at_most: int = 3) -> Risk:
    release = Release(transactions(FIGURE_1, ["s1", "s2", "s3"]))
    return measure(release, KnowsItems(at_most=at_most), tolerance, need, Effort())


def curve(risk: Risk, name: str) -> Curve:
    return next(curve for curve in risk.curves if curve.name == name)


class Truth:
    """What brute force says of a question."""

    def __init__(self, rows: Rows, at_most: int, tolerance: Tolerance) -> None:
        self.private = private_in(rows)
        self.k = tolerance.smallest_crowd
        self.h = Fraction(1) if tolerance.attribute is None else tolerance.attribute
        self.occurring = oracle.occurring(rows, self.private, at_most)
        hopeless = oracle.empty_set_is_mole(rows, self.private, self.h, self.k)
        self.moles = self.occurring if hopeless else oracle.moles(rows, self.private, self.h, self.k, at_most)
        self.exposed = [
            len(oracle.exposed_rows(rows, self.private, self.h, self.k, known))
            for known in range(1, at_most + 4)
        ]
        self.worst_breach = max(oracle.breach(rows, self.private, one) for one in self.occurring)


def tolerance_of(
    crowd: int | None, limit: Fraction | None, share: Fraction = Fraction(0)
) -> Tolerance | None:
    if crowd is None and limit is None:
        return None
    return Tolerance(identity=None if crowd is None else Fraction(1, crowd), attribute=limit, share=share)


@sized(150)
@given(rows=some_rows, at_most=st.integers(1, 4), crowd=crowds, limit=limits)
def test_figures_equal_brute_force(
    rows: Rows, at_most: int, crowd: int | None, limit: Fraction | None
) -> None:
    tolerance = tolerance_of(crowd, limit)
    if tolerance is None or not set().union(*rows) - set(PRIVATE):
        return
    risk = measured(rows, at_most, tolerance, NeedsItemsets(min_support=2))
    truth = Truth(rows, at_most, tolerance)
    figures = risk.figures
    assert figures["transactions"] == len(rows)
    assert figures["items"] == len(set().union(*rows))
    assert figures["private_items"] == len(truth.private)
    assert figures["moles"] == len(truth.moles)
    assert figures["minimal_moles"] == len(oracle.minimal(truth.moles))
    assert risk.over == sum(one.chance > getattr(tolerance, one.kind) for one in risk.exposures)
    assert figures["exposed_transactions"] == truth.exposed[at_most - 1]
    assert figures["smallest_support"] == min(truth.occurring.values())
    assert figures["worst_breach"] == truth.worst_breach
    assert figures["nuggets"] == risk.kept["nuggets_total"] == len(oracle.nuggets(rows, 2))
    assert risk.share == Fraction(truth.exposed[at_most - 1], len(rows))
    assert bool(risk.reasons) == bool(truth.exposed[at_most - 1])


@quick
@given(rows=some_rows, at_most=st.integers(1, 3), crowd=crowds, limit=limits, share=st.sampled_from([0, 0.3]))
def test_the_breaking_point_is_the_last_strength_within_tolerance(
    rows: Rows, at_most: int, crowd: int | None, limit: Fraction | None, share: float
) -> None:
    tolerance = tolerance_of(crowd, limit, Fraction(str(share)))
    if tolerance is None or not set().union(*rows) - set(PRIVATE):
        return
    risk = measured(rows, at_most, tolerance)
    exposed = Truth(rows, at_most, tolerance).exposed
    broken = [known for known, count in enumerate(exposed, 1) if count > tolerance.share * len(rows)]
    if broken:
        assert risk.holds_up_to == HoldsUpTo(value=broken[0] - 1 or None, unit="items")
    else:
        whole = max(len(set(row) - set(PRIVATE)) for row in rows) <= at_most + 3
        assert risk.holds_up_to == HoldsUpTo(
            value=at_most + 3, unit="items", at_least=True, whole_scale=whole
        )
    assert risk.figures["breaking_point"] == risk.holds_up_to.value
    strength = curve(risk, "strength")
    assert strength.y == tuple(count / len(rows) for count in exposed[: len(strength.y)])
    assert strength.limit == float(tolerance.share)


@sized(150)
@given(rows=some_rows, at_most=st.integers(1, 4), crowd=crowds, limit=limits)
def test_exposures_are_the_worst_of_each_kind_and_the_minimal_moles(
    rows: Rows, at_most: int, crowd: int | None, limit: Fraction | None
) -> None:
    tolerance = tolerance_of(crowd, limit)
    if tolerance is None or not set().union(*rows) - set(PRIVATE):
        return
    risk = measured(rows, at_most, tolerance)
    truth = Truth(rows, at_most, tolerance)
    listed = list(risk.exposures)
    heads = worst_of_each_kind(risk)
    assert listed[: len(heads)] == heads
    for part in (heads, listed[len(heads) :]):
        keys = [(-one.chance, len(one.target), one.target, one.kind == "attribute") for one in part]
        assert keys == sorted(keys)
    assert all(len(one.because) <= 110 for one in listed)
    chances = {(frozenset(one.target), one.kind): one.chance for one in listed}
    assert len(chances) == len(listed)
    for (target, kind), chance in chances.items():
        own = oracle.breach(rows, truth.private, target)
        assert chance == (Fraction(1, truth.occurring[target]) if kind == "identity" else own)
    if not truth.moles:
        assert len(listed) <= 5
        return
    expected = {}
    for mole in oracle.minimal(truth.moles):
        support = oracle.support(rows, mole)
        breach = oracle.breach(rows, truth.private, mole)
        if crowd is not None and support < truth.k:
            expected[mole, "identity"] = Fraction(1, support)
        if limit is not None and breach > truth.h:
            expected[mole, "attribute"] = breach
    further = {(frozenset(one.target), one.kind) for one in heads}
    assert {
        key: chance for key, chance in chances.items() if key in expected or key not in further
    } == expected


def worst_of_each_kind(risk: Risk) -> list[Exposure]:
    """Return the first exposure of each kind, having checked that its chance is what is said to be the worst."""
    heads = []
    for level in risk.levels:
        own = [one for one in risk.exposures if one.kind == level.kind]
        assert max((one.chance for one in own), default=0) == level.worst
        heads += own[:1]
    assert all(one.chance == level.worst for one in heads for level in risk.levels if level.kind == one.kind)
    return sorted(heads, key=lambda one: (-one.chance, len(one.target), one.target))


@quick
@given(rows=some_rows, at_most=st.integers(1, 4), crowd=st.integers(1, 5))
def test_the_chances_curve_bins_all_combinations_that_occur(rows: Rows, at_most: int, crowd: int) -> None:
    if not set().union(*rows) - set(PRIVATE):
        return
    chances = curve(measured(rows, at_most, Tolerance(identity=Fraction(1, crowd))), "chances")
    supports = oracle.occurring(rows, private_in(rows), at_most).values()
    edges = sorted({*(Fraction(i, 20) for i in range(21)), Fraction(1, crowd)})
    assert chances.x == tuple(float(edge) for edge in edges[1:])
    assert chances.y == tuple(
        sum(low < Fraction(1, support) <= high for support in supports) for low, high in pairwise(edges)
    )


def test_figure_1_is_measured_as_the_paper_says() -> None:
    risk = figure_1(Tolerance(identity="1/3", attribute="1/2"), NeedsItemsets(min_support=4))
    assert risk.figures["moles"] == 26
    assert [("".join(map(str, one.target)), one.kind) for one in risk.exposures] == [
        ("c", "identity"),
        ("c", "attribute"),
        ("d", "identity"),
        ("d", "attribute"),
        ("ae", "identity"),
        ("ae", "attribute"),
        ("ag", "attribute"),
        ("af", "identity"),
        ("be", "identity"),
        ("bfg", "identity"),
    ]
    assert risk.reasons == ("6 of 7 transactions can be singled out or give away a private item.",)
    assert {level.kind: (level.worst, level.baseline) for level in risk.levels} == {
        "identity": (1, Fraction(1, 7)),
        "attribute": (1, Fraction(3, 7)),
    }


def test_sentences_say_why_with_counts() -> None:
    listed = {
        (one.target, one.kind): one for one in figure_1(Tolerance(identity="1/3", attribute="1/2")).exposures
    }
    single = listed[("a", "e"), "identity"]
    inferred = listed[("a", "g"), "attribute"]
    assert single.because == "Exactly 1 of 7 transactions holds both. Alone: 4 and 4 transactions."
    assert inferred.because == "3 transactions hold both; 2 of them hold s2. Without the release: 42.9 %."
    assert (inferred.chance, inferred.value, inferred.baseline) == (Fraction(2, 3), "s2", Fraction(3, 7))


def test_the_worked_example_narrows_the_crowd_step_by_step() -> None:
    release = Release(transactions(FIGURE_1, ["s1", "s2", "s3"]), Withheld(items=["c", "d", "e", "f"]))
    risk = measure(release, KnowsItems(at_most=2), Tolerance(attribute="1/2"), None, Effort())
    assert [(step.label, step.count) for step in risk.worked] == [
        ("all transactions", 7),
        ("with g", 6),
        ("with g and a", 3),
        ("of them with s2", 2),
    ]


def test_a_private_item_that_is_too_frequent_exposes_everybody_and_is_named() -> None:
    risk = figure_1(Tolerance(attribute="2/5"))
    assert risk.share == 1
    assert risk.over == 7
    assert "'s2'" in risk.reasons[0]
    assert all(one.chance >= Fraction(3, 7) for one in risk.exposures)


def test_too_few_transactions_expose_everybody() -> None:
    risk = measured([{"a"}, set()], 1, Tolerance(identity="1/3"))
    assert risk.share == 1
    assert risk.figures["moles"] == risk.figures["minimal_moles"] == 1
    assert "fewer than the 3" in risk.reasons[0]


def test_a_larger_combination_may_be_worse_than_every_minimal_mole() -> None:
    rows = [{"a", "b", "z"}, {"a", "z"}, {"a"}, {"b"}, {"b"}, {"c"}, {"c"}]
    risk = measured(rows, 2, Tolerance(attribute="1/2"))
    assert [(one.target, one.chance) for one in risk.exposures] == [(("a", "b"), 1), (("a",), Fraction(2, 3))]
    assert risk.figures["worst_breach"] == 1
    assert (risk.over, risk.figures["minimal_moles"]) == (2, 1)
    assert [(step.label, step.count) for step in risk.worked] == [
        ("all transactions", 7),
        ("with a", 3),
        ("with a and b", 1),
        ("of them with z", 1),
    ]


def test_what_nothing_tells_better_than_all_transactions_do_is_said_so() -> None:
    risk = measured([{"z"}, {"z"}, {"a"}, {"a"}], 1, Tolerance(attribute="1/2"))
    assert [(one.target, one.chance) for one in risk.exposures] == [(("a",), Fraction(1, 2))]
    assert risk.exposures[0].because == "2 of all 4 transactions hold z, whatever else is known."
    assert [(step.label, step.count) for step in risk.worked] == [
        ("all transactions", 4),
        ("of them with z", 2),
    ]


def test_sentences_say_which_combinations_they_count() -> None:
    rows = [{"a", "b", "c"}, {"a", "b"}, {"a", "b"}, {"a"}, {"a"}]
    risk = measured(rows, 2, Tolerance(identity="1/3"))
    assert risk.how.detail == (
        "Every combination of up to 2 items was judged. 3 of 6 are over your limits, 1 of them as small as can be; "
        "the other 2 only add items to one of these."
    )
    assert curve(risk, "chances").says == (
        "3 of the 6 combinations of up to 2 items that occur are held by fewer than 3 transactions. Those that only add "
        "items to a smaller one are counted too."
    )
    assert curve(risk, "strength").says == (
        "Knowing up to 2 items exposes 1 of 5 transactions; the release breaks with one item."
    )


def test_what_is_withheld_is_not_measured_but_counts_as_not_kept() -> None:
    release = Release(transactions(FIGURE_1, ["s1", "s2", "s3"]), Withheld(items=["a", "b", "c", "d"]))
    need = NeedsItemsets(min_support=4)
    risk = measure(release, KnowsItems(at_most=3), Tolerance(identity="1/3", attribute="1/2"), need, Effort())
    assert risk.over == 0
    assert risk.kept == {
        "item_occurrences": 22,
        "item_occurrences_total": 33,
        "nuggets": 5,
        "nuggets_total": 9,
    }
    assert len(risk.exposures) == 5


def test_a_search_beyond_the_attacker_that_costs_too_much_spoils_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("giveaway.attacks.items.reporting.details.FURTHER_BUDGET", -1)
    risk = measured([{"a", "b", "c"}] * 3, 1, Tolerance(identity="1/3"))
    assert risk.share == 0
    assert risk.holds_up_to == HoldsUpTo(value=1, unit="items", at_least=True)


def test_an_attacker_stronger_than_the_longest_row_is_no_problem() -> None:
    risk = measured([{"a", "b"}] * 3, 1000, Tolerance(identity="1/3"))
    assert risk.holds_up_to == HoldsUpTo(value=1003, unit="items", at_least=True, whole_scale=True)
    assert curve(risk, "strength").x == (1.0, 2.0)


def test_an_exposure_is_followed_to_a_release_that_withholds_more() -> None:
    release = Release(transactions(FIGURE_1, ["s1", "s2", "s3"]), Withheld(items=["a"]))
    listed = {
        (one.target, one.kind): one for one in figure_1(Tolerance(identity="1/3", attribute="1/2")).exposures
    }
    assert after(listed[("a", "e"), "identity"], release) == "withheld"
    assert after(listed[("b", "e"), "identity"], release) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("rows", "private", "tolerance", "message"),
    [
        ([{"z"}], ["z"], Tolerance(identity="1/2"), "No public item"),
        ([set()], [], Tolerance(identity="1/2"), "No public item"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    rows: Rows, private: list[str], tolerance: Tolerance, message: str
) -> None:
    with pytest.raises(ScenarioError, match=message):
        measure(Release(transactions(rows, private)), KnowsItems(at_most=1), tolerance, None, Effort())


def test_a_measurement_over_budget_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giveaway.moles.search._BLOCK", 10)
    monkeypatch.setattr("giveaway.moles.search.mine.__kwdefaults__", {"budget": 10})
    with pytest.raises(BudgetExceeded):
        figure_1(Tolerance(identity="1/3"))


def test_a_tolerance_without_identity_and_attribute_is_refused() -> None:
    release = Release(transactions([{"a"}]))
    with pytest.raises(ScenarioError, match="no limit that the attack items is judged by"):
        questions(release, KnowsItems(at_most=1), Tolerance(average="1/2"), (), {})


def test_at_risk_stands_when_the_other_moles_are_too_many_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many(*_: object, **__: object) -> None:
        raise BudgetExceeded("Too many.", hint="ask for less.")

    monkeypatch.setattr("giveaway.itemsets.occurring.counter", too_many)
    release = Release(transactions([["a", "b"], ["a", "b"], ["a", "c"]]))
    risk = measure(release, KnowsItems(at_most=2), Tolerance(identity="1/2"), None, Effort())

    assert risk.share == Fraction(1, 3)
    assert [level.worst for level in risk.levels] == [1]
    assert risk.figures["moles"] is None
    assert "too many to count" in risk.how.detail


@sized(150)
@given(rows=some_rows, at_most=st.integers(1, 3), head=st.integers(1, 3))
def test_of_very_many_exposures_the_first_are_the_first(rows: Rows, at_most: int, head: int) -> None:
    if not set().union(*rows) - set(PRIVATE):
        return
    whole = list(measured(rows, at_most, Tolerance(identity="1/3", attribute="1/2")).exposures)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("giveaway.attacks.items.reporting.exposures.HEAD", head)
        patch.setattr("giveaway.attacks.items.reporting.exposures.MANY", head)
        some = measured(rows, at_most, Tolerance(identity="1/3", attribute="1/2")).exposures
        assert list(some[:2]) == whole[:2]
        assert list(some) == whole


def test_the_curve_of_strength_goes_to_a_stated_end_and_the_verdict_does_not_change() -> None:
    rows = [["a", "b", "c", "d"], ["a", "b", "c"], ["a", "b"], ["a"], ["a"]]
    release = ga.Release(ga.Transactions.from_lists(rows))
    asked = ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/3")

    def strength(**effort: int) -> tuple[ga.Assessment, dict[float, float]]:
        found = ga.assess(release, *asked, effort=ga.Effort(**effort))
        curve = next(one for one in found.findings[0].risk.curves if one.name == "strength")
        return found, dict(zip(curve.x, curve.y, strict=True))

    usual, short = strength()
    wanted, long = strength(strength=8)

    assert short == {1: 2 / 5}
    assert long == dict.fromkeys((1, 2, 3, 4), 2 / 5)  # nobody knows more than four of four items
    assert strength(strength=2)[1] == {1: 2 / 5, 2: 2 / 5}
    for name in ("safe", "reasons"):
        assert getattr(wanted.findings[0], name) == getattr(usual.findings[0], name)
    assert wanted.findings[0].risk.holds_up_to == usual.findings[0].risk.holds_up_to


@pytest.mark.parametrize("strength", [0, 101, True, 2.5])
def test_an_end_that_is_no_number_of_items_is_refused(strength: int) -> None:
    with pytest.raises(ga.ScenarioError, match="strength"):
        ga.Effort(strength=strength)
