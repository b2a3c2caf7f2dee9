"""Saved Summaries side by side, as text for a terminal."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from giveaway.report.comparing import SideBySide, side_by_side
from giveaway.report.terminal.ink import Ink
from giveaway.report.wording.tidy import Summary

_GAP = "  "
_NARROWEST = 12


def render(
    saved: Mapping[str, Summary],
    *,
    values: bool = True,
    width: int = 80,
    colour: bool = False,
    unicode: bool = True,
) -> str:
    """Write Summaries next to each other, each under the name of its file; what differs is bold.

    With `values=False` no label of the data is written.
    """
    return drawn(side_by_side(saved, values=values), width=width, colour=colour, unicode=unicode)


def drawn(sides: SideBySide, *, width: int = 80, colour: bool = False, unicode: bool = True) -> str:
    """Write what stands side by side, under some sentences."""
    ink = Ink(colour=colour, unicode=unicode, width=max(width, 40))
    first = max(len(row.name) for group in sides.groups for row in group.rows) + 4
    wide = max(_NARROWEST, (ink.width - first) // len(sides.names) - len(_GAP))
    longest = max(len(cell) for group in sides.groups for row in group.rows for cell in row.cells)
    wide = min(wide, max(longest, *map(len, sides.names)))
    lines = [line for text in sides.lead for line in ink.wrapped(text)] + ([""] if sides.lead else [])
    lines += _row(ink, "", sides.names, first, wide)
    for group in sides.groups:
        lines += ["", ink.bold(group.title)] if group.title else []
        for row in group.rows:
            written = _row(ink, f"  {row.name}", row.cells, first, wide)
            lines += written if row.same else map(ink.bold, written)
    lines += [""] if sides.remarks else []
    for text in sides.remarks:
        lines += ink.wrapped(text)
    return ink.finish(lines)


def _row(ink: Ink, name: str, cells: Sequence[str], first: int, wide: int) -> list[str]:
    """Write one row, whose cells may take several lines."""
    cell = Ink(colour=False, unicode=ink.unicode, width=wide)
    broken = [cell.wrapped(text) for text in cells]
    lines = []
    for place, parts in enumerate(zip_longest(*broken, fillvalue="")):
        start = ink.padded(name if not place else "", first)
        lines.append((start + _GAP.join(ink.padded(part, wide) for part in parts)).rstrip())
    return lines
