"""Files that tell how the values of a column become coarser, in the format of ARX."""

from giveaway.errors import DataError
from giveaway.model.hierarchy import ANYTHING, Hierarchy
from giveaway.sources.delimited import delimited, records
from giveaway.sources.files import BLANKS, stored
from giveaway.sources.side_files import Line, PathLike

Lines = dict[str, tuple[Line, tuple[str, ...]]]


def read_hierarchy(path: PathLike, *, encoding: str = "utf-8") -> Hierarchy:
    """Read one value a line, first the value itself and then its coarser labels, without a header.

    The separator is found out; ARX writes a semicolon.
    """
    file = stored(path, encoding)
    found: Lines = {}
    for number, fields in records(file, delimited(file, None, header=False).separator):
        value, *labels = (field.strip(BLANKS) for field in fields)
        line = Line(f'Line {number} of "{file.name}"', {})
        _check(line, value, labels, found)
        found[value] = line, tuple(labels)
    depth = len(next(iter(found.values()))[1])
    if not depth:
        raise DataError(
            f'"{file.name}" has no coarser labels.',
            hint="after the value, write them on the same line, as in 23;20-29;*.",
        )
    _check_nested(found, depth)
    made = Hierarchy({value: labels for value, (_, labels) in found.items()})
    _check_meaning(found, made.depth)
    return made


def _check(line: Line, value: str, labels: list[str], found: Lines) -> None:
    """Refuse a line that does not fit to the lines before it."""
    first = next(iter(found.values()), None)
    if first is not None and len(labels) != len(first[1]):
        line.wrong(
            f"It has {len(labels)} coarser labels, unlike the first line, which has {len(first[1])}.",
            hint="every value has a label at every level.",
        )
    if not all((value, *labels)):
        line.wrong("It has an empty label.", hint=f"write {ANYTHING} for a label that says nothing.")
    if value in found:
        line.wrong(f'The value "{value}" stands twice.', hint="give each value one line.")


def _check_nested(found: Lines, depth: int) -> None:
    """Refuse labels that belong to two labels of the next level."""
    for level in range(1, depth):
        coarser: dict[str, str] = {}
        for line, labels in found.values():
            fine, coarse = labels[level - 1 : level + 1]
            if coarser.setdefault(fine, coarse) != coarse:
                line.wrong(
                    f'The label "{fine}" of level {level} belongs to "{coarse}" here and to "{coarser[fine]}" before.',
                    hint="each level joins whole groups of the level below.",
                )


def _check_meaning(found: Lines, depth: int) -> None:
    """Refuse labels that stand for different values at different levels: nobody could tell which are meant."""
    meant: dict[str, set[str]] = {value: {value} for value in found}
    for level in range(depth):
        here: dict[str, set[str]] = {}
        for value, (_, labels) in found.items():
            here.setdefault(labels[level], set()).add(value)
        for line, labels in found.values():
            label = labels[level]
            if meant.setdefault(label, here[label]) != here[label]:
                line.wrong(
                    f'The label "{label}" stands for other values at a finer level.',
                    hint="give groups names of their own.",
                )
