"""Figure 1 of the paper, and what approximate matching changes."""

from fractions import Fraction
from typing import Any

import numpy as np
from benchmarks.directory.data import Coded

from giveaway.attacks.directory.candidates.count import Matching
from giveaway.attacks.directory.protecting.alike_records import spread
from giveaway.papers.directory.independent import minrisk

Found = dict[str, Any]
SHARES = (10, 25, 50, 75, 100)
"""The parts of the table that are the directory, in percent; of the values that are disclosed, the same without 10."""


def nested(name: str, people: Coded, number: int, *, seed: int = 1) -> Found:
    """Look records up in larger and larger parts of the table, MinRisk's choice made on the whole of it.

    The records are in every part, or, besides, in none.
    """
    order = people.drawn(len(people.codes), seed)
    records, others = people.rows(order[:number]), order[number:]
    each = np.random.default_rng(seed).random(records.codes.shape)
    whole = people.matching()
    alone, available = whole.alone(records.codes), records.available()
    rules = [
        spread(minrisk(alone, len(whole.people), each, available, parts(available, share)), each.shape[1])
        for share in SHARES[1:]
    ]
    inside, outside = [], []
    for share in SHARES:
        part = people.rows(order[: max(number, len(order) * share // 100)]).matching()
        without = people.rows(others[: len(others) * share // 100]).matching()
        inside.append([risks(records, part, each, shown) for shown in rules])
        outside.append(risks(records, without, each, rules[-1]) | {"nobody": nobody(records, without)})
    return {"data": name, "records": number, "people": len(order), "inside": inside, "outside": outside}


def parts(available: np.ndarray, share: int) -> np.ndarray:
    """Return how many values each record discloses: a part of those it has, at least one."""
    return np.maximum(np.bitwise_count(available).astype(np.int64) * share // 100, 1)


def risks(records: Coded, directory: Matching, each: np.ndarray, shown: np.ndarray) -> Found:
    """Return the mean loss with weights added up, and with their sum raised to the power of e."""
    crowds = directory.candidates(np.where(shown, records.codes, -1).astype(np.int32))
    chances = np.where(crowds > 0, 1 / np.maximum(crowds, 1), 0.0)
    total = (each * shown).sum(axis=1)
    return {
        "additive": float((total * chances).mean()),
        "multiplicative": float((np.exp(total) * chances).mean()),
    }


def nobody(records: Coded, directory: Matching) -> float:
    return float((directory.candidates(records.codes) == 0).mean())


def pairs(name: str, people: Coded, number: int, draws: int, *, seed: int = 1) -> list[Found]:
    """Estimate the risk with a directory that is smaller than the true one, whose values may be missing."""
    random = np.random.default_rng(seed)
    size = len(people.codes) // 6
    found = []
    for draw in range(draws):
        order, ratio = random.permutation(len(people.codes)), 1 + draw % 5
        records = people.rows(order[:number])
        each = random.random(records.codes.shape)
        true = people.rows(order[: ratio * size])
        blanked = 0.1 * int(random.integers(0, 4))
        true.codes[random.random(true.codes.shape) < blanked] = -1
        shown = random.random(each.shape).argsort(axis=1) < random.integers(1, each.shape[1] + 1)
        shown &= records.codes >= 0
        estimate = risks(records, people.rows(order[:size]).matching(), each, shown)["additive"]
        found.append(
            {
                "data": name,
                "size_ratio": ratio,
                "blanked": blanked,
                "estimated": estimate,
                "true": risks(records, true.matching(), each, shown)["additive"],
            }
        )
    return found


def alike(people: Coded, number: int, *, seed: int = 1) -> list[Found]:
    """Return the mean chance over all sets of so many columns, values equal or alike in every column."""
    records, width = people.rows(people.drawn(number, seed)), len(people.names)
    size = np.bitwise_count(np.arange(1 << width))
    equal, near = (
        np.array([crowds(matching, values) for values in records.codes])
        for matching in (people.matching(), people.matching(Fraction(4, 5)))
    )
    return [
        {
            "values": values,
            "exact": float((1 / equal[:, size == values]).mean()),
            "jaro": float((1 / near[:, size == values]).mean()),
            "never_above": bool((near[:, size == values] >= equal[:, size == values]).all()),
        }
        for values in range(1, width + 1)
    ]


def crowds(matching: Matching, values: np.ndarray) -> np.ndarray:
    """Count who agrees with a record for every set of its columns, who is in the directory."""
    signature = matching.signature(values)
    width = len(matching.names)
    found = np.zeros(1 << width, np.int64)
    np.add.at(found, signature.masks.astype(np.int64), signature.counts)
    for column in range(width):
        split = found.reshape(-1, 2, 1 << column)
        split[:, 0] += split[:, 1]
    return found
