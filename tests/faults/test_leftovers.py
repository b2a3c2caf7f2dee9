"""What killed runs leave among the temporary files is found and removed by the next run, and nothing else is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults.bench import Launcher, contents, make_box

from giveaway.scratch import scratch_folder, sweep_scratch, token

MESSY = 'name,town,job\n"ann",ulm,"co""ok"\n bob ,ulm,cook\n"eve, jr",ulm,cook\n' * 3
WORDS = (
    *("protect", "people.csv", "--knows", "directory:on=town,job", "--tolerates", "identity=1/2"),
    *("--set", "release.leave_out=name", "--set", "release.missing=", "-o", "out", "--brief"),
)


@pytest.mark.parametrize("fault", ["SIGHUP", "SIGKILL"])
def test_the_copy_of_a_file_that_is_read_goes(launcher: Launcher, tmp_path: Path, fault: str) -> None:
    make_box(tmp_path / "clean")
    (tmp_path / "clean" / "shop" / "people.csv").write_text(MESSY)
    (clean,) = launcher.run(tmp_path / "clean", WORDS)
    assert clean.code == 0, clean
    copied = [n for n, name in enumerate(clean.operations) if ".giveaway-scratch-" in name]
    assert copied, "the test needs a file that is copied when it is read"
    for point in range(copied[0], copied[0] + 8):
        box = tmp_path / str(point)
        make_box(box)
        (box / "shop" / "people.csv").write_text(MESSY)
        (run,) = launcher.run(box, WORDS, fault=(point + 1, fault))
        assert run.code in (2, -9), run
        if fault == "SIGHUP":
            assert not any(name.startswith("tmp/") for name in contents(box))
        (again,) = launcher.run(box, WORDS)
        assert again.code == 0, again
        assert not any(name.startswith("tmp/") for name in contents(box))


def test_folders_of_living_processes_and_of_others_stay(
    launcher: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_box(tmp_path / "box")
    tmp = tmp_path / "box" / "tmp"
    (tmp / f".giveaway-scratch-{token()}" / "deep").mkdir(parents=True)
    (tmp / ".giveaway-scratch-notes").mkdir()
    (tmp / "giveaway-demo").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp))
    with scratch_folder() as mine:
        assert mine.stat().st_mode & 0o777 == 0o700
        (tmp / f".giveaway-scratch-{token()}").mkdir()
        (run,) = launcher.run(tmp_path / "box", ["assess", "shop.toml"])
        assert run.code == 1
        assert {path.name for path in tmp.iterdir()} == {
            mine.name,
            ".giveaway-scratch-notes",
            "giveaway-demo",
        }
    assert not mine.exists()


def test_folders_of_other_users_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = tmp_path / f".giveaway-scratch-{token()}"
    left.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr("os.getuid", lambda: left.stat().st_uid + 1)
        sweep_scratch()
        assert left.exists()
    sweep_scratch()
    assert not left.exists()


def test_a_report_that_was_being_written_leaves_nothing_after_the_next(tmp_path: Path) -> None:
    left = tmp_path / f".r.json.giveaway-{token()}"
    script = (
        "import os, sys; from pathlib import Path; from giveaway.scratch import scratch_file\n"
        "with scratch_file(Path('r.json'), mode=0o600) as made:\n"
        "    made.write_text('half'); os.kill(os.getpid(), 9)"
    )
    left.write_text("half")
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False, env={**os.environ})
    assert len(list(tmp_path.iterdir())) == 1  # that of the killed process; the older one is gone

    from giveaway.publish import Text, write_texts

    write_texts([Text(path=tmp_path / "r.json", text="whole")])
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
