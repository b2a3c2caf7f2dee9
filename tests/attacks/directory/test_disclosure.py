from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import exp, inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.disclosing import Record, records
from tests.sizes import sized

from giveaway.attacks.directory.candidates.signatures import Signature
from giveaway.attacks.directory.disclosure import best as disclosing
from giveaway.attacks.directory.disclosure.best import Best, Case, best, best_of_each
from giveaway.attacks.directory.disclosure.weights import Form, Weights


@contextmanager
def many_attributes() -> Iterator[None]:
    """Search as if no record had few enough attributes to try all sets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disclosing, "MOST", -1)
        yield


def check(record: Record, found: Best) -> None:
    """A disclosure is what it says, and nothing that is proved can be improved."""
    lines = zip(
        found.losses.tolist(), found.masks.tolist(), found.proved.tolist(), record.curve(), strict=True
    )
    for size, (loss, mask, proved, least) in enumerate(lines):
        if isnan(loss):
            assert isnan(least) or not proved
        else:
            assert mask.bit_count() == size
            assert record.allowed(mask)
            assert close(loss, record.loss(mask))
            assert close(loss, least) or (loss > least and not proved)


def close(one: float, other: float) -> bool:
    return one == other or one == pytest.approx(other, rel=1e-12)


def signature(*people: int) -> Signature:
    """Return a directory in which each person has one entry."""
    masks, counts = np.unique(np.array(people, np.uint64), return_counts=True)
    return Signature(masks, counts.astype(np.int64))


def wide(
    seed: int, attributes: int, people: int, *, inside: bool = True, form: Form = "multiplicative"
) -> Case:
    """Return a record among people who resemble it more or less."""
    random = np.random.default_rng(seed)
    agree = 0.7 * random.random((people, attributes)) + 0.4 * random.random((people, 1)) < 0.6
    agree[0] |= inside
    bits = np.arange(attributes, dtype=np.uint64)
    masks, counts = np.unique(
        (agree.astype(np.uint64) << bits).sum(axis=1, dtype=np.uint64), return_counts=True
    )
    return Case(
        signatures=(Signature(masks, counts.astype(np.int64)),),
        prior=None,
        weights=Weights(form, random.random(attributes)),
        available=(1 << attributes) - 1,
    )


@sized(250)
@given(record=records())
def test_the_best_is_the_best_of_all_disclosures(record: Record) -> None:
    found = best(record.case())

    assert found.proved.all()
    check(record, found)


@sized(250)
@given(record=records(), width=st.integers(1, 3), nodes=st.sampled_from([0, 3, 1000]))
def test_the_search_among_many_attributes_never_claims_too_much(
    record: Record, width: int, nodes: int
) -> None:
    with many_attributes():
        found = best(record.case(), width=width, nodes=nodes)

    check(record, found)


@sized(200)
@given(record=records(prior=False))
def test_the_search_among_many_attributes_finds_the_best_when_it_may_look_long_enough(record: Record) -> None:
    with many_attributes():
        found = best(record.case(), nodes=100_000)

    assert found.proved.all()
    check(record, found)


@settings(max_examples=60)
@given(record=records(prior=False, directories=2), directory=st.integers(0, 1), few=st.booleans())
def test_the_best_against_one_directory_leaves_a_crowd_in_all(
    record: Record, directory: int, few: bool
) -> None:
    with many_attributes() if few else pytest.MonkeyPatch.context():
        alone = (Fraction(directory == 0), Fraction(directory == 1))
        found = best(replace(record.case(), mixture=alone), nodes=100_000)

    assert found.proved.all()
    for size, loss in enumerate(found.losses.tolist()):
        losses = [record.loss(mask, directory) for mask in record.disclosures() if mask.bit_count() == size]
        assert close(loss, min(losses)) if losses else isnan(loss)


@settings(max_examples=100)
@given(
    record=records(prior=False, directories=2),
    mixture=st.sampled_from([(0, 1), (1, 0), ("1/2", "1/2"), ("1/3", "2/3")]),
    few=st.booleans(),
)
def test_the_best_against_a_mixture_leaves_a_crowd_in_all(
    record: Record, mixture: tuple[str, str], few: bool
) -> None:
    parts = tuple(map(Fraction, mixture))
    mixed = replace(record, mixture=parts)
    with many_attributes() if few else pytest.MonkeyPatch.context():
        found = best(mixed.case(), nodes=100_000)

    assert found.proved.all()
    check(mixed, found)


@sized(100)
@given(record=records(), few=st.booleans())
def test_a_disclosure_that_somebody_agrees_with_can_be_asked_for(record: Record, few: bool) -> None:
    asked = replace(record, somebody=True)
    with many_attributes() if few else pytest.MonkeyPatch.context():
        found = best(asked.case(), nodes=100_000)

    check(asked, found)


@pytest.mark.parametrize("form", ["constant", "additive", "multiplicative"])
@pytest.mark.parametrize("inside", [True, False])
def test_the_search_agrees_with_all_sets_on_a_dozen_attributes(form: Form, inside: bool) -> None:
    case = wide(3, 12, 400, inside=inside, form=form)
    exact = best(case)

    with many_attributes():
        found = best(case, nodes=1_000_000)

    assert found.proved.all()
    assert found.losses == pytest.approx(exact.losses, rel=1e-12)


def test_more_than_twenty_attributes_are_proved_for_small_sizes() -> None:
    case = wide(4, 40, 1_500)

    found = best(case, sizes=range(2, 4))

    masks, counts = case.signatures[0].masks, case.signatures[0].counts
    assert found.proved[[0, 2, 3]].all()
    assert not found.proved[1]
    for size in (1, 2, 3):
        least = min(
            case.weights.phi(chosen) / counts[masks & np.uint64(chosen) == np.uint64(chosen)].sum()
            for chosen in (sum(1 << bit for bit in bits) for bits in combinations(range(40), size))
        )
        assert found.losses[size] == pytest.approx(least, rel=1e-12)
    assert np.isnan(found.losses[4:]).all()


def test_sixty_four_attributes_fit() -> None:
    case = wide(5, 64, 300)

    found = best(case, sizes=range(63, 65), width=4, nodes=3_000)

    assert found.proved[63:].all()
    assert int(found.masks[64]) == (1 << 64) - 1
    assert found.losses[64] == pytest.approx(exp(case.weights.each.sum()), rel=1e-12)


def test_of_equal_disclosures_the_lowest_attributes_are_taken() -> None:
    case = Case(
        signatures=(signature(0b111, 0b111),),
        prior=None,
        weights=Weights("additive", np.ones(3)),
        available=0b111,
    )

    assert best(case).masks.tolist() == [0b000, 0b001, 0b011, 0b111]


def test_a_batch_has_one_line_for_each_record() -> None:
    cases = [wide(seed, 6, 50) for seed in range(4)]

    found = best_of_each(iter(cases), 4, attributes=6)

    assert found.losses.shape == found.masks.shape == found.proved.shape == (4, 7)
    for record, case in enumerate(cases):
        alone = best(case)
        assert found.losses[record].tolist() == alone.losses.tolist()
        assert found.masks[record].tolist() == alone.masks.tolist()


def test_a_sum_of_chances_is_compared_with_its_limit_in_fractions() -> None:
    # 1/3 x 1/1 + 2/3 x 1/4 is one half, which floats miss.
    alone, four = signature(0b1), signature(0b1, 0b1, 0b1, 0b1)

    def sizes(first: Fraction, crowd: int) -> list[int]:
        case = Case(
            signatures=(alone, four),
            prior=(first, 1 - first),
            weights=Weights("constant", np.zeros(1)),
            available=0b1,
            crowd=crowd,
        )
        return np.flatnonzero(~np.isnan(best(case).losses)).tolist()

    assert sizes(Fraction(1, 3), 2) == [0, 1]
    assert sizes(Fraction(1, 3) + Fraction(1, 10**15), 2) == []


def test_a_directory_that_cannot_be_the_one_adds_nothing() -> None:
    case = Case(
        signatures=(signature(0b1), signature(0b1, 0b1)),
        prior=(Fraction(0), Fraction(1)),
        weights=Weights("additive", np.array([3.0])),
        available=0b1,
    )

    assert best(case).losses.tolist() == [0.0, 1.5]


def test_nobody_counts_as_one_person() -> None:
    case = Case(
        signatures=(signature(0b01, 0b01),),
        prior=None,
        weights=Weights("constant", np.zeros(2)),
        available=0b11,
    )

    assert best(case).losses.tolist() == [0.5, 0.5, 1.0]


def test_among_losses_larger_than_any_float_the_least_is_still_chosen() -> None:
    case = Case(
        signatures=(signature(0b11, 0b01),),
        prior=None,
        weights=Weights("multiplicative", np.array([900.0, 800.0])),
        available=0b11,
    )

    found = best(case)

    assert found.losses[1] == inf
    assert found.masks[1] == 0b10


def test_values_of_infinite_weight_are_the_last_to_be_disclosed() -> None:
    each = np.array([inf, 1.0, 1.0])
    case = Case(
        signatures=(signature(0b111, 0b001, 0b001),),
        prior=None,
        weights=Weights("additive", each),
        available=0b111,
    )

    assert best(case).masks[1] == 0b010


def test_sensitivities_by_hand() -> None:
    each, pairs = np.array([1.0, 2.0, inf]), np.full((3, 3), 7.0)

    assert Weights("constant", each).phi(0b111) == 1.0
    assert [Weights("additive", each).phi(mask) for mask in (0b00, 0b11, 0b100)] == [0.0, 3.0, inf]
    assert Weights("additive", each, pairs).phi(0b011) == 10.0
    triple = Weights("additive", np.array([1.0, 2.0, 3.0]), None, ((0b111, 5.0),))
    assert [triple.phi(mask) for mask in (0b011, 0b111)] == [3.0, 11.0]
    assert Weights("multiplicative", each).phi(0) == 1.0
    assert Weights("multiplicative", each).phi(0b011) == pytest.approx(exp(3))
    assert Weights("multiplicative", 500 * each).phi(0b011) == inf
    assert not isnan(Weights("additive", each, np.full((3, 3), nan)).phi(0b001))
