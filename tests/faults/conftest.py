"""One warm process for all commands that meet faults."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import forking as forking  # noqa: PLC0414 # fixtures are found by name
from tests.cli.conftest import invoke as invoke  # noqa: PLC0414
from tests.cli.conftest import run as run  # noqa: PLC0414
from tests.faults.bench import MODES, Launcher, prepare, warm


@pytest.fixture(scope="session")
def launcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launcher]:
    folder = tmp_path_factory.mktemp("launcher")
    made = Launcher(folder)
    warm(made, folder)
    yield made
    made.close()


@pytest.fixture(scope="session")
def templates(launcher: Launcher, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The box in which each mode begins."""
    folder = tmp_path_factory.mktemp("templates")
    for mode in MODES:
        prepare(launcher, folder / mode, mode)
    return {mode: folder / mode for mode in MODES}
