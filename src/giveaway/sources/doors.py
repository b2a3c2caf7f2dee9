"""Opens the doors through which the model makes itself from lists and frames, and releases become files."""

from typing import Any

from giveaway.model.doors import open_door
from giveaway.sources.lists import from_lists, from_rows
from giveaway.sources.rule_lists import write_rules
from giveaway.sources.supports import read_intervals


def _from_frame(given: Any, **roles: Any) -> Any:
    from giveaway.sources.frames import from_frame

    return from_frame(given, **roles)


def _table_from_frame(given: Any, **roles: Any) -> Any:
    from giveaway.sources.frames import table_from_frame

    return table_from_frame(given, **roles)


def _people(given: Any, **how: Any) -> Any:
    from giveaway.sources.people import read_people

    return read_people(given, **how)


def _resting(table: Any, columns: Any) -> Any:
    from giveaway.sources.resting import rested

    return rested(table, columns)


open_door("resting", _resting)
open_door("lists", from_lists)
open_door("rows", from_rows)
open_door("frame", _from_frame)
open_door("table frame", _table_from_frame)
open_door("rules", write_rules)
open_door("intervals", read_intervals)
open_door("people", _people)
