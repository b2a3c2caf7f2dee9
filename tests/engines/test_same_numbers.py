"""The same data give the same findings wherever they are held."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import giveaway as ga

ENGINES = pytest.mark.engines
FILES = ["parquet", "pandas", "polars"]
ADDRESSES = ["duckdb", pytest.param("postgres", marks=ENGINES), pytest.param("sc", marks=ENGINES)]
SPARK = pytest.param("spark", marks=ENGINES)
OTHERS = ["duckdb query", *(pytest.param(name, marks=ENGINES) for name in ("connect", "ibis"))]
Original = Callable[[str, str], Any]
Reference = Callable[[str], Any]
KNOWN = ("sex", "job", "town")


def people() -> dict[str, list[str | None]]:
    draw = np.random.default_rng(7)
    ids = [f"p{number:02}" for number in range(60)]

    def column(*values: str | None) -> list[str | None]:
        return [values[place] for place in draw.integers(len(values), size=len(ids))]

    return {
        "who": [*ids],
        "sex": column("female", "male"),
        "job": column("cook", "clerk", "cook", "nurse", "10", "9"),
        "town": column("Ayr", "Wick", "Ayr", None),
        "ill": column("asthma", "gout", "healthy", "healthy"),
    }


def baskets() -> dict[str, list[str | None]]:
    draw = np.random.default_rng(3)
    products = ["bread", "milk", "jam", "tea", "caviar", "insulin", "7", "11"]
    rows: list[tuple[str, str | None]] = []
    for number in range(40):
        bought = draw.choice(products, draw.integers(5), replace=False).tolist()
        rows += [(f"b{number:02}", product) for product in bought or [None]]
    rows.append(("b03", "bread"))  # a basket whose rows do not stand together
    return {"basket": [whose for whose, _ in rows], "product": [what for _, what in rows]}


DATA = {"people": people(), "baskets": baskets()}
ROLES: dict[str, dict[str, Any]] = {
    "people": {"sensitive": "ill", "id": "who"},
    "baskets": {"id": "basket", "item": "product", "private": ["insulin"]},
}
READ: dict[str, Callable[..., Any]] = {"people": ga.read_table, "baskets": ga.read_transactions}
TAKE: dict[str, Callable[..., Any]] = {"people": ga.Table.from_frame, "baskets": ga.Transactions.from_frame}


@dataclass(frozen=True)
class Question:
    data: str
    attacker: Any
    tolerance: ga.Tolerance
    need: Any
    how: Callable[[Any], dict[str, Any]] = lambda _: {}


def _rules(table: ga.Table) -> dict[str, Any]:
    limits = {"min_support": "1/20", "min_confidence": "1/2"}
    return {"rules": ga.PublishedRules(ga.mine_rules(table, **limits), scores="exact", **limits)}


QUESTIONS = {
    "items": Question(
        "baskets",
        ga.KnowsItems(at_most=2),
        ga.Tolerance(identity="1/3", attribute="1/2"),
        ga.NeedsItemsets(min_support=4),
    ),
    "items of three": Question(
        "baskets", ga.KnowsItems(at_most=3), ga.Tolerance(identity="1/2"), ga.NeedsItemsets(min_support=4)
    ),
    "frequencies": Question(
        "baskets",
        ga.KnowsFrequencies(belief=ga.Belief.around("1/12")),
        ga.Tolerance(identity="1/2", average="2/5"),
        None,
    ),
    "profiles": Question(
        "people",
        ga.KnowsProfiles(columns=KNOWN, missing_profiles="value"),
        ga.Tolerance(attribute="4/5"),
        ga.NeedsRules(),
        _rules,
    ),
    "attributes": Question(
        "people",
        ga.KnowsAttributes(columns=KNOWN, knows_method=False),
        ga.Tolerance(attribute="3/5"),
        ga.NeedsCells(),
        lambda _: {"secrets": ["p00", "p07", "p19", "p41"]},
    ),
    "directory": Question(
        "people",
        ga.KnowsDirectory(on=KNOWN),
        ga.Tolerance(identity="1/5"),
        ga.NeedsColumns(per_record=1),
    ),
    "directory of the paper": Question(
        "people",
        ga.KnowsDirectory(columns=KNOWN, knows_method=False),
        ga.Tolerance(identity="1/5"),
        ga.NeedsColumns(per_record=1),
    ),
}


def release(name: str, original: Any) -> ga.Release:
    return ga.Release(original, **QUESTIONS[name].how(original))


def findings(name: str, original: Any) -> list[dict[str, Any]]:
    question = QUESTIONS[name]
    found: list[dict[str, Any]] = ga.assess(
        release(name, original), question.attacker, question.tolerance
    ).to_dict(exposures=None)["findings"]
    for finding in found:
        finding["lists"].pop("moles", None)  # it names rows, which stay where an engine counts
    return found


@pytest.fixture(scope="session")
def csv_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("csv")
    for name, columns in DATA.items():
        with (folder / f"{name}.csv").open("w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(columns)
            writer.writerows(
                ["" if x is None else x for x in row] for row in zip(*columns.values(), strict=True)
            )
    return folder


@pytest.fixture(scope="session")
def reference(csv_files: Path) -> Reference:
    """Read from the delimited files, with which everything is compared."""
    return cache(lambda data: READ[data](csv_files / f"{data}.csv", **ROLES[data]))


@pytest.fixture(scope="session")
def told_of_files(reference: Reference) -> Reference:
    """Return a function that gives the findings of a question about the delimited files, once for all sources."""
    return cache(lambda name: findings(name, reference(QUESTIONS[name].data)))


@pytest.fixture(scope="session")
def protected_files(reference: Reference) -> Reference:
    """Do the same for what is protected."""
    return cache(lambda name: protected(name, reference(QUESTIONS[name].data)))


def protected(name: str, original: Any) -> ga.Assessment:
    question = QUESTIONS[name]
    return ga.protect(release(name, original), question.attacker, question.tolerance, need=question.need)


def _shuffled(columns: dict[str, list[str | None]]) -> pa.Table:
    """Return the rows in another order, since an engine keeps none, with blanks that do not matter."""
    given = list(zip(*columns.values(), strict=True))
    rows = [given[place] for place in np.random.default_rng(1).permutation(len(given))]
    padded = [
        (row[0], *(x if x is None or at % 3 else f" {x}\t" for x in row[1:])) for at, row in enumerate(rows)
    ]
    return pa.table(
        {name: pa.array(x, pa.string()) for name, x in zip(columns, zip(*padded, strict=True), strict=True)}
    )


@pytest.fixture(scope="session")
def held_in_duckdb(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("duckdb") / "held.duckdb"
    with duckdb.connect(path) as connection:
        for name, columns in DATA.items():
            given = _shuffled(columns)
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")  # noqa: S608
            assert len(given)
    return f"duckdb:{path}"


@pytest.fixture(scope="session")
def held_in_postgres(postgres: str) -> str:
    import psycopg

    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE SCHEMA same")
        for name, columns in DATA.items():
            given = _shuffled(columns)
            types = ", ".join(f"{column} text" for column in columns)
            connection.execute(f"CREATE TABLE same.{name} ({types})")
            with connection.cursor().copy(f"COPY same.{name} FROM STDIN") as copy:
                for row in given.to_pylist():
                    copy.write_row(list(row.values()))
    return postgres


@pytest.fixture(scope="session")
def held_in_spark(spark: Any) -> Any:
    for name, columns in DATA.items():
        spark.createDataFrame(_shuffled(columns)).write.mode("overwrite").saveAsTable(f"same_{name}")
    return spark


def _parquet(data: str, folder: Path) -> Path:
    path = folder / f"{data}.parquet"
    parquet.write_table(pa.table(DATA[data]), path)
    return path


def _ibis(address: str, data: str, request: pytest.FixtureRequest) -> Any:
    import ibis
    import psycopg

    connection = psycopg.connect(address, autocommit=True)
    request.addfinalizer(connection.close)
    return ibis.postgres.from_connection(connection).table(data, database="same")


@pytest.fixture(scope="session")
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Original:
    """Return a function that reads the data from a source, each once."""
    fixture = request.getfixturevalue
    places: dict[str, Callable[[str], tuple[Any, dict[str, str]]]] = {
        "parquet": lambda data: (_parquet(data, tmp_path_factory.mktemp("parquet")), {}),
        "duckdb": lambda data: (fixture("held_in_duckdb"), {"table": data}),
        "duckdb query": lambda data: (
            fixture("held_in_duckdb"),
            {"query": f"SELECT * FROM main.{data} -- all"},  # noqa: S608
        ),
        "postgres": lambda data: (fixture("held_in_postgres"), {"table": f"same.{data}"}),
        "sc": lambda data: (fixture("held_in_spark") and fixture("spark_address"), {"table": f"same_{data}"}),
    }
    objects: dict[str, Callable[[str], Any]] = {
        "pandas": lambda data: pd.DataFrame(DATA[data]),
        "polars": lambda data: pl.DataFrame(DATA[data]),
        "ibis": lambda data: _ibis(fixture("held_in_postgres"), data, request),
        "spark": lambda data: fixture("held_in_spark").table(f"same_{data}"),
        "connect": lambda data: fixture("held_in_spark") and fixture("connect").table(f"same_{data}"),
    }

    @cache
    def read(source: str, data: str) -> Any:
        if source in objects:
            return TAKE[data](objects[source](data), **ROLES[data])
        place, what = places[source](data)
        return READ[data](place, **what, **ROLES[data])

    return read


@pytest.mark.parametrize("source", [*FILES, *ADDRESSES, SPARK])
@pytest.mark.parametrize("name", QUESTIONS)
def test_findings(name: str, source: str, original: Original, told_of_files: Reference) -> None:
    """Every number, sentence, exposure and curve of an assessment is the same, whoever holds the data."""
    assert told_of_files(name) == findings(name, original(source, QUESTIONS[name].data))


@pytest.mark.parametrize("source", [*FILES, *ADDRESSES, SPARK, *OTHERS])
@pytest.mark.parametrize("data", DATA)
def test_labels(data: str, source: str, original: Original, reference: Reference) -> None:
    """Values become the same labels, in the same order, and rows the same records."""
    ours, theirs = original(source, data), reference(data)

    assert len(ours) == len(theirs)
    assert ours.labels == theirs.labels
    if isinstance(ours, ga.Table):
        assert list(ours.ids) == list(theirs.ids)
        for column in theirs.columns:
            assert (
                ours.columns[column][ours.record_of].tolist()
                == theirs.columns[column][theirs.record_of].tolist()
            )
    else:
        assert ours.supports.tolist() == theirs.supports.tolist()


@pytest.mark.parametrize("source", ADDRESSES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_protection(name: str, source: str, original: Original, protected_files: Reference) -> None:
    """What is withheld is the same; where it is drawn, as much of each column, and all numbers are the same."""
    ours, theirs = protected(name, original(source, QUESTIONS[name].data)), protected_files(name)

    if theirs.was_drawn:
        assert _numbers(ours) == _numbers(theirs)
        return
    assert ours.withheld == theirs.withheld
    assert ours.to_dict(exposures=None)["findings"] == theirs.to_dict(exposures=None)["findings"]


def _numbers(found: ga.Assessment) -> list[Any]:
    """Return what a draw does not change."""
    summary = found.to_dict(exposures=None)
    kept = ("figures", "kept", "curves", "ledger", "holds_up_to", "kinds")
    for one in summary["findings"]:  # whoever is drawn shows other values of columns that are not compared
        for name in ("worst_attribute", "worst_attribute_exact", "people_certain"):
            one["figures"].pop(name, None)
        one["figures"].get("readings", {}).pop("sensitive", None)
    return [
        summary["withheld"]["cells_by_column"],
        [[one[name] for name in kept] for one in summary["findings"]],
    ]


@pytest.mark.usefixtures("without_arrow")
@pytest.mark.parametrize("name", QUESTIONS)
def test_findings_without_arrow(name: str, held_in_duckdb: str, told_of_files: Reference) -> None:
    """A DuckDB table gives the same where Arrow is not installed."""
    data = QUESTIONS[name].data

    ours = READ[data](held_in_duckdb, table=data, **ROLES[data])

    assert told_of_files(name) == findings(name, ours)
