"""Settings that all tests share."""

import os
import pickle
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

settings.register_profile(
    "giveaway",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("giveaway")

TESTS = Path(__file__).parent
GUESTS = ("papers", "engines")
HIDDEN = os.environ.get("GIVEAWAY_GUESTS") == "hidden"


class _Hidden:
    """Finds no guest, as where none is installed."""

    def find_spec(self, name: str, *_: Any) -> None:
        if name.split(".")[:2] in (["giveaway", guest] for guest in GUESTS):
            raise ModuleNotFoundError(f"{name} is a guest, and hidden.", name=name)


if HIDDEN:
    sys.meta_path.insert(0, _Hidden())  # type: ignore[arg-type]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, Any, Any]:
    """Look for examples in the docstrings of the product only: those of tests have none."""
    collected = yield
    return [one for one in collected if not isinstance(one, DoctestModule) or TESTS not in file_path.parents]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is in the folder of a guest, tests and examples of its functions, and data in a database among other forms."""
    for item in items:
        for guest in {*GUESTS} & {*item.path.parts}:
            item.add_marker(guest)
        forms = getattr(item, "callspec", None)
        if forms is not None and any(str(form) == "duckdb" for form in forms.params.values()):
            item.add_marker("engines")


@pytest.fixture(autouse=True, scope="session")
def _checker_repeats() -> Iterator[None]:
    """Let the checker draw the same each time: its intervals miss by chance one time in twenty, and tests must not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("giveaway.checker.attacks.frequencies.itemsets.SystemRandom", lambda: Random(7))  # noqa: S311 # draws that repeat
        yield


@pytest.fixture(autouse=True, scope="session")
def _equal_programs_are_solved_once() -> Iterator[None]:
    """Remember the answers to integer programs: small tables put the same few again and again."""
    from scipy import optimize

    solve = optimize.milp
    solved: dict[bytes, bytes] = {}

    def remembered(cost: Any, *, options: Any, **program: Any) -> Any:
        if "time_limit" in options:  # whose answer may differ
            return solve(cost, options=options, **program)
        asked = pickle.dumps((cost, options, program))
        if asked not in solved:
            solved[asked] = pickle.dumps(solve(cost, options=options, **program))
        return pickle.loads(solved[asked])  # noqa: S301 # our own, and nobody else's to change

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimize, "milp", remembered)
        yield


@pytest.fixture(autouse=True, scope="session")
def _summaries_fit_their_schema() -> Iterator[None]:
    """Let every Summary that a test makes be checked as `giveaway report` checks it."""
    from giveaway.assessment import Assessment
    from giveaway.report.agreeing import contradictions
    from giveaway.report.schema import misfits

    made = Assessment.to_dict

    def checked(self: Assessment, **how: Any) -> dict[str, Any]:
        summary = made(self, **how)
        if not self.findings:  # parts of a Summary alone, which no question has
            return summary
        assert misfits(summary, most=5) == []
        assert list(contradictions(summary)) == []
        return summary

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Assessment, "to_dict", checked)
        yield
