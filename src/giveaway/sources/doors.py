"""Opens the doors through which the model makes itself from lists and frames, and releases become files."""

from typing import Any

from giveaway.model.data.doors import open_door
from giveaway.sources.files.supports import read_intervals
from giveaway.sources.frames.lists import from_lists, from_rows
from giveaway.sources.side_files.rule_lists import write_rules


def _from_frame(given: Any, **roles: Any) -> Any:
    from giveaway.sources.frames.read import from_frame

    return from_frame(given, **roles)


def _table_from_frame(given: Any, **roles: Any) -> Any:
    from giveaway.sources.frames.read import table_from_frame

    return table_from_frame(given, **roles)


def _people(given: Any, **how: Any) -> Any:
    from giveaway.sources.side_files.people import read_people

    return read_people(given, **how)


def _resting(table: Any, columns: Any) -> Any:
    from giveaway.sources.encoding.resting import rested

    return rested(table, columns)


open_door("resting", _resting)
open_door("lists", from_lists)
open_door("rows", from_rows)
open_door("frame", _from_frame)
open_door("table frame", _table_from_frame)
open_door("rules", write_rules)
open_door("intervals", read_intervals)
open_door("people", _people)
