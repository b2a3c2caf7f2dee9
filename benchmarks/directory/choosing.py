"""What the paper's independence costs: MinRisk and greedy against the best choice, and its figure against the truth."""

from typing import Any

import numpy as np
from benchmarks.directory.counting import losses_of
from benchmarks.directory.data import Coded, cases

from giveaway.attacks.directory.disclosure.best import best
from giveaway.attacks.directory.disclosure.per_record.search import beam, sought_of
from giveaway.papers.directory.independent import minrisk

Found = dict[str, Any]
_EQUAL = 1 + 1e-9


def compared(name: str, people: Coded, number: int, *, seed: int = 1) -> list[Found]:
    """Disclose more and more values of some records, chosen in three ways and judged by the people counted."""
    matching, records = people.matching(), people.rows(people.drawn(number, seed))
    width = len(people.names)
    each = np.random.default_rng(seed).random((number, width))
    available = records.available()
    proved = True
    least, greedy = np.empty((number, width + 1)), np.full((number, width + 1), np.nan)
    for row, case in enumerate(cases(records, matching, each, "multiplicative")):
        found = best(case)
        least[row] = found.losses
        proved &= bool(found.proved.all())
        posed = case.posed()
        greedy[row, : posed.open + 1] = beam(sought_of(posed), posed.open, width=1).losses
    alone = matching.alone(records.codes)
    rows = []
    for values in range(1, width + 1):
        wanted = np.minimum(values, np.bitwise_count(available)).astype(np.int64)
        masks = minrisk(alone, len(matching.people), each, available, wanted)
        losses = losses_of(records, matching, each, masks)
        optimum = least[np.arange(number), wanted]
        figure = [
            factorised(alone[row], len(matching.people), int(mask), each[row])
            for row, mask in enumerate(masks)
        ]
        rows.append(
            {
                "data": name,
                "people": len(matching.people),
                "records": number,
                "values": values,
                "proved": proved,
                "risk": float(optimum.mean()),
                "minrisk": float(losses.mean() / optimum.mean()),
                "greedy": float(greedy[np.arange(number), wanted].mean() / optimum.mean()),
                "share_optimal": float((losses <= optimum * _EQUAL).mean()),
                "factorised": float(np.mean(figure) / losses.mean()),
            }
        )
    return rows


def factorised(alone: np.ndarray, people: int, mask: int, each: np.ndarray) -> float:
    """Return the loss of a disclosure if attributes were independent and weights are multiplied."""
    shown = np.array([mask >> place & 1 for place in range(len(each))], bool)
    if people == 0 or not alone[shown].all():
        return 0.0
    return float(np.exp(each[shown].sum() + np.log(people / alone[shown]).sum() - np.log(people)))
