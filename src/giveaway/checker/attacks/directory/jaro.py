"""Jaro's similarity, letter by letter, and which of many texts are similar by it."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from giveaway.model.progress import tell

_CLOSE = 1e-9


def jaro(one: str, other: str) -> Fraction:
    """Return the similarity of two texts; half the transpositions are rounded down.

    >>> round(float(jaro("MARTHA", "MARHTA")), 5), jaro("", "")
    (0.94444, Fraction(1, 1))
    """
    if not one and not other:
        return Fraction(1)
    common, moved = _in_common(one, other)
    if not common:
        return Fraction(0)
    return (Fraction(common, len(one)) + Fraction(common, len(other)) + Fraction(common - moved, common)) / 3


def _in_common(one: str, other: str) -> tuple[int, int]:
    """Count the letters that two texts have in common nearby, and half of those in another order."""
    reach = max(0, max(len(one), len(other)) // 2 - 1)
    taken = [False] * len(other)
    ours = []
    for place, letter in enumerate(one):
        for near in range(max(0, place - reach), min(len(other), place + reach + 1)):
            if not taken[near] and other[near] == letter:
                taken[near] = True
                ours.append(letter)
                break
    theirs = [letter for letter, is_taken in zip(other, taken, strict=True) if is_taken]
    return len(ours), sum(mine != yours for mine, yours in zip(ours, theirs, strict=True)) // 2


class Alike:
    """Texts among which those are found that are like another one.

    Two texts have at most as many letters in common as they have letters of each kind, which leaves few to compare.
    """

    def __init__(self, texts: Sequence[str], at_least: Fraction) -> None:
        self._texts, self._least = texts, at_least
        letters = sorted({letter for text in texts for letter in text})
        self._place = {letter: place for place, letter in enumerate(letters)}
        self._size = np.array([len(text) for text in texts], np.int64)
        self._counts = np.zeros((len(letters), len(texts)), np.int32)
        for number, text in enumerate(texts):
            for letter, count in Counter(text).items():
                self._counts[self._place[letter], number] = count

    def find(self, text: str) -> NDArray[np.int32]:
        """Return the places of the texts that are similar."""
        tell("checking the written files", 0)
        common = np.zeros(len(self._texts), np.int64)
        for letter, count in Counter(text).items():
            if letter in self._place:
                common += np.minimum(self._counts[self._place[letter]], count)
        most = (common / max(len(text), 1) + common / np.maximum(self._size, 1) + 1) / 3
        maybe = np.flatnonzero((most >= float(self._least) - _CLOSE) | (self._size == 0)).tolist()
        return np.array([place for place in maybe if self.is_like(text, place)], np.int32)

    def is_like(self, text: str, place: int) -> bool:
        """Tell whether a text is like the one at a place."""
        return jaro(text, self._texts[place]) >= self._least
