import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import Run

GIVEN = {"baskets.dat", "shop.toml"}


def refused(run: Run, tmp_path: Path, *words: str, more: set[str] = frozenset(), outcome: int = 2) -> str:
    """Run a command that must fail with one clear error and leave nothing."""
    done = run(*words)

    assert done.returncode == outcome, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == GIVEN | more
    return done.stdout + done.stderr


PROTECT = ("protect", "shop.toml", "-o", "out", "--html", "owner.html")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.dat", b"", "empty"),
        ("binary.dat", b"\x00\x01\x02 a\n", "binary"),
        ("latin.dat", "caf\xe9 milk\n".encode("latin-1"), "UTF-8"),
        ("cut.dat.gz", gzip.compress(b"a b\n" * 1000, mtime=0)[:-20], "gz"),
    ],
)
def test_bad_baskets(run: Run, tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)

    assert (
        said.lower() in refused(run, tmp_path, *PROTECT, "--set", f"release.data={name}", more={name}).lower()
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,item\n1,a\n2,a,b\n", "line 3"),
        ("id,item,item\n1,a,b\n", '"item"'),
        ("id,item,visits\n1,a,3\n", "visits"),
    ],
)
def test_bad_tables(run: Run, tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "long.csv").write_text(content)
    words = (
        "--set",
        "release.data=long.csv",
        "--set",
        "release.id=id",
        "--set",
        "release.item=item",
        "--set",
        'release.private=["a"]',
    )

    assert said in refused(run, tmp_path, *PROTECT, *words, more={"long.csv"}).lower()


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("release.data=nowhere.dat", "nowhere.dat"),
        ('release.private=["insuline"]', "insulin"),
        ("knows.0.at_most=0", "at least 1"),
        ("release.private_from=p.txt", "both given"),
        ("tolerates.identity=1/0", "not a finite number"),
        ("knows.0.attack=magic", "There is no attack magic"),
        ("tolerates={share=0.1}", "no limit"),
        ("tolerates={average=0.1}", "attribute, identity"),
    ],
)
def test_wrong_questions(run: Run, tmp_path: Path, setting: str, said: str) -> None:
    assert said in refused(run, tmp_path, *PROTECT, "--set", setting)


@pytest.mark.parametrize(
    "words",
    [
        ("assess", "shop.toml", "--exposures", "few"),
        ("assess", "shop.toml", "--memory", "lots"),
        ("assess", "baskets.dat"),
        ("assess", "shop.toml", "--html", "missing/folder.html"),
        ("protect", "shop.toml", "-o", "baskets.dat/out"),
        ("protect", "shop.toml", "-o", "out", "--html", "out/owner.html"),
        ("protect", "shop.toml", "-o", "out", "--key", "baskets.dat"),
        ("protect", "shop.toml", "-o", "out", "--ledger", "out/key.json"),
        ("init", "nowhere.dat"),
    ],
)
def test_contradictory_or_impossible_options(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    refused(run, tmp_path, *words)


def test_with_json_on_standard_output_errors_are_json(run: Run) -> None:
    done = run("assess", "shop.toml", "--json", "-", "--set", "knows.0.at_most=0")

    told = json.loads(done.stdout)
    assert {name: told[name] for name in ("schema", "verdict")} == {"schema": 2, "verdict": "cannot judge"}
    assert [("at_most" in error) for error in told["errors"]] == [True]
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (('release.private=["bread"]',), "bread"),
        (("tolerates.identity=1/50",), "identity"),
        (("tolerates.identity=1/9",), "identity"),
    ],
)
def test_no_safe_release_is_at_risk_with_a_reason_and_what_helps(
    run: Run, tmp_path: Path, settings: tuple[str, ...], named: str
) -> None:
    words = [word for setting in settings for word in ("--set", setting)]
    done = run("protect", "shop.toml", "-o", "out", "--json", "-", *words)
    summary = json.loads(done.stdout)
    reasons = " ".join(summary["findings"][0]["reasons"])

    assert (done.returncode, summary["verdict"]) == (1, "at risk")
    assert named in reasons
    assert "tolerates." in reasons
    assert named in done.stderr
    assert "tolerates." in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == GIVEN


def test_what_is_said_to_help_does_help(run: Run, tmp_path: Path) -> None:
    for place, setting in enumerate(('release.private=["bread"]', "tolerates.identity=1/9")):
        out = f"out{place}"
        done = run("protect", "shop.toml", "-o", out, "--json", "-", "--set", setting)
        reasons = " ".join(json.loads(done.stdout)["findings"][0]["reasons"])
        helps = re.search(r"tolerates\.(\w+)=([\d/]+)", reasons)
        assert helps is not None
        again = run("protect", "shop.toml", "-o", out, "--set", setting, "--set", helps[0])
        assert again.returncode == 0, (setting, helps[0], again.stdout)


def test_an_interrupted_run_leaves_no_output(run: Run, tmp_path: Path) -> None:
    rows = "\n".join(
        " ".join(str(item) for item in range(line % 50, line % 50 + 30)) for line in range(20000)
    )
    (tmp_path / "big.dat").write_text(rows + "\n")
    command = "import giveaway.checker as c, time; c.judge = lambda *a: time.sleep(60); from giveaway.cli import main; main()"
    words = ["protect", "big.dat", "--knows", "items:at_most=1", "--tolerates", "identity=1/2", "-o", "out"]
    process = subprocess.Popen(
        [sys.executable, "-c", command, *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    while not any(path.name.startswith(".out.giveaway") for path in tmp_path.iterdir()):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)

    assert process.returncode == 2
    assert "Stopped" in said
    assert {path.name for path in tmp_path.iterdir()} == GIVEN | {"big.dat"}
