"""Many texts held closely: one buffer of bytes and where each text ends, instead of one object for each."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data import arrays
from giveaway.model.data.arrays import Ints

Bytes = NDArray[np.uint8]
Prints = NDArray[np.uint64]

_AT_ONCE = 1 << 16
_NAMED = 5
"""How many repeated texts are named."""
_CODING = "utf-8", "surrogatepass"


class Texts(Sequence[str]):
    """Texts in a row: text `i` is `buffer[offsets[i]:offsets[i + 1]]` in UTF-8.

    A text costs its bytes and eight more, twenty more once texts are looked for.

    >>> names = Texts.of(["ann", "bob", "zoë"])
    >>> names[2], names.find("bob"), names.find("eve"), names.repeated
    ('zoë', 1, None, False)
    """

    def __init__(self, buffer: Bytes, offsets: Ints) -> None:
        self.buffer, self.offsets = buffer, offsets

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Texts":
        """Make texts of Python's."""
        coded = [text.encode(*_CODING) for text in texts]
        offsets = np.zeros(len(coded) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, coded), np.int64, len(coded)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(coded), np.uint8), offsets)

    @classmethod
    def joined(cls, parts: Iterable["Texts"]) -> "Texts":
        """Put the texts of several parts one after the other, copying each part as it comes."""
        buffer, offsets = bytearray(), bytearray(np.zeros(1, np.int64).data)
        for part in parts:
            start, end = int(part.offsets[0]), int(part.offsets[-1])
            offsets += (part.offsets[1:] + (len(buffer) - start)).data
            buffer += part.buffer[start:end].data
        return cls(np.frombuffer(buffer, np.uint8), np.frombuffer(offsets, np.int64))

    def find(self, text: object) -> int | None:
        """Return the first place of a text, None where it does not occur."""
        if not isinstance(text, str):
            return None
        coded = text.encode(*_CODING)
        wanted = _prints(np.frombuffer(coded, np.uint8), np.array([0, len(coded)]))[0]
        return next((place for place in self._places(wanted) if self._coded(place) == coded), None)

    def places(self, others: "Texts") -> Ints:
        """Return the first place here of each of other texts, -1 where it does not occur.

        >>> Texts.of(["ann", "bob"]).places(Texts.of(["bob", "eve"])).tolist()
        [1, -1]
        """
        prints, order = self._index
        places = np.full(len(others), -1, np.int64)
        for start in range(0, len(others) if len(self) else 0, _AT_ONCE):
            ends = others.offsets[start : start + _AT_ONCE + 1]
            wanted = _prints(others.buffer, ends)
            at = np.minimum(np.searchsorted(prints, wanted), len(self) - 1)
            hit = np.flatnonzero(prints[at] == wanted)
            place = order[at[hit]].astype(np.int64)
            same = self._same(place, others, hit + start)
            places[hit[same] + start] = place[same]
            for other in (hit[~same] + start).tolist():  # other texts with the same fingerprint
                place_of = self.find(others[other])
                places[other] = -1 if place_of is None else place_of
        return places

    def _same(self, places: Ints, others: "Texts", theirs: Ints) -> NDArray[np.bool_]:
        """Tell of texts here, and of as many others, whether both are the same."""
        size = self.offsets[places + 1] - self.offsets[places]
        same: NDArray[np.bool_] = size == others.offsets[theirs + 1] - others.offsets[theirs]
        kept = np.flatnonzero(same)
        first, second = (
            of.buffer[arrays.positions(of.offsets[at[kept]], size[kept])]
            for of, at in ((self, places), (others, theirs))
        )
        differ = np.bincount(np.repeat(kept, size[kept]), first != second, len(same))
        same[differ > 0] = False
        return same

    @property
    def prints(self) -> Prints:
        """A number for each text, equal for equal texts and nearly always different for others."""
        return _prints(self.buffer, self.offsets)

    @property
    def repeated(self) -> bool:
        """Whether a text appears twice."""
        return bool(self.twice)

    @cached_property
    def twice(self) -> tuple[str, ...]:
        """The first few texts that appear twice."""
        prints, twice = self._index[0], list[str]()
        for same in np.unique(prints[1:][prints[1:] == prints[:-1]]):
            coded = [self._coded(place) for place in self._places(same)]
            twice += [one.decode(*_CODING) for one in dict.fromkeys(coded) if coded.count(one) > 1]
            if len(twice) >= _NAMED:
                break
        return tuple(twice[:_NAMED])

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "Texts": ...
    def __getitem__(self, place: int | slice) -> "str | Texts":
        if isinstance(place, slice):
            start, end, step = place.indices(len(self))
            if step != 1:
                return Texts.of(self[at] for at in range(start, end, step))
            return Texts(self.buffer, self.offsets[start : max(start, end) + 1])
        at = int(place) + (len(self) if place < 0 else 0)
        if not 0 <= at < len(self):
            raise IndexError(place)
        return self._coded(at).decode(*_CODING)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _AT_ONCE):
            ends = self.offsets[start : start + _AT_ONCE + 1]
            coded = self.buffer[int(ends[0]) : int(ends[-1])].tobytes()
            for at, end in pairwise((ends - ends[0]).tolist()):
                yield coded[at:end].decode(*_CODING)

    def __contains__(self, text: object) -> bool:
        return self.find(text) is not None

    def __eq__(self, other: object) -> bool:
        """Compare with other texts, or with a tuple or list of them."""
        if not isinstance(other, Texts | tuple | list):
            return NotImplemented
        return len(self) == len(other) and all(
            ours == theirs for ours, theirs in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment] # it may equal a list, which has none

    def __repr__(self) -> str:
        return f"<{len(self):,} texts>"

    def _coded(self, place: int) -> bytes:
        return self.buffer[int(self.offsets[place]) : int(self.offsets[place + 1])].tobytes()

    def _places(self, wanted: np.uint64) -> list[int]:
        """Return where texts with a fingerprint stand, ascending."""
        prints, order = self._index
        start, end = np.searchsorted(prints, wanted, "left"), np.searchsorted(prints, wanted, "right")
        places: list[int] = order[start:end].tolist()
        return places

    @cached_property
    def _index(self) -> tuple[Prints, NDArray[np.signedinteger[Any]]]:
        """The fingerprints of all texts in ascending order, and the texts' places in that order."""
        prints = np.empty(len(self), np.uint64)
        for start in range(0, len(self), _AT_ONCE):
            prints[start : start + _AT_ONCE] = _prints(
                self.buffer, self.offsets[start : start + _AT_ONCE + 1]
            )
        order = np.argsort(prints, kind="stable").astype(np.min_scalar_type(-len(self) - 1))
        return prints[order], order


def _prints(buffer: Bytes, offsets: Ints) -> Prints:
    """Return a number for each text, equal for equal texts and nearly always different for others."""
    ends = offsets - offsets[0]
    letters = np.arange(int(ends[-1])) - np.repeat(ends[:-1], np.diff(ends))
    signs = (letters.astype(np.uint64) << np.uint64(8)) + buffer[int(offsets[0]) : int(offsets[-1])]
    return arrays.fingerprints(ends, signs)
