"""The words of a scenario for an attacker who looks people up; the directories are read when asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from giveaway.attacks.directory.attacker import Jaro, Judges, KnowsDirectory, Within
from giveaway.attacks.proposal import DataFound, Form, Proposal
from giveaway.attacks.wording import percent
from giveaway.errors import ScenarioError
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.exact import Number
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.fields import File, described, settable
from giveaway.model.question.reading import Reading

_SAID = {name: field.metadata["doc"] for name, field in settable(KnowsDirectory).items()}


@dataclass(frozen=True, kw_only=True)
class MatchFields:
    """What `match` says of a column."""

    jaro: Number | None = described(settable(Jaro)["at_least"].metadata["doc"], default=None)
    within: Number | None = described(settable(Within)["distance"].metadata["doc"], default=None)

    def __post_init__(self) -> None:
        self.similarity()

    def similarity(self) -> Jaro | Within:
        """Return how similar texts must be, or how near numbers."""
        if self.jaro is not None and self.within is None:
            return Jaro(self.jaro)
        if self.within is not None and self.jaro is None:
            return Within(self.within)
        raise ScenarioError(
            "A column is compared by jaro or by within.", hint="give one of them.", field=None
        )


@dataclass(frozen=True, kw_only=True)
class DirectoryFields(Attacker):
    """An entry of [[knows]] with attack = "directory"."""

    attack: ClassVar[str] = "directory"

    people: File | tuple[File, ...] | None = described(_SAID["people"], default=None)
    id: str | None = described(_SAID["id"], default=None)
    columns: tuple[str, ...] = described(_SAID["columns"], default=(), also="on")
    at_most: int | None = described(_SAID["at_most"], default=None)
    match: Mapping[str, MatchFields] | None = described(_SAID["match"], default=None)
    likelihood: str | None = described(_SAID["likelihood"], default=None)
    prior: tuple[Number, ...] = described(_SAID["prior"], default=())
    judges: Judges = described(_SAID["judges"], default="any")
    within: Mapping[str, Number] | None = described(_SAID["within"], default=None)
    true_people: File | None = described(_SAID["true_people"], default=None)

    def __post_init__(self) -> None:
        if self.id is not None and not self._files and self.true_people is None:
            raise ScenarioError(
                "id names people in a directory, and no directory is named.",
                hint='people = "register.csv".',
                field="id",
            )
        if len({*self.columns}) < len(self.columns):
            raise ScenarioError(
                "columns names a column twice.", hint="name each column once.", field="columns"
            )
        self._sketch()

    @property
    def _files(self) -> tuple[str, ...]:
        return (self.people,) if isinstance(self.people, str) else self.people or ()

    def knows(self) -> str:
        """Say what this attacker knows, before files are read."""
        return self._sketch().knows()

    def looks_at(self, table: Table | None = None) -> tuple[str, ...]:  # noqa: ARG002 # the rest is in the files
        """Return the columns that are named."""
        return self.columns

    def _sketch(self) -> KnowsDirectory:
        """Return the attacker with nobody in the directories, to find what is wrong without reading them."""
        likely = () if self.likelihood is None else (self.likelihood,)
        return self._attacker([_nobody(name, (*self.columns, *likely)) for name in self._files], None)

    def _attacker(self, people: Sequence[People], true_people: People | None) -> KnowsDirectory:
        return KnowsDirectory(
            people=None if self.people is None else people,
            id=self.id,
            columns=self.columns,
            at_most=self.at_most,
            match={column: how.similarity() for column, how in (self.match or {}).items()},
            likelihood=self.likelihood,
            prior=self.prior,
            judges=self.judges,
            within=self.within,
            true_people=true_people,
            knows_method=self.knows_method,
        )

    def loaded(self, reading: Reading) -> KnowsDirectory:
        """Return the attacker with the directories read, whose gaps and encoding are those of the release.

        Where the data themselves are the directory, all of their reading is.
        """
        from giveaway.sources.side_files.people import people_file, read_people

        how: dict[str, Any] = {name: reading.how[name] for name in ("missing", "encoding")}
        own: dict[str, Any] = {name: reading.how[name] for name in ("separator", "header")}

        def read(name: str, **further: Any) -> People:
            file = people_file(name, reading.base)
            likely = () if self.likelihood is None else (self.likelihood,)
            columns = (*self.columns, *likely) if self.columns else None
            return read_people(file, id=self.id, columns=columns, **how, **further)

        return self._attacker(
            [read(name, **(own if name == reading.data else {})) for name in self._files],
            None if self.true_people is None else read(self.true_people),
        )


def _nobody(name: str, columns: Sequence[str]) -> People:
    nothing = np.zeros(0, np.int64)
    return People(
        columns=dict.fromkeys(columns, np.zeros(0, np.int32)),
        labels=dict.fromkeys(columns, ()),
        alone=nothing,
        several_person=nothing,
        several_entry=nothing,
        ids=(),
        entries=nothing,
        name=Path(name).name,
    )


_KNOWS = """\
# Published; somebody knows these of everybody, and looks up whose record it is.
[[knows]]
attack = "directory"
{people}{known}
"""
_PEOPLE = """\
# People are counted, not rows. What several rows of one person tell together is not judged.
people = {data}
id = {id}
"""


def _knows(seen: DataFound) -> str:
    people = "" if seen.person is None else _PEOPLE.format(data=seen.data, id=seen.person)
    return _KNOWS.format(people=people, known=seen.known_in_lines)


_LIMITS = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
_ATTRIBUTE = """\
# attribute = "{limit}"    # nobody's sensitive value can be guessed with a larger chance{common}
"""
_MANY_VALUES = """\
# For numbers with many values, say in [[knows]] how near a guess must be: within = {{ {columns} }}
"""
_TOO_COMMON = """\
# For that, name the values of {column} worth protecting in sensitive_values: {part} of all have the most common one.
"""


def _limits(seen: DataFound) -> str:
    """Offer a limit of what crowds have in common, above what everybody can guess."""
    if not seen.sensitive:
        return ""
    column, most = max(seen.commonest, key=lambda pair: pair[1], default=("", Fraction(0)))
    limit = next((limit for limit in _LIMITS if limit > most), None)
    common = f"; {percent(most)} of all have the most common {column}" if column and limit else ""
    lines = _ATTRIBUTE.format(limit=limit or _LIMITS[0], common=common)
    if limit is None:
        lines += _TOO_COMMON.format(column=column, part=percent(most))
    if seen.many_values:
        near = ", ".join(f'{name} = "10 %"' for name in seen.many_values)
        lines += _MANY_VALUES.format(columns=near)
    return lines


PROPOSES: dict[Form, Proposal] = {
    "rows": Proposal(
        tolerates='identity = "1/5"    # each record fits at least five people\n',
        limits=_limits,
        knows=_knows,
    )
}
