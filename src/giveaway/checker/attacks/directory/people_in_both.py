"""Rows that cannot be joined, of people who are known to be in every release: counted in the written files.

Whoever reads the files may join rows that show the same in the columns of all files, their *signature*; all ways to do so
are equally likely. A row now is of somebody who agrees with it, and whom in each earlier file a row of the same signature
fits. One row of each file is the person's in one of n ways for each further file, n being the number of rows with their
signature: so many could take its place.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations
from math import prod

import numpy as np

from giveaway.checker.attacks.directory.judge import keeps
from giveaway.checker.promise import Promise, disagree, unconfirmed
from giveaway.checker.together.reading import Texts, read_table
from giveaway.checker.together.tables import WrittenTables, compared, known_columns, known_values
from giveaway.checker.together.written import SeenTogether, Some, WrittenNow
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.release.earlier import Earlier

Signature = tuple[str, ...]
Profile = tuple[str, ...]
Fitting = list[Counter[tuple[Signature, str]]]
"""For each profile how many rows fit it, by what they show in the shared columns and in one more."""


Belief = dict[str, Fraction]
"""How likely each value is."""


class NotExact(Exception):
    """What was met in the files makes the count below not exact."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RowsApart:
    """The rows of several releases of the same people, the one now first."""

    releases: Sequence[Texts]
    truth: Texts
    """What is true of everybody, in the order of the data now."""
    known: tuple[str, ...]
    """The columns that somebody knows of everybody."""

    @cached_property
    def shared(self) -> tuple[str, ...]:
        """The columns of all releases."""
        now, *others = self.releases
        return tuple(name for name in now if all(name in other for other in others))

    @cached_property
    def signatures(self) -> list[list[Signature]]:
        """What each row of each release shows in the shared columns; none of it is blank."""
        signatures = []
        for one in self.releases:
            columns = [one[name] for name in self.shared]
            if any(text is None for texts in columns for text in texts):
                raise NotExact("a column that all releases have is blank in some rows")
            size = len(next(iter(one.values())))
            signatures.append(list(zip(*columns, strict=True)) if columns else [()] * size)
        return signatures  # type: ignore[return-value] # no text is None

    @cached_property
    def rows_with(self) -> Counter[Signature]:
        """How many rows have each signature: as many in each release, because they are of the same people."""
        now, *others = (Counter(of_rows) for of_rows in self.signatures)
        if any(other != now for other in others):
            raise disagree(
                "Files that are said to show the same people do not have the same values in the columns of both."
            )
        return now

    @cached_property
    def profiles(self) -> list[Profile]:
        """What is known of everybody."""
        columns = [self.truth[name] for name in self.known]
        if any(text is None for texts in columns for text in texts):
            raise NotExact("of some people not all values compared are known")
        return list(zip(*columns, strict=True))

    @cached_property
    def number_of(self) -> dict[Profile, int]:
        """Different profiles, numbered."""
        return {profile: at for at, profile in enumerate(dict.fromkeys(self.profiles))}

    def check(self) -> None:
        """Refuse files of which the count would not be exact, or which are not of the same people."""
        for one, other in combinations(self.releases, 2):
            some = {*one} & {*other} - {*self.shared}
            if some:
                raise NotExact(f"some of the releases share {min(some)}, and others do not have it")
        for name in self.known:
            values = {*self.truth[name], None}
            if any(not values.issuperset(one[name]) for one in self.releases if name in one):
                raise NotExact(f"a release shows labels of {name} that are nobody's value")
        if not self.rows_with or not self.profiles:
            raise NotExact("there is nobody in it")

    def fitting(self, place: int, column: str | None = None) -> Fitting:
        """Count the rows of a release that fit each profile: a row fits if all that it shows of the known columns does."""
        release, signatures = self.releases[place], self.signatures[place]
        here = [at for at, name in enumerate(self.known) if name in release]
        lines = (
            zip(*(release[self.known[at]] for at in here), strict=True) if here else [()] * len(signatures)
        )
        values = [""] * len(signatures) if column is None else release[column]
        by_shown: dict[tuple[int, ...], dict[Profile, Counter[tuple[Signature, str]]]]
        by_shown = defaultdict(lambda: defaultdict(Counter))
        for line, signature, value in zip(lines, signatures, values, strict=True):
            if value is None:
                raise NotExact(f"{column} is hidden in some rows")
            shown = tuple(at for at, text in zip(here, line, strict=True) if text is not None)
            by_shown[shown][tuple(text for text in line if text is not None)][signature, value] += 1
        fitting = []
        for profile in self.number_of:
            rows: Counter[tuple[Signature, str]] = Counter()
            for shown, held in by_shown.items():
                rows.update(held.get(tuple(profile[at] for at in shown), {}))
            fitting.append(rows)
        return fitting

    @cached_property
    def fitting_before(self) -> list[Fitting]:
        """The rows of each earlier release that fit."""
        return [self.fitting(place) for place in range(1, len(self.releases))]

    def beliefs(self, column: str) -> list[Belief]:
        """Return how likely each value of a column is for each profile."""
        place = next((at for at, one in enumerate(self.releases) if column in one), None)
        if place is None:
            raise NotExact(f"no release shows {column}")
        with_value = self.fitting(place, column)
        others = [self.fitting(at) for at in range(len(self.releases)) if at != place]
        beliefs = []
        for number, rows in enumerate(with_value):
            weights: dict[str, Fraction] = defaultdict(Fraction)
            for (signature, value), count in rows.items():
                ways = count * prod(other[number][signature, ""] for other in others)
                if ways:
                    weights[value] += Fraction(ways, self.rows_with[signature] ** len(others))
            total = sum(weights.values(), Fraction(0))
            if not total:
                raise disagree(
                    "No rows of the files can be those of somebody who is said to be in all of them."
                )
            beliefs.append({value: weight / total for value, weight in weights.items()})
        return beliefs

    def beliefs_at_some_time(self, columns: Sequence[str]) -> list[Belief]:
        """Return for each profile how likely each value is in one of the columns, each of a release of its own.

        Among rows of one signature the rows of a person are chosen in each release by itself.
        """
        place_of = {at: name for name in columns for at, one in enumerate(self.releases) if name in one}
        parts = [self.fitting(at, place_of.get(at)) for at in range(len(self.releases))]
        values = {value for at in place_of for rows in parts[at] for _, value in rows}
        beliefs = []
        for rows in zip(*parts, strict=True):
            total, lacking = Fraction(0), dict.fromkeys(sorted(values), Fraction(0))
            for signature in {signature for signature, _ in rows[0]}:
                here = [{value: many for (of, value), many in one.items() if of == signature} for one in rows]
                ways = self.rows_with[signature] ** (len(here) - 1)
                total += Fraction(prod(sum(one.values()) for one in here), ways)
                for value in lacking:
                    without = (sum(one.values()) - one.get(value, 0) for one in here)
                    lacking[value] += Fraction(prod(without), ways)
            if not total:
                raise disagree(
                    "No rows of the files can be those of somebody who is said to be in all of them."
                )
            beliefs.append({value: 1 - never / total for value, never in lacking.items()})
        return beliefs

    def beliefs_before(self, column: str) -> list[Belief]:
        """Return how likely each value is for each profile by the only earlier release alone."""
        beliefs = []
        for rows in self.fitting(1, column):
            values: Counter[str] = Counter()
            for (_, value), count in rows.items():
                values[value] += count
            beliefs.append({value: Fraction(count, values.total()) for value, count in values.items()})
        return beliefs

    def directory(self) -> People:
        """List everybody with each signature that may be theirs, next to what is known of them."""
        now = self.releases[0]
        known = [at for at, name in enumerate(self.known) if name in now]
        beside = [at for at, name in enumerate(self.shared) if name not in self.known]
        names = [*(self.known[at] for at in known), *(self.shared[at] for at in beside)]
        entries: dict[tuple[str, ...], int] = {}
        of_profile: list[list[int]] = []
        for number, profile in enumerate(self.number_of):
            possible = set.intersection(*({s for s, _ in fits[number]} for fits in self.fitting_before))
            lines = {(*(profile[at] for at in known), *(s[at] for at in beside)) for s in possible}
            of_profile.append([entries.setdefault(line, len(entries)) for line in sorted(lines)])
        whose = [of_profile[self.number_of[profile]] for profile in self.profiles]
        columns = list(zip(*entries, strict=True))
        labels = {name: tuple(sorted({*texts})) for name, texts in zip(names, columns, strict=True)}
        codes = {name: {text: at for at, text in enumerate(labels[name])} for name in names}
        return People(
            columns={
                name: np.array([codes[name][text] for text in texts], np.int32)
                for name, texts in zip(names, columns, strict=True)
            },
            labels=labels,
            alone=np.zeros(len(entries), np.int64),
            several_person=np.repeat(np.arange(len(whose)), [len(one) for one in whose]),
            several_entry=np.array([entry for one in whose for entry in one], np.int64),
            name="everybody, with what may be theirs",
        )


def apart(tables: WrittenTables, promise: Promise, earlier: Some) -> RowsApart:
    """Read the files of the same people; refuse others."""
    attacker = promise.with_earlier or promise.attacker
    size, releases = len(tables.table), [tables.shown]
    truth = dict(tables.truth)
    sensitive = {*tables.table.sensitive}
    for one in earlier:
        rows, _ = one.row_now(tables.written.release)
        then = {tables.called(name, one): texts for name, texts in read_table(one).items()}
        same = all(len(texts) == size for texts in then.values()) and not _changed(one)
        if not same or (rows is not None and {*rows.tolist()} != {*range(size)}):
            raise NotExact(f"not everybody is in {one.name} and in the release now")
        for name in one.columns:
            here = tables.called(name, one)
            sensitive |= {here} if name in sensitive else set()
            own = truth.get(here) or known_values(one, name, rows, size)
            if rows is not None:
                placed = dict(zip(rows.tolist(), then[here], strict=True))
                own = [placed[row] if text is None else text for row, text in enumerate(own)]
                if any(text is not None and text != own[row] for row, text in placed.items()):
                    if tables.hierarchy(here, earlier) is not None:
                        raise NotExact(f"{one.name} shows coarser labels of {name}")
                    raise disagree(
                        f"{one.name} shows a value of {name} that is not true of the person it is of."
                    )
            truth[here] = own
        releases.append(then)
    known = known_columns(compared(attacker, [*truth], sensitive), truth, earlier)
    if not known:
        raise NotExact("nothing that is known can be seen")
    rows_apart = RowsApart(releases=releases, truth=truth, known=known)
    rows_apart.check()
    return rows_apart


def _changed(one: Earlier) -> bool:
    return bool(one.population.joined or one.population.left)


# What is judged of them -----------------------------------------------------------------------------------------


def seen(
    tables: WrittenTables,
    promise: Promise,
    earlier: Some,
    apart: RowsApart,
    adds_nobody: Callable[[], bool] | None,
) -> Iterator[SeenTogether]:
    """Give what is seen of people who are in all of some releases, to somebody who takes the rows as they are.

    `adds_nobody` tells whether nobody over the limit of identity is easier to tell than before.
    """
    tolerance = promise.tolerance
    if tolerance.identity is not None or tolerance.average is not None:
        keeps_crowds = partial(_keeps_crowds, tables.written, promise, apart)
        yield SeenTogether(earlier=earlier, keeps=keeps_crowds, adds_nothing=adds_nobody)
    if tolerance.attribute is not None:
        beliefs: dict[tuple[str, ...], list[Belief]]
        beliefs = {(name,): apart.beliefs(name) for name in _sensitive(tables, promise, apart)}
        for base in dict.fromkeys(name for one in earlier for name in one.changes):
            every = (base, *(f"{base}@{one.name}" for one in earlier if base in one.changes))
            there = tuple(name for name in every if any(name in one for one in apart.releases))
            hurts = base in tables.table.sensitive or any(base in sensitive_then(one) for one in earlier)
            if len(there) > 1 and hurts and not {*there} & {*apart.known}:
                beliefs[there] = apart.beliefs_at_some_time(there)
        values = _ValuesBelieved(
            tables=tables, promise=promise, apart=apart, limit=tolerance.attribute, beliefs=beliefs
        )
        yield SeenTogether(
            earlier=earlier,
            keeps=values.keeps,
            adds_nothing=values.adds_nothing if len(earlier) == 1 else None,
        )


def sensitive_then(one: Earlier) -> tuple[str, ...]:
    """Return the columns that were sensitive in an earlier release, as far as that is known."""
    return one.shown.sensitive if isinstance(one.shown, Table) else ()


def _keeps_crowds(written: WrittenNow, promise: Promise, apart: RowsApart) -> bool:
    """Tell whether few enough rows have too small a crowd of those who may be theirs."""
    people = apart.directory()
    seen_in = {"directories": (people,), "columns": tuple(people.columns), "prior": (), "at_most": None}
    attacker = {**promise.attacker, **seen_in}
    tolerance = promise.tolerance
    limits = tolerance.only(tolerance.given - {"attribute"})
    return keeps(written.opened, replace(promise, attacker=attacker, tolerance=limits))


def _sensitive(tables: WrittenTables, promise: Promise, apart: RowsApart) -> list[str]:
    """Return the sensitive columns that are judged; refuse what is not worked out here."""
    release = tables.written.release
    columns = [name for name in tables.table.sensitive if name not in apart.known]
    unusual = release.sensitive_classes or promise.attacker["within"]
    if not columns or unusual or any(name in release.hierarchies for name in columns):
        raise unconfirmed(
            "What is believed of people who are in several releases is not checked with classes of values, close guesses or "
            "coarser labels of a sensitive column."
        )
    return columns


@dataclass(frozen=True, kw_only=True, eq=False)
class _ValuesBelieved:
    """What is believed of sensitive values."""

    tables: WrittenTables
    promise: Promise
    apart: RowsApart
    limit: Fraction

    beliefs: Mapping[tuple[str, ...], Sequence[Belief]]
    """What is believed of each profile in each sensitive column, and in one of the columns of a value that changes."""

    def keeps(self) -> bool:
        """Tell whether of few enough people a sensitive value is believed with more than the limit."""
        people = {row for row, _, _ in self._over()}
        return len(people) <= self.promise.tolerance.share * len(self.tables.table)

    def adds_nothing(self) -> bool:
        """Tell whether the earlier release alone made everything that is over the limit at least as likely."""
        then = self.apart.releases[1]
        knew = {
            names: self.apart.beliefs_before(shown)
            for names in self.beliefs
            for shown in names
            if shown in then
        }
        if len(knew) < len(self.beliefs):
            return False
        number = self.apart.number_of
        return all(
            self._believed(names, row)[value] <= knew[names][number[self.apart.profiles[row]]].get(value, 0)
            for row, names, value in self._over()
        )

    def _over(self) -> Iterator[tuple[int, tuple[str, ...], str]]:
        """Give the rows of people with columns and the values of them that are believed with more than the limit."""
        wanted = {str(value) for value in self.tables.written.release.sensitive_values or ()}
        for names in self.beliefs:
            for row in range(len(self.tables.table)):
                own = {self.apart.truth[name][row] for name in names}
                for value, chance in self._believed(names, row).items():
                    judged = self.promise.attacker["judges"] == "any" or value in own
                    if chance > self.limit and judged and (not wanted or value in wanted):
                        yield row, names, value

    def _believed(self, names: tuple[str, ...], row: int) -> Belief:
        return self.beliefs[names][self.apart.number_of[self.apart.profiles[row]]]
