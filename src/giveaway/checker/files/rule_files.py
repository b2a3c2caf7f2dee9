"""Published rules, statements and distributions read back and compared with what was to be published."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.checker.files.classes import confirm
from giveaway.checker.files.reading import rows
from giveaway.checker.grouping import Flags
from giveaway.checker.promise import disagree
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.exact import ratio
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Rule, Statement, rounded

HEADER = ["antecedents", "consequents", "support", "confidence"]
_AMOUNTS = ("count", "share", "at_least", "at_most")


@dataclass(frozen=True, kw_only=True)
class ListedRule:
    """A rule as it stands in a file: codes of its condition by column, its value, and the texts of its scores."""

    condition: tuple[tuple[str, int], ...]
    sensitive: str
    value: int
    support: str
    confidence: str

    @property
    def about(self) -> tuple[Any, ...]:
        """What the rule says, whatever its scores."""
        return self.condition, self.sensitive, self.value


def same(file: Path, release: Release, table: Table) -> tuple[list[ListedRule], dict[str, int]]:
    """Return the rules of a file and the rows of each file next to it, once all say what was to be published."""
    confirm(table)
    published = release.published
    assert isinstance(published, PublishedRules)  # noqa: S101 # called for releases of rules
    listed = read_rules(file, table)
    if Counter(listed) != Counter(expected(rule, published, table) for rule in published.rules):
        raise disagree(f"{file.name} does not hold the rules that are to be published.")
    counted = {file.name: len(listed)}
    if release.published_statements:
        counted["statements.csv"] = _same_statements(file.with_name("statements.csv"), release, table)
    if published.distribution == "published":
        counted["distribution.csv"] = same_distribution(file.with_name("distribution.csv"), table)
    return listed, counted


def read_rules(file: Path, table: Table) -> list[ListedRule]:
    """Read a list of rules in the form in which they are published."""
    header, *lines = rows(file)
    if header != HEADER:
        raise disagree(f"{file.name} does not have the columns of a list of rules.")
    codes = {name: {str(label): at for at, label in enumerate(table.labels[name])} for name in table.columns}
    listed = []
    for before, after, support, confidence in lines:
        condition = tuple(sorted(_pair(part, codes) for part in _parts(before)))
        ((sensitive, value),) = (_pair(part, codes) for part in _parts(after))
        if not condition or sensitive not in table.sensitive:
            raise disagree(f"{file.name} holds a rule that is not about a sensitive value.")
        listed.append(
            ListedRule(
                condition=condition, sensitive=sensitive, value=value, support=support, confidence=confidence
            )
        )
    return listed


def expected(rule: Rule, published: PublishedRules, table: Table) -> ListedRule:
    """Return a rule as it must stand in the file."""
    sensitive = rule.sensitive or table.sensitive[0]
    condition = tuple(sorted((name, _code(table, name, label)) for name, label in rule.condition))
    value = _code(table, sensitive, rule.value)
    support = confidence = ""
    if published.scores != "withheld":
        met = met_by(table, condition)
        both = met & (table.columns[sensitive] == value)
        people, holding = int(table.weights[met].sum()), int(table.weights[both].sum())
        support = _score(rule.support, Fraction(holding, len(table)), published)
        confidence = _score(rule.confidence, Fraction(holding, people), published)
    return ListedRule(
        condition=condition, sensitive=sensitive, value=value, support=support, confidence=confidence
    )


def met_by(table: Table, condition: Sequence[tuple[str, int]]) -> Flags:
    """Tell which records of a table have some values."""
    met = np.ones(len(table.weights), np.bool_)
    for name, code in condition:
        met &= table.columns[name] == code
    return met


def _score(stated: object, true: Fraction, published: PublishedRules) -> str:
    if not isinstance(published.scores, int):
        return ratio(true)
    return stated if isinstance(stated, str) else rounded(true, published.scores)


def _code(table: Table, column: str, label: Label) -> int:
    return table.labels[column].index(label)


def _parts(text: str) -> list[str]:
    """Cut `a=b, "c=d, e"` at the commas outside quotes, and take the quotes off."""
    parts: list[str] = []
    quoted, start = False, 0
    for place, letter in enumerate(text + ","):
        if letter == '"':
            quoted = not quoted
        elif letter == "," and not quoted:
            parts.append(text[start:place].removeprefix(" " if parts else ""))
            start = place + 1
    if quoted:
        raise ValueError("a quote is never closed")
    return [part[1:-1].replace('""', '"') if part.startswith('"') else part for part in parts]


def _pair(part: str, codes: Mapping[str, Mapping[str, int]]) -> tuple[str, int]:
    """Find the only column and value of the table that a part `column=value` may mean."""
    matching = [
        (name, values[part.removeprefix(f"{name}=")])
        for name, values in codes.items()
        if part.startswith(f"{name}=") and part.removeprefix(f"{name}=") in values
    ]
    if len(matching) != 1:
        raise disagree("A part of a rule does not name one value of one column.")
    return matching[0]


# What comes with the rules ------------------------------------------------------------------------------------


def _same_statements(file: Path, release: Release, table: Table) -> int:
    header, *lines = rows(file)
    names = [name for name in header if name not in ("column", "value", *_AMOUNTS)]
    written: Counter[tuple[Any, ...]] = Counter()
    for line in lines:
        fields = dict(zip(header, line, strict=True))
        where = tuple((name, fields[name]) for name in sorted(names) if fields[name])
        amounts = tuple(fields.get(name, "") for name in _AMOUNTS)
        written[where, fields.get("column", ""), fields["value"], amounts] += 1
    if written != Counter(_as_it_must_stand(statement, table) for statement in release.published_statements):
        raise disagree(f"{file.name} does not hold the statements that are to be published.")
    return len(lines)


def read_statements(file: Path, table: Table) -> list[Statement]:
    """Read statements in the form in which they are published."""
    header, *lines = rows(file)
    names = [name for name in header if name not in ("column", "value", *_AMOUNTS)]
    statements = []
    for line in lines:
        fields = dict(zip(header, line, strict=True))
        sensitive = fields.get("column") or table.sensitive[0]
        amounts: dict[str, Any] = {name: fields[name] for name in _AMOUNTS if fields.get(name)}
        if "count" in amounts:
            amounts["count"] = int(amounts["count"])
        statements.append(
            Statement(
                where={
                    name: tuple(_label(table, name, part) for part in _parts(fields[name]))
                    for name in names
                    if fields[name]
                },
                value=_label(table, sensitive, fields["value"]),
                sensitive=sensitive,
                **amounts,
            )
        )
    return statements


def _label(table: Table, column: str, text: str) -> Label:
    """Return the value of a column that is written so; a text that is none may be a range."""
    if column not in table.columns:
        raise disagree(f"Something is said about {column}, which is not known of the people now.")
    return next((label for label in table.labels[column] if str(label) == text), text)


def _as_it_must_stand(statement: Statement, table: Table) -> tuple[Any, ...]:
    """Return a statement as it must stand in the file."""
    where = tuple((name, _values(wanted)) for name, wanted in sorted(statement.where.items()))
    column = statement.sensitive or "" if len(table.sensitive) > 1 else ""
    stated = [getattr(statement, name) for name in _AMOUNTS]
    amounts = tuple("" if x is None else ratio(x) if isinstance(x, Fraction) else str(x) for x in stated)
    return where, column, str(statement.value), amounts


def _values(wanted: Label) -> str:
    several = wanted if isinstance(wanted, list | tuple | set | frozenset) else (wanted,)
    return ", ".join(_quoted(str(value)) for value in several)


def _quoted(text: str) -> str:
    needs = "," in text or '"' in text or text != text.strip(" \t")
    return '"' + text.replace('"', '""') + '"' if needs else text


def same_distribution(file: Path, table: Table) -> int:
    """Compare the published numbers of each sensitive value with those of a table; return how many there are."""
    header, *lines = rows(file)
    true = [
        [name, str(label), str(int(table.weights[table.columns[name] == code].sum()))]
        for name in table.sensitive
        for code, label in enumerate(table.labels[name])
    ]
    if header != ["column", "value", "count"] or sorted(lines) != sorted(true):
        raise disagree(f"{file.name} does not hold the distribution that is to be published.")
    return len(lines)
