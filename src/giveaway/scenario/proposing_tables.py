"""A commented scenario file for a table: rules are published, or rows with some entries blank."""

from giveaway.scenario.writing import MANY_VALUES, about, comment, toml
from giveaway.sources import Column, Look

_MOST_KNOWN = 12
"""Every further column about doubles the work."""

_HEAD = """\
# What would {name} give away? Proposed by giveaway init; read every line, edit, then run
#   giveaway assess {target}
# {says}
"""

_RELEASE = """
[release]
data = {data}
kind = "table"
{id}
{columns}
"""

_TABLE = (
    _HEAD
    + """\
#
# A table is published as association rules that hold in it, which this file asks about, or as rows in which some
# entries are blank; the end of this file says how to ask about those.
"""
    + _RELEASE
    + """\
# Left out: what has very many values or only one, and whatever comes after {most} columns that an attacker knows.
leave_out = {left}

sensitive = {sensitive}    # a guess: the last column with few values. What must nobody infer?
# sensitive_values = ["..."]  # when only these of its values are worth protecting
# missing = ["", "?"]         # when gaps are marked by more than an empty field

# Publish every rule that holds for a tenth of the records and for 60 % of those with its condition:
rules = {{ min_support = 0.1, min_confidence = 0.6 }}

[tolerates]
attribute = "4/5"             # nobody's value is believed with a greater chance
# share = "1/100"             # part of the people who may be exposed all the same

# Who might look? Keep the attackers that you fear and change what they know.

# A colleague who knows this much of everybody, and reads the rules:
[[knows]]
attack = "profiles"
columns = {known}
{gaps}
# To publish rows instead, with some of the sensitive entries blank: take out the line of rules and the attacker above,
# and put in the lines below. secrets.csv names the blank entries, for example those of the first and the last record:
#   row
#   1
#   {rows}
{by_id}
# secrets = "secrets.csv"     # to [release]

# Somebody who fills the blanks in by rules found in the rest of the table:
# [[knows]]
# attack = "attributes"
# columns = {known}
# trusts_support_above = 0    # believes a rule that a single record supports

# Somebody who looks up whose record it is. This needs no secrets; people = "register.csv" and id = "..." name the register
# of people and the column that identifies them there. Without them the table itself serves as the register.
# [[knows]]
# attack = "directory"
# on = {known}
# tolerates = {{ identity = "1/5" }}    # at least five people agree with every record
"""
)

_NO_GUESS = (
    _HEAD
    + """\
#
# No two columns with few values were found, one to be inferred and one to infer it from, so there is nothing to propose
# yet. Group values into ranges, or name the columns yourself: giveaway explain profiles, attributes or directory.
# If the rows are transactions in long form, name the two columns and giveaway reads them as such:
#   kind = "transactions", id = "<column of the transaction>", item = "<column of the item>"
"""
    + _RELEASE
)


_GAPS = """\
missing_profiles = "value"    # some records miss one of these: the gap is a value of its own; "drop" leaves them out
"""


def propose_table(seen: Look, place: str, target: str) -> str:
    """Propose to publish rules; which columns are sensitive and known is a guess that the file admits."""
    name = seen.ids[0] if seen.ids else None
    common = {
        "name": comment(seen.name),
        "target": comment(target),
        "says": comment(seen.says),
        "data": toml(place),
        "id": '# id = "..."    # the column that names a record'
        if name is None
        else f"id = {toml(name)}    # names the records; never published",
        "columns": "\n".join(about(column) for column in seen.columns),
    }
    few = [column for column in seen.columns if _has_few_values(column, seen.rows)]
    if len(few) < 2:  # noqa: PLR2004 # one to infer, one to infer it from
        return _NO_GUESS.format(**common)
    known, sensitive = few[:-1][:_MOST_KNOWN], few[-1]
    used = {name, sensitive.name, *(column.name for column in known)}
    return _TABLE.format(
        **common,
        most=_MOST_KNOWN,
        left=toml(column.name for column in seen.columns if column.name not in used),
        sensitive=toml(sensitive.name),
        known=toml(column.name for column in known),
        gaps=_GAPS if any(column.missing for column in known) else "",
        rows=seen.rows,
        by_id="" if name is None else f"# With {comment(name)} for row, the lines are the ids of records.\n",
    )


def _has_few_values(column: Column, rows: int) -> bool:
    """Tell whether a column divides the people into groups: not all alike, and not nearly each on their own."""
    return 1 < column.distinct <= min(MANY_VALUES, rows // 2)
