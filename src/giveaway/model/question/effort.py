"""How much work an answer may cost."""

from collections.abc import Callable
from dataclasses import dataclass

from giveaway.errors import ScenarioError
from giveaway.model.question.fields import check_switch, check_whole, described, documented

_LONGEST = 1_000_000_000
"""Some thirty years: more is a slip, and infinite time is not a limit."""

_STRONGEST = 100
"""Nobody knows more items of a transaction than this."""


@documented
@dataclass(frozen=True, kw_only=True)
class Effort:
    """The seed of all randomness and the limits of the search.

    >>> Effort(exact=True).seed
    0
    """

    seed: int = described("makes runs repeat; never used for renaming", default=0)
    seconds: float = described("a safety stop, reported when it strikes", default=600)
    exact: bool = described("keep searching for a release that is proved best", default=False)
    strength: int | None = described(
        "how far the curve of strength goes at least, also beyond the breaking point, where it does not show all there is: "
        "so many items known; when left out, to where the release breaks",
        default=None,
    )
    progress: bool | Callable[[str, int, int | None], None] | None = described(
        "show how far the work has come; when left out, in notebooks and on the command line; a function is told the "
        "stage, how much of it is done and of how much, and stops the work with what it raises",
        default=None,
    )

    def __post_init__(self) -> None:
        check_whole("seed", self.seed, 0)
        number = isinstance(self.seconds, int | float) and not isinstance(self.seconds, bool)
        if not number or not 0 < self.seconds <= _LONGEST:
            raise ScenarioError(
                f"seconds = {self.seconds!r} must be a number above 0 and at most {_LONGEST:,}.",
                hint="leave it out to stop after 600 seconds.",
                field="seconds",
            )
        if self.strength is not None:
            check_whole("strength", self.strength, most=_STRONGEST)
        if self.progress is not None and not callable(self.progress):
            check_switch("progress", self.progress)
        check_switch("exact", self.exact)
