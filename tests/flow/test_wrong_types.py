"""What is not a release, an attacker or a tolerance is refused in one sentence."""

from collections.abc import Callable

import pytest

import giveaway as ga

TABLE = ga.Table.from_rows([{"a": "x", "s": "y"}] * 3, sensitive="s")
ASKED = {
    "release": ga.Release(TABLE, secrets=[1]),
    "attackers": ga.KnowsAttributes(columns=["a"]),
    "tolerance": ga.Tolerance(attribute=0.5),
}


@pytest.mark.parametrize("ask", [ga.assess, ga.protect])
@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("release", TABLE, "a Table is not a release"),
        ("attackers", {"x": 1}, "a dict is not an attacker"),
        ("attackers", [ASKED["attackers"], "x"], "a str is not an attacker"),
        ("attackers", ga.KnowsAttributes, "KnowsAttributes is not an attacker"),
        ("tolerance", {"attribute": 0.5}, "a dict is not a tolerance"),
    ],
)
def test_a_wrong_type_is_named(ask: Callable[..., object], name: str, value: object, says: str) -> None:
    with pytest.raises(ga.ScenarioError, match=says):
        ask(**{**ASKED, name: value})
