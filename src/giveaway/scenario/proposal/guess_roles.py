"""Guesses what each column of a table is to its owner, by its name and its values, and says how sure they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from giveaway.scenario.proposal.column_words import Meaning, Role, meaning_of, names_people, names_rows
from giveaway.sources import ColumnLook, Look

Sure = Literal["sure", "likely", "a guess"]
Taken = tuple[Role, str, Sure]

MOST_KNOWN = 8
"""An attacker who knows more is rarely meant, and every further column makes people rarer."""
FEW_VALUES = 20
_FEW_ROWS_EACH = 20
_FIRST = ("birth", "age", "sex", "place", "job", "education", "family", "origin")
"""What others know of somebody, the commonest first."""
_POINTS_AT_ONE = ("e-mail addresses", "phone numbers", "long numbers", "free text")
_FEW_KINDS = 12
_FIT: dict[str, Callable[[ColumnLook], bool]] = {
    "id": lambda column: column.identifier,
    "name": lambda column: not column.numeric and column.distinct > FEW_VALUES,
    "contact": lambda column: column.looks in _POINTS_AT_ONE,
    "number of a person": lambda column: column.distinct > FEW_VALUES,
    "free text": lambda column: column.looks == "free text",
    "birth": lambda column: column.looks == "dates" or column.numeric,
    "date": lambda column: column.looks == "dates",
    "age": lambda column: column.numeric or column.distinct <= FEW_VALUES,
    "sex": lambda column: column.distinct <= _FEW_KINDS,
}
"""What the values are like when they are what the name says; of other meanings the name alone tells."""


@dataclass(frozen=True, kw_only=True)
class RoleGuess:
    """The role that a column is taken to have, what it seems to be about, and how sure that is."""

    column: ColumnLook
    role: Role
    about: str
    sure: Sure


@dataclass(frozen=True, kw_only=True)
class RoleGuesses:
    """The guesses for all columns of a table, each under its role in the order of the file."""

    known: tuple[RoleGuess, ...]
    sensitive: tuple[RoleGuess, ...]
    direct: tuple[RoleGuess, ...]
    unclear: tuple[RoleGuess, ...]
    id: RoleGuess | None
    """The column that names the records."""
    person: RoleGuess | None
    """The column that seems to name people who have several rows."""
    rows: int

    @property
    def counted(self) -> ColumnLook | None:
        """The column by which people can be counted in place of rows."""
        return None if self.person is None or self.person.column.missing else self.person.column

    @property
    def whom(self) -> str:
        """Say what is taken for a person."""
        if self.person is None:
            return "One record is taken for one person."
        column = self.person.column
        asks = f'In {self.rows:,} rows the column "{column.name}" has {column.distinct:,} values. Does it name the person?'
        if self.counted is not None:
            return f"{asks} It is taken so: people are counted, not rows."
        return f"{asks} It has gaps, so one record is taken for one person; join the rows of a person first."

    @property
    def pointing(self) -> set[str]:
        """The columns that point at one record or person."""
        named = [*self.direct, *(guess for guess in (self.id,) if guess is not None)]
        return {guess.column.name for guess in named}


def guesses(seen: Look) -> RoleGuesses:
    """Guess the roles of all columns."""
    each = _with_few_values(_most_known([_guess(column) for column in seen.columns]))
    ids = [guess for guess in each if guess.role == "id"]
    own = next((guess for guess in ids if guess.column.identifier), None)
    people = [guess for guess in ids if _repeats(guess.column, seen.rows)]
    people.sort(key=lambda guess: not names_people(guess.column.name))
    each = [
        replace(guess, role="direct") if guess.role == "id" and guess is not own else guess for guess in each
    ]
    by_role = {
        role: tuple(guess for guess in each if guess.role == role)
        for role in ("known", "sensitive", "direct", "unclear")
    }
    return RoleGuesses(**by_role, id=own, person=people[0] if people else None, rows=seen.rows)


def _guess(column: ColumnLook) -> RoleGuess:
    """Guess the role of a column by itself."""
    meaning = meaning_of(column.name)
    role, about, sure = _by_values(column, meaning) or _by_name(column, meaning) or _otherwise(column)
    return RoleGuess(column=column, role=role, about=about, sure=sure)


def _by_values(column: ColumnLook, meaning: Meaning | None) -> Taken | None:
    """Tell where the values say more than the name."""
    if column.distinct == 0:
        return "unclear", "lists" if column.lists else "empty", "sure"
    if names_rows(column.name, running=column.running):
        return "direct", "row number", "sure" if column.running else "likely"
    if meaning is None or meaning.role in ("direct", "id"):
        return None
    if column.looks in _POINTS_AT_ONE and column.looks != "long numbers":
        return "direct", str(column.looks), "likely"
    if column.looks == "dates" and meaning.word != "birth":
        return "unclear", "date", "sure"
    return None


def _by_name(column: ColumnLook, meaning: Meaning | None) -> Taken | None:
    """Tell what the name says; a number with few values that is nobody's is a category."""
    if meaning is None:
        return None
    if meaning.role == "id" and not (
        column.identifier or names_people(column.name) or column.distinct > FEW_VALUES
    ):
        return None
    return meaning.role, meaning.word, _sure(column, meaning.word)


def _otherwise(column: ColumnLook) -> Taken:
    """Tell what the values say by themselves."""
    if column.looks in _POINTS_AT_ONE:
        return "direct", str(column.looks), "likely"
    if column.looks == "dates":
        return "unclear", "date", "sure"
    if column.looks == "names":
        return "direct", "name", "likely"
    if column.identifier and not (column.numeric or column.commas):
        return "direct", "points at one row", "likely"
    return "unclear", "", "a guess"


def _sure(column: ColumnLook, word: str) -> Sure:
    return "sure" if word in _FIT and _FIT[word](column) else "likely"


def _most_known(guesses: Sequence[RoleGuess]) -> list[RoleGuess]:
    """Keep as many known columns as one attacker is taken to know, those first that most people know."""
    known = [guess for guess in guesses if guess.role == "known" and guess.column.distinct > 1]
    known.sort(key=lambda guess: _FIRST.index(guess.about))
    kept = known[:MOST_KNOWN]
    return [
        replace(guess, role="unclear") if guess.role == "known" and guess not in kept else guess
        for guess in guesses
    ]


def _with_few_values(guesses: Sequence[RoleGuess]) -> list[RoleGuess]:
    """Take further columns with few values for known if all of them fit in; where nothing is known, whatever varies."""
    room = MOST_KNOWN - sum(guess.role == "known" for guess in guesses)
    varies = [guess for guess in guesses if guess.role == "unclear" and guess.column.distinct > 1]
    few = [guess for guess in varies if not guess.about and guess.column.distinct <= FEW_VALUES]
    fitting = few if len(few) <= room else []
    taken = (few or varies)[:MOST_KNOWN] if room == MOST_KNOWN else fitting
    return [_taken(guess) if guess in taken else guess for guess in guesses]


def _taken(guess: RoleGuess) -> RoleGuess:
    """Take a column for known although nothing tells that it is."""
    about = "few values" if guess.column.distinct <= FEW_VALUES else "known"
    return replace(guess, role="known", about=about, sure="a guess")


def _repeats(column: ColumnLook, rows: int) -> bool:
    """Tell whether a column seems to name people who have several rows."""
    if not 1 < column.distinct < rows:
        return False
    return names_people(column.name) or column.distinct * _FEW_ROWS_EACH >= rows
