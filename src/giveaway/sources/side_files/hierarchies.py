"""Files that tell how the values of a column become coarser, in the format of ARX."""

from dataclasses import replace

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.hierarchy import ANYTHING, Hierarchy
from giveaway.sources.files.stored import BLANKS, TextPass, stored
from giveaway.sources.formats.delimited.text import delimited, records
from giveaway.sources.side_files.lines import FileLine, PathLike

Lines = dict[str, tuple[FileLine, tuple[str, ...]]]


def read_hierarchy(path: PathLike, *, encoding: str = "utf-8") -> Hierarchy:
    """Read one value a line, first the value itself and then its coarser labels, without a header.

    The separator is found out; ARX writes a semicolon.
    """
    file = stored(path, encoding)
    text = TextPass(file)
    separator = delimited(text, None, header=False).separator
    lines: Lines = {}
    for number, fields in records(file, separator, text.chunks()):
        value, *labels = (field.strip(BLANKS) for field in fields)
        line = FileLine(f'Line {number} of "{file.name}"', {})
        _check(line, value, labels, lines)
        lines[value] = line, tuple(labels)
    if not next(iter(lines.values()))[1]:
        raise DataError(
            f'"{file.name}" has no coarser labels.',
            hint="after the value, write them on the same line, as in 23;20-29;*.",
        )
    try:
        return Hierarchy({value: labels for value, (_, labels) in lines.items()})
    except ScenarioError as error:
        raise DataError([replace(mistake, where=f'"{file.name}"') for mistake in error.mistakes]) from None


def _check(line: FileLine, value: str, labels: list[str], before: Lines) -> None:
    """Refuse a line that does not fit to the lines before it."""
    first = next(iter(before.values()), None)
    if first is not None and len(labels) != len(first[1]):
        line.wrong(
            f"It has {len(labels)} coarser labels, unlike the first line, which has {len(first[1])}.",
            hint="every value has a label at every level.",
        )
    if not all((value, *labels)):
        line.wrong("It has an empty label.", hint=f"write {ANYTHING} for a label that says nothing.")
    if value in before:
        line.wrong(f'The value "{value}" appears twice.', hint="give each value one line.")
