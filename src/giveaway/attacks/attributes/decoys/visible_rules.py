"""What rules in the visible rows say of blanks, to somebody who takes their values to go as those of the visible rows."""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.model.data.arrays import Codes, Ints


class Share(NamedTuple):
    """The part of the visible rows of a pattern that show a value; 0 where no rule is believed."""

    part: Fraction
    value: int


NO_RULE = Share(Fraction(0), UNKNOWN)


def shares_of_any_value(table: PartialTable, conditions: Codes, values: Ints) -> list[Share]:
    """Return for records with some conditions the largest share of any value among the visible rows of a pattern of theirs.

    Only patterns with enough visible rows of the value are believed. Never the true value alone: a record whose own value
    is rare would then be told by being left as it is.
    """
    visible = _visible(table)
    asked = np.repeat(conditions, len(values), axis=0)
    # Groups without records ask for the rules of a record, one for each value.
    nobody = np.zeros(len(asked), np.int64)
    probes = replace(
        visible,
        conditions=asked.astype(np.int32),
        value=np.full(len(asked), UNKNOWN, np.int32),
        truth=np.tile(values, len(conditions)).astype(np.int32),
        count=nobody,
        may=nobody,
    )
    shares = _shares(replace(visible, may=np.zeros_like(visible.may)).and_more(probes))
    width = len(values)
    return [
        max(shares[place * width : (place + 1) * width], default=NO_RULE) for place in range(len(conditions))
    ]


def largest_share(table: PartialTable, values: Ints, columns: int) -> Share:
    """Return the largest share of any value in any believed pattern of the visible rows, over the columns of a bitmask."""
    is_used = (columns >> np.arange(table.width)) & 1 == 1
    own = _own_values(table, values)
    used = replace(own, conditions=np.where(is_used, own.conditions, UNKNOWN).astype(np.int32))
    return max(_shares(used), default=NO_RULE)


def columns_over(table: PartialTable, values: Ints) -> Ints:
    """Return the sets of columns, as bitmasks, over which some believed pattern of the visible rows is over the limit."""
    return np.unique(search.find(_own_values(table, values)).mask)


def _visible(table: PartialTable) -> PartialTable:
    """Leave out the records whose sensitive entry is blank."""
    shown = table.of_groups(table.value != UNKNOWN)
    return replace(shown, truth=np.full_like(shown.truth, UNKNOWN))


def _own_values(table: PartialTable, values: Ints) -> PartialTable:
    """Ask for the rules to the visible value of each record: of all rules that somebody supports."""
    visible = _visible(table)
    return replace(visible, truth=np.where(np.isin(visible.value, values), visible.value, UNKNOWN))


def _shares(table: PartialTable) -> list[Share]:
    """Return the best rule for each group that asks for one."""
    rules = search.best(table)
    counts = zip(
        rules.showing.tolist(), rules.matching.tolist(), table.truth[rules.groups].tolist(), strict=True
    )
    return [
        Share(Fraction(showing, matching), value) if matching else NO_RULE
        for showing, matching, value in counts
    ]
