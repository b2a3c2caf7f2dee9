"""The words of a scenario about somebody who looks people up, and the files that it names."""

import math
from fractions import Fraction
from pathlib import Path

import pytest

import giveaway as ga
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.scenario import Scenario, explained, from_words, overridden, read_scenario, understand

SCENARIO = """\
[release]
data = "records.csv"
id = "id"
missing = ["", "?"]
encoding = "latin-1"
sensitivity = { columns = { age = 1, hiv = inf }, form = "multiplicative" }
hierarchies = { age = "age.csv" }

[tolerates]
identity = "1/2"
average = 2

[[knows]]
attack = "directory"
knows_method = false
people = ["register.csv", "voters.csv"]
id = "person"
on = ["zip", "name"]
match = { name = { jaro = 0.8 } }
prior = [0.3, "7/10"]
true_people = "register.csv"

[needs]
columns = { per_record = 2, always = ["zip"], clip = true, fill = false }

[protect.directory]
method = "minrisk"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "records.csv": "id,zip,name,age,hiv\n1,10,Zoë,23,no\n2,?,Bob,28,yes\n",
        "register.csv": "person,zip,name\na,10,Zoë\na,11,Zoë\nb,?,Bo\n",
        "voters.csv": "person;zip;party\nc;10;x\n",
        "age.csv": "23;20-29;*\n28;20-29;*\n",
        "w.csv": "id,weight\n1,2\n",
        "cells.csv": "id,zip,hiv\n1,2,\n2,,inf\n",
        "pairs.csv": "id,first,second,weight\n1,zip,name,3\n",
        "triples.csv": "id,first,second,third,weight\n1,zip,name,,3\n1,zip,hiv,name,5\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="latin-1")
    return tmp_path


def understood(folder: Path, text: str, *settings: str) -> Scenario:
    (folder / "scenario.toml").write_text(text)
    values, read = read_scenario(folder / "scenario.toml")
    return understand(overridden(values, settings), base=folder, name="scenario.toml", text=read)


def test_every_word_is_read(folder: Path) -> None:
    scenario = understood(folder, SCENARIO)

    release = scenario.release
    assert release.sensitivity == ga.Sensitivity(columns={"age": 1, "hiv": math.inf}, form="multiplicative")
    assert release.hierarchies["age"].label("28", 1) == "20-29"
    (attacker,) = scenario.attackers
    assert isinstance(attacker, ga.KnowsDirectory)
    assert (attacker.people, attacker.id) == (("register.csv", "voters.csv"), "person")
    assert (attacker.on, attacker.match) == (("zip", "name"), {"name": ga.Jaro("0.8")})
    assert attacker.prior == (Fraction(3, 10), Fraction(7, 10))
    register, voters = attacker.directories
    assert (len(register), len(voters), register.labels["zip"]) == (2, 1, ("10", "11"))
    assert register.labels["name"] == ("Bo", "Zoë")
    assert attacker.true_people == "register.csv"
    assert scenario.needs == (ga.NeedsColumns(per_record=2, always=["zip"], clip=True, fill=False),)
    assert scenario.options == {"directory": {"method": "minrisk"}}
    assert scenario.asked[0].knows() == attacker.knows()


def test_the_words_of_levels_are_read(folder: Path) -> None:
    levels = 'method = "levels"\nsuppress = "1/50"\nloss = "cells"\nagain = true\nimportance = { zip = 3, name = 0.5 }'
    (options,) = understood(folder, SCENARIO.replace('method = "minrisk"', levels)).options.values()

    made = DirectoryOptions(**options)
    assert (made.suppress, made.loss, made.again) == (Fraction(1, 50), "cells", True)
    assert made.importance == {"zip": 3, "name": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('"constant"', ga.Sensitivity()),
        ('{ records = "w.csv" }', ga.Sensitivity(records={"1": 2})),
        ('{ columns = { age = "1/3" }, records = "w.csv" }', ga.Sensitivity(columns={"age": "1/3"}, records={"1": 2})),
        (
            '{ cells = "cells.csv", pairs = "pairs.csv" }',
            ga.Sensitivity(cells={"1": {"zip": 2}, "2": {"hiv": "inf"}}, pairs={"1": {("zip", "name"): 3}}),
        ),
        (
            '{ cells = "cells.csv", pairs = "triples.csv" }',
            ga.Sensitivity(
                cells={"1": {"zip": 2}, "2": {"hiv": "inf"}},
                pairs={"1": {("zip", "name"): 3, ("hiv", "name", "zip"): 5}},
            ),
        ),
    ],
)  # fmt: skip
def test_sensitivities_come_from_the_scenario_and_from_files(
    folder: Path, said: str, expected: ga.Sensitivity
) -> None:
    text = SCENARIO.replace('{ columns = { age = 1, hiv = inf }, form = "multiplicative" }', said).replace(
        'id = "id"\n', 'id = "id"\nleave_out = ["hiv"]\n' if "cells" not in said else 'id = "id"\n'
    )
    if "age" not in said:
        text = text.replace('hierarchies = { age = "age.csv" }', "").replace(
            "leave_out = [", 'leave_out = ["age", '
        )
    if "cells" in said:
        text = text.replace('id = "id"\n', 'id = "id"\nleave_out = ["age"]\n', 1)

    assert understood(folder, text).release.sensitivity == expected


def test_without_a_directory_everything_that_is_not_sensitive_is_compared(folder: Path) -> None:
    text = '[release]\ndata = "records.csv"\nid = "id"\nsensitive = "hiv"\nencoding = "latin-1"\n'
    text += '[[knows]]\nattack = "directory"\nknows_method = false\ntolerates = { identity = "1/2" }\n'

    scenario = understood(folder, text)

    (attacker,) = scenario.attackers
    assert attacker.looks_at(scenario.release.original) == ("zip", "name", "age")  # type: ignore[arg-type] # a table
    assert scenario.fields.sensitivity is None


def test_all_common_columns_are_compared_and_others_need_a_role(folder: Path) -> None:
    text = SCENARIO.replace('on = ["zip", "name"]\n', "")
    scenario = understood(folder, text)
    table = scenario.release.original

    assert scenario.attackers[0].looks_at(table) == ("zip", "name")  # type: ignore[arg-type] # a table
    with pytest.raises(ga.ScenarioError, match='Column "hiv" has no role'):
        _ = understood(folder, text.replace(", hiv = inf", "")).release


def test_sensitive_columns_may_be_weighted_and_compared(folder: Path) -> None:
    scenario = understood(
        folder, SCENARIO, "release.sensitive=[zip,hiv]".replace("[zip,hiv]", '["zip","hiv"]')
    )

    assert scenario.release.original.sensitive == ("zip", "hiv")  # type: ignore[union-attr] # a table


WRONG = {
    "unknown word": (('id = "person"', 'key = "person"'), "knows.0 has no field key"),
    "no such id": (('id = "person"', 'id = "persona"'), 'line 13: The directory "register.csv" has no column "persona"'),
    "no such file": (('"voters.csv"', '"nowhere.csv"'), "nowhere.csv"),
    "address": (('"voters.csv"', '"postgres://host/db"'), "is an address, and a file is needed here"),
    "password": (('"voters.csv"', '"postgres://me:pw@host/db"'), "holds a password"),
    "column twice": (('on = ["zip", "name"]', 'on = ["zip", "zip", "name"]'), "line 18: on names a column twice"),
    "unknown column": (('on = ["zip", "name"]', 'on = ["zip", "name", "town"]'), 'line 18: There is no column "town"'),
    "nothing in common": (('on = ["zip", "name"]\nmatch = { name = { jaro = 0.8 } }', 'on = ["age"]'), "none of the columns compared"),
    "identifier compared": (('on = ["zip", "name"]', 'on = ["zip", "name", "id"]'), "identifier and known to an attacker"),
    "match elsewhere": (("match = { name", "match = { age"), 'match names the column "age"'),
    "similarity": (("jaro = 0.8", "jaro = 1.8"), "line 19: jaro = 1.8 must be above 0"),
    "match of another kind": (("{ jaro = 0.8 }", "0.8"), "must be a section"),
    "match is no mapping": (("{ name = { jaro = 0.8 } }", '"name"'), "must name columns"),
    "prior": (("0.3", "0.4"), "line 20: The parts of prior sum to 1.1, not to 1"),
    "prior of other length": (("[0.3, ", "["), "line 20: prior has 1 parts for 2 directories"),
    "negative weight": (("age = 1,", "age = -1,"), "line 6: The weight of age is -1, below 0"),
    "unknown weight": (("age = 1,", "agee = 1,"), 'line 6: There is no column "agee"'),
    "weight of the id": (("hiv = inf", "hiv = 1, id = 1"), "identifier and weighted"),
    "cells with columns": (("form = ", 'cells = "cells.csv", form = '), "leave columns and records out"),
    "no weights": (('{ columns = { age = 1, hiv = inf }, form = "multiplicative" }', "{ }"), "sensitivity gives no weights"),
    "pairs alone": (('columns = { age = 1, hiv = inf }, form = "multiplicative"', 'pairs = "pairs.csv"'), "pairs adds to the weights"),
    "unjudged but listed": (('on = ["zip", "name"]\nmatch = { name = { jaro = 0.8 } }', ""), 'Column "zip" is published unjudged, but register.csv'),
    "unknown form": (('"multiplicative"', '"exponential"'), "additive, multiplicative"),
    "unknown sensitivity": (('{ columns = { age = 1, hiv = inf }, form = "multiplicative" }', '"high"'), "constant"),
    "hierarchy elsewhere": (("{ age =", "{ town ="), 'There is no column "town"'),
    "hierarchy of another kind": (('{ age = "age.csv" }', '"age.csv"'), "must name columns"),
    "hierarchy with gaps": (("age.csv", "voters.csv"), "of age have no line in its hierarchy"),
    "two needs": (("per_record = 2", "per_record = 2, total = 3"), "per_record and total are both given"),
    "negative need": (("per_record = 2", "per_record = -2"), "per_record = -2 must be a whole number"),
    "method": (('"minrisk"', '"best"'), "auto, crowd, levels, least, minrisk"),
    "option of levels": (('"minrisk"', '"minrisk"\nsuppress = "1/50"'), 'suppress is an option of method = "levels"'),
    "suppress": (('"minrisk"', '"levels"\nsuppress = 1.5'), "line 28: suppress = 1.5 must be at least 0 and at most 1"),
    "loss": (('"minrisk"', '"levels"\nloss = "entropy"'), "labels, cells, precision"),
    "importance": (('"minrisk"', '"levels"\nimportance = { zip = -1 }'), "line 28: The importance -1 of zip must be above 0"),
    "importance of another kind": (('"minrisk"', '"levels"\nimportance = "zip"'), "must name columns"),
    "again": (('"minrisk"', '"levels"\nagain = "yes"'), "again"),
    "tolerance": (('identity = "1/2"\naverage = 2', "attribute = 0.5"), "gives no limit"),
    "true people": (('true_people = "register.csv"', 'true_people = "no.csv"'), "no.csv"),
    "id of nobody": (('people = ["register.csv", "voters.csv"]\n', ""), "no directory is named"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_word_is_one_clear_mistake(folder: Path, wrong: str) -> None:
    change, said = WRONG[wrong]
    text = SCENARIO.replace(*change)
    assert text != SCENARIO
    if wrong == "unjudged but listed":
        text = text.replace('id = "id"\n', 'id = "id"\npublish_unjudged = "zip"\n').replace(
            ', "voters.csv"', ""
        )
        text = text.replace('prior = [0.3, "7/10"]\n', "").replace(', always = ["zip"]', "")
    if wrong == "id of nobody":
        text = text.replace('true_people = "register.csv"\n', "").replace('prior = [0.3, "7/10"]\n', "")

    with pytest.raises(ga.WrongQuestion) as caught:
        _ = understood(folder, text).release

    assert len(caught.value.mistakes) == 1, caught.value
    assert said in str(caught.value)
    assert "pw" not in str(caught.value)


def test_all_mistakes_of_a_file_are_shown_together(folder: Path) -> None:
    text = SCENARIO.replace("age = 1,", "age = -1,").replace("0.3", "0.4").replace("jaro = 0.8", "jaro = 2")

    with pytest.raises(ga.ScenarioError) as caught:
        understood(folder, text)

    assert [mistake.where for mistake in caught.value.mistakes] == ["line 6", "line 19", "line 20"]


def test_the_command_line_says_the_same(folder: Path) -> None:
    knows = ["directory:on=zip,name,people=register.csv,id=person"]
    values = from_words("records.csv", knows, ["identity=1/2"])
    settings = ['release.leave_out=["age","hiv"]', "release.id=id", "release.encoding=latin-1"]

    scenario = understand(overridden(values, settings), base=folder, name="words")

    (attacker,) = scenario.attackers
    assert isinstance(attacker, ga.KnowsDirectory)
    assert (attacker.on, attacker.people, len(attacker.directories[0])) == (
        ("zip", "name"),
        ("register.csv",),
        2,
    )
    assert scenario.release.original.id == "id"  # type: ignore[union-attr] # a table


def test_the_attack_is_explained_with_all_its_words() -> None:
    told = explained("directory")

    for word in ("people", "match", "jaro", "prior", "true_people", "sensitivity", "pairs", "hierarchies", "per_record", "method", "suppress", "importance", "again"):  # fmt: skip
        assert f" {word} " in told, word
    assert "hierarchies" not in explained("attributes")
