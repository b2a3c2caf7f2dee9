"""Association rules of a table, above thresholds."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor

import numpy as np

from giveaway.errors import ScenarioError
from giveaway.itemsets.profile_itemsets import ProfileItemsets, Profiles, frequent, group
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import label_key
from giveaway.model.data.table import Table
from giveaway.model.exact import Number, fraction
from giveaway.model.release.rule import Rule


def mine_rules(
    table: Table,
    *,
    sensitive: str | None = None,
    columns: Iterable[str] | None = None,
    min_support: Number,
    min_confidence: Number,
    inclusive: bool = True,
) -> list[Rule]:
    """Find every rule from values of some columns to a value of a sensitive column, with its exact scores.

    Without `sensitive` every sensitive column of the table is taken in turn, and without `columns` every column that
    is not sensitive. A rule exactly at a threshold counts unless `inclusive` is false. A record that misses a value of
    a condition does not meet it, and one that misses the sensitive value has none; both count as records. Rules of
    larger support come first.

    >>> import giveaway as ga
    >>> rows = [("cook", "f", "yes"), ("cook", "f", "yes"), ("cook", "m", "no"), ("smith", "m", "no")]
    >>> people = ga.Table.from_rows([dict(zip(("job", "sex", "ill"), row)) for row in rows], sensitive="ill")
    >>> for rule in ga.mine_rules(people, min_support=0.5, min_confidence=0.6):
    ...     print(rule, rule.support, rule.confidence)
    job=cook => ill=yes 1/2 2/3
    job=cook, sex=f => ill=yes 1/2 1
    sex=f => ill=yes 1/2 1
    sex=m => ill=no 1/2 1
    """
    limits = [_limit(min_support, "min_support"), _limit(min_confidence, "min_confidence")]
    targets = _targets(table, sensitive)
    conditions = _conditions(table, targets, columns)
    rules = [
        rule
        for target in targets
        for rule in _rules(table, conditions, target, limits[0], limits[1], inclusive=inclusive)
    ]
    return sorted(rules, key=_order)


def least_counts(
    records: int, matching: Ints, min_support: Fraction, min_confidence: Fraction, *, inclusive: bool
) -> Ints:
    """Return for each number of matching records how many of them must have a value to make a rule, at least one."""
    distinct, place = np.unique(matching, return_inverse=True)
    limits = (max(min_support * records, min_confidence * int(many)) for many in distinct)
    least = [max(ceil(limit) if inclusive else floor(limit) + 1, 1) for limit in limits]
    return np.array(least, np.int64)[place.reshape(-1)]


def _rules(
    table: Table,
    conditions: list[str],
    target: str,
    min_support: Fraction,
    min_confidence: Fraction,
    *,
    inclusive: bool,
) -> list[Rule]:
    profiles = profiles_of(table, conditions, target)
    thresholds = (min_support, min_confidence)
    zero = np.zeros(1, np.int64)
    itemsets = frequent(
        profiles, int(least_counts(profiles.records, zero, *thresholds, inclusive=inclusive)[0])
    )
    counts = itemsets.sums(profiles.values)
    least = least_counts(profiles.records, itemsets.support, *thresholds, inclusive=inclusive)
    return [
        Rule(
            _condition(table, conditions, itemsets, int(place)),
            table.labels[target][value],
            sensitive=target,
            support=Fraction(int(counts[place, value]), profiles.records),
            confidence=Fraction(int(counts[place, value]), int(itemsets.support[place])),
        )
        for place, value in zip(*np.nonzero(counts >= least[:, None]), strict=True)
    ]


def profiles_of(table: Table, columns: list[str], sensitive: str) -> Profiles:
    """Return the distinct profiles of some columns with the counts of one sensitive column."""
    codes = np.stack([table.columns[name] for name in columns], axis=1)
    return group(codes, table.weights, table.columns[sensitive], len(table.labels[sensitive]))


def _condition(
    table: Table, columns: list[str], itemsets: ProfileItemsets, place: int
) -> list[tuple[str, object]]:
    items = slice(itemsets.offsets[place], itemsets.offsets[place + 1])
    return [
        (columns[column], table.labels[columns[column]][code])
        for column, code in zip(itemsets.columns[items], itemsets.codes[items], strict=True)
    ]


def _order(rule: Rule) -> tuple[object, ...]:
    condition = tuple((column, label_key(label)) for column, label in rule.condition)
    return -Fraction(rule.support or 0), condition, rule.sensitive, label_key(rule.value)


def _limit(threshold: Number, name: str) -> Fraction:
    limit = fraction(threshold, name)
    if not 0 <= limit <= 1:
        raise ScenarioError(f"{name} = {limit} is not between 0 and 1.")
    return limit


def _targets(table: Table, sensitive: str | None) -> list[str]:
    if sensitive is not None:
        return [table.checked(sensitive)]
    if not table.sensitive:
        raise ScenarioError(
            "The table has no sensitive column.",
            exists=", ".join(table.columns),
            hint="name one with sensitive.",
        )
    return list(table.sensitive)


def _conditions(table: Table, targets: list[str], columns: Iterable[str] | None) -> list[str]:
    if isinstance(columns, str):
        raise ScenarioError("columns is a list of columns, not one text.", hint=f'write ["{columns}"].')
    if columns is None:
        chosen = [name for name in table.columns if name not in targets and name not in table.sensitive]
    else:
        chosen = [table.checked(name) for name in dict.fromkeys(columns)]
    both = [name for name in chosen if name in targets]
    if both:
        raise ScenarioError(
            f"The column {both[0]} cannot be both a condition and sensitive.",
            hint="leave it out of columns, or name another with sensitive.",
        )
    if not chosen:
        raise ScenarioError("No column is left for the conditions of rules.", exists=", ".join(table.columns))
    return chosen
