"""The order of a release: drawn anew, told by nothing in the files, and undone by the owner's file alone."""

import csv
import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse
from tests.publish.test_tables_and_rules import holding
from tests.sources.forms import FORMS, Rows
from typer.testing import CliRunner

import giveaway as ga
from giveaway.cli.main import app
from giveaway.model.data.labels import in_order
from giveaway.model.layout import Layout
from giveaway.model.published import Published
from giveaway.publish import draw
from giveaway.sources.encoding.order import in_chunks
from giveaway.sources.encoding.order import in_order as lines_in_order

SIZE = 60
WORDS = ["milk", "bread", "7", "007", "10", "x,y", "tea", "é"]
YES = {"1", "true", "True"}


def shop(seed: int = 1) -> list[list[str]]:
    """Draw baskets in no order, empty ones and equal ones among them."""
    drawing = random.Random(seed)  # noqa: S311 # made-up data
    return [drawing.sample(WORDS, drawing.randrange(5)) for _ in range(SIZE)]


def records(file: Path, layout: Layout) -> list[Any]:
    """Read a written file as it stands, by other means than the product."""
    if file.suffix == ".parquet":
        return pq.read_table(file).to_pylist()
    raw = (gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()).decode()
    if layout.format == "csv":
        return list(csv.DictReader(raw.splitlines(), delimiter=layout.separator))
    return [line.split() if layout.format == "baskets" else json.loads(line) for line in raw.splitlines()]


def baskets(file: Path, layout: Layout) -> list[list[str]]:
    """Return the transactions of a file, and the items of each, in the order in which they stand there."""
    found = records(file, layout)
    if layout.shape == "one-hot":
        return [[name for name, value in row.items() if str(value) in YES] for row in found]
    if layout.shape != "long":
        return [list(map(str, row if isinstance(row, list) else row[layout.item])) for row in found]
    numbers = [int(row[layout.id or ""]) for row in found]
    assert numbers == sorted(numbers)
    made: dict[int, list[str]] = {number: [] for number in numbers}
    for number, row in zip(numbers, found, strict=True):
        made[number] += [str(row[layout.item or ""])] if row[layout.item or ""] else []
    assert list(made) == list(range(1, len(made) + 1))
    return list(made.values())


def released(data: ga.Transactions | ga.Table, folder: Path, **how: Any) -> tuple[Path, dict[str, Any]]:
    """Publish data as they are; return the file and the entry of the owner's file."""
    done = holding(ga.Release(data, **how)).publish(folder / "out", key=folder / "key.json")
    assert done.written is not None
    entry = json.loads((folder / "key.json").read_text())["releases"][-1]
    return folder / "out" / done.written[0].file, entry


@pytest.mark.parametrize("renamed", [False, True])
@pytest.mark.parametrize("name", FORMS)
def test_the_owners_file_restores_order_and_names_of_transactions(
    name: str, renamed: bool, tmp_path: Path
) -> None:
    rows = shop()
    data = FORMS[name](tmp_path, rows)
    assert data.origin is not None

    file, entry = released(data, tmp_path, renamed=renamed)

    found = baskets(file, data.origin.layout)
    back: list[set[str]] = [set()] * SIZE
    for row, place in zip(found, entry["rows"], strict=True):
        back[place - 1] = {entry["codes"][code] for code in row} if renamed else set(row)
    assert back == [set(row) for row in rows]
    assert sorted(entry["rows"]) == list(range(1, SIZE + 1)) != entry["rows"]
    assert (entry["codes"] is None) is not renamed


@pytest.mark.parametrize("name", [name for name in FORMS if "one-hot" not in name])
def test_the_items_of_a_transaction_stand_in_the_order_of_their_labels(name: str, tmp_path: Path) -> None:
    data = FORMS[name](tmp_path, shop())
    assert data.origin is not None

    file, _ = released(data, tmp_path)

    found = baskets(file, data.origin.layout)
    assert found == [in_order(row) for row in found]


@pytest.mark.parametrize("name", [name for name in FORMS if "set" not in name])
def test_a_kept_order_is_that_of_the_original(name: str, tmp_path: Path) -> None:
    rows = shop()
    data = FORMS[name](tmp_path, rows)
    assert data.origin is not None

    file, entry = released(data, tmp_path, order="kept")

    found = baskets(file, data.origin.layout)
    assert list(map(set, found)) == list(map(set, rows))
    if "one-hot" not in name and "sparse" not in name:
        assert found == rows
    assert entry["rows"] is None


def mixed(rows: Rows, seed: int) -> tuple[list[list[str]], np.ndarray[Any, np.dtype[np.int64]]]:
    """Put rows, and the items of each, in another order; return the former places of the rows too."""
    drawing = np.random.default_rng(seed)
    order = drawing.permutation(len(rows))
    return [drawing.permutation(rows[place]).tolist() for place in order.tolist()], order


@pytest.mark.parametrize("renamed", [False, True])
@pytest.mark.parametrize("name", FORMS)
def test_nothing_in_a_file_tells_the_order_of_the_original(name: str, renamed: bool, tmp_path: Path) -> None:
    rows = shop()
    others, former = mixed(rows, 2)
    codes = dict(zip(WORDS, "31524687", strict=True)) if renamed else None
    drawn = np.random.default_rng(3).permutation(SIZE)
    files = []
    for number, (given, order) in enumerate([(rows, drawn), (others, np.argsort(former)[drawn])]):
        folder = tmp_path / str(number)
        (folder / "out").mkdir(parents=True)
        data = FORMS[name](folder, given)
        assert data.origin is not None
        files.append(data.origin.write(folder / "out", Published(["tea"], renaming=codes, order=order)))

    assert files[0].read_bytes() == files[1].read_bytes()


# Tables --------------------------------------------------------------------------------------------------------------

COLUMNS = ("id", "n", "sex", "note")


def people() -> list[dict[str, str]]:
    drawing = random.Random(4)  # noqa: S311 # made-up data
    return [
        {"id": f"p{n:02}", "n": f"n{n:02}", "sex": drawing.choice("fm"), "note": f"about n{n:02}"}
        for n in range(SIZE)
    ]


def read(folder: Path, name: str, write: Callable[[Path], object], **how: Any) -> ga.Table:
    write(folder / name)
    return ga.read_table(folder / name, id="id", publish_unjudged=["note"], **how)


def csv_file(path: Path, rows: Sequence[dict[str, str]], separator: str = ",") -> None:
    with path.open("w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, delimiter=separator)
        writer.writeheader()
        writer.writerows(rows)


def database(folder: Path, rows: Sequence[dict[str, str]]) -> ga.Table:
    arrived = pa.Table.from_pylist(list(rows))  # noqa: F841 # found by its name
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE people AS SELECT * FROM arrived")
    return ga.read_table(f"duckdb:{folder / 'a.duckdb'}", table="people", id="id", publish_unjudged=["note"])


def lines(rows: Sequence[dict[str, str]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def framed(make: Callable[[Any], Any]) -> Callable[[Path, Sequence[dict[str, str]]], ga.Table]:
    return lambda _, rows: ga.Table.from_frame(make(list(rows)), id="id", publish_unjudged=["note"])


def categorical(rows: Any) -> pd.DataFrame:
    """Make a frame whose column lists its categories in the order in which they appear."""
    frame = pd.DataFrame(rows)
    return frame.assign(n=pd.Categorical(frame["n"], categories=frame["n"].unique()))


TABLES: dict[str, Callable[[Path, Sequence[dict[str, str]]], ga.Table]] = {
    "csv": lambda folder, rows: read(folder, "a.csv", lambda path: csv_file(path, rows)),
    "tsv": lambda folder, rows: read(folder, "a.tsv", lambda path: csv_file(path, rows, "\t")),
    "jsonl": lambda folder, rows: read(folder, "a.jsonl", lambda path: path.write_text(lines(rows))),
    "parquet": lambda folder, rows: read(
        folder, "a.parquet", lambda path: pl.DataFrame(list(rows)).write_parquet(path)
    ),
    "duckdb": database,
    "rows": lambda _, rows: ga.Table.from_rows(rows, id="id", publish_unjudged=["note"]),
    "pandas": framed(lambda rows: pd.DataFrame(rows, index=[f"i{row['n']}" for row in rows])),
    "pandas categories": framed(categorical),
    "polars": framed(pl.DataFrame),
    "polars categories": framed(lambda rows: pl.DataFrame(rows).cast({"n": pl.Categorical})),
    "Arrow": framed(pa.Table.from_pylist),
    "Arrow categories": framed(
        lambda rows: (table := pa.Table.from_pylist(rows)).set_column(
            1, "n", table.column("n").dictionary_encode()
        )
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_owners_file_restores_the_order_of_a_table(name: str, tmp_path: Path) -> None:
    table = TABLES[name](tmp_path, people())
    assert table.origin is not None

    file, entry = released(table, tmp_path, withheld=ga.Withheld(cells=[(5, "sex"), (9, "sex")]))

    shown = records(file, table.origin.layout)
    back = [row for _, row in sorted(zip(entry["rows"], shown, strict=True), key=lambda pair: pair[0])]
    assert [(row["n"], row["note"]) for row in back] == [(row["n"], row["note"]) for row in people()]
    assert [place for place, row in enumerate(back, 1) if not row["sex"]] == [5, 9]
    assert list(back[0]) == ["n", "sex", "note"]
    assert [row["n"] for row in shown] != [row["n"] for row in back]


@pytest.mark.parametrize("name", [name for name in TABLES if name != "duckdb"])
def test_nothing_in_a_file_tells_the_order_of_a_table(name: str, tmp_path: Path) -> None:
    rows = people()
    former = np.random.default_rng(5).permutation(SIZE)
    drawn = np.random.default_rng(6).permutation(SIZE)
    files = []
    mixed_up = [rows[place] for place in former.tolist()]
    for number, (given, order) in enumerate([(rows, drawn), (mixed_up, np.argsort(former)[drawn])]):
        folder = tmp_path / str(number)
        (folder / "out").mkdir(parents=True)
        origin = TABLES[name](folder, given).origin
        assert origin is not None
        files.append(origin.write(folder / "out", Published(order=order)))

    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.engines
def test_a_database_is_numbered_by_its_ids_whatever_order_its_rows_have(tmp_path: Path) -> None:
    rows = people()
    table = database(tmp_path, rows[::-1])

    file, entry = released(table, tmp_path)

    shown = [row["n"] for row in pl.read_parquet(file).to_dicts()]
    assert shown == [rows[place - 1]["n"] for place in entry["rows"]]
    assert shown not in ([row["n"] for row in rows], [row["n"] for row in rows[::-1]])


LONG = [
    ("b", "x", "2"),
    ("b", "x", "10"),
    ("a", "y", "3"),
    ("b", "w", "1"),
    ("a", "y", "1"),
    ("a", None, "7"),
]
LONG_FORMS: dict[str, Callable[[Path, list[Any]], Any]] = {
    "csv": lambda path, rows: path.with_suffix(".csv").write_text(
        "t,i,note\n" + "".join(f"{t},{i or ''},{n}\n" for t, i, n in rows)
    ),
    "jsonl": lambda path, rows: path.with_suffix(".jsonl").write_text(
        lines([{"t": t, "i": i, "note": n} for t, i, n in rows])
    ),
    "parquet": lambda path, rows: pl.DataFrame(rows, schema=["t", "i", "note"], orient="row").write_parquet(
        path.with_suffix(".parquet")
    ),
    "pandas": lambda _, rows: pd.DataFrame(rows, columns=["t", "i", "note"]),
    "polars": lambda _, rows: pl.DataFrame(rows, schema=["t", "i", "note"], orient="row"),
}


@pytest.mark.parametrize("name", LONG_FORMS)
def test_rows_of_a_long_table_with_other_columns_tell_no_order_either(name: str, tmp_path: Path) -> None:
    files = []
    for number, rows in enumerate([LONG, LONG[::-1]]):
        (tmp_path / str(number) / "out").mkdir(parents=True)
        made = LONG_FORMS[name](tmp_path / str(number) / "long", rows)
        how = {"id": "t", "item": "i", "publish_unjudged": ["note"]}
        if name in ("pandas", "polars"):
            data = ga.Transactions.from_frame(made, **how)
        else:
            data = ga.read_transactions(tmp_path / str(number) / f"long.{name}", **how)
        assert data.origin is not None
        order = np.array([1, 0] if number else [0, 1])
        files.append(data.origin.write(tmp_path / str(number) / "out", Published(order=order)))

    assert files[0].read_bytes() == files[1].read_bytes()


# What is given back in memory ----------------------------------------------------------------------------------------


def in_memory(made: Any) -> list[Any]:
    if isinstance(made, pd.DataFrame):
        return made["n"].tolist()
    if isinstance(made, pl.DataFrame | pa.Table):
        return [str(value) for value in pl.DataFrame(made)["n"].to_list()]
    return [row["n"] for row in made]


@pytest.mark.parametrize("name", ["rows", "pandas", "pandas categories", "polars", "Arrow"])
def test_released_data_are_in_a_new_order_with_each_call_and_have_no_index(name: str, tmp_path: Path) -> None:
    table = TABLES[name](tmp_path, people())
    safe, kept = (holding(ga.Release(table, order=order)) for order in ("shuffled", "kept"))

    first, second = safe.released(), safe.released()

    original = [row["n"] for row in people()]
    assert in_memory(kept.released()) == original
    assert sorted(in_memory(first)) == original
    assert len({tuple(original), tuple(in_memory(first)), tuple(in_memory(second))}) == 3
    for made in (first, kept.released()):
        assert not isinstance(made, pd.DataFrame) or made.index.tolist() == list(range(SIZE))


def test_released_lists_and_matrices_are_in_a_new_order_too() -> None:
    kinds = [list, tuple, frozenset]
    rows = [kinds[place % 3]([f"z{place}", f"a{place}"]) for place in range(SIZE)]
    found = holding(ga.Release(ga.Transactions.from_lists(rows))).released()
    dense = np.eye(SIZE, dtype=np.int8)
    matrix = holding(ga.Release(ga.Transactions.from_frame(sparse.csr_array(dense)))).released()

    places = [int(next(iter(row))[1:]) for row in found]
    assert sorted(places) == list(range(SIZE)) != places
    assert [type(row) for row in found] == [kinds[place % 3] for place in places]
    assert all(
        list(row) == [f"a{place}", f"z{place}"]
        for row, place in zip(found, places, strict=True)
        if place % 3 < 2
    )
    assert sorted(matrix.toarray().tolist()) == sorted(dense.tolist())
    assert matrix.toarray().tolist() != dense.tolist()


# Drawing -------------------------------------------------------------------------------------------------------------


def test_two_publications_draw_anew_whatever_the_seed_unless_one_owners_file_knows_both(
    tmp_path: Path,
) -> None:
    table = ga.Table.from_rows(people(), id="id", publish_unjudged=["note"])
    same = ga.Assessment(release=ga.Release(table), findings=(), effort=ga.Effort(seed=7), seconds=0)
    for folder, key in (("one", None), ("two", None), ("three", "one.owner.json")):
        same.publish(tmp_path / folder, key=key and tmp_path / key)

    files = [json.loads((tmp_path / f"{folder}.owner.json").read_text()) for folder in ("one", "two")]
    (first, again), (other,) = ([entry["rows"] for entry in file["releases"]] for file in files)
    assert first == again != other
    assert {*first} == {*other}


def test_every_order_is_drawn_as_often() -> None:
    table = ga.Table.from_rows(people()[:3], id="id", publish_unjudged=["note"])
    drawn = [tuple(in_memory(holding(ga.Release(table)).released())) for _ in range(600)]

    counts = [drawn.count(order) for order in set(drawn)]
    assert len(counts) == 6
    assert min(counts) > 50  # 100 expected; below 51 once in 10 million runs


def test_rules_have_no_drawn_order(tmp_path: Path) -> None:
    table = ga.Table.from_rows([{"x": 1, "y": "a"}, {"x": 2, "y": "b"}], sensitive="y")
    rules = ga.PublishedRules([ga.Rule({"x": 1}, "a")], min_support=0, min_confidence=0)

    holding(ga.Release(table, rules=rules)).publish(tmp_path / "out", key=tmp_path / "key.json")

    (entry,) = json.loads((tmp_path / "key.json").read_text())["releases"]
    assert (entry["rows"], entry["codes"]) == (None, None)


def test_supports_have_no_rows_to_be_shuffled(tmp_path: Path) -> None:
    (tmp_path / "supports.csv").write_text("item,support\na,4\nb,4\n")
    (tmp_path / "shop.toml").write_text(
        'tolerates.average = "999/1000"\n[release]\nkind = "supports"\ndata = "supports.csv"\ntransactions = 1000000000000\n'
        '[[knows]]\nattack = "frequencies"\n'
    )
    done = CliRunner().invoke(app, ["protect", str(tmp_path / "shop.toml"), "-o", str(tmp_path / "out")])

    assert done.exit_code == 2
    assert "holds supports, from which no transactions can be written" in done.output


def test_an_unknown_order_is_refused() -> None:
    table = ga.Table.from_rows([{"x": 1}])

    with pytest.raises(ga.ScenarioError, match="order = 'sorted' is unknown"):
        ga.Release(table, order="sorted")  # type: ignore[arg-type] # the mistake


def test_lines_come_in_another_order_and_leave_nothing_behind(tmp_path: Path) -> None:
    rows = [b"%d\n" % number * (number % 3 == 0) or b"\n" for number in range(40_000)]
    order = np.random.default_rng(1).permutation(len(rows))

    found = b"".join(lines_in_order(in_chunks(iter(rows)), order, tmp_path))

    assert found == b"".join(rows[place] for place in order.tolist())
    assert list(lines_in_order(iter([]), np.zeros(0, np.int64), tmp_path)) == []
    assert list(tmp_path.iterdir()) == []


def test_codes_are_drawn_anew_and_follow_neither_the_order_nor_the_number_of_their_items() -> None:
    """Of fifty items, that are one more and one more often there, the codes come in 10^64 orders."""
    items = [f"{number:02}" for number in range(50)]
    release = ga.Release(ga.Transactions.from_lists([items[place:] for place in range(50)]), renamed=True)
    first, second = ([*draw(release).codes] for _ in range(2))
    assert sorted(first) == sorted(second) == items
    assert first not in (items, items[::-1], second)
