"""Running a command: outputs, progress, errors and the exit status."""

import io
import json
import os
import re
import shutil
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

from giveaway._version import SCHEMA
from giveaway.cli.memory import NOT_ENOUGH, lacks_memory, prepare
from giveaway.errors import (
    BudgetExceeded,
    Mistake,
    NoSafeRelease,
    NothingToJudge,
    NotWritten,
    ScenarioError,
    WrongQuestion,
)
from giveaway.masking import masked
from giveaway.scratch import sweep_scratch

if TYPE_CHECKING:
    from giveaway.assessment import Assessment
    from giveaway.publish import Outputs
    from giveaway.report.terminal.progress import ProgressLine
    from giveaway.scenario import Scenario

SAFE, AT_RISK, CANNOT_JUDGE = 0, 1, 2
_WIDTH, _WIDEST = 80, 120
"""The width of text that is not on a terminal, and the widest that is still read with ease."""
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True, kw_only=True)
class Output:
    """Where a command sends its answer."""

    json: str | None = None
    html: Path | None = None
    public_html: Path | None = None
    others: Mapping[str, Path] = field(default_factory=dict)
    """Further files, each under the option that names it."""
    folder: Path | None = None
    key: Path | None = None
    database: Path | None = None
    force: bool = False
    exposures: str = "100"
    readings: Sequence[str] = ()
    """The readings that are printed too, each a name or several joined by commas."""
    memory: str | None = None
    asked: str | None = None
    """What was asked, as another command can ask it again."""
    heading: str = "CANNOT JUDGE"
    """What a refusal begins with: a verdict, unless none was asked for."""
    brief: bool = False
    """Whether the verdict is all that is printed."""
    quiet: bool = False
    """Whether nothing is printed but what went wrong."""
    debug: bool = False

    @property
    def listed(self) -> int | None:
        """How many exposures to list; None is all."""
        if self.exposures == "all":
            return None
        if re.fullmatch(r"[0-9]{1,18}", self.exposures) is None:
            raise ScenarioError(
                f"--exposures {self.exposures} is not understood.", hint="write a number, or all."
            )
        return int(self.exposures)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the readings that are printed too."""
        if not self.readings:
            return ()
        from giveaway.report.wording.readings import NAMES

        wanted = [name.strip() for text in self.readings for name in text.split(",")]
        unknown = next((name for name in wanted if name not in (*NAMES, "all")), None)
        if unknown is not None:
            raise ScenarioError(f'There is no reading "{unknown}".', exists=", ".join((*NAMES, "all")))
        return tuple(name for name in NAMES if name in wanted or "all" in wanted)

    @property
    def speaks_json(self) -> bool:
        """Whether standard output is the Summary and nothing else."""
        return self.json == "-"

    @property
    def reports(self) -> dict[str, Any]:
        """The files of the Summary and the reports, as `Assessment.publish` takes them."""
        return {
            "json": None if self.speaks_json else self.json,
            "html": self.html,
            "public_html": self.public_html,
            "exposures": self.listed,
            "force": self.force,
        }

    @cached_property
    def places(self) -> "Outputs":
        """Everything that the command writes."""
        from giveaway.publish import Outputs

        saved = None if self.json is None or self.speaks_json else Path(self.json)
        named = {"--json": saved, "--html": self.html, "--public-html": self.public_html, **self.others}
        return Outputs(
            files={name: path for name, path in named.items() if path is not None},
            folder=self.folder,
            key=self.key,
            database=self.database,
            force=self.force,
        )

    def check(self, inputs: Collection[Path]) -> None:
        """Refuse places that cannot or must not be written to, before any work is done."""
        self.places.check(inputs)

    @property
    def mistakes(self) -> list[Mistake]:
        """What is wrong with the numbers that options give."""
        mistakes: list[Mistake] = []
        for read in (lambda: self.listed, lambda: size(self.memory), lambda: self.names):
            try:
                read()
            except ScenarioError as error:
                mistakes += error.mistakes
        return mistakes

    def deliver(self, assessment: "Assessment") -> None:
        """Write the files that were asked for, unless they stand with the release already, and print the answer."""
        from giveaway.model.progress import step

        with step("the report"):
            self._deliver(assessment)

    def _deliver(self, assessment: "Assessment") -> None:
        if assessment.written is None:
            assessment.write_reports(**self.reports)
        if self.speaks_json:
            say(assessment.to_json(exposures=self.listed).removesuffix("\n"))
        elif not self.quiet:
            values = bool(screen()["values"])
            summary = assessment.headline() if self.brief else assessment.for_screen(values=values)
            show(summary, brief=self.brief, names=self.names, asked=self.asked)


def show(
    summary: dict[str, Any],
    *,
    brief: bool,
    made_up: bool = False,
    names: Sequence[str] = (),
    asked: str | None = None,
) -> None:
    """Print a Summary, and the readings of these names; values of the data only to a terminal, unless they are made up."""
    from giveaway.report.terminal import screen as drawn

    about = screen()
    shown = bool(about.pop("values")) or made_up
    say(drawn.render(summary, exposures=shown, quiet=brief, names=names, asked=asked, **about))


def screen() -> dict[str, Any]:
    """Tell how text is written on standard output: values of the data only to a terminal, as wide as it is."""
    tty = sys.stdout.isatty()
    return {
        "values": tty,
        "colour": tty and "NO_COLOR" not in os.environ,
        "unicode": "utf" in (sys.stdout.encoding or "").lower(),
        "width": min(shutil.get_terminal_size((_WIDTH, 24)).columns, _WIDEST) if tty else _WIDTH,
    }


def say(text: str) -> None:
    """Print to a reader who may have gone, as `head` does: the verdict is still the exit status."""
    _end_progress()
    try:
        print(text, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what waits to be written is given up
        if not isinstance(error, BrokenPipeError):
            raise NotWritten(f"Standard output could not be written: {error.strerror}.") from None


def status(safe: bool | None) -> int:
    """Return the exit status of a verdict."""
    return CANNOT_JUDGE if safe is None else SAFE if safe else AT_RISK


def size(text: str | None) -> int | None:
    """Read a size of memory such as 4GB."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,15})?)\s*([KMGT]?)i?B?", text, re.IGNORECASE)
    if match is None or float(match[1]) <= 0:
        raise ScenarioError(f"--memory {text} is not a size.", hint="write 4GB or 500MB.")
    return int(float(match[1]) * _UNITS[match[2].upper()])


@dataclass(frozen=True, kw_only=True)
class CommandAsked:
    """The words of a command line and the scenario file that they name, not yet understood."""

    values: dict[str, Any]
    text: str = ""
    file: Path | None = None
    settings: Sequence[str] = ()
    """The options that changed the scenario, as they can be written again."""

    @contextmanager
    def noting(self, scenario: "Scenario") -> Iterator[Callable[["Assessment"], "Assessment"]]:
        """Note with an assessment, also of a refusal, what was asked and what the owner files with it."""
        known = None if self.file is None else self.file.name
        stated = {
            "name": known,
            "text": None if known is None else masked(self.text),
            "sha256": None if known is None else sha256(self.text.encode()).hexdigest(),
            "settings": [masked(setting) for setting in self.settings],
        }

        def noted(assessment: "Assessment") -> "Assessment":
            return replace(assessment, scenario=stated, filing=scenario.filing)

        try:
            yield noted
        except NoSafeRelease as error:
            if error.assessment is not None:
                error.assessment = noted(error.assessment)  # type: ignore[arg-type] # errors know nothing of assessments
            raise

    @property
    def inputs(self) -> list[Path]:
        """The files that are read to answer it."""
        from giveaway.scenario import inputs

        return [*([] if self.file is None else [self.file]), *inputs(self.values, self._base)]

    def answerable(self, output: Output) -> "Scenario":
        """Return the scenario once all that it asks can be written; tell everything that is wrong at once."""
        mistakes, refusal = output.mistakes, None
        try:
            output.check(self.inputs)
        except NotWritten as error:
            refusal = error
        try:
            scenario = self.understood()
            mistakes += _without_readings(scenario) if output.readings else []
        except WrongQuestion as error:
            mistakes += error.mistakes
        if mistakes:
            written = [] if refusal is None else [Mistake(refusal.fact, hint=refusal.hint)]
            raise ScenarioError([*mistakes, *written])
        if refusal is not None:
            raise refusal
        return scenario

    def understood(self) -> "Scenario":
        """Return the scenario; its data are read when they are asked for, within the seconds that it allows."""
        from giveaway.model.progress import stop_after
        from giveaway.scenario import understand

        name = "" if self.file is None else self.file.name
        scenario = understand(self.values, base=self._base, name=name, text=self.text)
        stop_after(scenario.effort.seconds)
        return scenario

    @property
    def _base(self) -> Path:
        return Path() if self.file is None else self.file.parent


def _without_readings(scenario: "Scenario") -> list[Mistake]:
    """Find that no attacker of a scenario has readings to be printed by name."""
    from giveaway.attacks import ATTACKS

    if any(ATTACKS[attacker.attack].says.readings for attacker in scenario.asked):
        return []
    known = " or ".join(f'"{attack.name}"' for attack in ATTACKS.values() if attack.says.readings)
    return [
        Mistake(
            "--as prints readings, and no attacker of the scenario has any.",
            hint=f"add one with attack = {known}.",
        )
    ]


def asked(
    subject: str,
    knows: list[str] | None = None,
    tolerates: list[str] | None = None,
    settings: list[str] | None = None,
    *,
    preset: str | None = None,
    earlier: list[str] | None = None,
    seed: int | None = None,
    seconds: float | None = None,
) -> CommandAsked:
    """Read the scenario file that the words of a command line name, or make one of them."""
    from giveaway.model.data.table import Table
    from giveaway.model.data.transactions import Transactions
    from giveaway.scenario import (
        example,
        from_words,
        overridden,
        read_scenario,
        with_earlier,
        with_preset,
        with_words,
    )
    from giveaway.sources.address import address

    path, text = Path(subject), ""
    is_scenario = address(subject, Path()) is None and path.suffix.lower() == ".toml"
    if is_scenario:
        values, text = read_scenario(path)
        values = values if preset is None else with_preset(values, preset, wins=True)
        values = with_words(values, knows or (), tolerates or ())
    else:
        if not knows:
            raise ScenarioError(
                f"{subject} is taken for data, and no attacker is named.",
                hint=f"add --knows {example(Transactions)}, or for a table --knows {example(Table)}.",
            )
        values = from_words(subject, knows, tolerates or ())
        values = values if preset is None else with_preset(values, preset, wins=False)
    values = with_earlier(values, earlier or (), path.parent if is_scenario else Path())
    effort = [
        f"effort.{name}={value}"
        for name, value in (("seed", seed), ("seconds", seconds))
        if value is not None
    ]
    values = overridden(values, [*(settings or ()), *effort])
    words = [
        *(f"--knows {text}" for text in knows or ()),
        *(f"--tolerates {text}" for text in tolerates or ()),
        *([] if preset is None else [f"--preset {preset}"]),
        *(f"--earlier {text}" for text in earlier or ()),
        *(f"--set {text}" for text in (*(settings or ()), *effort)),
    ]
    return CommandAsked(values=values, text=text, file=path if is_scenario else None, settings=words)


def run(command: Callable[[], int], output: Output) -> NoReturn:
    """Run a command, say what went wrong in one clear message, and leave with its status."""
    try:
        prepare()
    except BudgetExceeded as error:
        sys.exit(_refuse([Mistake(error.fact, hint=error.hint)], output))
    from giveaway import assessment  # noqa: F401 # what a refusal needs is there before memory runs out
    from giveaway.model.progress import limited, watched
    from giveaway.report.terminal import mistakes  # noqa: F401

    _stop_by_signals()
    warnings.showwarning = _warn
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files may hold what is no text
    try:
        sweep_scratch()
        with _progress(quiet=output.quiet) as watcher, watched(watcher), limited(memory=_memory(output)):
            code = _answered(command, output)
    except WrongQuestion as error:
        code = _refuse(list(error.mistakes), output)
    except (BudgetExceeded, NothingToJudge) as error:
        code = _refuse([Mistake(error.fact, hint=error.hint)], output)
    except NotWritten as error:
        stands = "" if error.stands else f" {_what_stands(output)}"
        code = _refuse([Mistake(error.fact + stands, hint=error.hint)], output, heading="Not written")
    except KeyboardInterrupt:
        code = _refuse([Mistake(f"Stopped. {_what_stands(output)}")], output)
    except Exception as error:  # noqa: BLE001 # whatever fails, the answer is "cannot judge", never a traceback
        if output.debug:
            complain(masked(traceback.format_exc()))
        code = _refuse([_failure(error, output)], output)
    sys.exit(code)


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    """Tell a warning in one line, without the place in the code that it comes from."""
    complain(str(message))


def _memory(output: Output) -> int | None:
    """Return the memory allowed; what is wrong with it is told with all other mistakes."""
    try:
        return size(output.memory)
    except ScenarioError:
        return None


def _failure(error: Exception, output: Output) -> Mistake:
    """Say what went wrong when it was not giveaway that noticed."""
    stands = _what_stands(output)
    if lacks_memory(error):
        return replace(NOT_ENOUGH, fact=f"{NOT_ENOUGH.fact} {stands}")
    if isinstance(error, OSError):
        fact = f"{error.filename or 'A file'} could not be used: {error.strerror or error}."
        closed = isinstance(error, PermissionError)
        hint = "check who may read and write there." if closed else "the disk may be full or damaged."
        return Mistake(f"{fact} {stands}", hint=hint)
    return Mistake(
        f"giveaway failed with {type(error).__name__}. {stands} Treat the release as unsafe.",
        hint="run again with --debug and report the last lines.",
    )


def _stop_by_signals() -> None:
    """Let signals that end a program stop the work as Ctrl-C does, unless they are ignored, as under nohup."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _what_stands(output: Output) -> str:
    """Say, from what is on the disk now, what was written and what is missing."""
    standing = ", ".join(output.places.standing())
    missing = "".join(f" {path} is missing: run again to get it back." for path in output.places.missing())
    return (f"Written before that, and whole: {standing}." if standing else "Nothing was written.") + missing


def _refuse(mistakes: list[Mistake], output: Output, *, heading: str = "") -> int:
    from giveaway.report.terminal.mistakes import render

    if output.speaks_json and sys.stdout is not None:
        errors = [str(mistake) for mistake in mistakes]
        answer = {"schema": SCHEMA, "verdict": "cannot judge", "errors": errors}
        with suppress(NotWritten):
            say(json.dumps(answer, ensure_ascii=False))
    tty = sys.stderr is not None and sys.stderr.isatty()
    wide = shutil.get_terminal_size((_WIDTH, 24)).columns if tty else None
    complain(render(mistakes, heading=heading or output.heading, width=wide))
    return CANNOT_JUDGE


def complain(text: str) -> None:
    """Print to standard error, if anybody can read it."""
    with suppress(OSError):
        _end_progress()
        if sys.stderr is not None:
            print(text, file=sys.stderr, flush=True)


def _answered(command: Callable[[], int], output: Output) -> int:
    """Run a command; where no safe release came of it, show the release as planned and why.

    The reason names items that the owner listed.
    """
    try:
        return command()
    except NoSafeRelease as error:
        if error.assessment is not None:
            output.deliver(error.assessment)  # type: ignore[arg-type] # errors know nothing of assessments
        if output.speaks_json or not sys.stdout.isatty():
            complain("\n".join([error.reason, *error.helps]))
        return AT_RISK if error.assessment is None else status(error.assessment.safe)  # type: ignore[attr-defined]


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[str, int, int | None], None] | None]:
    """Show how far long work has come, on a terminal and after a second."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from giveaway.report.terminal.progress import on_terminal

    _lines.append(line := on_terminal(sys.stderr))
    try:
        yield line.watch
    finally:
        _lines.remove(line)
        line.stop()


_lines: "list[ProgressLine]" = []
"""The line of progress on the terminal, which ends before anything else is printed."""


def _end_progress() -> None:
    for line in _lines:
        line.stop()
