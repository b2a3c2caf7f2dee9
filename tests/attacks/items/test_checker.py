from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.sizes import sized

import giveaway as ga
from giveaway import checker
from giveaway.checker.attacks import items

PRIVATE = {"x", "y"}
baskets = st.lists(st.sets(st.sampled_from("abcdxy"), max_size=5).map(frozenset), min_size=1, max_size=12)


@sized(1000)
@given(baskets, st.integers(1, 4), st.integers(1, 3), st.sampled_from(["1/3", "1/2", "2/3", "1"]))
def test_the_checker_agrees_with_the_definition(
    rows: list[frozenset[str]], crowd: int, known: int, limit: str
) -> None:
    tolerance = ga.Tolerance(identity=Fraction(1, crowd), attribute=limit)
    promise = checker.Promise(attack="items", attacker={"at_most": known}, tolerance=tolerance)

    kept = items.keeps(Counter(rows), PRIVATE, promise)

    assert kept == oracle.coherent(rows, PRIVATE, Fraction(limit), crowd, known)


@sized(1000)
@given(baskets, st.integers(1, 4), st.integers(1, 3), st.sampled_from(["1/10", "1/3", "1/2"]))
def test_the_checker_tolerates_the_share_that_is_tolerated(
    rows: list[frozenset[str]], crowd: int, known: int, share: str
) -> None:
    tolerance = ga.Tolerance(identity=Fraction(1, crowd), share=share)
    promise = checker.Promise(attack="items", attacker={"at_most": known}, tolerance=tolerance)
    exposed = oracle.exposed_rows(rows, PRIVATE, Fraction(1), crowd, known)
    number = exposed if isinstance(exposed, int) else len(exposed)

    kept = items.keeps(Counter(rows), PRIVATE, promise)

    assert kept == (number <= Fraction(share) * len(rows))


def test_a_mole_of_one_row_too_few_is_not_overlooked() -> None:
    """Crowds are counted to the last row, at the first item known and at the last."""
    rows = Counter({frozenset("ab"): 2, frozenset("a"): 3, frozenset("b"): 3})

    def kept(crowd: int, known: int, share: str = "0") -> bool:
        tolerance = ga.Tolerance(identity=Fraction(1, crowd), share=share)
        promise = checker.Promise(attack="items", attacker={"at_most": known}, tolerance=tolerance)
        return items.keeps(rows, set(), promise)

    assert kept(2, 2)
    assert not kept(3, 2)
    assert kept(5, 1)
    assert not kept(6, 1)
    assert kept(3, 2, "1/4")
    assert not kept(3, 2, "1/5")
