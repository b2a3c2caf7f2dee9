"""The examples that are shipped, and one larger data set for each attack, as scenario files in a folder."""

import runpy
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import duckdb
import numpy as np
from benchmarks.engines import data as engines

from giveaway.sources.example import example_files

SHIPPED = Path(__file__).parents[2] / "examples"
BASKETS, ITEMS = 5_000, 300
PEOPLE = 10_000

SHOP = """
[release]
data = "baskets.dat"
private = ["i3", "i13", "i23", "i33", "i43"]
[tolerates]
identity = "1/5"
attribute = "4/5"
[[knows]]
attack = "items"
at_most = 2
[needs]
itemsets = { min_support = 10 }
"""
CODES = """
[release]
data = "baskets.dat"
[tolerates]
average = "1/4"
[[knows]]
attack = "frequencies"
"""
SURVEY = """
[release]
data = "people.csv"
id = "person"
sensitive = "disease"
rules = { min_support = 0.01, min_confidence = 0.2, scores = { digits = 2 } }
[tolerates]
attribute = 0.5
share = 0.02
[[knows]]
attack = "profiles"
columns = ["sex", "job", "education", "race"]
"""
BLANKS = """
[release]
data = "people.csv"
id = "person"
sensitive = "disease"
secrets = "secrets.csv"
[tolerates]
attribute = 0.6
[[knows]]
attack = "attributes"
columns = ["age", "sex", "zip", "job", "education", "marital_status", "race"]
trusts_support_above = 10
[needs]
cells = { hideable = ["sensitive of others"] }
"""
REGISTER = """
[release]
data = "records.csv"
id = "person"
sensitive = "disease"
[tolerates]
identity = "1/5"
[[knows]]
attack = "directory"
people = "people.csv"
id = "person"
on = ["age", "sex", "zip", "job", "education", "marital_status", "race"]
[needs]
columns = { per_record = 1 }
"""


@dataclass(frozen=True, kw_only=True)
class Example:
    """A scenario, and how its data are made up."""

    name: str
    attack: str
    about: str
    write: Callable[[Path], str]
    """Writes the data into a folder and returns the text of the scenario."""
    shipped: bool = True

    def placed(self, folder: Path) -> Path:
        """Write data and scenario into a folder of their own."""
        place = folder / self.name
        place.mkdir()
        scenario = place / f"{self.name}.toml"
        scenario.write_text(self.write(place), encoding="utf-8")
        return scenario


def _pharmacy(folder: Path) -> str:
    written = example_files()  # what `giveaway demo` writes
    (folder / "baskets.dat").write_text(written["baskets.dat"], encoding="utf-8")
    return written["pharmacy.toml"]


def _renamed_pharmacy(folder: Path) -> str:
    _pharmacy(folder)
    return CODES


def _shipped(name: str) -> Callable[[Path], str]:
    def write(folder: Path) -> str:
        with redirect_stdout(StringIO()):
            runpy.run_path(str(SHIPPED / name / "make.py"))["main"](folder)
        text = (SHIPPED / name / f"{name}.toml").read_text(encoding="utf-8")
        return text.replace('\ncolumns = ["district"', '\non = ["district"')  # as version 0.1 has it, too

    return write


def _shop(scenario: str) -> Callable[[Path], str]:
    """Draw baskets of about six items whose popularity falls off as in a shop."""

    def write(folder: Path) -> str:
        random = np.random.default_rng(7)
        popularity = 1 / np.arange(10, ITEMS + 10)
        sizes = random.poisson(6, BASKETS) + 1
        items = random.choice(ITEMS, int(sizes.sum()), p=popularity / popularity.sum())
        rows = np.split(items, np.cumsum(sizes)[:-1])
        lines = (" ".join(f"i{item}" for item in sorted(set(row.tolist()))) for row in rows)
        (folder / "baskets.dat").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return scenario

    return write


def _people(scenario: str) -> Callable[[Path], str]:
    """Draw people in families of ten equal ones; every tenth has a record, every hundredth a secret."""

    def write(folder: Path) -> str:
        everybody = engines.write(folder / "people.csv", PEOPLE)
        with duckdb.connect() as connection:
            for name, columns, share in (("records", "*", 10), ("secrets", engines.ID, 100)):
                chosen = (
                    f"SELECT {columns} FROM '{everybody}' WHERE right({engines.ID}, 2)::INTEGER % {share} = 3"  # noqa: S608 # our own
                )
                connection.execute(f"COPY ({chosen}) TO '{folder / name}.csv' (HEADER)")
        return scenario

    return write


EXAMPLES = (
    Example(name="pharmacy", attack="items", about="3,000 baskets, 30 items", write=_pharmacy),
    Example(
        name="renamed-pharmacy",
        attack="frequencies",
        about="3,000 baskets, 30 items",
        write=_renamed_pharmacy,
    ),
    Example(name="salaries", attack="profiles", about="2,000 people, 5 columns", write=_shipped("salaries")),
    Example(
        name="teachers", attack="attributes", about="1,500 people, 12 secrets", write=_shipped("teachers")
    ),
    Example(name="clinic", attack="directory", about="500 records, 6,000 people", write=_shipped("clinic")),
    Example(
        name="shop",
        attack="items",
        about=f"{BASKETS:,} baskets, {ITEMS} items",
        write=_shop(SHOP),
        shipped=False,
    ),
    Example(
        name="renamed-shop",
        attack="frequencies",
        about=f"{BASKETS:,} baskets, {ITEMS} items",
        write=_shop(CODES),
        shipped=False,
    ),
    Example(
        name="survey",
        attack="profiles",
        about=f"{PEOPLE:,} people, 4 columns",
        write=_people(SURVEY),
        shipped=False,
    ),
    Example(
        name="blanks",
        attack="attributes",
        about=f"{PEOPLE:,} people, 100 secrets",
        write=_people(BLANKS),
        shipped=False,
    ),
    Example(
        name="register",
        attack="directory",
        about=f"1,000 records, {PEOPLE:,} people",
        write=_people(REGISTER),
        shipped=False,
    ),
)
"""From the first to the last attack: those that are shipped, then the larger ones."""


def written_forms(folder: Path) -> list[tuple[str, str, Path]]:
    """Write the baskets of the pharmacy and the table of the teachers in all formats: shape, format and file of each."""
    _pharmacy(folder)
    _shipped("teachers")(folder)
    lists = f"SELECT row_number() OVER () AS basket, string_split(line, ' ') AS held FROM {_lines(folder)}"  # noqa: S608 # our own
    tables = {
        "transactions": f"SELECT basket, unnest(held) AS product FROM ({lists})",  # noqa: S608
        "table": f"FROM read_csv('{folder / 'teachers.csv'}', all_varchar = true)",
    }
    forms = [("transactions", "baskets", folder / "baskets.dat")]
    with duckdb.connect() as connection:
        for shape, rows in tables.items():
            for ending, how in (("csv", "csv, HEADER"), ("parquet", "parquet"), ("jsonl", "json")):
                file = folder / f"{shape}.{ending}"
                connection.execute(f"COPY ({rows}) TO '{file}' (FORMAT {how})")
                forms.append((shape, ending, file))
    return forms


def _lines(folder: Path) -> str:
    return f"read_csv('{folder / 'baskets.dat'}', columns = {{'line': 'VARCHAR'}}, delim = '\x01', header = false)"


def write_baskets(file: Path, count: int) -> Path:
    """Draw baskets of about eight of 16,000 items."""
    random = np.random.default_rng(1)
    popularity = 1 / np.arange(1, 16_001) ** 0.9
    items = random.choice(len(popularity), 8 * count, p=popularity / popularity.sum())
    ends = np.sort(random.integers(0, len(items), count - 1))
    words = np.array([*(b"item%d " % item for item in range(len(popularity))), b"\n"], object)
    with file.open("wb") as out:
        out.write(b"".join(words[np.insert(items, ends, len(popularity))].tolist()) + b"\n")
    return file
