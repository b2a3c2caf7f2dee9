"""Experiments of a paper that can be run again: what it prints, what is found, and the figure drawn anew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

T = TypeVar("T")
Value = str | int | float
Status = Literal["equal", "erratum", "does not reproduce", "no number is printed"]


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A number or a statement of a paper next to what is found.

    >>> Compared(what="moles", printed=26, found=26).status, Compared(what="moles", printed=26, found=12).status
    ('equal', 'does not reproduce')
    """

    what: str
    printed: Value | None
    """None where the paper draws a picture without numbers."""
    found: Value
    within: float = 0.0
    """How far apart two numbers may be that are called equal: the last printed digit, or what is read off a picture."""
    note: str = ""
    """Why the numbers differ, or what to know with them."""
    erratum: bool = False
    """Whether the note shows that the paper is in error."""

    @property
    def status(self) -> Status:
        """What became of the paper's number."""
        if self.printed is None:
            return "no number is printed"
        if isinstance(self.printed, str) or isinstance(self.found, str):
            same = str(self.printed) == str(self.found)
        else:
            same = abs(self.found - self.printed) <= self.within + 1e-12
        return "equal" if same else "erratum" if self.erratum else "does not reproduce"


@dataclass(frozen=True, kw_only=True)
class Line:
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
    lines: Sequence[Line]
    says: str = ""
    limit: float | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What running an experiment again gave."""

    compared: Sequence[Compared] = ()
    pictures: Sequence[Picture] = ()


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

    def rows(self, file: str) -> list[dict[str, str]]:
        """Read the lines of a file of the folder that has a header."""
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


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A study that was run, or what kept it from being run."""

    study: Study
    outcome: Outcome | None
    missing: tuple[str, ...] = ()
    seconds: float = 0.0
