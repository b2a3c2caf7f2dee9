"""Running a command: outputs, progress, errors and the exit status."""

import json
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from giveaway.errors import (
    BudgetExceeded,
    Mistake,
    NoSafeRelease,
    NothingToJudge,
    NotWritten,
    ScenarioError,
    WrongQuestion,
)

if TYPE_CHECKING:
    from giveaway.assessment import Assessment
    from giveaway.scenario import Scenario

SAFE, AT_RISK, CANNOT_JUDGE = 0, 1, 2

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True, kw_only=True)
class Output:
    """Where a command sends its answer."""

    json: str | None = None
    html: Path | None = None
    public_html: Path | None = None
    exposures: str = "100"
    quiet: bool = False
    debug: bool = False

    @property
    def listed(self) -> int | None:
        """How many exposures to list; None is all."""
        if self.exposures == "all":
            return None
        if not self.exposures.isdigit():
            raise ScenarioError(
                f"--exposures {self.exposures} is not understood.", hint="write a number, or all."
            )
        return int(self.exposures)

    @property
    def speaks_json(self) -> bool:
        """Whether standard output is the Summary and nothing else."""
        return self.json == "-"

    def check(self, folder: Path | None = None) -> None:
        """Refuse places that cannot be written to, before any work is done."""
        _ = self.listed
        saved = None if self.json is None or self.speaks_json else Path(self.json)
        for path in filter(None, (saved, self.html, self.public_html)):
            if not path.resolve().parent.is_dir():
                raise NotWritten(
                    f"{path} cannot be written: its folder does not exist.", hint="make the folder first."
                )
            if path.is_dir():
                raise NotWritten(f"{path} is a folder.", hint="name a file.")
            if not os.access(path.resolve().parent, os.W_OK):
                raise NotWritten(f"{path} cannot be written: its folder is read-only.")
        for path in filter(None, (saved, self.html)):
            if folder is not None and folder.resolve() in path.resolve().parents:
                raise NotWritten(
                    f"{path} names exposures and must not lie in the release folder.",
                    hint="name a file elsewhere.",
                )

    def deliver(self, assessment: "Assessment") -> None:
        """Write the files that were asked for and print the answer."""
        if self.json is not None:
            text = assessment.to_json(None if self.speaks_json else self.json, exposures=self.listed)
            if self.speaks_json:
                say(text.removesuffix("\n"))
        if self.html is not None:
            assessment.to_html(self.html)
        if self.public_html is not None:
            assessment.to_html(self.public_html, public=True)
        if not self.speaks_json:
            show(assessment.to_dict(exposures=5), quiet=self.quiet)


def show(summary: dict[str, Any], *, quiet: bool, made_up: bool = False) -> None:
    """Print a Summary; values of the data only to a terminal, unless they are made up."""
    from giveaway.report import terminal

    tty = sys.stdout.isatty()
    text = terminal.render(
        summary,
        exposures=tty or made_up,
        quiet=quiet,
        colour=tty and "NO_COLOR" not in os.environ,
        unicode="utf" in (sys.stdout.encoding or "").lower(),
    )
    say(text)


def say(text: str) -> None:
    """Print to a reader who may have gone, as `head` does: the verdict is still the exit status."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def status(safe: bool | None) -> int:
    """Return the exit status of a verdict."""
    return CANNOT_JUDGE if safe is None else SAFE if safe else AT_RISK


def size(text: str | None) -> int | None:
    """Read a size of memory such as 4GB."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", text, re.IGNORECASE)
    if match is None or float(match[1]) <= 0:
        raise ScenarioError(f"--memory {text} is not a size.", hint="write 4GB or 500MB.")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def prepare(
    subject: str,
    knows: list[str] | None,
    tolerates: list[str] | None,
    settings: list[str] | None,
    *,
    seed: int | None = None,
    seconds: float | None = None,
) -> "Scenario":
    """Read the scenario that the words of a command line describe."""
    from giveaway.scenario import from_words, overridden, read_scenario, understand
    from giveaway.sources.engines.address import address

    path = Path(subject)
    if address(subject, Path()) is None and path.suffix.lower() == ".toml":
        if knows or tolerates:
            raise ScenarioError(
                "--knows and --tolerates go with a data file.", hint="use --set with a scenario file."
            )
        values, text = read_scenario(path)
        base = path.parent
    else:
        if not knows:
            raise ScenarioError(
                f"{subject} is taken for data, and no attacker is named.",
                hint="add --knows items:at_most=3, or for a table --knows attributes:columns=sex,age.",
            )
        values, text, base = from_words(subject, knows, tolerates or ()), "", Path()
    effort = [
        f"effort.{name}={value}"
        for name, value in (("seed", seed), ("seconds", seconds))
        if value is not None
    ]
    return understand(overridden(values, [*(settings or ()), *effort]), base=base, name=path.name, text=text)


def run(command: Callable[[], int], output: Output, *, memory: str | None = None) -> NoReturn:
    """Run a command, say what went wrong in one clear message, and leave with its status."""
    from giveaway.model.progress import limited, watched

    signal.signal(signal.SIGTERM, _stop)
    try:
        with _progress(quiet=output.quiet) as watcher, watched(watcher), limited(memory=size(memory)):
            code = command()
    except WrongQuestion as error:
        code = _refuse(list(error.mistakes), output)
    except NoSafeRelease as error:
        code = _no_safe_release(error, output)
    except (BudgetExceeded, NothingToJudge, NotWritten) as error:
        code = _refuse([Mistake(error.fact, hint=error.hint)], output, written=isinstance(error, NotWritten))
    except KeyboardInterrupt:
        code = _refuse([Mistake("Stopped. Nothing was written.")], output)
    except Exception as error:  # noqa: BLE001 # whatever fails, the answer is "cannot judge", never a traceback
        if output.debug:
            traceback.print_exc()
        fact = (
            f"giveaway failed with {type(error).__name__}. Nothing was written. Treat the release as unsafe."
        )
        code = _refuse([Mistake(fact, hint="run again with --debug and report the last lines.")], output)
    sys.exit(code)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _refuse(mistakes: list[Mistake], output: Output, *, written: bool = False) -> int:
    from giveaway.report.mistakes import render

    if output.speaks_json:
        from giveaway.assessment import SCHEMA

        errors = [str(mistake) for mistake in mistakes]
        print(json.dumps({"schema": SCHEMA, "verdict": "cannot judge", "errors": errors}, ensure_ascii=False))
    print(render(mistakes, heading="Not written" if written else "CANNOT JUDGE"), file=sys.stderr)
    return CANNOT_JUDGE


def _no_safe_release(error: NoSafeRelease, output: Output) -> int:
    """Show the release as planned and why no safe one came of it; the reason names items that the owner listed."""
    if error.assessment is not None:
        output.deliver(error.assessment)  # type: ignore[arg-type] # errors know nothing of assessments
    if output.speaks_json or not sys.stdout.isatty():
        print("\n".join([error.reason, *error.helps]), file=sys.stderr)
    return AT_RISK


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[str, int, int | None], None] | None]:
    """Show how far long work has come, on a terminal and after a second."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    import time

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    started = time.monotonic()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[spent]} s  Ctrl-C stops"),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=None, spent=0)
    running = False

    def watch(stage: str, done: int, total: int | None) -> None:
        nonlocal running
        spent = int(time.monotonic() - started)
        if not running and spent >= 1:
            bar.start()
            running = True
        bar.update(task, description=stage, completed=done, total=total, spent=spent)

    try:
        yield watch
    finally:
        bar.stop()
