"""The quick estimates of the paper: O for items, OS and OS2 for sets of items.

Sets are given by the classes of their members, because sets of the same classes have the same chances: `kinds` is one
row of ascending class numbers for each kind of set.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import fsum, lcm
from typing import NamedTuple

import numpy as np

from giveaway.attacks.frequencies.chances import LimitLine
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats, Windows
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import memory

_BITS = 1 << 14
"""The longest common denominator that sums are kept exact with."""

_BYTES_A_PAIR = 32


class SetKinds(NamedTuple):
    """Kinds of sets: the classes of their members, how many sets are of each kind, and the kind of each given set.

    Classes are those of the graph in which the kinds were found.
    """

    classes: Ints
    many: Ints
    of: Ints


def o_estimate(windows: Windows, chosen: Ints | None = None) -> Chance:
    """Return the O-estimate: the sum of 1/O over all compliant items, or over those of the chosen items.

    Exact unless the degrees have no common denominator of reasonable length. Lakshmanan et al., Figure 4.
    """
    counted = windows.compliant if chosen is None else chosen[windows.compliant[chosen]]
    return reciprocal_sum(windows.degrees[counted])


def reciprocal_sum(degrees: Ints) -> Chance:
    """Add 1/d for all degrees d, exactly when their common denominator is of reasonable length."""
    values, many = np.unique(degrees, return_counts=True)
    return added({Fraction(1, d): times for d, times in zip(values.tolist(), many.tolist(), strict=True)})


def added(times: Mapping[Fraction, int]) -> Chance:
    """Add fractions, each as often as it counts, exactly when their common denominator is of reasonable length."""
    common = 1
    for chance in times:
        common = lcm(common, chance.denominator)
        if common.bit_length() > _BITS:
            return fsum(float(chance) * many for chance, many in times.items())
    return Fraction(
        sum(common // chance.denominator * chance.numerator * many for chance, many in times.items()), common
    )


def kinds_of(graph: Windows | CrackGraph, sets: Ints) -> SetKinds:
    """Find the kinds of sets of items; each row is a set."""
    classes, of, many = np.unique(
        np.sort(graph.classes.of[sets], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    return SetKinds(classes, many.astype(np.int64), of.reshape(-1))


def kinds_of_pairs(graph: Windows | CrackGraph, chosen: Ints | None = None) -> SetKinds:
    """Find the kinds of all pairs of items, or of the chosen items; `of` stays empty."""
    of = graph.classes.of if chosen is None else graph.classes.of[chosen]
    many = np.bincount(of, minlength=len(graph.classes.many))
    if len(many) ** 2 * _BYTES_A_PAIR > memory():
        raise BudgetExceeded(
            f"The pairs of {len(of):,} {nouns().items} are of too many kinds to be held in memory.",
            hint="ask about a sample of pairs.",
        )
    one, other = np.triu_indices(len(many))
    pairs = np.where(one == other, many[one] * (many[one] - 1) // 2, many[one] * many[other])
    kept = pairs > 0
    return SetKinds(np.stack([one, other], axis=1)[kept], pairs[kept], np.zeros(0, np.int64))


def _into(graph: Windows | CrackGraph, kinds: Ints) -> Iterator[Flags]:
    """Give for each member of a set which members, itself included, may be its renamed item: one row for each kind."""
    for member in range(kinds.shape[1]):
        if isinstance(graph, CrackGraph):
            row, column = graph.classes.row[kinds], graph.classes.column[kinds[:, member]]
            yield graph.has_edges(row, np.broadcast_to(column[:, None], row.shape))
        else:
            true = graph.classes.own[kinds[:, member]][:, None]
            yield (graph.classes.first[kinds] <= true) & (true <= graph.classes.last[kinds])


def os_parts(graph: Windows | CrackGraph, kinds: Ints) -> tuple[Ints, Ints]:
    """Return for each member of each kind how many of its candidates belong to the set, and how many it has.

    Lakshmanan et al., Figure 7.
    """
    inside = np.zeros_like(kinds)
    for into in _into(graph, kinds):
        inside += into
    if isinstance(graph, CrackGraph):
        return inside, graph.row_degrees[graph.classes.row[kinds]]
    first, last = graph.classes.first[kinds], graph.classes.last[kinds]
    return inside, np.maximum(graph.before[last + 1] - graph.before[first], 0)


def os_estimates(graph: Windows | CrackGraph, kinds: Ints) -> Floats:
    """Return the OS estimate of each kind: the product over its members of the share of candidates in the set."""
    inside, degree = os_parts(graph, kinds)
    return (inside / np.maximum(degree, 1)).prod(axis=1)


def os_over(graph: Windows | CrackGraph, kinds: Ints, line: LimitLine) -> Flags:
    """Tell exactly which kinds have an OS estimate over a limit."""
    inside, degree = os_parts(graph, kinds)
    limit = line.limit
    bits = kinds.shape[1] * int(degree.max(initial=1)).bit_length() + limit.denominator.bit_length()
    exact = (inside, degree) if bits < 63 else (inside.astype(object), degree.astype(object))
    share, whole = (part.prod(axis=1) for part in exact)
    share, whole = share * limit.denominator, limit.numerator * whole
    return (share >= whole if line.at else share > whole).astype(np.bool_) & (degree > 0).all(axis=1)


def os2_estimates(graph: Windows | CrackGraph, kinds: Ints) -> Floats:
    """Return the OS2 estimate of each kind: its members taken as one, 0 unless their candidates cover the set."""
    covered = np.ones(len(kinds), np.bool_)
    for into in _into(graph, kinds):
        covered &= into.any(axis=1)
    union = _together(graph, kinds) if isinstance(graph, CrackGraph) else _joined(graph, kinds)
    return np.where(covered, 1 / np.maximum(union - kinds.shape[1] + 1, 1), 0.0)


def _together(graph: CrackGraph, kinds: Ints) -> Ints:
    """Count the candidates of all members of each kind together."""
    columns = np.split(graph.column, graph.begin[1:-1])
    rows = graph.classes.row[kinds].tolist()
    return np.array(
        [
            graph.many_columns[np.unique(np.concatenate([columns[row] for row in some]))].sum()
            for some in rows
        ],
        np.int64,
    )


def _joined(windows: Windows, kinds: Ints) -> Ints:
    """Count them where the candidates of each member are a window."""
    first, last = windows.classes.first[kinds], windows.classes.last[kinds]
    order = np.argsort(first, axis=1, kind="stable")
    begin = windows.before[np.take_along_axis(first, order, axis=1)]
    end = windows.before[np.take_along_axis(last, order, axis=1) + 1]
    reached = np.maximum.accumulate(np.maximum(end, begin), axis=1)
    reached = np.concatenate([np.zeros((len(kinds), 1), np.int64), reached[:, :-1]], axis=1)
    return np.maximum(end - np.maximum(begin, reached), 0).sum(axis=1)
