"""Withhold entries of a table until somebody who knows something of people recognises no more of them than tolerated.

This is ours, as all protecting of this attack is.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil

import numpy as np

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.people.details import PeopleExposures, PeopleQuestion
from giveaway.attacks.frequencies.people.known import Knowledge
from giveaway.attacks.frequencies.people.view import SeenPeople, see_people
from giveaway.attacks.frequencies.reporting.sentences import counted
from giveaway.errors import NoSafeRelease
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import LedgerLine, Protection
from giveaway.model.data.table import Table
from giveaway.model.progress import tell
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

AT_ONCE = 16
"""One in this many of those who are recognised too often is helped before all is measured again."""

PUT_BACK = 200
"""How many entries are tried whether they may stay after all."""


def protect_people(
    release: Release, attacker: KnowsFrequencies, tolerance: Tolerance, effort: Effort
) -> Protection:
    """Withhold entries of those who are recognised too often, where that lets most others be taken for them.

    A record without a value may be anybody's, so that every entry withheld adds candidates. In the end all entries that
    something is known about are gone, and everybody may be anybody.
    """

    def asked(about: Release) -> PeopleQuestion:
        return PeopleQuestion(seen=see_people(about, attacker, effort), tolerance=tolerance)

    blanks, helped = _Blanks(release, attacker), Counter[str]()
    safer = release
    while not (question := asked(safer)).judged.within(tolerance):
        before = len(blanks.chosen)
        tell("withholding entries", before, max(blanks.entries, 1))
        for person in _exposed(question):
            helped.update({column for _, column in blanks.help(question.seen, person)})
        if len(blanks.chosen) == before:
            raise _refused(question, blanks)
        safer = release.withholding(Withheld(cells=blanks.chosen))
    if not attacker.knows_method:
        safer = _put_back(release, safer, blanks.chosen, asked)
    if safer.is_empty:
        raise NoSafeRelease("Every entry would have to be withheld, and an empty release is not a release.")
    return Protection(release=safer, ledger=_ledger(release, safer, helped), detail=_detail(attacker))


def _exposed(question: PeopleQuestion) -> list[int]:
    """Return the people to be helped next, the most exposed first."""
    order, tolerance = PeopleExposures(question).order, question.tolerance
    judged = question.judged
    if judged.share is not None and judged.share + (judged.margin or 0) > tolerance.share:
        over = order[question.perhaps_vulnerable[order]]
        spare = int(tolerance.share * question.targets)
        return [int(person) for person in over[: max(1, ceil((len(over) - spare) / AT_ONCE))]]
    return [int(person) for person in order[: max(1, len(order) // (4 * AT_ONCE))]]


class _Blanks:
    """The entries that are withheld so far, and what may still be."""

    def __init__(self, release: Release, attacker: KnowsFrequencies) -> None:
        table = release.original
        if not isinstance(table, Table):
            raise TypeError("people are recognised in a table")
        self.chosen: list[tuple[int, str]] = []
        self.marked = bool(release.must_publish)
        self._columns = attacker.looks_at()
        self._free = {}
        for column in self._columns:
            free = table.columns[column][table.record_of] >= 0
            for cells in (release.hidden, release.must_publish):
                free[cells.positions(column)] = False
            self._free[column] = free
        self.entries = sum(int(free.sum()) for free in self._free.values())

    def help(self, seen: SeenPeople, person: int) -> list[tuple[int, str]]:
        """Withhold an entry of the record that is taken for a person's, or entries of one that could be; return them."""
        entries = self._own(seen, person) or self._other(seen, person)
        for row, column in entries:
            self._free[column][row] = False
            self.chosen.append((row + 1, column))
        return entries

    def _own(self, seen: SeenPeople, person: int) -> list[tuple[int, str]]:
        """Choose the entry by which most others are told from that record."""
        row = self._recognised(seen, person)
        free = [column for column in self._columns if self._free[column][row]] if row is not None else []
        if row is None or not free:
            return []
        alone, at_all = Counter[str](), Counter[str]()
        record = int(seen.table.record_of[row])
        for knowledge, many in Counter(seen.known).items():
            against = _against(seen.table, record, knowledge)
            at_all.update(dict.fromkeys(against, many))
            if len(against) == 1:
                alone[against[0]] += many
        telling = [column for column in free if at_all[column]]
        best = max(telling, key=lambda column: (alone[column], at_all[column], column), default=None)
        return [] if best is None else [(row, best)]

    def _recognised(self, seen: SeenPeople, person: int) -> int | None:
        """Return the row of a record that is taken for a person's: their own, or one of the likeliest."""
        own = person if person < seen.records else None
        if not seen.likeliest:
            return own
        solved = seen.solved
        begin, end = (
            solved.graph.begin[solved.graph.row_of[person]],
            solved.graph.begin[solved.graph.row_of[person] + 1],
        )
        columns, many = solved.graph.column[begin:end], solved.graph.column_of[: seen.records]
        values = [
            float(chance) if (many == column).any() else 0.0
            for chance, column in zip(solved.edges[begin:end], columns.tolist(), strict=True)
        ]
        likeliest = columns[int(np.argmax(values))]
        rows = np.flatnonzero(many == likeliest)
        open_rows = [int(row) for row in rows if any(self._free[column][row] for column in self._columns)]
        return own if own in open_rows else next(iter(open_rows), None)

    def _other(self, seen: SeenPeople, person: int) -> list[tuple[int, str]]:
        """Choose the record that is ruled out as a person's by the fewest entries, all of which may be withheld."""
        best: list[tuple[int, str]] = []
        for row in range(seen.records):
            against = _against(seen.table, int(seen.table.record_of[row]), seen.known[person])
            if (
                against
                and all(self._free[column][row] for column in against)
                and (not best or len(against) < len(best))
            ):
                best = [(row, column) for column in against]
        return best

    @property
    def open(self) -> bool:
        """Whether some entry may still be withheld."""
        return any(free.any() for free in self._free.values())


def _against(table: Table, record: int, knowledge: Knowledge) -> list[str]:
    """Return the columns by which a record is not somebody's."""
    return [
        column
        for column, known in knowledge
        if (code := int(table.columns[column][record])) >= 0
        and not known.fits(table.labels[column][code], column)
    ]


def _put_back(
    release: Release,
    safer: Release,
    chosen: Sequence[tuple[int, str]],
    asked: Callable[[Release], PeopleQuestion],
) -> Release:
    """Publish entries again while all stays within the limits."""
    left = [*chosen]
    for number, entry in enumerate(chosen[:PUT_BACK]):
        tell("putting entries back", number, min(len(chosen), PUT_BACK))
        trial = release.withholding(Withheld(cells=[one for one in left if one != entry]))
        question = asked(trial)
        if question.judged.within(question.tolerance):
            left.remove(entry)
            safer = trial
    return safer


def _ledger(before: Release, after: Release, helped: Counter[str]) -> tuple[LedgerLine, ...]:
    cells: Cells = after.withheld.cells - before.withheld.cells
    return tuple(
        LedgerLine(
            withheld=column,
            why="greedy",
            removed=helped[column],
            lost=len(cells.positions(column)),
            unit="entries",
        )
        for column in cells.columns
    )


def _detail(attacker: KnowsFrequencies) -> str:
    after = "" if attacker.knows_method else " Entries that may stay were put back."
    return (
        "The search for entries to withhold is our own, not the paper's: of those who were recognised too often, the entry went "
        f"by which most others are told from the same {nouns().record}, and all was measured again in between.{after}"
    )


def _refused(question: PeopleQuestion, blanks: _Blanks) -> NoSafeRelease:
    """Say that nothing is left to withhold; where everybody may be anybody and must be somebody, nobody does better."""
    seen = question.seen
    proved = seen.likeliest and seen.number == seen.records and not blanks.marked and not blanks.open
    people = counted(seen.number, seen.nouns[1], seen.nouns[0])
    return NoSafeRelease(
        f"Even where nothing that is known tells {people} apart, they are recognised more often than you tolerate."
        if proved
        else "Withholding entries did not bring the release within your limits.",
        proved=proved,
    )
