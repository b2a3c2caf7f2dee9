"""A commented scenario file, proposed after a look at the data."""

import os
import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from giveaway.attacks.proposal import DataFound, Form
from giveaway.scenario.proposal.classes import ProposedClasses, ask_for_ids, propose_groups
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
from giveaway.sources import ColumnLook, Look, look

_TRANSACTIONS = """\
# What would {name} give away? Proposed by giveaway init; read every line, edit, then run
#   giveaway assess {words.target}
# {says}

[release]
{reading}
{roles}# Items that nobody may infer, such as a medicine. Without any, only singling out is measured.
# The most frequent items are {frequent}.
private = []
# order = "kept"              # the rows in their own order; shuffled when left out

[tolerates]
{tolerates}
# Who might look? Keep the attackers that you fear and change what they know.

{knows}
{needs}"""

_SUPPORTS = """\
# Can items be recognised by how often they occur? Written by giveaway init; say the number of transactions, then run
#   giveaway assess {words.target}

[release]
{reading}
# transactions = 10000    # the number of transactions in which the supports were counted, empty ones included

[tolerates]
{tolerates}
{knows}"""


def propose(
    data: str | PathLike[str],
    *,
    table: str | None = None,
    query: str | None = None,
    kind: Literal["table", "transactions", "rules", "supports"] | None = None,
    target: str | PathLike[str] | None = None,
) -> str:
    r"""Look at a file and return the text of a commented scenario to edit, as `giveaway init` writes it.

    `kind` is what the data are, or what is published of them; `target` is the file that the text is for: the data are
    named relative to it. An address comes with `table` or `query`, as in `read_table`.

    >>> import giveaway as ga, pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "baskets.dat"
    >>> _ = file.write_text("bread milk\nbread milk\nbread jam\n")
    >>> "at_most" in ga.propose(file)
    True
    """
    there = table is not None or query is not None
    file = str(data) if there else Path(data)
    place = Path("question.toml") if isinstance(file, str) else file.with_suffix(".toml")
    place = place if target is None else Path(target)
    seen = look(
        file,
        table=table,
        query=query,
        kind=None if kind is None else "transactions" if kind == "transactions" else "table",
    )
    if kind == "supports":
        return propose_supports(seen, Path(file), place)
    return propose_form(seen, file, place, rules=kind == "rules")


def propose_form(
    seen: Look, data: Path | str, target: Path, *, rules: bool = False, hierarchies: Path | None = None
) -> str:
    """Write a scenario for the data that were looked at, a file or an address, with a comment on every choice.

    It names the files of `ladder_files` in the folder `hierarchies`, where they are to be written.
    """
    words = Words.of(data, target)
    if seen.kind == "table" and rules:
        return propose_rules(seen, words)
    if seen.kind == "table":
        groups = propose_groups(data, seen) if isinstance(data, Path) else None
        columns = [] if groups is None or hierarchies is None else [group.column for group in groups.groups]
        files = {column: _file(hierarchies or Path(), column).resolve() for column in columns}
        named = {column: os.path.relpath(file, target.resolve().parent) for column, file in files.items()}
        return propose_rows(seen, words, groups, named)
    return _TRANSACTIONS.format(
        **_facts(seen, words, "transactions"),
        **offered("transactions", DataFound(rows=seen.rows, data=toml(words.place))),
        roles=_roles(seen),
        frequent=comment(", ".join(f"{label} ({support:,})" for label, support in seen.frequent))
        or "not known",
    )


def _facts(seen: Look, words: Words, kind: str) -> dict[str, Any]:
    """Return what every proposal says: how the data are called, what was seen, and how they are read."""
    return {
        "name": comment(seen.name),
        "words": words,
        "says": comment(seen.says),
        "reading": reading(seen, words.place, kind),
    }


def ladder_files(seen: Look, data: Path, folder: Path) -> dict[Path, str]:
    """Return the ladders that are proposed for a table, as files in a folder."""
    groups = propose_groups(data, seen) if seen.kind == "table" else None
    return (
        {} if groups is None else {_file(folder, column): text for column, text in groups.ladders().items()}
    )


def _file(folder: Path, column: str) -> Path:
    return folder / f"{re.sub(r'[^A-Za-z0-9_-]+', '_', column) or 'column'}.csv"


def propose_supports(seen: Look, data: Path, target: Path) -> str:
    """Write a scenario for how often items occur; in how many transactions is for the owner to say."""
    words = Words.of(data, target)
    offers = offered("supports", DataFound(rows=seen.rows, data=toml(words.place)))
    return _SUPPORTS.format(**_facts(seen, words, "supports"), **offers)


def remarks(seen: Look) -> list[str]:
    """Say what the owner should know about the reading of the data."""
    sentences = []
    if seen.encoding_guessed:
        sentences.append(
            f"It is not UTF-8 text. It was read as {seen.encoding}, a guess: --encoding says another."
        )
    if seen.kind == "table" and (roles := guesses(seen)).person is not None:
        sentences.append(roles.whom)
    return sentences


def _roles(seen: Look) -> str:
    """Name the columns that make transactions, and what becomes of the others."""
    lines = []
    used: set[str] = set()
    if seen.shape == "long":
        used = {seen.ids[0], seen.item_columns[0]}
        lines.append(f"id = {toml(seen.ids[0])}    # replaced by running numbers in the release")
        lines.append(f"item = {toml(seen.item_columns[0])}")
    elif seen.shape == "lists" and seen.item_columns:
        used = {seen.item_columns[0]}
        lines.append(f"item = {toml(seen.item_columns[0])}    # a list of items in each row")
    if seen.shape in ("long", "lists"):
        others = [column for column in seen.columns if column.name not in used]
        lines += [about(column, seen.rows) for column in others]
        if used:
            lines.append('rest = "leave_out"    # further columns are not published')
    return "".join(f"{line}\n" for line in lines)


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
        **_facts(seen, words, "table"),
        **offers,
        person=comment(roles.whom),
        id=_id(roles.id) + "".join(ask_for_ids(roles, (*roles.known, *roles.direct, *roles.unclear))),
        sensitive=_sensitive(roles, seen.rows),
        left=_left(roles, seen.rows),
        classes="" if groups is None else groups.comments(hierarchies),
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
        **_facts(seen, words, "table"),
        **offers,
        id=_id(roles.id),
        columns=_described(seen),
        sensitive=toml(sensitive.name),
    )


def _nothing(seen: Look, words: Words, lacks: str, form: Form) -> str:
    return _NOTHING.format(
        **_facts(seen, words, "table"), lacks=lacks, attack=first_attack(form), columns=_described(seen)
    )


def _described(seen: Look) -> str:
    return "\n".join(about(column, seen.rows) for column in seen.columns)


def _divides(column: ColumnLook, rows: int) -> bool:
    """Tell whether a column divides the people into groups: not all the same, and not nearly each on their own."""
    return 1 < column.distinct <= min(MANY_VALUES, rows // 2)
