"""The columns of a release next to those of a directory: which values of the one agree with which of the other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from giveaway.checker.attacks.directory.asked import DirectoryAsked
from giveaway.checker.attacks.directory.candidates import (
    Like,
    Same,
    Side,
    near_values,
    same_classes,
    same_values,
)
from giveaway.checker.attacks.directory.jaro import Alike
from giveaway.checker.attacks.directory.records import CheckedRecords
from giveaway.checker.files.classes import Derived
from giveaway.checker.files.coarser_labels import as_written
from giveaway.checker.files.tables import Codes
from giveaway.model.data.people import People
from giveaway.model.data.table import Table


@dataclass(frozen=True, kw_only=True, eq=False)
class Agreement:
    """How values are compared by somebody who takes a release as it is."""

    records: CheckedRecords
    asked: DirectoryAsked

    def side(self, people: People, name: str, codes: Codes, entries: Codes) -> Side:
        """Put some codes of a released column next to some of a directory."""
        table, release = self.records.table, self.records.release
        ours, theirs = table.labels[name], people.labels[name]
        gaps_agree = release.gaps == "agree"
        match = self.asked.match.get(name)
        if match is not None and "distance" in vars(match):
            agreeing = near_values(codes, ours, theirs, match.distance)
            return Same(records=codes, entries=entries, gaps_agree=gaps_agree, agreeing=agreeing)
        if match is not None:
            alike = Alike([str(label) for label in theirs], match.at_least)
            texts = [str(label) for label in ours]
            return Like(records=codes, entries=entries, gaps_agree=gaps_agree, texts=texts, theirs=alike)
        spelling = self.records.spelled.get(name)
        of = as_written(release, name) if spelling is not None else {}
        if name in table.classes:
            met = Derived(table.classes[name]).agreeing(theirs)
            agreeing = same_classes(codes, ours, met, spelling, of)
        else:
            agreeing = same_values(codes, ours, theirs, spelling, of)
        return Same(records=codes, entries=entries, gaps_agree=gaps_agree, agreeing=agreeing)


def rows_as_people(table: Table) -> People:
    """Return a table as its own directory, in which every row is somebody."""
    nobody = np.zeros(0, np.int64)
    return People(
        columns=table.columns,
        labels=table.labels,
        alone=table.weights,
        several_person=nobody,
        several_entry=nobody,
    )


def shared(columns: Sequence[str], people: People) -> list[str]:
    """Return the columns that a directory has; in another one everybody agrees."""
    return [name for name in columns if name in people.columns]
