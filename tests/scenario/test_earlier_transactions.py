"""Transactions that are joined with earlier ones by a column of ids, whatever the form of the files."""

import json
from pathlib import Path

import polars as pl
import pytest

import giveaway as ga

NOW = {"ann": "ab", "bob": "a", "cat": "bc", "dan": "abc"}
THEN = {"dan": "xy", "eve": "z", "ann": "x", "bob": "xy"}
"""Another order; cat joined and eve left."""

ASKED = """
[release]
data = "now{ending}"
kind = "transactions"
{release}
[[earlier]]
release = "then{ending}"
name = "2025"
id = "{id}"
linked = "rows"
[tolerates]
identity = "1/2"
[[knows]]
attack = "items"
at_most = 2
"""


def long(rows: dict[str, str], column: str) -> pl.DataFrame:
    pairs = [(who, item) for who, items in rows.items() for item in items]
    return pl.DataFrame({column: [who for who, _ in pairs], "product": [item for _, item in pairs]})


def one_hot(rows: dict[str, str], column: str) -> pl.DataFrame:
    items = sorted(set("".join(rows.values())))
    return pl.DataFrame(
        {column: list(rows), **{item: [int(item in held) for held in rows.values()] for item in items}}
    )


def lists(rows: dict[str, str], column: str) -> pl.DataFrame:
    return pl.DataFrame({column: list(rows), "product": [list(items) for items in rows.values()]})


def asked(folder: Path, form: str, ending: str) -> ga.Scenario:
    make, release, then = {
        "long": (long, 'id = "who"\nitem = "product"\n', "customer"),
        "one-hot": (one_hot, 'leave_out = ["who"]\n', "who"),
        "lists": (lists, 'item = "product"\nleave_out = ["who"]\n', "who"),
    }[form]
    for name, rows, column in (("now", NOW, "who"), ("then", THEN, then)):
        frame = make(rows, column)
        if ending == ".csv":
            frame.write_csv(folder / f"{name}.csv")
        elif ending == ".parquet":
            frame.write_parquet(folder / f"{name}.parquet")
        else:
            lines = [json.dumps(row) for row in frame.to_dicts()]
            (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return ga.Scenario.from_text(ASKED.format(ending=ending, release=release, id=then), folder)


@pytest.mark.parametrize(
    ("form", "ending"),
    [
        ("long", ".csv"),
        ("long", ".parquet"),
        ("long", ".jsonl"),
        ("one-hot", ".csv"),
        ("one-hot", ".parquet"),
        ("lists", ".parquet"),
        ("lists", ".jsonl"),
    ],
)
def test_an_id_joins_transactions_of_every_form(tmp_path: Path, form: str, ending: str) -> None:
    found = asked(tmp_path, form, ending).assess()

    told = found.to_dict()["earlier"][0]
    assert (told["joined_by"], told["population"]) == ("id", {"both": 3, "joined": 1, "left": 1})
    (seen,) = found.findings[0].together
    together = [{*items, *(f"{item}@2025" for item in THEN.get(who, ""))} for who, items in NOW.items()]
    shown = seen.view.release.original
    assert isinstance(shown, ga.Transactions)
    rows = [
        {shown.labels[code] for code in shown.codes[shown.offsets[one] : shown.offsets[one + 1]].tolist()}
        for one in shown.record_of.tolist()
    ]
    assert sorted(map(sorted, rows)) == sorted(map(sorted, together))


@pytest.mark.parametrize(("form", "ending"), [("long", ".csv"), ("one-hot", ".csv"), ("lists", ".jsonl")])
def test_what_is_written_is_joined_by_id_and_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, ending: str
) -> None:
    """With more people who bought a and b now, and x then."""
    others = [f"p{number}" for number in range(6)]
    monkeypatch.setitem(THEN, "eve", "x")
    for one in others:
        monkeypatch.setitem(NOW, one, "ab")
        monkeypatch.setitem(THEN, one, "x")

    made = asked(tmp_path, form, ending).protect()
    made.publish(tmp_path / "out")

    assert made.safe
    assert (tmp_path / "out" / "manifest.json").exists()


def test_somebody_who_is_named_twice_and_a_column_that_is_not_there_are_refused(tmp_path: Path) -> None:
    scenario = asked(tmp_path, "one-hot", ".csv")
    text = (tmp_path / "then.csv").read_text()
    (tmp_path / "then.csv").write_text(text.replace("eve", "dan"))
    with pytest.raises(ga.DataError, match="names somebody twice"):
        scenario.assess()
    (tmp_path / "then.csv").write_text(text.replace("who", "whom"))
    with pytest.raises(ga.GiveawayError, match='has no column "who"'):
        scenario.assess()


def test_baskets_have_no_column_of_ids(tmp_path: Path) -> None:
    for name in ("now", "then"):
        (tmp_path / f"{name}.dat").write_text("a b\na\n")
    text = ASKED.format(ending=".dat", release="", id="who")
    with pytest.raises(ga.GiveawayError, match="in a file with columns"):
        ga.Scenario.from_text(text, tmp_path).assess()
