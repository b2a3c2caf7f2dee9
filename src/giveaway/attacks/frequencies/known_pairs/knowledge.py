"""What an attacker makes of pairs that are known to occur together, or never (Section 7 of the paper)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from giveaway.attacks.frequencies.attacker import KnownPairs, Pair
from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.crack_chances import DRAWS, simulated
from giveaway.attacks.frequencies.crack_graph import general
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph, restricted
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Flags, Windows
from giveaway.attacks.frequencies.exact_chances.general import chances
from giveaway.attacks.frequencies.item_counts import ItemCounts
from giveaway.attacks.frequencies.known_pairs.counts import PairCounts, pair_counts
from giveaway.attacks.frequencies.sampling.chains import (
    Blocks,
    PairsApart,
    apart_chain,
    guessed_summary,
    loop_chain,
    summary,
)
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort

NEVER_WORDS = "Mappings that put a pair together which is known to be apart were left out; this is ours, not the paper's."


@dataclass(frozen=True, kw_only=True, eq=False)
class PairKnowledge:
    """Known pairs as places of published items: often together, implying, apart, together."""

    known: Ints
    among: Sequence[tuple[Ints, Ints]]
    """Known pairs, and the pairs of codes that these are among: one list for all of them, or one for each."""
    implying: Ints
    never: Ints
    together: Ints
    wrong: int
    """How many pairs are said never to occur together and do."""

    def refined(self, beliefs: Beliefs) -> Beliefs:
        """Believe the same of items that imply each other."""
        return refine(beliefs, self.implying) if len(self.implying) else beliefs

    @property
    def filters(self) -> bool:
        """Whether candidates are filtered, so that they are not windows any more."""
        return len(self.known) > 0

    @property
    def candidates(self) -> Ints:
        """All pairs of codes that known pairs are among."""
        return np.concatenate([_NO_PAIR, *(candidates for _, candidates in self.among)])

    def graph(self, windows: Windows) -> CrackGraph:
        """Leave the items of known pairs no candidates but those of the pairs of codes that they are among."""
        left = general.from_windows(windows)
        for pairs, candidates in self.among:
            left = identify_and_filter(left, pairs, candidates)
        return left

    def apart(self, items: int) -> PairsApart:
        """Return which pairs no mapping may put together."""
        return PairsApart(items=items, never=self.never, together=self.together)


def pair_knowledge(
    stated: KnownPairs, original: Transactions, published: Transactions, items: ItemCounts
) -> PairKnowledge:
    """Find the pairs that an attacker knows among the published items; the knowledge is that of the original."""
    now = _Places(published, items)
    known = now.of_labels(_known(stated, original))
    never = now.of_labels(stated.never)
    together = now.of_codes(pair_counts(published).pairs) if len(never) else _NO_PAIR
    return PairKnowledge(
        known=known,
        among=now.among(stated, published, known) if len(known) else [],
        implying=now.of_labels(_implying(stated, original)) if stated.use == "refine" else _NO_PAIR,
        never=never,
        together=together,
        wrong=int(np.isin(_keys(never, len(items.labels)), _keys(together, len(items.labels))).sum()),
    )


_NO_PAIR = np.zeros((0, 2), np.int64)


def _keys(pairs: Ints, items: int) -> Ints:
    """Number pairs, whichever of the two comes first."""
    ordered = np.sort(pairs, axis=1)
    return ordered[:, 0] * items + ordered[:, 1]


class _Places:
    """Turns pairs of labels or codes into pairs of places among the published items."""

    def __init__(self, published: Transactions, items: ItemCounts) -> None:
        self._items = items
        self._of_code = np.array([items.place_of[label] for label in published.labels], np.int64)

    def of_codes(self, pairs: Ints) -> Ints:
        return np.sort(self._of_code[pairs], axis=1) if len(pairs) else _NO_PAIR

    def among(self, stated: KnownPairs, published: Transactions, known: Ints) -> list[tuple[Ints, Ints]]:
        """Return known pairs with the pairs of codes that they are among."""
        own = [(self.of_labels([pair]), self.of_labels(codes)) for pair, codes in stated.own_candidates]
        return own or [(known, self._candidates(stated, published))]

    def _candidates(self, stated: KnownPairs, published: Transactions) -> Ints:
        if stated.candidate_pairs:
            return self.of_labels((one, other) for one, other in stated.candidate_pairs)
        counts = pair_counts(published)
        if stated.candidates_at_least is not None:
            least = ceil(stated.candidates_at_least * len(published))
            return self.of_codes(counts.pairs[counts.counts >= least])
        known = stated.top if stated.top is not None else len(stated.pairs)
        return self.of_codes(counts.top(stated.candidates or known))

    def of_labels(self, pairs: Iterable[Pair]) -> Ints:
        """Leave out pairs of which an item is withheld."""
        place_of = self._items.place_of
        places = [
            (place_of[one], place_of[other]) for one, other in pairs if one in place_of and other in place_of
        ]
        return np.array(places, np.int64).reshape(-1, 2)


def _known(stated: KnownPairs, original: Transactions) -> list[Pair]:
    if not stated.filters:
        return []
    if stated.top is None:
        return list(stated.pairs)
    return _labels(original, pair_counts(original).top(stated.top))


def _implying(stated: KnownPairs, original: Transactions) -> list[Pair]:
    """Return the listed pairs, or those whose items imply each other often enough."""
    if stated.pairs:
        return list(stated.pairs)
    counts: PairCounts = pair_counts(original)
    most = original.supports[counts.pairs].max(axis=1)
    least = stated.at_least
    bound = counts.counts.astype(object) * least.denominator >= most.astype(object) * least.numerator
    return _labels(original, counts.pairs[bound.astype(np.bool_)])


def _labels(original: Transactions, pairs: Ints) -> list[Pair]:
    return [(original.labels[one], original.labels[other]) for one, other in pairs.tolist()]


def cracked_by_pairs(
    known: PairKnowledge, left: CrackGraph, effort: Effort, *, likeliest: bool = False
) -> ItemChances:
    """Return how likely each item is cracked when candidates are filtered; those left are used by some mapping.

    With `likeliest` it is how likely the likeliest code of each item is its own.
    """
    if len(known.never):
        return _drawn(
            lambda: loop_chain(left, draws=DRAWS, seed=effort.seed),
            left.items,
            known.apart(left.items).respected,
            likeliest=likeliest,
        )
    solved = chances(left, likeliest=likeliest)
    return ItemChances.but_for(
        solved.likeliest if likeliest else solved.of_items,
        solved.estimated,
        "Mappings that agree with the beliefs and the known pairs were counted",
        f"{left.items:,} {nouns().items}",
        left.degrees,
    )


def cracked_apart(
    known: PairKnowledge, windows: Windows, effort: Effort, *, likeliest: bool = False
) -> ItemChances:
    """Return how likely each item is cracked when some pairs are known never to occur together; a mapping must exist."""
    apart = known.apart(windows.items)
    return _drawn(
        lambda: apart_chain(windows, apart, draws=DRAWS, seed=effort.seed), windows.items, likeliest=likeliest
    )


def _drawn(
    draw: Callable[[], Blocks],
    items: int,
    keep: Callable[[Ints], Flags] | None = None,
    *,
    likeliest: bool,
) -> ItemChances:
    """Simulate; codes that occur equally often differ in what they occur together with, so that no two look the same."""
    sample = guessed_summary(draw, np.arange(items), keep) if likeliest else summary(draw(), keep)
    return simulated(sample, NEVER_WORDS)


def identify_and_filter(graph: CrackGraph, pairs: Ints, candidates: Ints) -> CrackGraph:
    """Leave the items of known pairs no other candidates than the members of candidate pairs, the rows of `candidates`.

    Figures 22 and 23. That these are taken and lost to others follows when candidates that no mapping uses are removed.
    """
    return restricted(graph, np.unique(pairs), np.unique(candidates))


def refine(beliefs: Beliefs, pairs: Ints) -> Beliefs:
    """Believe of both items of each pair what is believed of either, unless that is a contradiction (Figure 24).

    The pairs must imply each other. It is repeated until nothing changes, so that chains of pairs are refined through;
    pairs come in the order given.
    """
    low, high = beliefs.low.copy(), beliefs.high.copy()
    changed = True
    while changed:
        changed = False
        for one, other in pairs.tolist():
            least, most = max(low[one], low[other]), min(high[one], high[other])
            if least <= most and (low[one] != low[other] or high[one] != high[other]):
                low[[one, other]], high[[one, other]] = least, most
                changed = True
    return Beliefs(counts=beliefs.counts, low=low, high=high)
