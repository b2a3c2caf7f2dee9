"""Columns without a role become what `rest` says, once the attackers are known."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest

import giveaway as ga

ROWS = [
    {
        "who": f"p{n}",
        "zip": f"z{n % 3}",
        "note": f"called {n} times because of a strong pain",
        "mail": f"p{n}@example.org",
        "age": str(n % 2),
        "ill": ("no", "yes")[n % 2],
    }
    for n in range(12)
]
KNOWN = ga.KnowsDirectory(on=["zip"])
LIMIT = ga.Tolerance(identity="1/4")
ROLES: dict[str, Any] = {"sensitive": "ill", "id": "who"}


def as_csv(folder: Path, **how: Any) -> ga.Table:
    pl.DataFrame(ROWS).write_csv(folder / "a.csv")
    return ga.read_table(folder / "a.csv", **how)


def as_parquet(folder: Path, **how: Any) -> ga.Table:
    pl.DataFrame(ROWS).write_parquet(folder / "a.parquet")
    return ga.read_table(folder / "a.parquet", **how)


def as_jsonl(folder: Path, **how: Any) -> ga.Table:
    pl.DataFrame(ROWS).write_ndjson(folder / "a.jsonl")
    return ga.read_table(folder / "a.jsonl", **how)


def as_duckdb(folder: Path, **how: Any) -> ga.Table:
    frame = pd.DataFrame(ROWS)
    with duckdb.connect(folder / "a.duckdb") as connection:
        connection.register("given", frame)
        connection.execute("CREATE TABLE people AS SELECT * FROM given")
    return ga.read_table(f"duckdb:{folder / 'a.duckdb'}", table="people", **how)


def as_rows(_: Path, **how: Any) -> ga.Table:
    return ga.Table.from_rows(ROWS, **how)


def as_pandas(_: Path, **how: Any) -> ga.Table:
    return ga.Table.from_frame(pd.DataFrame(ROWS), **how)


def as_polars(_: Path, **how: Any) -> ga.Table:
    return ga.Table.from_frame(pl.DataFrame(ROWS), **how)


FORMS = [
    as_csv,
    as_parquet,
    as_jsonl,
    pytest.param(as_duckdb, marks=pytest.mark.engines),
    as_rows,
    as_pandas,
    as_polars,
]
Made = Callable[..., ga.Table]


def columns_written(folder: Path) -> set[str]:
    (file,) = (path for path in folder.iterdir() if path.stem == "release")
    read = {".csv": pl.read_csv, ".parquet": pl.read_parquet, ".jsonl": pl.read_ndjson}[file.suffix]
    return set(read(file).columns)


@pytest.mark.parametrize("made", FORMS)
@pytest.mark.parametrize("rest", ["leave_out", "publish_unjudged"])
def test_rest_is_the_same_as_naming_every_column(made: Made, rest: str, tmp_path: Path) -> None:
    by_rest = ga.protect(ga.Release(made(tmp_path, **ROLES, rest=rest)), KNOWN, LIMIT)
    (tmp_path / "named").mkdir()
    named = made(tmp_path / "named", **ROLES, **{rest: ["note", "mail", "age"]})
    by_name = ga.protect(ga.Release(named), KNOWN, LIMIT)
    assert by_rest.safe is by_name.safe is True
    same = ("not_judged", "withheld")
    one, other = by_rest.to_dict(), by_name.to_dict()
    assert {key: one[key] for key in same} == {key: other[key] for key in same}
    assert one["findings"][0]["figures"] == other["findings"][0]["figures"]
    assert (one["data"]["columns"], one["data"]["unjudged"]) == ((2, 0) if rest == "leave_out" else (5, 3))
    by_rest.publish(tmp_path / "out")
    wanted = {"zip", "ill"} | ({"note", "mail", "age"} if rest == "publish_unjudged" else set())
    assert columns_written(tmp_path / "out") == wanted


@pytest.mark.parametrize("made", FORMS)
def test_what_unjudged_columns_look_like_is_seen_in_every_form(made: Made, tmp_path: Path) -> None:
    table = made(tmp_path, **ROLES, publish_unjudged=["note", "mail", "age"])
    columns = ga.assess(ga.Release(table), KNOWN, LIMIT).to_dict()["not_judged"][0]
    assert columns["names"] == ["note", "mail", "age"]
    assert columns["looks_like"] == {"note": "free text", "mail": "e-mail addresses"}


def test_without_rest_the_question_is_refused_and_rest_is_proposed() -> None:
    with pytest.raises(ga.ScenarioError, match=r'"note", "mail" and "age" have no role.*rest = "leave_out"'):
        ga.assess(ga.Release(as_rows(Path(), **ROLES)), KNOWN, LIMIT)


def test_columns_that_some_attacker_knows_are_judged_whatever_the_rest() -> None:
    release = ga.Release(as_rows(Path(), **ROLES, rest="publish_unjudged"))
    found = ga.assess(release, [KNOWN, ga.KnowsDirectory(on=["age"])], LIMIT)
    assert found.to_dict()["not_judged"][0]["names"] == ["note", "mail"]
    everything = ga.assess(release, ga.KnowsDirectory(), LIMIT)
    assert everything.to_dict()["not_judged"][0]["what"] != "columns"
    assert everything.safe is False


def test_rest_does_not_swallow_a_column_that_is_named_for_something_else() -> None:
    table = as_rows(Path(), **ROLES, rest="leave_out")
    with pytest.raises(ga.ScenarioError, match='Column "age" has no role'):
        ga.assess(ga.Release(table, must_publish=["age"]), KNOWN, LIMIT)


def test_secrets_and_ids_stay_with_their_rows() -> None:
    release = ga.Release(as_rows(Path(), **ROLES, rest="leave_out"), secrets=["p3", "p8"], order="kept")
    found = ga.protect(release, ga.KnowsAttributes(columns=["zip"]), ga.Tolerance(attribute="3/4"))
    assert [place for place, row in enumerate(found.released()) if row["ill"] is None][:2] == [3, 8]


LONG = pd.DataFrame(
    {"basket": [1, 1, 2, 2], "product": list("abab"), "price": [1, 2, 1, 2], "shop": ["x"] * 4}
)


@pytest.mark.parametrize(("rest", "names"), [("leave_out", []), ("publish_unjudged", ["price", "shop"])])
def test_rest_of_a_long_table(rest: str, names: list[str], tmp_path: Path) -> None:
    LONG.to_csv(tmp_path / "long.csv", index=False)
    roles = {"id": "basket", "item": "product", "rest": rest}
    for baskets in (
        ga.read_transactions(tmp_path / "long.csv", **roles),
        ga.Transactions.from_frame(LONG, **roles),
    ):
        found = ga.assess(ga.Release(baskets), ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))
        told = [part.get("names") for part in found.to_dict()["not_judged"] if part["what"] == "columns"]
        assert told == ([names] if names else [])
        found.publish(tmp_path / f"out{len(list(tmp_path.iterdir()))}")


def test_rest_is_refused_where_every_column_is_an_item(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_text("a b\na b\n")
    with pytest.raises(ga.ScenarioError, match="no columns"):
        ga.read_transactions(tmp_path / "a.dat", rest="leave_out")
    with pytest.raises(ga.ScenarioError, match="every further column is an item"):
        ga.Transactions.from_frame(pd.DataFrame({"a": [1, 0]}), rest="leave_out")


def test_an_unknown_rest_is_refused() -> None:
    with pytest.raises(ga.ScenarioError, match="leave_out, publish_unjudged"):
        ga.Table.from_rows(ROWS, **ROLES, rest="drop")


@pytest.mark.parametrize(
    "attacker",
    [
        ga.KnowsDirectory(on=["Zip", "mali"]),
        ga.KnowsAttributes(columns=["Zip", "mali"]),
        ga.KnowsProfiles(columns=["Zip", "mali"]),
    ],
)
def test_a_misspelt_column_is_named_before_columns_without_a_role(attacker: Any) -> None:
    rules = ga.PublishedRules([], min_support=1, min_confidence=1)
    release = ga.Release(
        as_rows(Path(), **ROLES), rules=rules if isinstance(attacker, ga.KnowsProfiles) else None
    )
    limit = LIMIT if isinstance(attacker, ga.KnowsDirectory) else ga.Tolerance(attribute="1/2")
    with pytest.raises(ga.ScenarioError) as caught:
        ga.assess(release, attacker, limit)
    assert [mistake.fact for mistake in caught.value.mistakes] == [
        'There is no column "Zip".',
        'There is no column "mali".',
    ]
    assert [mistake.hint for mistake in caught.value.mistakes] == [
        'did you mean "zip"?',
        'did you mean "mail"?',
    ]


def test_a_column_that_is_published_unjudged_and_known_is_told_so() -> None:
    table = as_rows(Path(), **ROLES, publish_unjudged=["note", "mail", "age"])
    with pytest.raises(
        ga.ScenarioError, match='Column "age" is published unjudged, and an attacker knows it'
    ):
        ga.assess(ga.Release(table), ga.KnowsDirectory(on=["zip", "age"]), LIMIT)
