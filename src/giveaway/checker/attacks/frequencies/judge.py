"""Judge the attack `frequencies`: count the codes in the file, and work the chances out from the other end."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil, comb, sqrt
from statistics import mean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.checker.attacks.frequencies.beliefs import BelievedItems, believed
from giveaway.checker.attacks.frequencies.chances import Between, kept
from giveaway.checker.attacks.frequencies.itemsets import Over, chance_itself, interval, over_in, over_limit
from giveaway.checker.attacks.frequencies.people import keeps_people, weighed_items
from giveaway.checker.check import Check, ReadBack
from giveaway.checker.promise import Promise, disagree, unconfirmed
from giveaway.checker.together.reading import read_baskets
from giveaway.checker.together.written import SeenTogether, WrittenNow
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell
from giveaway.model.release.earlier import Earlier

Rows = Counter[frozenset[str]]
Drawn = list[dict[int, int]]
"""Mappings of items to codes; the code of an item has the item's own number."""

MAPPINGS = 8_000
"""Mappings that are drawn where pairs are known to be apart."""

_TRIES = 4
_ENOUGH = 1_000
_MOST_SETS = 10_000
_TOLD = 100
_SURE = 1.96
_NEVER = Between.exactly(Fraction(0))


def keeps(
    rows: Rows,
    original: Transactions,
    withheld: Collection[Label],
    codes: Mapping[Label, str] | None,
    promise: Promise,
) -> bool:
    """Tell whether no more is recognised in the written file than was promised; raise where that cannot be told."""
    if codes is None:
        raise disagree("The items are not renamed, which is what was promised.")
    known = believed(rows, original, withheld, codes, promise.attacker)
    if known.paired and known.graph.possible is False:
        raise disagree("No mapping agrees with the known pairs, so that nothing can be promised.")
    wants_sets = promise.attacker["targets"] != "items"
    judged = [*(_sets(known, promise) if wants_sets else _items(known, promise, rows.total()))]
    if not judged and not _all_withheld(promise, known, len(original.labels) + len(original.domain)):
        raise unconfirmed("Nothing that was promised could be checked.")
    return kept(judged, "How much is recognised")


def _all_withheld(promise: Promise, known: BelievedItems, items: int) -> bool:
    """Tell whether a promise about targets is kept because none of them is left in the file."""
    attacker, tolerance, left = promise.attacker, promise.tolerance, {item.label for item in known.items}
    wanted = attacker["targets"]
    if wanted == "items":
        of_interest = attacker["of_interest"]
        limited = tolerance.average is not None or tolerance.identity is not None
        return limited and bool(of_interest) and left.isdisjoint(of_interest)
    if tolerance.identity is None:
        return False
    if isinstance(wanted, Iterable) and not isinstance(wanted, str):
        return not any(left.issuperset(one) for one in wanted)
    if attacker["of_interest"] or (wanted != "pairs" and wanted.with_any):
        return not _Sized(known, attacker).number
    size, top = (2, Fraction(0)) if wanted == "pairs" else (wanted.size, wanted.without_top)
    before, now = (number - int(top * number) for number in (items, len(left)))
    return now < size <= before


# Single items ------------------------------------------------------------------------------------------------------


def _items(known: BelievedItems, promise: Promise, total: int) -> Iterator[tuple[Between, Fraction]]:
    """Give the expected share of items that are recognised, and that of items over the limit, each with what is allowed."""
    attacker, tolerance = promise.attacker, promise.tolerance
    wanted = set(attacker["of_interest"]) or {item.label for item in known.items}
    counts = [item.label in wanted for item in known.items]
    number = sum(counts)
    if not number:
        return
    drawn = _drawn(known) if known.never else None
    guess = None if drawn is None or not known.likeliest else _likeliest(drawn)
    if attacker["belief"].weighs:
        chances = weighed_items(known, attacker["belief"], total)
    else:
        chances = (
            [known.graph.chance([kind]) for kind in known.kinds] if drawn is None else _often(drawn, guess)
        )
    values = [chance if inside else _NEVER for chance, inside in zip(chances, counts, strict=True)]
    low, high = (
        _ShownItems(known, [getattr(one, end) for one in values], attacker) for end in ("low", "high")
    )
    if tolerance.average is not None:
        cracked = Between(low.total, high.total) if drawn is None else _recognised(drawn, high, counts, guess)
        if drawn is None and all(counts) and high.at_random and not attacker["belief"].weighs:
            cracked = _estimated(cracked, known, high.part)
        yield Between(cracked.low / number, cracked.high / number), tolerance.average
    if tolerance.identity is not None:
        ends = (shown.reaching(over_limit(tolerance.identity, attacker)) / number for shown in (low, high))
        yield Between(*ends), tolerance.share


def _estimated(total: Between, known: BelievedItems, part: Fraction) -> Between:
    """Use the estimate of all items that are recognised where it is below their bounds."""
    if total.low == total.high or known.graph.estimated_total is None:
        return total
    return Between(total.low, min(total.high, part * known.graph.estimated_total))


class _ShownItems:
    """The chances of the items that are believed correctly: a part of all, or the first in an order."""

    def __init__(self, known: BelievedItems, values: Sequence[Fraction], attacker: Mapping[str, Any]) -> None:
        # Nobody who knows the method is taken to be right at random.
        share, order = attacker["compliance"], "worst" if known.likeliest else attacker["order"]
        self._values = values
        self.at_random = order == "random" or share == 1
        self.part = share if self.at_random else Fraction(1)
        self.places = list(range(len(values)))
        if not self.at_random:
            keys: list[Fraction] = {
                "worst": [-value for value in values],
                "best": [*values],
                "frequency": [Fraction(item.count) for item in known.items],
            }[order]
            self.places = sorted(self.places, key=keys.__getitem__)[: ceil(share * len(values))]

    @property
    def total(self) -> Fraction:
        """How many items are expected to be recognised."""
        return self.part * sum((self._values[place] for place in self.places), Fraction(0))

    def reaching(self, over: Over) -> Fraction:
        """Return how many items are expected to be over the limit."""
        return self.part * sum(over(self._values[place]) for place in self.places)


# Sets of items -----------------------------------------------------------------------------------------------------


def _sets(known: BelievedItems, promise: Promise) -> Iterator[tuple[Between, Fraction]]:
    """Give the share of sets over the limit, with what is allowed; all members of a set must be believed correctly."""
    limit, attacker = promise.tolerance.identity, promise.attacker
    items = len(known.items)
    if limit is None or (attacker["compliance"] != 1 and attacker["order"] != "random"):
        return
    if known.likeliest and known.never:
        raise unconfirmed("The likeliest codes of sets are not looked for where pairs are known to be apart.")
    right = items if known.likeliest else ceil(attacker["compliance"] * items)
    shares = [*_shares(known, attacker, over_limit(limit, attacker))]
    number = sum(many for _, many, _ in shares)
    if not number:
        return
    ends = [
        sum(
            (
                getattr(share, end) * many * comb(right, size) / comb(items, size)
                for size, many, share in shares
            ),
            Fraction(0),
        )
        for end in ("low", "high")
    ]
    yield Between(*(end / number for end in ends)), promise.tolerance.share


class _Sized:
    """All sets of one size of some items: those of interest, without the most frequent ones, with at least one of others."""

    def __init__(self, known: BelievedItems, attacker: Mapping[str, Any]) -> None:
        wanted, self._known = attacker["targets"], known
        pairs = wanted == "pairs"
        self.size: int = 2 if pairs else wanted.size
        top, asked = (Fraction(0), set()) if pairs else (wanted.without_top, {*wanted.with_any})
        labels = [item.label for item in known.items]
        counts = set(attacker["of_interest"]) or set(labels)
        falling = sorted(range(len(labels)), key=lambda place: -known.items[place].count)
        self._chosen = [place for place in falling[int(top * len(falling)) :] if labels[place] in counts]
        self._without = [place for place in self._chosen if labels[place] not in asked] if asked else []

    @property
    def number(self) -> int:
        """How many sets there are: those of all, less those of the others alone."""
        return comb(len(self._chosen), self.size) - comb(len(self._without), self.size)

    def over_limit(self, over: Over) -> Between:
        """Return the share of them that is over the limit."""
        low, high = self._over(self._chosen, over)
        less, more = self._over(self._without, over)
        return Between(max((low - more) / self.number, Fraction(0)), (high - less) / self.number)

    def _over(self, members: Sequence[int], over: Over) -> tuple[Fraction, Fraction]:
        """Return how many sets of these members are over the limit, at least and at most."""
        number = comb(len(members), self.size)
        if not number:
            return Fraction(0), Fraction(0)
        if self._known.never:
            share = _over_apart(self._known, members, self.size, over)
        else:
            kinds = [self._known.kinds[place] for place in members]
            share = over_in(self._known.graph, kinds, self.size, over)
        return share.low * number, share.high * number


def _shares(
    known: BelievedItems, attacker: Mapping[str, Any], over: Over
) -> Iterator[tuple[int, int, Between]]:
    """Give the sizes of the sets, how many there are of each, and which share of them is over the limit."""
    wanted = attacker["targets"]
    if isinstance(wanted, Iterable) and not isinstance(wanted, str):
        place = {item.label: number for number, item in enumerate(known.items)}
        by_size: dict[int, list[list[int]]] = {}
        for one in wanted:
            if all(label in place for label in one):
                by_size.setdefault(len(one), []).append([place[label] for label in one])
        chance = _chance(known)
        for size, sets in by_size.items():
            chances = [chance(some) for some in sets]
            ends = (sum(over(getattr(one, end)) for one in chances) for end in ("low", "high"))
            yield size, len(sets), Between(*(Fraction(end, len(sets)) for end in ends))
        return
    sized = _Sized(known, attacker)
    if sized.number:
        yield sized.size, sized.number, sized.over_limit(over)


def _over_apart(known: BelievedItems, chosen: Sequence[int], size: int, over: Over) -> Between:
    """Return the share of sets over the limit where pairs are known to be apart: of all sets, or of some drawn here."""
    chance, number = _chance(known), comb(len(chosen), size)
    whole = number <= _MOST_SETS
    random = chance_itself()
    sets = combinations(chosen, size) if whole else (random.sample(chosen, size) for _ in range(_MOST_SETS))
    chances = [chance(some) for some in sets]
    low, high = (sum(over(getattr(one, end)) for one in chances) for end in ("low", "high"))
    if whole:
        return Between(Fraction(low, number), Fraction(high, number))
    return Between(interval(low, _MOST_SETS).low, interval(high, _MOST_SETS).high)


def _chance(known: BelievedItems) -> Callable[[Sequence[int]], Between]:
    """Return a function that tells how likely a set of items is recognised, by the places of its members."""
    if not known.never:
        return lambda some: known.graph.chance([known.kinds[place] for place in some])
    drawn = _drawn(known)

    def often(some: Sequence[int]) -> Between:
        onto = {*some}
        return interval(sum({one[item] for item in some} == onto for one in drawn), len(drawn))

    return often


# Pairs that are known to be apart ----------------------------------------------------------------------------------


def _drawn(known: BelievedItems) -> Drawn:
    """Draw mappings independently of each other, and leave out those that put a pair together which is known to be apart."""
    random, mappings = chance_itself(), Drawn()
    items: dict[Any, list[int]] = {}
    codes: dict[Any, list[int]] = {}
    for place, (window, code) in enumerate(known.kinds):
        items.setdefault(window, []).append(place)
        codes.setdefault(code, []).append(place)
    for number in range(_TRIES * MAPPINGS):
        if number % _TOLD == 0:
            tell("checking the written files", len(mappings), MAPPINGS)
        one = known.graph.draw(random, items, codes)
        if one is None:
            break
        if not any(frozenset((one[a], one[b])) in known.together for a, b in known.never):
            mappings.append(one)
        if len(mappings) == MAPPINGS:
            break
    if len(mappings) < _ENOUGH:
        raise unconfirmed("Too few mappings that agree with what is known could be drawn to check it.")
    return mappings


def _likeliest(drawn: Drawn) -> list[int]:
    """Return the code that each item was mapped to most often."""
    return [Counter(one[item] for one in drawn).most_common(1)[0][0] for item in range(len(drawn[0]))]


def _often(drawn: Drawn, guess: Sequence[int] | None) -> list[Between]:
    """Return how often each item was mapped to its own code, or to the one that is guessed."""
    codes = range(len(drawn[0])) if guess is None else guess
    return [interval(sum(one[item] == code for one in drawn), len(drawn)) for item, code in enumerate(codes)]


def _recognised(
    drawn: Drawn, shown: _ShownItems, counts: Sequence[bool], guess: Sequence[int] | None
) -> Between:
    """Return the 95 % interval of how many of the items that count are recognised."""
    judged = [(place, place if guess is None else guess[place]) for place in shown.places if counts[place]]
    numbers = [sum(one[item] == code for item, code in judged) for one in drawn]
    middle, error = mean(numbers), _SURE * stdev(numbers) / sqrt(len(drawn))
    return Between(shown.part * Fraction(middle - error), shown.part * Fraction(middle + error))


def keeps_opened(opened: ReadBack, promise: Promise) -> bool:
    """Tell whether a release keeps a promise about its items, or about people whose records they are."""
    release = opened.release
    if promise.attacker["belief"].kind == "people":
        if opened.form != "rows":
            raise disagree("What is known of people is judged on the rows of a table.")
        return keeps_people(opened, promise)
    if opened.form != "transactions":
        raise disagree("What is believed of items is judged on transactions.")
    assert isinstance(release.original, Transactions)  # noqa: S101 # called for transactions
    return keeps(opened.content, release.original, release.withheld.items, opened.codes, promise)


# Judge the attack `frequencies` with earlier releases at hand: one that names its items is a sample, counted from its file.
#
# Codes are drawn anew for each release, and without a belief about how frequencies change those of an earlier one tell
# nothing more. Whether people are in both does not matter to frequencies.


_TOLD_APART = 12
"""Of fewer items codes that were drawn anew may be the same by chance."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EarlierSample:
    """How often items of a release occur in an earlier file."""

    labels: tuple[Label, ...]
    supports: NDArray[np.int64]
    rows: int

    def __len__(self) -> int:
        return self.rows


@dataclass(frozen=True, kw_only=True, eq=False)
class EarlierSampleBelief:
    """The belief that items are about as frequent as in a sample."""

    sample: EarlierSample
    kind: str = "from sample"
    weighs: bool = False


def together(written: WrittenNow, promise: Promise) -> Iterator[SeenTogether]:
    """Give what is seen by somebody who takes an earlier release with names for a sample."""
    if promise.attacker["belief"].kind == "people":
        raise unconfirmed("What is known of people is not checked together with earlier releases.")
    for one in written.release.earlier:
        if one.same_codes:
            raise unconfirmed(f"What the codes of {one.name} tell when they are used again is not checked.")
        if one.renamed:
            _check_anew(written, one)
            continue
        belief = EarlierSampleBelief(sample=_counted(written, one))
        asked = replace(promise, attacker={**promise.attacker, "belief": belief})
        yield SeenTogether(earlier=(one,), keeps=partial(keeps_opened, written.opened, asked))


def _check_anew(written: WrittenNow, one: Earlier) -> None:
    """Refuse transactions that were given away under the same codes, where it is known which they were."""
    then, now = one.codes, written.codes
    if then is None or now is None:
        return
    both = [label for label in then if label in now]
    if len(both) >= _TOLD_APART and all(then[label] == now[label] for label in both):
        raise disagree(f"{written.file.name} has the codes of {one.name}, and they were to be drawn anew.")


def _counted(written: WrittenNow, one: Earlier) -> EarlierSample:
    """Count how often each item occurs in the file of an earlier release."""
    original = written.release.original
    assert isinstance(original, Transactions)  # noqa: S101 # the attack is on transactions
    rows, held = 0, Counter[str]()
    for basket in read_baskets(one):
        rows += 1
        held.update(basket)
    if not rows:
        raise unconfirmed(f"{one.name} holds no transactions, and so no frequencies of items.")
    labels = (*original.labels, *original.domain)
    supports = np.array([held[str(label)] for label in labels], np.int64)
    return EarlierSample(labels=labels, supports=supports, rows=rows)


CHECK = Check(
    attack="frequencies",
    form=("transactions", "rows"),
    limits=("identity", "average"),
    keeps=keeps_opened,
    together=together,
)
