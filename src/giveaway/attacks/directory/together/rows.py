"""Rows that can be joined: a person's row now with what earlier releases show of the same person.

Somebody who does not know the method counts the people who agree with all of it. Somebody who knows it counts the joined
rows that look the same in *each* release: a blank that another release fills in still tells whom an earlier plan blanked,
so that rows which show the same together need not be equal. How a row looks in each earlier release, and what of it is
hidden now although it is out, are therefore columns of their own there. What an earlier release withheld may have been
chosen by columns that are not compared now, so that of rows from which it withheld something it counts too what is seen of
its columns that are not sensitive. Nothing distinguishes rows that look the same in every file, however it was chosen
what they show.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.question import ask
from giveaway.attacks.directory.together import bound
from giveaway.attacks.directory.together.knowing import changed, compared, free, says, table_of, who_knows
from giveaway.attacks.directory.together.whenever import with_values_at_some_time
from giveaway.attacks.together import View
from giveaway.attacks.wording import listed
from giveaway.errors import NoSafeRelease, NothingToJudge
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.arrays import alike as alike_rows
from giveaway.model.data.kinds import Kinds
from giveaway.model.data.people import People
from giveaway.model.data.table_of_kinds import by_kind
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import JoinedRows, by_itself, join, some_rows, with_column
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release
from giveaway.model.release.whose_rows import BLANK, Shown
from giveaway.model.release.withheld import Withheld

Look = tuple[tuple[str, ...], Codes]
"""How each row looks: a label for each kind of row, and the kind of each."""


def rows_view(
    release: Release, attacker: KnowsDirectory, tolerance: Tolerance, earlier: Sequence[Earlier]
) -> View:
    """Return the release as somebody sees it who joins its rows with those of earlier ones."""
    joined = join(release, earlier)
    if joined is None:
        return bound.bound_view(release, attacker, tolerance, earlier)
    return joined_view(joined, attacker, tolerance)


def joined_view(joined: JoinedRows, attacker: KnowsDirectory, tolerance: Tolerance) -> View:
    """Return the view of joined rows."""
    seen = JoinedView(joined=joined, asked=attacker, tolerance=tolerance)
    seen.check()
    return seen.view()


@dataclass(frozen=True, kw_only=True, eq=False)
class JoinedView:
    """Joined rows, and who looks at them."""

    joined: JoinedRows
    asked: KnowsDirectory
    tolerance: Tolerance

    @cached_property
    def releases(self) -> list[Earlier]:
        """The earlier releases."""
        return [part.one for part in self.joined.met.parts]

    @property
    def _kinds(self) -> Kinds:
        return self.joined.met.kinds

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns compared."""
        return compared(self.asked, table_of(self.joined.release), self.releases)

    @cached_property
    def attacker(self) -> KnowsDirectory:
        """Who looks at the joined rows."""
        return who_knows(self.asked, self.columns, self.releases, tuple(self.looks))

    @cached_property
    def looks(self) -> dict[str, Look]:
        """What distinguishes rows besides their values: who is in which release, and to whom that tells something, how."""
        table, looks = table_of(self.joined.release), dict[str, Look]()
        for one, present, shown in zip(self.releases, self.joined.present, self.joined.shown, strict=True):
            levels = {name: shown[name] for name in self.columns if name in shown}
            looks[f"in {one.name}"] = (
                _looks(present, levels, self._beside(shown))
                if self.asked.knows_method
                else _looks(present, {})
            )
        if self.asked.knows_method:
            looks["now"] = _looks(np.ones(len(self._kinds), np.bool_), self._hidden_now)
        telling = {name: look for name, look in looks.items() if len(look[0]) > 1}
        return {free(name, table.columns): look for name, look in telling.items()}

    def _beside(self, shown: Mapping[str, Shown]) -> dict[str, Look]:
        """Return what is seen of an earlier release's columns that are neither compared nor sensitive, by which it may have chosen."""
        joined, looks = self.joined, dict[str, Look]()
        table = table_of(joined.release)
        for name in shown:
            if name not in self.columns and name not in table.sensitive:
                level = np.minimum(joined.shown_before[name], joined.shown_now.get(name, BLANK))
                codes = np.where(level == BLANK, len(table.labels[name]), joined.true_codes(name))
                looks[name] = (*map(str, table.labels[name]), "blank"), codes.astype(np.int32)
        return looks

    @property
    def _hidden_now(self) -> dict[str, Shown]:
        """At which level the release now shows what is out at a finer one; 0 for everything else."""
        before, now = self.joined.shown_before, self.joined.shown_now
        return {
            name: np.where(now[name] > before[name], now[name], 0)
            for name in self.columns
            if name in before and name in now
        }

    @cached_property
    def release(self) -> Release:
        """The joined rows, with how they look in each release."""
        return self._looking(self.joined.release, self.looks, told_by="all")

    def check(self) -> None:
        """Refuse attackers of whom it is not known what they learn from several releases."""
        if self.asked.likelihoods:
            raise NothingToJudge(
                "How likely people are taken next to what earlier releases show is not worked out.",
                hint="leave likelihood out, so that everybody who agrees is equally likely.",
            )
        if not self.asked.knows_method:
            return
        if self.asked.directories:
            raise NothingToJudge(
                "How people of another directory would look in an earlier release is not known.",
                hint="leave people out, or set knows_method = false.",
            )
        if self.asked.at_most is not None and self.asked.at_most < len(self.columns):
            raise NothingToJudge(
                "What several releases tell somebody who knows the method and only some columns is not worked out.",
                hint="leave at_most out, or set knows_method = false.",
            )
        chosen = [
            one.name
            for one, shown in zip(self.releases, self.joined.shown, strict=True)
            if self._blanks(shown)
        ]
        if self.tolerance.attribute is not None and chosen:
            raise NothingToJudge(
                f"What {listed(chosen)} withheld may have been chosen by sensitive values, and what that tells is not known.",
                hint="leave out the limit of attribute, or set knows_method = false.",
            )

    def _blanks(self, shown: Mapping[str, Shown]) -> bool:
        """Tell whether an earlier release withheld something of the columns compared."""
        return any(
            bool(((levels > 0) & (self.joined.true_codes(name) >= 0)).any())
            for name, levels in shown.items()
            if name in self.columns
        )

    def view(self) -> View:
        """Return the view."""
        earlier = self.releases
        view = View(
            releases=tuple(one.name for one in earlier),
            linked="rows",
            release=self.release,
            attacker=self.attacker,
            back=self._back,
            before=self._before,
            accepts=all(one.already == "accept" for one in earlier),
            figures=self._figures,
            says=says(earlier),
            need=keeps_columns,
        )
        if not view.accepts or not len(self._out):
            return view
        return replace(view, rest=self._rest(view), adds=self._shows_more)

    @property
    def _figures(self) -> dict[str, int]:
        if len(self.releases) > 1:
            return {}
        present, (part,) = self.joined.present[0], self.joined.met.parts
        return {
            "in_both": self._kinds.counted(present),
            "joined": self._kinds.counted(~present),
            "left": part.people_left,
        }

    def _looking(
        self, release: Release, looks: Mapping[str, Look], *, told_by: Literal["all", "earlier"] | None = None
    ) -> Release:
        """Add columns that weigh nothing: how rows look in each release, and what releases tell of values at some time."""
        weights, names = release.sensitivity, table_of(release).columns
        if told_by is not None and self.tolerance.attribute is not None:
            before = told_by == "earlier"
            release = with_values_at_some_time(self.joined, release, self.asked, self.columns, before=before)
        if weights.records and not weights.columns and (looks or len(table_of(release).columns) > len(names)):
            release = replace(release, sensitivity=replace(weights, columns=dict.fromkeys(names, 1)))
        for name, (labels, codes) in looks.items():
            release = with_column(release, name, labels, codes)
        return release

    @cached_property
    def _before(self) -> Release | None:
        """What is out already; None where rows of people who left are not joined."""
        parts = self.joined.met.parts
        if len(parts) > 1:
            everybody = all(present.all() for present in self.joined.present)
            if not everybody or any(part.people_left for part in parts):
                return None
            now = {name: _same(self._kinds) for name in self.looks if name.startswith("now")}
            return self._looking(self.joined.out, {**self.looks, **now}, told_by="earlier")
        before = by_itself(parts[0], self.joined)
        return self._looking(before, dict.fromkeys(self.looks, _same(by_kind(table_of(before))[0])))

    def _back(self, protected: Release) -> Release:
        if protected.earlier_plans is not None:
            raise NoSafeRelease(
                "By sensitive values only larger crowds would be safe, and what it tells that smaller ones were not is not "
                "worked out next to earlier releases.",
                helps=("Leave out the limit of attribute, or show less of a column.",),
            )
        release = self.joined.back(protected)
        question = ask(release, changed(self.asked, columns=self._columns_now))
        if not question.disclosed_compared:
            raise NoSafeRelease(
                f"{says(self.releases)} all values of {listed(self._columns_now)} would have to be withheld, and nothing "
                "would be left to release.",
                helps=("Tolerate smaller crowds, or release other columns.",),
            )
        return release

    @property
    def _columns_now(self) -> tuple[str, ...]:
        """The columns compared that the release now has."""
        return tuple(name for name in self.columns if name in table_of(self.joined.now).columns)

    @cached_property
    def _out(self) -> Ints:
        """The rows whom the earlier releases give away by themselves."""
        if self._before is None:
            return np.zeros(0, np.int64)
        question = ask(self._before, self.attacker)
        over = judged(question, self.tolerance).over_groups[question.groups.group_of]
        if len(self.releases) > 1:
            return np.flatnonzero(over)
        row_now = self.releases[0].row_now(self.joined.now)[0]
        assert row_now is not None  # noqa: S101 # they were joined
        return np.unique(row_now[over & (row_now >= 0)])

    @property
    def _shows_more(self) -> bool:
        """Whether the release now shows more of somebody whom the earlier ones give away."""
        before, now = self.joined.shown_before, self.joined.shown_now
        out = self._kinds.of_row[self._out]
        return any(
            bool((now[name] < before.get(name, np.full(len(now[name]), BLANK)))[out].any())
            for name in self._columns_now
        )

    def _rest(self, view: View) -> View | None:
        """Return the view of those whom the earlier releases do not give away; None where these are nobody."""
        out = self._out
        rows = np.setdiff1d(np.arange(len(table_of(view.release))), out)
        if not len(rows):
            return None
        attacker = self.attacker
        if not attacker.knows_method:
            everybody = People.from_table(table_of(view.release), attacker.columns)
            attacker = changed(attacker, directories=attacker.directories or (everybody,), judges="any")
        names = self._columns_now

        def back(protected: Release) -> Release:
            cells, levels = protected.withheld.cells, protected.withheld.levels
            coarser = {name: levels.of(name) for name in levels.columns}
            more = Withheld(
                cells=Cells.at({name: rows[cells.positions(name)] for name in cells.columns}),
                levels=Levels.at({name: (rows[at], level) for name, (at, level) in coarser.items()}),
            )
            whole = replace(view.release, withheld=more, earlier_plans=protected.earlier_plans)
            return self._back(whole).withholding(Withheld(cells=Cells.at(dict.fromkeys(names, out))))

        return replace(view, release=some_rows(view.release, rows), attacker=attacker, back=back, before=None)


def _same(kinds: Kinds) -> Look:
    """Let all rows look the same."""
    return ("yes",), np.zeros(len(kinds), np.int32)


def _looks(
    present: NDArray[np.bool_], levels: Mapping[str, Shown], beside: Mapping[str, Look] = MappingProxyType({})
) -> Look:
    """Return a label for each way in which a release shows the columns of a row; where it withholds some, others count too."""
    parts = [np.minimum(level, np.iinfo(np.int32).max) for level in levels.values()]
    withholds = np.any([level > 0 for level in levels.values()], axis=0) & present
    others = {name: np.where(withholds, codes, -1) for name, (_, codes) in beside.items()}
    of, first = alike_rows([present.astype(np.int64), *parts, *others.values()])
    labels: list[str] = []
    for row in first.tolist():
        blank = [name for name, level in levels.items() if level[row] == BLANK]
        coarser = [
            f"{name} at level {level[row]}" for name, level in levels.items() if 0 < level[row] < BLANK
        ]
        without = f", without {listed(blank)}" if blank else ""
        showing = [
            f"{name} {beside[name][0][codes[row]]}" for name, codes in others.items() if withholds[row]
        ]
        more = "".join(f", {listed(some)}" for some in (coarser, showing) if some)
        label = "no" if not present[row] else f"yes{without}{more}"
        # Columns may be called so that two kinds read the same; they are still two.
        labels.append(f"{label} ({row + 1})" if label in labels else label)
    return tuple(labels), of.astype(np.int32)


def keeps_columns(need: NeedsColumns | None) -> NeedsColumns | None:
    """Refuse numbers of values: they are of the release now, and others are out already."""
    if need is None or (need.per_record is None and need.total is None and need.per_column is None):
        return need
    raise NoSafeRelease(
        "How many values are needed is not planned next to earlier releases.",
        helps=("Ask for columns with needs.columns.always, or leave the numbers out.",),
    )
