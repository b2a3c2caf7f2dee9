"""What is drawn by lot: the one source of it, and what is kept so that nothing is drawn twice."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from hashlib import blake2b, sha256, shake_256
from random import Random
from typing import Any

import numpy as np

from giveaway.errors import GiveawayError, Help, NoSafeRelease
from giveaway.model.question.effort import Effort
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels

_key: ContextVar[Callable[[], bytes] | None] = ContextVar("key", default=None)

_BYTES = 32
_ROWS = {"columns", "labels", "weights", "record_of", "ids", "offsets", "codes", "supports"}
_ELSEWHERE = {"origin", "lot", "words", "beside", "place", "file"}
"""What is not part of a question: where things are, how they are called, and what is told of them twice."""


def lots(*what: object) -> Random:
    """Return what draws by lot for those who must be protected; `what` is all that decides between what is drawn.

    While a release is protected, the same is drawn for the same `what`, and something else, by its lot, for any other.
    """
    key = _key.get()
    return source(os.urandom(_BYTES) if key is None else key(), what)


def source(key: bytes, what: tuple[object, ...]) -> Random:
    """Return the lots of a key. All that protects people is drawn here, so that tests replace this function, and this alone."""
    return _Lots(key + bytes.fromhex(digest(*what)))


class _Lots(Random):
    """Lots that only who knows their key can tell, as many as are asked for."""

    def __init__(self, key: bytes) -> None:
        self._key, self._drawn = key, 0
        super().__init__()

    def seed(self, *_: Any, **__: Any) -> None:
        """Leave the key alone."""

    def getrandbits(self, k: int) -> int:
        self._drawn += 1
        size = -(-k // 8)
        raw = shake_256(self._key + self._drawn.to_bytes(8, "big")).digest(size)
        return int.from_bytes(raw, "big") >> (8 * size - k)

    def random(self) -> float:
        return self.getrandbits(53) * 2.0**-53


@dataclass(frozen=True, kw_only=True)
class Answer:
    """How a question was answered for which lots were drawn."""

    seed: int
    exact: bool
    reason: str | None = None
    """Why it was refused; None where there is a release."""
    helps: tuple[tuple[str, tuple[Mapping[str, Any], ...]], ...] = ()
    proved: bool = False

    @classmethod
    def of(cls, effort: Effort, refusal: NoSafeRelease | None = None) -> "Answer":
        """Note what came of an effort."""
        if refusal is None:
            return cls(seed=effort.seed, exact=effort.exact)
        return cls(
            seed=effort.seed,
            exact=effort.exact,
            reason=refusal.reason,
            helps=tuple((str(one), tuple(one.set)) for one in refusal.helps),
            proved=refusal.proved,
        )

    def effort(self, effort: Effort) -> Effort:
        """Return the effort with which the same comes out again."""
        return replace(effort, seed=self.seed, exact=self.exact)

    def require_release(self) -> None:
        """Refuse again what was refused."""
        if self.reason is not None:
            helps = [Help(says, *changes) for says, changes in self.helps]
            raise NoSafeRelease(self.reason, helps=helps, proved=self.proved)


class Lot:
    """What decides everything that is drawn for a release, and how the questions were answered that it decided.

    It is drawn once, when it is first needed. The first answer stands: a release for which was drawn until one passed tells
    which draws did not.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.uses = 0
        """How many draws there were."""

    @cached_property
    def secret(self) -> bytes:
        """What is drawn from the operating system's entropy."""
        return os.urandom(_BYTES)

    @property
    def is_drawn(self) -> bool:
        """Whether anything was decided by it."""
        return "secret" in vars(self)

    def answer(self, asked: Callable[[], str]) -> Answer | None:
        """Return how a question was answered before."""
        return self.answers.get(asked()) if self.answers else None

    def keep(self, asked: str, answer: Answer) -> Answer:
        """Keep an answer, unless there is one; return the one that stands."""
        return self.answers.setdefault(asked, answer)

    @contextmanager
    def drawing(self, data: Callable[[], str], asked: Callable[[], str], effort: Effort) -> Iterator[None]:
        """Draw for a question about data; what comes of it is kept before anybody hears of it."""
        before = self.uses

        def key() -> bytes:
            self.uses += 1
            return blake2b(data().encode(), key=self.secret, digest_size=_BYTES).digest()

        token = _key.set(key)
        try:
            if (first := self.answer(asked)) is not None:
                first.require_release()
            yield
        except NoSafeRelease as refusal:
            if self.uses > before:
                self.keep(asked(), Answer.of(effort, refusal)).require_release()
            raise
        except GiveawayError:
            if self.uses > before:
                self.keep(asked(), Answer.of(effort))
            raise
        finally:
            _key.reset(token)
        if self.uses > before:
            self.keep(asked(), Answer.of(effort)).require_release()


def digest(*values: object) -> str:
    """Return a hash that only the same values have, in whichever process.

    >>> digest({"b": 1, "a": 2}, {"x", "y"}) == digest({"a": 2, "b": 1}, {"y", "x"}) != digest({"a": 1})
    True
    """
    hashed = sha256()
    for value in values:
        for part in _bytes_of(value):
            hashed.update(part)
    return hashed.hexdigest()


def _bytes_of(value: object) -> Iterator[bytes]:
    """Give the bytes of a value, of what it is made of, and nothing of where that is."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        yield repr((value.dtype.kind, value.shape)).encode()
        yield np.ascontiguousarray(value).tobytes()
        return
    parts = _parts(value)
    if parts is None:
        yield f"{type(value).__name__} {value!r};".encode("utf-8", "surrogatepass")
        return
    yield f"{type(value).__name__} {len(parts)}(".encode()
    for part in parts:
        yield from _bytes_of(part)


def _parts(value: Any) -> list[object] | None:
    """Return what a value is made of; None of what is a text or a number."""
    parts: list[object] | None = None
    if isinstance(value, str | bytes | int | float):
        pass
    elif isinstance(value, type) or (callable(value) and not is_dataclass(value)):
        parts = [value.__qualname__]
    elif isinstance(value, Cells | Levels):
        of = value.positions if isinstance(value, Cells) else value.of
        parts = [(name, of(name)) for name in value.columns]
    elif isinstance(value, Mapping):
        parts = [(name, value[name]) for name in sorted(value, key=repr)]
    elif isinstance(value, AbstractSet):
        parts = sorted(value, key=repr)
    elif isinstance(value, np.ndarray | Sequence):
        parts = list(value)
    elif is_dataclass(value):
        checksum = getattr(getattr(value, "origin", None), "sha256", None)
        left = _ELSEWHERE if checksum is None else _ELSEWHERE | _ROWS
        named = [(one, getattr(value, one.name)) for one in fields(value) if one.name not in left]
        # What was added later is no part while it is empty, so that answers that were kept before are recognised.
        parts = [checksum, *((one.name, part) for one, part in named if "later" not in one.metadata or part)]
    elif hasattr(value, "__dict__"):
        parts = [vars(value)]
    return parts
