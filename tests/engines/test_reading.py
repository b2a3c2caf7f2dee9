"""What is read from an engine: labels, ids, people and counts, and one clear error for whatever is wrong."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import count
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import giveaway as ga
from giveaway.engines.counting import (
    CodeRows,
    coded_items,
    distinct_rows,
    item_counts,
    merged_baskets,
    rows_in_parts,
)
from giveaway.engines.held import HeldRows
from giveaway.engines.opening import opened
from giveaway.engines.people import read_engine_people
from giveaway.engines.spelling import in_label_order
from giveaway.engines.tables import read_engine_table
from giveaway.engines.transactions import read_engine_transactions
from giveaway.errors import BudgetExceeded, DataError, ScenarioError
from giveaway.model.data.labels import label_key
from giveaway.model.data.texts import Texts
from giveaway.model.progress import limited
from giveaway.sources.address import Address, address
from giveaway.sources.encoding.roles import roles

NUMBERS = count(1)
"""Names of tables must differ, and memory is used again."""

Hold = Callable[[pa.Table], HeldRows]
Ask = Callable[[str], HeldRows]

ENGINES = pytest.mark.engines
BACKENDS = [
    "duckdb",
    "without_arrow",
    *(pytest.param(name, marks=ENGINES) for name in ("connect", "postgres")),
]
TYPES = {"string": "text", "int64": "bigint", "double": "float8", "bool": "boolean", "date32[day]": "date"}


def _into_postgres(where: str, name: str, given: pa.Table) -> None:
    import psycopg

    kinds = [
        TYPES.get(str(field.type), str(field.type).replace("decimal128", "numeric")) for field in given.schema
    ]
    kinds = ["timestamp" if kind.startswith("timestamp") else kind for kind in kinds]
    types = ", ".join(f'"{name}" {kind}' for name, kind in zip(given.column_names, kinds, strict=True))
    with psycopg.connect(where) as connection:
        connection.execute(f"CREATE TABLE {name} ({types})")
        places = ", ".join(["%s"] * given.num_columns)
        rows = [list(row.values()) for row in given.to_pylist()]
        connection.cursor().executemany(f"INSERT INTO {name} VALUES ({places})", rows)  # noqa: S608


def in_duckdb(given: pa.Table) -> HeldRows:
    connection = duckdb.connect()
    connection.register("given", given)
    connection.execute("CREATE TABLE held AS SELECT * FROM given")
    return opened(connection.table("held"))


@pytest.fixture(params=BACKENDS)
def hold(request: pytest.FixtureRequest) -> Iterator[Hold]:
    """Give a table to an engine to hold."""
    made: list[HeldRows] = []

    def held(given: pa.Table) -> HeldRows:
        if request.param == "without_arrow":
            request.getfixturevalue("without_arrow")
        if request.param in ("duckdb", "without_arrow"):
            return in_duckdb(given)
        if request.param == "postgres":
            where, name = request.getfixturevalue("postgres"), f"reading{next(NUMBERS)}"
            _into_postgres(where, name, given)
            made.append(opened(_address(where), table=name))
            return made[-1]
        return opened(request.getfixturevalue(request.param).createDataFrame(given))

    yield held
    for one in made:
        one.backend.close()


def _address(text: str) -> Address:
    found = address(text, Path())
    assert found is not None
    return found


def typed() -> pa.Table:
    day = dt.datetime(2020, 2, 29, 13, 5, 0, 250000)  # noqa: DTZ001
    return pa.table(
        {
            "who": pa.array([11, 9, 100, 7], pa.int64()),
            "word": pa.array([" a", "a\t", "naïve 007", ""]),
            "whole": pa.array([3, -3, None, 12345678901234567], pa.int64()),
            "real": pa.array([1.0, 0.1, 1e20, 1e-7]),
            "yes": pa.array([True, False, None, True]),
            "day": pa.array([day.date(), None, dt.date(1999, 12, 31), day.date()]),
            "time": pa.array([day, None, day.replace(microsecond=0), day], pa.timestamp("us")),
            "pay": pa.array(
                [Decimal("1.50"), Decimal("-0.25"), None, Decimal("100.00")], pa.decimal128(8, 2)
            ),
        }
    )


def test_types(hold: Hold, tmp_path: Path) -> None:
    """Values of all types become the labels that a Parquet file gives, and equal labels are merged."""
    parquet.write_table(typed().sort_by("who"), tmp_path / "a.parquet")
    theirs = ga.read_table(tmp_path / "a.parquet", id="who")

    ours = read_engine_table(hold(typed()), id="who")

    assert ours.labels == theirs.labels
    assert list(ours.ids) == ["7", "9", "11", "100"] == list(theirs.ids)
    for column in theirs.columns:
        assert (
            ours.columns[column][ours.record_of].tolist() == theirs.columns[column][theirs.record_of].tolist()
        )


def test_missing_values_are_told_by_their_labels(hold: Hold) -> None:
    given = pa.table({"who": ["a", "b", "c"], "age": pa.array([999, 5, 999]), "job": [" ? ", "", "cook"]})

    table = read_engine_table(hold(given), id="who", missing=("?", "999"))

    assert table.labels == {"age": ("5",), "job": ("", "cook")}
    assert table.columns["age"][table.record_of].tolist() == [-1, 0, -1]


def test_roles(hold: Hold) -> None:
    given = pa.table({"who": ["a", "b"], "name": ["x", "y"], "note": ["n", "m"], "ill": ["no", "no"]})

    table = read_engine_table(
        hold(given), id="who", sensitive=("ill",), leave_out=("name",), publish_unjudged=("note",)
    )

    assert list(table.columns) == ["ill"]
    assert table.weights.tolist() == [2]
    assert table.origin is not None
    assert table.origin.sha256 is None
    assert (table.row("b"), table.record(1)) == (1, "b")


def test_entries_can_be_withheld(hold: Hold) -> None:
    """A table whose rows stay elsewhere can be changed like any other."""
    table = read_engine_table(hold(pa.table({"who": ["b", "a"], "job": ["cook", "cook"]})), id="who")

    changed = table.without(table.cells([("b", "job")]))

    assert changed.columns["job"][changed.record_of].tolist() == [0, -1]
    assert list(changed.ids) == ["a", "b"]


def test_counting(hold: Hold) -> None:
    given = pa.table(
        {
            "basket": ["1", "1", " 1", "2", "3", "4", "5", "5", "6", "6"],
            "product": ["a", "b", "b ", "a", None, "", "b", "a", "?", "c"],
        }
    )

    items = coded_items(hold(given), "basket", "product", ("", "?"))
    offsets, codes, weights = merged_baskets(items)

    assert items.labels == ("a", "b", "c")
    assert items.transactions == 6
    assert item_counts(items).tolist() == [3, 2, 1]
    rows = Counter()
    for place, weight in enumerate(weights.tolist()):
        rows[tuple(codes[offsets[place] : offsets[place + 1]].tolist())] += weight
    assert rows == {(0, 1): 2, (0,): 1, (2,): 1, (): 2}


def test_baskets_without_any_item(hold: Hold) -> None:
    given = pa.table({"basket": ["1", "2"], "product": pa.array([None, None], pa.string())})

    found = read_engine_transactions(hold(given), roles(domain=["a"]), id="basket", item="product")

    assert (len(found), found.labels, found.domain, found.weights.tolist()) == (2, (), ("a",), [2])


def test_people(hold: Hold) -> None:
    """People count once; entries that are alike as text are one."""
    given = pa.table(
        {
            "who": ["a", "a", "b", "c", "c", "c", "d"],
            "zip": ["1", "1 ", "1", "1", "2", "2", None],
            "sex": ["f", "f", "f", "m", "m", "m", "f"],
        }
    )

    people = read_engine_people(hold(given), id="who", columns=["zip", "sex"])
    entries = list(zip(people.columns["zip"].tolist(), people.columns["sex"].tolist(), strict=True))

    assert people.labels == {"zip": ("1", "2"), "sex": ("f", "m")}
    assert dict(zip(entries, people.alone.tolist(), strict=True)) == {
        (-1, 0): 1,
        (0, 0): 2,
        (0, 1): 0,
        (1, 1): 0,
    }
    assert [(p, entries[e]) for p, e in zip(people.several_person, people.several_entry, strict=True)] == [
        (0, (0, 1)),
        (0, (1, 1)),
    ]
    assert len(people) == 4
    assert people.ids is None


def test_people_without_id(hold: Hold) -> None:
    people = read_engine_people(hold(pa.table({"zip": ["1", "1", "2"]})), id=None, columns=["zip"])

    assert (len(people), people.alone.tolist()) == (3, [2, 1])


def test_fingerprint(hold: Hold) -> None:
    """It depends on the rows, their number and where values stand, and not on their order."""
    rows = {"who": ["a", "b", "b"], "x": ["1", None, None], "y": [None, "1", "1"]}
    turned = {name: values[::-1] for name, values in rows.items()}
    others = [{**rows, "x": ["1", "1", None], "y": [None, None, "1"]}, {k: v[:2] for k, v in rows.items()}]

    prints = [
        one.backend.fingerprint(one.frame) for one in (hold(pa.table(x)) for x in (rows, turned, *others))
    ]

    assert prints[0] == prints[1]
    assert len({*prints}) == 3


def test_rows_come_in_parts(hold: Hold, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("duck", "spark", "warehouse"):
        monkeypatch.setattr(f"giveaway.engines.connections.{module}.BATCH", 2)
    numbers = list(range(5))

    parts = [part.column(0).array().tolist() for part in rows_in_parts(hold(pa.table({"n": numbers})), ["n"])]

    assert sorted(number for part in parts for number in part) == numbers


# What is wrong -----------------------------------------------------------------------------------------------------


def test_id_is_needed(hold: Hold) -> None:
    held = hold(pa.table({"who": ["a"], "what": ["x"]}))

    with pytest.raises(ScenarioError, match=r'needs id.*"who", "what"'):
        read_engine_table(held, id=None)
    with pytest.raises(ScenarioError, match="needs id"):
        read_engine_transactions(held, roles(), id=None, item="what")
    with pytest.raises(ScenarioError, match="needs item"):
        read_engine_transactions(held, roles(), id="who", item=None)


@pytest.mark.parametrize("ids", [["a", None], ["a", " "], ["a", "?"]])
def test_missing_ids(hold: Hold, ids: list[str | None]) -> None:
    held = hold(pa.table({"who": pa.array(ids, pa.string()), "what": ["x", "y"]}))

    with pytest.raises(DataError, match=r'1 rows of .* have no value in the column "who"'):
        read_engine_table(held, id="who", missing=("", "?"))
    with pytest.raises(DataError, match=r'1 rows of .* have no value in the column "who"'):
        read_engine_transactions(held, roles(), id="who", item="what", missing=("", "?"))


def test_no_rows() -> None:
    rows = pa.table({"who": pa.array([], pa.string()), "what": pa.array([], pa.string())})

    with pytest.raises(DataError, match="has columns but no rows"):
        read_engine_table(in_duckdb(rows), id="who")


def test_repeated_ids(hold: Hold) -> None:
    held = hold(pa.table({"who": ["a", "a ", "b"], "what": ["x", "y", "z"]}))

    with pytest.raises(DataError, match=r'1 values of the column "who" of .* stand in several rows'):
        read_engine_table(held, id="who")


def test_columns_that_do_not_exist(hold: Hold) -> None:
    with pytest.raises(ScenarioError, match=r'no column "whom".*did you mean "who"'):
        read_engine_table(hold(pa.table({"who": ["a"], "what": ["x"]})), id="whom")


def test_lists_are_refused() -> None:
    held = in_duckdb(pa.table({"who": ["a"], "what": [["x"]]}))

    with pytest.raises(DataError, match="holds lists"):
        read_engine_table(held, id="who")


def test_a_table_that_changes_is_found_out() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE held AS SELECT 'a' AS who, 'x' AS what")
    table = read_engine_table(opened(connection.table("held")), id="who")
    connection.execute("INSERT INTO held VALUES ('b', 'y')")

    with pytest.raises(DataError, match="has changed since it was counted"):
        _ = table.ids


@pytest.fixture(params=["duckdb", *(pytest.param(name, marks=ENGINES) for name in ("sc", "postgres"))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """The address of an engine that holds nothing of ours."""
    if request.param == "duckdb":
        duckdb.connect(tmp_path / "held.duckdb").close()
        return _address(f"duckdb:{tmp_path / 'held.duckdb'}")
    return _address(request.getfixturevalue("spark_address" if request.param == "sc" else request.param))


@pytest.mark.parametrize(
    "what",
    [
        {"table": "nowhere"},
        {"table": "no schema.nowhere"},
        {"query": "SELECT hush FROM nowhere"},
        {"query": "SELEKT 1"},
        {"query": "DROP TABLE nowhere"},
        {"query": "CREATE TABLE made AS SELECT 1 AS x"},
    ],
)
def test_wrong_questions(place: Address, what: dict[str, str]) -> None:
    """A table that does not exist, and anything but a query, is one clear error."""
    with pytest.raises(DataError, match="cannot answer") as raised:
        opened(place, **what)

    assert place.shown in str(raised.value)
    assert "hush" not in str(raised.value)


def test_a_failing_query_shows_no_values(place: Address, capfd: pytest.CaptureFixture[str]) -> None:
    held = opened(place, query="SELECT 'hush' AS who, CAST(lower('HUSH') AS int) AS what")

    with pytest.raises(DataError, match=r"(cannot|stopped) answer") as raised:
        read_engine_table(held, id="who")

    assert "hush" not in (str(raised.value) + "".join(capfd.readouterr())).lower()
    assert raised.value.__suppress_context__


def test_no_such_duckdb_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="There is no DuckDB file"):
        opened(_address(f"duckdb:{tmp_path / 'none.duckdb'}"), table="people")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "a.duckdb").write_text("who,what\n")

    with pytest.raises(DataError, match="is not a DuckDB database"):
        opened(_address(f"duckdb:{tmp_path / 'a.duckdb'}"), table="people")


@ENGINES
def test_nobody_there(postgres: str) -> None:
    with pytest.raises(DataError, match="stopped answering"):
        opened(_address(f"{postgres}&port=1"), table="people")


@ENGINES
def test_connection_lost(postgres: str) -> None:
    """A database that goes away between counting and reading is one clear error."""
    import psycopg

    _into_postgres(postgres, "lost", pa.table({"who": ["a"], "what": ["x"]}))
    held = opened(_address(postgres), table="lost")
    table = read_engine_table(held, id="who")
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'giveaway'"
        )

    with pytest.raises(DataError, match=r"stopped answering.*connection was lost"):
        _ = table.ids


ENDLESS = {
    "duckdb": "SELECT 'a' AS who, count(*) AS what FROM range(10000000000) AS a, range(1000) AS b",
    "postgres": "SELECT 'a' AS who, count(*) AS what FROM generate_series(1, 10000000000) AS a",
    "spark": "SELECT 'a' AS who, sum(sqrt(id)) AS what FROM range(1000000000000)",
}


def test_work_is_stopped_in_time(place: Address) -> None:
    held = opened(place, query=ENDLESS[place.kind])

    with limited(seconds=1), pytest.raises(BudgetExceeded, match="Stopped after the 1 seconds"):
        distinct_rows(held, ["what"], ())

    held.backend.close()


def test_more_rows_than_memory() -> None:
    held = in_duckdb(pa.table({"n": np.arange(200_000)}))

    with limited(memory=1 << 20), pytest.raises(BudgetExceeded, match="do not fit into the memory allowed"):
        distinct_rows(held, ["n"], ())


# Parts ---------------------------------------------------------------------------------------------------------------

numbers = st.integers(-(10**19), 10**19).map(str)


@given(
    st.lists(
        st.one_of(numbers, st.text(st.characters(codec="utf-8")), st.sampled_from(["007", "7", "-", "-0"]))
    )
)
def test_label_order(ids: list[str]) -> None:
    """Ids are put in the order that labels have everywhere."""
    found, order = in_label_order(Texts.of(ids))

    assert list(found) == [ids[place] for place in order] == sorted(ids, key=label_key)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(-1, 1)), min_size=1))
def test_records(rows: list[tuple[int, int]]) -> None:
    """Records are the distinct rows in order, and every row is found again."""
    columns = [np.array(column, np.int32) for column in zip(*rows, strict=True)]

    records, first, record = CodeRows.of(columns, [3, 2], len(rows))

    assert [rows[place] for place in first] == sorted({*rows})
    assert [rows[first[number]] for number in record] == rows
    found = records.find(columns, len(rows))
    assert found is not None
    assert found.tolist() == record.tolist()
    strange = [np.array([2], np.int32), np.array([1], np.int32)]
    assert (records.find(strange, 1) is None) == ((2, 1) not in rows)
