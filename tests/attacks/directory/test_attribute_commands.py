"""Sensitive values on the command line: what a scenario may say, and one clear error for each wrong word."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke
from typer.testing import Result

DATA = "town,sex,ill,pay\n" + "".join(
    f"{'AB'[number % 2]},{'fm'[number // 2 % 2]},{('flu', 'flu', 'hiv', 'lung', 'breast')[number % 5]},{1000 + number}\n"
    for number in range(40)
)
Ask = Callable[..., Result]

SCENARIO = """\
[release]
data = "people.csv"
sensitive = ["ill", "pay"]
{release}
[tolerates]
attribute = "{limit}"
[[knows]]
attack = "directory"
columns = ["town", "sex"]
{knows}
"""


@pytest.fixture
def ask(tmp_path: Path, invoke: Invoke) -> Ask:
    """Return a function that asks a scenario in which some words differ."""
    (tmp_path / "people.csv").write_text(DATA)
    (tmp_path / "register.csv").write_text("town,sex\nA,f\n")

    def asked(release: str = "", knows: str = "", limit: str = "1/2") -> Result:
        text = SCENARIO.format(release=release, knows=knows, limit=limit)
        (tmp_path / "asked.toml").write_text(text)
        return invoke("assess", "asked.toml", "--json", "-")

    return asked


def test_what_must_not_be_told_is_named_in_the_scenario(ask: Ask) -> None:
    classes = 'sensitive_values = []\nsensitive_classes = { ill = { cancer = ["lung", "breast"] }, pay = { most = ["1000"] } }'
    done = ask(classes, 'at_most = 1\njudges = "true"')

    figures = json.loads(done.stdout)["findings"][0]["figures"]
    assert done.exit_code == 0, done.output
    assert {(line["column"], line["target"]) for line in figures["targets"]} == {
        ("ill", "cancer"),
        ("pay", "most"),
    }
    assert figures["worst_attribute"] == pytest.approx(0.4)
    close = json.loads(ask('sensitive_values = ["hiv"]', 'within = { pay = "10 %" }').stdout)
    assert close["findings"][0]["figures"]["worst_attribute"] == 1


@pytest.mark.parametrize(
    ("release", "knows", "said"),
    [
        ("", 'within = { height = "10 %" }', 'within names the column "height"'),
        ("", 'within = { town = "10 %" }', 'within names the column "town"'),
        ("", 'within = { ill = "10 %" }', "not numbers"),
        ("", 'within = { pay = "near" }', "near"),
        ("", "within = { pay = -1 }", "at least 0"),
        ("", 'judges = "wrong"', "any, true"),
        ("", 'judges = "true"\npeople = "register.csv"', "which record is whose"),
        ("", "at_most = 0", "at least 1"),
        ("", 'at_most = 1\npeople = ["register.csv", "register.csv"]\nprior = ["1/2", "1/2"]', "prior"),
        ('sensitive_classes = { ill = { cancer = ["lung", "bone"] } }', "", "'bone', which does not occur"),
        ('sensitive_classes = { town = { big = ["A"] } }', "", 'names the column "town"'),
        ('sensitive_values = ["plague"]', "", "'plague' does not occur"),
    ],
)
def test_a_wrong_word_is_one_clear_error(ask: Ask, release: str, knows: str, said: str) -> None:
    done = ask(release, knows)

    assert done.exit_code == 2, done.output
    assert said in " ".join(done.output.split())
    assert "Traceback" not in done.output


def test_the_words_are_explained(invoke: Invoke) -> None:
    done = invoke("explain", "directory")

    assert done.exit_code == 0
    assert all(word in done.output for word in ("at_most", "judges", "within", "attribute"))
