"""One word for the columns that an attacker knows, and another that means the same where it was the first."""

from pathlib import Path

import pytest

import giveaway as ga
from giveaway.scenario import understand

VALUES = {
    "release": {"data": "people.csv", "kind": "table"},
    "tolerates": {"identity": "1/2"},
}
TEXT = """\
[[knows]]
attack = "directory"
{word} = {columns}
"""


def asked(**fields: object) -> ga.KnowsDirectory:
    values = VALUES | {"knows": [{"attack": "directory", **fields}]}
    (attacker,) = understand(values, base=Path(), name="", look=False).attackers
    assert isinstance(attacker, ga.KnowsDirectory)
    return attacker


@pytest.mark.parametrize("word", ["columns", "on"])
def test_both_words_mean_the_columns(word: str) -> None:
    for attacker in (asked(**{word: ["zip"]}), ga.KnowsDirectory(**{word: ["zip"]})):
        assert attacker.columns == attacker.on == attacker.looks_at() == ("zip",)
        assert attacker.knows() == "the zip of everybody in the table"


def test_one_of_them_is_enough() -> None:
    with pytest.raises(ga.ScenarioError, match="columns and on are both given"):
        asked(columns=["zip"], on=["zip"])
    with pytest.raises(ga.ScenarioError, match="columns and on are both given"):
        ga.KnowsDirectory(columns=["zip"], on=["zip"])


@pytest.mark.parametrize("word", ["columns", "on"])
def test_a_mistake_is_told_by_the_word_and_the_line_that_are_written(word: str) -> None:
    values = VALUES | {"knows": [{"attack": "directory", word: ["zip", "zip"]}]}
    text = TEXT.format(word=word, columns='["zip", "zip"]')

    with pytest.raises(ga.ScenarioError, match=f"line 3: {word} names a column twice"):
        understand(values, base=Path(), name="", text=text, look=False)


def test_the_first_word_is_the_one_that_a_close_miss_is_told() -> None:
    with pytest.raises(ga.ScenarioError, match=r"has no field column\..*did you mean columns\?"):
        asked(column=["zip"])
