"""Count the people of whom a sensitive value is too likely for somebody who looks them up."""

from fractions import Fraction

import numpy as np

from giveaway.checker.attacks.directory.agreement import rows_as_people
from giveaway.checker.attacks.directory.asked import DirectoryAsked
from giveaway.checker.attacks.directory.look_alikes import CheckedLookAlikes
from giveaway.checker.attacks.directory.reached_rows import ReachedRows
from giveaway.checker.attacks.directory.sensitive_values import (
    Target,
    ValueGuesses,
    belief,
    believed_targets,
    guesses,
)
from giveaway.checker.files.tables import HIDDEN
from giveaway.checker.grouping import Flags
from giveaway.checker.promise import unconfirmed
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.progress import tell


def keeps_values(asked: DirectoryAsked, alike: CheckedLookAlikes, limit: Fraction, share: Fraction) -> bool:
    """Tell whether in each directory few enough people are over the limit, and most have a row that tells something."""
    if not asked.sensitive:
        raise unconfirmed("There is no sensitive column of which values could be told.")
    if asked.judges == "true" and asked.directories:
        raise unconfirmed("Whether a value is true is not known of people in another directory.")
    table = alike.records.table
    if _chosen_by_more(asked, alike):
        return _keeps_in_blocks(asked, alike, limit, share)
    for people in asked.directories or (rows_as_people(table),):
        over = np.zeros(len(people.alone), np.bool_)
        for name in asked.sensitive:
            rows = ReachedRows(asked=asked, alike=alike, sensitive=name)
            if not rows.everything.shown:
                continue
            reached, exposed = _judged(rows, people, guesses(asked, alike.records, name), limit)
            if 2 * _people_with(people, reached) < len(people):
                return False
            over |= exposed
        if _people_with(people, over) > share * len(people):
            return False
    return True


def _chosen_by_more(asked: DirectoryAsked, alike: CheckedLookAlikes) -> bool:
    """Tell whether rows are altered for others, by columns that somebody who knows the method may not know."""
    return asked.in_company and any(
        asked.knows_less(chosen) and any(alike.changed([asked.columns.index(name) for name in chosen]))
        for chosen in asked.sets_for_values()
    )


def _keeps_in_blocks(
    asked: DirectoryAsked, alike: CheckedLookAlikes, limit: Fraction, share: Fraction
) -> bool:
    """Tell whether no block of rows tells too much: of how many people it would, nobody knows."""
    if asked.directories:
        raise unconfirmed(
            "What a release for several attackers tells of values is not worked out for another directory."
        )
    for name in asked.sensitive:
        rows = ReachedRows(asked=asked, alike=alike, sensitive=name)
        if not rows.everything.shown:
            continue
        targets = guesses(asked, alike.records, name)
        for chosen in asked.sets_for_values():
            beliefs = [belief(view, rows.everything) for view in rows.blocks(chosen)]
            if all(asked.informed(targets.largest(one, None)) <= limit for one in beliefs):
                continue
            if share:
                raise unconfirmed("Of how many people too much is told is not worked out.")
            return False
    return True


def _judged(rows: ReachedRows, people: People, targets: ValueGuesses, limit: Fraction) -> tuple[Flags, Flags]:
    """Tell of each entry whether a row tells something of it, and whether some set of columns puts it over the limit."""
    asked = rows.asked
    own = _own_values(rows.alike.records.table, rows.sensitive) if asked.judges == "true" else None
    reached = np.zeros(len(people.alone), np.bool_)
    over = np.zeros(len(people.alone), np.bool_)
    for chosen in asked.sets_for_values():
        tell("checking the written files", 0)
        views, of = rows.views(people, chosen)
        beliefs = [belief(view, rows.everything) for view in views]
        tells = [any(not tally.tells_nothing for _, tally in view) for view in views]
        if chosen:
            reached |= np.array([tells[at] for at in of], np.bool_)
        known: dict[tuple[int, int | None], bool] = {}
        # What is true of people is seen in the release only where all with the same values look the same.
        unseen = own is None or (asked.knows_method and any(len(view) > 1 for view in views))
        for entry, at in enumerate(of):
            key = at, None if own is None or unseen else own[entry]
            if key not in known:
                known[key] = asked.informed(targets.largest(beliefs[at], key[1])) > limit
            over[entry] |= known[key]
    return reached, over


def values_of_rows(
    asked: DirectoryAsked, alike: CheckedLookAlikes
) -> list[dict[tuple[str, Target], Fraction]]:
    """Return for each row of a table how likely each sensitive value or class of values is that may be guessed of it."""
    if asked.directories or asked.within or asked.at_most is not None:
        raise unconfirmed(
            "What was believed of people before is not compared with another directory, close guesses or at_most."
        )
    table = alike.records.table
    chances: list[dict[tuple[str, Target], Fraction]] = [{} for _ in table.record_of]
    for name in asked.sensitive:
        rows = ReachedRows(asked=asked, alike=alike, sensitive=name)
        if not rows.everything.shown:
            continue
        views, of = rows.views(rows_as_people(table), asked.columns)
        believed = [
            believed_targets(asked, alike.records, name, belief(view, rows.everything)) for view in views
        ]
        own = table.columns[name][table.record_of].tolist()
        for row, record in enumerate(table.record_of.tolist()):
            value = None if own[row] == HIDDEN else str(table.labels[name][own[row]])
            for target, chance in believed[of[record]].items():
                if asked.judges == "any" or value in target:
                    chances[row][name, target] = asked.informed(chance)
    return chances


def _own_values(table: Table, name: str) -> list[int]:
    codes: list[int] = table.columns[name].tolist()
    return codes


def _people_with(people: People, flags: Flags) -> int:
    """Count the people with an entry of which something is so."""
    return int(people.alone[flags].sum()) + len(np.unique(people.several_person[flags[people.several_entry]]))
