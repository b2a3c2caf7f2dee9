"""The owner's file: what was drawn for each release, by which alone its codes and its order can be undone.

A release that replaces another has its entry before it has its name, and the entry of the other goes afterwards: at
every moment there is an entry for the release that stands. The lot that decides what is withheld is in the file before
it decides anything, and what it decided before anybody hears of it, a refusal too.
"""

import base64
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from giveaway._version import __version__
from giveaway.errors import NotWritten
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels
from giveaway.model.release.lot import Answer, Lot
from giveaway.model.release.release import Release
from giveaway.publish.release import Drawn, hash_of_data, hash_of_release
from giveaway.publish.rows import RowNumbers, rows_of
from giveaway.publish.storage import OWNERS, fill, final_place, identity, kind, make, reported, synced
from giveaway.scratch import held, hidden, shortened, token, tokens

KIND = "owner's file"
FORMAT = 1

_PATIENCE = 10.0
"""Seconds to wait for others who write the same file; each needs a moment."""

Entries = list[dict[str, Any]]
Contents = dict[str, Any]


def _beside(folder: str | Path) -> Path:
    """Return where the owner's file of a release is unless its owner says otherwise: next to its folder, never inside."""
    place = final_place(Path(folder))
    near = place if os.path.islink(folder) else Path(folder)  # noqa: PTH114 # also of a name that no file can have
    return near.parent / f"{shortened(place.name)}.owner.json"


def owners_files(folder: str | Path, key: str | Path | None = None) -> tuple[Path, ...]:
    """Return the owner's files that know what was drawn for a folder; the first is written to."""
    beside = _beside(folder)
    if key is None:
        return (beside,)
    return (Path(key), beside) if identity(beside) is not None else (Path(key),)


def check_key(key: Path | None, folder: Path) -> None:
    """Refuse an owner's file that cannot or must not be written to, before any work is done for it."""
    if key is None:
        return
    path, folder = final_place(key), final_place(folder)
    if folder == path or folder in path.parents or path in folder.parents:
        raise NotWritten(
            f"The owner's file {key} must not lie inside {folder}, nor {folder} inside it.",
            hint="name a file elsewhere.",
        )
    if not path.parent.is_dir() and path.parent != folder.parent:  # which is made with the folder
        raise NotWritten(
            f"{key} cannot be written: its folder does not exist.", hint="make the folder first."
        )
    entries(path)


def add_entry(key: Path | None, run: str, folder: Path, manifest: str, drawn: Drawn) -> None:
    """Enter what a run makes: a release, by its folder and the hash of its manifest, and the lot that decided about it."""
    if key is None:
        return
    entry = _entry(run, _place(folder, key), manifest, drawn)

    def change(known: Contents) -> Contents:
        changed = {**known, "releases": [*known["releases"], entry]}
        lot = drawn.lot
        if lot is None or not lot.is_drawn or known.get("lot") is not None:
            return changed
        return changed | {"lot": lot.secret.hex(), "answers": _with_answers(known, lot.answers)}

    _change(key, change)


def run_of(key: Path | None, folder: Path, manifest: str | None) -> str | None:
    """Return the run that made the release in a folder, by the hash of its manifest.

    A release that was copied or moved here keeps its entry: the original may stand where it was made.
    """
    if key is None or manifest is None:
        return None
    return next(
        (
            entry.get("run")
            for entry in entries(final_place(key))
            if _has(entry, "manifest", manifest) and _has(entry, "folder", _place(folder, key))
        ),
        None,
    )


def _place(folder: Path, key: Path) -> str:
    """Say where a release is, seen from the owner's file: the same when both are moved together."""
    return Path(os.path.relpath(folder, final_place(key).parent)).as_posix()


def drop_entry(key: Path | None, run: str | None, *, file_too: bool = False) -> None:
    """Drop the entry of a run, if it is there; with `file_too` a file that has none left goes as well."""
    if key is None or run is None or not is_owners_file(final_place(key)):
        return

    def change(known: Contents) -> Contents:
        return {**known, "releases": [e for e in known["releases"] if not _has(e, "run", run)]}

    _change(key, change, file_too=file_too)


def is_owners_file(path: Path) -> bool:
    """Tell whether an owner's file of this version stands at a path."""
    held = _contents(path)
    return _is_owners(held) and held.get("format") == FORMAT


def _has(entry: object, name: str, value: str) -> bool:
    return isinstance(entry, dict) and entry.get(name) == value


class KeptLot(Lot):
    """The lot that owner's files keep: the first of them that has one, else the first gets one when it is needed."""

    def __init__(self, places: Sequence[Path], releases: Sequence[Release] = ()) -> None:
        super().__init__()
        self._places, self._releases = places, releases

    @cached_property
    def secret(self) -> bytes:
        """What is drawn from the operating system's entropy, or was once."""
        known = next((lot for place in self._places if (lot := contents(place).get("lot"))), None)
        if known is None:
            drawn, place = super().secret.hex(), final_place(self._places[0])
            with reported(place):
                place.parent.mkdir(parents=True, exist_ok=True)
            kept = _change(self._places[0], lambda known: {**known, "lot": known.get("lot") or drawn})
            known = kept["lot"]
        with _as_written(self._places):
            return bytes.fromhex(known)

    def answer(self, asked: Callable[[], str]) -> Answer | None:
        """Return how a question was answered before."""
        every = [one for place in self._places for one in contents(place).get("answers", ())]
        if not every:
            return None
        question = asked()
        with _as_written(self._places):
            return next((_answer(one) for one in every if _has(one, "asked", question)), None)

    def keep(self, asked: str, answer: Answer) -> Answer:
        """Keep an answer, unless there is one; return the one that stands."""
        of = [
            {"data": hash_of_data(one), "marks": _written_marks(rows_of(one.original))}
            for one in (() if answer.reason is None else self._releases)
        ]

        def change(known: Contents) -> Contents:
            return {**known, "answers": _with_answers(known, {asked: answer}, of)}

        if (before := self.answer(lambda: asked)) is not None:
            return before
        kept = _change(self._places[0], change)["answers"]
        return next(_answer(one) for one in kept if _has(one, "asked", asked))


def _with_answers(
    known: Contents, answers: Mapping[str, Answer], of: Sequence[Mapping[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Add answers to those that are known, a refusal with the data that it is `of`."""
    before: list[dict[str, Any]] = known.get("answers", [])
    there = {one["asked"] for one in before}
    more = ({"asked": a, **asdict(one), **({"of": of} if of else {})} for a, one in answers.items())
    return [*before, *(one for one in more if one["asked"] not in there)]


def _answer(content: Mapping[str, Any]) -> Answer:
    helps = tuple((says, tuple(changes)) for says, changes in content["helps"])
    return Answer(
        **{name: value for name, value in content.items() if name not in ("asked", "of")} | {"helps": helps}
    )


def drawn_before(places: Sequence[Path], drawn: Drawn) -> Drawn | None:
    """Return what was drawn for a release of the same data from which the same was withheld, in the form of a new draw.

    Codes or an order that no draw gives would be published in the place of those that protect.
    """
    for entry in known_in(places):
        if drawn.of is not None and _has(entry, "of", drawn.of):
            with _as_written(places):
                codes, rows = entry["codes"], entry["rows"]
                known = None if codes is None else {label: code for code, label in codes.items()}
                order = None if rows is None else np.array(rows, np.int64) - 1
                if _form(known, order) != _form(drawn.codes, drawn.order):
                    raise ValueError
                return Drawn(codes=known, order=order, of=drawn.of)
    return None


def _form(codes: Mapping[Label, str] | None, order: Ints | None) -> tuple[object, ...]:
    """Return what codes and an order have in common with every other draw for the same release."""
    of_codes = None if codes is None else ({_label(label) for label in codes}, sorted(codes.values()))
    return of_codes, None if order is None else sorted(order.tolist())


def known_in(places: Sequence[Path]) -> Entries:
    """Return the releases that owner's files know."""
    return [one for place in places for one in entries(final_place(place)) if isinstance(one, dict)]


def refuse_changed_data(places: Sequence[Path], releases: Sequence[Release]) -> None:
    """Refuse data of which no release is known, and most rows of another are, or of what was refused: nothing is drawn for them."""
    known = known_in(places)
    before = {entry.get("data") for entry in known}
    for release in releases:
        if known and hash_of_data(release) not in before:
            _require_named(places, known, release)
        _require_not_refused(places, release, again=False)


def _require_not_refused(places: Sequence[Path], release: Release, *, again: bool) -> None:
    """Refuse data of which most rows were refused after a draw, and with `again` the same data too."""
    answers = [one for place in places for one in contents(place).get("answers", ())]
    with _as_written(places):
        refused = [data for one in answers if one["reason"] is not None for data in one.get("of", ())]
        data, now = (hash_of_data(release), rows_of(release.original)) if refused else (None, RowNumbers())
        for one in refused:
            both, of, what = now.in_both(_marks(one["marks"]))
            same = one["data"] == data
            if (same and again) or (not same and 2 * both > of):
                shared = "The same data" if same else f"Data with {both:,} of {of:,} {what} the same"
                raise NotWritten(
                    f"{shared} were refused after a draw, and whoever draws until it passes tells which draws did not. It is "
                    f"known to {' or '.join(map(str, places))}.",
                    hint="ask about those data again with that file, by another limit or other columns; other people have "
                    "another owner's file.",
                )


def refuse_second_draw(places: Sequence[Path], draws: Sequence[tuple[Drawn, Release]]) -> None:
    """Refuse to write releases of people of whom another is known, or of whom a draw was refused and this is another.

    A release that is written again as it was tells nothing that it did not tell before.
    """
    known, now = known_in(places), {drawn.of for drawn, _ in draws} - {None}
    before = {entry.get("of") for entry in known}
    others = [entry for entry in known if entry.get("of") not in now]
    for drawn, release in draws:
        if drawn.of not in before:
            _require_named(places, others, release)
            _require_not_refused(places, release, again=_is_another_draw(places, drawn.lot))


def _is_another_draw(places: Sequence[Path], lot: Lot | None) -> bool:
    """Tell whether something was decided by a lot that none of the owner's files keeps."""
    kept = {contents(place).get("lot") for place in places}
    return lot is not None and lot.is_drawn and lot.secret.hex() not in kept


def _require_named(places: Sequence[Path], known: Entries, release: Release) -> None:
    """Refuse a release of people of whom another is known that is not one of those with which it is judged."""
    for entry in known:
        data, now = hash_of_data(release), rows_of(release.original)
        with _as_written(places):
            then = _marks(entry.get("marks") or {})
        both, of, what = now.in_both(then)
        same = (data is not None and _has(entry, "data", data)) or (
            now.source is not None and now.source == then.source
        )
        if (same or 2 * both > of) and not _is_named(entry, release):
            shared = "the same data" if same else f"data with {both:,} of {of:,} {what} the same"
            raise NotWritten(
                f"{entry.get('folder')} is a release of {shared}, and is not named as an earlier one: whoever has both "
                f"learns more than from one. It is known to {' or '.join(map(str, places))}.",
                hint="name it in [[earlier]], so that both are judged together; if nobody has it, take another folder "
                "and another owner's file. The same question, with that file, gives the same release again.",
            )


def known_beside(places: Sequence[Path], releases: Sequence[Release]) -> list[str]:
    """Say which other owner's files of the folder know another release of the same people, or that another draw was refused.

    Whether anybody has it, only its owner knows.
    """
    ours, warnings = {final_place(place) for place in places}, []
    for place in sorted(final_place(places[0]).parent.glob("*.owner.json")):
        if place not in ours and is_owners_file(place):
            try:
                for release in releases:
                    same, known = hash_of_release(release), known_in((place,))
                    if not any(same is not None and _has(one, "of", same) for one in known):
                        _require_named((place,), known, release)
            except NotWritten as other:
                warnings.append(f"{other.fact} Name it in [[earlier]] if anybody has it.")
            try:
                for release in releases:
                    _require_not_refused((place,), release, again=_is_another_draw((place,), release.lot))
            except NotWritten as other:
                warnings.append(f"{other.fact} The answer to the same question is that refusal.")
    return warnings


@contextmanager
def _as_written(places: Sequence[Path]) -> Iterator[None]:
    """Refuse an owner's file that was changed since it was written."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
        raise NotWritten(
            f"{' or '.join(map(str, places))} has an entry that giveaway does not write, and was left alone.",
            hint="bring the file back as it was, or name another.",
        ) from None


def _written_marks(marks: RowNumbers) -> dict[str, Any]:
    """Return what is written of the marks of rows."""
    numbers = {
        name: None if some is None else base64.b64encode(np.sort(some).astype("<u8").tobytes()).decode()
        for name, some in (("rows", marks.rows), ("ids", marks.ids))
    }
    return numbers | {"source": marks.source}


def _marks(content: Mapping[str, Any]) -> RowNumbers:
    """Return the marks of rows that were written."""
    return RowNumbers(
        rows=_numbers(content.get("rows")), ids=_numbers(content.get("ids")), source=content.get("source")
    )


def _numbers(text: str | None) -> Any:
    return None if text is None else np.frombuffer(base64.b64decode(text), "<u8")


def _is_named(entry: Mapping[str, Any], release: Release) -> bool:
    """Tell whether a release is one of those with which another is judged."""
    for one in release.earlier:
        if one.has_manifest and _has(entry, "manifest", str(one.sha256)):
            return True
        if one.original is not None and _has(entry, "data", str(hash_of_data(Release(one.original)))):
            return True
    return False


def cells_of(entry: Mapping[str, Any]) -> Cells:
    """Return the entries that a release withheld."""
    blanks = entry.get("blanks", {})
    return Cells.at({name: np.array(rows, np.int64) - 1 for name, rows in blanks.items()})


def levels_of(entry: Mapping[str, Any]) -> Levels:
    """Return the entries that a release gave as coarser labels."""
    return Levels.at(
        {
            name: (np.array(rows, np.int64) - 1, np.array(levels, np.int64))
            for name, (rows, levels) in entry.get("coarser", {}).items()
        }
    )


def _entry(run: str, folder: str, manifest: str, drawn: Drawn) -> dict[str, Any]:
    cells, levels = drawn.withheld.cells, drawn.withheld.levels
    codes = None if drawn.codes is None else {code: _label(label) for label, code in drawn.codes.items()}
    return {
        "manifest": manifest,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "giveaway": __version__,
        "run": run,
        "folder": folder,
        "of": drawn.of,
        "codes": codes,
        "rows": None if drawn.order is None else (drawn.order + 1).tolist(),
        "ids": None if drawn.ids is None else _ids(drawn.ids, drawn.order),
        "items": [_label(item) for item in drawn.withheld.items],
        "rules": [str(rule) for rule in drawn.withheld.rules],
        "data": drawn.data,
        "blanks": {name: (cells.positions(name) + 1).tolist() for name in cells.columns},
        "coarser": {
            name: [(part + at).tolist() for part, at in zip(levels.of(name), (1, 0), strict=True)]
            for name in levels.columns
        },
        "scenario": drawn.scenario and dict(drawn.scenario),
        "marks": _written_marks(drawn.marks),
    }


def _ids(ids: Sequence[Label], order: Ints | None) -> list[object]:
    """Return the identifier of each row of a release, in its order."""
    return [_label(ids[row]) for row in (range(len(ids)) if order is None else order.tolist())]


def _label(label: object) -> object:
    return label if isinstance(label, str | int | float) else str(label)


def _change(key: Path, change: Callable[[Contents], Contents], *, file_too: bool = False) -> Contents:
    """Change what a file holds, and return it; what another run changes meanwhile is not lost."""
    path = final_place(key)
    with reported(path), _turn(path):
        for left, _ in tokens(path.parent, hidden(path, "").name):
            left.unlink(missing_ok=True)
        before = contents(path)
        after = change(before)
        if after == before:
            return before
        if after["releases"] or not file_too:
            _replace(path, after)
        else:
            path.unlink()
        synced(path.parent)
        return after


@contextmanager
def _turn(path: Path) -> Iterator[None]:
    """Wait until nobody else writes in the folder of an owner's file."""
    started = time.monotonic()
    while True:
        with held(path.parent) as is_ours:
            if is_ours is not False:
                yield
                return
        if time.monotonic() - started > _PATIENCE:
            raise NotWritten(
                f"{path} is being written by another run.", hint="run again when that has ended."
            )
        time.sleep(0.01)


def _contents(path: Path) -> Any:
    """Return what a JSON file holds, None for anything else."""
    if not path.is_file():
        return None
    with reported(path):
        raw = path.read_bytes()
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _is_owners(contents: Any) -> bool:
    return (
        isinstance(contents, dict)
        and contents.get("giveaway") == KIND
        and isinstance(contents.get("releases"), list)
    )


def entries(path: Path) -> Entries:
    """Return the releases that an owner's file knows, none if there is no such file; refuse any other file."""
    known: Entries = contents(path)["releases"]
    return known


def contents(path: Path) -> Contents:
    """Return what an owner's file holds, nothing if there is no such file; refuse any other file."""
    path = final_place(path)
    if kind(path) is None:
        return {"giveaway": KIND, "format": FORMAT, "releases": []}
    held: Contents = _contents(path)
    if not _is_owners(held):
        raise NotWritten(
            f"{path} exists, is not an owner's file of giveaway, and was left alone.",
            hint="name another file; an owner's file gets one more entry.",
        )
    if held.get("format") != FORMAT:
        raise NotWritten(
            f"{path} is an owner's file of another version of giveaway, and was left alone.",
            hint="name another file.",
        )
    return held


def _replace(path: Path, held: Contents) -> None:
    """Write a file that only its owner may read, all at once."""
    text = json.dumps(held, ensure_ascii=False)
    beside = hidden(path, token())
    try:
        make(beside, OWNERS)
        fill(beside, text + "\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
