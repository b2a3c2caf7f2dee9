"""Go through what is hidden region by region: which rules each ended, and what the release kept and exposed then."""

from dataclasses import dataclass

import numpy as np

from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.model.answer.risk import LedgerLine
from giveaway.model.progress import tell
from giveaway.model.release.cells import Cells

Rule = tuple[str, bytes, int]
"""A rule by its sensitive column, the codes of its conditions, and its value."""


@dataclass(frozen=True, kw_only=True)
class _Stage:
    """What is unsafe with some entries hidden."""

    rules: frozenset[Rule]
    exposed: int


def replay(question: AttributesQuestion, cells: Cells, why: str) -> tuple[tuple[LedgerLine, ...], list[int]]:
    """Hide entries column by column and region by region.

    Returns a line for each, with the rules that it ended for good and the entries it cost, and the number of exposed
    secrets before and after each.
    """
    regions = _regions(question, cells)
    hidden = Cells()
    stages = [_stage(question, hidden)]
    for step, (_, more) in enumerate(regions, 1):
        tell("counting what hiding costs", step, len(regions))
        hidden |= more
        stages.append(_stage(question, hidden))
    lines = []
    for step, (name, more) in enumerate(regions, 1):
        stays = frozenset[Rule]().union(*(stage.rules for stage in stages[step:]))
        ended = stages[0].rules & stages[step - 1].rules - stays
        lines.append(LedgerLine(withheld=name, why=why, removed=len(ended), lost=len(more), unit="entries"))
    return tuple(lines), [stage.exposed for stage in stages]


def _regions(question: AttributesQuestion, cells: Cells) -> list[tuple[str, Cells]]:
    """Split entries by column, and conditions by whether the record has a secret."""
    own = question.rows_with_secrets
    regions = []
    for name in question.columns:
        rows = cells.positions(name)
        of_secret = np.isin(rows, own) & (name not in question.original.sensitive)
        for whose, chosen in (("others", rows[~of_secret]), ("secrets", rows[of_secret])):
            if len(chosen):
                regions.append((f"{name} of {whose}", Cells.at({name: chosen})))
    return regions


def _stage(question: AttributesQuestion, hidden: Cells) -> _Stage:
    rules: set[Rule] = set()
    exposed = 0
    for column in question.sensitive_columns:
        table = column.without(hidden) if hidden else column.table
        unsafe = search.find(table) if hidden else column.unsafe
        rules |= {
            (column.name, codes.tobytes(), int(value))
            for codes, value in zip(unsafe.codes, unsafe.value, strict=True)
        }
        exposed += int(table.count[np.unique(unsafe.secrets)].sum())
    return _Stage(rules=frozenset(rules), exposed=exposed)
