"""The attacker who looks people up in a directory, and the ways to protect against them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any, ClassVar, Literal, get_args

from giveaway.attacks.directory.candidates.likelihood import Likelihood, weighed
from giveaway.attacks.directory.levels.lattice import Loss
from giveaway.attacks.directory.readings.close import Close
from giveaway.attacks.wording import few, listed
from giveaway.errors import Mistake, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.exact import Number, fraction
from giveaway.model.question.attacker import Attacker, named
from giveaway.model.question.fields import check_switch, check_whole, check_word, described, documented


@dataclass(frozen=True, init=False)
class Jaro:
    """Texts agree when their Jaro similarity is at least `at_least`, so that slips of the pen do not matter.

    >>> Jaro(0.8).at_least
    Fraction(4, 5)
    """

    at_least: Fraction = described("the least similarity, above 0 and at most 1", default=Fraction(4, 5))

    def __init__(self, at_least: Number = "0.8") -> None:
        least = fraction(at_least, "jaro")
        if not 0 < least <= 1:
            raise ScenarioError(
                f"jaro = {at_least} must be above 0 and at most 1.", hint="0.8 is common.", field="jaro"
            )
        object.__setattr__(self, "at_least", least)


@dataclass(frozen=True, init=False)
class Within:
    """Numbers agree when they differ by at most so much: somebody knows them only roughly.

    More people agree than with somebody who knows them exactly, so that this must be asked for.

    >>> Within("0.5").distance
    Fraction(1, 2)
    """

    distance: Fraction = described("the largest difference, at least 0")

    def __init__(self, distance: Number) -> None:
        apart = fraction(distance, "within")
        if apart < 0:
            raise ScenarioError(f"within = {distance} must be at least 0.", field="within")
        object.__setattr__(self, "distance", apart)


Judges = Literal["any", "true"]


@documented
@dataclass(frozen=True, kw_only=True, init=False, eq=False)
class KnowsDirectory(Attacker):
    """Somebody who holds a directory of identified people and keeps those who agree with a published record.

    A directory is a file, a frame, a `Table` with an id, or several of them; without one the table itself is the
    directory, which bounds the risk of being looked up in any directory that holds the same people and more.

    >>> KnowsDirectory(columns=["zip", "birth"]).knows()
    'the zip and birth of everybody in the table'
    """

    attack: ClassVar[str] = "directory"

    people: tuple[str, ...] = described(
        "the directory: a file, or several; left out: the table itself", default=()
    )
    id: str | None = described(
        "the column that identifies people in the directory; who appears there twice counts once",
        default=None,
    )
    columns: tuple[str, ...] = described(
        "the columns compared, also called on; all common ones when left out", default=()
    )
    at_most: int | None = described(
        "somebody knows at most this many of the columns, whichever they are; all when left out", default=None
    )
    match: Mapping[str, Jaro | Within] = described(
        "columns whose texts need only be similar, as in { name = { jaro = 0.8 } }, or whose numbers may differ, as in "
        "{ age = { within = 2 } }; equal when left out",
        default=None,
    )
    likelihood: str | None = described(
        "a column of the directory, a number above 0 of each person: how likely they are taken, next to others who agree; "
        "everybody is equally likely when left out",
        default=None,
    )
    prior: tuple[Fraction, ...] = described(
        "several directories: how likely each is the attacker's; without it the worst one counts", default=()
    )
    judges: Judges = described(
        "of sensitive values: any that is believed, right or wrong, or only what is true of the person",
        default="any",
    )
    within: Mapping[str, Close] = described(
        'sensitive numbers: how near a guess must be to be right, as in { salary = "10 %", age = 2 }; equal when left out',
        default=None,
    )
    true_people: str | None = described(
        "a second directory, to compare the estimated risk with the true one", default=None
    )

    directories: tuple[People, ...] = field(default=(), repr=False)
    """The directories themselves; none when the table is its own."""
    true_directory: People | None = field(default=None, repr=False)
    likelihoods: tuple[Likelihood, ...] = field(default=(), repr=False)
    """How likely the people of each directory are taken; none where all are equally likely."""

    def __init__(
        self,
        *,
        people: Any = None,
        id: str | None = None,
        columns: Iterable[str] = (),
        at_most: int | None = None,
        match: Mapping[str, Jaro | Within] | None = None,
        likelihood: str | None = None,
        prior: Iterable[Number] = (),
        judges: Judges = "any",
        within: Mapping[str, Close | Number] | None = None,
        true_people: Any = None,
        knows_method: bool = True,
        on: Iterable[str] = (),
    ) -> None:
        directories = (
            () if people is None else tuple(people) if isinstance(people, list | tuple) else (people,)
        )
        if columns and on:
            raise ScenarioError(
                "columns and on are both given.", hint="they are the same: give columns.", field="columns"
            )
        compared = named(columns or on) if columns or on else ()
        if people is not None and not directories:
            raise ScenarioError(
                "people is an empty list, so nobody can be looked up.",
                hint="name a directory; without people the table itself is the directory.",
                field="people",
            )
        read = compared and (*compared, *(() if likelihood is None else (likelihood,)))
        held = tuple(_people(part, id, read) for part in directories)
        split = () if likelihood is None else tuple(weighed(part, likelihood) for part in held)
        held = tuple(part for part, _ in split) or held
        true = None if true_people is None else _people(true_people, id, compared)
        values = {
            "people": tuple(part.name for part in held),
            "id": id,
            "columns": compared,
            "at_most": at_most,
            "match": dict(match or {}),
            "likelihood": likelihood,
            "likelihoods": tuple(likely for _, likely in split),
            "prior": _prior(prior, len(held)),
            "judges": judges,
            "within": {
                name: near if isinstance(near, Close) else Close(near)
                for name, near in (within or {}).items()
            },
            "true_people": None if true is None else true.name,
            "directories": held,
            "true_directory": true,
            "knows_method": knows_method,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        super().__post_init__()
        self._check_fields()
        for column in self.match:
            if self.columns and column not in self.columns:
                raise ScenarioError(
                    f'match names the column "{column}", which is not compared.',
                    exists=", ".join(self.columns),
                    field="columns",
                )
        for directory in held:
            self._check(directory)

    def _check_fields(self) -> None:
        """Refuse numbers and words that mean nothing, or that contradict each other."""
        check_word("judges", self.judges, get_args(Judges))
        if self.judges == "true" and self.directories:
            raise ScenarioError(
                f'judges = "true" needs to know which {nouns().record} is whose, and that is not known of another directory.',
                hint="leave out people, or judge any value.",
                field="judges",
            )
        if self.likelihood is not None:
            self._check_likelihood()
        if self.at_most is None:
            return
        check_whole("at_most", self.at_most)
        if self.prior:
            raise ScenarioError("at_most and prior are both given.", hint="leave one out.", field="at_most")

    def _check_likelihood(self) -> None:
        """Refuse likelihoods where it is not known what follows from them."""
        reasons = {
            "people is left out": not self.directories,
            "knows_method is true": self.knows_method,
            "at_most is given": self.at_most is not None,
            "true_people is given": self.true_directory is not None,
            "it is among the columns compared": self.likelihood in self.columns,
        }
        for reason, holds in reasons.items():
            if holds:
                raise ScenarioError(
                    f"likelihood says how likely somebody takes each person of a directory, and {reason}.",
                    hint="name people, set knows_method = false, and leave the rest out.",
                    field="likelihood",
                )

    def _check(self, directory: People) -> None:
        if self.columns and not set(self.columns) & set(directory.columns):
            raise ScenarioError(
                f"{directory.name} has none of the columns compared.",
                exists=", ".join(directory.columns),
                field=None,
            )

    @property
    def on(self) -> tuple[str, ...]:
        """The columns compared."""
        return self.columns

    def looks_at(self, table: Table | None = None) -> tuple[str, ...]:
        """Return the columns compared: those named, or all that the table and some directory have in common."""
        if self.columns or table is None:
            return self.columns
        if not self.directories:
            return tuple(column for column in table.columns if column not in table.sensitive)
        held = {column for directory in self.directories for column in directory.columns}
        common = tuple(column for column in table.columns if column in held)
        if not common:
            raise ScenarioError(
                "The table and the directory have no column in common.",
                exists=", ".join(sorted(held)),
                hint="columns are compared by their names.",
                field=None,
            )
        return common

    def objections(self, unjudged: Sequence[str]) -> list[Mistake]:
        """Find columns that are published unjudged although a directory has them and all common ones are compared."""
        return [
            Mistake(
                f'Column "{column}" is published unjudged, but {directory.name} has it too.',
                hint="leave it out or let it be compared; columns says which columns are compared.",
            )
            for directory in self.directories
            for column in unjudged
            if column in directory.columns and not self.columns
        ]

    def knows(self) -> str:
        """Say what this attacker knows."""
        return self._knows_of(listed(self.people) if self.people else "")

    def knows_briefly(self) -> str:
        """Say the same for a heading."""
        return self._knows_of(
            listed(self.people) if self.people else "", few(self.columns) if self.columns else ""
        )

    def knows_publicly(self) -> str:
        """Say what this attacker knows, without the names of the directories."""
        number = len(self.people)
        return self._knows_of("a directory" if number == 1 else f"{number} directories")

    def _knows_of(self, directories: str, columns: str = "") -> str:
        what = columns or f"the {listed(self.columns)}" if self.columns else "the common columns"
        if self.at_most is not None and len(self.columns) != 1:
            what = f"at most {self.at_most} of {what}"
        if not self.people:
            return f"{what} of everybody in the table"
        if self.likelihood is not None:
            directories += f", who are likely by their {self.likelihood}"
        worst = "" if self.prior or len(self.people) == 1 else "the worst of "
        return f"{what} of everybody in {worst}{directories}"


def _people(people: Any, id: str | None, compared: tuple[str, ...]) -> People:
    if isinstance(people, People):
        return people
    readers = import_module("giveaway.sources.side_files.people")
    directory: People = readers.read_people(people, id=id, columns=compared or None)
    return directory


def _prior(prior: Iterable[Number], directories: int) -> tuple[Fraction, ...]:
    parts: Sequence[Fraction] = tuple(fraction(part, "prior") for part in prior)
    if not parts:
        return ()
    if len(parts) != directories:
        raise ScenarioError(
            f"prior has {len(parts)} parts for {directories} directories.",
            hint="give one for each directory.",
            field="prior",
        )
    if min(parts) < 0:
        raise ScenarioError(
            f"prior holds {min(parts)}, below 0.", hint="its parts are chances.", field="prior"
        )
    if sum(parts) != 1:
        raise ScenarioError(
            f"The parts of prior sum to {float(sum(parts)):g}, not to 1.",
            hint='thirds are written "1/3".',
            field="prior",
        )
    return tuple(parts)


Method = Literal["auto", "crowd", "levels", "least", "minrisk"]


@dataclass(frozen=True, kw_only=True)
class DirectoryOptions:
    """How the values that are disclosed are chosen.

    >>> DirectoryOptions(method="levels", suppress="1/50").suppress
    Fraction(1, 50)
    """

    method: Method = described(
        "crowds that hold for whoever knows the method, one level for each column, the least withheld for whoever does not "
        "know it, or the paper's MinRisk; auto: crowds unless knows_method is false",
        default="auto",
    )
    suppress: Fraction = described(
        "with levels: the largest part of the rows that may show nothing of the columns compared",
        default=Fraction(0),
    )
    loss: Loss = described(
        "with levels: what a label loses: the part of the values that it stands for, all that is not the value, or its level",
        default="labels",
    )
    importance: Mapping[str, Fraction] = described(
        "with levels: how much what is lost in a column counts, as in { age = 3 }; 1 for the others",
        default=None,
    )
    again: bool = described("with levels: choose levels again for the rows that show nothing", default=False)

    def __post_init__(self) -> None:
        check_word("method", self.method, get_args(Method))
        check_word("loss", self.loss, get_args(Loss))
        part = fraction(self.suppress, "suppress")
        if not 0 <= part <= 1:
            raise ScenarioError(
                f"suppress = {self.suppress} must be at least 0 and at most 1.", field="suppress"
            )
        check_switch("again", self.again)
        object.__setattr__(self, "suppress", part)
        object.__setattr__(self, "importance", _importance(self.importance))
        unused = {"suppress": part, "loss": self.loss != "labels", "importance": self.importance}
        named = next((name for name, value in {**unused, "again": self.again}.items() if value), None)
        if named is not None and self.method != "levels":
            raise ScenarioError(
                f'{named} is an option of method = "levels", and the method is "{self.method}".', field=named
            )


def _importance(importance: Any) -> dict[str, Fraction]:
    if importance is not None and not isinstance(importance, Mapping):
        raise ScenarioError("importance gives numbers for columns, as in { age = 3 }.", field="importance")
    weights = {
        name: fraction(number, f"importance of {name}", "importance")
        for name, number in (importance or {}).items()
    }
    for name, number in weights.items():
        if number <= 0:
            raise ScenarioError(f"The importance {number} of {name} must be above 0.", field="importance")
    return weights
