"""Tokens of text lines, numbered and spelled again: by a dictionary where there are few, compiled where there are many."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, pairwise

import numpy as np
from numpy.typing import NDArray

from giveaway.compiling import compiled, kernel, suited
from giveaway.model.data import arrays

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

_SPACE, _TAB, _NEWLINE = 32, 9, 10
_FIRST_SLOTS = 1 << 12
_FIRST_POOL = 1 << 16
_PIECE = 1 << 18
"""Bytes that are split at once, since tokens take several times the memory of their text."""
_BYTES_A_STEP = 64
"""What a dictionary splits and numbers in the time of a step of a kernel as plain Python."""


def vocabulary_for(size: int) -> "type[DictionaryVocabulary | CompiledVocabulary]":
    """Choose what numbers the tokens of a text of that many bytes in the least time; both number them equally."""
    plain = suited(_tokenize, size // _BYTES_A_STEP) is _tokenize
    return DictionaryVocabulary if plain else CompiledVocabulary


class DictionaryVocabulary:
    """A vocabulary in a dictionary, for texts that are split before numba is loaded."""

    def __init__(self) -> None:
        self._numbers: defaultdict[bytes, int] = defaultdict(count().__next__)

    @property
    def size(self) -> int:
        """How many tokens are known."""
        return len(self._numbers)

    def tokenize(self, lines: bytes) -> Iterator[tuple[Ints, Codes]]:
        """Number the tokens of complete lines; each line keeps the order of its tokens, repeated ones once."""
        sizes, codes = [np.zeros(1, np.int64)], list[Codes]()
        start = 0
        while start < len(lines):
            end = lines.find(b"\n", start + _PIECE) + 1 or len(lines)
            rows = [dict.fromkeys(line.split()) for line in lines[start : end - 1].split(b"\n")]
            sizes.append(np.fromiter(map(len, rows), np.int64, len(rows)))
            tokens = chain.from_iterable(rows)
            codes.append(np.fromiter(map(self._numbers.__getitem__, tokens), np.int32, int(sizes[-1].sum())))
            start = end
        yield np.cumsum(np.concatenate(sizes)), np.concatenate(codes)

    def number(self, words: Sequence[str]) -> None:
        """Number words before any line is seen, in the order in which they are given."""
        for word in words:
            _ = self._numbers[word.encode()]

    def words(self) -> list[str]:
        """Return the tokens as text, by number."""
        return [word.decode() for word in self._numbers]

    def spell(self, offsets: Ints, codes: Codes, kept: NDArray[np.bool_]) -> bytes:
        """Write lines of tokens again, separated by single blanks, without those not kept."""
        spelling = np.array([*(word + b" " for word in self._numbers), b"\n"], object)
        offsets, codes = arrays.drop(offsets, codes, ~kept)
        codes = np.insert(codes, offsets[1:], self.size)
        return b"".join(spelling[codes].tolist()).replace(b" \n", b"\n")


@dataclass
class CompiledVocabulary:
    """A vocabulary in a table of hashes that compiled code searches."""

    slots: Codes = field(default_factory=lambda: np.full(_FIRST_SLOTS, -1, np.int32))
    pool: Bytes = field(default_factory=lambda: np.empty(_FIRST_POOL, np.uint8))
    starts: Ints = field(default_factory=lambda: np.zeros(_FIRST_SLOTS // 2 + 1, np.int64))
    size: int = 0

    def tokenize(self, lines: bytes) -> Iterator[tuple[Ints, Codes]]:
        """Number the tokens of complete lines; each line keeps the order of its tokens, repeated ones once."""
        text = np.frombuffer(lines, np.uint8)
        at = 0
        while at < len(text):
            room = len(text) - at
            offsets = np.zeros(int(np.count_nonzero(text[at:] == _NEWLINE)) + 1, np.int64)
            codes = np.empty(room // 2 + 1, np.int32)
            seen = np.full(len(self.starts), -1, np.int64)
            at, rows, self.size, needed = compiled(_tokenize)(
                text, at, self.slots, self.pool, self.starts, self.size, seen, offsets, codes
            )
            if rows:
                yield offsets[: rows + 1], codes[: offsets[rows]]
            if needed:
                self._grow(needed)

    def number(self, words: Sequence[str]) -> None:
        """Number words before any line is seen, in the order in which they are given."""
        for _ in self.tokenize((" ".join(words) + "\n").encode()):
            pass

    def words(self) -> list[str]:
        """Return the tokens as text, by number."""
        whole = self.pool.tobytes()
        ends = self.starts[: self.size + 1].tolist()
        return [whole[start:end].decode() for start, end in pairwise(ends)]

    def spell(self, offsets: Ints, codes: Codes, kept: NDArray[np.bool_]) -> bytes:
        """Write lines of tokens again, separated by single blanks, without those not kept."""
        size = np.diff(self.starts[: self.size + 1])[codes]
        out = np.empty(int(size.sum()) + len(codes) + len(offsets), np.uint8)
        used = compiled(_spell)(offsets, codes, kept, self.pool, self.starts, out)
        return out[:used].tobytes()

    def _grow(self, needed: int) -> None:
        """Make room for `needed` further bytes of tokens and twice the tokens."""
        if 2 * self.size >= len(self.slots) - 2:
            self.slots = np.full(4 * len(self.slots), -1, np.int32)
            self.starts = np.concatenate(
                [self.starts[: self.size + 1], np.zeros(len(self.slots) // 2 - self.size, np.int64)]
            )
            compiled(_place)(self.slots, self.pool, self.starts, self.size)
        pool = np.empty(2 * len(self.pool) + needed, np.uint8)
        pool[: len(self.pool)] = self.pool
        self.pool = pool


@kernel
def _hash(text: Bytes, start: int, end: int) -> int:
    mixed = np.uint64(14695981039346656037)
    for i in range(start, end):
        mixed = (mixed ^ np.uint64(text[i])) * np.uint64(1099511628211)
    mixed ^= mixed >> np.uint64(32)
    return np.int64(mixed & np.uint64(0x7FFFFFFF))  # type: ignore[return-value] # compiled code has one integer type


@kernel
def _place(slots: Codes, pool: Bytes, starts: Ints, size: int) -> None:
    mask = len(slots) - 1
    for code in range(size):
        slot = _hash(pool, starts[code], starts[code + 1]) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = code


@kernel
def _tokenize(
    text: Bytes,
    at: int,
    slots: Codes,
    pool: Bytes,
    starts: Ints,
    size: int,
    seen: Ints,
    offsets: Ints,
    codes: Codes,
) -> tuple[int, int, int, int]:
    """Number the tokens of lines until the text ends or the vocabulary is full.

    Returns where to go on, the number of lines done, the number of tokens known, and the bytes of room that the
    next token needs (0 at the end of the text).
    """
    mask = len(slots) - 1
    most = len(starts) - 2
    row = 0
    used = 0
    line = at
    while at < len(text):
        byte = text[at]
        if byte in (_SPACE, _TAB):
            at += 1
            continue
        if byte == _NEWLINE:
            row += 1
            offsets[row] = used
            at += 1
            line = at
            continue
        start = at
        while at < len(text) and text[at] not in (_SPACE, _TAB, _NEWLINE):
            at += 1
        length = at - start
        slot = _hash(text, start, at) & mask
        code = -1
        while slots[slot] >= 0:
            known = slots[slot]
            first = starts[known]
            if starts[known + 1] - first == length:
                same = True
                for i in range(length):
                    if pool[first + i] != text[start + i]:
                        same = False
                        break
                if same:
                    code = known
                    break
            slot = (slot + 1) & mask
        if code < 0:
            if size >= most or starts[size] + length > len(pool):
                return line, row, size, length + 1
            code = size
            slots[slot] = code
            first = starts[size]
            for i in range(length):
                pool[first + i] = text[start + i]
            size += 1
            starts[size] = first + length
        if seen[code] != row:
            seen[code] = row
            codes[used] = code
            used += 1
    return at, row, size, 0


@kernel
def _spell(
    offsets: Ints, codes: Codes, kept: NDArray[np.bool_], pool: Bytes, starts: Ints, out: Bytes
) -> int:
    used = 0
    for row in range(len(offsets) - 1):
        some = False
        for i in range(offsets[row], offsets[row + 1]):
            code = codes[i]
            if not kept[code]:
                continue
            if some:
                out[used] = _SPACE
                used += 1
            some = True
            for at in range(starts[code], starts[code + 1]):
                out[used] = pool[at]
                used += 1
        out[used] = _NEWLINE
        used += 1
    return used
