"""Transactions in long form that an engine holds: pairs and cohorts of items are counted there, by group and join."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from giveaway.engines.counting import Items, coded_items, item_counts, merged_baskets
from giveaway.engines.held import Backend, HeldRows
from giveaway.engines.part import PlainColumn, RowsPart
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.counting import Cohorts
from giveaway.model.data.labels import in_order
from giveaway.model.data.origin import Origin
from giveaway.model.data.transactions import HeldTransactions
from giveaway.sources.encoding.roles import Roles

if TYPE_CHECKING:
    import narwhals as nw

FEW = 1000
"""Up to so many items are named in a query; more are handed over as a relation."""


def held_transactions(
    held: HeldRows, *, id: str, item: str, missing: Collection[str], roles: Roles, origin: Origin | None
) -> HeldTransactions:
    """Make transactions of a long table, which stays where it is."""
    items = coded_items(held, id, item, missing)
    code_of = {label: code for code, label in enumerate(items.labels)}
    domain = tuple(in_order(label for label in roles.domain if label not in code_of))
    return HeldTransactions(
        Baskets(items, np.arange(len(items.labels), dtype=np.int64)),
        transactions=items.transactions,
        supports=item_counts(items),
        labels=items.labels,
        private=roles.private_codes(code_of, domain),
        domain=domain,
        origin=origin,
    )


@dataclass(frozen=True, eq=False)
class Baskets:
    """Transactions counted by the engine that holds them.

    `stored` are the codes there of the items here, ascending, so that both compare alike.
    """

    items: Items
    stored: Ints

    def longest(self, items: Codes) -> int:
        """Return the largest number of some items that one transaction holds."""
        import narwhals as nw

        return self._one(_counted(self._cells(items, "i"), "whose").select(nw.col("count").max()))

    def inferences(self, items: Codes, private: Codes) -> tuple[Ints, Codes]:
        """Return `holding` and `secret` of the transactions that hold each of some items."""
        best = np.zeros(len(self.stored), np.int64)
        if len(private):
            rows = self._collected(self._best(self._cells(items, "i"), private, "i"))
            best[self._here(rows["i"])] = rows["best"]
        return self._told(best[items])

    def number_of_pairs(self, items: Codes) -> int:
        """Count the pairs of some items that occur together."""
        import narwhals as nw

        return self._one(self._together(items).select("i", "j").unique().select(nw.len()))

    def pairs(self, items: Codes, private: Codes) -> tuple[Codes, Codes, Cohorts]:
        """Count the transactions that hold two of some items, for every pair that occurs together."""
        rows = self._collected(self._cohorts(self._together(items), private))
        order = np.lexsort((rows["j"], rows["i"]))
        first, second = (self._here(rows[name][order]) for name in "ij")
        return first, second, Cohorts(rows["count"][order], *self._told(rows["best"][order]))

    def pairs_by_support(self, items: Codes, others: Codes, private: Codes) -> tuple[Ints, Ints, Ints]:
        """Count the pairs that are one of `others` with one of `items` or of `others`, without listing them."""
        import narwhals as nw

        cohorts = self._cohorts(self._together(others, items), private)
        rows = self._collected(cohorts.group_by("count").agg(number=nw.len(), best=nw.col("best").max()))
        order = np.argsort(rows["count"])
        return rows["count"][order], rows["number"][order], self._told(rows["best"][order])[0]

    def first_pair(
        self, items: Codes, others: Codes, private: Codes, *, support: int, holding: int | None
    ) -> tuple[int, int, int]:
        """Return the first, by its codes, of these pairs that has a support and, if given, a `holding`; and its `secret`."""
        import narwhals as nw

        pairs = self._cohorts(self._together(others, items), private).filter(nw.col("count") == support)
        if holding is not None:
            least, end = holding * self._span, (holding + 1) * self._span
            pairs = pairs.filter((nw.col("best") >= least) & (nw.col("best") < end))
        ascend = nw.col("i") < nw.col("j")
        pair = pairs.select(
            nw.when(ascend).then(nw.col("i")).otherwise(nw.col("j")).alias("low"),
            nw.when(ascend).then(nw.col("j")).otherwise(nw.col("i")).alias("high"),
            "best",
        )
        first = self._collected(pair.sort("low", "high").head(1))
        (low,), (high,) = (self._here(first[name]).tolist() for name in ("low", "high"))
        return low, high, int(self._told(first["best"])[1][0])

    def holders(self, items: Codes, first: Codes, second: Codes) -> int:
        """Count the transactions that hold at least one of some items, or both items of at least one pair."""
        import narwhals as nw

        holding = [self._cells(items, "i").select("whose")] if len(items) else []
        if len(first):
            pair = np.minimum(first, second), np.maximum(first, second)
            wanted = self._backend.put(
                _numbers(dict(zip("ij", (self.stored[part] for part in pair), strict=True)))
            )
            both = self._together(np.union1d(first, second))
            holding.append(both.join(wanted, on=["i", "j"], how="semi").select("whose"))
        return self._one(nw.concat(holding).unique().select(nw.len())) if holding else 0

    def only(self, items: Codes) -> "Baskets":
        """Leave all other items out; the items are numbered anew, in their order."""
        return replace(self, stored=self.stored[items])

    def rows(self) -> tuple[Ints, Codes, Ints]:
        """Bring the distinct transactions here: offsets, codes and weights."""
        held = replace(self.items, pairs=self._cells(np.arange(len(self.stored)), "code"))
        offsets, codes, weights = merged_baskets(held)
        return offsets, self._here(codes), weights

    def _cells(self, codes: Codes | Ints, name: str) -> "nw.LazyFrame[Any]":
        """Return which transactions hold some items: `whose`, and the item as `name`."""
        import narwhals as nw

        stored = self.stored[codes]
        left = np.setdiff1d(np.arange(len(self.items.labels)), stored)
        pairs, code = self.items.pairs.rename({"code": name}), nw.col(name)
        if len(left) <= FEW:
            return pairs.filter(~code.is_in(left.tolist())) if len(left) else pairs
        if len(stored) <= FEW:
            return pairs.filter(code.is_in(stored.tolist()))
        return pairs.join(self._backend.put(_numbers({name: stored})), on=name, how="semi")

    def _together(self, others: Codes | Ints, items: Codes | None = None) -> "nw.LazyFrame[Any]":
        """Return two items of a transaction, `i` and `j`, at least one of `others`: every two one way round."""
        import narwhals as nw

        first, ascend = self._cells(others, "i"), nw.col("i") < nw.col("j")
        both = first.join(self._cells(others, "j"), on="whose").filter(ascend).select("whose", "i", "j")
        if items is None or len(items) == 0:
            return both
        mixed = first.join(self._cells(items, "j"), on="whose").select("whose", "i", "j")
        return nw.concat([both, mixed])

    def _cohorts(self, together: "nw.LazyFrame[Any]", private: Codes) -> "nw.LazyFrame[Any]":
        """Count the transactions of each pair, and what they give away."""
        import narwhals as nw

        counted = _counted(together, "i", "j")
        if not len(private):
            return counted.with_columns(best=nw.lit(0))
        best = self._best(together, private, "i", "j")
        return counted.join(best, on=["i", "j"], how="left").with_columns(nw.col("best").fill_null(0))

    def _best(self, sets: "nw.LazyFrame[Any]", private: Codes, *by: str) -> "nw.LazyFrame[Any]":
        """Return for each set the most frequent private item with its count, in one number that can be compared."""
        import narwhals as nw

        counted = _counted(sets.join(self._cells(private, "s"), on="whose"), *by, "s")
        key = nw.col("count") * self._span + (self._span - 1 - nw.col("s"))
        return counted.with_columns(best=key).group_by(*by).agg(nw.col("best").max())

    def _told(self, best: Ints) -> tuple[Ints, Codes]:
        """Split what `_best` put together."""
        holding, rest = np.divmod(best, self._span)
        return holding, np.where(holding > 0, self._here(self._span - 1 - rest), -1).astype(np.int32)

    @property
    def _span(self) -> int:
        return len(self.items.labels)

    def _here(self, stored: Ints | Codes) -> Codes:
        """Return the codes here of items by their codes there."""
        return np.searchsorted(self.stored, stored).astype(np.int32)

    @property
    def _backend(self) -> Backend:
        return self.items.held.backend

    def _collected(self, frame: "nw.LazyFrame[Any]") -> dict[str, Ints]:
        return {name: column.astype(np.int64) for name, column in self._backend.collect(frame).items()}

    def _one(self, frame: "nw.LazyFrame[Any]") -> int:
        """Return the only number that a frame holds, 0 where there is nothing to count."""
        (column,) = self._backend.collect(frame).values()
        return int(column[0] or 0)


def _counted(frame: "nw.LazyFrame[Any]", *by: str) -> "nw.LazyFrame[Any]":
    import narwhals as nw

    return frame.group_by(*by).agg(nw.len().cast(nw.Int64()).alias("count"))


def _numbers(arrays: Mapping[str, Ints]) -> RowsPart:
    return RowsPart({name: PlainColumn(array) for name, array in arrays.items()})
