"""A column of joined rows, while one release after the other is added to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.errors import DataError
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.kinds import Kinds
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joining.whose_rows import BLANK, EarlierPart, Met, Shown
from giveaway.model.release.release import Release

_MISSING = -1
_NAMED = 5
"""How many rows an error names."""


@dataclass(kw_only=True, eq=False)
class JoinedColumn:
    """A column of the joined rows while releases are added to it."""

    name: str
    labels: list[Label]
    truth: Codes
    """The true value of each row, as far as it is known."""
    now: Shown
    before: Shown
    hierarchy: Hierarchy | None

    @classmethod
    def of_now(cls, now: Release, name: str, met: Met) -> "JoinedColumn":
        """Begin with what the release now shows."""
        table = now.original
        assert isinstance(table, Table)  # noqa: S101 # rows of tables are joined
        truth = table.columns[name][met.record]
        return cls(
            name=name,
            labels=list(table.labels[name]),
            truth=truth.copy(),
            now=met.shown_now(name, truth),
            before=np.full(len(truth), BLANK),
            hierarchy=now.hierarchies.get(name),
        )

    @classmethod
    def empty(cls, name: str, kinds: int, hierarchy: Hierarchy | None) -> "JoinedColumn":
        """Begin with nothing."""
        return cls(
            name=name,
            labels=[],
            truth=np.full(kinds, _MISSING, np.int32),
            now=np.full(kinds, BLANK),
            before=np.full(kinds, BLANK),
            hierarchy=hierarchy,
        )

    def add(self, part: EarlierPart, name: str, kinds: Kinds) -> Shown:
        """Add what an earlier release shows of kinds of rows, and return at which level it does."""
        table = part.one.shown
        assert isinstance(table, Table)  # noqa: S101 # rows of tables are joined
        true = part.true_codes(name)
        if true is not None and part.truth is not None:
            self._learn(part.kind, true, part.truth.labels[name])
        shown = table.columns[name][part.shown]
        levels = np.full(len(self.truth), BLANK)
        order = np.argsort(shown, kind="stable")
        codes, begins = np.unique(shown[order], return_index=True)
        ends = np.append(begins[1:], len(shown))
        for code, begin, end in zip(codes.tolist(), begins.tolist(), ends.tolist(), strict=False):
            if code != _MISSING:  # of nobody there is no code
                chosen = part.kind[order[begin:end]]
                levels[chosen] = self._shows(part.one, chosen, table.labels[name][code], kinds)
        self.before = np.minimum(self.before, levels)
        return levels

    def _learn(self, rows: Ints, codes: Codes, labels: Sequence[Label]) -> None:
        """Take over values of rows whose value is not known yet."""
        new = (codes != _MISSING) & (self.truth[rows] == _MISSING)
        if new.any():
            number = np.full(len(labels), _MISSING, np.int32)
            for code in np.unique(codes[new]).tolist():
                number[code] = self._code(labels[code])
            self.truth[rows[new]] = number[codes[new]]

    def _code(self, label: Label) -> int:
        code = self._known.setdefault(str(label), len(self.labels))
        if code == len(self.labels):
            self.labels.append(label)
        return code

    @cached_property
    def _known(self) -> dict[str, int]:
        """The code of each label by its text, the first of those that read the same."""
        return {str(label): code for code, label in reversed([*enumerate(self.labels)])}

    def _shows(self, one: Earlier, rows: Ints, label: Label, kinds: Kinds) -> int:
        """Return the level at which an earlier release shows some rows with a label; refuse what contradicts the truth."""
        text = str(label)
        coarser = [] if self.hierarchy is None else range(1, self.hierarchy.depth + 1)
        level = 0
        if text not in self._known and self.hierarchy is not None:
            groups = (at for at in coarser if text in map(str, self.hierarchy.groups(at)))
            level = next(groups, 0)
        if level == 0:
            unknown = rows[self.truth[rows] == _MISSING]
            if len(unknown):
                self.truth[unknown] = self._code(label)
            agrees = self.truth[rows] == self._code(label)
        else:
            assert self.hierarchy is not None  # noqa: S101 # it has the level
            texts = [*(str(self.hierarchy.label(known, level)) for known in self.labels), None]
            fits = np.array([known == text for known in texts])
            agrees = fits[self.truth[rows]]
        if not agrees.all():
            self._refuse(one, rows[~agrees], label, kinds)
        return level

    def _refuse(self, one: Earlier, wrong: Ints, label: Label, kinds: Kinds) -> None:
        rows = np.flatnonzero(np.isin(kinds.of_row, wrong))
        first = ", ".join(str(row + 1) for row in rows[:_NAMED].tolist())
        more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
        true = self.truth[kinds.of_row[rows[0]]]
        value = "nothing" if true == _MISSING else repr(str(self.labels[true]))
        name = self.name.removesuffix(f"@{one.name}")
        raise DataError(
            f'{one.name} shows {str(label)!r} in the column "{name}" where the data now have {value}: row {first}{more}.',
            hint=f'changes = ["{name}"] says that its values may differ; coarser labels need the same hierarchy in both, and an '
            "id must not have been given to somebody else.",
            field="changes",
        )
