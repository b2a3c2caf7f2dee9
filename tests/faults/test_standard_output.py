"""Standard output that is full, closed or left by its reader: what is said of the files stays true."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults.bench import REPORTS, contents, make_box

PROTECT = ("protect", "shop.toml", "-o", "out")


def shell(folder: Path, words: tuple[str, ...], after: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a shell, which gives it its standard output."""
    line = f"{sys.executable} -c 'from giveaway.cli import main; main()' {' '.join(words)} {after}"
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        cwd=folder,
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    make_box(tmp_path / "box")
    return tmp_path / "box" / "shop"


@pytest.mark.parametrize("words", [(), ("--json", "-"), REPORTS])
def test_a_full_device_is_told_with_what_stands(shop: Path, words: tuple[str, ...]) -> None:
    made = shell(shop, (*PROTECT, *words), "> /dev/full")

    assert made.returncode == 2, made
    assert "Traceback" not in made.stderr
    assert "Standard output could not be written: No space left on device." in made.stderr
    named = ", ".join(["out", *(REPORTS[1::2] if words == REPORTS else ()), "its entry in out.owner.json"])
    assert f"Written before that, and whole: {named}." in made.stderr
    assert sorted(path.name for path in (shop / "out").iterdir()) == ["manifest.json", "release.dat"]


@pytest.mark.parametrize("after", [">&-", ">&- 2>&-"])
def test_a_closed_one_is_refused_before_any_work(shop: Path, after: str) -> None:
    before = contents(shop)
    made = shell(shop, PROTECT, after)

    assert made.returncode == 2, made
    assert "Traceback" not in made.stderr
    assert "2>&-" in after or "Standard output is closed. Nothing was written." in made.stderr
    assert contents(shop) == before


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("explain",)])
def test_a_closed_one_is_told_by_help_too(shop: Path, words: tuple[str, ...]) -> None:
    made = shell(shop, words, ">&-")

    assert made.returncode == 2, made
    assert "Standard output is closed." in made.stderr


@pytest.mark.parametrize("words", [("assess", "shop.toml"), ("assess", "shop.toml", "--json", "-")])
def test_a_reader_who_leaves_early_is_no_failure(shop: Path, words: tuple[str, ...]) -> None:
    made = shell(shop, words, "| true")

    assert made.returncode == 1, made  # at risk, as it is
    assert made.stderr == ""


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("explain",), ("init", "baskets.dat")])
def test_a_full_device_is_no_traceback_anywhere(shop: Path, words: tuple[str, ...]) -> None:
    made = shell(shop, words, "> /dev/full")

    assert made.returncode == 2, made
    assert "Traceback" not in made.stderr
    assert made.stderr.strip()
