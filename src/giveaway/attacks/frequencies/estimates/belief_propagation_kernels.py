"""The compiled sweep of belief propagation, for graphs of many edges.

Imported only when there are many. It does what `belief_propagation.sweep` does, in the same order, so that both give
the same floats.
"""

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Floats
from giveaway.attacks.frequencies.estimates.belief_propagation import LEAST, OLD_PART, Edges
from giveaway.compiling import native


@native
def sweep(edges: Edges, to_column: Floats, to_row: Floats) -> None:
    """Send messages from all rows, then from all columns, keeping a part of the old ones.

    State: the two messages along each edge. Invariant: a message leaves out what came in along the same edge, and
    renamed items or items that look the same send the same. Nothing is pruned. Huang and Jebara, Approximating the
    Permanent with Belief Propagation (2009), with damped messages.
    """
    begin, column = edges.begin, edges.column
    sums = np.zeros(len(edges.many_columns))
    for row in range(len(edges.many_rows)):
        total = 0.0
        for edge in range(begin[row], begin[row + 1]):
            total += edges.many_columns[column[edge]] * to_row[edge]
        for edge in range(begin[row], begin[row + 1]):
            fresh = 1 / max(total - to_row[edge], LEAST)
            to_column[edge] = OLD_PART * to_column[edge] + (1 - OLD_PART) * fresh
            sums[column[edge]] += edges.many_rows[row] * to_column[edge]
    for edge in range(len(column)):
        fresh = 1 / max(sums[column[edge]] - to_column[edge], LEAST)
        to_row[edge] = OLD_PART * to_row[edge] + (1 - OLD_PART) * fresh
