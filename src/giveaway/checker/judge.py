"""The way of a release through the judge: read back, compare, and work every promise out again."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from giveaway.checker.attacks import CHECKS
from giveaway.checker.check import ReadBack
from giveaway.checker.files import rule_files, tables, transactions
from giveaway.checker.files.stored import Written, rows_by_file
from giveaway.checker.promise import Promise, disagree, unconfirmed
from giveaway.checker.together.written import SeenTogether, WrittenNow
from giveaway.errors import CheckFailed, GiveawayError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.release import Release


def judge(
    file: Written,
    release: Release,
    promises: Sequence[Promise],
    codes: Mapping[Label, str] | None = None,
    order: Ints | None = None,
) -> dict[str, int]:
    """Judge a release by its main file, the folder of its parts or its table; raise `CheckFailed` where a promise breaks.

    `order` gives the row of the original at each place, by which rows are joined with those of earlier releases. Returns
    the number of rows of each file that belongs to the release.
    """
    with _read_back(file):
        _refuse_links(file)
        rows, opened = _opened(file, release, codes)
    opened = replace(opened, promises=promises)
    for number, promise in enumerate(promises, start=1):
        check = CHECKS.get(promise.attack)
        if check is None or not check.judges(opened.form):
            raise disagree(f"The checker cannot judge attacker {number} on this kind of release.")
        if all(getattr(promise.tolerance, limit) is None for limit in check.limits):
            raise unconfirmed(f"Nothing that was promised against attacker {number} can be checked.")
        for limit in sorted(dict(promise.tolerance.further).keys() - {*check.limits}):
            raise unconfirmed(f"What {limit} promises against attacker {number} cannot be checked.")
        if not check.keeps(opened, promise):
            raise disagree(f"{file.name} breaks the promise against attacker {number}.")
    if release.earlier:
        written = WrittenNow(file=file, release=release, opened=opened, codes=codes, order=order)
        for number, promise in enumerate(promises, start=1):
            _judge_together(written, number, _knowing_more(promise, promises))
    return rows


def _refuse_links(file: Written) -> None:
    """Refuse files that stand elsewhere too: what is judged here may be changed there."""
    if not isinstance(file, Path):
        return
    for part in (file, *(file.rglob("*") if file.is_dir() and not file.is_symlink() else ())):
        if part.is_symlink() or (not part.is_dir() and part.stat().st_nlink > 1):
            raise disagree(f"{part.name} is a link, not a file of its own.")


def _knowing_more(promise: Promise, promises: Sequence[Promise]) -> Promise:
    """Let somebody who knows the method know all that others of the kind compare: files before were planned by all of it."""
    alone = promise.with_earlier or promise.attacker
    if not alone["knows_method"] or not alone.get("columns"):
        return promise
    same = [one.with_earlier or one.attacker for one in promises if one.attack == promise.attack]
    every = tuple(dict.fromkeys(name for one in (alone, *same) for name in one["columns"]))
    return replace(promise, with_earlier={**alone, "columns": every})


def _judge_together(written: WrittenNow, number: int, promise: Promise) -> None:
    """Judge what one attacker learns from a release and earlier ones together."""
    together = CHECKS[promise.attack].together
    if together is None:
        raise unconfirmed(f"Attacker {number} is not checked together with earlier releases.")
    with _read_back(written.file):
        for seen in together(written, promise):
            if not seen.keeps() and not _was_out(seen):
                raise _broken(written, number, seen)


def _was_out(seen: SeenTogether) -> bool:
    """Tell whether what is over a limit is accepted, because earlier releases gave it away and this one adds nothing."""
    return seen.accepts and seen.adds_nothing is not None and seen.adds_nothing()


def _broken(written: WrittenNow, number: int, seen: SeenTogether) -> CheckFailed:
    if seen.proves and (not seen.accepts or seen.adds_nothing is not None):
        return disagree(
            f"Together with {seen.names}, {written.file.name} breaks the promise against attacker {number}."
        )
    return unconfirmed(
        f"Whether attacker {number} learns too much together with {seen.names} could not be told."
    )


def _opened(
    file: Written, release: Release, codes: Mapping[Label, str] | None
) -> tuple[dict[str, int], ReadBack]:
    """Read a release back and compare it; return the rows of its files, and what stands in them."""
    original = release.original
    if isinstance(original, Transactions):
        rows = transactions.same(file, release, original, codes)
        opened = ReadBack(form="transactions", content=rows, release=release, codes=codes)
        return _rows(file, rows.total()), opened
    if not isinstance(original, Table):
        raise disagree("The checker does not know this kind of release.")
    if release.rules is not None and isinstance(file, Path):
        listed, counted = rule_files.same(file, release, original)
        return counted, ReadBack(form="rules", content=listed, release=release, codes=codes)
    shown = tables.same(file, release, original)
    return _rows(file, int(shown.counts.sum())), ReadBack(
        form="rows", content=shown, release=release, codes=codes
    )


def _rows(file: Written, total: int) -> dict[str, int]:
    """Return the number of rows of each file, or of the table."""
    return rows_by_file(file) if isinstance(file, Path) and file.is_dir() else {file.name: total}


@contextmanager
def _read_back(file: Written) -> Iterator[None]:
    """Take a file that cannot be read back for one that must not be released."""
    try:
        yield
    except GiveawayError:
        raise
    except Exception as error:
        raise disagree(f"{file.name} could not be read back ({type(error).__name__}).") from error
