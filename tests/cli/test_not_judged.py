"""On the command line nothing empty is safe, and what was not judged is told in every view."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke

LUNG = "patient,zip,birth,note,phone,disease\n" + "".join(
    f"{n},1{n % 2},19{n % 2},called {n} times because of pain,+49 30 1234{n:03},{('flu', 'gout')[n % 2]}\n"
    for n in range(20)
)
RULES = """\
[release]
data = "lung.csv"
id = "patient"
sensitive = "disease"
rules = { min_support = 0.9, min_confidence = 0.9 }

[tolerates]
attribute = "9/10"

[[knows]]
attack = "profiles"
columns = ["zip", "birth"]
"""
ROWS = """\
[release]
data = "lung.csv"
id = "patient"
sensitive = "disease"
publish_unjudged = ["note", "phone"]

[tolerates]
identity = "1/5"

[[knows]]
attack = "directory"
on = ["zip", "birth"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lung.csv").write_text(LUNG)
    (tmp_path / "rules.toml").write_text(RULES)
    (tmp_path / "rows.toml").write_text(ROWS)
    return tmp_path


def test_a_list_without_rules_is_not_safe_and_nothing_is_written(folder: Path, invoke: Invoke) -> None:
    for command in (("assess", "rules.toml"), ("protect", "rules.toml", "-o", "out")):
        result = invoke(*command)
        assert result.exit_code == 2
        said = " ".join(result.output.split())
        assert "0 rules" in said
        assert "the rows of lung.csv were not judged" in said
        assert "ask the attack directory" in said
    assert not (folder / "out").exists()
    summary = json.loads(invoke("assess", "rules.toml", "--json", "-").output)
    assert (summary["verdict"], summary["findings"][0]["safe"]) == ("cannot judge", None)


def test_unjudged_columns_are_told_next_to_safe_in_every_view(folder: Path, invoke: Invoke) -> None:
    words = ("-o", "out", "--html", "r.html", "--public-html", "p.html", "--json", "s.json")
    for quiet in ((), ("--brief", "--force")):
        result = invoke("protect", "rows.toml", *words, *quiet)
        assert result.exit_code == 0, result.output
        assert "Not judged: 2 columns" in result.output
    for page, columns in (("r.html", "5 columns, 2 not judged"), ("p.html", "20 records with 5 columns")):
        text = (folder / page).read_text()
        assert "Not judged: 2 columns" in text
        assert columns in text
    assert "note looks like free text, phone like phone numbers" in (folder / "r.html").read_text()
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    assert manifest["counts"]["columns"] == 5
    assert manifest["not_judged"][0] | {"looks_like": {}} == manifest["not_judged"][0]
    assert manifest["not_judged"][0]["names"] == ["note", "phone"]
    assert json.loads((folder / "s.json").read_text())["data"]["columns"] == 5
    assert invoke("report", "s.json").exit_code == 0


def test_a_limit_that_was_not_measured_is_never_promised(folder: Path, invoke: Invoke) -> None:
    (folder / "bare.toml").write_text(ROWS.replace('sensitive = "disease"', 'leave_out = "disease"'))
    result = invoke("protect", "bare.toml", "-o", "out", "--set", "tolerates.attribute=1/2")
    assert result.exit_code == 2
    assert "attribute = 1/2 is a limit that no attacker is judged by" in result.output
    assert not (folder / "out").exists()


def test_errors_as_json_have_the_schema_of_the_summary(folder: Path, invoke: Invoke) -> None:
    assert folder.exists()
    result = invoke("assess", "rows.toml", "--set", "tolerates.attribute=1/2", "--json", "-")
    assert json.loads(result.stdout)["schema"] == 2


def test_a_limit_that_is_overridden_is_told_with_the_setting_that_works(folder: Path, invoke: Invoke) -> None:
    (folder / "own.toml").write_text(
        ROWS.replace('[tolerates]\nidentity = "1/5"\n', "") + 'tolerates = { identity = "1/5" }\n'
    )
    assert invoke("assess", "own.toml").exit_code == 0
    result = invoke("assess", "own.toml", "--set", "tolerates.identity=1/30")
    assert result.exit_code == 2
    assert "--set knows.0.tolerates.identity=1/30" in " ".join(result.output.split())
    assert invoke("assess", "own.toml", "--set", "knows.0.tolerates.identity=1/30").exit_code == 1
