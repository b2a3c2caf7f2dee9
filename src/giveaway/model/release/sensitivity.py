"""How much it hurts when somebody is recognised with what the record discloses."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Literal, get_args

from giveaway.errors import ScenarioError
from giveaway.model.data.labels import Label
from giveaway.model.exact import Number, fraction
from giveaway.model.question.fields import check_word

Weight = Fraction | float

_HEAVIEST = 10**100
"""Sums and products of weights stay in the range of floats."""
"""An exact weight, or infinity."""

Form = Literal["additive", "multiplicative"]


@dataclass(frozen=True, kw_only=True, init=False)
class Sensitivity:
    """Weights of what is disclosed; without any, every recognised record hurts equally (constant, as in k-anonymity).

    columns         a weight for each column (Phi1); a column without one weighs nothing
    records         a weight for each record, the same for all its entries (Phi2); with columns: their product
    cells           a weight for each entry: {record: {column: weight}} (Phi3)
    pairs           further weights for two or more entries together: {record: {(first, second): weight}} (Phi4)
    form            "additive": weights add up; "multiplicative": their sum is raised to the power of e (Phi5)
    wrong           the part of it that hurts when a wrong person is taken for the one of the record, 0 to 1

    >>> Sensitivity(columns={"age": 1, "hiv": "inf"}).columns
    {'age': Fraction(1, 1), 'hiv': inf}
    >>> Sensitivity(pairs={"p1": {("zip", "age", "sex"): 3}}).pairs
    {'p1': {('age', 'sex', 'zip'): Fraction(3, 1)}}
    >>> Sensitivity().is_constant
    True
    """

    columns: Mapping[str, Weight]
    records: Mapping[Label, Weight]
    cells: Mapping[Label, Mapping[str, Weight]]
    pairs: Mapping[Label, Mapping[tuple[str, ...], Weight]]
    form: Form
    wrong: Fraction

    def __init__(
        self,
        *,
        columns: Mapping[str, Number] | None = None,
        records: Mapping[Label, Number] | None = None,
        cells: Mapping[Label, Mapping[str, Number]] | None = None,
        pairs: Mapping[Label, Mapping[tuple[str, ...], Number]] | None = None,
        form: Form = "additive",
        wrong: Number = 0,
    ) -> None:
        check_word("form", form, get_args(Form))
        if cells and (columns or records):
            raise ScenarioError(
                "cells gives a weight for each entry already.",
                hint="leave columns and records out.",
                field="cells",
            )
        vars(self).update(
            columns={name: weight(value, name) for name, value in (columns or {}).items()},
            records={record: weight(value, record) for record, value in (records or {}).items()},
            cells={
                record: {name: weight(value, name) for name, value in line.items()}
                for record, line in (cells or {}).items()
            },
            pairs={record: _once(record, line.items()) for record, line in (pairs or {}).items()},
            form=form,
            wrong=_part(wrong),
        )
        if self.is_constant and form != "additive":
            raise ScenarioError(
                "form says how weights are joined, but there are none.",
                hint="give columns, records or cells.",
                field="form",
            )

    @property
    def is_constant(self) -> bool:
        """Whether there are no weights, so that every record counts as 1."""
        return not (self.columns or self.records or self.cells or self.pairs)

    @property
    def is_harmless(self) -> bool:
        """Whether every weight is 0, so that nothing could be lost."""
        if self.is_constant or self.form == "multiplicative":
            return False
        entries = any(any(line.values()) for line in self.cells.values())
        pairs = any(any(line.values()) for line in self.pairs.values())
        columns, records = any(self.columns.values()), any(self.records.values())
        product = (columns or not self.columns) and (records or not self.records)
        return not (entries or pairs or (product and (columns or records)))

    @property
    def by_record(self) -> bool:
        """Whether records differ in their weights."""
        return bool(self.records or self.cells or self.pairs)

    @property
    def named(self) -> tuple[str, ...]:
        """The columns with a weight of their own, in alphabetical order."""
        names = set(self.columns)
        for line in self.cells.values():
            names |= line.keys()
        for pairs in self.pairs.values():
            names |= {name for pair in pairs for name in pair}
        return tuple(sorted(names))

    def weight(self, record: Label, column: str) -> Weight:
        """Return the weight of one entry; the weight of a record multiplies that of the column."""
        if self.cells:
            return self.cells.get(record, {}).get(column, Fraction(0))
        if not (self.columns or self.records):
            return Fraction(0)
        whole = self.records.get(record, Fraction(0)) if self.records else Fraction(1)
        part = self.columns.get(column, Fraction(0)) if self.columns else Fraction(1)
        return _times(whole, part)


def weight(value: object, name: object) -> Weight:
    """Read a weight: a number of at least 0, or infinity."""
    if isinstance(value, str) and value.strip().lower() in ("inf", "infinity"):
        return math.inf
    if isinstance(value, float | Decimal) and math.isinf(value) and value > 0:
        return math.inf
    exact = fraction(value, f"the weight of {name}")
    if exact < 0:
        raise ScenarioError(
            f"The weight of {name} is {value}, below 0.",
            hint="0 is harmless, inf must never be recognised.",
            field=None,
        )
    if exact > _HEAVIEST:
        raise ScenarioError(
            f"The weight of {name} is above {_HEAVIEST:.0e}.",
            hint="weigh less, or write inf for what must never be recognised.",
            field=None,
        )
    return exact


def _part(wrong: Number) -> Fraction:
    part = fraction(wrong, "wrong")
    if not 0 <= part <= 1:
        raise ScenarioError(
            f"wrong = {wrong} must be at least 0 and at most 1.",
            hint="it is the part of what a right identification hurts.",
            field="wrong",
        )
    return part


def _times(one: Weight, other: Weight) -> Weight:
    """Multiply, with 0 times infinity as 0."""
    if not one or not other:
        return Fraction(0)
    if math.inf in (one, other):
        return math.inf
    return one * other


def _once(record: Label, pairs: Iterable[tuple[tuple[str, ...], Number]]) -> dict[tuple[str, ...], Weight]:
    """Keep each set of columns once, in whichever order they stand."""
    weights: dict[tuple[str, ...], Weight] = {}
    for names, value in pairs:
        if not isinstance(names, tuple) or len(names) < 2:  # noqa: PLR2004 - alone an entry has a weight of its own
            raise ScenarioError(
                f"pairs gives the record {record} a weight for {names!r}, which must be two columns or more.",
                hint='write them as in {("age", "sex"): 2}; columns and cells weigh single entries.',
                field="pairs",
            )
        together = tuple(sorted(names))
        for one, other in pairwise(together):
            if one == other:
                raise ScenarioError(f"A pair of the record {record} names {one} twice.", field="pairs")
        read = weight(value, " and ".join(together))
        if weights.setdefault(together, read) != read:
            raise ScenarioError(
                f"The pair {' and '.join(together)} of the record {record} has two weights.", field="pairs"
            )
    return weights
