"""Signals and errors at every file operation of a command that publishes.

By default a point of each fifth of them is tried, other ones with each fault; all of them with `make faults`.
"""

import os
import random
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from tests.faults.bench import (
    FAULTS,
    MODES,
    Launcher,
    check_entries,
    check_key,
    check_nothing_left,
    check_state,
    check_told,
    command,
    contents,
)

POINTS = None if os.environ.get("GIVEAWAY_FAULTS") == "all" else 5


@pytest.fixture(scope="session")
def operations(
    launcher: Launcher, templates: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, int]:
    """How many file operations each mode has, all of them without a fault and with nothing left behind."""
    counts = {}
    for mode, template in templates.items():
        box = tmp_path_factory.mktemp("clean") / "box"
        shutil.copytree(template, box)
        (run,) = launcher.run(box, command(mode))
        assert run.code == 0, run
        assert check_state(contents(template), box, mode) == "new"
        check_entries(box, mode, 1)
        check_nothing_left(box)
        counts[mode] = len(run.operations)
    return counts


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("mode", MODES)
def test_whatever_happens_where(
    mode: str,
    fault: str,
    launcher: Launcher,
    templates: dict[str, Path],
    operations: dict[str, int],
    tmp_path: Path,
) -> None:
    points: Sequence[int] = range(1, operations[mode] + 1)
    if POINTS is not None:
        draw = random.Random(f"{mode} {fault}")  # noqa: S311 # repeats
        ends = [operations[mode] * part // POINTS for part in range(POINTS + 1)]
        points = [draw.randint(low + 1, high) for low, high in pairwise(ends)]
    before = contents(templates[mode])
    for point in points:
        box = tmp_path / str(point)
        shutil.copytree(templates[mode], box)
        (run,) = launcher.run(box, command(mode), fault=(point, fault))
        try:
            if fault == "SIGKILL":
                check_key(box, mode)
            else:
                check_told(run, check_state(before, box, mode))
            (again,) = launcher.run(box, command(mode))
            assert again.code == 0 or "left alone" in again.err, again
            assert check_state(before, box, mode) == "new"
            check_entries(box, mode, 1)
            check_nothing_left(box)
        except (AssertionError, KeyError, ValueError) as error:
            done = run.operations[point - 1] if len(run.operations) >= point else "the last"
            pytest.fail(
                f"{fault} at {point} of {operations[mode]}, {done}: {error}\n{run.err}\n{sorted(contents(box))}"
            )
        shutil.rmtree(box)
