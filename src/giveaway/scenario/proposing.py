"""A commented scenario file, proposed after a look at the data."""

import json
import os
from pathlib import Path

from giveaway.sources import Column, Look

_MANY_VALUES = 100

_TRANSACTIONS = """\
# What would {name} give away? Proposed by giveaway init; read every line, edit, then run
#   giveaway assess {target}
# {says}

[release]
data = {data}
{roles}
# Items that nobody may infer, such as a medicine. Without any, only singling out is measured.
# The most frequent items are {frequent}.
private = []
# order = "shuffled"          # when the order of the rows could tell something

[tolerates]
identity = "1/5"              # everybody hides among at least five
attribute = "1/2"             # no private item is guessed with a greater chance
# share = "1/100"             # part of the transactions that may be exposed all the same

# Who might look? Keep the attackers that you fear and change what they know.

# A colleague who knows three purchases:
[[knows]]
attack = "items"
at_most = 3

# A neighbour at the till who saw one item:
# [[knows]]
# attack = "items"
# at_most = 1
{later}
# [needs]
# itemsets = {{ min_support = {support} }}    # combinations in at least so many transactions are worth keeping
"""

_LATER_ATTACKERS = """
# Not measured by this version: a competitor with a 10 % sample of similar data (attack frequencies), a phone book
# (attack directory), a reader of published rules (attack profiles).
"""

_TABLE = """\
# {name}, looked at by giveaway init.
# {says}
#
# This version measures transactions only: no attack on tables is in it yet. If the rows are transactions in long
# form, name the two columns and giveaway reads them as such:
#   kind = "transactions", id = "<column of the transaction>", item = "<column of the item>"

[release]
data = {data}
kind = "table"
{roles}
# Every column needs a role: sensitive, id, known to an attacker, publish_unjudged or leave_out.
{columns}
"""


def propose(seen: Look, data: Path, target: Path) -> str:
    """Write a scenario for the data that were looked at, with a comment on every choice."""
    place = os.path.relpath(data.resolve(), target.resolve().parent)
    if seen.kind == "table":
        return _TABLE.format(
            name=_comment(seen.name),
            says=_comment(seen.says),
            data=_text(place),
            roles=f"id = {_text(seen.ids[0])}" if seen.ids else '# id = "..."',
            columns="\n".join(_column(column) for column in seen.columns),
        )
    return _TRANSACTIONS.format(
        name=_comment(seen.name),
        target=_comment(target.name),
        says=_comment(seen.says),
        data=_text(place),
        roles=_roles(seen),
        frequent=_comment(", ".join(f"{label} ({support:,})" for label, support in seen.frequent))
        or "not known",
        support=max(2, seen.rows // 100),
        later=_LATER_ATTACKERS,
    )


def _roles(seen: Look) -> str:
    """Name the columns that make transactions, and what becomes of the others."""
    lines = ['kind = "transactions"']
    used: set[str] = set()
    if seen.shape == "long":
        used = {seen.ids[0], seen.item_columns[0]}
        lines.append(f"id = {_text(seen.ids[0])}    # replaced by running numbers in the release")
        lines.append(f"item = {_text(seen.item_columns[0])}")
    elif seen.shape == "lists" and seen.item_columns:
        used = {seen.item_columns[0]}
        lines.append(f"item = {_text(seen.item_columns[0])}    # a list of items in each row")
    if seen.shape in ("long", "lists"):
        others = [column for column in seen.columns if column.name not in used]
        lines += [_column(column) for column in others]
        lines.append(f"leave_out = {json.dumps([column.name for column in others], ensure_ascii=False)}")
    return "\n".join(lines)


def _column(column: Column) -> str:
    """Comment on one column; a numeric one with many values is nearly an identifier."""
    kind = "numbers" if column.numeric else "lists" if column.lists else "words"
    said = f"# {_comment(column.name)}: {kind}, {column.distinct:,} different values"
    if column.missing:
        said += f", {float(100 * column.missing):.1f} % missing"
    if column.identifier:
        return f"{said}. Every row has its own: an identifier; do not publish it."
    if column.numeric and column.distinct > _MANY_VALUES:
        return f"{said}. Warning: so many numbers nearly identify people; group them into ranges first."
    return f"{said}."


def _text(value: str) -> str:
    """Write a TOML string; JSON's escapes are TOML's."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(value: str) -> str:
    """Keep a value on its comment line."""
    return "".join(letter if letter.isprintable() else "?" for letter in value)
