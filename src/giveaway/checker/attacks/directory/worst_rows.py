"""Earlier rows of whom nobody knows any more whose they are, though somebody may: everybody gets the worst that fits them.

A row fits somebody if all that it shows of the compared columns is true of them; their own row is one of those that do.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from giveaway.checker.promise import Promise, disagree, unconfirmed
from giveaway.checker.together.reading import Texts, read_table
from giveaway.checker.together.tables import WrittenTables, compared, known_values
from giveaway.checker.together.written import Some
from giveaway.model.release.earlier import Earlier

Columns = tuple[str, ...]


def worst_rows(tables: WrittenTables, promise: Promise, earlier: Some) -> dict[str, Texts]:
    """Return by the names of earlier releases, where nobody says whose rows they are, what they are taken to show of everybody.

    Of one release it is the row with the smallest crowd; of several, and where crowds are not those of equal values, all
    that any row shows which fits: no crowd is smaller than with that.
    """
    release, attacker = tables.written.release, promise.with_earlier or promise.attacker
    unknown = [one for one in earlier if one.row_now(release)[0] is None]
    taken: dict[str, Texts] = {}
    for one in unknown:
        _check(tables, promise, one)
        held = _Fitting(tables, promise, one)
        unusual = attacker["directories"] or attacker["match"] or attacker["at_most"] is not None
        plain = release.gaps != "agree" and not release.withheld.levels.columns and not unusual
        taken[one.name] = held.worst() if plain and len(earlier) == 1 else held.everything()
    return taken


def _check(tables: WrittenTables, promise: Promise, one: Earlier) -> None:
    """Refuse what the worst rows do not bound."""
    attacker, limits = promise.with_earlier or promise.attacker, promise.tolerance
    weighs = limits.average is not None and not tables.written.release.sensitivity.is_constant
    same = one.shown is not None and len(one.shown) == len(tables.table)
    changed = one.population.joined or one.population.left
    if attacker["knows_method"] or limits.attribute is not None or weighs or not same or changed:
        raise unconfirmed(
            f"Nobody says whose rows those of {one.name} are, so that they cannot be joined again."
        )


class _Fitting:
    """The sets of columns that the rows of an earlier release show, and whom such a row fits."""

    def __init__(self, tables: WrittenTables, promise: Promise, one: Earlier) -> None:
        attacker, then = promise.with_earlier or promise.attacker, read_table(one)
        sensitive = tables.table.sensitive
        wanted = compared(attacker, [*then], sensitive)
        names = tuple(name for name in then if name in wanted)
        size = len(tables.table)
        self._size, self._shown = size, tables.shown
        self._own = {name: tables.truth.get(name) or known_values(one, name, None, size) for name in names}
        for name, own in self._own.items():
            labels = {text for text in then[name] if text is not None} - {*own}
            if name in one.changes or None in own or (labels and tables.hierarchy(name, (one,)) is not None):
                raise unconfirmed(
                    f"Nobody says whose rows those of {one.name} are, nor what everybody's {name} was then."
                )
        shown: dict[Columns, set[tuple[str | None, ...]]] = defaultdict(set)
        for row in range(len(then[names[0]]) if names else 0):
            columns = tuple(name for name in names if then[name][row] is not None)
            shown[columns].add(tuple(then[name][row] for name in columns))
        self._fits = [
            [columns for columns, held in shown.items() if self._values(self._own, columns, row) in held]
            for row in range(size)
        ]
        if names and not all(self._fits):
            raise disagree(f"No row of {one.name} fits somebody who is said to be in it.")
        self._compared = compared(attacker, [*tables.truth], sensitive)
        self._truth: Texts = {**tables.truth, **self._own}

    @staticmethod
    def _values(of: Texts, columns: Sequence[str], row: int) -> tuple[str | None, ...]:
        return tuple(of[name][row] for name in columns)

    def everything(self) -> Texts:
        """Return all that rows show which fit."""
        return self._showing([{name for columns in fits for name in columns} for fits in self._fits])

    def worst(self) -> Texts:
        """Return the row that leaves everybody in the smallest crowd."""
        people: dict[Columns, Counter[tuple[str | None, ...]]] = {}
        chosen = []
        for row, fits in enumerate(self._fits):
            now = [
                name for name in self._compared if name in self._shown and self._shown[name][row] is not None
            ]
            crowds = []
            for columns in fits:
                both = tuple(sorted({*now, *columns}))
                if both not in people:
                    people[both] = Counter(
                        self._values(self._truth, both, other) for other in range(self._size)
                    )
                crowds.append((people[both][self._values(self._truth, both, row)], columns))
            chosen.append({*min(crowds)[1]} if crowds else set())
        return self._showing(chosen)

    def _showing(self, chosen: Sequence[set[str]]) -> Texts:
        return {
            name: [text if name in columns else None for text, columns in zip(own, chosen, strict=True)]
            for name, own in self._own.items()
        }
