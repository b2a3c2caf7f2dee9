import json
import subprocess
import sys
from pathlib import Path

import giveaway as ga

SOURCE = Path(ga.__file__).parent
HEAVY = {"numba", "duckdb", "narwhals", "pandas", "polars", "pyarrow", "scipy", "ortools", "jinja2"}
HEAVY |= {"rapidfuzz", "pyspark", "ibis", "psycopg"}

PUBLIC = {
    "Assessment",
    "Belief",
    "BudgetExceeded",
    "CheckFailed",
    "DataError",
    "Effort",
    "Exposure",
    "GiveawayError",
    "Itemsets",
    "Jaro",
    "KnownPairs",
    "KnowsAttributes",
    "KnowsDirectory",
    "KnowsFrequencies",
    "KnowsItems",
    "KnowsProfiles",
    "NeedsCells",
    "NeedsColumns",
    "NeedsItemsets",
    "NeedsRules",
    "NoAnswer",
    "NoSafeRelease",
    "NotConfirmed",
    "NotWritten",
    "NothingToJudge",
    "PublishedRules",
    "Release",
    "Risk",
    "Rule",
    "ScenarioError",
    "Sensitivity",
    "Statement",
    "Table",
    "Tolerance",
    "Transactions",
    "Withheld",
    "WrongQuestion",
    "__version__",
    "assess",
    "breaking_point",
    "cracks",
    "mine_rules",
    "protect",
    "read_table",
    "read_transactions",
}


def imported_by(code: str) -> set[str]:
    script = f"{code}\nimport json, sys; print(json.dumps([name.split('.')[0] for name in sys.modules]))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout.splitlines()[-1]))


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


def test_files_stay_small_enough_to_read_in_one_sitting() -> None:
    long = {
        str(path.relative_to(SOURCE)): lines
        for path in SOURCE.rglob("*.py")
        if (lines := len(path.read_text().splitlines())) > 500
    }

    assert long == {}
