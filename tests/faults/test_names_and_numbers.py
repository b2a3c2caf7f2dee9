"""Names that no file can have, and numbers and texts that nobody writes, are refused in one clear sentence."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.mutating import toml
from tests.faults.scenarios import BASES, write_files
from typer.testing import CliRunner, Result

from giveaway.cli.main import app

LONG = {"300": "a" * 300, "5000": "a" * 5_000, "deep": "a/" * 3_000 + "a"}
RIGHT = toml(BASES["items"])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    (tmp_path / "a.toml").write_text(RIGHT)
    before = signal.getsignal(signal.SIGTERM)
    yield tmp_path
    signal.signal(signal.SIGTERM, before)


def refused(*words: str) -> str:
    """Run a command that must be refused, and leave nothing; return what it says."""
    before = set(Path().rglob("*"))
    done: Result = CliRunner().invoke(app, list(words))

    assert done.exit_code == 2, done.output
    assert isinstance(done.exception, SystemExit)
    assert "giveaway failed" not in done.output
    assert "Traceback" not in done.output
    assert set(Path().rglob("*")) == before
    assert len(done.stderr) < 2_000
    return done.stderr


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize(
    "words",
    [
        ("assess", "{}.toml"),
        ("assess", "{}.csv", "--knows", "items:at_most=2", "--tolerates", "identity=1/2"),
        ("assess", "a.toml", "--set", "release.data={}"),
        ("assess", "a.toml", "--set", "release.private_from={}", "--set", "release.private=[]"),
        ("assess", "a.toml", "--json", "{}"),
        ("assess", "a.toml", "--html", "{}"),
        ("assess", "a.toml", "--public-html", "{}"),
        ("protect", "a.toml", "-o", "{}"),
        ("protect", "a.toml", "-o", "{}", "--key", "key.json"),
        ("protect", "a.toml", "-o", "out", "--key", "{}"),
        ("report", "{}"),
        ("init", "{}.csv", "-o", "b.toml"),
        ("init", "people.csv", "-o", "{}"),
        ("demo", "{}"),
    ],
    ids=" ".join,
)
def test_a_name_that_is_too_long_is_refused(words: tuple[str, ...], name: str) -> None:
    said = refused(*(word.format(LONG[name]) for word in words))

    assert "name too long" in said


def test_a_release_whose_name_is_no_text_is_refused() -> None:
    assert "is not UTF-8 text" in refused("protect", "a.toml", "-o", os.fsdecode(b"out\xff"))


@pytest.mark.parametrize(
    ("base", "right", "wrong"),
    [
        ("items", 'data = "baskets.dat"', 'data = "a\\u0000b"'),
        ("items", 'private = ["insulin"]', 'private_from = "a\\u0000b"'),
        ("directory of registers", '"voters.csv"', '"a\\u0000b"'),
        ("attributes", '"secrets.csv"', '"a\\u0000b"'),
    ],
)
def test_a_name_with_a_nul_byte_is_refused(folder: Path, base: str, right: str, wrong: str) -> None:
    text = toml(BASES[base])
    assert right in text
    (folder / "a.toml").write_text(text.replace(right, wrong))

    assert "a name cannot hold a NUL byte" in refused("assess", "a.toml")


@pytest.mark.parametrize(
    "words",
    [
        ("--exposures", "²"),
        ("--exposures", "٣"),
        ("--exposures", "9" * 5_000),
        ("--exposures", "-1"),
        ("--memory", "9" * 400),
        ("--memory", "²GB"),
        ("--seed", "9" * 5_000),
        ("--seed", str(10**30)),
        ("--set", "knows.²=1"),
        ("--set", "knows.\u0660.at_most=1"),
        ("--set", "knows." + "9" * 5_000 + "=1"),
        ("--set", "a." * 5_000 + "b=1"),
        ("--set", "knows.0.at_most=" + "[" * 5_000),
        ("--set", "knows.0.at_most=" + "9" * 5_000),
        ("--set", f"knows.0.at_most={10**30}"),
        ("--set", "knows.0.at_most=0x" + "f" * 5_000),
        ("--set", "tolerates.identity=1e999999999"),
        ("--set", "tolerates.identity=" + "9" * 5_000),
        ("--set", 'tolerates.identity="1e999999999"'),
        ("--set", 'knows.0.attack=["items"]'),
        ("--set", "knows.0.attack={a=1}"),
        ("--set", "knows.0.attack=nan"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_numbers_and_words_that_nobody_means_are_refused(words: tuple[str, ...]) -> None:
    refused("assess", "a.toml", *words)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"a = " + b"[" * 100_000, "a.toml"),
        (b"a = " + b"{a=" * 5_000 + b"1" + b"}" * 5_000, "a.toml"),
        (b"a = " + b"9" * 5_000, "too long"),
        (b"[a" + b".a" * 5_000 + b"]", "a.toml"),
        (b"a = 1\na = 2", "a.toml"),
        (b"\xff\xfe", "UTF-8"),
        (b"\x00", "a.toml"),
        (b"a = '\xed\xa0\x80'", "UTF-8"),
        (b'a = "\\ud800"', "a.toml"),
        (b"", "release"),
    ],
    ids=range(10),
)
def test_a_scenario_that_is_hardly_toml_is_refused(folder: Path, text: bytes, said: str) -> None:
    (folder / "a.toml").write_bytes(text)

    assert said in refused("assess", "a.toml")


def test_a_text_for_one_word_where_a_list_stands_is_refused_with_its_line(folder: Path) -> None:
    (folder / "a.toml").write_text(RIGHT.replace('attack = "items"', 'attack = ["items"]'))

    assert "There is no attack" in refused("assess", "a.toml")
