"""What somebody with a sample of similar data would believe correctly (Figure 15 of the paper)."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.belief import gap
from giveaway.attacks.frequencies.reporting.sentences import counted, percent
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance, Curve, Mark
from giveaway.model.data.arrays import Ints, lengths
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell

SIZES = tuple(Fraction(part, 10) for part in (1, 3, 5, 7, 9))
SAMPLES = 10

_WORK = 1_000_000_000
_MOST = 1_000_000_000
"""More transactions than numpy draws from without replacement."""


@dataclass(frozen=True, kw_only=True)
class Similar:
    """For each size of a sample, the mean part of the items that is believed correctly, its least and its greatest.

    `rule` is the half-width that the samples are believed with.
    """

    rule: str | Fraction
    sizes: tuple[Fraction, ...]
    mean: tuple[float, ...]
    least: tuple[float, ...]
    most: tuple[float, ...]
    samples: int


def similar(seen: ItemsSeen, sizes: tuple[Fraction, ...] = SIZES) -> Similar | None:
    """Draw samples without replacement, and count the items whose frequency lies within a half-width of the sample's.

    The half-width follows the rule of the attacker: the median or mean gap of the sample, or a share of its transactions.
    None when there are no transactions to draw from, and when the belief has no such rule.
    """
    data, rule = seen.data, seen.attacker.belief.rule
    if rule is None or not isinstance(data, Transactions) or not len(SIZES) <= len(data) < _MOST:
        return None
    key = (seen.effort.seed, rule, seen.items.labels, sizes)
    return data.remember("similar", key, lambda: _drawn(seen, data, rule, sizes))


def _drawn(seen: ItemsSeen, data: Transactions, rule: str | Fraction, sizes: tuple[Fraction, ...]) -> Similar:
    samples = max(1, min(SAMPLES, _WORK // (len(sizes) * max(len(data.codes) + len(data), 1))))
    random = np.random.default_rng(seen.effort.seed)
    order = _by_content(data)
    shares = np.zeros((len(sizes), samples))
    for row, size in enumerate(sizes):
        for column in range(samples):
            tell("drawing samples of similar data", row * samples + column, len(sizes) * samples)
            shares[row, column] = _compliance(seen, data, rule, round(size * len(data)), order, random)
    return Similar(
        rule=rule,
        sizes=sizes,
        mean=tuple(shares.mean(axis=1).tolist()),
        least=tuple(shares.min(axis=1).tolist()),
        most=tuple(shares.max(axis=1).tolist()),
        samples=samples,
    )


def _compliance(
    seen: ItemsSeen,
    data: Transactions,
    rule: str | Fraction,
    size: int,
    order: Ints,
    random: np.random.Generator,
) -> float:
    """Return the part of the items that one sample gets right; in whole numbers, because ends of ranges are often met."""
    weights = np.empty_like(data.weights)
    weights[order] = _sampled(data.weights[order], size, random)
    counts = np.zeros(seen.number, np.int64)
    occurring = np.bincount(data.codes, np.repeat(weights, lengths(data.offsets)), minlength=len(data.labels))
    counts[[seen.items.place_of[label] for label in data.labels]] = occurring.astype(np.int64)
    width = gap(counts, rule) if isinstance(rule, str) else rule * size
    apart = np.abs(seen.items.counts * size - counts * len(data))
    return float((apart <= floor(width * len(data))).mean())


def _sampled(weights: Ints, size: int, random: np.random.Generator) -> Ints:
    """Draw `size` transactions without replacement; return how often each distinct one was drawn."""
    if len(weights) == int(weights.sum()):
        drawn = np.zeros(len(weights), np.int64)
        drawn[random.permutation(len(weights))[:size]] = 1
        return drawn
    return random.multivariate_hypergeometric(weights, size, method="marginals")


def _by_content(data: Transactions) -> Ints:
    """Put the distinct transactions in an order that does not depend on the one in which they were read."""
    marks = np.random.default_rng(0).integers(0, 1 << 63, len(data.labels), np.uint64)
    before = np.concatenate([np.zeros(1, np.uint64), np.cumsum(marks[data.codes], dtype=np.uint64)])
    return np.lexsort((before[data.offsets[1:]] - before[data.offsets[:-1]], data.weights))


def curve_of(drawn: Similar, breaking: Chance) -> Curve:
    """Show which part of the items a sample of similar data gets right, and from which size on that breaks the limit."""
    broken = next((size for size, mean in zip(drawn.sizes, drawn.mean, strict=True) if mean > breaking), None)
    samples = counted(drawn.samples, "samples")
    width = (
        f"its own {drawn.rule}"
        if isinstance(drawn.rule, str)
        else f"{percent(drawn.rule)} of its {nouns().transactions}"
    )
    says = (
        f"Mean of {samples} for each size, drawn without replacement; each is believed give or take {width}. "
    )
    if breaking >= 1:
        says += f"Being right about all {nouns().items} does not break the limit."
    elif broken is None:
        says += f"No size tried is right about more than {percent(breaking)} of the {nouns().items}, where the limit breaks."
    else:
        says += f"A sample of {percent(broken)} is right about more than {percent(breaking)}, where the limit breaks."
    return Curve(
        name="similar_data",
        x_label=f"size of the sample, as a share of the {nouns().transactions}",
        y_label=f"share of {nouns().items} believed correctly",
        x=tuple(map(float, drawn.sizes)),
        y=drawn.mean,
        says=says,
        limit=float(breaking),
        limit_name="breaks above",
        marks=() if broken is None else (Mark(x=float(broken), label="breaks"),),
        band=(drawn.least, drawn.most),
    )
