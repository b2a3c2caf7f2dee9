"""What attackers really learn from a released table: all tables that they hold possible, and all lots, counted exactly."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from tests.worlds.lots import every

import giveaway as ga

Row = tuple[str, ...]
Forms = tuple[tuple[str | None, ...], ...]
"""What the record of each person shows."""


class Channel:
    """How likely a table is published in which form, by `protect` itself."""

    def __init__(
        self,
        protect: Callable[[list[dict[str, str]]], ga.Release | None],
        names: str,
    ) -> None:
        self._protect, self._names = protect, names
        self.of = cache(self._of)

    def _of(self, rows: tuple[Row, ...]) -> tuple[tuple[Fraction, Forms], ...]:
        table = [dict(zip(self._names, row, strict=True)) for row in rows]
        found = every(lambda: self._protect(table))
        return tuple((chance, shown(release)) for chance, release in found if release is not None)

    def for_people(self, people: Sequence[Row]) -> Iterator[tuple[Fraction, Forms]]:
        """Give the same for people in any order: which of equal rows is whose is no matter."""
        order = sorted(range(len(people)), key=lambda one: people[one])
        for chance, forms in self.of(tuple(people[one] for one in order)):
            placed = dict(zip(order, forms, strict=True))
            yield chance, tuple(placed[one] for one in range(len(people)))


def shown(release: ga.Release) -> Forms:
    """Return what each record shows."""
    table, rows = release.original, len(release.original)
    columns = []
    for name in table.columns:
        codes, hidden = (
            table.columns[name][table.record_of].tolist(),
            release.hidden.marks(name, rows).tolist(),
        )
        columns.append(
            [
                None if gone or code < 0 else str(table.labels[name][code])
                for code, gone in zip(codes, hidden, strict=True)
            ]
        )
    return tuple(zip(*columns, strict=True))


def chances(
    channel: Channel,
    known: Sequence[Row],
    places: Sequence[int],
    values: Sequence[Sequence[str]],
    *,
    told: int | None = None,
) -> dict[Forms, Fraction]:
    """Return for each file that may be released the largest chance of whose a row is, for somebody who knows some columns.

    With a column that is `told`: of who has which value there.
    """
    width = len(values)
    others = [place for place in range(width) if place not in places]
    weight: dict[Any, Fraction] = defaultdict(Fraction)
    sure: dict[Any, dict[Any, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for rest in product(product(*(values[place] for place in others)), repeat=len(known)):
        people = []
        for mine, hidden in zip(known, rest, strict=True):
            cells = dict(zip(places, mine, strict=True)) | dict(zip(others, hidden, strict=True))
            people.append(tuple(cells[place] for place in range(width)))
        for chance, forms in channel.for_people(people):
            file = tuple(sorted(forms, key=str))
            weight[file] += chance
            for one, form in enumerate(forms):
                if told is None:
                    sure[file][one, form] += chance / forms.count(form)
                else:
                    sure[file][one, people[one][told]] += chance
    return {file: max(sure[file].values()) / weight[file] for file in weight}
