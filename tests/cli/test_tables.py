"""Tables on the command line: assessed with and without a scenario file, explained, and refused when wrong."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke

PEOPLE = "id,sex,education,job\n" + "".join(
    f"p{number},{'fm'[number % 2]},{'school' if number % 3 else 'master'},{'teacher' if number % 3 == 0 else 'cook'}\n"
    for number in range(30)
)

ROWS = """\
[release]
data = "people.csv"
id = "id"
sensitive = "job"
secrets = "secrets.csv"

[tolerates]
attribute = 0.6

[[knows]]
attack = "attributes"
columns = ["sex", "education"]
"""

RULES = """\
[release]
data = "people.csv"
id = "id"
sensitive = "job"
rules = { min_support = 0.1, min_confidence = 0.6, scores = "exact" }

[tolerates]
attribute = 0.9

[[knows]]
attack = "profiles"
columns = ["sex", "education"]
"""

GIVEN = {"people.csv", "secrets.csv", "marks.csv", "rules.csv", "rows.toml", "rules.toml"}


@pytest.fixture
def folder(tmp_path: Path, invoke: Invoke) -> Path:
    """Fill the folder in which the commands run."""
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "secrets.csv").write_text("id\np0\np3\n")
    (tmp_path / "marks.csv").write_text("row,column\n1,job\n")
    (tmp_path / "rules.csv").write_text(
        "antecedents,consequents,support,confidence\neducation=master,job=teacher,0.33,1.2\n"
    )
    (tmp_path / "rows.toml").write_text(ROWS)
    (tmp_path / "rules.toml").write_text(RULES)
    return tmp_path


def settings(*given: str) -> list[str]:
    return [word for setting in given for word in ("--set", setting)]


@pytest.mark.parametrize("scenario", ["rows.toml", "rules.toml"])
def test_a_table_is_assessed(folder: Path, invoke: Invoke, scenario: str) -> None:
    done = invoke("assess", scenario, "--json", "-")

    assert done.exit_code == 1, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["verdict"], summary["data"]["kind"], summary["data"]["rows"]) == ("at risk", "table", 30)


def test_words_of_the_command_line_say_the_same_as_a_scenario_of_rows(folder: Path, invoke: Invoke) -> None:
    file = invoke("assess", "rows.toml", "--json", "-")
    given = settings("release.sensitive=job", "release.secrets=secrets.csv", "release.id=id")
    knows = ("--knows", "attributes:columns=sex,education", "--tolerates", "attribute=0.6")
    words = invoke("assess", "people.csv", *knows, *given, "--json", "-")

    assert findings(words.stdout) == findings(file.stdout)


def test_words_of_the_command_line_say_the_same_as_a_scenario_of_rules(folder: Path, invoke: Invoke) -> None:
    file = invoke("assess", "rules.toml", "--json", "-", *settings("release.rules.scores={digits=2}"))
    given = settings(
        "release.sensitive=job",
        "release.id=id",
        "release.rules.min_support=0.1",
        "release.rules.min_confidence=3/5",
        "release.rules.scores.digits=2",
    )
    knows = ("--knows", "profiles:columns=sex,education,judges=any", "--tolerates", "attribute=0.9")
    words = invoke("assess", "people.csv", *knows, *given, "--json", "-")

    assert findings(words.stdout) == findings(file.stdout)


def findings(summary: str) -> list[object]:
    found: list[object] = json.loads(summary)["findings"]
    assert found
    return found


@pytest.mark.parametrize(
    ("attack", "fields"),
    [
        ("profiles", "columns judges background where at_least rules min_confidence scores digits from"),
        ("profiles", "statements statements_from sensitive_values must_publish missing_profiles"),
        ("attributes", "columns trusts_support_above secrets must_publish cells hideable method heuristic"),
    ],
)
def test_explain_tells_the_fields_of_tables_and_what_they_hold(
    invoke: Invoke, attack: str, fields: str
) -> None:
    told = invoke("explain", attack).stdout

    missing = [field for field in fields.split() if not re.search(rf"^ +{field}(?= )", told, re.MULTILINE)]
    assert missing == []
    assert not re.search(r"^  (item|private)(?= )", told.split("[release]")[1], re.MULTILINE)


WRONG_ROWS = {
    "attack=profiles, which reads rules": ("knows.0.attack=profiles", "publishes rows"),
    "both forms": ('knows=[{attack="profiles",columns=["sex"]},{attack="attributes",columns=["education"]}]', "one of the two"),
    "another kind of attacker": ('knows=[{attack="items",at_most=1}]', "needs Transactions"),
    "unknown column": ('knows.0.columns=["sex","educaton"]', 'did you mean "education"?'),
    "sensitive column known": ('knows.0.columns=["sex","education","job"]', "sensitive and known to an attacker"),
    "identifier known": ('knows.0.columns=["sex","education","id"]', "identifier and known to an attacker"),
    "columns without a role": ('knows.0.columns=["sex"]', 'Column "education" has no role'),
    "unknown sensitive column": ("release.sensitive=pay", 'There is no column "pay"'),
    "no sensitive column": ("release.sensitive=[]", "No sensitive column is named"),
    "two roles": ("release.leave_out=sex", "left out and known to an attacker"),
    "contradictory marks": ("release.must_publish=marks.csv", "marked to be published"),
    "contradictory column": ('release.must_publish=["job"]', "marked to be published"),
    "minconf above 1": ("tolerates.attribute=1.1", "must be above 0 and at most 1"),
    "minconf of 0": ("tolerates.attribute=0", "must be above 0 and at most 1"),
    "no number": ("tolerates.attribute=much", "not a finite number"),
    "another limit": ("tolerates={identity=0.5}", "attribute"),
    "negative support": ("knows.0.trusts_support_above=-1", "at least 0"),
    "support that is no count": ("knows.0.trusts_support_above=0.5", "whole number"),
    "region": ('needs.cells.hideable=["all"]', "sensitive of others, conditions of others"),
    "need of another attack": ("needs.itemsets.min_support=2", "NeedsItemsets serves none"),
    "need of rules": ("needs.rules.must_publish=rules.csv", "confidence = 1.2"),
    "method": ("protect.attributes.method=best", "auto, decoys, same columns, cover, r-graph, cr"),
    "options of no attack": ("protect.magic.method=auto", "protect has no field magic"),
    "unknown sensitive value": ("release.sensitive_values=king", "king"),
    "missing secrets": ("release.secrets=nowhere.csv", "nowhere.csv"),
    "secrets of another kind": ("release.secrets=rules.csv", "rules.csv"),
    "item of a table": ("release.item=job", "sensitive and secrets belong to a table"),
    "supports": ("release.kind=supports", "transactions is missing"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG_ROWS)
def test_a_wrong_question_about_rows_is_refused(folder: Path, invoke: Invoke, wrong: str) -> None:
    refused(folder, invoke, "rows.toml", *WRONG_ROWS[wrong])


WRONG_RULES = {
    "attack=attributes, which reads rows": ("knows.0.attack=attributes", "publishes rules instead"),
    "negative support": ("release.rules.min_support=-0.1", "min_support = -1/10 is not between 0 and 1"),
    "support above 1": ("release.rules.min_support=2", "min_support = 2 is not between 0 and 1"),
    "minconf above 1": ("release.rules.min_confidence=1.1", "min_confidence = 11/10 is not between 0 and 1"),
    "negative minconf": ("release.rules.min_confidence=-1", "min_confidence = -1 is not between 0 and 1"),
    "no minconf": ("release.rules={min_support=0.1}", "needs min_confidence"),
    "confidence above 1 in a file": ("release.rules.from=rules.csv", "confidence = 1.2 is not between 0 and 1"),
    "rules are no section": ("release.rules=0.1", "release.rules must be a section of fields"),
    "unknown word": ("release.rules.min_lift=2", "release.rules has no field min_lift"),
    "digits": ("release.rules.scores={digits=99}", "scores = 99 is unknown"),
    "statement with two amounts": ('release.statements=[{value="cook",share=0.5,count=2}]', "one thing"),
    "statement above 1": ('release.statements=[{value="cook",share=1.5}]', "share = 1.5 is not between 0 and 1"),
    "background above 1": ('knows.0.background=[{value="cook",at_most=2}]', "at_most = 2 is not between 0 and 1"),
    "secrets": ("release.secrets=secrets.csv", "secrets belongs to published rows"),
    "marks": ('release.must_publish=["sex"]', "must_publish belongs to published rows"),
    "unknown column": ("knows.0.columns=sx", 'There is no column "sx"'),
    "unknown person": ('knows.0.ranges_for=["p99"]', "p99"),
    "unknown sensitive value": ("release.sensitive_values=king", "king"),
    "order of words": ("knows.0.missing_profiles=guess", "refuse, drop, value"),
    "no such option": ("protect.profiles.method=x", "has no field method"),
    "no such entry": ("knows.1.columns=sex", "there is no entry 1"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG_RULES)
def test_a_wrong_question_about_rules_is_refused(folder: Path, invoke: Invoke, wrong: str) -> None:
    refused(folder, invoke, "rules.toml", *WRONG_RULES[wrong])


def refused(folder: Path, invoke: Invoke, scenario: str, setting: str, said: str) -> None:
    """Ask wrongly: exit status 2, one clear message, nothing written."""
    done = invoke("protect", scenario, "-o", "out", "--html", "owner.html", "--json", "-", *settings(setting))

    assert done.exit_code == 2, done.output
    (error,) = json.loads(done.stdout)["errors"]
    assert said in error
    assert "failed with" not in error
    assert {path.name for path in folder.iterdir()} == GIVEN


def test_a_mistake_in_a_scenario_of_a_table_names_its_line(folder: Path, invoke: Invoke) -> None:
    (folder / "rules.toml").write_text(
        RULES.replace("min_support = 0.1", "min_support = 7").replace("columns", "colums")
    )

    told = invoke("assess", "rules.toml").stderr

    assert re.search(r"line 5 +min_support = 7 is not between 0 and 1", told)
    assert re.search(r"line 12 +knows.0 has no field colums", told)
