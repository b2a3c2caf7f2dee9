"""The connected components of a crack graph as graphs of their own, and a memory of those that were solved."""

from collections.abc import Callable
from typing import Any

import numpy as np

from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.windows import Piece, Windows
from giveaway.model.data.arrays import Ints


class Components:
    """The components of a graph in which every item is believed correctly."""

    def __init__(self, windows: Windows) -> None:
        self._windows = windows
        self._order = np.argsort(windows.classes.of, kind="stable")
        self._ends = np.concatenate([[0], np.cumsum(windows.classes.many)])

    def size(self, piece: Piece) -> int:
        """Return the number of items of a component."""
        return int(self._ends[piece.tail] - self._ends[piece.head])

    def items(self, piece: Piece) -> Ints:
        """Return the items of a component, class by class."""
        return self._order[self._ends[piece.head] : self._ends[piece.tail]]

    def graph(self, piece: Piece) -> Windows:
        """Return a component with its items and groups numbered anew; its classes keep their order."""
        windows, items = self._windows, self.items(piece)
        return Windows(
            sizes=windows.sizes[piece.begin : piece.end],
            own=windows.own[items] - piece.begin,
            first=windows.first[items] - piece.begin,
            last=windows.last[items] - piece.begin,
        )


class Memory:
    """What was worked out about components, by their items: withholding elsewhere leaves them as they are."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bytes], Any] = {}

    def remember(self, what: str, items: Ints, work: Callable[[], Any]) -> Any:
        """Return what is known of a component; items are distinguished by their numbers among all."""
        key = what, np.sort(items).tobytes()
        if key not in self._known:
            self._known[key] = work()
        return self._known[key]


def one_of_each_class(graph: Windows | CrackGraph) -> Ints:
    """Return an item of each class."""
    return np.unique(graph.classes.of, return_index=True)[1]
