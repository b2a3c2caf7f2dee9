"""Withholding items, against brute force over everything that could be withheld."""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import TOTAL, baskets, papers_attacker, supports
from tests.oracles import cracks as oracle

import giveaway as ga

WIDTH = Fraction(2)
ATTACKER = papers_attacker(belief=ga.Belief.around(Fraction(2, TOTAL)))


def left(counts: Sequence[int], kept: Sequence[int], width: Fraction = WIDTH) -> list[Fraction]:
    """Return the chances of the items that are kept."""
    return oracle.crack_chances(
        [{j for j, other in enumerate(kept) if abs(counts[other] - counts[item]) <= width} for item in kept]
    )


def is_safe(
    counts: Sequence[int], kept: Sequence[int], tolerance: ga.Tolerance, width: Fraction = WIDTH
) -> bool:
    found = left(counts, kept, width)
    if tolerance.average is not None and sum(found) > tolerance.average * len(kept):
        return False
    limit = tolerance.identity
    return limit is None or sum(chance >= limit for chance in found) <= tolerance.share * len(kept)


def fewest(counts: Sequence[int], tolerance: ga.Tolerance, width: Fraction = WIDTH) -> int | None:
    items = range(len(counts))
    for size in range(len(counts)):
        for gone in combinations(items, size):
            kept = [item for item in items if item not in gone]
            if is_safe(counts, kept, tolerance, width):
                return size
    return None


def protected(
    counts: Sequence[int], attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance
) -> ga.Assessment | ga.NoSafeRelease:
    """Protect supports, or say why not."""
    try:
        return ga.protect(ga.Release(supports(counts)), attacker, tolerance)
    except ga.NoSafeRelease as error:
        return error


some_counts = st.lists(st.integers(1, 11), min_size=1, max_size=7)
limits = st.sampled_from(
    [
        ga.Tolerance(average="2/5"),
        ga.Tolerance(average="1/2"),
        ga.Tolerance(identity="1/2"),
        ga.Tolerance(identity="2/5", share="1/4"),
        ga.Tolerance(identity="3/4", average="1/2"),
    ]
)


@settings(max_examples=80)
@given(counts=some_counts, tolerance=limits)
def test_what_is_left_is_safe_and_bounds_are_true(counts: list[int], tolerance: ga.Tolerance) -> None:
    best = fewest(counts, tolerance)
    safer = protected(counts, ATTACKER, tolerance)
    if isinstance(safer, ga.NoSafeRelease):
        assert not safer.proved or best is None
        return
    gone = {int(str(label)[1:]) for label in safer.withheld.items}
    assert safer.safe
    assert is_safe(counts, [item for item in range(len(counts)) if item not in gone], tolerance)
    assert best is not None
    protection = safer.findings[0].protection
    if protection is not None:
        least = protection.figures["lower_bound"]
        assert least <= best <= len(gone)
        assert protection.figures["optimal"] == (least == len(gone))


@settings(max_examples=60)
@given(counts=some_counts, limit=st.sampled_from(["1/2", "2/5", "1/3", "3/4"]))
def test_a_limit_on_every_item_costs_as_few_items_as_possible(counts: list[int], limit: str) -> None:
    tolerance = ga.Tolerance(identity=limit)
    safer = protected(counts, ATTACKER, tolerance)
    if isinstance(safer, ga.NoSafeRelease):
        return
    assert len(safer.withheld.items) == fewest(counts, tolerance)
    protection = safer.findings[0].protection
    assert protection is None or protection.figures["optimal"]


@settings(max_examples=60)
@given(
    counts=some_counts, tolerance=st.sampled_from([ga.Tolerance(average="1/2"), ga.Tolerance(identity="1/2")])
)
def test_against_exact_knowledge_the_choice_is_best_and_refusals_are_proved(
    counts: list[int], tolerance: ga.Tolerance
) -> None:
    best = fewest(counts, tolerance, Fraction(0))
    attacker = papers_attacker(belief=ga.Belief.exact())
    safer = protected(counts, attacker, tolerance)
    if isinstance(safer, ga.NoSafeRelease):
        assert best is None
        assert safer.proved
        return
    assert len(safer.withheld.items) == best


def test_a_safe_release_is_nearly_always_found_and_seldom_costs_more_than_needed() -> None:
    draw = random.Random(1)  # noqa: S311 - made-up counts, not secrets
    missed, more, asked = 0, 0, 0
    for _ in range(60):
        counts = [draw.randint(1, 11) for _ in range(draw.randint(2, 7))]
        for tolerance in (ga.Tolerance(average="2/5"), ga.Tolerance(identity="3/4", average="1/2")):
            best, safer = fewest(counts, tolerance), protected(counts, ATTACKER, tolerance)
            if best is None:
                continue
            asked += 1
            missed += isinstance(safer, ga.NoSafeRelease)
            more += 0 if isinstance(safer, ga.NoSafeRelease) else len(safer.withheld.items) - best

    assert asked > 40
    assert missed <= 1
    assert more <= 2


def test_half_widths_stay_those_of_the_original() -> None:
    counts = [3, 3, 3, 4, 4, 4, 9, 12]
    safer = ga.protect(ga.Release(supports(counts)), papers_attacker(), ga.Tolerance(identity="1/2"))
    (finding,) = safer.findings

    assert safer.withheld.items == ("i6", "i7")
    assert finding.risk is not None
    assert finding.risk.figures["median_gap"] == Fraction(1, TOTAL)
    assert finding.risk.figures["half_width"] == Fraction(3, TOTAL)
    assert finding.risk.figures["items"] == 6
    assert finding.risk.average == Fraction(1, 6)


def test_the_summary_tells_the_cost_and_what_became_of_every_exposure() -> None:
    counts = [1, 4, 4, 4, 9, 9, 9]
    safer = ga.protect(ga.Release(baskets(counts)), ATTACKER, ga.Tolerance(identity="1/2"))
    summary = safer.to_dict()
    (before,), (after,) = summary["before"], summary["findings"]

    assert safer.withheld.items == ("i0",)
    assert "not the paper's" in after["how"]["detail"]
    assert {exposure["target"]: exposure["after"] for exposure in before["exposures"]} == {
        "i0": "withheld",
        **{f"i{item}": pytest.approx(1 / 3) for item in range(1, 7)},
    }
    assert after["ledger"] == [
        {"withheld": "i0", "why": "greedy", "removed": 1, "lost": 1, "unit": "item occurrences"}
    ]
    assert after["kept"] == {"item_occurrences": 39, "item_occurrences_total": 40}
    (curve,) = [curve for curve in after["curves"] if curve["name"] == "kept"]
    assert (curve["y"][0], curve["y"][-1]) == (pytest.approx(1 / 7), 0)


def test_pairs_are_protected_too() -> None:
    counts = [1, 3, 3, 3, 6, 8, 10, 10, 10]
    attacker = papers_attacker(belief=ga.Belief.exact(), targets="pairs")
    tolerance = ga.Tolerance(identity="1/2", share="1/20")
    before = ga.assess(ga.Release(baskets(counts)), attacker, tolerance)
    safer = ga.protect(ga.Release(baskets(counts)), attacker, tolerance)

    assert (before.safe, safer.safe) == (False, True)
    assert safer.before is not None
    assert {exposure["after"] for exposure in safer.to_dict()["before"][0]["exposures"][:3]} == {
        "withheld",
        1,
    }
    kept = [item for item in range(len(counts)) if f"i{item}" not in safer.withheld.items]
    groups = [{j for j, other in enumerate(kept) if counts[other] == counts[item]} for item in kept]
    pairs = list(combinations(range(len(kept)), 2))
    over = sum(oracle.set_chance(groups, pair) >= Fraction(1, 2) for pair in pairs)
    assert over <= Fraction(1, 20) * len(pairs)


def test_known_pairs_are_looked_for_again_in_what_is_left() -> None:
    rows = [
        ["a", "b", "c"],
        ["a", "b"],
        ["a", "b", "d"],
        ["c", "d"],
        ["c", "d", "e"],
        ["e", "f"],
        ["f"],
        ["e", "f"],
    ]
    attacker = papers_attacker(belief=ga.Belief.around("1/8"), known_pairs=ga.KnownPairs(top=2))
    release = ga.Release(ga.Transactions.from_lists(rows))
    safer = ga.protect(release, attacker, ga.Tolerance(average="1/2"))

    assert safer.safe
    assert ga.assess(safer.release, attacker, ga.Tolerance(average="1/2")).safe


def test_an_attacker_who_knows_items_is_served_on_the_same_release(tmp_path: Path) -> None:
    rows = (
        [["bread", "milk"]] * 3 + [["bread", "milk", "jam"]] * 3 + [["jam", "tea"]] * 3 + [["tea", "caviar"]]
    )
    release = ga.Release(ga.Transactions.from_lists(rows))
    attackers = [ga.KnowsItems(at_most=1), papers_attacker(belief=ga.Belief.exact())]
    tolerances = [ga.Tolerance(identity="1/2"), ga.Tolerance(identity="3/4")]
    safer = ga.protect(release, attackers, tolerances)

    assert [finding.safe for finding in safer.findings] == [True, True]
    assert set(safer.withheld.items) >= {"caviar", "tea"}
    written = safer.publish(tmp_path / "out", key=tmp_path / "key.json").written
    assert written is not None
    text = (tmp_path / "out" / written[0].file).read_text()
    assert not any(label in text for row in rows for label in row)
    assert (tmp_path / "key.json").stat().st_mode & 0o777 == 0o600


def test_what_is_published_is_renamed_whatever_the_release_said(tmp_path: Path) -> None:
    release = ga.Release(baskets([4, 4, 4]))
    found = ga.assess(release, ATTACKER, ga.Tolerance(average="1/2"))

    assert not release.renamed
    assert found.release.renamed
    assert found.safe
    found.publish(tmp_path / "one")
    found.publish(tmp_path / "other")
    first, second = ((tmp_path / name / "release.dat").read_text() for name in ("one", "other"))
    assert not any(f"i{item}" in first + second for item in range(3))
    assert set(first.split()) == {"1", "2", "3"}
    with pytest.raises(ga.NotWritten, match="files only"):
        found.released()


def test_supports_are_judged_and_not_published(tmp_path: Path) -> None:
    found = ga.assess(ga.Release(supports([4, 4, 4])), ATTACKER, ga.Tolerance(average="1/2"))

    assert found.safe
    assert found.to_dict()["data"] == {
        "kind": "supports",
        "rows": TOTAL,
        "items": 3,
        "sha256": None,
        "name": "memory",
        "unjudged": 0,
    }
    with pytest.raises(ga.NotWritten):
        found.publish(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_item_that_never_occurs_cannot_be_withheld() -> None:
    with pytest.raises(ga.NoSafeRelease) as refused:
        ga.protect(ga.Release(baskets([0, 6, 6, 6])), ATTACKER, ga.Tolerance(identity="1/2"))

    assert "tolerates.share" in str(refused.value)
    assert refused.value.assessment is not None


def test_what_is_said_to_help_does_help() -> None:
    counts = [1, 2, 4, 7, 11]
    with pytest.raises(ga.NoSafeRelease) as refused:
        ga.protect(ga.Release(supports(counts)), papers_attacker(), ga.Tolerance(average="1/10"))
    limit = str(refused.value.helps[0]).split("tolerates.average=")[1].rstrip(".")

    assert ga.protect(ga.Release(supports(counts)), papers_attacker(), ga.Tolerance(average=limit)).safe


def test_wrong_beliefs_are_protected_against_by_what_they_softly_say() -> None:
    counts = [1, 2, 3, 6, 6, 6, 9, 9, 9]
    belief = ga.Belief.intervals(
        {"i0": ("1/12", "1/12"), "i1": ("1/12", "1/12"), "i2": ("1/4", "1/4"), "i8": ("2/3", "2/3")}
    )
    tolerance = ga.Tolerance(identity="1/2")
    release = ga.Release(supports(counts))

    assert ga.assess(release, papers_attacker(belief=belief), tolerance).safe is False
    safer = ga.protect(release, papers_attacker(belief=belief), tolerance)
    assert safer.safe
    assert "i2" in safer.withheld.items


@pytest.mark.parametrize("knows_method", [True, False])
def test_items_that_must_be_kept_stay_and_others_go(knows_method: bool) -> None:
    release = ga.Release(baskets([1, 2, 8, 8, 8]))
    attacker = ga.KnowsFrequencies(belief=ga.Belief.exact(), knows_method=knows_method)
    tolerance = ga.Tolerance(average="1/2")

    for kept, withheld in (("i0", "i1"), ("i1", "i0")):
        made = ga.protect(release, attacker, tolerance, need=ga.NeedsItems(keep=[kept]))
        assert (made.verdict, made.withheld.items) == ("safe", (withheld,))


@pytest.mark.parametrize("knows_method", [True, False])
def test_a_kept_item_that_stands_in_the_way_is_named_with_what_helps(knows_method: bool) -> None:
    release = ga.Release(baskets([1, 4, 4, 8, 8]))
    attacker = ga.KnowsFrequencies(belief=ga.Belief.exact(), knows_method=knows_method)
    tolerance = ga.Tolerance(identity="3/4")

    with pytest.raises(ga.NoSafeRelease, match="Item 'i0' must be kept") as refused:
        ga.protect(release, attacker, tolerance, need=ga.NeedsItems(keep=["i0", "i1"]))

    (change,) = refused.value.helps[-1].set
    assert change == {"needs.items.keep": ["i1"]}
    less = ga.NeedsItems(keep=change["needs.items.keep"])
    assert ga.protect(release, attacker, tolerance, need=less).withheld.items == ("i0",)
