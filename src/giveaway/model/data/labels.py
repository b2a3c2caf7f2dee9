"""The order of labels: numbers by value, then other text, then anything else.

Codes are given out in this order, so that a comparison of codes is a comparison of labels and no result
depends on the order of rows or on hashing.
"""

import difflib
from collections.abc import Hashable, Iterable
from math import isfinite

from giveaway.errors import DataError

Label = Hashable

_LONGEST_NUMBER = 4000


def label_key(label: Label) -> tuple[int, float, str, str]:
    """Return the sort key of one label.

    >>> sorted([10.0, 2.5, 1], key=label_key)
    [1, 2.5, 10.0]
    """
    kind = type(label).__name__
    if isinstance(label, float) and isfinite(label):
        return (0, label, "", kind)
    if isinstance(label, int):
        return (0, int(label), "", kind)
    if isinstance(label, str):
        whole = label.isascii() and label.removeprefix("-").isdigit() and len(label) <= _LONGEST_NUMBER
        return (0, int(label), label, kind) if whole else (1, 0, label, kind)
    return (2, 0, repr(label), kind)


def in_order(labels: Iterable[Label]) -> list[Label]:
    """Return the distinct labels in their order."""
    try:
        return sorted(set(labels), key=label_key)
    except TypeError as error:
        raise DataError(
            f"A label cannot be used as one: {error}.", hint="labels are text, numbers or tuples of them."
        ) from None


def near_labels(label: Label, known: Iterable[Label], most: int = 3) -> list[Label]:
    """Return labels that look like a given one."""
    texts = {str(other): other for other in known}
    near = difflib.get_close_matches(str(label), list(texts), n=most, cutoff=0.6)
    near += [text for text in texts if text.lower() == str(label).lower() and text not in near]
    return [texts[text] for text in near[:most]]
