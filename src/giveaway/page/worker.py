"""The process that holds the data and the compiled code, and answers one question at a time.

It is told `(number, job, arguments)` and `(number, "stop", {})`, and tells `(number, "progress", ...)`, then
`(number, "done", answer)`, `(number, "wrong", mistakes)` or `(number, "stopped", None)`.
"""

import json
import os
import signal
import sys
import threading
import time
import tomllib
import traceback
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np

import giveaway as ga
from giveaway.page.places import file_of, inside, is_address, placed

_EXPOSURES = 5
_KEPT = 6
"""Protected releases that are held, so that what is published is what was shown."""
_ROWS = 8
_SHOWN = 1 << 16
"""Characters of a file of which the first lines are shown."""
_EXAMPLES, _BARS, _MANY = 3, 24, 30
READING = ("separator", "header", "encoding", "missing", "decimal", "table", "query")
"""Fields of [release] that say how a file or a table of a database is read."""
_EVERY = 0.1
"""Seconds between two words on progress."""


class Stopped(Exception):
    """Somebody asked to stop."""


class NotShown(ga.NotWritten):
    """What would be written is not what was shown."""


class Worker:
    """Answers questions about scenarios; data that were read for one are not read again for the next."""

    def __init__(
        self, tell: Callable[[str, Any], None], stopped: Callable[[], bool], folders: Sequence[Path]
    ) -> None:
        self._tell, self._stopped, self._folders = tell, stopped, folders
        self._scenario: tuple[tuple[Any, ...], ga.Scenario] | None = None
        self._protected: OrderedDict[str, ga.Assessment] = OrderedDict()
        self._told = 0.0

    def look(self, path: str, table: str | None = None) -> dict[str, Any]:
        """Look at a file, or a table of a database, and propose a scenario for it."""
        self._check(file_of(Path(), path))
        return {"look": _plain(ga.look(path, table=table)), "text": ga.propose(path, table=table)}

    def open(self, path: str) -> dict[str, Any]:
        """Open a scenario file: its text, the files that it names, and what its data are."""
        self._check(Path(path))
        scenario = self._held(ga.Scenario.read(path, may_read=self._may_read))
        original = scenario.release.original
        table = isinstance(original, ga.Table)
        size = f"{len(original):,} {'records' if table else 'transactions'}"
        look = {"kind": "table" if table else "transactions", "short": size}
        return {"text": scenario.text, "look": look}

    def describe(self, text: str, folder: str) -> dict[str, Any]:
        """Count what stands in each column, or how often each item occurs, and take some rows to look at."""
        release = tomllib.loads(text)["release"]
        path = placed(Path(folder), release["data"])
        self._check(file_of(Path(folder), release["data"]))
        how = {name: release[name] for name in READING if name in release}
        if release.get("kind") == "table":
            whose = release.get("id") if is_address(path) else None
            return _columns(ga.read_table(path, classes=release.get("classes"), id=whose, **how), whose)
        kept = {name: release[name] for name in ("item", "id") if name in release}
        return _items(ga.read_transactions(path, **how, **kept))

    def show(self, path: str, rows: int = 8) -> dict[str, Any]:
        """Return the first lines of a file, as they stand there."""
        self._check(Path(path))
        if not Path(path).is_file():  # reading a pipe would wait for ever
            return {"lines": []}
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            return {"lines": [line[:400] for line in file.read(_SHOWN).split("\n")[:rows]]}

    def assess(self, text: str, folder: str) -> dict[str, Any]:
        """Measure and judge the release as planned."""
        scenario, started = self._asked(text, folder), _now()
        return self._answer(scenario.assess(effort=self._effort(scenario)), started)

    def protect(self, text: str, folder: str) -> dict[str, Any]:
        """Withhold, measure again and keep the release for publishing."""
        scenario, started = self._asked(text, folder), _now()
        try:
            # What was drawn with the owner's file of a release that stands there already is what is shown and written.
            assessment = self._protected.get(text) or scenario.protect(effort=self._effort(scenario))
        except ga.NoSafeRelease as error:
            if error.assessment is None:
                raise
            return self._answer(error.assessment, started)  # type: ignore[arg-type] # errors know no assessments
        self._protected[text] = assessment
        while len(self._protected) > _KEPT:
            self._protected.popitem(last=False)
        return self._answer(assessment, started)

    def keep(self, text: str, folder: str, item: str) -> dict[str, Any]:
        """Judge the protected release with one withheld item published after all; also say it as a scenario."""
        scenario = self._asked(text, folder)
        held = self._protected.get(text) or scenario.protect(effort=self._effort(scenario))
        left = [str(one) for one in held.withheld.items if str(one) != item]
        tried = ga.edit_scenario(text, {"release.withheld": left or None})
        return self.assess(tried, folder) | {"text": tried}

    def publish(self, text: str, folder: str, target: str, mark: str, **how: Any) -> dict[str, Any]:
        """Write the protected release, once the checker has agreed."""
        for place in (target, *(how[report] for report in ("html", "public_html") if report in how)):
            self._check(Path(place))
        scenario, started = self._asked(text, folder), _now()
        held, key = self._protected.get(text), Path(f"{target}.owner.json")
        if held is None or key.exists():  # an earlier draw is used again
            held = self._protected[text] = scenario.protect(effort=self._effort(scenario), key=key)
        if _shown(held)["mark"] != mark:
            raise NotShown(
                "The result that was shown is no longer at hand, and another one would have been written.",
                hint="look at this one, and write it.",
            )
        return self._answer(held.publish(target, **how), started)

    def _may_read(self, file: Path) -> bool:
        return inside(file, self._folders)

    def _check(self, file: Path | None) -> None:
        """Refuse a file that lies outside by now, though it did not when it was named."""
        if file is not None and not self._may_read(file):
            raise ga.ScenarioError(f"{file.name} lies outside the folders of this page.")

    def report(self, text: str, folder: str, *, public: bool) -> dict[str, Any]:
        """Draw the report of the protected release, or of the release as planned."""
        scenario = self._asked(text, folder)
        held = self._protected.get(text) or scenario.assess(effort=self._effort(scenario))
        return {"html": held.to_html(public=public)}

    def _asked(self, text: str, folder: str) -> ga.Scenario:
        """Read a scenario; files that the last one read, and that have not changed, are not read again."""
        scenario = self._scenario and self._scenario[1].again(text)
        if scenario is None or scenario.base != Path(folder):
            scenario = ga.Scenario.from_text(text, folder, may_read=self._may_read)
        return self._held(scenario)

    def _held(self, scenario: ga.Scenario) -> ga.Scenario:
        """Hold a scenario for the next question; where its files have changed, nothing that was read before counts."""
        stamp = tuple((str(file), *_stamp(file)) for file in scenario.files)
        if self._scenario is not None and self._scenario[0] != stamp:
            scenario = ga.Scenario.from_text(scenario.text, scenario.base, may_read=self._may_read)
            self._protected.clear()  # they may be of files as they were
        self._scenario = stamp, scenario
        return scenario

    def _effort(self, scenario: ga.Scenario) -> ga.Effort:
        return replace(scenario.effort, progress=self._progress)

    def _progress(self, stage: str, done: int, total: int | None) -> None:
        if self._stopped():
            raise Stopped
        now = time.monotonic()
        if now - self._told >= _EVERY:
            self._told = now
            self._tell("progress", {"stage": stage, "done": done, "total": total})

    def _answer(self, assessment: ga.Assessment, started: tuple[float, float]) -> dict[str, Any]:
        seconds, work = (now - then for now, then in zip(_now(), started, strict=True))
        return _shown(assessment) | {"seconds": seconds, "work": work}


def _shown(assessment: ga.Assessment) -> dict[str, Any]:
    """Return what is shown of a result, with a mark: what has the same mark says the same."""
    summary = assessment.to_dict(exposures=_EXPOSURES, lists=False)
    says = ga.sentences(summary)
    marked = json.dumps([says, summary["withheld"], summary["data"]], default=str)
    return {"summary": summary, "told": says, "mark": sha256(marked.encode()).hexdigest()}


def _columns(table: ga.Table, id: str | None) -> dict[str, Any]:
    """Describe the columns of a table; of one that names its rows nothing needs to be counted."""
    records = table.record_of[:_ROWS]
    naming = {"distinct": len(table), "missing": 0, "numbers": False, "unique": True, "examples": ""}
    named = [] if id is None else [{"name": id, "counts": [], "classed": False} | naming]
    return {
        "columns": named + [_column(table, name) for name in table.columns],
        "rows": [
            {
                name: "" if codes[one] < 0 else str(table.labels[name][codes[one]])
                for name, codes in table.columns.items()
            }
            for one in records
        ],
        "total": len(table),
    }


def _column(table: ga.Table, name: str) -> dict[str, Any]:
    """Count the values of a column; of many values only how they spread."""
    codes, labels = table.columns[name], [str(label) for label in table.labels[name]]
    counts = np.bincount(codes + 1, weights=table.weights, minlength=len(labels) + 1).astype(int)
    missing, counts = int(counts[0]), counts[1:]
    used = [(label, int(count)) for label, count in zip(labels, counts, strict=True) if count]
    numbers = all(label.lstrip("-").isdigit() for label, _ in used[:_MANY]) and len(used) > _MANY
    common = sorted(used, key=lambda pair: -pair[1])
    pieces = np.array_split([count for _, count in used], _BARS) if numbers else []
    return {
        "name": name,
        "distinct": len(used),
        "missing": missing,
        "numbers": numbers,
        "unique": len(used) == len(table),
        "examples": f"{used[0][0]} to {used[-1][0]}"
        if numbers
        else ", ".join(label for label, _ in common[:_EXAMPLES]),
        "counts": [int(piece.sum()) for piece in pieces]
        if numbers
        else [count for _, count in common[:_BARS]],
        "classed": name in table.classes,
    }


def _items(data: ga.Transactions) -> dict[str, Any]:
    order = sorted(
        range(len(data.labels)), key=lambda code: (-int(data.supports[code]), str(data.labels[code]))
    )
    ends = data.offsets[: _ROWS + 1].tolist()
    rows = [[str(data.labels[code]) for code in data.codes[a:b]] for a, b in pairwise(ends)]
    return {
        "items": [(str(data.labels[code]), int(data.supports[code])) for code in order],
        "rows": rows,
        "total": len(data),
    }


def main(connection: Connection, folders: Sequence[Path]) -> None:
    """Answer until the other end is closed, also by a kill, or a signal says so: then what was begun is taken back."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    for name in ("SIGINT", "SIGHUP"):  # these are for the page, which ends this
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    waiting: SimpleQueue[tuple[int, str, dict[str, Any]] | None] = SimpleQueue()
    stopped: set[int] = set()
    threading.Thread(target=_listen, args=(connection, waiting, stopped), daemon=True).start()
    number = 0
    worker = Worker(
        lambda word, what: connection.send((number, word, what)), lambda: number in stopped, folders
    )
    with suppress(BrokenPipeError):  # nobody is there any more
        while (task := waiting.get()) is not None:
            number, job, arguments = task
            connection.send((number, *_done(worker, job, arguments)))


def _listen(connection: Connection, waiting: Any, stopped: set[int]) -> None:
    while True:
        try:
            number, job, arguments = connection.recv()
        except (EOFError, OSError):
            waiting.put(None)
            os.kill(os.getpid(), signal.SIGTERM)  # what is under way is for nobody
            return
        if job == "stop":
            stopped.add(number)
        elif job == "unlock":
            ga.unlock(**arguments)
        else:
            waiting.put((number, job, arguments))


def _done(worker: Worker, job: str, arguments: dict[str, Any]) -> tuple[str, Any]:
    """Do a job; whatever goes wrong is told, and is never an answer."""
    arguments.pop("stamp", None)
    try:
        return "done", getattr(worker, job)(**arguments)
    except Stopped:
        return "stopped", None
    except ga.WrongQuestion as error:
        return "wrong", [_plain(mistake) for mistake in error.mistakes]
    except ga.NoSafeRelease as error:
        return "wrong", [{"fact": error.reason, "hint": " ".join(map(str, error.helps))}]
    except (ga.BudgetExceeded, ga.NothingToJudge, ga.NotWritten) as error:
        longer = isinstance(error, ga.BudgetExceeded)
        refusal = {"fact": error.fact, "hint": None if longer else error.hint, "longer": longer}
        return "wrong", [refusal | {"anew": isinstance(error, NotShown)}]
    except Exception as error:  # noqa: BLE001 # whatever fails, the answer is "cannot judge"
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}, line {last.lineno}"
        return "wrong", [
            {"fact": f"giveaway failed with {type(error).__name__}.", "hint": f"please report it: {where}."}
        ]


def _plain(value: Any) -> Any:
    """Return a frozen value as plain ones."""
    if hasattr(value, "__dataclass_fields__"):
        own = {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
        return own | {name: getattr(value, name) for name in ("kind", "says") if hasattr(type(value), name)}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def _now() -> tuple[float, float]:
    """Return the time by the clock, and the time that this process worked, whatever else the machine does."""
    return time.monotonic(), time.process_time()


def _stamp(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except OSError:
        return (0, 0)
    return status.st_size, status.st_mtime_ns
