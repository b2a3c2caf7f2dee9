"""A proposed scenario for a table asks about its rows, says what it guessed, and runs as it was written."""

import csv
import json
import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Invoke

Record = dict[str, str]
Maker = Callable[[random.Random, int], Record]


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


def nothing_tells(draw: random.Random, number: int) -> Record:
    return {f"v{place}": draw.choice("abc") for place in range(14)}


def oddly_named(draw: random.Random, number: int) -> Record:
    return {
        f'a "{place}" = [x]\t#{place}': value for place, value in enumerate(identified(draw, number).values())
    }


def skewed(draw: random.Random, number: int) -> Record:
    return plain(draw, number) | {"ill": "yes" if number % 50 == 0 else "no"}


def like_a_trial(draw: random.Random, number: int) -> Record:
    """Make a record as in a table of a clinical trial: short names, numbers, NA for gaps, a running number."""
    return {
        "": str(number + 1),
        "inst": draw.choice(["1", "3", "12", "NA"]),
        "time": str(draw.randrange(1_000)),
        "status": draw.choice("12"),
        "age": str(draw.randrange(40, 80)),
        "sex": draw.choice("12"),
        "ph.ecog": draw.choice(["0", "1", "2", "NA"]),
        "meal.cal": f"{draw.randrange(400, 1_500)}.0",
    }


def several_rows_each(draw: random.Random, number: int) -> Record:
    whose = number * 3 // 5
    return {
        "id": str(whose),
        "age": str(40 + whose % 7),
        "surgery": draw.choice("01"),
        "transplant": str(number % 2),
    }


def of_people_by_name(draw: random.Random, number: int) -> Record:
    return {
        "first_name": draw.choice(["Ann", "Bo", "Cy"]) + " " + draw.choice("ABC") + ".",
        "last_name": f"Last{number}",
        "age": str(draw.randrange(18, 60)),
        "gender": draw.choice(["Male", "Female"]),
        "death_date": f"1992-0{draw.randrange(4, 6)}-{draw.randrange(10, 28)}",
        "address": f"{number} W. {draw.randrange(99)}th St. near the church",
        "longitude": f"-118.{draw.randrange(10**6)}",
        "type": draw.choice(["Homicide", "Accident"]),
    }


TABLES = (
    plain,
    identified,
    with_gaps,
    with_many_numbers,
    with_useless_columns,
    wide,
    nothing_tells,
    oddly_named,
    skewed,
    like_a_trial,
    several_rows_each,
    of_people_by_name,
)


def records(record: Maker, rows: int = 300) -> list[Record]:
    draw = random.Random(5)  # noqa: S311 # made-up data
    return [record(draw, number) for number in range(rows)]


def made(folder: Path, record: Maker, rows: int = 300) -> None:
    found = records(record, rows)
    with (folder / "people.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(found[0]))
        writer.writeheader()
        writer.writerows(found)


def proposed(tmp_path: Path, invoke: Invoke, name: str = "people.csv", *options: str) -> dict[str, Any]:
    done = invoke("init", name, "-o", "people.toml", *options)
    assert done.exit_code == 0, done.output
    return tomllib.loads(text_of(tmp_path))


def text_of(tmp_path: Path) -> str:
    return (tmp_path / "people.toml").read_text(encoding="utf-8")


def assessed(invoke: Invoke) -> dict[str, Any]:
    done = invoke("assess", "people.toml", "--json", "-")
    assert done.exit_code in (0, 1), done.output
    (finding,) = json.loads(done.stdout)["findings"]
    return dict(finding)


@pytest.mark.parametrize("record", TABLES, ids=lambda record: record.__name__)
def test_a_table_is_asked_about_as_rows_and_the_question_runs_as_written(
    tmp_path: Path, invoke: Invoke, record: Maker
) -> None:
    made(tmp_path, record)
    scenario = proposed(tmp_path, invoke)

    assert scenario["tolerates"] == {"identity": "1/5"}
    (attacker,) = scenario["knows"]
    assert attacker["attack"] == "directory"
    assert "tolerates" not in attacker
    assert 1 <= len(attacker["columns"]) <= 8
    assert "rules" not in scenario["release"]
    assert assessed(invoke)["attack"] == "directory"


@pytest.mark.parametrize("record", TABLES, ids=lambda record: record.__name__)
def test_each_column_has_one_line_and_one_role(tmp_path: Path, invoke: Invoke, record: Maker) -> None:
    made(tmp_path, record)
    release = proposed(tmp_path, invoke)["release"]
    text = text_of(tmp_path)

    lists = re.findall(r'^#? +("(?:[^"\\]|\\.)*"),  +# ', text, re.MULTILINE)
    names = [json.loads(name) for name in lists] + [release[role] for role in ("id",) if role in release]
    expected = [name or "unnamed" for name in records(record, 1)[0]]
    assert sorted(names) == sorted(expected)
    assert len(text.splitlines()) <= len(expected) + 42


def test_forty_columns_give_a_file_to_be_read_in_one_go(tmp_path: Path, invoke: Invoke) -> None:
    made(
        tmp_path,
        lambda draw, number: (
            {f"lab{place}": f"{draw.random():.3f}" for place in range(36)}
            | plain(draw, number)
            | {"age": "30"}
        ),
    )

    scenario = proposed(tmp_path, invoke)

    assert scenario["knows"][0]["columns"] == ["sex", "city"]
    assert len(text_of(tmp_path).splitlines()) < 75


@pytest.mark.parametrize(
    "record", [plain, with_gaps, like_a_trial, several_rows_each], ids=lambda record: record.__name__
)
def test_the_block_about_secret_entries_runs_when_its_comment_signs_are_gone(
    tmp_path: Path, invoke: Invoke, record: Maker
) -> None:
    made(tmp_path, record)
    sensitive = proposed(tmp_path, invoke)["release"]["sensitive"]
    text = text_of(tmp_path).replace("\n[tolerates]", '\nsecrets = "secrets.csv"\n\n[tolerates]')
    before, _, block = text.partition("# [[knows]]")
    active = [line.removeprefix("# ") for line in ("# [[knows]]" + block).partition("\n\n")[0].splitlines()]
    (tmp_path / "people.toml").write_text(before + "\n".join(active))
    told = re.search(r"secrets\.csv \(first ([a-z,]+), then", text)
    assert told is not None
    entries = ["1", "300"] if told[1] == "row" else [f"1,{sensitive[0]}", f"300,{sensitive[-1]}"]
    (tmp_path / "secrets.csv").write_text("\n".join([told[1], *entries]))

    done = invoke("assess", "people.toml", "--json", "-")

    assert done.exit_code in (0, 1), done.output
    directory, attributes = json.loads(done.stdout)["findings"]
    assert (directory["attack"], attributes["attack"]) == ("directory", "attributes")
    assert attributes["figures"]["sensitive_records"] == 2


def test_columns_get_the_roles_that_their_names_and_values_tell(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, with_many_numbers)

    scenario = proposed(tmp_path, invoke)

    assert scenario["release"]["id"] == "patient"
    assert scenario["release"]["sensitive"] == ["income", "ill"]
    assert scenario["release"]["rest"] == "leave_out"
    assert scenario["knows"][0]["columns"] == ["sex", "city"]
    text = text_of(tmp_path)
    assert re.search(r'"sex", +# sex \(sure\): 2 values', text)
    assert re.search(r'"income", +# money \(likely\): numbers, ', text)
    assert re.search(r'#    "weight", +# numbers, ', text)


def test_names_addresses_and_places_on_a_map_are_not_published(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, of_people_by_name)

    scenario = proposed(tmp_path, invoke)

    assert scenario["release"]["leave_out"] == ["first_name", "last_name", "address", "longitude"]
    assert "id" not in scenario["release"]
    assert scenario["knows"][0]["columns"] == ["age", "gender", "type"]
    assert re.search(r'#    "death_date", +# date \(sure\): \d+ values', text_of(tmp_path))


def test_columns_with_few_values_are_known_if_all_of_them_fit_in(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, wide)
    assert proposed(tmp_path, invoke)["knows"][0]["columns"] == ["sex", "city"]

    made(tmp_path, like_a_trial)
    known = proposed(tmp_path, invoke, "people.csv", "--force")["knows"][0]["columns"]
    assert known == ["inst", "status", "age", "sex"]
    assert re.search(r'"status", +# few values \(a guess\)', text_of(tmp_path))


def test_gaps_are_known_by_their_words(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, like_a_trial)
    assert proposed(tmp_path, invoke)["release"]["missing"] == ["", "NA"]
    inst = sum(record["inst"] == "NA" for record in records(like_a_trial))
    assert f"3 values, {inst} missing" in text_of(tmp_path)

    words = ["--missing", "1", "--missing", "NA", "--force"]
    assert proposed(tmp_path, invoke, "people.csv", *words)["release"]["missing"] == ["", "1", "NA"]


def test_a_running_number_without_a_name_is_left_out(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, like_a_trial)

    assert proposed(tmp_path, invoke)["release"]["leave_out"] == ["unnamed"]
    assert '"unnamed",  # row number (sure)' in text_of(tmp_path)
    assert invoke("protect", "people.toml", "-o", "out").exit_code == 0
    header = (tmp_path / "out" / "release.csv").read_text().partition("\n")[0]
    assert header == "inst,status,age,sex,ph.ecog"


def test_several_rows_of_a_person_are_pointed_out_and_people_are_counted(
    tmp_path: Path, invoke: Invoke
) -> None:
    """Five equal rows of one person hide nobody."""
    rows = [f"{whose},{10 * whose},{visit % 2}" for whose in range(1, 31) for visit in range(6)]
    (tmp_path / "people.csv").write_text("\n".join(["patient,age,surgery", *rows]))
    done = invoke("init", "people.csv")

    assert 'In 180 rows the column "patient" has 30 values. Does it name the person?' in done.output
    assert 'In 180 rows the column "patient" has 30 values. Does it name the person?' in text_of(tmp_path)
    attacker = tomllib.loads(text_of(tmp_path))["knows"][0]
    assert (attacker["people"], attacker["id"]) == ("people.csv", "patient")
    found = assessed(invoke)
    assert found["safe"] is False
    assert found["figures"]["directory_size"] == 30
    assert found["figures"]["min_candidates"] == 1


def test_a_person_column_with_gaps_is_only_pointed_out(tmp_path: Path, invoke: Invoke) -> None:
    rows = [f"{number // 3 or ''},{number % 50},f" for number in range(90)]
    (tmp_path / "people.csv").write_text("\n".join(["patient,age,sex", *rows]))

    scenario = proposed(tmp_path, invoke)

    assert "people" not in scenario["knows"][0]
    assert "It has gaps, so one record is taken for one person; join the rows of a person first." in text_of(
        tmp_path
    )
    assessed(invoke)


def test_rules_are_proposed_when_they_are_asked_for(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, with_gaps)

    scenario = proposed(tmp_path, invoke, "people.csv", "--kind", "rules")

    assert scenario["release"]["sensitive"] == "ill"
    assert scenario["release"]["rules"] == {"min_support": 0.1, "min_confidence": 0.6}
    assert scenario["knows"] == [
        {"attack": "profiles", "columns": ["sex", "city"], "missing_profiles": "value"}
    ]


@pytest.mark.parametrize(
    "record",
    [plain, identified, with_many_numbers, wide, oddly_named, several_rows_each],
    ids=lambda record: record.__name__,
)
def test_proposed_rules_run_as_written(tmp_path: Path, invoke: Invoke, record: Maker) -> None:
    made(tmp_path, record)
    proposed(tmp_path, invoke, "people.csv", "--kind", "rules")

    done = invoke("assess", "people.toml", "--json", "-")

    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["attack"] == "profiles"
    assert (done.exit_code == 2) is ("There are 0 rules" in " ".join(finding["reasons"]))


def test_the_commands_in_the_file_can_be_typed_as_they_stand(tmp_path: Path, invoke: Invoke) -> None:
    made(tmp_path, plain)
    (tmp_path / "my data").mkdir()
    (tmp_path / "people.csv").rename(tmp_path / "my data" / "people.csv")
    done = invoke("init", "my data/people.csv", "-o", "my data/q.toml")
    text = (tmp_path / "my data" / "q.toml").read_text()

    assert "giveaway assess 'my data/q.toml'" in done.output
    assert "#   giveaway assess 'my data/q.toml'\n" in text
    assert "giveaway init 'my data/people.csv' --kind rules" in text
    assert invoke("assess", "my data/q.toml").exit_code == 0


def test_where_nothing_can_be_proposed_the_file_says_so(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "people.csv").write_text("person,name\n1,Ann\n2,Bob\n3,Cid\n")

    scenario = proposed(tmp_path, invoke)

    assert set(scenario) == {"release"}
    assert "Nothing can be proposed for people.csv yet" in text_of(tmp_path)
    assert invoke("assess", "people.toml").exit_code == 2


OFFERED = '# attribute = "{}"    # nobody\'s sensitive value can be guessed with a larger chance'
TOO_COMMON = "# For that, name the values of illness worth protecting in sensitive_values"


def on_leave(draw: random.Random, number: int) -> Record:
    return {
        "sex": draw.choice("fm"),
        "salary": str(30_000 + number),
        "illness": "flu" if number % 4 else "hiv",
    }


def very_common(draw: random.Random, number: int) -> Record:
    return {"sex": draw.choice("fm"), "illness": "hiv" if number % 20 == 0 else "none"}


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (
            on_leave,
            [
                f"{OFFERED.format('9/10')}; 75 % of all have the most common illness",
                '# For numbers with many values, say in [[knows]] how near a guess must be: within = { "salary" = "10 %" }',
            ],
        ),
        (
            very_common,
            [
                OFFERED.format("1/2"),
                f"{TOO_COMMON}: 95 % of all have the most common one.",
            ],
        ),
    ],
)
def test_a_limit_of_what_is_told_is_offered_above_what_everybody_can_guess(
    tmp_path: Path, invoke: Invoke, record: Maker, says: list[str]
) -> None:
    made(tmp_path, record)
    proposed(tmp_path, invoke)
    text = text_of(tmp_path)

    assert [line for line in says if line not in text.splitlines()] == []
    (tmp_path / "people.toml").write_text(text.replace("# attribute =", "attribute ="), encoding="utf-8")
    assert assessed(invoke)["tolerance"]["attribute"] is not None


def test_without_a_sensitive_column_no_limit_of_what_is_told_is_offered(
    tmp_path: Path, invoke: Invoke
) -> None:
    made(tmp_path, lambda draw, _: {"sex": draw.choice("fm"), "city": draw.choice(["Ayr", "Bath"])})
    proposed(tmp_path, invoke)

    assert '# attribute = "1/2"    #' not in text_of(tmp_path)
