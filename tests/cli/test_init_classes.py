"""Classes and ladders are proposed as comments, which work once the # is gone; nothing is applied by itself."""

import random
import tomllib
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke

import giveaway as ga

HEAD = "patient,age,born,zip,income,sex,ill\n"


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    draw = random.Random(3)  # noqa: S311 # made up
    rows = [
        f"p{number},{draw.randint(18, 80)},19{draw.randint(40, 69)}-0{draw.randint(1, 9)}-1{draw.randint(0, 9)},"
        f"0{draw.randint(1200, 1299)},{draw.randint(0, 99999)},{draw.choice('fm')},{draw.choice(['yes', 'no'])}\n"
        for number in range(200)
    ]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(HEAD + "".join(rows))
    return tmp_path


def written(folder: Path, word: str) -> str:
    return next(
        line for line in (folder / "people.toml").read_text().splitlines() if line.startswith(f"# {word} =")
    )


def test_classes_are_proposed_with_what_they_make_of_the_data(people: Path, invoke: Invoke) -> None:
    assert invoke("init", "people.csv").exit_code == 0
    text = (people / "people.toml").read_text()

    classes = (
        '# classes = { age = { width = 5 }, born = "year", zip = { prefix = 3 } }    # k, the fewest rows '
    )
    assert written(people, "classes").startswith(f"{classes}equal in all known columns: 1 before, ")
    ages = ga.read_table("people.csv", classes={"age": 5}).classes["age"]
    assert (
        f"#   age: {len(ages.counts)} values, {len(ages.rows)} classes, the smallest with {min(ages.rows.values())} row"
        in text
    )
    assert "the date of birth is known to many" in text
    assert "classes" not in tomllib.loads(text)["release"]


def test_proposed_classes_work(people: Path, invoke: Invoke) -> None:
    invoke("init", "people.csv")
    for word in ("classes", "ladders"):
        line = written(people, word)
        text = (people / "people.toml").read_text()
        (people / "people.toml").write_text(text.replace(line, line.removeprefix("# ")))

    done = invoke("protect", "people.toml", "-o", "out")

    assert done.exit_code == 0, done.output
    assert "012**" in (people / "out" / "release.csv").read_text()


def test_ladders_are_written_as_hierarchies(people: Path, invoke: Invoke) -> None:
    assert invoke("init", "people.csv", "--hierarchies", "levels").exit_code == 0
    line = written(people, "hierarchies")
    text = (people / "people.toml").read_text()
    (people / "people.toml").write_text(text.replace(line, line.removeprefix("# ")))

    assert (
        line == '# hierarchies = { age = "levels/age.csv", born = "levels/born.csv", zip = "levels/zip.csv" }'
    )
    assert "20;20-24;20-29;20-39;*" in (people / "levels" / "age.csv").read_text().splitlines()
    assert (people / "levels" / "age.csv").stat().st_mode & 0o077 == 0
    assert invoke("assess", "people.toml").exit_code in (0, 1)


def test_few_values_need_no_classes(people: Path, invoke: Invoke) -> None:
    rows = (people / "people.csv").read_text().splitlines()
    (people / "few.csv").write_text("\n".join(",".join(row.split(",")[-2:]) for row in rows) + "\n")
    invoke("init", "few.csv", "--hierarchies", "levels")

    assert "classes" not in (people / "few.toml").read_text()
    assert not (people / "levels").exists()
