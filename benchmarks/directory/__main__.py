"""Measure the attack `directory` in one run: `python -m benchmarks.directory [--data FOLDER] [--quick]`.

Needs recordlinkage and pyCANON, in an environment of their own: `make bench-directory`. Writes results.md and
results.json beside this file. Compiled code is loaded before anything is timed. Rows whose data are not at hand are
named and left out; where Adult is not at hand a generated table takes its place in counting, choosing and the trends.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.directory import choosing, counting, data, peers, trends
from benchmarks.directory.child import WORKS
from benchmarks.directory.settings import FULL, QUICK, Settings
from benchmarks.directory.writing import markdown
from benchmarks.shared import machine, timed

HERE = Path(__file__).parent
QUASI_IDENTIFIERS = [
    list(data.COMPARED),
    ["age", "education", "occupation", "relationship", "sex", "native_country"],
    ["workclass", "education", "marital_status", "race", "sex"],
    ["sex", "race"],
]
REPEAT = 5
Found = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.directory", description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=data.SHARED, help="folder that holds adult and dictionary"
    )
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    parser.add_argument("--quick", action="store_true", help="small settings, to try the script itself")
    given = parser.parse_args()
    settings = QUICK if given.quick else FULL
    folder = given.data
    results = {
        "machine": machine("scipy", "rapidfuzz", "pandas", "recordlinkage", "pycanon"),
        "quick": given.quick,
        "adult": "Adult" if data.adult_path(folder).exists() else "generated",
        "k": k_anonymity(folder, settings),
        "linkage": linkage(folder, settings),
        "narrow": narrow(folder, settings),
        "wide": wide(folder, settings),
        "choosing": chosen(folder, settings),
        "nested": nested(folder, settings),
        "pairs": pairs(folder, settings),
        "alike": alike(folder, settings),
        "whole": whole(folder, settings),
        "register": register(settings),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")
    say(f"written to {given.out / 'results.md'}")


def k_anonymity(folder: Path, settings: Settings) -> list[Found]:
    """Compute k from the same frame."""
    if not at_hand("Adult", data.adult_path(folder)):
        return []
    frame = data.adult_frame(folder).head(settings.k)
    found = []
    for columns in QUASI_IDENTIFIERS:
        peers.k_with_assess(frame.head(500), columns)
        theirs, their_k = timed(lambda c=columns: peers.k_with_pycanon(frame, c), REPEAT)
        ours, our_k = timed(lambda c=columns: peers.k_with_giveaway(frame, c), REPEAT)
        assessing, assessed_k = timed(lambda c=columns: peers.k_with_assess(frame, c), REPEAT)
        check(their_k == our_k == assessed_k, f"k differs: {their_k}, {our_k}, {assessed_k}")
        found.append(
            {
                "rows": len(frame),
                "columns": columns,
                "k": our_k,
                "pycanon_seconds": theirs,
                "giveaway_seconds": ours,
                "assess_seconds": assessing,
                "ratio": theirs / ours,
            }
        )
        say(json.dumps(found[-1]))
    return found


def linkage(folder: Path, settings: Settings) -> list[Found]:
    """Count who agrees with each record by building pairs and without, each in a fresh process."""
    if not at_hand("FEBRL", data.febrl_path(folder, 3)):
        return []
    found = []
    for index in ("full", "block"):
        for match in ("exact", "jaro"):
            rows = settings.linkage_alike if (index, match) == ("full", "jaro") else settings.linkage
            asked = {"does": "linkage", "index": index, "match": match, "rows": rows}
            ours, theirs = (
                in_fresh_process(asked | {"tool": tool}, folder) for tool in ("giveaway", "recordlinkage")
            )
            about = {"index": index, "match": match}
            if "failed" in ours or "failed" in theirs:
                found.append(about | {"failed": ours.get("failed") or theirs["failed"]})
            else:
                counts = ours.pop("counts")
                check(counts == theirs.pop("counts"), f"the counts differ: {index}, {match}")
                found.append(
                    about
                    | {
                        "mean_candidates": sum(counts) / len(counts),
                        "equal_counts": True,
                        "giveaway": ours,
                        "recordlinkage": theirs,
                        "ratio": theirs["seconds"] / ours["seconds"],
                    }
                )
            say(json.dumps(found[-1]))
    return found


def narrow(folder: Path, settings: Settings) -> list[Found]:
    """Measure counting and choosing with twelve columns."""
    sources: list[tuple[str, Callable[[], data.Coded]]] = [("Adult", lambda: data.adult(folder))]
    sources += [("generated", lambda rows=rows: data.like_adult(rows)) for rows in settings.narrow]
    found = []
    for name, make in sources:
        found.append(counting.narrow(name, make(), settings.narrow_records))
        say(json.dumps(found[-1]))
    return found


def wide(folder: Path, settings: Settings) -> list[Found]:
    """Measure counting and choosing with 64 columns."""
    found = []
    if at_hand("EPA vehicles", data.epa_path(folder)):
        vehicles = data.epa(folder, 64)
        found.append(counting.wide("EPA vehicles", vehicles, settings.epa_records, **settings.epa))
        say(json.dumps(found[-1]))
    made = data.correlated(settings.correlated_rows, 64)
    found.append(counting.wide("generated", made, settings.correlated_records, **settings.correlated))
    say(json.dumps(found[-1]))
    return found


def chosen(folder: Path, settings: Settings) -> list[Found]:
    """Compare MinRisk, greedy and the best choice."""
    found = choosing.compared("Adult", data.adult(folder), settings.chosen["Adult"])
    if at_hand("FEBRL", data.febrl_path(folder, 1)):
        found += choosing.compared("FEBRL", data.febrl(folder), settings.chosen["FEBRL"])
    for one in found:
        say(json.dumps(one))
    return found


def nested(folder: Path, settings: Settings) -> list[Found]:
    found = [trends.nested("Adult", data.adult(folder), settings.trends)]
    if at_hand("FEBRL", data.febrl_path(folder, 1)):
        found.append(trends.nested("FEBRL", data.febrl(folder), settings.trends))
    for one in found:
        say(json.dumps(one))
    return found


def pairs(folder: Path, settings: Settings) -> list[Found]:
    found = trends.pairs("Adult", data.adult(folder), settings.trends, settings.pairs)
    say(json.dumps(found))
    return found


def alike(folder: Path, settings: Settings) -> list[Found]:
    if not at_hand("FEBRL", data.febrl_path(folder, 1)):
        return []
    people = data.febrl(folder).rows(slice(settings.alike_people))
    found = trends.alike(people, settings.alike)
    say(json.dumps(found))
    return found


def whole(folder: Path, settings: Settings) -> list[Found]:
    """Assess and protect through the public interface, each in a fresh process."""
    if not at_hand("Adult", data.adult_path(folder)) or not at_hand("FEBRL", data.febrl_path(folder, 3)):
        return []
    found = []
    for what in WORKS:
        asked = {"does": "whole", "what": what, "rows": settings.whole}
        found.append({"what": what} | in_fresh_process(asked, folder))
        say(json.dumps(found[-1]))
    return found


def register(settings: Settings) -> list[Found]:
    """Assess many records against a large directory, both in files of a temporary folder."""
    found = []
    for name, sizes in data.REGISTERS.items():
        with tempfile.TemporaryDirectory() as temporary:
            people, records = data.write_register(Path(temporary), sizes, settings.register, every=10)
            asked = {"does": "register", "records": records.name, "people": people.name}
            found.append({"columns": name} | in_fresh_process(asked, Path(temporary)))
        say(json.dumps(found[-1]))
    return found


def in_fresh_process(asked: Found, folder: Path) -> Found:
    command = [sys.executable, "-m", "benchmarks.directory.child", json.dumps(asked), str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["killed"])[-1]}
    measured: Found = json.loads(done.stdout)
    return measured


def at_hand(name: str, path: Path) -> bool:
    there = path.exists()
    if not there:
        say(f"left out: {name} is not at hand")
    return there


def check(holds: bool, otherwise: str) -> None:
    """Stop the run when two tools disagree: then there is nothing to compare."""
    if not holds:
        raise SystemExit(otherwise)


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
