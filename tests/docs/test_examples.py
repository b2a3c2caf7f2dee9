"""Every example of the documentation runs, and shows what it really prints."""

import contextlib
import doctest
import io
import itertools
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from tests.docs.pages import ROOT, Block, blocks, name_of, pages
from tests.sizes import long
from typer.testing import CliRunner

from giveaway.cli.main import app
from giveaway.scenario import understand

_BASE = {
    "release": {"data": "baskets.dat"},
    "tolerates": {"identity": "1/5"},
    "knows": [{"attack": "items", "at_most": 2}],
}


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the folder that `giveaway demo` makes, from which the examples start."""
    place = tmp_path_factory.mktemp("demo")
    with contextlib.chdir(place):
        output, status = _run_command(["demo"])
    assert status == 0, output
    return place / "giveaway-demo"


@pytest.fixture
def workplace(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each page its own folder with the files of the demo and the examples in it, without their data."""
    shutil.copytree(demo, tmp_path / "giveaway-demo")
    shutil.copytree(
        ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("*.csv", "__pycache__")
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


_NOT_RUN = "pip install"
"""The only command that is shown and not run."""

_RUN = [page for page in pages() if any(block.language in ("python", "console") for block in blocks(page))]
_FIRST = ("README.md", "index.md", "tutorial")
"""How pages begin that are read first; the others take long together."""
_EACH = [page if page.name.startswith(_FIRST) else pytest.param(page, marks=long) for page in _RUN]
_TOML = [page for page in pages() if any(block.language == "toml" for block in blocks(page))]


@pytest.mark.papers
@pytest.mark.parametrize("page", _EACH, ids=name_of)
def test_the_examples_of_a_page_run_in_order_and_print_what_the_page_shows(
    page: Path, workplace: Path
) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    found = blocks(page)
    for block, following in itertools.zip_longest(found, found[1:]):
        if not block.run:
            continue
        if block.language == "python":
            printed = _run_python(block, page, names)
            if following is not None and following.language == "text" and following.follows:
                _compare(following.text, printed, f"{name_of(page)}:{following.line}")
        elif block.language == "console":
            _run_console(block, name_of(page))


@pytest.mark.parametrize("page", _TOML, ids=name_of)
def test_the_scenarios_of_a_page_are_understood_by_the_scenario_reader(page: Path) -> None:
    for block in blocks(page):
        if block.language == "toml":
            given = tomllib.loads(block.text, parse_float=Decimal)
            values = given if "release" in given and "knows" in given else {**_BASE, **given}
            understand(values, base=Path(), name=page.name, text=block.text, look=False)


def test_a_block_is_left_out_only_where_the_page_says_so_visibly_in_its_source() -> None:
    left_out = [
        f"{name_of(page)}:{block.line}" for page in pages() for block in blocks(page) if not block.run
    ]
    assert len(left_out) <= 3, left_out


def _run_python(block: Block, page: Path, names: dict[str, Any]) -> str:
    source = "\n" * block.line + block.text
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, name_of(page), "exec"), names)  # noqa: S102 # the examples are ours, and this is their test
    return printed.getvalue()


def _run_console(block: Block, page: str) -> None:
    status = 0
    for command, wanted, line in _commands(block):
        if command == "echo $?":
            assert wanted.strip() == str(status), f"{page}:{line}"
        elif command.startswith("giveaway "):
            output, status = _run_command(shlex.split(command, comments=True)[1:])
            if wanted:
                _compare(wanted, output, f"{page}:{line}")
            else:
                assert status in (0, 1), f"{page}:{line}: {output}"
        elif command.startswith("python "):
            printed = subprocess.check_output([sys.executable, *shlex.split(command)[1:]], text=True)
            if wanted:
                _compare(wanted, printed, f"{page}:{line}")
        else:
            assert command.startswith(_NOT_RUN), f"{page}:{line} is not run"


def _commands(block: Block) -> Iterator[tuple[str, str, int]]:
    """Give each command after `$ ` with the output shown under it."""
    lines = block.text.splitlines()
    starts = [place for place, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in itertools.zip_longest(starts, starts[1:], fillvalue=len(lines)):
        shown = "".join(f"{line}\n" for line in lines[start + 1 : end])
        yield lines[start][2:].strip(), shown, block.line + start


def _run_command(arguments: list[str]) -> tuple[str, int]:
    before = signal.getsignal(signal.SIGTERM)
    try:
        result = CliRunner().invoke(app, arguments)
    finally:
        signal.signal(signal.SIGTERM, before)
    return result.output, result.exit_code


def _compare(wanted: str, got: str, where: str) -> None:
    """Compare line by line without blanks at the ends; `...` stands for anything."""
    tidy = ["".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines()) for text in (wanted, got)]
    if not doctest.OutputChecker().check_output(*tidy, doctest.ELLIPSIS):
        pytest.fail(f"{where} shows\n{tidy[0]}\nand the truth is\n{tidy[1]}")
