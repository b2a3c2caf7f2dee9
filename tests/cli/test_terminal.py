"""What stands on a terminal: signs, width, a next command that can be pasted; and what stands in a log."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run


def on_terminal(tmp_path: Path, *words: str, columns: int = 100) -> str:
    """Run a command whose output is a terminal, and return all that it wrote there."""
    main, other = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "giveaway", *words]
    with subprocess.Popen(command, stdout=other, stderr=other, stdin=other, cwd=tmp_path, env=environment):
        os.close(other)
        parts = []
        try:
            while part := os.read(main, 65536):
                parts.append(part)
        except OSError:  # the other end is closed
            pass
    os.close(main)
    return b"".join(parts).decode()


def test_signs_stay_and_the_next_command_can_be_pasted(run: Run, tmp_path: Path) -> None:
    assert run("assess", "shop.toml").returncode == 1
    text = on_terminal(tmp_path, "assess", "shop.toml", "--set", "tolerates.identity=1/3")
    assert "▲ AT RISK" in text
    assert "→" in text
    (last,) = [line for line in text.splitlines() if line.startswith("Next: ")]
    assert last == "Next: giveaway protect shop.toml --set tolerates.identity=1/3 -o out"
    assert "\r" not in text.split("▲ AT RISK")[1].replace("\r\n", "\n")  # no bar after the answer began
    words = last.removeprefix("Next: giveaway ").split()
    assert run(*words).returncode == 0


def test_lines_use_the_width_of_the_terminal(run: Run, tmp_path: Path) -> None:
    wide = on_terminal(tmp_path, "assess", "shop.toml", columns=110)
    narrow = on_terminal(tmp_path, "assess", "shop.toml", columns=60)
    assert len(wide.splitlines()) < len(narrow.splitlines())
    assert "values are not printed" in run("assess", "shop.toml").stdout


def test_a_log_keeps_the_numbers_and_no_values(run: Run) -> None:
    text = run("assess", "shop.toml").stdout
    assert "over the limit" in text
    assert "rare" not in text
    assert "Next: giveaway protect shop.toml -o out" in text


def test_quiet_prints_nothing_and_brief_the_verdict(run: Run) -> None:
    quiet, brief = run("assess", "shop.toml", "--quiet"), run("assess", "shop.toml", "--brief")
    assert (quiet.stdout, quiet.stderr, quiet.returncode) == ("", "", 1)
    assert "AT RISK" in brief.stdout
    assert "over the limit" not in brief.stdout
    wrong = run("assess", "nowhere.toml", "--quiet")
    assert wrong.returncode == 2
    assert "CANNOT JUDGE" in wrong.stderr


def test_an_attacker_and_a_limit_are_added_to_a_scenario(run: Run) -> None:
    text = run("assess", "shop.toml", "--knows", "items:at_most=1", "--tolerates", "identity=1/3").stdout
    assert "2  items" in text
    assert "1 in 3" in text


def test_limits_of_the_command_line_win_over_a_preset_and_a_preset_over_the_scenario(run: Run) -> None:
    assert "1 in 3 (identity)" in run("assess", "shop.toml", "--preset", "cell-3").stdout
    both = run("assess", "shop.toml", "--preset", "cell-3", "--tolerates", "identity=1/4").stdout
    assert "1 in 4 (identity)" in both
    assert "Given otherwise: identity 1/4." in " ".join(both.split())


def test_several_values_are_set_between_commas(run: Run) -> None:
    text = run("assess", "shop.toml", "--set", "release.private=insulin,jam", "--brief")
    assert text.returncode == 1
    quoted = run("assess", "shop.toml", "--set", 'release.private="insulin,jam"')
    assert quoted.returncode == 2
    assert '"insulin,jam"' in quoted.stderr


@pytest.mark.parametrize("words", [("--show-completion",), ("--help",)])
def test_shells_can_complete(tmp_path: Path, words: tuple[str, ...]) -> None:
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-m", "giveaway", *words, *(("bash",) if "completion" in words[0] else ())]
    text = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    ).stdout
    assert "complet" in text
