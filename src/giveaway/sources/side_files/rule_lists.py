"""Lists of association rules as files: ours, and those of mlxtend and arules."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from giveaway.errors import ScenarioError
from giveaway.model.data.labels import Label, label_key
from giveaway.model.data.table import Table
from giveaway.model.exact import fraction, ratio
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Rule, Score, rounded
from giveaway.sources.files.stored import BLANKS
from giveaway.sources.side_files.conditions import Wording, joined
from giveaway.sources.side_files.lines import FileLine, PathLike, is_json, json_lines_of, lines_of, write_csv
from giveaway.sources.side_files.statement_lists import write_statements

COLUMNS = ("antecedents", "consequents", "support", "confidence")

_SIDES = (("antecedents", "consequents"), ("lhs", "rhs"))
_NEEDS = (
    "antecedents and consequents (mlxtend), LHS and RHS or rules (arules), and perhaps support, confidence."
)
_MOST_DIGITS = 12
_DECIMAL = re.compile(r"\d*(?:\.(\d*))?(?:[eE]([+-]?\d+))?")


def read_rules(path: PathLike, table: Table) -> list[Rule]:
    """Read a list of rules about a table from a CSV or JSON file.

    Columns are named as mlxtend or arules name them. A score keeps its decimal text, with as many digits as the longest
    score of its column: programs drop zeros at the end, and whoever reads the list sees that.
    """
    lines = list(_lower(json_lines_of(path) if is_json(path) else lines_of(path, _fits, needs=_NEEDS)[1]))
    wording = Wording(table)
    digits = _digits(lines)
    rules: dict[Rule, FileLine] = {}
    for line in lines:
        rule = _rule(line, table, wording, digits)
        if rule in rules:
            line.wrong(f"The rule {rule} is listed twice.", hint=f"see {rules[rule].where}.")
        rules[rule] = line
    return list(rules)


def released_rules(release: Release) -> list[Rule]:
    """Return the published rules with their scores as they are published.

    The rules stand in the order of their words: any other order could tell about scores that are withheld.
    """
    table, published = _of_rules(release)
    return [_released(rule, published, table) for rule in sorted(published.rules, key=_order)]


def write_rules(release: Release, folder: Path) -> Path:
    """Write `rules.csv`, and beside it `statements.csv` and `distribution.csv` if they are published."""
    table, published = _of_rules(release)
    target = write_csv(folder / "rules.csv", [COLUMNS, *map(_row, released_rules(release))])
    if release.published_statements:
        write_statements(release.published_statements, table, folder / "statements.csv")
    if published.distribution == "published":
        write_csv(folder / "distribution.csv", [("column", "value", "count"), *_distribution(table)])
    return target


# Reading --------------------------------------------------------------------------------------------------------


def _fits(names: Sequence[str]) -> bool:
    lower = [name.lower() for name in names]
    return "rules" in lower or any(first in lower and second in lower for first, second in _SIDES)


def _lower(lines: Iterable[FileLine]) -> Iterator[FileLine]:
    return (
        FileLine(line.where, {name.lower(): value for name, value in line.fields.items()}) for line in lines
    )


def _rule(line: FileLine, table: Table, wording: Wording, digits: Mapping[str, int]) -> Rule:
    before, after = _sides(line)
    line = replace(line, where=f"{line.where}, the rule {_said(before)} => {_said(after)}")
    condition = line.checked(lambda: wording.condition(before))
    if not condition:
        line.wrong("It has no condition.", hint="leave out rules about everybody.")
    column, value = _consequent(line, after, table, wording)
    if column in dict(condition):
        line.wrong("It ends in a column of its own condition.")
    support, confidence = _support(line, table, digits), _score(line, "confidence", digits)
    return Rule(condition, value, sensitive=column, support=support, confidence=confidence)


def _sides(line: FileLine) -> tuple[Any, Any]:
    """Return what stands before and after the arrow."""
    for names in _SIDES:
        if all(name in line.fields for name in names):
            before, after = ("" if (side := line.fields[name]) is None else side for name in names)
            return before, after
    before, arrow, after = str(line.fields.get("rules", "")).rpartition("=>")
    if not arrow:
        line.wrong("It holds no rule.", hint=_NEEDS)
    return before.strip(BLANKS), after.strip(BLANKS)


def _said(side: Any) -> str:
    if isinstance(side, Mapping):
        return joined(side.items())
    return ", ".join(map(str, side)) if isinstance(side, list) else str(side)


def _consequent(line: FileLine, after: Any, table: Table, wording: Wording) -> tuple[str, Label]:
    """Read `column=value`, or the value alone where one column is sensitive."""
    only = table.sensitive[0] if len(table.sensitive) == 1 else None
    if only is not None and isinstance(after, str) and wording.has(only, after) and f"{only}=" not in after:
        return only, wording.label(only, after)
    parts = line.checked(lambda: wording.condition(after))
    if len(parts) != 1:
        line.wrong("It does not end in one value.", hint="keep rules with one consequent.")
    column, value = parts[0]
    if table.sensitive and column not in table.sensitive:
        line.wrong(
            f"It ends in the column {column}, which is not sensitive.",
            exists=", ".join(table.sensitive),
            hint="keep the rules that end in a sensitive value.",
        )
    return column, value


def _support(line: FileLine, table: Table, digits: Mapping[str, int]) -> Score | None:
    """Return the support; a count of records makes it exact."""
    support = _score(line, "support", digits)
    text = line.text("count")
    if not text:
        return support
    count = line.checked(lambda: fraction(text, "count"))
    exact: Fraction = count / len(table)
    if count.denominator != 1 or not 0 <= exact <= 1:
        line.wrong(f"count = {text} is no number of records.", exists=f"{len(table)} records")
    if support is not None and abs(fraction(support) - exact) > Fraction(1, 10 ** digits["support"]):
        line.wrong(f"count = {text} of {len(table)} records is not support = {line.text('support')}.")
    return exact


def _score(line: FileLine, name: str, digits: Mapping[str, int]) -> Score | None:
    text = line.text(name)
    if not text:
        return None
    value: Fraction = line.checked(lambda: fraction(text, name))
    if not 0 <= value <= 1:
        line.wrong(f"{name} = {text} is not between 0 and 1.", hint="scores are shares of the records.")
    return value if "/" in text else rounded(value, digits[name])


def _digits(lines: Sequence[FileLine]) -> dict[str, int]:
    """Return the digits after the point that the scores of each column have.

    A column of nothing but ones tells nothing of its digits: it is taken like the other one, or as exact.
    """
    longest = {name: _longest(line.text(name) for line in lines) for name in ("support", "confidence")}
    known = max(longest.values()) or _MOST_DIGITS
    return {name: digits or known for name, digits in longest.items()}


def _longest(texts: Iterable[str]) -> int:
    """Return the digits of the longest decimal text; beyond twelve they are noise of the machine."""
    longest = 0
    for text in texts:
        match = _DECIMAL.fullmatch(text)
        if match is not None and int(match[1] or 0):
            longest = max(longest, len(match[1]) - int(match[2] or 0))
    return min(longest, _MOST_DIGITS)


# Writing --------------------------------------------------------------------------------------------------------


def _order(rule: Rule) -> tuple[Any, ...]:
    words = tuple((column, label_key(value)) for column, value in rule.condition)
    return words, rule.sensitive or "", label_key(rule.value)


def _of_rules(release: Release) -> tuple[Table, PublishedRules]:
    table, published = release.original, release.published
    if not isinstance(table, Table) or not isinstance(published, PublishedRules):
        raise TypeError("this release publishes no rules")
    return table, published


def _released(rule: Rule, published: PublishedRules, table: Table) -> Rule:
    sensitive = rule.sensitive if rule.sensitive is not None else _only_sensitive(table)
    if published.scores == "withheld":
        return Rule(rule.condition, rule.value, sensitive=sensitive)
    both, met = rule.counts(table)
    if not met:
        raise ScenarioError(f"No record meets the condition of the rule {rule}.", hint="leave it out.")
    return Rule(
        rule.condition,
        rule.value,
        sensitive=sensitive,
        support=_shown(rule.support, Fraction(both, len(table)), published.scores),
        confidence=_shown(rule.confidence, Fraction(both, met), published.scores),
    )


def _shown(stated: Score | None, true: Fraction, scores: str | int) -> Score:
    """Return a score: the true one exactly, or rounded, for which the rule may bring its own text."""
    if not isinstance(scores, int):
        return true
    return stated if isinstance(stated, str) else rounded(true, scores)


def _row(rule: Rule) -> tuple[str, str, str, str]:
    scores = [
        ratio(score) if isinstance(score, Fraction) else score for score in (rule.support, rule.confidence)
    ]
    support, confidence = (score or "" for score in scores)
    return joined(rule.condition), joined([(str(rule.sensitive), rule.value)]), support, confidence


def _only_sensitive(table: Table) -> str:
    if len(table.sensitive) != 1:
        raise ScenarioError(
            "A rule does not say which sensitive column it is about.",
            exists=", ".join(table.sensitive) or "no sensitive column",
            hint="say Rule(..., sensitive=...).",
        )
    return table.sensitive[0]


def _distribution(table: Table) -> Iterator[tuple[str, str, str]]:
    for column in table.sensitive:
        for code, label in enumerate(table.labels[column]):
            count = int(table.weights[table.columns[column] == code].sum())
            yield column, str(label), str(count)
