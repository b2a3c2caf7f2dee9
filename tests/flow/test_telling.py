"""Whoever watches hears of the work inside long loops, and can stop it there."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests.bench.cases import CASES, Case

import giveaway as ga
from giveaway.crowds.split import ProfileValuePairs, Split, ValuesHeld
from giveaway.model.progress import telling, watched


class Stop(Exception):
    """What somebody raises who stops the work."""


class Heard(Counter[str]):
    """Counts what is told of each stage."""

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        assert total is None or done <= max(total, done)
        self[stage] += 1


def test_a_loop_tells_of_every_so_manieth_value() -> None:
    heard = Heard()

    with watched(heard):
        assert list(telling("looking", range(10), every=4)) == list(range(10))

    assert heard == {"looking": 3}


def test_exact_chances_are_told_while_they_are_worked_out() -> None:
    many = 5_000
    lines = np.arange(many)
    split, held = Split.observed(lines, lines), ValuesHeld.observed(lines, np.zeros(many, np.int64))
    heard = Heard()

    with watched(heard):
        ProfileValuePairs(split, held).largest()

    assert heard.total() >= 5


@pytest.fixture(scope="module", params=sorted(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


def asked(case: Case, watcher: Any) -> dict[str, Any]:
    return {
        "release": case.release(case.rows),
        "attackers": case.attacker,
        "tolerance": case.tolerance,
        "need": case.need,
        "effort": ga.Effort(progress=watcher),
    }


def test_the_summary_is_watched_as_the_verdict_is(case: Case) -> None:
    heard = Heard()
    found = ga.assess(**asked(case, heard))
    during_assess = heard.total()

    found.to_dict()

    assert during_assess
    silent = {"attributes", "profiles", "frequencies"}  # what is drawn of the last is of its paper
    name = next(name for name, one in CASES.items() if one is case)
    assert heard.total() > during_assess or name.split(",")[0] in silent


def test_work_is_stopped_by_what_the_watcher_raises_and_nothing_is_left_behind(case: Case) -> None:
    fresh = ga.protect(**asked(case, False)).to_dict()
    told = Heard()
    ga.protect(**asked(case, told))
    words, left = asked(case, None), [max(1, told.total() // 2)]

    def stop(*_: Any) -> None:
        left[0] -= 1
        if not left[0]:
            raise Stop

    with pytest.raises(Stop):
        ga.protect(**words | {"effort": ga.Effort(progress=stop)})

    again = ga.protect(**words | {"effort": ga.Effort(progress=False)}).to_dict()
    drawn = ("seconds", "withheld") if case.by_lot else ("seconds",)
    assert {key: again[key] for key in again if key not in drawn} == {
        key: fresh[key] for key in fresh if key not in drawn
    }
