"""The figures of what an attacker sees, the same for items and itemsets, and what contradicts itself in it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.chances import shortened
from giveaway.attacks.frequencies.crack_graph.windows import gaps
from giveaway.attacks.frequencies.exact_chances.closed_forms import exact_expected
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label

PAIRS_SHOWN = 100
"""The most known pairs that are listed."""


def sizes(seen: ItemsSeen) -> dict[str, Any]:
    """Return the size of the data, their groups and gaps, and what is believed."""
    between, whole = gaps(seen.items.counts), max(seen.items.transactions, 1)
    group_sizes = seen.windows.sizes
    inside = np.zeros(seen.number, np.bool_)
    inside[seen.interesting] = True
    interesting = np.bincount(seen.windows.own[inside], minlength=len(group_sizes))
    return {
        "items": seen.number,
        "transactions": seen.items.transactions,
        "groups": len(group_sizes),
        "singleton_groups": int((group_sizes == 1).sum()),
        "median_gap": None if between is None else Fraction(between.median2, 2 * whole),
        "mean_gap": None if between is None else between.mean / whole,
        "min_gap": None if between is None else Fraction(between.least, whole),
        "max_gap": None if between is None else Fraction(between.most, whole),
        "half_width": seen.half_width,
        "compliance": seen.compliance,
        "point_valued_cracks": _known_exactly(group_sizes, interesting),
    } | _pairs(seen)


def _pairs(seen: ItemsSeen) -> dict[str, Any]:
    """Return the first of the pairs that are known, and of the pairs of codes that these are among."""
    if seen.pairs is None:
        return {}
    labels, known = seen.items.labels, seen.pairs

    def named(pairs: Ints) -> list[list[Label]]:
        once = dict.fromkeys(map(tuple, pairs.tolist()))
        return [[labels[one], labels[other]] for one, other in list(once)[:PAIRS_SHOWN]]

    return {
        "known_pairs": named(np.concatenate([known.known, known.implying])),
        "candidate_pairs": named(known.candidates),
    }


def _known_exactly(group_sizes: np.ndarray, interesting: np.ndarray) -> Chance:
    """Return the cracks of somebody who knows every count: one for each group, in parts where not all items count."""
    if (group_sizes == interesting).all():
        return Fraction(len(group_sizes))
    return short(exact_expected(group_sizes.tolist(), 1, interesting.tolist())) or Fraction(0)


def short(value: Chance | None) -> Chance | None:
    """Return a number as a fraction where somebody would read it."""
    return shortened(value) if isinstance(value, Fraction) else value


def kept(seen: ItemsSeen) -> Mapping[str, int]:
    """Count the item occurrences that are left."""
    return {
        "item_occurrences": seen.data.occurrences,
        "item_occurrences_total": seen.source.occurrences,
    }


def contradictions(seen: ItemsSeen) -> tuple[str, ...]:
    """Say when no mapping agrees with what is believed and known, and which items show it."""
    contradiction, reasons = seen.contradiction, []
    if contradiction is not None:
        what = "the known pairs" if contradiction.pairs_left_out else "what is believed"
        labels = [seen.items.labels[item] for item in contradiction.items.tolist()]
        codes = sentences.counted(contradiction.codes, "codes")
        reasons.append(
            f"No one-to-one mapping agrees with {what}: {sentences.listed(labels)} compete for {codes}."
        )
    if seen.pairs is not None and seen.pairs.wrong:
        pairs = sentences.counted(seen.pairs.wrong, "pairs")
        reasons.append(
            f"{pairs} said never to occur together {'occurs' if seen.pairs.wrong == 1 else 'occur'} together."
        )
    return tuple(reasons)


def doubt(seen: ItemsSeen) -> str | None:
    """Say why the numbers do not settle it."""
    if seen.pairs_left_out:
        return (
            "The known pairs contradict what is believed and were left out, so that the risk may be larger."
        )
    return None
