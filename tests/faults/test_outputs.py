"""What a command writes destroys neither what it reads nor what it does not know."""

import json
import os
import stat
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.faults.bench import KEY, Launcher, Run, contents, make_box

Box = Path


@pytest.fixture
def box(tmp_path: Path) -> Box:
    make_box(tmp_path / "box")
    return tmp_path / "box"


def run(launcher: Launcher, box: Box, *words: str) -> Run:
    (made,) = launcher.run(box, words)
    return made


def refused(launcher: Launcher, box: Box, words: Sequence[str], told: str) -> None:
    """Check that a command is refused, by a sentence, with everything as it was."""
    before = contents(box)
    made = run(launcher, box, *words)
    assert made.code == 2, made
    assert told in made.err, made.err
    assert "Nothing was written." in made.err, made.err
    assert contents(box) == before


PROTECT = ("protect", "shop.toml", "-o", "out")


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize(
    "words",
    [
        ("assess", "shop.toml", "--json", "baskets.dat"),
        ("assess", "shop.toml", "--html", "shop.toml"),
        ("assess", "shop.toml", "--public-html", "hard.dat"),
        ("assess", "shop.toml", "--json", "link.dat"),
        (
            "assess",
            "baskets.dat",
            "--knows",
            "items:at_most=1",
            "--tolerates",
            "identity=1/2",
            "--json",
            "baskets.dat",
        ),
        ("assess", "shop.toml", "--set", 'release.private_from="private.txt"', "--json", "private.txt"),
        (*PROTECT, "--html", "shop/../baskets.dat"),
        (*PROTECT, "--to", "duckdb:baskets.dat", "--table", "shop"),
        ("init", "baskets.dat", "-o", "baskets.dat"),
        ("report", "saved.json", "--html", "saved.json"),
    ],
)
def test_an_input_is_never_replaced(
    launcher: Launcher, box: Box, words: tuple[str, ...], force: tuple[str, ...]
) -> None:
    shop = box / "shop"
    (shop / "private.txt").write_text("rare\n")
    (shop / "hard.dat").hardlink_to(shop / "baskets.dat")
    (shop / "link.dat").symlink_to("baskets.dat")
    (shop / "shop").mkdir()
    assert run(launcher, box, "assess", "shop.toml", "--json", "saved.json").code == 1

    refused(
        launcher,
        box,
        (*words, *(() if "--to" in words else force)),
        "is read by this command and was left alone",
    )


def test_a_release_that_is_read_is_not_replaced(launcher: Launcher, box: Box) -> None:
    assert run(launcher, box, *PROTECT).code == 0
    (box / "shop" / "shop.toml").write_text(
        (box / "shop" / "shop.toml").read_text().replace("baskets.dat", "out/release.dat")
    )
    refused(launcher, box, (*PROTECT, "--force"), "out/release.dat lies in out, which was left alone")


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("assess", "shop.toml", "--html", "same", "--json", "same"), "--json and --html are both same"),
        (("assess", "shop.toml", "--html", "same", "--public-html", "./same"), "are both"),
        ((*PROTECT, "--key", "same", "--json", "same"), "--json and --key are both same"),
        ((*PROTECT, "--key", "k", "--json", "link"), "--json and --key are both k"),
        ((*PROTECT, "--json", "out"), "--json and -o are both out"),
        ((*PROTECT, "--json", "out/saved.json"), "lies in the release folder"),
        ((*PROTECT, "--public-html", "out/release.dat"), "lies in the release folder"),
        ((*PROTECT, "--public-html", "out/manifest.json"), "lies in the release folder"),
        ((*PROTECT, "--key", "out/key.json"), "lies in the release folder"),
        ((*PROTECT, "--json", "d", "--to", "duckdb:d", "--table", "t"), "--json and --to are both d"),
        ((*PROTECT, "--key", "d", "--to", "duckdb:d", "--table", "t"), "--key and --to are both d"),
    ],
)
def test_no_two_outputs_are_the_same(
    launcher: Launcher, box: Box, words: tuple[str, ...], told: str, force: tuple[str, ...]
) -> None:
    (box / "shop" / "link").symlink_to("k")
    refused(launcher, box, (*words, *force), told)


@pytest.mark.parametrize("option", ["--json", "--html", "--public-html"])
def test_a_report_that_exists_is_replaced_only_by_force(launcher: Launcher, box: Box, option: str) -> None:
    mine = box / "shop" / "mine"
    mine.write_text("years of work")
    refused(
        launcher, box, ("assess", "shop.toml", option, "mine"), f"{option} mine exists and was left alone"
    )

    assert run(launcher, box, "assess", "shop.toml", option, "mine", "--force").code == 1
    assert mine.read_text() != "years of work"


def test_only_its_owner_reads_what_names_exposures(launcher: Launcher, box: Box) -> None:
    reports = ("--json", "a.json", "--html", "a.html", "--public-html", "p.html")
    for words in (("assess", "shop.toml"), (*PROTECT, *KEY)):
        assert run(launcher, box, *words, *reports, "--force").code == (1 if words[0] == "assess" else 0)
        modes = {
            name: (box / "shop" / name).stat().st_mode & 0o777 for name in ("a.json", "a.html", "p.html")
        }
        (box / "shop" / "others").touch()
        usual = (box / "shop" / "others").stat().st_mode & 0o777
        assert modes == {"a.json": 0o600, "a.html": 0o600, "p.html": usual}


@pytest.mark.parametrize("name", ["baskets.dat", "thesis.txt", "folder"])
def test_the_key_is_an_owners_file_or_refused(launcher: Launcher, box: Box, name: str) -> None:
    (box / "shop" / "thesis.txt").write_text("years of work")
    (box / "shop" / "folder").mkdir()
    refused(launcher, box, (*PROTECT, "--key", name, "--force"), "is not an owner's file of giveaway")


def test_an_owners_file_gets_an_entry_although_it_is_an_input(launcher: Launcher, box: Box) -> None:
    assert run(launcher, box, *PROTECT, *KEY).code == 0
    words = ("--set", 'release.private_from="key.json"', "--set", "effort.seed=1")
    made = run(launcher, box, "protect", "shop.toml", "-o", "more", *KEY, *words)
    assert "is read by this command" not in made.err


def test_a_device_is_written_into_and_not_replaced(launcher: Launcher, box: Box) -> None:
    node = box / "shop" / "null"
    try:
        os.mknod(node, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices")
    for words in (("assess", "shop.toml"), PROTECT):
        assert run(launcher, box, *words, "--json", "null").code in (0, 1)
        assert stat.S_ISCHR(node.stat().st_mode)


def test_a_pipe_is_written_into_and_not_replaced(launcher: Launcher, box: Box) -> None:
    pipe = box / "shop" / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert run(launcher, box, *PROTECT, "--json", "pipe").code == 0
    reader.join(10)
    assert json.loads(read[0])["verdict"] == "safe"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_pipe_that_nobody_reads_is_no_reason_to_wait(launcher: Launcher, box: Box) -> None:
    os.mkfifo(box / "shop" / "pipe")
    made = run(launcher, box, "assess", "shop.toml", "--json", "pipe")
    assert (made.code, "pipe could not be written" in made.err) == (2, True), made
    made = run(launcher, box, *PROTECT, "--json", "pipe")
    assert (made.code, "Written before that, and whole: out" in made.err) == (2, True), made


def test_a_link_is_followed(launcher: Launcher, box: Box) -> None:
    (box / "shop" / "link").symlink_to("target")
    for words in (("assess", "shop.toml"), (*PROTECT, "--force")):
        assert run(launcher, box, *words, "--json", "link").code in (0, 1)
        assert (box / "shop" / "link").is_symlink()
        assert json.loads((box / "shop" / "target").read_text())["findings"]
    (box / "shop" / "circle").symlink_to("circle")
    refused(launcher, box, ("assess", "shop.toml", "--json", "circle"), "circle")


def test_a_folder_is_not_a_report(launcher: Launcher, box: Box) -> None:
    (box / "shop" / "folder").mkdir()
    refused(launcher, box, ("assess", "shop.toml", "--html", "folder"), "folder is a folder")
    refused(launcher, box, ("assess", "shop.toml", "--html", "no/r.html"), "its folder does not exist")


@pytest.mark.parametrize(
    "name", ["baskets.dat", "pharmacy.toml", "notes.txt", "owner-report.html", "release"]
)
def test_demo_leaves_folders_of_others_alone(launcher: Launcher, box: Box, name: str) -> None:
    mine = box / "shop" / "demo" / name
    mine.parent.mkdir()
    if name == "release":
        mine.mkdir()
        (mine / "thesis.txt").write_text("years of work")
    else:
        mine.write_text("years of work")
    refused(launcher, box, ("demo", "demo"), "left alone")


def test_demo_can_be_repeated_until_its_question_is_edited(launcher: Launcher, box: Box) -> None:
    assert run(launcher, box, "demo", "demo").code == 0
    assert run(launcher, box, "demo", "demo").code == 0
    question = box / "shop" / "demo" / "pharmacy.toml"
    question.write_text(question.read_text().replace('"1/5"', '"1/3"'))
    refused(launcher, box, ("demo", "demo"), "(pharmacy.toml), and was left alone")
