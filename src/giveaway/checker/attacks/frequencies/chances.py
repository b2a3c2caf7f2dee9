"""How likely items and sets of items are recognised: exactly where the mappings can be counted, within bounds elsewhere."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, product
from math import prod
from random import Random

import numpy as np

from giveaway.checker.attacks.frequencies.mappings import (
    CodeWays,
    ItemCode,
    TooMuchWork,
    Window,
    components,
    permanent,
)
from giveaway.checker.promise import unconfirmed

Kind = tuple[Window, ItemCode]
"""What an item may be, and what it truly is."""

SOFTLY = 10
"""A soft belief makes a mapping less likely, by this many times the number of items, for each item outside its window."""

_SWEEPS = 200
_CODES = 16
"""How many times the work may be done where all codes are asked about, not only the true ones."""

_IMAGES = 20_000
"""Ways to choose codes for some items that are tried."""

_CERTAIN = Fraction(1)


@dataclass(frozen=True)
class Between:
    """A number that is known to lie between two others."""

    low: Fraction
    high: Fraction

    @staticmethod
    def exactly(value: Fraction) -> "Between":
        """Know a number."""
        return Between(value, value)


def kept(shares: Sequence[tuple[Between, Fraction]], what: str) -> bool:
    """Tell whether each share is within what is allowed; refuse where that is between its bounds."""
    if any(share.low > limit for share, limit in shares):
        return False
    if any(share.high > limit for share, limit in shares):
        raise unconfirmed(f"{what} could only be bounded, and the bound is over the limit that was promised.")
    return True


class MappingGraph:
    """Items of some kinds, each of which may be some codes; codes are as many as items."""

    def __init__(self, kinds: Mapping[Kind, int], groups: int, *, likeliest: bool = False) -> None:
        """Keep the kinds; with `likeliest` a chance is that of the likeliest codes of some items, true or not."""
        self.kinds = kinds
        self.likeliest = likeliest
        self._groups = groups
        self._windows, self._codes = Counter[Window](), Counter[ItemCode]()
        for (window, code), number in kinds.items():
            self._windows[window] += number
            self._codes[code] += number
        self._parts = components(self._windows, groups)
        self._part_of = [place for place, part in enumerate(self._parts) for _ in part]
        self._known: dict[tuple[Kind, ...], Between] = {}

    @cached_property
    def right(self) -> bool:
        """Whether every item may be what it truly is, so that the true mapping is one of those that agree."""
        return all(window.allows(code) for window, code in self.kinds)

    @cached_property
    def possible(self) -> bool | None:
        """Whether some mapping agrees; None when that was not found out."""
        if self.right:
            return True
        if any(window.first > window.last for window in self._windows):
            return False
        possible = [part.possible for part in self._components]
        return False if False in possible else None if None in possible else True

    @cached_property
    def _components(self) -> list["_CodeComponent"]:
        return [
            _CodeComponent(
                {window: many for window, many in self._windows.items() if window.first in part},
                {code: many for code, many in self._codes.items() if code.group in part},
                part,
                asks=_CODES if self.likeliest else 1,
            )
            for part in self._parts
        ]

    @cached_property
    def _softly(self) -> "_CodeComponent":
        soft = SOFTLY * self._windows.total()
        asks = _CODES if self.likeliest else 1
        return _CodeComponent(self._windows, self._codes, range(self._groups), soft, asks)

    def part_of(self, kind: Kind) -> int:
        """Return the number of the component of a kind; sets are recognised in each independently.

        All are in one where a kind lies in two, and where the belief is soft.
        """
        if not self._apart:
            return 0
        return self._part_of[kind[1].group]

    @cached_property
    def _apart(self) -> bool:
        return self.possible is True and all(
            window.first in self._parts[self._part_of[code.group]] for window, code in self.kinds
        )

    def chance(self, members: Iterable[Kind]) -> Between:
        """Return how likely a set of items is mapped onto its own codes, or its likeliest ones, in whatever order."""
        chosen = tuple(sorted(members))
        if chosen not in self._known:
            try:
                exactly = self._likeliest if self.likeliest else self._exactly
                self._known[chosen] = Between.exactly(exactly(chosen))
            except TooMuchWork:
                at_most = self._at_most_anywhere if self.likeliest else self._at_most
                self._known[chosen] = Between(Fraction(0), at_most(chosen))
        return self._known[chosen]

    def _likeliest(self, members: Sequence[Kind]) -> Fraction:
        """Try all codes that items with these windows may be mapped to, in each component for itself."""
        if self.possible is None:
            raise TooMuchWork
        windows = [window for window, _ in members]
        if not self.possible:
            return max(
                self._softly.chance(windows, image) for image in self._images([[*self._codes]] * len(windows))
            )
        together = Fraction(1)
        for place in {self._part_of[window.first] for window in windows}:
            inside = [window for window in windows if self._part_of[window.first] == place]
            candidates = [[code for code in self._codes if window.allows(code)] for window in inside]
            together *= max(
                (self._components[place].chance(inside, image) for image in self._images(candidates)),
                default=Fraction(0),
            )
        return together

    def _images(self, candidates: Sequence[Sequence[ItemCode]]) -> Iterator[tuple[ItemCode, ...]]:
        """Give the codes that items may be mapped to together, one of the candidates for each; equal codes are interchangeable."""
        if prod(map(len, candidates)) > _IMAGES:
            raise TooMuchWork
        for image in {tuple(sorted(image)) for image in product(*candidates)}:
            if all(many <= self._codes[code] for code, many in Counter(image).items()):
                yield image

    def _at_most_anywhere(self, members: Sequence[Kind]) -> Fraction:
        """Bound the chance of any codes: equal items are mapped to a code with the same chance, and to equal codes."""
        windows = Counter(window for window, _ in members)
        in_items = sum((Fraction(many, self._windows[one]) for one, many in windows.items()), Fraction(0))
        fewest = min(
            (self._codes[code] for code in self._codes if any(one.allows(code) for one in windows)), default=1
        )
        # Codes outside all windows are for soft beliefs only, of which nothing is known here.
        in_codes = Fraction(len(members), fewest) if self.possible else _CERTAIN
        return min(_CERTAIN, in_codes, in_items)

    def _exactly(self, members: Sequence[Kind]) -> Fraction:
        if self.possible is None:
            raise TooMuchWork
        if not self.possible:
            return self._softly.chance([window for window, _ in members], [code for _, code in members])
        together = Fraction(1)
        for place in {self._part_of[window.first] for window, _ in members}:
            windows = [window for window, _ in members if self._part_of[window.first] == place]
            codes = [code for _, code in members if self._part_of[code.group] == place]
            if len(windows) != len(codes):
                return Fraction(0)
            together *= self._components[place].chance(windows, codes)
        return together

    def _at_most(self, members: Sequence[Kind]) -> Fraction:
        """Bound a chance: what looks the same is equally likely.

        One of the members is mapped to each of equal codes with the same chance, and one of its codes is that of each of equal
        items with the same chance; so the set is recognised at most as often as one of them is in it.
        """
        windows, codes = Counter(window for window, _ in members), Counter(code for _, code in members)
        in_codes = sum((Fraction(many, self._codes[code]) for code, many in codes.items()), Fraction(0))
        in_items = sum((Fraction(many, self._windows[one]) for one, many in windows.items()), Fraction(0))
        return min(_CERTAIN, in_codes, in_items)

    @cached_property
    def estimated_total(self) -> Fraction | None:
        """At most how many items are expected to be recognised, by estimate where it cannot be counted; None if unknown.

        Scaling is too low where items have few candidates: by 31 % of a band of three, 13 % of five, 7 % of seven. One in the
        number of candidates is added to each, which no component that could be counted went beyond.
        """
        if not self.right or any(window.bound for window in self._windows):
            return None
        total = Fraction(0)
        for place, part in enumerate(self._parts):
            inside = {kind: many for kind, many in self.kinds.items() if kind[1].group in part}
            guessed = {} if self._components[place].ways else scaled(inside, part, likeliest=self.likeliest)
            for kind, many in inside.items():
                at_most = self.chance([kind]).high
                if kind in guessed:
                    more = Fraction(self._candidates(kind[0]) + 1, self._candidates(kind[0]))
                    at_most = min(at_most, more * Fraction(guessed[kind]))
                total += many * at_most
        return total

    def _candidates(self, window: Window) -> int:
        return self._upto[window.last + 1] - self._upto[window.first]

    @cached_property
    def _upto(self) -> list[int]:
        sizes = Counter[int]()
        for code, many in self._codes.items():
            sizes[code.group] += many
        return [0, *accumulate(sizes[group] for group in range(self._groups))]

    def draw(
        self, random: Random, items: Mapping[Window, list[int]], codes: Mapping[ItemCode, list[int]]
    ) -> dict[int, int] | None:
        """Draw one of the mappings that agree, as numbers of items and of codes; None where they cannot be counted."""
        mapping: dict[int, int] = {}
        for component in self._components:
            if not component.ways or not component.ways.total:
                return None
            mapping.update(component.ways.draw(random, component.of(items), codes))
        return mapping


class _CodeComponent:
    """Groups whose codes stand for items with windows inside them."""

    def __init__(
        self,
        windows: Mapping[Window, int],
        codes: Mapping[ItemCode, int],
        groups: range,
        soft: int = 0,
        asks: int = 1,
    ) -> None:
        self._windows, self._codes, self._groups, self._soft = windows, codes, groups, soft
        self._asks = asks
        self._known: dict[tuple[tuple[Window, ...], tuple[ItemCode, ...]], Fraction] = {}

    @cached_property
    def ways(self) -> CodeWays | None:
        """The mappings of this component; None when they are too many to count."""
        try:
            return CodeWays(self._windows, self._codes, self._groups, self._soft, self._asks)
        except TooMuchWork:
            return None

    @property
    def possible(self) -> bool | None:
        """Whether there is a mapping; None when that was not found out."""
        if sum(self._windows.values()) != sum(self._codes.values()):
            return False
        return None if self.ways is None else self.ways.total > 0

    def of(self, items: Mapping[Window, list[int]]) -> dict[Window, list[int]]:
        """Return the items of this component."""
        return {window: some for window, some in items.items() if window in self._windows}

    def chance(self, windows: Sequence[Window], codes: Sequence[ItemCode]) -> Fraction:
        """Return how likely items with these windows are mapped to these codes, in whatever order."""
        key = tuple(sorted(windows)), tuple(sorted(codes))
        if key not in self._known:
            self._known[key] = self._counted(*key)
        return self._known[key]

    def _counted(self, windows: Sequence[Window], codes: Sequence[ItemCode]) -> Fraction:
        if self.ways is None:
            raise TooMuchWork
        # An item inside its window counts as often as it is worth more than one outside.
        inside, outside = (self._soft, 1) if self._soft else (1, 0)
        among = permanent([[inside if one.allows(code) else outside for code in codes] for one in windows])
        if not among:
            return Fraction(0)
        # Of what a soft belief is worth inside a window, all but one part in `soft` is counted by the windows.
        scale = (self._soft - 1) ** len(windows) if self._soft else 1
        return Fraction(among * self.ways.without(windows, codes), scale * self.ways.total)


def scaled(kinds: Mapping[Kind, int], part: range, *, likeliest: bool = False) -> dict[Kind, float]:
    """Estimate the chances in a component by scaling rows and columns by turns until both add up to one."""
    first = np.array([window.first - part.start for window, _ in kinds])
    last = np.array([window.last - part.start for window, _ in kinds])
    own = np.array([code.group - part.start for _, code in kinds])
    many = np.array(list(kinds.values()), np.float64)
    groups = len(part)
    codes = np.bincount(own, many, groups)
    by_group, by_kind = np.ones(groups), np.ones(len(many))
    for _ in range(_SWEEPS):
        upto = np.concatenate([[0.0], np.cumsum(by_group * codes)])
        by_kind = 1 / (upto[last + 1] - upto[first])
        change = np.bincount(first, many * by_kind, groups + 1)
        change -= np.bincount(last + 1, many * by_kind, groups + 1)
        by_group = 1 / np.cumsum(change)[:groups]
    best = by_group[own]
    if likeliest:
        best = np.array([by_group[a : b + 1].max() for a, b in zip(first, last, strict=True)])
    return dict(zip(kinds, (by_kind * best).tolist(), strict=True))
