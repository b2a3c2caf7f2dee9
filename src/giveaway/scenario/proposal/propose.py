"""A commented scenario file, proposed after a look at the data."""

import os
import re
from pathlib import Path

from giveaway.attacks.proposal import DataFound
from giveaway.scenario.proposal.classes import propose_groups
from giveaway.scenario.proposal.guess_roles import guesses
from giveaway.scenario.proposal.offers import offered
from giveaway.scenario.proposal.tables import propose_rows, propose_rules
from giveaway.scenario.proposal.writing import Words, about, comment, reading, toml
from giveaway.sources import Look

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
    offers = offered("transactions", DataFound(rows=seen.rows, data=toml(words.place)))
    return _TRANSACTIONS.format(
        name=comment(seen.name),
        words=words,
        says=comment(seen.says),
        reading=reading(seen, words.place, "transactions"),
        roles=_roles(seen),
        frequent=comment(", ".join(f"{label} ({support:,})" for label, support in seen.frequent))
        or "not known",
        tolerates=offers.tolerates,
        knows=offers.knows,
        needs=offers.needs,
    )


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
    return _SUPPORTS.format(
        words=words,
        reading=reading(seen, words.place, "supports"),
        tolerates=offers.tolerates,
        knows=offers.knows,
    )


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
