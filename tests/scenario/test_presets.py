"""Presets: their numbers are the written ones, what is given next to them wins, and nothing unknown is taken."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import giveaway as ga
from giveaway.model.question.presets import PRESETS, crowd, near_miss
from giveaway.report.schema import misfits
from giveaway.report.terminal import screen
from giveaway.report.wording.words import limit_in_words
from giveaway.scenario import explained, read_scenario, understand, with_preset

SCENARIO = """\
[release]
data = "a.dat"

[tolerates]
{limits}

[[knows]]
attack = "items"
at_most = 1
"""
WRITTEN = {"cell-3": 3, "cell-5": 5, "cell-11": 11, "cell-20": 20, "pdpc-3": 3, "pdpc-5": 5, "arx-default": 5}


def told(tmp_path: Path, limits: str) -> Any:
    file = tmp_path / "a.toml"
    file.write_text(SCENARIO.format(limits=limits))
    (tmp_path / "a.dat").write_text("a b\na b\na\n")
    values, text = read_scenario(file)
    return understand(values, base=tmp_path, name="a.toml", text=text)


def test_the_presets_are_those_with_a_source_and_no_other() -> None:
    assert {name: one.crowd for name, one in PRESETS.items()} == WRITTEN
    for name, one in PRESETS.items():
        assert one.name == name
        assert one.sentence
        assert one.source
        assert one.read
        assert one.certainty
        assert "attribute" not in one.limits


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("0.09", 12), ("1/11", 11), ("0.075", 14), ("0.05", 20), ("0.2", 5), ("0.04", 25), ("0.33", 4),
        ("0.333", 4), ("1/3", 3),
    ],
)  # fmt: skip
def test_the_crowd_of_a_limit(written: str, size: int) -> None:
    limit = Fraction(written)
    assert crowd(limit) == size == next(k for k in range(1, 99) if Fraction(1, k) <= limit)
    near = [k for k in range(2, 50) if Fraction(98, 100) / k <= limit < Fraction(1, k)]
    exact = limit.numerator == 1
    assert near_miss(limit) == (None if exact or not near else near[0])


def test_limits_next_to_a_preset_win_and_that_is_said(tmp_path: Path) -> None:
    (plain,) = told(tmp_path, 'preset = "cell-11"').tolerances
    assert plain.identity == Fraction(1, 11)
    assert plain.origin.overridden == ()
    (changed,) = told(tmp_path, 'preset = "cell-11"\nidentity = "1/4"').tolerances
    assert changed.identity == Fraction(1, 4)
    assert changed.origin.overridden == ("identity",)


@pytest.mark.parametrize("name", ["hipaa", "gdpr", "ema-0070", "cell11", "3"])
def test_unknown_presets_are_refused_with_the_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        ga.ScenarioError, match=rf"line 5: There is no preset {name}.*cell-3, cell-5, cell-11"
    ):
        told(tmp_path, f'preset = "{name}"')


def test_limits_of_a_preset_that_nobody_is_judged_by_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ga.ScenarioError, match=r"average = 1/20.*the preset arx-default"):
        told(tmp_path, 'preset = "arx-default"')


def test_the_command_line_replaces_only_what_the_preset_has() -> None:
    values = {"tolerates": {"identity": "1/5", "attribute": "1/2"}}
    assert with_preset(values, "cell-3", wins=True)["tolerates"] == {"attribute": "1/2", "preset": "cell-3"}
    assert with_preset(values, "cell-3", wins=False)["tolerates"]["identity"] == "1/5"


def test_the_summary_names_the_preset_and_the_screen_quotes_it(tmp_path: Path) -> None:
    scenario = told(tmp_path, 'preset = "cell-3"')
    found = ga.assess(scenario.release, scenario.attackers, scenario.tolerances)
    summary = found.to_dict()
    preset = summary["findings"][0]["tolerance"]["preset"]
    assert (preset["name"], preset["version"], preset["overridden"]) == ("cell-3", 1, [])
    assert not misfits(summary)
    text = " ".join(screen.render(summary, exposures=True, quiet=False).split())
    assert "Limits of the preset cell-3: “Some custodians use a cell size of 3”" in text


def test_a_limit_just_below_one_in_k_is_asked_about() -> None:
    release = ga.Release(ga.Transactions.from_lists([["a"], ["a"], ["b"]]))
    found = ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="0.09"))
    assert "did you mean 1/11?" in " ".join(str(found).split())
    assert "did you mean 1/11?" in found.to_html()
    assert limit_in_words("identity", Fraction("0.09")).endswith("a crowd of 12")
    assert limit_in_words("identity", Fraction(1, 11)) == "1 in 11"


def test_explain_tells_every_preset_with_its_source() -> None:
    said = " ".join(explained("presets").split())
    for one in PRESETS.values():
        assert one.name in said
        assert one.sentence in said
        assert f"a crowd of {one.crowd}" in said
