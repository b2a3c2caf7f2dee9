"""Go through what is withheld item by item: what each removed and cost, and what the release kept and exposed then."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.protecting.plan import ItemsPlan, Order
from giveaway.attacks.items.question import ItemsQuestion, needed
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, LedgerLine
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell
from giveaway.model.release.release import Release
from giveaway.moles.remaining import LiveMoles, MoleCounts, exposed_after
from giveaway.moles.search import Moles

POINTS = 200
"""How many points the curve has at most."""

CURVE_BUDGET = 1_000_000_000


@dataclass(frozen=True, kw_only=True)
class Replay:
    """One line for each item withheld; `kept` and `minimal_moles` start with the release as it was."""

    ledger: tuple[LedgerLine, ...]
    kept: list[int]
    minimal_moles: list[int]
    counts_all: bool
    """Whether the ledger counts all moles, and not only minimal ones."""


def replay(
    question: ItemsQuestion, moles: Moles, planned: ItemsPlan, score: Literal["minimal", "paper"] = "minimal"
) -> Replay:
    """Withhold items in an order and note the moles each removes and the nuggets or occurrences it costs.

    The moles are those that the score charges for, all as in |M(v)| of the paper, unless these are too many to count.
    """
    published = question.published
    live = LiveMoles(*moles.minimal, len(published.labels))
    order = planned.order
    all_removed = _all_removed(moles, order) if score == "paper" else None
    useful = None if planned.needed is None else planned.needed.copy()
    kept = [published.occurrences if useful is None else useful.total]
    left, ledger = [live.left], []
    for step, (code, why) in enumerate(order):
        tell("counting what withholding costs", step, len(order))
        lost = int(published.supports[code]) if useful is None else useful.withhold(code)
        unit = f"{nouns().item} occurrences" if useful is None else "combinations"
        minimal_removed = live.withhold(code)
        removed = minimal_removed if all_removed is None else all_removed[step]
        ledger.append(
            LedgerLine(withheld=question.label(code), why=why, removed=removed, lost=lost, unit=unit)
        )
        kept.append(kept[-1] - lost)
        left.append(live.left)
    return Replay(ledger=tuple(ledger), kept=kept, minimal_moles=left, counts_all=all_removed is not None)


def _all_removed(moles: Moles, order: Order) -> list[int] | None:
    """Count the moles, minimal or not, that go with each item; None where they are too many to count."""
    try:
        counts = MoleCounts(moles, np.zeros(moles.ranked.items, np.bool_))
        return [counts.withhold(code) for code, _ in order]
    except BudgetExceeded:
        return None


def kept_curve(
    release: Release,
    question: ItemsQuestion,
    moles: Moles,
    need: NeedsItemsets | None,
    order: Order,
    done: Replay,
) -> Curve:
    """Show after each step of withholding what is kept and what share of the transactions is exposed."""
    total = _kept_of(release.original, need) if release.withheld else done.kept[0]
    exposed = exposed_after(moles, [code for code, _ in order], budget=CURVE_BUDGET)
    steps = np.unique(np.linspace(0, len(order), min(len(order) + 1, POINTS)).astype(np.int64))
    what = f"{nouns().item} occurrences" if need is None else "itemsets"
    if exposed is None:
        label, values, whole = (
            "share of minimal moles left",
            done.minimal_moles,
            max(done.minimal_moles[0], 1),
        )
    else:
        label, values, whole = (
            f"share of {nouns().transactions} exposed",
            exposed.tolist(),
            question.transactions,
        )
    return Curve(
        name="kept",
        x_label=f"share of {what} kept",
        y_label=label,
        x=tuple(done.kept[step] / max(total, 1) for step in steps),
        y=tuple(values[step] / max(whole, 1) for step in steps),
        says=_says(done, what, total, values, whole, exposed is not None),
        limit=None if exposed is None else float(question.tolerance.share),
    )


def _says(done: Replay, what: str, total: int, values: Sequence[int], whole: int, transactions: bool) -> str:
    noun = f"{nouns().transactions} exposed" if transactions else "minimal moles left"
    return (
        f"Withholding {len(done.ledger):,} {nouns().items} keeps {done.kept[-1]:,} of {total:,} {what}; "
        f"{noun}: {values[0]:,} of {whole:,} before, {values[-1]:,} after."
    )


def _kept_of(original: object, need: NeedsItemsets | None) -> int:
    if not isinstance(original, Transactions):
        return 0
    if need is None:
        return original.occurrences
    return needed(original, need).total
