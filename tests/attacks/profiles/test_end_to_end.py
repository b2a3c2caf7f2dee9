"""Protect, write and judge random releases; the checker, which shares no code, must agree with the measurement."""

import random
from pathlib import Path
from typing import Any

import pytest

import giveaway as ga

NAMES = ("job", "sex", "town", "ill")
CHANCE = {"cook": 0.2, "smith": 0.9, "clerk": 0.5}


def people(seed: int, *, gaps: bool) -> ga.Table:
    """Make up people whose job tells something about their illness."""
    chance = random.Random(seed)  # noqa: S311 # made-up people
    rows = []
    for _ in range(chance.randint(40, 120)):
        job, sex, town = (chance.choice(part) for part in (sorted(CHANCE), "fm", ("Ayr", "Bath", "Ely")))
        ill = "yes" if chance.random() < CHANCE[job] else chance.choice(("no", "perhaps"))
        row = [job, sex, town, ill]
        if gaps and chance.random() < 0.1:
            row[chance.randrange(3)] = ""
        rows.append(dict(zip(NAMES, row, strict=True)))
    return ga.Table.from_rows(rows, sensitive="ill")


@pytest.mark.parametrize("seed", range(12))
def test_what_is_published_is_judged_alike_by_the_checker(seed: int, tmp_path: Path) -> None:
    chance = random.Random(1000 + seed)  # noqa: S311 # a made-up question
    gaps = seed % 3 == 0
    table = people(seed, gaps=gaps)
    terms: dict[str, Any] = {
        "min_support": chance.choice(["0.05", "0.1"]),
        "min_confidence": chance.choice(["0.5", "0.7"]),
        "inclusive": chance.random() < 0.5,
    }
    rules = ga.mine_rules(table, **terms)
    release = ga.Release(
        table,
        rules=ga.PublishedRules(
            rules,
            scores=chance.choice(["withheld", "exact", 1, 2]),
            distribution=chance.choice(["withheld", "published"]),
            **terms,
        ),
    )
    attacker = ga.KnowsProfiles(
        columns=NAMES[:3],
        judges=chance.choice(["any", "true"]),
        whole_numbers=chance.random() < 0.7,
        missing_profiles=chance.choice(["value", "drop"]) if gaps else "refuse",
    )
    tolerance = ga.Tolerance(attribute=chance.choice(["0.75", "0.85"]), share=chance.choice(["0", "0.1"]))
    safer = ga.protect(release, attacker, tolerance)
    written = safer.publish(tmp_path / "out").written
    assert written is not None
    assert "rules.csv" in [file.file for file in written]
    assert ga.assess(safer.release, attacker, tolerance).safe
