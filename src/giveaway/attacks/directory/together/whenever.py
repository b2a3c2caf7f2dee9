"""What somebody had at some time: a sensitive value that changes from release to release is a fact of the person all the same.

Of each row it is told which values its releases show; a value is told of somebody if one of them does. A blank of somebody
who is in the release, and whose value there is not known to be missing, may be any value, and so counts for each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.inference.sensitive import targets
from giveaway.attacks.directory.together.knowing import free, table_of
from giveaway.attacks.together import at_some_time
from giveaway.attacks.wording import listed
from giveaway.errors import NothingToJudge
from giveaway.model.data.arrays import Ints, alike
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import JoinedRows, with_column
from giveaway.model.release.release import Release
from giveaway.model.release.whose_rows import BLANK, Shown

Flags = NDArray[np.bool_]
_Cell = frozenset[str]
"""The values that an entry of a release may be; none where it has none."""


def changing(
    table: Table, earlier: Sequence[Earlier], attacker: KnowsDirectory, known: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the sensitive columns that change, each with the columns of all its values, as joined rows call them."""
    for name in dict.fromkeys(name for one in earlier for name in one.changes):
        every = (name, *(f"{name}@{one.name}" for one in earlier if name in one.changes))
        there = tuple(column for column in every if column in table.columns)
        if len(there) > 1 and not {*there} & {*known} and {*there} & {*table.sensitive}:
            if name in attacker.within:
                raise NothingToJudge(
                    f"{name} changes, and which guesses are close to a value that somebody had at some time is not worked out.",
                    hint=f"leave {name} out of within.",
                )
            yield name, there


def with_values_at_some_time(
    joined: JoinedRows, release: Release, attacker: KnowsDirectory, known: Sequence[str], *, before: bool
) -> Release:
    """Add a sensitive column of what somebody had at some time for each that changes; `before`: by the earlier releases."""
    table = table_of(joined.release)
    for name, columns in changing(table, [part.one for part in joined.met.parts], attacker, known):
        release = _with(joined, release, name, columns, before=before)
    return release


def _with(
    joined: JoinedRows, release: Release, name: str, columns: Sequence[str], *, before: bool
) -> Release:
    table = table_of(joined.release)
    texts = list(dict.fromkeys(str(label) for column in columns for label in table.labels[column]))
    cells, kinds = list[list[_Cell]](), list[Ints]()
    for column in columns:
        level, unknown = _shown(joined, column, before=before)
        true = np.where(level == BLANK, -1, joined.true_codes(column))
        kind, first = alike([true, level, unknown.astype(np.int64)])
        kinds.append(kind)
        cells.append(
            [
                frozenset(
                    texts
                    if unknown[row]
                    else _meant(release, name, texts, table.labels[column], true[row], level[row])
                )
                for row in first.tolist()
            ]
        )
    of, first = alike(kinds)
    held = [[parts[kind[row]] for parts, kind in zip(cells, kinds, strict=True)] for row in first.tolist()]
    labels = dict[str, list[_Cell]]()
    codes = [-1] * len(held)
    for at, parts in enumerate(held):
        if any(parts):
            label = free(_says(parts), labels)
            codes[at], labels[label] = len(labels), parts
    classes = {
        target: members
        for target, values in _targets(release, name, texts)
        if (
            members := tuple(label for label, parts in labels.items() if any(values & part for part in parts))
        )
    }
    here = free(at_some_time(name), table_of(release).columns)
    added = with_column(release, here, tuple(labels), np.array(codes, np.int32)[of], sensitive=True)
    return replace(added, sensitive_classes={**added.sensitive_classes, here: classes})


def _shown(joined: JoinedRows, column: str, *, before: bool) -> tuple[Shown, Flags]:
    """Return at which level some release shows each kind of rows in a column, and of which one has a value that none shows."""
    level = joined.shown_before.get(column, np.full(len(joined.met.kinds), BLANK))
    unknown = np.zeros(len(level), np.bool_)
    if not before and column in joined.shown_now:
        level = np.minimum(level, joined.shown_now[column])
        unknown |= joined.true_codes(column) >= 0
    for part, shown in zip(joined.met.parts, joined.shown, strict=True):
        if column in shown:
            true = part.true_codes(column.removesuffix(f"@{part.one.name}"))
            unknown[part.kind if true is None else part.kind[true >= 0]] = True
    return level, unknown & (level == BLANK)


def _meant(
    release: Release, name: str, texts: Sequence[str], labels: Sequence[Label], true: int, level: int
) -> Iterator[str]:
    """Give the values that may be behind what is shown: one, several where it is a coarser label, or none."""
    if true >= 0 and level == 0:
        yield str(labels[true])
    elif true >= 0:
        of = release.hierarchies[name]
        for text in texts:
            if (coarser := of.labels(text)) is not None and coarser[level - 1] == of.label(
                labels[true], level
            ):
                yield text


def _targets(release: Release, name: str, texts: Sequence[str]) -> Iterator[tuple[str, _Cell]]:
    """Give what must not be told of a column: single values and classes, with the values of each."""
    wanted = targets(release, name, texts)
    for text, single in zip(texts, wanted.single.tolist(), strict=True):
        if single:
            yield text, frozenset([text])
    for of, marks in wanted.classes.items():
        yield (
            (f"{of} (class)" if of in texts else of),
            frozenset(texts[code] for code in np.flatnonzero(marks).tolist()),
        )


def _says(parts: Sequence[_Cell]) -> str:
    """Name all that somebody had: their values, and whether there may be more."""
    known = sorted({next(iter(part)) for part in parts if len(part) == 1})
    more = ["what is not shown"] if any(len(part) > 1 for part in parts) else []
    return f"only {known[0]}" if len(known) == 1 and not more else listed([*known, *more])
