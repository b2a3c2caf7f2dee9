"""Limits of a scenario file that no attacker is judged by are refused with their lines."""

from pathlib import Path
from typing import Any

import pytest

from giveaway.errors import ScenarioError
from giveaway.scenario import overridden, read_scenario, understand

TABLE = """\
[release]
data = "people.csv"
sensitive = "ill"
{release}
[tolerates]
identity = "1/5"
{limits}

[[knows]]
attack = "directory"
on = ["zip"]
"""

OWN = """\
[release]
data = "baskets.dat"

[[knows]]
attack = "items"
at_most = 2
tolerates = { identity = "1/5" }
"""


def told(tmp_path: Path, text: str, *settings: str) -> Any:
    file = tmp_path / "a.toml"
    file.write_text(text)
    values, written = read_scenario(file)
    return understand(overridden(values, settings), base=tmp_path, name="a.toml", text=written, look=False)


def refused(tmp_path: Path, text: str, *settings: str) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        told(tmp_path, text, *settings)
    return [str(mistake) for mistake in caught.value.mistakes]


def test_every_limit_that_nobody_is_judged_by_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    bare = TABLE.replace('sensitive = "ill"', 'leave_out = "ill"')
    attribute = refused(tmp_path, bare.format(release="", limits='attribute = "1/2"'))
    assert len(attribute) == 1
    assert attribute[0].startswith(
        "line 7: attribute = 1/2 is a limit that no attacker is judged by: no sensitive"
    )
    assert "directory: average and identity" in attribute[0]
    both = refused(tmp_path, bare.replace('identity = "1/5"', 'average = "1/5"').format(
        release="", limits='attribute = "1/2"\nshare = "1/10"'
    ))  # fmt: skip
    assert [text.split(" = ")[0] for text in both] == ["line 7: attribute", "line 8: share"]


def test_private_items_decide_whether_an_attribute_is_judged(tmp_path: Path) -> None:
    text = OWN.replace('identity = "1/5"', 'identity = "1/5", attribute = "1/2"')
    assert "line 7" in refused(tmp_path, text)[0]
    assert "no item is private" in refused(tmp_path, text)[0]
    assert told(tmp_path, text, 'release.private=["insulin"]').tolerances[0].attribute


def test_a_limit_that_an_attacker_overrides_is_refused_with_the_field_that_wins(tmp_path: Path) -> None:
    assert told(tmp_path, OWN).tolerances
    said = refused(tmp_path, OWN, "tolerates.identity=1/3")
    assert len(said) == 1
    assert "attacker 1 has its own limits" in said[0]
    assert "--set knows.0.tolerates.identity=1/3" in said[0]
    changed = told(tmp_path, OWN, "knows.0.tolerates.identity=1/3")
    assert changed.tolerances[0].smallest_crowd == 3


def test_the_field_that_is_named_is_one_that_the_attacker_is_judged_by(tmp_path: Path) -> None:
    said = refused(tmp_path, OWN, "tolerates.average=1/3")
    assert said == ["average = 1/3 is a limit that no attacker is judged by. Hint: leave average out."]


def test_a_common_limit_that_another_attacker_still_uses_stands(tmp_path: Path) -> None:
    text = OWN + '\n[[knows]]\nattack = "items"\nat_most = 1\n'
    found = told(tmp_path, text, "tolerates.identity=1/3")
    assert [given.smallest_crowd for given in found.tolerances] == [5, 3]


def test_an_average_above_one_is_told_where_it_stands(tmp_path: Path) -> None:
    text = '[release]\ndata = "a.dat"\n[tolerates]\naverage = 1.5\n[[knows]]\nattack = "frequencies"\n'
    assert refused(tmp_path, text)[0].startswith("line 4: average = 3/2 is above 1")
