"""Published lists of two releases, line by line: rules, statements, a distribution."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table

_SCORES = frozenset({"support", "confidence", "count", "share", "at_least", "at_most"})
"""What a line says about its rule, people or value; everything else of it says which that is."""

_FILE = ""
"""The name under which a line tells its file: no column has it."""

About = frozenset[tuple[str, Label]]
Lines = Mapping[About, Mapping[str, Label]]


@dataclass(frozen=True, kw_only=True)
class Lists:
    """Lines of both, of one release alone, and what became of the scores of those in both."""

    both: int
    gone: tuple[str, ...]
    new: tuple[str, ...]
    filled_in: int
    hides_nothing: int
    changed: int


def compared_lists(old: Mapping[str, Table], new: Mapping[str, Table]) -> Lists:
    """Compare the lines of all lists; a line is about the same when it says the same but for its scores."""
    before, after = _lines(old), _lines(new)
    both = [about for about in before if about in after]
    scores = [(before[one].get(name), after[one].get(name)) for one in both for name in sorted(_SCORES)]
    return Lists(
        both=len(both),
        gone=_texts(before.keys() - after.keys()),
        new=_texts(after.keys() - before.keys()),
        filled_in=sum(first is None and second is not None for first, second in scores),
        hides_nothing=sum(first is not None and second is None for first, second in scores),
        changed=sum(None not in (first, second) and first != second for first, second in scores),
    )


def _lines(lists: Mapping[str, Table]) -> Lines:
    lines: dict[About, dict[str, Label]] = {}
    for file, table in lists.items():
        for record in range(len(table.weights)):
            shown = {
                name: table.labels[name][codes[record]]
                for name, codes in table.columns.items()
                if codes[record] >= 0
            }
            about = {(_FILE, file), *((name, text) for name, text in shown.items() if name not in _SCORES)}
            lines.setdefault(frozenset(about), {}).update(
                {n: text for n, text in shown.items() if n in _SCORES}
            )
    return lines


def _texts(lines: Iterable[About]) -> tuple[str, ...]:
    return tuple(sorted(_text(dict(line)) for line in lines))


def _text(line: dict[str, Label]) -> str:
    """Write what a line is about: a rule with its arrow, anything else column by column."""
    if {"antecedents", "consequents"} <= line.keys():
        return f"{line['antecedents']} => {line['consequents']}"
    return ", ".join(f"{name}={value}" for name, value in sorted(line.items()) if name != _FILE)
