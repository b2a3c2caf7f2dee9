"""Rules that are not a choice for each record by itself: MinRisk, a number of values of each column, the worst directory."""

from fractions import Fraction

import numpy as np

from giveaway.attacks.directory.disclosure.best import Case
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.protecting.alike_records import Lots, Masks, spread
from giveaway.attacks.directory.protecting.choose import ChosenColumns, exceptions
from giveaway.attacks.directory.protecting.need import marked
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.errors import NoSafeRelease, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.question.tolerance import Tolerance
from giveaway.papers.directory.independent import additive_independent, minrisk
from giveaway.papers.directory.minimax import minimax
from giveaway.papers.directory.per_column.choose import per_column
from giveaway.papers.directory.theorem1 import precedes


def by_minrisk(lots: Lots, need: NeedsColumns | None, floor: Ints) -> ChosenColumns:
    """Choose as if columns were independent, against the likeliest directory (the paper's Algorithm 1)."""
    if need is None or need.per_record is None:
        raise ScenarioError(
            f"The method minrisk needs a number of values of each {nouns().record}.",
            hint="give needs.columns.per_record, or leave the method to auto.",
        )
    question = lots.question
    prior = question.attacker.prior
    matching = question.lookup.matchings[prior.index(max(prior)) if prior else 0]
    size = len(matching.people)
    # A record that nobody agrees with counts as if it were listed, as everywhere in protecting.
    alone = np.maximum(matching.alone(lots.values), 1)
    weights = [question.weighing.weights(line) for line in range(len(question.weighing.lines))]
    chosen = np.zeros(len(lots.values), np.uint64)
    if question.weighing.form == "additive":
        for place in range(len(chosen)):
            chosen[place] = additive_independent(
                alone[place],
                size,
                weights[int(lots.classes[place])],
                int(lots.available[place]),
                int(floor[place]),
                int(lots.always[place]),
            )
    else:
        each = np.stack([weights[line].each for line in lots.classes.tolist()])
        for always in np.unique(lots.always):
            here = lots.always == always
            chosen[here] = minrisk(
                alone[here], size, each[here], lots.available[here], floor[here], int(always)
            )
    return ChosenColumns(masks=chosen[lots.lot_of], proved=0)


def by_columns(lots: Lots, tolerance: Tolerance, need: NeedsColumns) -> ChosenColumns:
    """Choose this many values of each column, or those that must be published, with the least sum of losses (Delta3)."""
    wanted = np.maximum(need.per_column or 0, marked(lots))
    if need.clip:
        wanted = np.minimum(wanted, spread(lots.available, lots.width).T.astype(np.int64) @ lots.count)
    rows = lots.order
    rule = per_column(_cases(lots, tolerance.identity), wanted)
    if rule is None and tolerance.share:
        rule = per_column(_cases(lots, None), wanted)
    if rule is None:
        limit, larger = (
            ("", "")
            if tolerance.identity is None
            else (" within the limit of identity", ", or tolerate a larger identity")
        )
        raise NoSafeRelease(
            f"No way was found to disclose {need.per_column:,} values of each column{limit}.",
            helps=(f"Ask for fewer values with needs.columns.per_column{larger}.",),
        )
    return _whole(lots, tolerance, rule.masks, rule.bound / max(len(rows), 1), best=rule.gap == 0)


def by_worst(lots: Lots, tolerance: Tolerance, floor: Ints) -> ChosenColumns:
    """Choose the values of each record so that the risk in the worst directory is least (the paper's minimax rule)."""
    rows = lots.order
    number = floor[lots.lot_of[rows]]
    least = least_directory(lots.question)
    rule = minimax(_cases(lots, tolerance.identity), per_record=number, least=least)
    if rule is None:
        raise NoSafeRelease(
            f"Some {nouns().records} cannot disclose what is needed within the limit of identity.",
            helps=("Ask for fewer values with needs.columns.per_record, or tolerate a larger identity.",),
        )
    return _whole(lots, tolerance, rule.masks, rule.bound, best=rule.proved)


def _whole(lots: Lots, tolerance: Tolerance, by_lot: Masks, bound: float, *, best: bool) -> ChosenColumns:
    """Return a rule for all rows, given lot by lot; where some may be over the limit, nothing is known of others."""
    rows = lots.order
    masks = np.empty(len(rows), np.uint64)
    masks[rows] = by_lot
    if exceptions(lots, tolerance):
        return ChosenColumns(masks=masks, proved=0)
    return ChosenColumns(masks=masks, proved=len(rows) if best else 0, least=bound, together=True)


def _cases(lots: Lots, limit: Fraction | None) -> list[Case]:
    """Return a case for each row, lot by lot; equal rows share one."""
    every = list(lots.cases(np.arange(len(lots.values)), limit))
    return [every[lot] for lot in lots.lot_of[lots.order].tolist()]


def least_directory(question: DirectoryQuestion) -> int | None:
    """Return the directory that precedes all others and holds the records, where ids tell (Definition 8)."""
    if not question.lookup.holds:
        return None
    people = [matching.people for matching in question.lookup.matchings]
    for place, one in enumerate(people):
        if all(
            other is one or precedes(one, other, question.compared, question.lookup.gaps) for other in people
        ):
            return place
    return None
