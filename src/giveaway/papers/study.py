"""Experiments of a paper that can be run again: what it prints, what is found, and the figure drawn anew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

T = TypeVar("T")
Value = str | int | float
Status = Literal[
    "equal", "about", "erratum", "does not reproduce", "not stated in the paper", "no number is printed"
]


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A number or a statement of a paper next to what is found.

    >>> Compared(what="moles", printed=26, ours=26).status, Compared(what="moles", printed=26, ours=12).status
    ('equal', 'does not reproduce')
    >>> Compared(what="share", printed=0.45, ours=0.4492).status, Compared(what="share", printed=0.45, ours=0.44).status
    ('equal', 'does not reproduce')
    """

    what: str
    printed: Value | None
    """None where the paper draws a picture without numbers."""
    ours: Value
    within: float = 0.0
    """How far apart two numbers may be that are called about the same, beyond the digits that are printed."""
    roughly: bool = False
    """Whether at best it is about the same: the paper prints "around", or it holds but for chance."""
    note: str = ""
    """Why the numbers differ, or what to know with them."""
    erratum: bool = False
    """Whether the note shows that the paper is in error."""
    choice: bool = False
    """Whether what is found rests on something that the paper does not state, which the note says."""

    @property
    def status(self) -> Status:
        """What became of the paper's number."""
        if self.printed is None:
            return "no number is printed"
        if isinstance(self.printed, str) or isinstance(self.ours, str):
            if str(self.printed) == str(self.ours):
                return "about" if self.roughly else "equal"
        else:
            apart = abs(self.ours - self.printed)
            if not self.roughly and apart <= _half_a_digit(self.printed) + 1e-12:
                return "equal"
            if apart <= self.within + 1e-12:
                return "about"
        return (
            "erratum" if self.erratum else "not stated in the paper" if self.choice else "does not reproduce"
        )


def _half_a_digit(printed: float) -> float:
    """Return half of the last digit that is printed; a whole number is exact."""
    digits = f"{printed:f}".rstrip("0").partition(".")[2] if isinstance(printed, float) else ""
    return 0.5 * 10.0 ** -len(digits) if digits else 0.0


def stated(
    what: str,
    *,
    holds: bool,
    note: str = "",
    erratum: bool = False,
    choice: bool = False,
    roughly: bool = False,
) -> Compared:
    """Compare a statement of a paper, which it makes without a number, with whether it holds."""
    return Compared(
        what=what,
        printed="yes",
        ours="yes" if holds else "no",
        note=note,
        erratum=erratum,
        choice=choice,
        roughly=roughly,
    )


@dataclass(frozen=True, kw_only=True)
class FigureLine:
    """A line of a figure; `printed` for numbers of the paper, which are drawn as points, as are `points` of ours."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    printed: bool = False
    points: bool = False


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A figure drawn anew."""

    title: str
    x_label: str
    y_label: str
    lines: Sequence[FigureLine]
    says: str = ""
    limit: float | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What running an experiment again gave."""

    compared: Sequence[Compared] = ()
    pictures: Sequence[Picture] = ()

    def on_other_data(self) -> "Outcome":
        """Leave out what the paper prints, which is not about these data, and what explains it."""
        return Outcome(
            compared=[replace(one, printed=None, note="") for one in self.compared],
            pictures=[
                replace(one, lines=[line for line in one.lines if not line.printed], says="")
                for one in self.pictures
            ],
        )


class Lab(Protocol):
    """What an experiment may use: the product from outside, and a folder with data."""

    def once(self, what: str, work: Callable[[], T]) -> T:
        """Return what was worked out before under a name."""
        ...

    def assess(self, release: Any, attackers: Any, tolerance: Any, **how: Any) -> Any:
        """Measure and judge."""
        ...

    def protect(self, release: Any, attackers: Any, tolerance: Any, **how: Any) -> Any:
        """Withhold until it is within tolerance."""
        ...

    def table(self, file: str, **how: Any) -> Any:
        """Read a table of the folder."""
        ...

    def rows(
        self, file: str, *, names: Sequence[str] | None = None, separator: str = ","
    ) -> list[dict[str, str]]:
        """Read the lines of a file of the folder; it has a header unless the names of its columns are given."""
        ...

    def find(self, file: str) -> Path | None:
        """Return where a file of the folder is; None where it is not there."""
        ...

    def transactions(self, file: str, **how: Any) -> Any:
        """Read transactions of the folder."""
        ...


@dataclass(frozen=True, kw_only=True)
class Study:
    """One example, table or figure of a paper."""

    where: str
    """As the paper calls it: "Figure 5a", "Example 1", "Section VI.D"."""
    title: str
    run: Callable[[Lab], Outcome]
    data: tuple[str, ...] = ()
    """The files that it needs, below the folder or in it; none where the paper prints its data."""
    reason: str = ""
    """Why it is not run, where it cannot be."""
    left_out: str = ""
    """What of it is not run again, and why."""
    stand_in: str = ""
    """What it runs on where its files are not there, such as "600 made-up people"; empty where it then does not run."""


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A study that was run, or what kept it from being run."""

    study: Study
    outcome: Outcome | None
    missing: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def about(self) -> str:
        """Why it was not run, or on what else than the paper's data; empty where there is nothing to say."""
        study = self.study
        needs = ", ".join(self.missing)
        if study.reason:
            return study.reason
        if self.outcome is None:
            return f"not run: it needs {needs}"
        return f"on {study.stand_in}, because {needs} is not there" if self.missing else ""
