"""The algorithm of Figure 2 of Xu et al.: the engine against brute force, order included."""

from fractions import Fraction
from typing import Literal

from hypothesis import assume, given
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.oracles.build import transactions
from tests.sizes import sized

from giveaway.attacks.items.attacker import ItemsOptions, KnowsItems
from giveaway.attacks.items.measure import measure
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.protect import protect
from giveaway.errors import NoSafeRelease
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

PRIVATE = ("y", "z")
some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdefyz")), st.sampled_from([1, 1, 2, 3])), min_size=1, max_size=9
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])
limits = st.sampled_from(["1/3", "1/2", "2/3", "1"])


@sized(300)
@given(
    rows=some_rows,
    h=limits,
    k=st.integers(1, 4),
    p=st.integers(1, 4),
    min_support=st.sampled_from([None, 1, 2, 3, 4, 5]),
    max_size=st.sampled_from([1, 2, 3, None]),
    score=st.sampled_from(["paper", "minimal"]),
    reinstate=st.booleans(),
    keep_infrequent=st.booleans(),
)
def test_protecting_withholds_what_brute_force_does_in_the_same_order(
    rows: list[set[str]],
    h: str,
    k: int,
    p: int,
    min_support: int | None,
    max_size: int | None,
    score: Literal["paper", "minimal"],
    reinstate: bool,
    keep_infrequent: bool,
) -> None:
    assume(oracle.public_items(rows, PRIVATE) and not oracle.empty_set_is_mole(rows, PRIVATE, Fraction(h), k))
    need = None if min_support is None else NeedsItemsets(min_support=min_support, max_size=max_size)
    infrequent, greedy = oracle.greedy(
        rows,
        PRIVATE,
        Fraction(h),
        k,
        p,
        min_support or 1,
        max_size,
        score=score,
        reinstate=reinstate,
        observation2="k only" if keep_infrequent else True,
        need=need is not None,
    )
    left = oracle.public_items(oracle.without(rows, infrequent + greedy), PRIVATE)
    question = (
        Release(transactions(rows, PRIVATE)),
        KnowsItems(at_most=p),
        Tolerance(identity=Fraction(1, k), attribute=h),
        need,
        Effort(),
    )
    options = ItemsOptions(score=score, reinstate=reinstate, keep_infrequent=keep_infrequent)
    try:
        answer = protect(*question, options)
    except NoSafeRelease:
        assert left == []
        return

    if not left:  # the paper would publish nothing; something safe is released instead
        assert set(answer.release.withheld.items) < {*infrequent, *greedy}
        return
    assert answer.release.withheld.items == (*infrequent, *greedy)
    assert answer.figures["infrequent_withheld"] == len(infrequent)
    if need is not None:
        kept = oracle.without(rows, infrequent + greedy)
        assert answer.figures["nuggets_kept"] == len(oracle.nuggets(kept, need.min_support, max_size))


@sized(200)
@given(rows=some_rows, h=limits, k=st.integers(1, 4), p=st.integers(1, 4))
def test_measuring_counts_what_brute_force_does(rows: list[set[str]], h: str, k: int, p: int) -> None:
    assume(oracle.public_items(rows, PRIVATE))
    limit = Fraction(h)
    tolerance = Tolerance(identity=Fraction(1, k), attribute=h)

    risk = measure(Release(transactions(rows, PRIVATE)), KnowsItems(at_most=p), tolerance, None, Effort())

    moles = oracle.moles(rows, PRIVATE, limit, k, p)
    assert risk.figures["moles"] == len(moles)
    assert risk.figures["minimal_moles"] == len(oracle.minimal(moles))
    assert risk.figures["exposed_transactions"] == len(oracle.exposed_rows(rows, PRIVATE, limit, k, p))
    occurring = oracle.occurring(rows, PRIVATE, p)
    assert risk.figures["smallest_support"] == min(occurring.values())
    assert risk.figures["worst_breach"] == max(oracle.breach(rows, PRIVATE, one) for one in occurring)
