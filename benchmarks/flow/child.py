"""Measure one thing in a process of its own and print it: `python -m benchmarks.flow.child WHAT FILE...`.

Nothing but what version 0.1 has, too, is imported from giveaway, so that its sources can be measured as well.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from benchmarks.flow.passes import watched

import giveaway as ga
from giveaway.model.published import Published

REPEAT = 3
CHUNK = 1 << 11
"""So many bytes are a small part of each file that is counted, as eight million are of large ones."""
Times = dict[str, float]


def verdicts(scenario: Path) -> dict[str, dict[str, Times]]:
    """Time a verdict alone, and with Summary and HTML page, of `assess` and of `protect`.

    Data are read again before each run, so that nothing is left of the run before but the compiled code.
    """

    def reported(assessment: ga.Assessment) -> None:
        assessment.to_dict()
        assessment.to_html()

    change("STEPS", 0, "giveaway.compiling")  # no step as plain Python, so that the warm-up loads all kernels
    verbs = {"assess": ga.assess, "protect": ga.protect}
    for name, verb in verbs.items():
        question, how = question_of(scenario, name)
        reported(verb(*question, **how))
    found: dict[str, dict[str, Times]] = {}
    for name, verb in verbs.items():
        for asked, look in (("verdict", lambda assessment: assessment.verdict), ("report", reported)):
            runs = []
            for _ in range(REPEAT):
                question, how = question_of(scenario, name)
                runs.append(timed(lambda: look(verb(*question, **how))))  # noqa: B023 # called at once
            found.setdefault(name, {})[asked] = min(runs, key=lambda run: run["cpu"])
    return found


def question_of(scenario: Path, verb: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Read a scenario with all its data, as the arguments of a verb."""
    from giveaway.scenario import read_scenario, understand

    values, text = read_scenario(scenario)
    asked = understand(values, base=scenario.parent, name=scenario.name, text=text)
    how = {"need": asked.needs, "effort": asked.effort, **(asked.options if verb == "protect" else {})}
    return (asked.release, asked.attackers, asked.tolerances), how


def reads(file: Path, shape: str) -> float:
    """Count how often a file is read in full from the question to the published release."""
    change("CHUNK", CHUNK, "giveaway.sources.files.stored", "giveaway.sources.files")
    with watched(file) as passes, tempfile.TemporaryDirectory() as folder:
        attacker: Any
        if shape == "transactions":
            columns = {} if file.suffix == ".dat" else {"id": "basket", "item": "product"}
            release = ga.Release(ga.read_transactions(file, **columns))
            attacker, tolerance = ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/5")
        else:
            secrets = (file.parent / "secrets.csv").read_text(encoding="utf-8").split()[1:]
            release = ga.Release(ga.read_table(file, id="person", sensitive="job"), secrets=secrets)
            attacker = ga.KnowsAttributes(columns=["sex", "education", "hours", "district"])
            tolerance = ga.Tolerance(attribute=0.6)
        ga.protect(release, attacker, tolerance).publish(Path(folder) / "out")
    return passes.full


def baskets(file: Path) -> dict[str, Times]:
    """Time reading a basket file, and writing it again with its rows as they are and in another order."""
    read = ga.read_transactions  # its modules are loaded before the clock starts
    data: list[ga.Transactions] = []
    found = {"read": timed(lambda: data.append(read(file)))}
    origin: Any = data[0].origin
    order = np.random.default_rng(1).permutation(len(data[0]))
    with tempfile.TemporaryDirectory() as folder:
        for name, how in (("write", {}), ("shuffle", {"order": order})):
            found[name] = timed(lambda: origin.write(Path(folder), Published(**how)))  # noqa: B023 # called at once
    return found


def split_by_duckdb(file: Path) -> dict[str, Times]:
    """Time how DuckDB splits the lines of a basket file and numbers their words."""

    def split() -> None:
        lines = (
            "SELECT row_number() OVER () AS n, line FROM read_csv(?, columns = {'line': 'VARCHAR'}, delim = '\x01', "
            "quote = '', escape = '', header = false, auto_detect = false)"
        )
        with duckdb.connect() as connection:
            connection.execute(f"CREATE TABLE lines AS {lines}", [str(file)])
            connection.execute(
                "CREATE TABLE words AS SELECT n, unnest(string_split(line, ' ')) AS word FROM lines"
            )
            connection.execute(
                "CREATE TABLE numbers AS SELECT word, (row_number() OVER ())::INTEGER AS code FROM "
                "(SELECT DISTINCT word FROM words)"
            )
            connection.execute("SELECT n, code FROM words JOIN numbers USING (word)").fetchnumpy()

    return {"read": timed(split)}


def change(constant: str, value: int, *modules: str) -> None:
    """Change a constant in the first of some modules that is there; version 0.1 has other modules, or none."""
    for name in modules:
        with suppress(ImportError):
            setattr(import_module(name), constant, value)
            return


def timed(work: Callable[[], object]) -> Times:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


if __name__ == "__main__":
    what: Any = {
        "verdicts": verdicts,
        "reads": reads,
        "baskets": baskets,
        "split_by_duckdb": split_by_duckdb,
    }[sys.argv[1]]
    print(json.dumps(what(Path(sys.argv[2]), *sys.argv[3:])))
