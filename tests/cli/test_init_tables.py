"""A proposed scenario for a table runs as it was written."""

import csv
import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Invoke

Record = dict[str, str]


def plain(draw: random.Random, number: int) -> Record:
    return {
        "sex": draw.choice("fm"),
        "city": draw.choice(["Ayr", "Bath", "Cork"]),
        "ill": draw.choice(["yes", "no"]),
    }


def identified(draw: random.Random, number: int) -> Record:
    return {"patient": f"p{number}"} | plain(draw, number)


def with_gaps(draw: random.Random, number: int) -> Record:
    return {name: value if draw.random() < 0.8 else "" for name, value in plain(draw, number).items()}


def with_many_numbers(draw: random.Random, number: int) -> Record:
    return {"income": str(draw.randrange(10**6)), "weight": f"{draw.random() * 99:.1f}"} | identified(
        draw, number
    )


def with_useless_columns(draw: random.Random, number: int) -> Record:
    return {"country": "here", "nothing": "", "name": f"name {number % 130}"} | plain(draw, number)


def wide(draw: random.Random, number: int) -> Record:
    return {f"question {place}": draw.choice("abc") for place in range(14)} | plain(draw, number)


def oddly_named(draw: random.Random, number: int) -> Record:
    return {
        f'a "{place}" = [x]\t#{place}': value for place, value in enumerate(identified(draw, number).values())
    }


def skewed(draw: random.Random, number: int) -> Record:
    return plain(draw, number) | {"ill": "yes" if number % 50 == 0 else "no"}


TABLES = (
    plain,
    identified,
    with_gaps,
    with_many_numbers,
    with_useless_columns,
    wide,
    oddly_named,
    skewed,
)


def made(folder: Path, record: Callable[[random.Random, int], Record], rows: int = 300) -> Path:
    draw = random.Random(5)  # noqa: S311 # made-up data
    records = [record(draw, number) for number in range(rows)]
    with (folder / "people.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(records[0]))
        writer.writeheader()
        writer.writerows(records)
    return folder / "people.csv"


def proposed(tmp_path: Path, invoke: Invoke) -> dict[str, Any]:
    done = invoke("init", "people.csv")
    assert done.exit_code == 0, done.output
    return tomllib.loads((tmp_path / "people.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("record", TABLES, ids=lambda record: record.__name__)
def test_a_proposed_scenario_runs_as_it_was_written(
    tmp_path: Path, invoke: Invoke, record: Callable[[random.Random, int], Record]
) -> None:
    made(tmp_path, record)
    scenario = proposed(tmp_path, invoke)

    done = invoke("assess", "people.toml", "--json", "-")
    assert done.exit_code in (0, 1), done.output
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["attack"] == "profiles"
    assert len(scenario["knows"][0]["columns"]) <= 12


@pytest.mark.parametrize("attack", ["attributes", "directory"])
@pytest.mark.parametrize("record", TABLES, ids=lambda record: record.__name__)
def test_the_other_ways_that_are_proposed_run_too(
    tmp_path: Path, invoke: Invoke, record: Callable[[random.Random, int], Record], attack: str
) -> None:
    made(tmp_path, record)
    proposed(tmp_path, invoke)
    text = (tmp_path / "people.toml").read_text(encoding="utf-8")
    release = text.partition("[[knows]]")[0].replace("\nrules = ", '\nsecrets = "secrets.csv" # ')
    attackers = text.split("# [[knows]]")[1:]
    chosen = next(part for part in attackers if f'attack = "{attack}"' in part).partition("\n\n")[0]
    lines = ["[[knows]]", *(line.removeprefix("# ") for line in chosen.splitlines())]
    (tmp_path / "people.toml").write_text(release + "\n".join(lines))
    example = text.partition("#   row\n")[2].splitlines()[:2]
    (tmp_path / "secrets.csv").write_text("\n".join(["row", *(line.strip("# ") for line in example)]))

    done = invoke("assess", "people.toml", "--json", "-")

    assert done.exit_code in (0, 1), done.output
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["attack"] == attack
    if attack == "attributes":
        assert finding["figures"]["sensitive_records"] == 2


def test_columns_get_the_roles_that_they_look_like(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, with_many_numbers)

    scenario = proposed(tmp_path, invoke)

    assert scenario["release"]["id"] == "patient"
    assert scenario["release"]["sensitive"] == "ill"
    assert scenario["release"]["leave_out"] == ["income", "weight"]
    assert scenario["knows"] == [{"attack": "profiles", "columns": ["sex", "city"]}]
    text = (tmp_path / "people.toml").read_text()
    assert "a guess" in text
    assert text.count("Warning: so many nearly identify people") == 1


def test_columns_that_divide_nobody_are_left_out(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, with_useless_columns)

    assert proposed(tmp_path, invoke)["release"]["leave_out"] == ["country", "nothing", "name"]


def test_gaps_get_their_line(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, with_gaps)

    assert proposed(tmp_path, invoke)["knows"][0]["missing_profiles"] == "value"


def test_where_nothing_can_be_proposed_the_file_says_so(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "people.csv").write_text("person,job\n1,cook\n2,smith\n3,cook\n")

    scenario = proposed(tmp_path, invoke)

    assert set(scenario) == {"release"}
    assert "nothing to propose" in (tmp_path / "people.toml").read_text().replace("\n# ", " ")
    assert invoke("assess", "people.toml").exit_code == 2
