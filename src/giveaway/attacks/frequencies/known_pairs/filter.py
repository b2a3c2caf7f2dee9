"""What an attacker makes of pairs of items that are known to occur together (Lakshmanan et al., Section 7)."""

import numpy as np

from giveaway.attacks.frequencies.crack_graph.general import CrackGraph, restricted
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs
from giveaway.model.data.arrays import Ints


def identify_and_filter(graph: CrackGraph, pairs: Ints, candidates: Ints) -> CrackGraph:
    """Leave the items of known pairs no other candidates than the members of candidate pairs, the rows of `candidates`.

    Figures 22 and 23. That these are taken and lost to others follows when candidates that no mapping uses are removed.
    """
    return restricted(graph, np.unique(pairs), np.unique(candidates))


def most_frequent(pairs: Ints, counts: Ints, top: int) -> Ints:
    """Return the pairs that occur most often together, ties in the order of the item numbers."""
    members = np.sort(pairs, axis=1)
    order = np.lexsort((members[:, 1], members[:, 0], -counts))
    return members[order[:top]]


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
