"""Where memory runs out, one sentence says so."""

import errno
import json
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pytest

from giveaway.cli.memory import lacks_memory

CHILD = """\
import resource, sys
from giveaway.cli import main

def command(data):
    sys.argv = ["giveaway", "assess", data, *{words!r}]
    try:
        main()
    except SystemExit as ended:
        return ended.code

assert command("small.{ending}") in (0, 1)  # everything is imported and compiled
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + (100 << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
sys.exit(command("large.{ending}"))
"""
WORDS = {
    "dat": ["--knows", "items:at_most=1", "--tolerates", "identity=1/2"],
    "csv": ["--knows", "directory:on=zip", "--tolerates", "identity=1/2", "--set", "release.rest=leave_out"],
}


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs to know how much memory is used")
@pytest.mark.parametrize("ending", ["dat", "csv"])
def test_a_limit_of_the_system_on_memory_is_told_in_one_sentence(ending: str, tmp_path: Path) -> None:
    head = "zip,age\n" if ending == "csv" else ""
    cut = "," if ending == "csv" else " "
    (tmp_path / f"small.{ending}").write_text(head + 4 * f"a{cut}b\n")
    (tmp_path / f"large.{ending}").write_text(head + f"a{cut}{'b' * 60_000_000}\n")
    child = CHILD.format(words=WORDS[ending], ending=ending)
    found = subprocess.run(
        [sys.executable, "-c", child], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert found.returncode == 2, found.stderr
    assert "memory" in found.stderr
    assert "giveaway failed" not in found.stderr
    assert "Traceback" not in found.stderr
    assert "hint: " in found.stderr


@pytest.mark.parametrize("most", [100 << 20, 300 << 20, 450 << 20, 500 << 20])
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_too_little_memory_to_begin_with_is_told_at_once(most: int, tmp_path: Path) -> None:
    (tmp_path / "small.dat").write_text("a b\n" * 4)
    child = (
        "import resource, sys; from giveaway.cli import main\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}))\n"
        f"sys.argv = ['giveaway', 'assess', 'small.dat', '--json', '-', *{WORDS['dat']!r}]; main()"
    )
    found = subprocess.run(
        [sys.executable, "-c", child], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert (found.returncode, "Traceback" in found.stderr) == (2, False), found
    assert f"This process may have {most >> 20} MB of memory" in found.stderr
    assert json.loads(found.stdout)["verdict"] == "cannot judge"


def array_too_large() -> None:
    np.empty(1 << 58, np.int64)


def engine_without_memory() -> None:
    with duckdb.connect(":memory:") as held:
        held.execute("SET memory_limit = '1MB'; SET max_temp_directory_size = '0B'")
        held.execute("CREATE TABLE a AS SELECT random() AS x FROM range(10000000) ORDER BY x")


def thread_without_memory() -> None:
    raise RuntimeError("can't start new thread")


def system_without_memory() -> None:
    raise OSError(errno.ENOMEM, "Cannot allocate memory")


def library_without_memory() -> None:
    raise ImportError("libx.so: failed to map segment from shared object")


def hidden_behind_another() -> None:
    try:
        array_too_large()
    except MemoryError:
        raise ValueError("not sorted") from None


@pytest.mark.parametrize(
    "work",
    [
        array_too_large,
        engine_without_memory,
        thread_without_memory,
        system_without_memory,
        library_without_memory,
        hidden_behind_another,
    ],
)
def test_every_way_in_which_memory_runs_out_is_known(work: object) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 # whatever a library raises
        work()  # type: ignore[operator]
    assert lacks_memory(caught.value)


def test_other_errors_are_not_taken_for_want_of_memory() -> None:
    first, second = ValueError("a"), KeyError("b")
    first.__context__, second.__context__ = second, first
    assert not lacks_memory(first)
    assert not lacks_memory(OSError(errno.ENOENT, "No such file"))
    assert not lacks_memory(None)
