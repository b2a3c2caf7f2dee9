"""No released file is over a stated limit for any stated attacker: all small worlds, all lots, and the definition alone."""

import os
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from tests.sizes import long
from tests.worlds.combinations import COMBINATIONS, REFUSED
from tests.worlds.worlds import all_worlds, beliefs, channel

from giveaway import linear_programs
from giveaway.crowds import plan as planning

ALL = os.environ.get("GIVEAWAY_WORLDS") == "all"
QUICK = {
    "AB beside AC, of different limits",
    "A, of B, until it is safe",
    "A, of B, beside AB",
    "B has changed, rows",
    "baskets of two periods, rows",
}
"""One of each kind: several attackers, sensitive values, other attackers' values, two periods, and baskets."""


@pytest.fixture(scope="module", autouse=True)
def _remembering() -> Iterator[None]:
    """Solve every integer program of a plan once: most worlds and all lots put the same few."""
    solved: dict[bytes, Any] = {}
    solve = linear_programs.whole

    def remembered(*asked: Any, **program: Any) -> Any:
        key = pickle.dumps((asked, program))
        if key not in solved:
            solved[key] = solve(*asked, **program)
        return solved[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planning, "whole", remembered)
        yield


@pytest.mark.parametrize(
    "name",
    [
        name if name in QUICK else pytest.param(name, marks=long)
        for name, one in COMBINATIONS.items()
        if ALL or one.always
    ],
)
def test_no_file_is_over_a_limit(name: str) -> None:
    one = COMBINATIONS[name]
    files = channel(filter(one.where, all_worlds(one.values, one.people)), one.owner)
    assert any(files.values()) != (name in REFUSED), "a chance that is never looked at is not over"

    over = [
        (chance, promise.of, dict(seen.known), about, seen.seen)
        for promise in one.promises
        for prior in one.priors
        for seen in beliefs(files, promise.places, prior=prior, **promise.sees)
        for about, chance in promise.chances(seen).items()
        if chance > promise.limit
    ]
    assert not over, f"{len(over)} chances are over, among them {max(over, key=lambda found: found[0])}"
