"""A commented scenario file for a table: its rows are published, or rules that hold in it."""

from collections.abc import Mapping

from giveaway.attacks.proposal import DataFound, Form
from giveaway.scenario.proposal.classes import ProposedClasses, ask_for_ids
from giveaway.scenario.proposal.guess_roles import RoleGuess, RoleGuesses, guesses
from giveaway.scenario.proposal.offers import first_attack, offered
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
from giveaway.sources import ColumnLook, Look

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
{id}{sensitive}{left}{classes}
[tolerates]
{tolerates}
{knows}
{purchases}# To publish association rules of the table and not its rows: giveaway init {words.data} --kind rules
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
rest = "leave_out"    # what is in no list is not published{columns}
"""
_PURCHASES = """\
# When each row is one thing of a person, such as a purchase: giveaway init {words.data} --kind transactions{cut}
"""

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
{tolerates}
{knows}"""

_NOTHING = """\
# Nothing can be proposed for {name} yet: {lacks}. Written by giveaway init after a look at the data.
# {says}
# Name the columns yourself, as giveaway explain {attack} tells.

[release]
{reading}
{columns}
"""


def propose_rows(
    seen: Look, words: Words, groups: ProposedClasses | None, hierarchies: Mapping[str, str]
) -> str:
    """Propose to publish rows, judged by somebody who looks up whose record it is; `hierarchies` are files of ladders."""
    roles = guesses(seen)
    if not roles.known:
        return _nothing(seen, words, "no column was found that somebody may know", "rows")
    offers = offered(
        "rows",
        DataFound(
            rows=seen.rows,
            data=toml(words.place),
            known=toml(guess.column.name for guess in roles.known),
            known_in_lines=listed("columns", roles.known, seen.rows),
            person=None if roles.counted is None else toml(roles.counted.name),
            sensitive=len(roles.sensitive),
            commonest=tuple(
                (comment(guess.column.name), guess.column.commonest)
                for guess in roles.sensitive
                if guess.column.commonest is not None
            ),
            many_values=tuple(
                toml(guess.column.name)
                for guess in roles.sensitive
                if guess.column.numeric and guess.column.commonest is None
            ),
        ),
    )
    return _ROWS.format(
        name=comment(seen.name),
        words=words,
        says=comment(seen.says),
        person=comment(roles.whom),
        reading=reading(seen, words.place, "table"),
        id=_id(roles.id) + "".join(ask_for_ids(roles, (*roles.known, *roles.direct, *roles.unclear))),
        sensitive=_sensitive(roles, seen.rows),
        left=_left(roles, seen.rows),
        classes="" if groups is None else groups.comments(hierarchies),
        tolerates=offers.tolerates,
        knows=offers.knows,
        purchases="" if roles.person is None else _purchases(seen, words),
    )


def _id(guess: RoleGuess | None) -> str:
    return (
        "" if guess is None else f"id = {toml(guess.column.name)}    # names the records; never published\n"
    )


def _sensitive(roles: RoleGuesses, rows: int) -> str:
    if not roles.sensitive:
        return _NO_SENSITIVE
    return _SENSITIVE.format(columns=listed("sensitive", roles.sensitive, rows))


def _left(roles: RoleGuesses, rows: int) -> str:
    named = _LEFT.format(columns=listed("leave_out", roles.direct, rows)) if roles.direct else ""
    unnamed = "".join(f"\n#{line}" for line in lines(roles.unclear, rows))
    return named + _REST.format(columns=f"; so far:{unnamed}" if unnamed else "")


def _purchases(seen: Look, words: Words) -> str:
    """Say how to ask about transactions; a file of words has columns only where their separator is said."""
    cut = "" if seen.because is None else f' --separator "{seen.separator}"'
    return _PURCHASES.format(words=words, cut=cut)


def propose_rules(seen: Look, words: Words) -> str:
    """Propose to publish rules; of the columns with few values one is sensitive and others are known."""
    roles = guesses(seen)
    divides = [
        column for column in seen.columns if _divides(column, seen.rows) and column.name not in roles.pointing
    ]
    named = [guess.column for guess in roles.sensitive if guess.column in divides]
    if len(divides) < 2:  # noqa: PLR2004 # one to infer, one to infer it from
        lacks = "no two columns with few values were found, one to be inferred and one to infer it from"
        return _nothing(seen, words, lacks, "rules")
    sensitive = (named or divides)[-1]
    others = [column for column in divides if column != sensitive]
    known = ([column for column in others if column not in named] or others)[:_MOST_CONDITIONS]
    offers = offered(
        "rules",
        DataFound(
            rows=seen.rows,
            data=toml(words.place),
            known=toml(column.name for column in known),
            sensitive=1,
            gaps=any(column.missing for column in known),
        ),
    )
    return _RULES.format(
        name=comment(seen.name),
        words=words,
        says=comment(seen.says),
        reading=reading(seen, words.place, "table"),
        id=_id(roles.id),
        columns=_described(seen),
        sensitive=toml(sensitive.name),
        tolerates=offers.tolerates,
        knows=offers.knows,
    )


def _nothing(seen: Look, words: Words, lacks: str, form: Form) -> str:
    return _NOTHING.format(
        name=comment(seen.name),
        lacks=lacks,
        says=comment(seen.says),
        attack=first_attack(form),
        reading=reading(seen, words.place, "table"),
        columns=_described(seen),
    )


def _described(seen: Look) -> str:
    return "\n".join(about(column, seen.rows) for column in seen.columns)


def _divides(column: ColumnLook, rows: int) -> bool:
    """Tell whether a column divides the people into groups: not all the same, and not nearly each on their own."""
    return 1 < column.distinct <= min(MANY_VALUES, rows // 2)
