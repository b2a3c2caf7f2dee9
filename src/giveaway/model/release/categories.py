"""Categories of items: what may be published in the place of an item everywhere, and what is refused."""

from collections.abc import Collection, Mapping

from giveaway.errors import ScenarioError
from giveaway.model.data.hierarchy import ANYTHING, Hierarchy
from giveaway.model.data.labels import Label, near_labels
from giveaway.model.data.supports import Supports
from giveaway.model.data.transactions import Transactions
from giveaway.model.layout import Layout
from giveaway.model.release.withheld import Withheld

ITEM = "item"
"""The only column of transactions that has a hierarchy."""


def item_hierarchy(original: Transactions | Supports, named: Mapping[str, Hierarchy]) -> dict[str, Hierarchy]:
    """Return the hierarchy of the items, which may be given under the name of their column too."""
    column = original.origin.layout.item if original.origin else None
    unknown = next((name for name in named if name not in (ITEM, column)), None)
    if unknown is not None:
        raise ScenarioError(
            f"A hierarchy is given for {unknown}, and transactions have items only.",
            exists=ITEM,
            hint='write hierarchies = { item = "categories.csv" }.',
            field="hierarchies",
        )
    if len(named) > 1:
        raise ScenarioError(
            f"The items have two hierarchies, {ITEM} and {column}.",
            hint="give one of them.",
            field="hierarchies",
        )
    return dict(zip([ITEM], named.values(), strict=False))


def check_categories(
    original: Transactions | Supports, hierarchies: Mapping[str, Hierarchy], withheld: Withheld
) -> None:
    """Refuse categories that mix public and private items or cannot be written, and levels that items do not have."""
    hierarchy = hierarchies.get(ITEM)
    if hierarchy is not None:
        if not isinstance(original, Transactions):
            raise ScenarioError(
                "Categories of items need transactions: how many hold one cannot be told from supports.",
                hint="leave hierarchies out.",
                field="hierarchies",
            )
        _check_labels(original, hierarchy)
        if original.origin is not None:
            _check_written(original.origin.layout, _members(hierarchy))
    if withheld.item_levels:
        _check_levels(original, hierarchy, withheld.item_levels)


def check_items(original: Transactions | Supports, withheld: Withheld) -> None:
    """Refuse items that are stated to be withheld and are not there."""
    items = set(original.labels)
    for item in withheld.items:
        if item not in items:
            near = near_labels(item, original.labels)
            raise ScenarioError(
                f"The item {item!r} is withheld, and is not in the data.",
                exists=", ".join(repr(other) for other in near) or f"{len(items):,} other items",
                field="withheld",
            )


def check_kept(original: Transactions | Supports, keep: Collection[Label], withheld: Withheld) -> None:
    """Refuse items to keep that are not there, and a release that does not publish them under their own names."""
    items = set(original.labels)
    for item in keep:
        wrong = (
            "is not in the data"
            if item not in items
            else "is withheld already"
            if item in withheld.items
            else "is given as its category already"
            if item in withheld.item_levels
            else None
        )
        if wrong is not None:
            raise ScenarioError(f"The item {item!r} must be kept, and {wrong}.", field="keep")


def category(hierarchy: Hierarchy, item: Label, level: int) -> Label | None:
    """Return what stands for an item at a level; None where it has no line or the label says nothing."""
    labels = hierarchy.labels(item)
    return None if labels is None or labels[level - 1] == ANYTHING else labels[level - 1]


def _members(hierarchy: Hierarchy) -> dict[Label, set[str]]:
    """Return the items of each category, by their texts."""
    members: dict[Label, set[str]] = {}
    for item, labels in hierarchy.of.items():
        for label in set(labels) - {ANYTHING}:
            members.setdefault(label, set()).add(str(item))
    return members


def _check_labels(original: Transactions, hierarchy: Hierarchy) -> None:
    private = {str(original.labels[code]) for code in original.private}
    taken = {str(label) for label in (*original.labels, *original.domain)}
    for label, items in _members(hierarchy).items():
        if items & private and items - private:
            raise ScenarioError(
                f'The category "{label}" holds the private item {min(items & private)!r} and the public item '
                f"{min(items - private)!r}.",
                hint="private items are never given as a category: leave them out of the file.",
                field="hierarchies",
            )
        if str(label) in taken and items != {str(label)}:
            raise ScenarioError(
                f'The category "{label}" is called like an item.',
                hint="give categories names of their own.",
                field="hierarchies",
            )


def _check_written(layout: Layout, labels: Collection[Label]) -> None:
    """Refuse labels that could not be read back from the released file, and rows that may name an item all the same."""
    if layout.shape == "long" and layout.others:
        raise ScenarioError(
            f"The column {next(iter(layout.others))} is published next to each item, and may name the item behind a category.",
            hint="leave it out (leave_out), or publish items under their own names alone.",
            field="hierarchies",
        )
    columns = {str(name) for name in (layout.id, *layout.others) if name is not None}
    for label in labels:
        text = str(label)
        wrong = (
            "is not a text"
            if not isinstance(label, str)
            else "has blanks around it, or is empty"
            if text.strip() != text or not text
            else "has a character that cannot be printed"
            if not text.isprintable()
            else "counts as missing"
            if text in layout.missing
            else "is called like a column"
            if layout.shape == "one-hot" and text in columns
            else "has a blank in it, which separates items here"
            if layout.shape == "baskets" and len(text.split()) != 1
            else None
        )
        if wrong is not None:
            raise ScenarioError(
                f"The category {label!r} {wrong}.",
                hint="give it another name, as in soft-drinks.",
                field="hierarchies",
            )


def _check_levels(
    original: Transactions | Supports, hierarchy: Hierarchy | None, levels: Mapping[Label, int]
) -> None:
    if hierarchy is None or not isinstance(original, Transactions):
        raise ScenarioError(
            "Items are given as their categories, and no categories are named.",
            hint='name them, as in hierarchies = { item = "categories.csv" }.',
            field="item_levels",
        )
    private = {original.labels[code] for code in original.private}
    for item, level in levels.items():
        wrong = (
            "is not in the data"
            if item not in original.code_of
            else "is private, and private items are never given as a category"
            if item in private
            else f"has no category of level {level}"
            if level > hierarchy.depth or category(hierarchy, item, level) is None
            else None
        )
        if wrong is not None:
            raise ScenarioError(f"The item {item!r} {wrong}.", field="item_levels")
