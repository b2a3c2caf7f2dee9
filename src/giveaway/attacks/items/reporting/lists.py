"""What the figures of `items` count, one by one: moles, nuggets kept and lost, and accurate rules."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.question import needed
from giveaway.itemsets.ranked import Ranked
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Listing
from giveaway.model.data.arrays import Codes, positions
from giveaway.model.data.transactions import Transactions
from giveaway.moles.search import Moles

MOST = 10_000
"""How many moles or nuggets are listed at most, those of the fewest items first."""

MOST_FOR_RULES = 100_000
"""Of more nuggets than these no rules are made."""

_CELLS = 200_000_000
"""Cells that are looked at for a list of moles."""


class Mole(NamedTuple):
    """A combination over a limit; minimal when no part of it is one."""

    codes: tuple[int, ...]
    support: int
    breach: Fraction
    """The largest chance of a private item among those who have it (BPr)."""
    minimal: bool


class Nugget(NamedTuple):
    """An itemset that the reader needs."""

    codes: tuple[int, ...]
    support: int


class AccurateRule(NamedTuple):
    """Known items that predict a private item with a chance above the limit, and are more than the attacker knows."""

    codes: tuple[int, ...]
    private: int
    support: int
    chance: Fraction


def moles(searched: Moles, most: int = MOST, cells: int = _CELLS) -> list[Mole]:
    """List moles size by size, in item order; at most `most`, and no further size after looking at `cells` cells.

    State: the moles of one size, each with the rows that hold it. Every itemset that occurs, is not too long and holds
    a mole is one (Proposition 1), so those of the next size are the minimal moles of it and what adds one item that
    occurs with a mole: none is missed, and a set that is reached twice is listed once.
    """
    ranked = searched.ranked
    offsets, ranks = searched.spelled(searched.harmful.parent, searched.harmful.item)
    minimal: dict[int, list[tuple[int, ...]]] = {}
    for place in np.argsort(np.diff(offsets), kind="stable")[:most]:
        spelled_out = sorted(ranks[offsets[place] : offsets[place + 1]].tolist())
        minimal.setdefault(len(spelled_out), []).append(tuple(spelled_out))
    listed: list[Mole] = []
    level: dict[tuple[int, ...], Codes] = {}
    for size in range(1, searched.size + 1):
        new = {mole: _holders(ranked, mole) for mole in minimal.get(size, ())[: most - len(listed)]}
        smallest = set(new)
        for mole, rows in level.items():
            if len(listed) + len(new) >= most or cells <= 0:
                break
            cells -= int(np.diff(ranked.starts)[rows].sum())
            new |= {tuple(sorted((*mole, item))): held for item, held in _adding(ranked, mole, rows)}
        level = new
        spelled = sorted((tuple(sorted(ranked.codes[list(mole)].tolist())), mole) for mole in level)
        listed += [
            Mole(
                codes, int(ranked.weights[level[mole]].sum()), _breach(ranked, level[mole]), mole in smallest
            )
            for codes, mole in spelled
        ]
        if len(listed) >= most or cells <= 0:
            break
    return listed[:most]


def _holders(ranked: Ranked, mole: Sequence[int]) -> Codes:
    """Return the rows that hold some ranks."""
    begins, places = ranked.holders
    rows = [ranked.row_of[places[begins[rank] : begins[rank + 1]]] for rank in mole]
    held = min(rows, key=len)
    for others in rows:
        held = held[np.isin(held, others, assume_unique=True)]
    return held


def _breach(ranked: Ranked, rows: Codes) -> Fraction:
    """Return the largest share of some rows that holds one private item."""
    sizes = np.diff(ranked.private_starts)[rows]
    held = ranked.private[positions(ranked.private_starts[rows], sizes)]
    most = np.bincount(held, np.repeat(ranked.weights[rows], sizes), minlength=1).max()
    return Fraction(int(most), int(ranked.weights[rows].sum()))


def _adding(ranked: Ranked, mole: tuple[int, ...], rows: Codes) -> Iterator[tuple[int, Codes]]:
    """Give each rank that occurs with a mole, and the rows that hold it too."""
    sizes = np.diff(ranked.starts)[rows]
    held, items = np.repeat(rows, sizes), ranked.cells[positions(ranked.starts[rows], sizes)]
    order = np.argsort(items, kind="stable")
    held, items = held[order], items[order]
    starts = np.flatnonzero(np.append(True, items[1:] != items[:-1])) if len(items) else items
    for begin, part in zip(starts.tolist(), np.split(held, starts[1:]), strict=False):
        if items[begin] not in mole:
            yield int(items[begin]), part


def nuggets(transactions: Transactions, need: NeedsItemsets, most: int = MOST) -> list[Nugget]:
    """List nuggets by size, falling support and item order; of too many all of as many sizes as are within bounds."""
    counted, size = needed(transactions, need), need.max_size
    if counted.total > most:
        size, counted = 1, needed(transactions, replace(need, max_size=1))
        while (larger := needed(transactions, replace(need, max_size=size + 1))).total <= most:
            size, counted = size + 1, larger
    spelled = [Nugget(codes, support) for codes, support in counted.spelled()]
    return sorted(spelled, key=lambda one: (len(one.codes), -one.support, one.codes))[:most]


def accurate_rules(
    transactions: Transactions, need: NeedsItemsets, longer_than: int, limit: Fraction
) -> list[AccurateRule] | None:
    """List the rules a -> s that are needed, predict the private item s above a limit, and know more items than somebody.

    A rule is needed when a with s is a nugget. The surest first, then by support, size and item order. None of too many nuggets.

    Xu et al., section 3.1: accurate rules tend to be long, and may be preserved.
    """
    if needed(transactions, need).total > MOST_FOR_RULES:
        return None
    supports = dict(needed(transactions, need).spelled())
    is_private = transactions.is_private.tolist()
    rules = []
    for codes, support in supports.items():
        private = [code for code in codes if is_private[code]]
        if len(private) != 1 or len(codes) <= longer_than + 1:
            continue
        known = tuple(code for code in codes if code != private[0])
        if support * limit.denominator > limit.numerator * supports[known]:
            rules.append(AccurateRule(known, private[0], support, Fraction(support, supports[known])))
    return sorted(rules, key=lambda rule: (-rule.chance, -rule.support, len(rule.codes), rule))


def mole_listing(transactions: Transactions, searched: Moles, total: int | None) -> Listing:
    """Name the combinations over a limit."""
    rows = [
        {
            "items": [transactions.labels[code] for code in one.codes],
            "support": one.support,
            "breach": one.breach,
            "minimal": one.minimal,
        }
        for one in moles(searched)
    ]
    return Listing(
        title="Combinations over a limit (moles) with the breach of each, the smallest first",
        rows=rows,
        total=total,
    )


def nugget_listings(
    original: Transactions, published: Transactions, need: NeedsItemsets, totals: tuple[int, int]
) -> dict[str, Listing]:
    """Name the needed combinations that a release keeps, and those that it lost; `totals` counts both."""
    kept: list[Nugget] = []
    lost: list[Nugget] = []
    still_there = [label in published.code_of for label in original.labels]
    for one in nuggets(original, need):
        (kept if all(still_there[code] for code in one.codes) else lost).append(one)
    titles = {
        "nuggets_lost": "Needed combinations (nuggets) that are lost",
        "nuggets": "Needed combinations (nuggets) that are kept",
    }
    return {
        name: Listing(
            title=titles[name],
            rows=[
                {"items": [original.labels[code] for code in one.codes], "support": one.support}
                for one in part
            ],
            total=total,
        )
        for name, part, total in zip(titles, (lost, kept), totals, strict=True)
    }


def rule_listing(transactions: Transactions, rules: Sequence[AccurateRule]) -> Listing:
    """Name the accurate rules that stay usable."""
    rows = [
        {
            "items": [transactions.labels[code] for code in rule.codes],
            "private_item": transactions.labels[rule.private],
            "support": rule.support,
            "chance": rule.chance,
        }
        for rule in rules[:MOST]
    ]
    title = f"Rules that predict a private {nouns().item} from more {nouns().items} than this attacker knows, and stay usable"
    return Listing(title=title, rows=rows, total=len(rules))
