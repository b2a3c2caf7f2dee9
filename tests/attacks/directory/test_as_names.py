"""`--as`: the readings of a table by name, on the command line and in reports."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke
from tests.report.reading import Page

from giveaway.report.wording.readings import NAMES

CLINIC = """\
age,sex,illness
30-39,f,flu
30-39,f,cold
40-49,m,flu
40-49,m,flu
40-49,m,cold
"""
REGISTER = "name,age,sex\nAda,30-39,f\nBea,30-39,f\nCleo,30-39,f\nDan,40-49,m\nEli,40-49,m\nFay,50-59,f\n"
SCENARIO = """\
[release]
data = "clinic.csv"
sensitive = "illness"
[tolerates]
identity = "1/2"
[[knows]]
attack = "directory"
columns = ["age", "sex"]
"""


@pytest.fixture
def folder(tmp_path: Path, invoke: Invoke) -> Path:
    (tmp_path / "clinic.csv").write_text(CLINIC)
    (tmp_path / "register.csv").write_text(REGISTER)
    (tmp_path / "clinic.toml").write_text(SCENARIO)
    (tmp_path / "looked-up.toml").write_text(SCENARIO + 'people = "register.csv"\nid = "name"\n')
    return tmp_path


def told(text: str) -> dict[str, str]:
    """Return what is printed of each name, on one line."""
    found: dict[str, str] = {}
    name = ""
    for line in (
        text.partition("in the names of the field")[2].partition("These are")[0].strip("\n").splitlines()
    ):
        name = line[3:19].strip() or name
        found[name] = f"{found.get(name, '')} {line[19:].strip()}".strip()
    return found


@pytest.mark.usefixtures("folder")
def test_a_reading_is_printed_with_its_meaning(invoke: Invoke) -> None:
    done = invoke("assess", "clinic.toml", "--as", "k-anonymity, t-closeness", "--as", "uniques")
    said = told(done.output)

    assert done.exit_code == 0
    assert list(said) == ["k-anonymity", "t-closeness", "uniques"]
    assert said["k-anonymity"].startswith(
        "k = 2: at least 2 rows look exactly alike in age and sex (ARX, pyCANON: same number)."
    )
    assert said["t-closeness"].startswith("equal t = 1/10 for illness:")


@pytest.mark.usefixtures("folder")
def test_what_is_not_there_is_said_in_the_line(invoke: Invoke) -> None:
    said = told(invoke("assess", "clinic.toml", "--as", "all").output)
    without = told(
        invoke("assess", "clinic.toml", "--as", "all", "--set", "release.sensitive=[]", "--set",
               'release.publish_unjudged=["illness"]').output
    )  # fmt: skip

    assert tuple(said) == tuple(without) == NAMES
    for name in ("journalist", "marketer", "k-map", "delta-presence"):
        assert said[name] == "needs a directory of people; here the table is its own."
    for name in ("alpha", "l-diversity", "t-closeness"):
        assert without[name] == "needs a sensitive column that is published and not compared."


@pytest.mark.usefixtures("folder")
def test_with_a_directory_journalists_and_marketers_have_numbers(invoke: Invoke) -> None:
    said = told(invoke("assess", "looked-up.toml", "--as", "all").output)

    assert said["journalist"].startswith("highest 50 % in register.csv: the largest chance")
    assert said["marketer"].startswith("43.3 % in register.csv:")
    assert said["k-map"].startswith("k = 2 in register.csv:")
    assert said["delta-presence"].startswith("0 % to 150 % in register.csv:")
    assert said["suda"] == "needs the table to be its own directory."


@pytest.mark.usefixtures("folder")
def test_quiet_prints_nothing_more(invoke: Invoke) -> None:
    quiet = invoke("assess", "clinic.toml", "--brief")

    assert invoke("assess", "clinic.toml", "--brief", "--as", "all").output == quiet.output


@pytest.mark.usefixtures("folder")
def test_values_of_the_data_are_not_printed(invoke: Invoke) -> None:
    output = invoke("assess", "looked-up.toml", "--as", "all").output

    assert [value for value in ("30-39", "flu", "cold", "Ada") if value in output] == []


@pytest.mark.usefixtures("folder")
def test_an_unknown_name_is_refused_with_those_that_exist(invoke: Invoke) -> None:
    done = invoke("assess", "clinic.toml", "--as", "k-anonymity,l")

    assert done.exit_code == 2
    assert 'There is no reading "l".' in done.output
    assert all(name in done.output.replace("\n", " ") for name in (*NAMES, "all"))


def test_without_an_attacker_who_looks_people_up_it_is_refused(folder: Path, invoke: Invoke) -> None:
    (folder / "shop.dat").write_text("a b\na\na b\n")
    done = invoke(
        "assess", "shop.dat", "--knows", "items:at_most=1", "--tolerates", "identity=1/2", "--as", "all"
    )

    assert done.exit_code == 2
    assert "no attacker of the scenario has any" in done.output
    assert 'attack = "directory"' in done.output


def test_a_saved_assessment_has_them_too(folder: Path, invoke: Invoke) -> None:
    printed = invoke("assess", "clinic.toml", "--as", "all", "--json", "a.json").output

    assert told(invoke("report", "a.json", "--as", "all").output) == told(printed)
    assert invoke("report", "a.json", "--as", "k").exit_code == 2
    saved = json.loads((folder / "a.json").read_text())
    del saved["findings"][0]["figures"]["readings"]
    (folder / "a.json").write_text(json.dumps(saved))
    done = invoke("report", "a.json", "--as", "all")
    assert (done.exit_code, "has no readings" in done.output) == (2, True)


def test_the_owner_sees_all_and_everybody_what_the_released_rows_show(folder: Path, invoke: Invoke) -> None:
    invoke("protect", "looked-up.toml", "-o", "out", "--html", "a.html", "--public-html", "b.html")
    owner, public = ((folder / name).read_text(encoding="utf-8") for name in ("a.html", "b.html"))

    for name in ("k-anonymity", "l-diversity", "t-closeness", "prosecutor", "uniques"):
        assert f">{name}</th>" in owner
        assert f">{name}</th>" in public
    for name in ("journalist", "marketer", "k-map", "delta-presence"):
        assert f">{name}</th>" in owner
        assert name not in public
    assert "register.csv" in owner
    assert "register.csv" not in public
    assert [Page(text).text.count("In the names of the field") for text in (owner, public)] == [1, 1]


def test_a_release_that_is_not_safe_has_no_readings_in_the_public_report(
    folder: Path, invoke: Invoke
) -> None:
    invoke("assess", "clinic.toml", "--set", "tolerates.identity=1/9", "--public-html", "b.html")

    assert "names of the field" not in (folder / "b.html").read_text(encoding="utf-8")
