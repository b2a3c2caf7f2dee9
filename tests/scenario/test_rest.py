"""`rest` of a scenario file is settled once the attackers and their files are known."""

from pathlib import Path

import pytest

import giveaway as ga
from giveaway.errors import ScenarioError
from giveaway.scenario import overridden, read_scenario, understand

TEXT = """\
[release]
data = "people.csv"
sensitive = "ill"
id = "who"
rest = "publish_unjudged"

[tolerates]
identity = "1/2"

[[knows]]
attack = "directory"
people = "register.csv"
id = "person"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(
        "who,zip,note,age,ill\n" + "".join(f"p{n},z,n{n},4{n % 2},yes\n" for n in range(6))
    )
    (tmp_path / "register.csv").write_text("person,zip,job\n" + "".join(f"r{n},z,cook\n" for n in range(8)))
    (tmp_path / "a.toml").write_text(TEXT)
    return tmp_path


def judged(folder: Path, *settings: str) -> ga.Assessment:
    values, text = read_scenario(folder / "a.toml")
    made = understand(overridden(values, settings), base=folder, name="a.toml", text=text)
    return ga.assess(made.release, made.attackers, made.tolerances, need=made.needs, effort=made.effort)


def test_columns_in_common_with_a_register_are_judged_and_the_rest_is_told(folder: Path) -> None:
    found = judged(folder)
    assert found.safe
    assert found.to_dict()["not_judged"][0]["names"] == ["note", "age"]


def test_the_rest_may_be_left_out(folder: Path) -> None:
    found = judged(folder, "release.rest=leave_out")
    assert found.safe
    assert found.to_dict()["data"]["columns"] == 2
    assert "columns" not in [part["what"] for part in found.to_dict()["not_judged"]]


def test_named_roles_win_over_the_rest(folder: Path) -> None:
    found = judged(folder, 'release.leave_out=["note"]')
    assert found.to_dict()["not_judged"][0]["names"] == ["age"]


def test_a_rest_that_does_not_exist_is_told_with_its_line(folder: Path) -> None:
    (folder / "a.toml").write_text(TEXT.replace("publish_unjudged", "drop"))
    with pytest.raises(ScenarioError, match=r"line 5: rest = 'drop' is unknown.*leave_out, publish_unjudged"):
        judged(folder)


def test_a_misspelt_column_is_told_with_its_line_whatever_the_rest(folder: Path) -> None:
    (folder / "a.toml").write_text(TEXT.split("people =", maxsplit=1)[0] + 'on = ["Zip"]\n')
    with pytest.raises(ScenarioError, match=r'line 12: There is no column "Zip".*did you mean "zip"'):
        judged(folder)
