"""The attack `items` on baskets that an engine holds: the same figures as from rows, and no rows come back."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.build import transactions

import giveaway as ga
from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.measure import measure
from giveaway.engines.baskets import held_transactions
from giveaway.engines.held import Arrays, HeldRows
from giveaway.engines.opening import opened
from giveaway.engines.part import RowsPart
from giveaway.errors import BudgetExceeded, DataError
from giveaway.model.answer.risk import HoldsUpTo, Risk
from giveaway.model.data.transactions import HeldTransactions, Transactions
from giveaway.model.progress import limited
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.sources.address import address
from giveaway.sources.encoding.roles import Roles

Rows = list[set[str]]
PRIVATE = ("x", "y", "z")
BOTH = Tolerance(identity="1/3", attribute="1/2")

some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdefxyz")), st.integers(1, 3)), min_size=1, max_size=9
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])
limits = st.one_of(st.none(), st.fractions(Fraction(1, 5), 1, max_denominator=5))
crowds = st.one_of(st.none(), st.integers(1, 5))

PHARMACY: Rows = [
    {"a", "b", "x"},
    {"a", "b", "y"},
    {"a", "b"},
    {"a", "b", "c"},
    {"c", "d"},
    {"c", "d", "e", "z"},
    {"c", "e"},
    set(),
    {"c", "d", "a"},
]
"""Baskets with moles of one and of two items, of both kinds."""


SHOWN = ("levels", "worst", "how", "over", "figures", "holds_up_to", "curves", "worked", "kept")


class Watched:
    """A backend that remembers how many rows came back."""

    def __init__(self, backend: Any) -> None:
        self._backend, self.rows = backend, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def _seen(self, number: int) -> None:
        self.rows += number

    def collect(self, frame: Any) -> Arrays:
        found: Arrays = self._backend.collect(frame)
        self._seen(max(map(len, found.values())))
        return found

    def whole(self, frame: Any) -> RowsPart:
        found: RowsPart = self._backend.whole(frame)
        self._seen(len(found))
        return found

    def batches(self, frame: Any) -> Iterator[RowsPart]:
        for part in self._backend.batches(frame):
            self._seen(len(part))
            yield part


def long_table(rows: Iterable[set[str]]) -> pa.Table:
    """Return baskets in long form: an empty one has a row without item, one item stands twice."""
    cells = [
        (f"t{place}", item) for place, row in enumerate(rows) for item in (*sorted(row), *sorted(row)[:1])
    ]
    cells += [(f"t{place}", None) for place, row in enumerate(rows) if not row]
    return pa.table(
        {
            "basket": pa.array([cell[0] for cell in cells], pa.string()),
            "product": pa.array([cell[1] for cell in cells], pa.string()),
        }
    )


def held_in(held: HeldRows, private: Iterable[str] = ()) -> tuple[HeldTransactions, Watched]:
    watched = Watched(held.backend)
    roles = Roles(private=tuple(private))
    found = held_transactions(
        replace(held, backend=watched), id="basket", item="product", missing=("",), roles=roles, origin=None
    )
    return found, watched


def in_duckdb(rows: Rows, connection: duckdb.DuckDBPyConnection) -> tuple[HeldTransactions, Watched]:
    given = long_table(rows)
    connection.register("given", given)
    connection.execute("CREATE OR REPLACE TABLE baskets AS SELECT * FROM given")
    return held_in(opened(connection.table("baskets")), private_in(rows))


def private_in(rows: Rows) -> list[str]:
    return [item for item in PRIVATE if any(item in row for row in rows)]


def risk_of(data: Transactions, at_most: int, tolerance: Tolerance) -> Risk:
    return measure(Release(data), KnowsItems(at_most=at_most), tolerance, None, Effort())


def everything(risk: Risk | None) -> dict[str, object]:
    assert risk is not None
    verdict = {name: value for name, value in vars(risk).items() if name != "details"}
    shown = {name: getattr(risk, name) for name in SHOWN}
    return verdict | shown | {"exposures": list(risk.exposures)}


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": "1"}) as made:
        yield made


@settings(max_examples=40, deadline=None)
@given(rows=some_rows, at_most=st.integers(1, 2), crowd=crowds, limit=limits)
def test_an_engine_counts_what_is_found_in_rows(
    connection: duckdb.DuckDBPyConnection,
    rows: Rows,
    at_most: int,
    crowd: int | None,
    limit: Fraction | None,
) -> None:
    if (crowd is None and limit is None) or not set().union(*rows) - set(PRIVATE):
        return
    tolerance = Tolerance(identity=None if crowd is None else Fraction(1, crowd), attribute=limit)
    held, _ = in_duckdb(rows, connection)

    counted = everything(risk_of(held, at_most, tolerance))

    assert counted == everything(risk_of(transactions(rows, private_in(rows)), at_most, tolerance))


@settings(max_examples=20, deadline=None)
@given(rows=some_rows, withheld=st.sets(st.sampled_from("abx")))
def test_the_rows_of_an_engine_are_the_rows(
    connection: duckdb.DuckDBPyConnection, rows: Rows, withheld: set[str]
) -> None:
    gone = sorted(withheld & set().union(*rows))
    held, _ = in_duckdb(rows, connection)
    plain = transactions(rows, private_in(rows)).without(gone)

    left = held.without(gone)

    assert (left.labels, left.private, len(left)) == (plain.labels, plain.private, len(plain))
    assert left.supports.tolist() == plain.supports.tolist()
    assert distinct(left) == distinct(plain)


def distinct(data: Transactions) -> dict[tuple[int, ...], int]:
    bounds = data.offsets.tolist()
    return {
        tuple(data.codes[start:end].tolist()): weight
        for start, end, weight in zip(bounds, bounds[1:], data.weights.tolist(), strict=False)
    }


@pytest.mark.parametrize("at_most", [1, 2])
def test_no_rows_come_back_for_one_or_two_items(connection: duckdb.DuckDBPyConnection, at_most: int) -> None:
    held, watched = in_duckdb(PHARMACY * 500, connection)
    tolerance = Tolerance(identity="1/600", attribute="1/5")

    risk = risk_of(held, at_most, tolerance)

    assert risk.over > 0
    assert watched.rows < 100
    assert held.counting is not None
    assert everything(risk) == everything(risk_of(transactions(PHARMACY * 500, PRIVATE), at_most, tolerance))


def test_beyond_two_items_rows_come_within_the_memory_allowed_or_not_at_all(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    rows: Rows = [{"a", "b", "c"}, {"a", "b"}, {"b", "c"}, {"a", "c"}] * 300
    held, watched = in_duckdb(rows, connection)

    with limited(memory=100_000):
        refused = risk_of(held, 2, Tolerance(identity="1/600")).holds_up_to
        with pytest.raises(
            BudgetExceeded, match=r"2,700 item occurrences .* 187 kB of memory, and 100 kB are"
        ):
            risk_of(held, 3, Tolerance(identity="1/600"))
    seen = watched.rows
    allowed = risk_of(held, 2, Tolerance(identity="1/600"))

    assert refused == HoldsUpTo(value=2, unit="items", at_least=True)
    assert seen < 100
    assert allowed.holds_up_to == HoldsUpTo(value=2, unit="items")
    assert everything(allowed) == everything(risk_of(transactions(rows), 2, Tolerance(identity="1/600")))
    assert watched.rows > 2700


def test_rows_of_a_table_that_changed_meanwhile_are_refused(connection: duckdb.DuckDBPyConnection) -> None:
    held, _ = in_duckdb([{"a", "b"}, {"a"}], connection)
    connection.execute("INSERT INTO baskets VALUES ('t9', 'a')")

    with pytest.raises(DataError, match="changed since they were counted"):
        risk_of(held, 3, BOTH)


def test_numbers_as_items_and_ids_are_the_labels_of_files(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "CREATE OR REPLACE TABLE baskets AS SELECT * FROM (VALUES (1, 7), (1, 10), (2, 7)) t(basket, product)"
    )

    held, _ = held_in(opened(connection.table("baskets")))

    assert held.labels == ("7", "10")
    assert held.supports.tolist() == [2, 1]
    assert risk_of(held, 2, Tolerance(identity="1/2")).figures["moles"] == 2


def check(held: HeldRows, private: tuple[str, ...] = PRIVATE) -> None:
    """Compare what an engine counts, and the rows that it gives, with rows from here."""
    found, watched = held_in(held, private)
    plain = transactions(PHARMACY, private)
    assert everything(risk_of(found, 2, BOTH)) == everything(risk_of(plain, 2, BOTH))
    assert found.counting is not None
    assert watched.rows < 50
    assert distinct(found) == distinct(plain)


@pytest.mark.parametrize("few", [0, 1000])
def test_duckdb_counts_the_same_however_items_are_told(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("giveaway.engines.baskets.FEW", few)
    given = long_table(PHARMACY)
    connection.register("given", given)

    check(opened(connection.table("given")))


@pytest.mark.usefixtures("without_arrow")
@pytest.mark.parametrize("few", [0, 1000])
def test_duckdb_counts_the_same_without_arrow(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("giveaway.engines.baskets.FEW", few)
    given = long_table(PHARMACY)
    connection.register("given", given)

    check(opened(connection.table("given")))


def test_protection_ends_like_with_rows(connection: duckdb.DuckDBPyConnection) -> None:
    held, _ = in_duckdb(PHARMACY, connection)

    safer, expected = (
        ga.protect(Release(data), KnowsItems(at_most=2), BOTH)
        for data in (held, transactions(PHARMACY, PRIVATE))
    )

    assert safer.withheld == expected.withheld
    assert everything(safer.findings[0].risk) == everything(expected.findings[0].risk)


def test_spark_counts_the_same(spark: Any) -> None:
    check(opened(spark.createDataFrame(long_table(PHARMACY))))


def test_spark_connect_counts_the_same(connect: Any) -> None:
    check(opened(connect.createDataFrame(long_table(PHARMACY))), private=())


def test_postgresql_counts_the_same(postgres: str, tmp_path: Any) -> None:
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as made:
        made.execute("CREATE TABLE items_baskets (basket text, product text)")
        rows = zip(*(column.to_pylist() for column in long_table(PHARMACY).columns), strict=True)
        made.cursor().executemany("INSERT INTO items_baskets VALUES (%s, %s)", list(rows))
    given = address(postgres, tmp_path)
    assert given is not None
    held = opened(given, table="items_baskets")
    try:
        check(held)
    finally:
        held.backend.close()
