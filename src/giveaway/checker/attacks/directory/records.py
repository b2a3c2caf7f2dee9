"""The rows of the original next to what a release shows of them, column by column."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.checker.files.coarser_labels import ColumnTexts
from giveaway.checker.files.tables import Codes, visible
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckedRecords:
    """A table and its release, which has the same rows in another order; here they have that of the table."""

    table: Table
    release: Release
    spelled: Mapping[str, ColumnTexts]
    """The columns in which some entries are coarser."""

    def own(self, name: str) -> Codes:
        """Return the codes of the original in a column."""
        codes: Codes = self.table.columns[name][self.table.record_of].astype(np.int32)
        return codes

    def seen(self, name: str) -> Codes:
        """Return the codes of what is shown in a column; those that are not values stand for coarser labels."""
        if name not in self._seen:
            rows = np.arange(len(self.table))
            self._seen[name] = visible(self.table, self.release, name, rows, self.spelled.get(name))
        return self._seen[name]

    def texts(self, name: str) -> tuple[Label, ...]:
        """Return what the codes of a column stand for."""
        return self.spelled[name].labels if name in self.spelled else self.table.labels[name]

    @cached_property
    def _seen(self) -> dict[str, Codes]:
        return {}
