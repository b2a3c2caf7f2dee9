"""Released files in another format than the data came in: written in their own first, then row by row in the other.

What was withheld, renamed and put in order is decided by then, so that no format needs to know of it.
"""

import copy
from dataclasses import dataclass
from pathlib import Path

from giveaway.errors import ScenarioError
from giveaway.model.data.origin import Origin
from giveaway.model.data.supports import Supports
from giveaway.model.layout import Layout
from giveaway.model.published import Published
from giveaway.model.release.release import Release
from giveaway.scratch import scratch_folder
from giveaway.sources.formats import CSV, FORMATS, Format, format_in, released_names
from giveaway.sources.formats.format import ID, ITEM, Rows


def in_format(release: Release, format: str) -> Release:
    """Return a release that is written in a format; the same where that is its own."""
    if format not in FORMATS:
        raise ScenarioError(f"format = {format!r} is unknown.", exists=", ".join(released_names()))
    origin = release.original.origin
    if origin is None:
        raise ScenarioError("These data were built by hand and have no form to be written in.")
    if release.rules is not None and format != CSV.name:
        raise ScenarioError("Rules are written as csv.", hint="leave format out.")
    own = format_in(origin.layout)
    if release.rules is not None or isinstance(release.original, Supports) or format == own.name:
        return release
    _check(format, own, origin.layout)
    inner = origin.inner if isinstance(origin, InFormat) else origin
    # Copies keep what was worked out of the data: only where they are written changes.
    original, other = copy.copy(release.original), copy.copy(release)
    object.__setattr__(original, "origin", InFormat(inner=inner, format=FORMATS[format]))
    object.__setattr__(other, "original", original)
    return other


def _check(format: str, own: Format, layout: Layout) -> None:
    """Refuse a format that the rows of a layout cannot be written in."""
    further = layout.shape == "lists" and layout.others
    listed = layout.shape in ("baskets", "lists")
    names = [name for name in released_names() if listed or not FORMATS[name].words]
    fit = [own.name] if further else names
    if format not in fit:
        why = (
            "lists of items with further columns" if further else f"rows in the form of a {layout.shape} file"
        )
        raise ScenarioError(f"{why[:1].upper()}{why[1:]} are not written as {format}.", exists=", ".join(fit))


@dataclass(frozen=True, kw_only=True)
class InFormat:
    """Data whose release is written in another format than theirs, or than that in which it is put together."""

    inner: Origin
    format: Format

    @property
    def name(self) -> str:
        """The name of the data."""
        return self.inner.name

    @property
    def path(self) -> Path | None:
        """Where they are."""
        return self.inner.path

    @property
    def sha256(self) -> str | None:
        """Their hash."""
        return self.inner.sha256

    @property
    def layout(self) -> Layout:
        """How the release stands in its file; nothing is compressed."""
        return self.format.layout(self.inner.layout)

    def write(self, folder: Path, published: Published) -> Path:
        """Write the release in its own format in a folder of temporary files, and from there in the other."""
        own = self.inner.layout
        with scratch_folder() as place:
            file = self.inner.write(place, published)
            read = format_in(own).work().rows
            assert read is not None  # noqa: S101 # what is written here can be read again
            names, rows = read(file, own)
            target = folder / f"release.{self.format.name}"
            if own.shape in ("baskets", "lists"):
                self._write_lists(target, rows)
            else:
                self._write(target, names, rows)
        return target

    def native(self, published: Published) -> object:
        """Return what the data themselves return."""
        return self.inner.native(published)

    def _write_lists(self, target: Path, rows: Rows) -> None:
        lists = ([str(item) for item in items] for (items,) in rows)
        write = self.format.work().write_lists
        if write is not None:
            write(target, lists)
        else:
            # A transaction without items has one row, without an item.
            nothing = [self.format.nothing]
            pairs = ((number, item) for number, items in enumerate(lists, 1) for item in items or nothing)
            self._write(target, [ID, ITEM], pairs)

    def _write(self, target: Path, names: list[str], rows: Rows) -> None:
        write = self.format.work().write
        assert write is not None  # noqa: S101 # words, which are not, are refused for rows
        write(target, names, rows, self.layout)
