from fractions import Fraction
from pathlib import Path

import pytest

import giveaway as ga
from giveaway.scenario import from_words, overridden, understand
from giveaway.scenario.reading import read_scenario

WHOLE = """
[release]
data = "baskets.dat"
private = ["insulin"]

[tolerates]
identity = "1/5"
attribute = 0.1

[[knows]]
attack = "items"
at_most = 3

[[knows]]
attack = "items"
at_most = 2
tolerates = { identity = "1/10" }

[needs]
itemsets = { min_support = 100, max_size = 5 }

[protect.items]
score = "paper"
reinstate = false

[effort]
seed = 7
seconds = 2.5
"""


def understood(tmp_path: Path, text: str, *settings: str) -> object:
    path = tmp_path / "scenario.toml"
    path.write_text(text)
    values, read = read_scenario(path)
    return understand(overridden(values, settings), base=tmp_path, name=path.name, text=read, look=False)


def mistakes(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(ga.ScenarioError) as caught:
        understood(tmp_path, text)
    return [str(mistake) for mistake in caught.value.mistakes]


def test_a_whole_scenario_becomes_values(tmp_path: Path) -> None:
    scenario = understood(tmp_path, WHOLE)

    assert scenario.attackers == (ga.KnowsItems(at_most=3), ga.KnowsItems(at_most=2))
    assert scenario.tolerances == (
        ga.Tolerance(identity="1/5", attribute=Fraction(1, 10)),
        ga.Tolerance(identity="1/10"),
    )
    assert scenario.needs == (ga.NeedsItemsets(min_support=100, max_size=5),)
    assert scenario.options == {"items": {"score": "paper", "reinstate": False}}
    assert scenario.effort == ga.Effort(seed=7, seconds=2.5)
    assert scenario.fields.private == ("insulin",)


def test_a_toml_float_is_taken_by_its_decimal_text(tmp_path: Path) -> None:
    assert understood(tmp_path, WHOLE, "tolerates.identity=0.3").tolerances[0].identity == Fraction(3, 10)


def test_settings_reach_entries_of_lists(tmp_path: Path) -> None:
    assert understood(tmp_path, WHOLE, "knows.0.at_most=4").attackers[0].at_most == 4


def test_all_mistakes_are_shown_together_with_their_lines(tmp_path: Path) -> None:
    text = (
        WHOLE.replace("at_most = 3", "at_mots = 3").replace('"1/5"', '"1/0"').replace("seed = 7", "sede = 7")
    )

    found = mistakes(tmp_path, text)

    assert [line.split(":")[0] for line in found] == ["line 7", "line 10", "line 12", "line 27"]
    assert "did you mean at_most?" in found[2]
    assert "needs at_most" in found[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("at_most = 3", "at_most = 0"), "at least 1"),
        (("at_most = 3", 'at_most = "3"'), "whole number"),
        (('attack = "items"\nat_most = 3', 'attack = "magic"'), "There is no attack magic"),
        (('private = ["insulin"]', 'private = ["x"]\nprivate_from = "p.txt"'), "both given"),
        (('private = ["insulin"]', "private = [7]"), 'write "7"'),
        (('private = ["insulin"]', 'private = ["x"]\nhierarchies = { age = "a.csv" }'), "belongs to a table"),
        (('private = ["insulin"]', 'kind = "supports"'), "transactions is missing"),
        (('private = ["insulin"]', 'private = ["x"]\nsensitive = "y"'), "belongs to a table"),
        (('private = ["insulin"]', 'kind = "graph"'), "transactions, table"),
        (('score = "paper"', 'score = "best"'), "minimal, paper"),
        (("min_support = 100", "min_support = 0"), "at least 1"),
        (("[needs]", "[wants]"), "has no field wants"),
        (("reinstate = false", "reinstate = 1"), "true or false"),
        (("seconds = 2.5", "seconds = -1"), "above 0"),
    ],
)
def test_a_wrong_field_is_one_clear_mistake(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    found = mistakes(tmp_path, WHOLE.replace(*change, 1))

    assert len(found) == 1
    assert said in found[0]


def test_a_scenario_without_tolerance_or_attacker_is_refused(tmp_path: Path) -> None:
    assert (
        "Nothing says what you tolerate"
        in mistakes(tmp_path, '[release]\ndata = "x"\n[[knows]]\nattack = "items"\nat_most = 1\n')[0]
    )
    assert (
        "No attacker is named" in mistakes(tmp_path, '[release]\ndata = "x"\n[tolerates]\nidentity = 1\n')[0]
    )


def test_broken_toml_and_missing_files_are_refused(tmp_path: Path) -> None:
    assert "not TOML" in mistakes(tmp_path, "[release")[0]
    with pytest.raises(ga.ScenarioError, match="cannot be read"):
        read_scenario(tmp_path / "nowhere.toml")


def test_words_of_the_command_line_become_a_scenario() -> None:
    values = from_words(
        "b.dat", ["items:at_most=3", "attributes:columns=sex,education"], ["identity=1/5,attribute=0.5"]
    )

    assert values["knows"] == [
        {"attack": "items", "at_most": 3},
        {"attack": "attributes", "columns": ["sex", "education"]},
    ]
    assert values["tolerates"]["identity"] == "1/5"
    values |= {"knows": values["knows"][:1], "release": {"data": "b.dat", "private": ["insulin"]}}
    scenario = understand(values, base=Path(), name="b.dat", look=False)
    assert scenario.tolerances == (ga.Tolerance(identity="1/5", attribute="1/2"),)


@pytest.mark.parametrize("setting", ["x", "=3", "knows.9.at_most=3", "release.data.x=1"])
def test_settings_that_make_no_sense_are_refused(setting: str) -> None:
    with pytest.raises(ga.ScenarioError):
        overridden(from_words("b.dat", ["items:at_most=3"], []), [setting])
