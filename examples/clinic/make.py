"""Make up a register and the records of a clinic, drawn from a seed: `python examples/clinic/make.py [FOLDER]`."""

import csv
import random
import sys
from pathlib import Path

PEOPLE, PATIENTS, MOVED = 6000, 500, 4

DISTRICTS = {"1010": 30, "1020": 25, "1030": 20, "1040": 15, "1050": 7, "1060": 3}
JOBS = {"office": 30, "trade": 25, "care": 20, "teaching": 15, "farming": 8, "law": 2}
ILLNESSES = {"asthma": 35, "diabetes": 30, "depression": 20, "epilepsy": 12, "hiv": 3}
YEARS = range(1935, 2006)

Entry = tuple[str, str, str, str, str]


def resident(number: int, draw: random.Random) -> Entry:
    """Draw one person of the register: id, district, year of birth, sex and job."""
    district, job = (_one_of(shares, draw) for shares in (DISTRICTS, JOBS))
    return f"r{number:04}", district, str(draw.choice(YEARS)), draw.choice("fm"), job


def moved(person: Entry, draw: random.Random) -> Entry:
    """Let somebody live in a district that the register does not know yet."""
    person_id, _, *rest = person
    return person_id, "1070", *rest[:2], draw.choice(list(JOBS))


def _one_of(shares: dict[str, int], draw: random.Random) -> str:
    return draw.choices(list(shares), list(shares.values()))[0]


def _levels() -> list[tuple[str, ...]]:
    """Give each year of birth its decade and its half of the span, as ARX writes hierarchies."""
    return [
        (str(year), f"{year // 10 * 10}s", "before 1970" if year < 1970 else "1970 and later", "*")
        for year in YEARS
    ]


def main(folder: Path) -> None:
    """Write register.csv, patients.csv, and birth.csv with coarser labels for years of birth."""
    draw = random.Random(2006)
    register = [resident(number, draw) for number in range(1, PEOPLE + 1)]
    patients = sorted(draw.sample(register, PATIENTS))
    for place in draw.sample(range(PATIENTS), MOVED):
        patients[place] = moved(patients[place], draw)
    columns = ("person", "district", "birth", "sex", "job")
    records = [(*patient, _one_of(ILLNESSES, draw)) for patient in patients]
    for name, rows, separator in (
        ("register.csv", [columns, *register], ","),
        ("patients.csv", [(*columns, "illness"), *records], ","),
        ("birth.csv", _levels(), ";"),
    ):
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=separator).writerows(rows)
    print(
        f"Made up {PEOPLE:,} people in {folder / 'register.csv'} and {PATIENTS} of them in {folder / 'patients.csv'}."
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
