"""What somebody with a directory knows of the joint view of several releases."""

from collections.abc import Container, Mapping, Sequence
from copy import copy
from typing import Any

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.wording import listed
from giveaway.errors import NothingToJudge
from giveaway.model.data.table import Table
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release


def table_of(release: Release) -> Table:
    """Return the original of joined rows."""
    assert isinstance(release.original, Table)  # noqa: S101 # rows of tables are joined
    return release.original


def free(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken."""
    while name in taken:
        name += "'"
    return name


def says(earlier: Sequence[Earlier]) -> str:
    """Begin a sentence about a view."""
    files = "file" if len(earlier) == 1 else "files"
    return f"With the {files} of {listed([one.name for one in earlier])}"


def compared(attacker: KnowsDirectory, table: Table, earlier: Sequence[Earlier]) -> tuple[str, ...]:
    """Return the columns of joined rows that an attacker compares; who knows a column that changes knows each value."""
    of = _changed(earlier)
    known = {*attacker.looks_at(table)}
    columns = tuple(name for name in table.columns if name in known or of.get(name) in known)
    if attacker.directories:
        held = {name for directory in attacker.directories for name in directory.columns}
        twice = next((name for name in columns if of.get(name) in held and name not in held), None)
        if twice is not None:
            raise NothingToJudge(
                f"{of[twice]} changes, and the directory does not tell which value it has.",
                hint=f"give the directory a column {twice}, or leave people out.",
            )
    return columns


def who_knows(
    attacker: KnowsDirectory, columns: Sequence[str], earlier: Sequence[Earlier], beside: Sequence[str] = ()
) -> KnowsDirectory:
    """Return the attacker on joined rows, who compares some columns and sees `beside` whatever else is known."""
    of = _changed(earlier)
    every = (*columns, *beside)
    most = attacker.at_most
    if most is not None:
        values = [sum(name == column or of.get(name) == column for name in columns) for column in columns]
        most = most * max(values, default=1) + len(beside)
    return changed(
        attacker,
        columns=every,
        at_most=most,
        match=_of_each(attacker.match, every, of),
        within=dict(attacker.within)
        | {name: attacker.within[c] for name, c in of.items() if c in attacker.within},
    )


def changed(attacker: KnowsDirectory, **fields: Any) -> KnowsDirectory:
    """Return an attacker who differs in some fields."""
    other = copy(attacker)
    for name, value in fields.items():
        object.__setattr__(other, name, value)
    return other


def _changed(earlier: Sequence[Earlier]) -> dict[str, str]:
    """Return the columns of earlier values, each with the column whose values they are."""
    return {f"{name}@{one.name}": name for one in earlier for name in one.changes}


def _of_each(stated: Mapping[str, Any], columns: Sequence[str], of: Mapping[str, str]) -> dict[str, Any]:
    return {name: stated[of.get(name, name)] for name in columns if of.get(name, name) in stated}
