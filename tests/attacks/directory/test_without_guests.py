"""What the papers bring is refused where it decides, and left out where it is only told, when they are not installed."""

from typing import Any

import pytest
from tests.attacks.directory.cases import people, table

import giveaway as ga

RELEASE = ga.Release(table([{"c0": "a"}, {"c0": "b"}], ["c0"]))
LIMIT = ga.Tolerance(identity="1/2")


@pytest.fixture(autouse=True)
def _nothing_is_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: str) -> Any:
        return None

    monkeypatch.setattr("giveaway.attacks.ways.brought", nothing)
    monkeypatch.setattr("giveaway.attacks.directory.reporting.details.brought", nothing)


@pytest.mark.parametrize("need", [{"total": 1}, {"per_column": 1}])
def test_a_need_that_only_a_paper_serves_is_refused(need: dict[str, int]) -> None:
    with pytest.raises(ga.NotInstalled, match="install giveaway whole"):
        ga.protect(RELEASE, ga.KnowsDirectory(knows_method=False), LIMIT, need=ga.NeedsColumns(**need))


def test_a_report_is_drawn_without_theorem_1() -> None:
    true = people([("r0", {"c0": "a"}), ("r1", {"c0": "b"}), ("r2", {"c0": "b"})], ["c0"], "true.csv")
    attacker = ga.KnowsDirectory(knows_method=False, true_people=true)
    risk = ga.assess(RELEASE, attacker, LIMIT).findings[0].risk
    assert risk.how.detail.startswith("The people who agree with each record were counted")
    assert "Theorem 1" not in risk.how.detail
    assert "true_risk" not in risk.figures
    assert "estimated" not in {curve.name for curve in risk.curves}
