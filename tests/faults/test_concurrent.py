"""Several processes or threads that publish into one folder: exactly one wins, and the others leave nothing."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.faults.bench import (
    KEY,
    Launcher,
    Run,
    check_entries,
    check_nothing_left,
    check_state,
    command,
    contents,
    make_box,
    prepare,
)

import giveaway as ga

ROUNDS = 100 if os.environ.get("GIVEAWAY_FAULTS") == "all" else 25
REFUSED = ("left alone", "which was left to it")


def check_refused(runs: list[Run]) -> None:
    for run in runs:
        assert run.code == 2, run
        assert any(words in run.err for words in REFUSED), run
        assert "Nothing was written." in run.err, run


@pytest.mark.parametrize("mode", ["new", "new-key"])
def test_processes(launcher: Launcher, tmp_path: Path, mode: str) -> None:
    for number in range(ROUNDS):
        box = tmp_path / str(number)
        prepare(launcher, box, mode)
        before = contents(box)
        runs = launcher.run(box, *[command(mode)] * (2 + number % 7))
        assert sorted(run.code for run in runs)[:2] == [0, 2], runs
        check_refused([run for run in runs if run.code != 0])
        assert check_state(before, box, mode) == "new"
        check_entries(box, mode, 1)
        check_nothing_left(box)


def test_processes_that_replace_a_release(launcher: Launcher, tmp_path: Path) -> None:
    mode = "force-key"
    for number in range(ROUNDS // 2):
        box = tmp_path / str(number)
        prepare(launcher, box, mode)
        before = contents(box)
        runs = launcher.run(box, *[command(mode)] * (2 + number % 7))
        assert 0 in {run.code for run in runs}  # who comes after another has ended may replace it again
        check_refused([run for run in runs if run.code != 0])
        assert check_state(before, box, mode) == "new"
        check_entries(box, mode, 1)
        check_nothing_left(box)


def test_processes_with_one_owners_file_lose_no_entry(launcher: Launcher, tmp_path: Path) -> None:
    for number in range(ROUNDS // 5):
        box = tmp_path / str(number)
        make_box(box)
        words = [["protect", "shop.toml", "-o", f"out{place}", "--brief", *KEY] for place in range(6)]
        assert [run.code for run in launcher.run(box, *words)] == [0] * 6
        check_entries(box, "key", 6)
        check_nothing_left(box)


def test_threads(tmp_path: Path) -> None:
    baskets = [["a", "b"], ["a", "b"], ["a"], ["b"]]
    found = ga.assess(
        ga.Release(ga.Transactions.from_lists(baskets)),
        ga.KnowsItems(at_most=1),
        ga.Tolerance(identity="1/2"),
    )

    told: set[str] = set()

    def publish(folder: Path) -> bool:
        try:
            found.publish(folder, key=tmp_path / "key.json")
        except ga.NotWritten as error:
            told.add(str(error).replace(str(folder), "it"))
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        for number in range(2 * ROUNDS):
            out = tmp_path / str(number)
            assert sum(pool.map(publish, [out] * (2 + number % 7))) == 1
            assert sorted(path.name for path in out.iterdir()) == ["manifest.json", "release.dat"]
    assert len(list(tmp_path.iterdir())) == 2 * ROUNDS + 1
    assert all(any(words in one for words in REFUSED) for one in told), told
