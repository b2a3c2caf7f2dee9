"""Files that hold how often items occur: supports, and what an attacker believes or knows of items."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from giveaway.errors import DataError, NotWritten, ScenarioError
from giveaway.model.data.labels import Label
from giveaway.model.data.supports import LARGEST, Supports
from giveaway.model.exact import fraction
from giveaway.model.layout import Layout
from giveaway.model.published import Published
from giveaway.sources.encoding.roles import check_names, roles
from giveaway.sources.encoding.roles import read_items as items_in
from giveaway.sources.files.as_relation import opened
from giveaway.sources.files.stored import FromFile, StoredFile, TextPass, lines_of, stored
from giveaway.sources.formats import CSV
from giveaway.sources.side_files.lines import FileLine, PathLike, nothing_in
from giveaway.sources.side_files.lines import lines_of as columns_of


@dataclass(frozen=True, kw_only=True)
class SupportsFile(FromFile):
    """The file that supports came from; they are judged, and nothing of them is released."""

    @property
    def layout(self) -> Layout:
        """How the file stands."""
        return Layout(shape="table", format=CSV.name, nothing=CSV.nothing)

    def write(self, folder: Path, published: Published) -> Path:  # noqa: ARG002 # as all origins
        """Refuse: what is to be released are the transactions, which are elsewhere."""
        raise NotWritten(
            f'"{self.name}" holds supports, from which no transactions can be written.',
            hint="assess tells what they give away; protect the transactions themselves to write a release.",
        )


def read_supports(
    path: PathLike,
    *,
    transactions: int,
    domain: Iterable[str] = (),
    domain_from: PathLike | None = None,
    separator: str | None = None,
    encoding: str = "utf-8",
) -> Supports:
    """Read a delimited or Parquet file with the columns item and support, out of so many transactions.

    Items of the domain that are not listed have support 0.
    """
    if isinstance(transactions, bool) or not isinstance(transactions, int) or transactions < 1:
        raise ScenarioError(
            f"transactions = {transactions!r} must be a whole number of at least 1.",
            hint="it is the number of transactions that the supports were counted in.",
        )
    file = stored(path, encoding)
    with opened(file, separator, header=True) as source:
        check_names(["item", "support"], source.columns)
        loaded = source.load([name for name in source.columns if name not in ("item", "support")])
        origin = SupportsFile(file=file, sha256=loaded.sha256)
        columns = ", ".join(f"coalesce({loaded.text(name)}, '')" for name in ("item", "support"))
        rows = loaded.engine.run(f"SELECT n, {columns} FROM given ORDER BY n")  # noqa: S608 # quoted
    counts: dict[Label, int] = {}
    for number, item, support in rows:
        counts[_new(file, number, item, counts)] = _support(file, number, support)
    for label in roles(domain=domain, domain_from=domain_from).domain:
        counts.setdefault(label, 0)
    return Supports.from_counts(counts, transactions=transactions, origin=origin)


def _new(file: StoredFile, number: int, item: str, known: Collection[Label]) -> str:
    if not item:
        raise DataError(f'Row {number} of "{file.name}" names no item.', hint="give every item a label.")
    if item in known:
        raise DataError(
            f'The item "{item}" appears twice in "{file.name}", again in row {number}.',
            hint="give the support of each item once.",
        )
    return item


def _support(file: StoredFile, number: int, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise DataError(
            f'The support in row {number} of "{file.name}" is not a whole number of at least 0.',
            hint="a support is the number of transactions that hold the item.",
        )
    if len(text.lstrip("0")) > len(str(LARGEST)):
        raise DataError(
            f'The support in row {number} of "{file.name}" is too large.',
            hint=f"up to {LARGEST:,} can be judged.",
        )
    return int(text)


# What an attacker believes or knows --------------------------------------------------------------------------------


def read_intervals(path: PathLike) -> dict[Label, Any]:
    """Read a delimited file with the columns item, low and high: ranges of frequencies, as shares of all transactions.

    With a column weight an item may stand in several lines, one for each part of its range.
    """
    names, lines = columns_of(
        path, lambda names: {"item", "low", "high"} <= {*names}, needs="item, low and high."
    )
    weighs = "weight" in names
    ranges: dict[Label, Any] = {}
    for line in lines:
        item = line.text("item")
        if not item:
            line.wrong("It names no item.")
        if item in ranges and not weighs:
            line.wrong(f'The item "{item}" appears twice.', hint="give one range for each item.")
        low, high = (_share(line, end) for end in ("low", "high"))
        if low > high:
            line.wrong(f"The range goes from {line.text('low')} to {line.text('high')}, which is lower.")
        if weighs:
            ranges.setdefault(item, []).append((low, high, _weight(line)))
        else:
            ranges[item] = low, high
    return ranges


def _weight(line: FileLine) -> Fraction:
    weight: Fraction = line.checked(lambda: fraction(line.text("weight"), "weight"))
    return weight


def _share(line: FileLine, end: str) -> Fraction:
    share: Fraction = line.checked(lambda: fraction(line.text(end), end))
    if not 0 <= share <= 1:
        line.wrong(f"{end} = {line.text(end)} is no frequency: it must be from 0 to 1.")
    return share


def read_known(path: PathLike) -> dict[Label, dict[str, Any]]:
    """Read what is known of people: who in the first column, then values, ranges `30..35`, or nothing."""
    names, lines = columns_of(path, lambda names: len(names) > 1, needs="a person and something known.")
    who, *columns = names
    known: dict[Label, dict[str, Any]] = {}
    for line in lines:
        person = line.text(who)
        if not person:
            line.wrong("It names nobody.")
        if person in known:
            line.wrong(f'"{person}" appears twice.', hint="write one line for each person.")
        known[person] = {column: _value(line.text(column)) for column in columns if line.text(column)}
    if not known:
        raise nothing_in(path, "names nobody", "write one person a line.")
    return known


def _value(text: str) -> Any:
    ends = text.split("..")
    return (ends[0], ends[1]) if len(ends) == 2 and all(ends) else text  # noqa: PLR2004 - the two ends of a range


def read_pairs(path: PathLike) -> list[tuple[Label, Label]]:
    """Read a delimited file with the columns first and second: one pair of items a line."""
    _, lines = columns_of(path, lambda names: {*_PAIR} <= {*names}, needs="first and second.")
    pairs = [_two(line, *_PAIR) for line in lines]
    if not pairs:
        raise nothing_in(path, "names no pair")
    return pairs


def read_candidates(
    path: PathLike,
) -> list[tuple[Label, Label]] | dict[tuple[Label, Label], list[tuple[Label, Label]]]:
    """Read such a file of pairs of codes; with known_first and known_second those of each known pair."""
    names, lines = columns_of(path, lambda names: {*_PAIR} <= {*names}, needs="first and second.")
    if not {*_KNOWN} & {*names}:
        return read_pairs(path)
    if not {*_KNOWN} <= {*names}:
        raise DataError(
            f'"{Path(path).name}" has one of the columns known_first and known_second.', hint="name both."
        )
    own: dict[tuple[Label, Label], list[tuple[Label, Label]]] = {}
    for line in lines:
        own.setdefault(_two(line, *_KNOWN), []).append(_two(line, *_PAIR))
    if not own:
        raise nothing_in(path, "names no pair")
    return own


_PAIR = ("first", "second")
_KNOWN = ("known_first", "known_second")


def _two(line: FileLine, first: str, second: str) -> tuple[Label, Label]:
    one, other = line.text(first), line.text(second)
    if not one or not other or one == other:
        line.wrong("It names no two different items.")
    return one, other


def read_itemsets(path: PathLike) -> list[tuple[Label, ...]]:
    """Read a text file with one itemset a line, items separated by blanks; blank lines are none."""
    itemsets: list[tuple[Label, ...]] = []
    for number, line in enumerate(lines_of(TextPass(stored(path))), 1):
        items = tuple(dict.fromkeys(line.split()))
        if len(items) < len(line.split()):
            raise DataError(f'Line {number} of "{Path(path).name}" names an item twice.')
        if items:
            itemsets.append(items)
    if not itemsets:
        raise nothing_in(path, "holds no itemset")
    return itemsets


def read_items(path: PathLike) -> list[Label]:
    """Read a text file with one item a line; blank lines are none."""
    items: list[Label] = list(items_in(path))
    if not items:
        raise nothing_in(path, "names no item")
    return items
