"""All mistakes of a scenario are told at once, each with its line."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized

import giveaway as ga
from giveaway.scenario import read_scenario, understand

ELEVEN = """\
[release]
data = "nowhere.csv"
kind = "tabel"
sensitive = "job"
secrets = "no-secrets.csv"

[tolerates]
attribute = "abc"
share = 2

[[knows]]
attack = "attributes"
columns = ["sex"]
trusts_support_above = -1

[[knows]]
attack = ["items"]

[needs]
cells = { hideable = "z" }

[effort]
seed = -1
seconds = -5
exact = "maybe"
"""


@dataclass(frozen=True)
class Wrong:
    """One line of a scenario that becomes wrong by itself."""

    right: str
    wrong: str
    said: str


TABLE = """\
[release]
data = "people.csv"
sensitive = "job"
secrets = "secrets.csv"
must_publish = "marks.csv"
encoding = "utf-8"

[tolerates]
attribute = "1/2"
share = 0

[[knows]]
attack = "attributes"
columns = ["sex"]
trusts_support_above = 0

[[knows]]
attack = "attributes"
columns = ["age"]

[knows.tolerates]
attribute = "1/3"
share = 0.1

[needs.cells]
hideable = "a"

[protect.attributes]
method = "auto"

[effort]
seed = 1
seconds = 60
exact = false
"""
OF_TABLE = (
    Wrong('data = "people.csv"', 'data = "peopel.csv"', "peopel.csv"),
    Wrong('secrets = "secrets.csv"', 'secrets = "no.csv"', "no.csv"),
    Wrong('must_publish = "marks.csv"', 'must_publish = "none.csv"', "none.csv"),
    Wrong('encoding = "utf-8"', "encoding = 8", "encoding must be text"),
    Wrong('attribute = "1/2"', 'attribute = "abc"', "attribute = 'abc'"),
    Wrong("share = 0\n", "share = 1\n", "share = 1"),
    Wrong("trusts_support_above = 0", "trusts_support_above = -1", "trusts_support_above = -1"),
    Wrong('columns = ["age"]', "columns = []", "columns names no column"),
    Wrong('attribute = "1/3"', "attribute = 3", "attribute = 3"),
    Wrong("share = 0.1", "share = -0.1", "share = -1/10"),
    Wrong('hideable = "a"', 'hideable = "z"', "hideable = 'z'"),
    Wrong('method = "auto"', 'method = "best"', "method = 'best'"),
    Wrong("seed = 1\n", "seed = -1\n", "seed = -1"),
    Wrong("seconds = 60", "seconds = -5", "seconds = -5"),
    Wrong("exact = false", "exact = 1", "exact = 1"),
)

BASKETS = """\
[release]
data = "baskets.dat"
domain_from = "domain.txt"
renamed = true

[tolerates]
identity = "1/5"
average = 0.1

[[knows]]
attack = "frequencies"
compliance = 1
order = "random"
of_interest = "items.txt"

[knows.belief]
around = 0.01

[[knows]]
attack = "items"
at_most = 2

[knows.tolerates]
identity = "1/3"

[needs.itemsets]
min_support = 3
max_size = 2

[protect.items]
score = "paper"
reinstate = false
"""
OF_BASKETS = (
    Wrong('data = "baskets.dat"', 'data = "basket.dat"', "basket.dat"),
    Wrong('domain_from = "domain.txt"', 'domain_from = "x.txt"', "x.txt"),
    Wrong("renamed = true", "renamed = 1", "renamed = 1"),
    Wrong('identity = "1/5"', 'identity = "1/0"', "identity = '1/0'"),
    Wrong("average = 0.1", "average = -1", "average = -1"),
    Wrong("compliance = 1", "compliance = 7", "compliance = 7"),
    Wrong('order = "random"', 'order = "randm"', "order = 'randm'"),
    Wrong('of_interest = "items.txt"', 'of_interest = "it.txt"', "it.txt"),
    Wrong("around = 0.01", 'around = "x"', "'x'"),
    Wrong("at_most = 2", "at_most = -1", "at_most = -1"),
    Wrong('identity = "1/3"', "identity = 0", "identity = 0"),
    Wrong("min_support = 3", "min_support = 0", "min_support = 0"),
    Wrong("max_size = 2", "max_size = 1.5", "max_size = 1.5"),
    Wrong('score = "paper"', 'score = "best"', "score = 'best'"),
    Wrong("reinstate = false", 'reinstate = "no"', "reinstate = 'no'"),
)
SCENARIOS = {"table": (TABLE, OF_TABLE), "baskets": (BASKETS, OF_BASKETS)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = ("people.csv", "secrets.csv", "marks.csv", "baskets.dat", "domain.txt", "items.txt")
    for name in files:
        (tmp_path / name).write_text("a\n")
    return tmp_path


def mistakes(folder: Path, text: str) -> list[str]:
    (folder / "a.toml").write_text(text)
    values, read = read_scenario(folder / "a.toml")
    try:
        understand(values, base=folder, name="a.toml", text=read)
    except ga.ScenarioError as error:
        return [str(mistake) for mistake in error.mistakes]
    return []


def test_eleven_mistakes_are_told_at_once_with_their_lines(folder: Path) -> None:
    found = mistakes(folder, ELEVEN)

    assert [one.split(":")[0] for one in found] == [
        f"line {number}" for number in (2, 3, 5, 8, 9, 14, 17, 20, 23, 24, 25)
    ]


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_scenarios_are_right_before_mistakes_are_put_in(folder: Path, name: str) -> None:
    assert mistakes(folder, SCENARIOS[name][0]) == []


@sized()
@given(st.data())
def test_a_scenario_tells_every_one_of_its_mistakes(folder: Path, data: st.DataObject) -> None:
    text, kinds = SCENARIOS[data.draw(st.sampled_from(sorted(SCENARIOS)))]
    chosen = data.draw(st.lists(st.sampled_from(kinds), unique=True, min_size=1))
    lines = {}
    for one in chosen:
        assert text.count(one.right) == 1
        lines[one] = text[: text.index(one.right)].count("\n") + 1
        text = text.replace(one.right, one.wrong)

    found = mistakes(folder, text)

    assert len(found) == len(chosen), found
    for one in chosen:
        assert any(told.startswith(f"line {lines[one]}:") and one.said in told for told in found), (
            one,
            found,
        )
