"""A commented scenario file for a table: its rows are published, or rules that hold in it."""

from giveaway.scenario.proposal.guess_roles import Guess, Guesses, guesses
from giveaway.scenario.proposal.writing import (
    MANY_VALUES,
    Words,
    about,
    comment,
    lines,
    listed,
    reading,
    toml,
)
from giveaway.sources import Column, Look

_MOST_CONDITIONS = 12
"""Every further column about doubles the work."""

_ROWS = """\
# May the rows of {name} be published? Written by giveaway init after a look at the data.
# The roles of columns are guesses. Move lines from list to list until they are right, then run
#   giveaway assess {words.target}
#   giveaway protect {words.target} -o out
# {says}
# {person}

[release]
{reading}
{id}{sensitive}{left}
[tolerates]
identity = "1/5"    # each record fits at least five people

# Published; somebody knows these of everybody, and looks for whose record it is.
[[knows]]
attack = "directory"
{people}{known}
{secrets}{purchases}
# To publish association rules of the table and not its rows: giveaway init {words.data} --kind rules
"""

_SENSITIVE = """\
# Published; nobody should find out whose they are.
{columns}
"""
_NO_SENSITIVE = """\
# sensitive = ["..."]    # published; nobody should find out whose they are. None was recognised
"""
_LEFT = """\
# Not published: what points at one person.
{columns}
"""
_REST = """\
rest = "leave_out"    # what stands in no list is not published{columns}
"""
_PEOPLE = """\
# People are counted, not rows. What several rows of one person tell together is not judged.
people = {data}
id = {id}
"""
_SECRETS = """
# When single entries must stay secret: name them in secrets.csv ({entries}), put
# secrets = "secrets.csv" into [release], and add somebody who fills them in by rules found in the other rows:
# [[knows]]
# attack = "attributes"
# columns = {known}
# tolerates = {{ attribute = "1/2" }}
"""

_PURCHASES = """
# When each row is one thing of a person, such as a purchase: giveaway init {words.data} --kind transactions{cut}"""

_RULES = """\
# May rules that hold in {name} be published? Written by giveaway init after a look at the data.
# What is sensitive and what is known are guesses. Read every line, edit, then run
#   giveaway assess {words.target}
# {says} One record is taken for one person.

[release]
{reading}
{id}{columns}
sensitive = {sensitive}    # a guess: what must nobody infer?
# sensitive_values = ["..."]  # when only these of its values are worth protecting

# Publish every rule that holds for a tenth of the records and for 60 % of those with its condition:
rules = {{ min_support = 0.1, min_confidence = 0.6 }}

[tolerates]
attribute = "4/5"             # nobody's value is believed with a greater chance
# share = "1/100"             # part of the people who may be exposed all the same

# A colleague who knows this much of everybody, and reads the rules:
[[knows]]
attack = "profiles"
columns = {known}
{gaps}"""

_GAPS = """\
missing_profiles = "value"    # some records miss one of these: the gap is a value of its own; "drop" leaves them out
"""

_NOTHING = """\
# Nothing can be proposed for {name} yet: {lacks}. Written by giveaway init after a look at the data.
# {says}
# Name the columns yourself, as giveaway explain {attack} tells.

[release]
{reading}
{columns}
"""


def propose_rows(seen: Look, words: Words) -> str:
    """Propose to publish rows, judged by somebody who looks up whose record it is."""
    found = guesses(seen)
    if not found.known:
        return _nothing(seen, words, "no column was found that somebody may know", "directory")
    return _ROWS.format(
        name=comment(seen.name),
        words=words,
        says=comment(seen.says),
        person=comment(found.whom),
        reading=reading(seen, words.place, "table"),
        id=_id(found.id),
        sensitive=_sensitive(found, seen.rows),
        left=_left(found, seen.rows),
        people=_people(found, words.place),
        known=listed("on", found.known, seen.rows),
        secrets=_secrets(found),
        purchases="" if found.person is None else _purchases(seen, words),
    )


def _id(guess: Guess | None) -> str:
    return (
        "" if guess is None else f"id = {toml(guess.column.name)}    # names the records; never published\n"
    )


def _sensitive(found: Guesses, rows: int) -> str:
    if not found.sensitive:
        return _NO_SENSITIVE
    return _SENSITIVE.format(columns=listed("sensitive", found.sensitive, rows))


def _left(found: Guesses, rows: int) -> str:
    named = _LEFT.format(columns=listed("leave_out", found.direct, rows)) if found.direct else ""
    unnamed = "".join(f"\n#{line}" for line in lines(found.unclear, rows))
    return named + _REST.format(columns=f"; so far:{unnamed}" if unnamed else "")


def _people(found: Guesses, place: str) -> str:
    if found.counted is None:
        return ""
    return _PEOPLE.format(data=toml(place), id=toml(found.counted.name))


def _secrets(found: Guesses) -> str:
    if not found.sensitive:
        return ""
    one = len(found.sensitive) == 1
    return _SECRETS.format(
        entries="first row, then one row number a line" if one else "first row,column, then one entry a line",
        known=toml(guess.column.name for guess in found.known),
    )


def _purchases(seen: Look, words: Words) -> str:
    """Say how to ask about transactions; a file of words has columns only where their separator is said."""
    cut = "" if seen.because is None else f' --separator "{seen.separator}"'
    return _PURCHASES.format(words=words, cut=cut)


def propose_rules(seen: Look, words: Words) -> str:
    """Propose to publish rules; of the columns with few values one is sensitive and others are known."""
    found = guesses(seen)
    divides = [
        column for column in seen.columns if _divides(column, seen.rows) and column.name not in found.pointing
    ]
    named = [guess.column for guess in found.sensitive if guess.column in divides]
    if len(divides) < 2:  # noqa: PLR2004 # one to infer, one to infer it from
        lacks = "no two columns with few values were found, one to be inferred and one to infer it from"
        return _nothing(seen, words, lacks, "profiles")
    sensitive = (named or divides)[-1]
    others = [column for column in divides if column != sensitive]
    known = [column for column in others if column not in named] or others
    return _RULES.format(
        name=comment(seen.name),
        words=words,
        says=comment(seen.says),
        reading=reading(seen, words.place, "table"),
        id=_id(found.id),
        columns=_described(seen),
        sensitive=toml(sensitive.name),
        known=toml(column.name for column in known[:_MOST_CONDITIONS]),
        gaps=_GAPS if any(column.missing for column in known[:_MOST_CONDITIONS]) else "",
    )


def _nothing(seen: Look, words: Words, lacks: str, attack: str) -> str:
    return _NOTHING.format(
        name=comment(seen.name),
        lacks=lacks,
        says=comment(seen.says),
        attack=attack,
        reading=reading(seen, words.place, "table"),
        columns=_described(seen),
    )


def _described(seen: Look) -> str:
    return "\n".join(about(column, seen.rows) for column in seen.columns)


def _divides(column: Column, rows: int) -> bool:
    """Tell whether a column divides the people into groups: not all alike, and not nearly each on their own."""
    return 1 < column.distinct <= min(MANY_VALUES, rows // 2)
