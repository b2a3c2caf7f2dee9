"""Classes and ladders in scenario files: the same words, all mistakes at once with their lines."""

from pathlib import Path

import pytest

from giveaway.errors import ScenarioError, WrongQuestion
from giveaway.scenario.reading import Scenario, understand
from giveaway.scenario.words import overridden, read_toml

HEAD = """\
[release]
data = "people.csv"
sensitive = "pay"
"""
TAIL = """
[tolerates]
identity = "1/2"

[[knows]]
attack = "directory"
columns = ["age", "zip"]
"""


def scenario(folder: Path, release: str, *settings: str, tail: str = TAIL) -> Scenario:
    rows = [
        f"{age},{zip_code},{pay}"
        for age, zip_code, pay in zip(range(16, 76), range(98100, 98160), range(60), strict=True)
    ]
    (folder / "people.csv").write_text("\n".join(["age,zip,pay", *rows]) + "\n")
    (folder / "age.csv").write_text("".join(f"{age};young\n" for age in range(16, 76)))
    text = HEAD + release + tail
    return understand(overridden(read_toml(text), settings), base=folder, name="t", text=text)


def told(folder: Path, release: str, *settings: str, tail: str = TAIL) -> list[str]:
    with pytest.raises(WrongQuestion) as caught:
        _ = scenario(folder, release, *settings, tail=tail).release
    return [str(mistake) for mistake in caught.value.mistakes]


def test_classes_and_ladders_are_read(tmp_path: Path) -> None:
    made = scenario(
        tmp_path,
        'classes = { age = 10, zip = { prefix = 4 }, pay = "quantiles 3" }\nladders = { age = [20, 40] }\n',
    )
    table = made.release.original

    assert table.labels["age"] == ("10-19", "20-29", "30-39", "40-49", "50-59", "60-69", "70-79")
    assert table.classes["pay"].rows == {"<20": 20, "20-39": 20, "40+": 20}
    assert made.release.hierarchies["age"].of["70-79"] == ("60-79", "40-79")


def test_a_section_says_the_same(tmp_path: Path) -> None:
    made = scenario(
        tmp_path, '[release.classes]\nage = [18, 40]\nzip = { prefix = 3 }\n[release.ladders]\nage = "auto"\n'
    )

    assert made.release.original.labels["age"] == ("18-39", "40+", "<18")


def test_all_columns_that_can_have_a_ladder_get_one(tmp_path: Path) -> None:
    made = scenario(tmp_path, 'ladders = "auto"\n')

    assert sorted(made.release.hierarchies) == ["age", "zip"]  # not what is sensitive


def test_the_command_line_sets_them(tmp_path: Path) -> None:
    made = scenario(tmp_path, "", "release.classes.age=[18, 40]", "release.classes.zip={ prefix = 2 }")

    assert made.release.original.labels["age"] == ("18-39", "40+", "<18")
    assert made.release.original.labels["zip"] == ("98***",)


def test_all_mistakes_are_told_with_their_lines(tmp_path: Path) -> None:
    wrong = told(
        tmp_path,
        'ladders = { age = [5, 12], zip = "never" }\ndecimal = ";"\n[release.classes]\nage = [40, 18]\nzip = { prefixx = 3 }\n',
    )

    assert [line.split(".")[0] for line in wrong] == [
        "line 4: age: The width 12 is not a multiple of 5",
        'line 4: zip: "never" is not understood',
        "line 5: decimal = ';' is unknown",
        "line 7: age: The cut 18 is not above 40",
        "line 8: zip: There is no field prefixx",
    ]


@pytest.mark.parametrize(
    ("release", "fact"),
    [
        ("classes = { agee = 5 }", 'line 4: There is no column "agee"'),
        ('classes = { pay = 5 }\nleave_out = ["pay"]', 'Column "pay" has classes and is not judged'),
        (
            "classes = { age = 10 }\nladders = { age = [15] }",
            "line 5: The ladder of age: the width 15 cuts a class",
        ),
        ('ladders = { age = [5] }\nhierarchies = { age = "age.csv" }', "has a hierarchy and a ladder"),
        ("classes = 5", "release.classes must name columns"),
        ('ladders = "all"', "ladders = 'all' is unknown"),
        (
            "rules = { min_support = 0.1, min_confidence = 0.5 }\nladders = { age = [5] }",
            "ladders belongs to published rows",
        ),
        ('private = ["x"]\nclasses = { age = 5 }', "to a table, not to transactions"),
    ],
)
def test_one_mistake(tmp_path: Path, release: str, fact: str) -> None:
    assert any(fact in line for line in told(tmp_path, release + "\n"))


def test_values_of_a_sensitive_column_are_put_into_its_classes(tmp_path: Path) -> None:
    made = scenario(tmp_path, 'classes = { pay = [20, 40] }\nsensitive_values = ["45", "<20"]\n')

    assert made.release.sensitive_values == ("40+", "<20")


RULES = """
[tolerates]
attribute = "99/100"

[[knows]]
attack = "profiles"
columns = ["age"]
background = [{ where = { age = "50" }, value = "55", share = "1/2" }]
"""


def test_rules_and_statements_are_put_into_the_classes(tmp_path: Path) -> None:
    (tmp_path / "rules.csv").write_text("antecedents,consequents\nage=17,pay=3\nage=40+,pay=40+\n")
    made = scenario(
        tmp_path,
        'leave_out = ["zip"]\nclasses = { age = [18, 40], pay = [20, 40] }\n'
        'rules = { min_support = 0.01, min_confidence = 0.01, from = "rules.csv", complete = false }\n'
        'statements = [{ where = { age = "18..39" }, value = "10", share = "1/2" }]\n',
        tail=RULES,
    )
    release = made.release

    assert release.rules is not None
    assert [(dict(rule.condition), rule.value) for rule in release.rules.rules] == [
        ({"age": "<18"}, "<20"),
        ({"age": "40+"}, "40+"),
    ]
    assert (release.statements[0].where, release.statements[0].value) == ({"age": "18-39"}, "<20")


def test_a_statement_about_a_part_of_a_class_is_refused(tmp_path: Path) -> None:
    made = scenario(
        tmp_path,
        'leave_out = ["zip"]\nclasses = { age = [18, 40] }\nrules = { min_support = 0.1, min_confidence = 0.1 }\n'
        'statements = [{ where = { age = "18..30" }, value = "10", share = "1/2" }]\n',
        tail=RULES,
    )

    with pytest.raises(ScenarioError, match="is not a class of the release"):
        _ = made.release
