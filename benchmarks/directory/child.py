"""Do one piece of work in a process of its own and print what it took: `python -m benchmarks.directory.child JSON`."""

import json
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from benchmarks.directory import data, peers
from benchmarks.shared import peak_mb, timed

import giveaway as ga

Found = dict[str, Any]

TOOLS = {"giveaway": peers.with_giveaway, "recordlinkage": peers.with_recordlinkage}
FEW = ga.Tolerance(identity="1/5")
SIX = ga.NeedsColumns(per_record=6, clip=True, fill=False)
ALIKE = {name: ga.Jaro("0.8") for name in ("given_name", "surname", "address_1", "suburb")}
_WARM = 300


def linkage(folder: Path, *, tool: str, index: peers.Index, match: peers.Match, rows: int) -> Found:
    """Count from a frame in memory who agrees with each record."""
    logging.disable(logging.WARNING)
    frame = peers.fit_for(data.febrl_frame(folder, 3).head(rows), index)
    count = TOOLS[tool]
    count(frame.head(_WARM), index, match)
    before = peak_mb()
    seconds, counts = timed(lambda: count(frame, index, match))
    return {
        "rows": len(frame),
        "seconds": seconds,
        "peak_mb_before": before,
        "peak_mb": peak_mb(),
        "counts": counts,
    }


def whole(folder: Path, *, what: str, rows: int) -> Found:
    """Assess or protect a frame in memory as every user does, after a warm-up with few rows."""
    read, work = WORKS[what]
    frame = read(folder, rows)
    work(frame.head(_WARM))
    before = peak_mb()
    seconds, answer = timed(lambda: work(frame))
    return {
        "records": len(frame),
        "seconds": seconds,
        "peak_mb_before": before,
        "peak_mb": peak_mb(),
        **told(answer),
    }


def register(directory: Path, *, records: str, people: str) -> Found:
    """Read records and a directory from files and assess; the steps are timed one by one."""
    reading, table = timed(lambda: ga.read_table(directory / records, id="person"))
    opening, attacker = timed(lambda: ga.KnowsDirectory(people=str(directory / people), id="person"))
    assessing, answer = timed(lambda: ga.assess(ga.Release(table, gaps="agree"), attacker, FEW))
    return {
        "records": len(table),
        "people": len(attacker.directories[0]),
        "entries": len(attacker.directories[0].alone),
        "reading_seconds": reading,
        "directory_seconds": opening,
        "assessing_seconds": assessing,
        "seconds": reading + opening + assessing,
        "peak_mb": peak_mb(),
        **told(answer),
    }


def adult(folder: Path, rows: int) -> pd.DataFrame:
    """Read twelve columns of Adult, with a number for each record."""
    frame = data.adult_frame(folder)[list(data.COMPARED)].head(rows)
    return frame.assign(who=range(len(frame)))


def adult_table(frame: pd.DataFrame) -> ga.Table:
    return ga.Table.from_frame(frame, id="who", missing=("?", None))


def assess_adult(frame: pd.DataFrame) -> ga.Assessment:
    return ga.assess(ga.Release(adult_table(frame), gaps="agree"), ga.KnowsDirectory(), FEW)


def protect_adult(frame: pd.DataFrame) -> ga.Assessment:
    return ga.protect(ga.Release(adult_table(frame), gaps="agree"), ga.KnowsDirectory(), FEW)


def six_of_adult(frame: pd.DataFrame) -> ga.Assessment:
    weights = {name: f"{place + 1}/12" for place, name in enumerate(data.COMPARED)}
    sensitivity = ga.Sensitivity(columns=weights, form="multiplicative")
    return ga.protect(
        ga.Release(adult_table(frame), gaps="agree", sensitivity=sensitivity),
        ga.KnowsDirectory(),
        ga.Tolerance(average=1),
        need=SIX,
    )


def protect_febrl(frame: pd.DataFrame) -> ga.Assessment:
    return ga.protect(
        ga.Release(ga.Table.from_frame(frame), gaps="agree"), ga.KnowsDirectory(match=ALIKE), FEW
    )


def febrl(folder: Path, rows: int) -> pd.DataFrame:
    return data.febrl_frame(folder, 3).head(rows)


WORKS: dict[str, tuple[Callable[[Path, int], pd.DataFrame], Callable[[pd.DataFrame], ga.Assessment]]] = {
    "Adult, assess, identity 1/5": (adult, assess_adult),
    "Adult, protect, identity 1/5": (adult, protect_adult),
    "Adult, protect, six values of each record, average 1": (adult, six_of_adult),
    "FEBRL, protect, identity 1/5, four columns by Jaro 0.8": (febrl, protect_febrl),
}


def told(answer: ga.Assessment) -> Found:
    """Return the verdict and the figures that tell how it came about."""
    finding = answer.to_dict()["findings"][0]
    figures = finding["figures"]
    return {
        "verdict": answer.verdict,
        "kept": finding["kept"],
        **{name: figures[name] for name in ("risk", "min_candidates", "exposed_records", "optimal_records")},
    }


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    does = {"linkage": linkage, "whole": whole, "register": register}[given.pop("does")]
    print(json.dumps(does(Path(sys.argv[2]), **given)))
