"""Somebody who looks people up, on the command line: assessed, protected, written, confirmed; refused when wrong."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Invoke

TOWNS = ("Ayr", "Bath", "Cork")
BORN = tuple(range(1960, 1968))

RECORDS = "id,town,born,sex,ill\n" + "".join(
    f"r{number},{TOWNS[number % 3]},{BORN[number * 5 % 8]},{'fm'[number % 2]},{'flu' if number % 4 else 'hiv'}\n"
    for number in range(24)
)
REGISTER = "person,town,born,sex\n" + "".join(
    f"p{number % 110},{TOWNS[number % 3]},{BORN[(number // 3) % 8]},{'fm'[(number // 7) % 2]}\n"
    for number in range(120)
)
AGES = "".join(f"{year};{year // 4 * 4}-{year // 4 * 4 + 3};*\n" for year in BORN)

SCENARIO = """\
[release]
data = "records.csv"
id = "id"
sensitive = "ill"
sensitivity = { columns = { town = 1, born = 2, ill = 3 } }

[tolerates]
identity = "1/4"

[[knows]]
attack = "directory"
knows_method = false
people = "register.csv"
id = "person"
"""

GIVEN = {
    "records.csv",
    "register.csv",
    "born.csv",
    "weights.csv",
    "twice.csv",
    "repeated.csv",
    "other.csv",
    "lookup.toml",
}


@pytest.fixture
def folder(tmp_path: Path, invoke: Invoke) -> Path:
    """Fill the folder in which the commands run."""
    files = {
        "records.csv": RECORDS,
        "register.csv": REGISTER,
        "born.csv": AGES,
        "weights.csv": "id,weight\nr0,1\nr1,-2\n",
        "twice.csv": "person,person,town\na,b,Ayr\n",
        "repeated.csv": RECORDS + "r3,Ayr,1960,f,flu\n",
        "other.csv": "person,colour\np1,red\n",
        "lookup.toml": SCENARIO,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert set(files) == GIVEN
    return tmp_path


def settings(*given: str) -> list[str]:
    return [word for setting in given for word in ("--set", setting)]


def crowd(record: dict[str, str], columns: tuple[str, ...] = ("town", "born", "sex")) -> int:
    """Count the people of the register who agree with what a record shows, the plain way."""
    people = csv.DictReader(REGISTER.splitlines())
    return len(
        {
            person["person"]
            for person in people
            if all(
                not record[name]
                or person[name] == record[name]
                or ("-" in record[name] and person[name] in years(record[name]))
                for name in columns
            )
        }
    )


def years(label: str) -> list[str]:
    first, last = map(int, label.split("-"))
    return [str(year) for year in range(first, last + 1)]


def summary_of(done: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_records_are_looked_up(folder: Path, invoke: Invoke) -> None:
    done = invoke("assess", "lookup.toml", "--json", "-")

    assert done.exit_code == 1, done.output
    summary = summary_of(done)
    (finding,) = summary["findings"]
    records = list(csv.DictReader(RECORDS.splitlines()))
    crowds = [crowd(record) for record in records]
    assert summary["verdict"] == "at risk"
    assert finding["figures"]["records"] == 24
    assert finding["figures"]["directory_size"] == 110
    assert finding["figures"]["min_candidates"] == min(crowds)
    assert finding["figures"]["records_without_candidate"] == crowds.count(0)
    assert finding["exposures_total"] == sum(0 < found < 4 for found in crowds)
    assert finding["attacker"]["people"] == ["register.csv"]
    assert summary["withheld"]["coarser_total"] == 0


@pytest.mark.parametrize("hierarchy", [False, True])
def test_a_release_is_protected_written_and_confirmed(folder: Path, invoke: Invoke, hierarchy: bool) -> None:
    more = settings('release.hierarchies={born="born.csv"}') if hierarchy else []

    done = invoke(
        "protect", "lookup.toml", "-o", "out", "--json", "-", "--exposures", "all", "--key", "key.json", *more
    )

    assert done.exit_code == 0, done.output
    summary = summary_of(done)
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    with (folder / "out" / "release.csv").open() as file:
        released = list(csv.DictReader(file))
    assert list(released[0]) == ["town", "born", "sex", "ill"]
    assert min(crowd(record) for record in released) >= 4
    originals = list(csv.DictReader(RECORDS.splitlines()))
    (entry,) = json.loads((folder / "key.json").read_text())["releases"]
    pairs = [(originals[place - 1], after) for place, after in zip(entry["rows"], released, strict=True)]
    assert [before for before, _ in pairs] != originals
    empty = {(f"{before['id']}", name) for before, after in pairs for name in after if not after[name]}
    coarse = {
        (before["id"], name)
        for before, after in pairs
        for name in after
        if after[name] not in ("", before[name])
    }
    listed = summary["withheld"]["cells"]
    assert {(cell["record"], cell["column"]) for cell in listed if "level" not in cell} == empty
    assert {(cell["record"], cell["column"]) for cell in listed if cell.get("level") == 1} == coarse
    assert summary["withheld"]["cells_total"] == len(empty)
    assert summary["withheld"]["coarser_total"] == len(coarse)
    by_column = {name: sum(not after[name] for after in released) for name in released[0]}
    assert manifest["counts"]["empty"] == {name: count for name, count in by_column.items() if count}
    assert "register.csv" not in json.dumps(manifest)
    assert bool(coarse) == hierarchy
    assert empty or coarse
    assert summary["before"][0]["exposures"][0]["target"].startswith("r")
    assert "r0" not in (folder / "out" / "release.csv").read_text()


def test_the_table_itself_serves_as_a_directory(folder: Path, invoke: Invoke) -> None:
    knows = ("--knows", "directory:on=town,sex,born", "--tolerates", "identity=1/3")
    given = settings("release.id=id", 'release.leave_out=["ill"]')

    done = invoke("protect", "records.csv", *knows, *given, "-o", "out", "--json", "-")

    assert done.exit_code == 0, done.output
    (finding,) = summary_of(done)["findings"]
    assert finding["figures"]["k_in_original"] >= 3
    assert (folder / "out" / "release.csv").exists()


@pytest.mark.parametrize("need", ["per_record=2", "total=40", "per_column=8"])
def test_a_release_keeps_what_is_needed(folder: Path, invoke: Invoke, need: str) -> None:
    more = settings(f"needs.columns={{{need}}}", "tolerates={average=3}")

    done = invoke("protect", "lookup.toml", "-o", "out", "--json", "-", *more)

    assert done.exit_code == 0, done.output
    assert summary_of(done)["need"][0][need.partition("=")[0]] == int(need.partition("=")[2])


WRONG = {
    "identifier missing": (["knows.0.id=name"], 'has no column "name", which id names'),
    "identifier named twice": (["knows.0.people=twice.csv"], 'The column name "person" appears twice in "twice.csv"'),
    "record repeated": (["release.data=repeated.csv"], "gives several records the same id"),
    "no common column": (["knows.0.people=other.csv"], "no column in common"),
    "weight of nothing": (["release.sensitivity={columns={age=1}}"], 'There is no column "age"'),
    "negative weight": (["release.sensitivity={columns={born=-1}}"], "The weight of born is -1, below 0"),
    "negative weight in a file": (['release.sensitivity={records="weights.csv"}'], "The weight of record r1 is -2, below 0"),
    "prior": (['knows.0.people=["register.csv","other.csv"]', "knows.0.prior=[0.5,0.6]"], "sum to 1.1, not to 1"),
    "too many values": (["needs.columns={per_record=9}"], "9"),
    "too many in all": (["needs.columns={total=9999}"], "9999"),
    "hierarchy of another column": (['release.hierarchies={town="born.csv"}'], "of town have no line in its hierarchy"),
    "unknown column compared": (['knows.0.on=["twn"]'], "none of the columns compared"),
    "no directory there": (["knows.0.people=nowhere.csv"], "nowhere.csv"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_question_is_refused(folder: Path, invoke: Invoke, wrong: str) -> None:
    given, said = WRONG[wrong]
    done = invoke(
        "protect", "lookup.toml", "-o", "out", "--html", "owner.html", "--json", "-", *settings(*given)
    )

    assert done.exit_code == 2, done.output
    (error,) = json.loads(done.stdout)["errors"]
    assert said in error
    assert "failed with" not in error
    assert {path.name for path in folder.iterdir()} == GIVEN
