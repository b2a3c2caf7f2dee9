"""What an attacker may be said to know, and what is refused with one clear error."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.attacks.frequencies.cases import baskets, supports

import giveaway as ga

AVERAGE = ga.Tolerance(average="1/10")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: ga.Belief.intervals({"a": (0.5, 0.2)}), "which is lower"),
        (lambda: ga.Belief.intervals({"a": (-1, 0.2)}), "between 0 and 1"),
        (lambda: ga.Belief.intervals({"a": 0.5}), "not a pair"),
        (lambda: ga.Belief.intervals({}), "names no item"),
        (lambda: ga.Belief.around("medium gap"), "unknown"),
        (lambda: ga.Belief.around(2), "from 0 to 1"),
        (lambda: ga.Belief.from_sample([["a"]]), "made of Transactions"),
        (lambda: ga.KnowsFrequencies(compliance=1.5), "from 0 to 1"),
        (lambda: ga.KnowsFrequencies(compliance="-1/2"), "from 0 to 1"),
        (lambda: ga.KnowsFrequencies(compliance=0.5, belief=ga.Belief.intervals({"a": (0, 1)})), "found out"),
        (
            lambda: ga.KnowsFrequencies(compliance=0.5, belief=ga.Belief.from_sample(baskets([1]))),
            "found out",
        ),
        (lambda: ga.KnowsFrequencies(belief="exact"), "not a belief"),
        (lambda: ga.KnowsFrequencies(order="good"), "unknown"),
        (lambda: ga.KnowsFrequencies(targets="triples"), "unknown"),
        (lambda: ga.KnowsFrequencies(targets=[]), "no itemset"),
        (lambda: ga.KnowsFrequencies(targets=[[]]), "at least one item"),
        (lambda: ga.KnowsFrequencies(targets=[["a", "a"]]), "each once"),
        (lambda: ga.KnowsFrequencies(targets=["ab"]), "not an itemset"),
        (lambda: ga.KnowsFrequencies(of_interest="ab"), "not one text"),
        (
            lambda: ga.KnowsFrequencies(targets=[["a", "b"]], of_interest=["a"]),
            "itemsets are listed as targets",
        ),
        (lambda: ga.Itemsets(size=2, with_any="ab"), "with_any is a list"),
        (lambda: ga.KnownPairs(top=1, candidates=2, candidates_at_least=0.5), "both given"),
        (lambda: ga.KnownPairs(top=1, candidates_at_least=2), "at most 1"),
        (lambda: ga.KnownPairs(never=[("a", "b")], candidate_pairs=[("a", "b")]), "without known pairs"),
        (lambda: ga.Itemsets(size=0), "at least 1"),
        (lambda: ga.Itemsets(size=2, sample=0), "at least 1"),
        (lambda: ga.Itemsets(size=2, without_top=1), "below 1"),
        (ga.KnownPairs, "names no pair"),
        (lambda: ga.KnownPairs(top=0), "at least 1"),
        (lambda: ga.KnownPairs(top=1, pairs=[("a", "b")]), "both given"),
        (lambda: ga.KnownPairs(pairs=[("a", "a")]), "two different items"),
        (lambda: ga.KnownPairs(pairs=["ab"]), "two different items"),
        (lambda: ga.KnownPairs(pairs=[("a", "b")], candidate_pairs={("a", "b"): [("a", "b")]}), "both given"),
        (lambda: ga.KnownPairs(top=1, candidate_pairs={("a", "b"): [("a", "b")]}), "both given"),
        (lambda: ga.KnownPairs(candidate_pairs={("a", "b"): []}), "has no candidates"),
        (lambda: ga.KnownPairs(candidate_pairs={("a", "b"): ["ab"]}), "two different items"),
        (lambda: ga.KnownPairs(candidate_pairs={}), "names no pair"),
        (lambda: ga.KnownPairs(use="guess", top=1), "unknown"),
        (lambda: ga.KnownPairs(use="refine", top=3), "belong to filtering"),
        (lambda: ga.KnownPairs(use="refine", at_least=0), "above 0"),
        (lambda: ga.Transactions.from_lists([["a"]], domain=["b", "b"]), "domain names 'b' twice"),
        (lambda: ga.KnownPairs(candidates=3, never=[("a", "b")]), "without known pairs"),
    ],
)
def test_what_makes_no_sense_is_refused(made: Any, said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        made()


@pytest.mark.parametrize(
    ("attacker", "said"),
    [
        (ga.KnowsFrequencies(belief=ga.Belief.intervals({"x": (0, 1)})), "The belief names 'x'"),
        (ga.KnowsFrequencies(of_interest=["x", "y"]), "of_interest names 'x' and 1 more"),
        (ga.KnowsFrequencies(known_pairs=ga.KnownPairs(pairs=[("i0", "x")])), "A known pair names 'x'"),
        (ga.KnowsFrequencies(known_pairs=ga.KnownPairs(never=[("i0", "x")])), "A known pair names 'x'"),
    ],
)
def test_items_that_do_not_exist_are_refused(attacker: ga.KnowsFrequencies, said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        ga.assess(ga.Release(baskets([1, 2, 3])), attacker, AVERAGE)


@pytest.mark.parametrize(
    ("attacker", "said"),
    [
        (ga.KnowsFrequencies(targets="pairs"), "only single items"),
        (ga.KnowsFrequencies(known_pairs=ga.KnownPairs(top=1)), "occur together"),
    ],
)
def test_supports_answer_for_single_items_alone(attacker: ga.KnowsFrequencies, said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        ga.assess(ga.Release(supports([1, 2, 3])), attacker, ga.Tolerance(identity="1/2"))


def test_other_attacks_refuse_supports_and_this_one_a_table() -> None:
    with pytest.raises(ga.ScenarioError, match="needs Transactions, the release holds a Supports"):
        ga.assess(ga.Release(supports([1])), ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    table = ga.Table.from_rows([{"a": "1", "b": "2"}], sensitive="b")
    with pytest.raises(ga.ScenarioError, match="needs Transactions or Supports, the release holds a Table"):
        ga.assess(ga.Release(table), ga.KnowsFrequencies(), AVERAGE)
    with pytest.raises(ga.ScenarioError, match="average, identity"):
        ga.assess(ga.Release(supports([1])), ga.KnowsFrequencies(), ga.Tolerance(attribute="1/2"))


def test_supports_that_cannot_be_are_refused() -> None:
    from giveaway.model.data.supports import Supports

    with pytest.raises(ga.DataError, match="is in 5 transactions, and there are 4"):
        Supports.from_counts({"a": 5}, transactions=4)
    with pytest.raises(ga.DataError, match="below 0"):
        Supports.from_counts({"a": -1}, transactions=4)


def test_numbers_are_exact_and_attackers_compare_by_what_they_know() -> None:
    one = ga.KnowsFrequencies(belief=ga.Belief.around(0.1), compliance=Decimal("0.3"))
    other = ga.KnowsFrequencies(belief=ga.Belief.around("1/10"), compliance="3/10")

    assert one.compliance == Fraction(3, 10)
    assert one == other
    assert hash(one) == hash(other)
    assert one != ga.KnowsFrequencies(belief=ga.Belief.around(0.2), compliance="3/10")
    assert ga.Belief.exact() == ga.Belief.exact() != ga.Belief.ignorant()


@pytest.mark.parametrize(
    ("attacker", "said"),
    [
        (ga.KnowsFrequencies(), "how often each item occurs, give or take the median gap"),
        (ga.KnowsFrequencies(belief=ga.Belief.ignorant()), "which items exist, and nothing else"),
        (ga.KnowsFrequencies(belief=ga.Belief.around(0.01)), "give or take 1 % of the transactions"),
        (
            ga.KnowsFrequencies(belief=ga.Belief.from_sample(baskets([1]))),
            "occurs in similar data, give or take",
        ),
        (
            ga.KnowsFrequencies(belief=ga.Belief.intervals({"secret": (0, 1), "salt": (0, 1)})),
            "a range for how often some or all items occur",
        ),
        (ga.KnowsFrequencies(compliance=0.25), "correctly for 25 % of the items"),
        (
            ga.KnowsFrequencies(known_pairs=ga.KnownPairs(top=1, never=[("secret", "salt")])),
            "the pair that occurs together most often and some pairs of items that never occur together",
        ),
        (
            ga.KnowsFrequencies(known_pairs=ga.KnownPairs(use="refine", pairs=[("secret", "salt")])),
            "some pairs of items that imply each other",
        ),
    ],
)
def test_what_is_known_is_said_without_values(attacker: ga.KnowsFrequencies, said: str) -> None:
    assert said in attacker.knows()
    assert "secret" not in attacker.knows()
    assert (
        "12" not in attacker.knows()
    )  # transactions, and 2 items: with the release they tell what is withheld
    assert " 2 " not in attacker.knows()


def test_the_summary_counts_long_lists(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("item,low,high\ni0,0,0.5\ni1,0,1\n")
    attacker = ga.KnowsFrequencies(
        belief=ga.Belief.intervals(tmp_path / "b.csv"), targets=[["i0"], ["i0", "i1"]]
    )
    found = ga.assess(ga.Release(baskets([1, 2, 3])), attacker, ga.Tolerance(identity="1/2"))
    told = found.to_dict()["findings"][0]["attacker"]

    assert told["belief"] == "intervals of 2 items"
    assert told["targets"] == "2 itemsets"
    assert told["of_interest"] == []
