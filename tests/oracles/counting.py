"""Counts of transactions by plain loops, in the place of an engine, and a record of what was asked."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

import numpy as np
from tests.oracles.build import transactions

from giveaway.model.data import arrays as rows
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.counting import Cohorts
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import HeldTransactions


class PlainCounting:
    def __init__(self, held: Sequence[frozenset[int]], asked: list[str]) -> None:
        self._held = held
        self.asked = asked

    def longest(self, items: Codes) -> int:
        self.asked.append("longest")
        return max((len(row & set(items.tolist())) for row in self._held), default=0)

    def _cohort(self, itemset: Collection[int], private: Codes) -> tuple[int, int, int]:
        held = [row for row in self._held if set(itemset) <= row]
        counts = [(sum(secret in row for row in held), -secret) for secret in private.tolist()]
        most, secret = max(counts, default=(0, 1))
        return len(held), most, -secret if most else -1

    def inferences(self, items: Codes, private: Codes) -> tuple[Ints, Codes]:
        self.asked.append("inferences")
        found = [self._cohort([item], private) for item in items.tolist()]
        return np.array([one[1] for one in found], np.int64), np.array([one[2] for one in found], np.int32)

    def _pairs(self, items: Collection[int]) -> list[tuple[int, int]]:
        together = Counter(pair for row in self._held for pair in combinations(sorted(row & set(items)), 2))
        return sorted(together)

    def number_of_pairs(self, items: Codes) -> int:
        self.asked.append("number_of_pairs")
        return len(self._pairs(items.tolist()))

    def pairs(self, items: Codes, private: Codes) -> tuple[Codes, Codes, Cohorts]:
        self.asked.append("pairs")
        pairs = self._pairs(items.tolist())
        found = [self._cohort(pair, private) for pair in pairs]
        first, second = (np.array([pair[end] for pair in pairs], np.int32) for end in (0, 1))
        support, holding, secret = (np.array([one[part] for one in found], np.int64) for part in range(3))
        return first, second, Cohorts(support, holding, secret.astype(np.int32))

    def pairs_by_support(self, items: Codes, others: Codes, private: Codes) -> tuple[Ints, Ints, Ints]:
        self.asked.append("pairs_by_support")
        harmful = set(others.tolist())
        number: Counter[int] = Counter()
        most: Counter[int] = Counter()
        for pair in self._pairs({*items.tolist(), *harmful}):
            if harmful & set(pair):
                support, holding, _ = self._cohort(pair, private)
                number[support] += 1
                most[support] = max(most[support], holding)
        supports = sorted(number)
        return tuple(  # type: ignore[return-value] # three arrays
            np.array(part, np.int64)
            for part in (supports, [number[s] for s in supports], [most[s] for s in supports])
        )

    def first_pair(
        self, items: Codes, others: Codes, private: Codes, *, support: int, holding: int | None
    ) -> tuple[int, int, int]:
        self.asked.append("first_pair")
        for pair in self._pairs({*items.tolist(), *others.tolist()}):
            found, most, secret = self._cohort(pair, private)
            if set(pair) & set(others.tolist()) and found == support and holding in (None, most):
                return (*pair, secret)
        raise AssertionError("there is no such pair")

    def holders(self, items: Codes, first: Codes, second: Codes) -> int:
        self.asked.append("holders")
        pairs = list(zip(first.tolist(), second.tolist(), strict=True))
        alone = set(items.tolist())
        return sum(bool(row & alone) or any(set(pair) <= row for pair in pairs) for row in self._held)

    def only(self, items: Codes) -> "PlainCounting":
        place = {code: number for number, code in enumerate(items.tolist())}
        return PlainCounting(
            [frozenset(place[code] for code in row if code in place) for row in self._held], self.asked
        )

    def rows(self) -> tuple[Ints, Codes, Ints]:
        self.asked.append("rows")
        offsets = np.zeros(len(self._held) + 1, np.int64)
        np.cumsum([len(row) for row in self._held], out=offsets[1:])
        codes = np.array([code for row in self._held for code in sorted(row)], np.int32)
        return rows.merge(offsets, codes, np.ones(len(self._held), np.int64))[:3]


def held_transactions(
    lists: Sequence[Collection[Label]], private: Collection[Label] = ()
) -> tuple[HeldTransactions, list[str]]:
    """Return transactions that are counted elsewhere, and the list of what they are asked from now on."""
    plain = transactions(lists, private)
    asked: list[str] = []
    counting = PlainCounting([frozenset(plain.code_of[label] for label in row) for row in lists], asked)
    made = HeldTransactions(
        counting,
        transactions=len(lists),
        supports=plain.supports,
        labels=plain.labels,
        private=plain.private,
    )
    return made, asked
