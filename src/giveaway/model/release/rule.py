"""Association rules, lists of them that are published, and other aggregates."""

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor, inf
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import ScenarioError
from giveaway.model.classes.fixed import Classes
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.exact import Number, fraction
from giveaway.model.question.fields import check_whole, check_word, described

Score = Fraction | str
"""An exact share, or the decimal text of a rounded one."""

Scores = Literal["withheld", "exact"] | int
"""What is published with each rule: nothing, exact shares, or shares rounded to a number of digits."""

_DECIMAL = re.compile(r"\s*[+-]?\d*(?:\.(?P<digits>\d*))?(?:[eE](?P<power>[+-]?\d+))?\s*")


def spread(score: Score) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest share that a score may stand for: half a unit of its last digit each way.

    >>> spread("0.42")
    (Fraction(83, 200), Fraction(17, 40))
    >>> spread("5/12")
    (Fraction(5, 12), Fraction(5, 12))
    """
    middle = fraction(score, "a score")
    match = _DECIMAL.fullmatch(score) if isinstance(score, str) else None
    if match is None:
        return middle, middle
    last = int(match["power"] or 0) - len(match["digits"] or "")
    half = Fraction(10) ** last / 2
    return middle - half, middle + half


def coarser_scores(first: Scores | None, second: Scores | None) -> Scores | None:
    """Return which of two ways to publish scores tells less; None tells nothing of them.

    >>> coarser_scores("exact", 3), coarser_scores(1, "withheld"), coarser_scores(None, 2)
    (3, 'withheld', 2)
    """
    known = [scores for scores in (first, second) if scores is not None]
    return min(
        known,
        key=lambda scores: -1 if scores == "withheld" else inf if scores == "exact" else scores,
        default=None,
    )


def rounded(share: Fraction, digits: int) -> str:
    """Write a share with this many digits after the point, halves to even."""
    scaled = round(share * 10**digits)
    text = f"{scaled:0{digits + 1}d}"
    return f"{text[:-digits]}.{text[-digits:]}" if digits else text


@dataclass(frozen=True, init=False)
class Rule:
    """`condition => value`: people with this part of a profile have this sensitive value.

    Two rules are the same when they say the same, whatever their scores. A score is exact, or the decimal text of a
    rounded one, or unknown.

    >>> rule = Rule({"education": "Doctorate"}, "50K+", sensitive="salary", support="5/12", confidence="0.83")
    >>> print(rule)
    education=Doctorate => salary=50K+
    >>> rule.support, rule.confidence
    (Fraction(5, 12), '0.83')
    """

    condition: tuple[tuple[str, Label], ...]
    value: Label
    sensitive: str | None
    support: Score | None = field(compare=False)
    confidence: Score | None = field(compare=False)

    def __init__(
        self,
        condition: Mapping[str, Label] | Iterable[tuple[str, Label]],
        value: Label,
        *,
        sensitive: str | None = None,
        support: Number | None = None,
        confidence: Number | None = None,
    ) -> None:
        vars(self).update(
            condition=tuple(sorted(dict(condition).items())),
            value=value,
            sensitive=sensitive,
            support=None if support is None else _score(support, "support"),
            confidence=None if confidence is None else _score(confidence, "confidence"),
        )

    def met_by(self, table: Table) -> NDArray[np.bool_]:
        """Tell which of the different records of a table meet the condition."""
        met = table.weights > 0
        for column, value in self.condition:
            met = met & (table.columns[table.checked(column)] == table.code_of[column].get(value, -2))
        return met

    def counts(self, table: Table) -> tuple[int, int]:
        """Count the records of a table that the rule holds for, and those with its condition."""
        sensitive, met = self.sensitive or _only(table), self.met_by(table)
        held = met & (table.columns[sensitive] == table.code_of[sensitive].get(self.value, -2))
        return int(table.weights[held].sum()), int(table.weights[met].sum())

    def __str__(self) -> str:
        parts = ", ".join(f"{column}={value}" for column, value in self.condition)
        return f"{parts} => {self.sensitive}={self.value}" if self.sensitive else f"{parts} => {self.value}"


def _either(value: object) -> str:
    several = isinstance(value, list | tuple | set | frozenset)
    return " or ".join(map(str, value)) if several else str(value)  # type: ignore[call-overload] # several values


def _score(score: object, name: str) -> Score:
    """Keep the decimal text of a score, so that its rounding is known, and any other number exactly."""
    value = fraction(score, name)
    if value < 0 or value > 1:
        raise ScenarioError(
            f"{name} = {score} is not between 0 and 1.", hint="scores are shares of the records.", field=name
        )
    if isinstance(score, str) and "/" not in score:
        return score.strip()
    return value


def _limits(**stated: Number | None) -> dict[str, Fraction | None]:
    limits = {name: None if limit is None else fraction(limit, name) for name, limit in stated.items()}
    for name, limit in limits.items():
        if limit is not None and not 0 <= limit <= 1:
            raise ScenarioError(f"{name} = {limit} is not between 0 and 1.", field=name)
    return limits


def _only(table: Table) -> str:
    if len(table.sensitive) != 1:
        raise ScenarioError(
            "The table does not have one sensitive column.",
            exists=", ".join(table.sensitive) or "none",
            hint="say which with sensitive.",
            field=None,
        )
    return table.sensitive[0]


@dataclass(frozen=True, kw_only=True, init=False)
class PublishedRules:
    """A list of rules that is published instead of rows, and what is said about it.

    `scores` tells what is published with the rules: nothing, exact numbers, or numbers rounded to a number of digits.
    A rule that brings its own scores as text is published with these.

    >>> published = PublishedRules([Rule({"sex": "f"}, "yes")], min_support=0.1, min_confidence=0.6, scores=2)
    >>> published.min_confidence, published.scores
    (Fraction(3, 5), 2)
    """

    rules: tuple[Rule, ...]
    min_support: Fraction = described("a rule holds for at least this part of all records")
    min_confidence: Fraction = described("and for at least this part of the records with its condition")
    scores: Scores = described(
        'what is published with each rule: "withheld", "exact" or { digits = 2 }', default="withheld"
    )
    complete: bool = described("every rule above the thresholds is in the list", default=True)
    distribution: Literal["withheld", "published"] = described(
        "whether the distribution of the sensitive values is published too", default="withheld"
    )
    inclusive: bool = described("a rule exactly at a threshold is in the list", default=True)

    def __init__(
        self,
        rules: Iterable[Rule],
        *,
        min_support: Number,
        min_confidence: Number,
        scores: Scores = "withheld",
        complete: bool = True,
        distribution: Literal["withheld", "published"] = "withheld",
        inclusive: bool = True,
    ) -> None:
        limits = _limits(min_support=min_support, min_confidence=min_confidence)
        digits = isinstance(scores, int) and not isinstance(scores, bool) and 0 <= scores <= 15  # noqa: PLR2004
        if scores not in ("withheld", "exact") and not digits:
            raise ScenarioError(
                f"scores = {scores!r} is unknown.",
                exists='"withheld", "exact", { digits = 2 }',
                field="scores",
            )
        check_word("distribution", distribution, ("withheld", "published"))
        listed = tuple(rules)
        seen: set[Rule] = set()
        repeated = next((rule for rule in listed if rule in seen or seen.add(rule)), None)  # type: ignore[func-returns-value] # adds and goes on
        if repeated is not None:
            raise ScenarioError(
                f"The rule {repeated} is listed twice.", hint="list every rule once.", field=None
            )
        vars(self).update(
            limits,
            rules=listed,
            scores=scores,
            complete=bool(complete),
            distribution=distribution,
            inclusive=bool(inclusive),
        )

    @classmethod
    def none(cls) -> "PublishedRules":
        """Return a list without rules that does not say anything by that.

        >>> PublishedRules.none().complete
        False
        """
        return cls((), min_support=1, min_confidence=1, complete=False)

    def without(self, rules: Iterable[Rule]) -> "PublishedRules":
        """Return the list without some rules; it is no longer complete then."""
        gone = set(rules)
        if not gone:
            return self
        missing = next((rule for rule in gone if rule not in self.rules), None)
        if missing is not None:
            raise ScenarioError(f"The rule {missing} is not in the list and cannot be withheld.", field=None)
        left = tuple(rule for rule in self.rules if rule not in gone)
        return replace(self, rules=left, complete=False)

    def least(self, records: int, people: int) -> int:
        """Return the least number of records, at least one, that makes a rule of a condition that `people` have.

        Zhu et al., equation (3): at least T = max(s n, c n_Q), or more than that when the list is not inclusive.
        """
        threshold = max(self.min_support * records, self.min_confidence * people)
        return max(ceil(threshold) if self.inclusive else floor(threshold) + 1, 1)

    def raised(
        self, table: Table, min_support: Fraction | None, min_confidence: Fraction | None
    ) -> "PublishedRules":
        """Return the list at higher thresholds, without the rules of a table that are below them; as complete as it was.

        >>> import giveaway as ga
        >>> table = ga.Table.from_rows([{"sex": s, "ill": i} for s, i in ("fy", "fy", "fn", "mn")], sensitive="ill")
        >>> rules = PublishedRules(ga.mine_rules(table, min_support=0, min_confidence=0.6), min_support=0, min_confidence=0.6)
        >>> [str(rule) for rule in rules.raised(table, None, Fraction(3, 4)).rules]
        ['sex=m => ill=n']
        """
        higher = replace(
            self,
            min_support=max(self.min_support, min_support or Fraction(0)),
            min_confidence=max(self.min_confidence, min_confidence or Fraction(0)),
        )
        if (higher.min_support, higher.min_confidence) == (self.min_support, self.min_confidence):
            return self
        kept = []
        for rule in self.rules:
            holding, people = rule.counts(table)
            if holding >= higher.least(len(table), people):
                kept.append(rule)
        return replace(higher, rules=tuple(kept))

    def with_scores(self, scores: Scores | None) -> "PublishedRules":
        """Return the list with coarser scores, if these are; scores that rules bring along are rounded then too.

        >>> PublishedRules([], min_support=0, min_confidence=0, scores=3).with_scores(1).scores
        1
        """
        coarser = coarser_scores(self.scores, scores)
        if coarser is None or coarser == self.scores:
            return self
        plain = (Rule(rule.condition, rule.value, sensitive=rule.sensitive) for rule in self.rules)
        return replace(self, rules=tuple(plain), scores=coarser)


@dataclass(frozen=True, kw_only=True, init=False)
class Statement:
    """Something said about a part of the people: how many, or which share, of them have a value.

    `where` names columns with a value, several values, or a range such as "17..30"; no condition means everybody.
    A share written as decimal text is taken as rounded to its digits, a fraction such as "31/50" as exact.

    >>> Statement(where={"job": "manager"}, value=">50K", at_least=0.6, at_most=0.7).at_least
    Fraction(3, 5)
    """

    where: Mapping[str, Label] = described(
        "the part of the people: columns with a value or a range a..b; everybody when left out", default=None
    )
    value: Label = described("the sensitive value they may have")
    sensitive: str | None = described("its column, when there are several", default=None)
    share: Score | None = described("the part of these people who have the value", default=None)
    count: int | None = described("their number", default=None)
    at_least: Fraction | None = described("a lower bound of the share", default=None)
    at_most: Fraction | None = described("an upper bound of the share", default=None)
    rows: NDArray[np.int64] | None = field(default=None, compare=False, repr=False)
    """The people as rows counted from 0, where no condition on columns describes them."""

    def __init__(
        self,
        *,
        where: Mapping[str, Label] | None = None,
        value: Label,
        sensitive: str | None = None,
        share: Number | None = None,
        count: int | None = None,
        at_least: Number | None = None,
        at_most: Number | None = None,
        rows: NDArray[np.integer] | None = None,
    ) -> None:
        limits = _limits(at_least=at_least, at_most=at_most)
        ways = [name for name, bound in (("share", share), ("count", count)) if bound is not None]
        ways += ["at_least or at_most"] if at_least is not None or at_most is not None else []
        if len(ways) != 1:
            raise ScenarioError(
                "A statement says one thing: a share, a count, or bounds of the share.",
                exists=", ".join(ways) or "none of them",
                field=None,
            )
        if count is not None:
            check_whole("count", count, 0)
        vars(self).update(
            limits,
            where=dict(sorted((where or {}).items())),
            value=value,
            sensitive=sensitive,
            share=None if share is None else _score(share, "share"),
            count=count,
            rows=None if rows is None else np.unique(rows).astype(np.int64),
        )

    def __hash__(self) -> int:
        # Only the columns: what stands in `where` may be a list.
        return hash((*self.where, self.value))

    @property
    def key(self) -> tuple[str, bytes | None]:
        """What distinguishes it from other statements, also from those that say the same about other rows."""
        return repr(self), None if self.rows is None else self.rows.tobytes()

    @classmethod
    def from_tree(
        cls, tree: Any, features: Any, table: Table, *, sensitive: str | None = None
    ) -> "list[Statement]":
        """Read the leaves of a fitted scikit-learn tree: how many records of each leaf have which value.

        `features` are what the tree was fitted on, one row for each record of the table, in its order. Such statements
        are judged like others; to publish them as a file, give the leaves as conditions (`statements_from`).

        >>> import giveaway as ga
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> ages, pay = [[20], [30], [50]], ["low", "low", "high"]
        >>> tree = DecisionTreeClassifier().fit(ages, pay)
        >>> rows = [{"age": age, "pay": paid} for (age,), paid in zip(ages, pay)]
        >>> people = ga.Table.from_rows(rows, sensitive="pay")
        >>> print(ga.Statement.from_tree(tree, ages, people)[1])
        2 of a group of 2 records have pay low
        """
        column = sensitive or _only(table)
        leaf = np.asarray(tree.apply(features))
        if leaf.shape != (len(table),):
            raise ScenarioError(
                f"The features have {len(leaf):,} rows and the table has {len(table):,} records.",
                hint="give the features of every record, in the order of the table.",
                field=None,
            )
        codes = table.columns[table.checked(column)][table.record_of]
        statements = []
        for number in np.unique(leaf):
            rows = np.flatnonzero(leaf == number)
            counts = np.bincount(codes[rows] + 1, minlength=len(table.labels[column]) + 1)[1:]
            statements += [
                cls(value=value, sensitive=column, count=int(count), rows=rows)
                for value, count in zip(table.labels[column], counts, strict=True)
            ]
        return statements

    @classmethod
    def from_default(
        cls, value: Label, rules: Iterable[Rule], table: Table, *, sensitive: str | None = None
    ) -> "Statement":
        """Read the default class of a classifier made of rules: the commonest value of the records that no rule is about.

        It says that at least one in as many of them as there are values has it.

        >>> import giveaway as ga
        >>> people = ga.Table.from_rows([{"job": j, "pay": p} for j, p in ("ah", "bl", "cl", "ch", "cl")], sensitive="pay")
        >>> print(ga.Statement.from_default("l", [ga.Rule({"job": "a"}, "h")], people))
        at least a share of 1/2 of a group of 4 records have pay l
        """
        column = sensitive or _only(table)
        met = np.zeros(len(table.weights), np.bool_)
        for rule in rules:
            met |= rule.met_by(table)
        rest = np.flatnonzero(~met[table.record_of])
        codes = table.columns[table.checked(column)][table.record_of[rest]]
        counts = np.bincount(codes + 1, minlength=len(table.labels[column]) + 1)[1:]
        code = table.code_of[column].get(value)
        if code is None or not counts[code] or counts[code] < counts.max():
            raise ScenarioError(
                f"{value} is not the commonest {column} of the {len(rest):,} records that no rule is about.",
                hint="state what the classifier says in another way, such as a count.",
                field=None,
            )
        return cls(value=value, sensitive=column, at_least=Fraction(1, len(table.labels[column])), rows=rest)

    def in_classes(self, classes: Mapping[str, Classes], sensitive: Sequence[str]) -> "Statement":
        """Return the statement about the classes of a release in the place of values."""
        column = self.sensitive or (sensitive[0] if len(sensitive) == 1 else None)
        if not ({*self.where, column} & classes.keys()):
            return self
        where = {
            name: _in_classes(value, classes[name]) if name in classes else value
            for name, value in self.where.items()
        }
        statement = copy(self)
        object.__setattr__(statement, "where", where)
        if column is not None and column in classes:
            object.__setattr__(statement, "value", _in_classes(self.value, classes[column]))
        return statement

    def __str__(self) -> str:
        """Say it as the owner would."""
        who = f"those with {', '.join(f'{column} {_either(value)}' for column, value in self.where.items())}"
        if self.rows is not None:
            who = f"a group of {len(self.rows):,} records"
        elif not self.where:
            who = "all people"
        return f"{self._amount()} of {who} have {self.sensitive or 'the value'} {self.value}"

    def _amount(self) -> str:
        if self.count is not None:
            return f"{self.count:,}"
        if self.share is not None:
            return f"a share of {self.share}"
        bounds = (("at least", self.at_least), ("at most", self.at_most))
        return " and ".join(f"{word} a share of {limit}" for word, limit in bounds if limit is not None)


def _in_classes(value: Label, classes: Classes) -> Label:
    """Return the class of a value, or the classes of several or of a range."""
    parts = value if isinstance(value, list | tuple | set | frozenset) else (value,)
    names = tuple(dict.fromkeys(label for one in parts for label in classes.named(str(one), "a statement")))
    return names[0] if len(names) == 1 else names
