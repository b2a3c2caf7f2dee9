"""Two releases of Adult that are each safe, with other blanks: the figures of a worked comparison."""

import csv
import gzip
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from tests.oracles.shared import SHARED
from tests.sizes import long

import giveaway as ga

COLUMNS = ["education", "marital-status", "sex", "workclass"]
SENSITIVE = "occupation"
BLANKS, DIFFERENT = 146, 56


@long
def test_other_blanks_fill_in_56_of_146(tmp_path: Path) -> None:
    """The same ten secrets are protected twice, the second time in a table whose rows are in reverse."""
    path = SHARED / "adult" / "adult_train_complete.csv.gz"
    if not path.exists():
        pytest.skip("the data set Adult is not at hand")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        people = [(str(n), row) for n, row in enumerate(csv.DictReader(lines))]
    candidates = [n for n, row in people if row[SENSITIVE] == "Prof-specialty"]
    secret = Random(4).sample(candidates, 10)  # noqa: S311 # as the figures were made
    for name, order in (("old", people), ("new", people[::-1])):
        rows = [{"n": n, **{column: row[column] for column in (*COLUMNS, SENSITIVE)}} for n, row in order]
        assert _published(tmp_path, name, rows, secret) == BLANKS

    found = ga.diff(tmp_path / "old", tmp_path / "new", id="n")

    assert found.verdicts == ("safe", "safe")
    assert (found.filled_in, found.hides_nothing, found.changed) == (DIFFERENT, DIFFERENT, 0)
    assert found.rows.both == found.joinable_rows == len(people)
    assert set(found.by_column) == {SENSITIVE}


def _published(folder: Path, name: str, rows: Sequence[dict[str, str]], secret: Sequence[str]) -> int:
    """Protect the secrets and publish, with a number by which rows are paired; return how many blanks protect them."""
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    table = ga.read_table(folder / f"{name}.csv", sensitive=SENSITIVE, publish_unjudged=["n"])
    at = {row["n"]: place for place, row in enumerate(rows, 1)}
    release = ga.Release(table, secrets=table.cells((at[n], SENSITIVE) for n in secret))
    attacker = ga.KnowsAttributes(columns=COLUMNS, trusts_support_above=20, knows_method=False)
    safer = ga.protect(release, attacker, ga.Tolerance(attribute="3/5"))
    safer.publish(folder / name)
    return int(safer.to_dict(lists=False)["withheld"]["cells_total"])
