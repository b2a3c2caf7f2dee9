"""What counting and choosing cost for each record."""

from typing import Any

import numpy as np
from benchmarks.directory.data import Coded, cases
from benchmarks.shared import timed

from giveaway.attacks.directory.candidates.count import Matching
from giveaway.attacks.directory.disclosure.best import Case, best, best_of_each
from giveaway.attacks.directory.protecting.alike_records import spread
from giveaway.papers.directory.independent import minrisk as least_if_independent

Found = dict[str, Any]
BEST_FOUND = "proof"


def narrow(name: str, people: Coded, number: int, *, seed: int = 1) -> Found:
    """Count and choose for some records of a directory with few columns."""
    preparing, matching = timed(people.matching)
    records = people.rows(people.drawn(number, seed))
    width = len(people.names)
    each = np.random.default_rng(seed).random((number, width))
    asked = list(cases(records, matching, each, "multiplicative"))
    best_of_each(asked[:2], 2, attributes=width)
    signing, _ = timed(lambda: list(matching.signatures(records.codes)))
    choosing, chosen = timed(lambda: best_of_each(asked, number, attributes=width))
    together, _ = timed(lambda: matching.candidates(people.codes))
    return {
        "data": name,
        "people": len(people.codes),
        "entries": len(matching.people.alone),
        "columns": width,
        "records": number,
        "preparing_seconds": preparing,
        "signature_ms": 1000 * signing / number,
        "masks": float(np.mean([len(case.signatures[0].masks) for case in asked])),
        "optimum_ms": 1000 * choosing / number,
        "proved": float(chosen.proved.mean()),
        "all_at_once_seconds": together,
        "all_at_once_us": 1e6 * together / len(people.codes),
    }


def wide(
    name: str, people: Coded, number: int, *, sizes: tuple[int, ...], widths: tuple[int, ...], nodes: int
) -> Found:
    """Compare beams of several widths, and say what a branch and bound proves, for some records of a wide directory."""
    matching = people.matching()
    records = people.rows(people.drawn(number, 1))
    each = np.random.default_rng(2).random((number, len(people.names)))
    asked = list(cases(records, matching, each, "multiplicative"))
    best(asked[0], sizes=range(2, 3), width=1, nodes=1)
    signing, _ = timed(lambda: list(matching.signatures(records.codes)))
    ways = {"MinRisk": minrisk(records, matching, each, sizes)}
    beams: Found = {}
    for width in widths:
        spent, ways[f"beam {width}"] = timed(lambda width=width: beam(asked, sizes, width))
        beams[str(width)] = spent / number
    proofs, ways[BEST_FOUND] = prove(asked, sizes, nodes)
    least = np.min(list(ways.values()), axis=0)
    return {
        "data": name,
        "people": len(people.codes),
        "columns": len(people.names),
        "records": number,
        "masks": float(np.mean([len(case.signatures[0].masks) for case in asked])),
        "signature_ms": 1000 * signing / number,
        "nodes": nodes,
        "beam_seconds": beams,
        "sizes": [
            {
                "values": size,
                "ratios": {way: mean_ratio(losses[:, at], least[:, at]) for way, losses in ways.items()},
                **proofs[at],
            }
            for at, size in enumerate(sizes)
        ],
    }


def mean_ratio(losses: np.ndarray, least: np.ndarray) -> float:
    return float(np.mean(losses / least))


def minrisk(records: Coded, matching: Matching, each: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Return the losses of what MinRisk chooses, people counted; a record with fewer values discloses all it has."""
    alone, available = matching.alone(records.codes), records.available()
    losses = []
    for size in sizes:
        wanted = np.minimum(size, np.bitwise_count(available)).astype(np.int64)
        masks = least_if_independent(alone, len(matching.people), each, available, wanted)
        losses.append(losses_of(records, matching, each, masks))
    return np.stack(losses, axis=1)


def losses_of(records: Coded, matching: Matching, each: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Return the loss of each record under multiplicative weights; every record is in the directory."""
    shown = spread(masks, len(records.names))
    values = np.where(shown, records.codes, -1).astype(np.int32)
    return np.exp((each * shown).sum(axis=1)) / matching.candidates(values)


def beam(asked: list[Case], sizes: tuple[int, ...], width: int) -> np.ndarray:
    """Return the losses that a beam alone reaches."""
    reached = [best(case, sizes=only(case, max(sizes)), width=width, nodes=0).losses for case in asked]
    return np.array(
        [[losses[only(case, size)[0]] for size in sizes] for case, losses in zip(asked, reached, strict=True)]
    )


def prove(asked: list[Case], sizes: tuple[int, ...], nodes: int) -> tuple[list[Found], np.ndarray]:
    """Return for each size what beam and branch and bound took and proved, and the losses."""
    found, losses = [], []
    for size in sizes:
        spent, answers = timed(
            lambda size=size: [best(case, sizes=only(case, size), nodes=nodes) for case in asked]
        )
        at = [only(case, size)[0] for case in asked]
        losses.append([answer.losses[place] for answer, place in zip(answers, at, strict=True)])
        proved = [bool(answer.proved[place]) for answer, place in zip(answers, at, strict=True)]
        found.append({"proof_seconds": spent / len(asked), "proved": float(np.mean(proved))})
    return found, np.array(losses).T


def only(case: Case, size: int) -> range:
    """Return one size, or all the values that the record has."""
    size = min(size, case.available.bit_count())
    return range(size, size + 1)
