"""A directory: identified people with attributes, as an attacker may hold it; people with the same entry are merged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label

Gaps = Literal["apart", "agree"]
"""Whether a missing value of somebody agrees with no value that is shown, or with every one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """Distinct entries of a directory, each with the number of people who have it.

    `columns[name][i]` is the code of entry `i` in a column, an index into `labels[name]` or -1 where nothing is known.
    Most people have one entry and are only counted: `alone[i]` people have entry `i` and no other. Somebody with
    several different entries counts once: `several_person[j]` has the entry `several_entry[j]`, people numbered from 0
    in ascending order.
    """

    columns: Mapping[str, Codes]
    labels: Mapping[str, tuple[Label, ...]]
    alone: Ints
    several_person: Ints
    several_entry: Ints
    ids: Sequence[Label] | None = field(default=None, repr=False)
    """Who the people are, one identifier for each line of `entries`; None where they were only counted."""
    entries: Ints | None = field(default=None, repr=False)
    """The entry of each identifier."""
    name: str = "the table itself"

    @property
    def several(self) -> int:
        """The number of people with several entries."""
        return int(self.several_person[-1]) + 1 if len(self.several_person) else 0

    def __len__(self) -> int:
        """Count the people."""
        return int(self.alone.sum()) + self.several
