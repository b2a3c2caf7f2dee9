"""Sentences about a release for everybody, by its kind, from what every reader of its files can count."""

from collections.abc import Mapping
from typing import Any

from giveaway.model.answer.nouns import nouns
from giveaway.report.html.page import Fact
from giveaway.report.wording.tidy import label
from giveaway.report.wording.words import count, counted, joined

Released = Mapping[str, Any]


def holds(released: Released, *, unjudged: int = 0) -> str:
    """Say what the released files hold, and how many of their columns were not judged."""
    kind = released.get("kind")
    if kind == "rules":
        return f"It holds {joined(_aggregates(released))}; no {nouns().record} is published."
    if kind == "supports":
        items = _many(released, "items", "items")
        return f"It holds the number of {nouns().transactions} with each of {items}; no {nouns().transaction} is published."
    if kind == "transactions":
        of_them = released.get("categories")
        verb = "is a category" if of_them == 1 else "are categories"
        named = f", {count(of_them)} of which {verb}" if of_them else ""
        return f"It holds {_many(released, 'rows', 'transactions')} with {_many(released, 'items', 'items')}{named}."
    if kind == "rows":
        rest = f", {count(unjudged)} not judged" if unjudged else ""
        return f"It holds {_many(released, 'rows', 'records')} with {_many(released, 'columns', 'columns')}{rest}."
    return ""


def _many(released: Released, name: str, noun: str) -> str:
    """Write a count with its noun, and the noun alone where a Summary lacks the count."""
    size = released.get(name)
    return noun if size is None else counted(size, noun)


def _aggregates(released: Released) -> list[str]:
    rules, statements = released.get("rules") or 0, released.get("statements") or 0
    if statements and not rules:
        return [counted(statements, "statements")]
    return [counted(rules, "rules"), *([counted(statements, "further statements")] if statements else [])]


def facts(released: Released, *, classes: bool = False) -> list[Fact]:
    """Write what a reader should know before using the data: what is in the files, what is not, in which order.

    With `classes`, some columns are published in classes.
    """
    kind = released.get("kind")
    if kind == "rules":
        return _about_rules(released)
    if kind == "rows":
        head, small = _of_rows(released, classes=classes)
        return [*_about_entries(released, classes=classes), _for_your_analysis(released, head, small)]
    if kind in ("transactions", "supports"):
        return [_about_items(released), _for_your_analysis(released, *_of_items(released))]
    return []


def _about_rules(released: Released) -> list[Fact]:
    scores = released.get("scores")
    written = "without support and confidence"
    if scores == "exact":
        written = "with exact support and confidence"
    elif isinstance(scores, int):
        written = f"with support and confidence to {counted(scores, 'digits')}"
    only_statements = bool(released.get("statements")) and not released.get("rules")
    start = "They" if only_statements else f"Rules are given {written}. They"
    what = "What is not stated" if only_statements else "A rule that is not listed"
    return [
        Fact(
            title="What is published",
            head=joined(_aggregates(released)),
            small=f"{start} are about groups of people, not about single {nouns().records}.",
        ),
        Fact(
            title="For your analysis",
            head="Silence is not a no",
            small=f"{what} may hold all the same: it may have been withheld to protect people.",
        ),
    ]


def _about_entries(released: Released, *, classes: bool) -> list[Fact]:
    empty, coarser = released.get("empty") or {}, released.get("coarser") or {}
    lines = []
    if empty:
        small = f"{_each(empty)}. An entry is empty because it was missing or because it was withheld; which is not told."
        lines.append(Fact(title="Empty", head=counted(sum(empty.values()), "entries"), small=small))
    if coarser:
        small = f"{_each(coarser)}. They are given by a coarser label, which stands for several values."
        head = counted(sum(coarser.values()), "entries")
        lines.append(Fact(title="Given less exactly", head=head, small=small))
    if not lines:
        small = "Every entry is in its class." if classes else "Every entry is as it was."
        lines.append(Fact(title="Complete", head="No entry is empty", small=small))
    return lines


def _each(sizes: Mapping[str, int]) -> str:
    ordered = sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count(size)} in {label(column)}" for column, size in ordered)


def _about_items(released: Released) -> Fact:
    if released.get("renamed"):
        small = (
            f"The same code is the same {nouns().item} everywhere in these files. Codes were drawn at random."
        )
        return Fact(title=nouns().told("Items"), head=nouns().told("Items carry random codes"), small=small)
    categories = released.get("categories")
    if categories:
        head = f"{counted((released.get('items') or 0) - categories, 'items')} with their names, {counted(categories, 'categories')}"
        small = (
            f"A category stands for {nouns().items} of it that are not named; {nouns().a_transaction} that holds several of them shows it "
            "once. What has its own name is as it was: nothing was added."
        )
        return Fact(title=nouns().told("Items"), head=head, small=small)
    small = "What is there is as it was: nothing was altered or added."
    return Fact(
        title=nouns().told("Items"), head=f"{_many(released, 'items', 'items')} with their names", small=small
    )


def _for_your_analysis(released: Released, head: str, small: str) -> Fact:
    """Write what to mind, and in which order the rows stand, where there are rows."""
    if released.get("kind") != "supports":
        order = "random order" if released.get("order") == "shuffled" else "the order of the original"
        small = f"{small} Rows are in {order}."
    return Fact(title="For your analysis", head=head, small=small)


def _of_rows(released: Released, *, classes: bool) -> tuple[str, str]:
    rows = _many(released, "rows", "records")
    entries = "Entries are in their classes" if classes else "Entries are as they were"
    if released.get("empty") or released.get("coarser"):
        kept = f"{entries}, empty, or given by a coarser label; nothing was added."
        if not released.get("coarser"):
            kept = f"{entries}, or empty; nothing was {'' if classes else 'altered or '}added."
        return "Empty is not random" if released.get("empty") else "Exactness is not random", (
            f"What would give people away is missing more often than the rest. {kept} All {rows} are there."
        )
    kept = f"{entries}; nothing was added." if classes else "Nothing was altered or added."
    return "Everything is there", f"{kept} All {rows} are there."


def _of_items(released: Released) -> tuple[str, str]:
    everywhere = all_there = ""
    if released.get("kind") == "transactions":
        everywhere = f" from every {nouns().transaction}"
        all_there = f" All {_many(released, 'rows', 'transactions')} are there, empty ones too."
    return "Absence is not random", (
        f"{nouns().told('Items')} may have been withheld{everywhere}: do not read an absence as \u201cnone\u201d.{all_there}"
    )
