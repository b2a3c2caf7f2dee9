"""Hide the same conditions in all secrets, so that what their records still show belongs to no rule."""

import numpy as np

from giveaway.attacks.attributes.decoys.visible_rules import columns_over
from giveaway.attacks.attributes.hiding.hit import hit
from giveaway.attacks.attributes.informed import informed
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.reporting import curves
from giveaway.attacks.attributes.reporting.sentences import ASSUMPTION, inferred
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.attacks.wording import listed
from giveaway.errors import NoSafeRelease
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import LedgerLine, Protection
from giveaway.model.release.cells import Cells


def in_all_secrets(question: AttributesQuestion) -> Protection:
    """Hide the same conditions in all secrets."""
    cells = fewest_columns(question)
    asked = question.withholding(cells)
    before, after = informed(question), informed(asked)
    if after.exposed > question.allowed:
        raise NoSafeRelease("Hiding the same columns in all secrets was not enough.")
    ledger = tuple(
        LedgerLine(
            withheld=f"{name} of secrets",
            why="same columns",
            removed=before.exposed - after.exposed if place == len(cells.columns) - 1 else 0,
            lost=len(cells.positions(name)),
            unit="entries",
        )
        for place, name in enumerate(cells.columns)
    )
    exposed = [before.exposed] * len(ledger) + [after.exposed]
    return Protection(
        release=asked.release,
        figures={"lower_bound": None, "optimal": None, "rounds": 1},
        curves=(curves.kept(question, ledger, exposed),),
        ledger=ledger,
        detail=f"The same conditions, {listed(cells.columns)}, were hidden in all {nouns().records} with a secret. What these "
        f"still show belongs to no rule in the visible rows that is over your limit. {ASSUMPTION}",
    )


def fewest_columns(question: AttributesQuestion) -> Cells:
    """Return the entries of as few columns, or of as little weight, as leave no rule over the limit.

    They are those of all records with a secret. One choice for all of them, and by the visible rows alone: whatever else it depended on, it would tell.
    """
    fact = inferred(informed(question))
    if "conditions of secrets" not in question.hideable:
        raise NoSafeRelease(
            f"{fact} by somebody who knows who asked, and conditions of secrets may not be hidden.",
            helps=('Allow it: needs.cells.hideable can also hold "conditions of secrets".',),
        )
    rows, names = question.rows_with_secrets, question.attacker.columns
    over = np.unique(
        np.concatenate(
            [
                columns_over(column.table, np.flatnonzero(column.is_worth_protecting))
                for column in question.sensitive_columns
            ]
        )
    )
    marked = [name for name in names if np.isin(question.release.must_publish.positions(name), rows).any()]
    hideable = sum(1 << place for place, name in enumerate(names) if name not in marked)
    if not len(over) or not (over & hideable).all():
        kept = f" {listed(marked)} must be published." if marked else ""
        raise NoSafeRelease(f"{fact}, and hiding columns in all secrets does not end it.{kept}")
    chosen = hit(over, hideable, tuple(map(question.weight, names))).mask
    table = question.original
    return Cells.at(
        {
            name: rows[table.columns[name][table.record_of[rows]] != UNKNOWN]
            for place, name in enumerate(names)
            if chosen >> place & 1
        }
    )
