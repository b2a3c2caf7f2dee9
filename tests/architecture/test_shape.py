import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from tests.docs.pages import ROOT

import giveaway as ga
from giveaway.attacks import ATTACKS
from giveaway.checker import CHECKS

SOURCE = Path(ga.__file__).parent
HEAVY = {"numba", "duckdb", "narwhals", "pandas", "polars", "pyarrow", "scipy", "ortools", "jinja2"}
HEAVY |= {"rapidfuzz", "pyspark", "ibis", "psycopg"}

PUBLIC = {
    "Assessment",
    "Belief",
    "BudgetExceeded",
    "CheckFailed",
    "Close",
    "DataError",
    "Earlier",
    "Difference",
    "Edge",
    "Effort",
    "Exposure",
    "Filing",
    "GiveawayError",
    "Itemsets",
    "Jaro",
    "KnownPairs",
    "KnowsAttributes",
    "KnowsDirectory",
    "KnowsFrequencies",
    "KnowsItems",
    "KnowsProfiles",
    "Ledger",
    "NeedsCells",
    "NeedsColumns",
    "NeedsItems",
    "NeedsItemsets",
    "NeedsRules",
    "NoAnswer",
    "NoSafeRelease",
    "NotConfirmed",
    "NotInstalled",
    "NotWritten",
    "Nouns",
    "NothingToJudge",
    "Population",
    "PublishedRules",
    "Readings",
    "Recipients",
    "Release",
    "Risk",
    "Rule",
    "RuleGraph",
    "Scenario",
    "Rung",
    "ScenarioError",
    "Sensitivity",
    "Statement",
    "Suda",
    "Table",
    "Tolerance",
    "Transactions",
    "Withheld",
    "Within",
    "WrongQuestion",
    "__version__",
    "assess",
    "borders",
    "breaking_point",
    "crack_space",
    "cracks",
    "diff",
    "edit_scenario",
    "formats",
    "forms",
    "ladder",
    "least_risk",
    "look",
    "mine_rules",
    "propose",
    "protect",
    "protect_together",
    "read_table",
    "read_transactions",
    "readings",
    "removal_rates",
    "rule_graph",
    "sentences",
    "simulate",
    "suda",
    "unlock",
    "write_example",
}


def imported_by(code: str) -> set[str]:
    script = f"{code}\nimport json, sys; print(json.dumps([name.split('.')[0] for name in sys.modules]))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.mark.papers
def test_the_public_names_are_one_list_and_all_there() -> None:
    assert set(ga.__all__) == PUBLIC
    assert all(getattr(ga, name) is not None for name in PUBLIC)
    assert set(dir(ga)) == PUBLIC


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    assert not hasattr(ga, "KnowsEverything")


def test_the_command_line_starts_without_heavy_imports() -> None:
    assert not HEAVY & imported_by("import giveaway.cli")


def test_the_model_and_the_table_of_attacks_are_light() -> None:
    assert not HEAVY & imported_by("import giveaway.flow, giveaway.scenario, giveaway.assessment")


LONG: dict[str, str] = {}
"""Files of more than 500 lines that are one thing all the same, and what that is."""
CROWDED: dict[str, str] = {}
"""Folders with more than 15 modules, and what is in them."""


def test_a_file_is_one_thing_that_a_reader_looks_for() -> None:
    long = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if len(path.read_text().splitlines()) > 500
    }

    assert long <= LONG.keys()


def test_a_folder_holds_no_more_than_can_be_overlooked() -> None:
    crowded = {
        folder.relative_to(SOURCE).as_posix()
        for folder in (SOURCE, *(path for path in SOURCE.rglob("*") if path.is_dir()))
        if sum(path.name != "__init__.py" for path in folder.glob("*.py")) > 15
    }

    assert crowded <= CROWDED.keys()


ROOMS = {
    "__init__.py",
    "attacker.py",
    "does.py",
    "measure.py",
    "need.py",
    "notes.md",
    "protect.py",
    "question.py",
    "scenario.py",
}


@pytest.mark.parametrize("name", ATTACKS)
def test_every_attack_has_the_same_rooms(name: str) -> None:
    folder = SOURCE / "attacks" / name

    assert ROOMS - {path.name for path in folder.iterdir()} == set()
    assert (folder / "reporting" / "phrases.py").exists()
    assert (folder / "protecting" / "__init__.py").exists()
    assert (SOURCE.parent.parent / "docs" / "attacks" / f"{name}.md").exists()


@pytest.mark.parametrize("name", ATTACKS)
def test_what_the_checker_judges_an_attack_by_is_what_the_attack_is_judged_by(name: str) -> None:
    assert set(CHECKS[name].limits) == ATTACKS[name].limits.used


def test_no_room_is_larger_than_its_budget() -> None:
    page = (ROOT / "docs" / "contributing" / "architecture.md").read_text(encoding="utf-8")
    budgets = {
        room: int(most.replace(",", "")) for room, most in re.findall(r"\| `(\S+)` \| ([\d,]+) \|", page)
    }
    lines = Counter[str]()
    for path in SOURCE.rglob("*.py"):
        inside = path.relative_to(SOURCE).parts[:-1]
        room = "/".join(inside[: 2 if inside[:1] == ("attacks",) else 1])
        lines[f"{room}/" if room else "giveaway/*.py"] += len(path.read_text(encoding="utf-8").splitlines())

    assert lines.keys() == budgets.keys()
    assert {room: number for room, number in lines.items() if number > budgets[room]} == {}


def test_the_import_contract_is_written_as_it_is_checked() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = " > ".join(contracts["contracts"][0]["layers"])

    assert f"\n{layers}\n" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_a_csv_is_protected_without_libraries_of_frames(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age,sex\n" + "20,f\n30,m\n" * 4 + "40,f\n")
    read = f"ga.read_table({str(tmp_path / 'a.csv')!r}, classes={{'age': 10}})"
    asked = "ga.KnowsDirectory(columns=['age', 'sex']), ga.Tolerance(identity='1/2')"
    done = f"ga.protect(ga.Release({read}), {asked}).publish({str(tmp_path / 'out')!r})"

    assert not {"pandas", "pyarrow", "narwhals"} & imported_by(f"import giveaway as ga\n{done}")
