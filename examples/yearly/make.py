"""Make up the sick days of a company's staff, drawn from a seed: `python examples/yearly/make.py [FOLDER]`."""

import csv
import random
import sys
from pathlib import Path

COLUMNS = ("person", "age", "town", "job", "days")

AGES = {"20-34": 40, "35-49": 35, "50-66": 25}
TOWNS = {"harbour": 45, "hill": 35, "mill": 20}
JOBS = {"office": 40, "workshop": 30, "sales": 20, "kitchen": 10}
DAYS = {"none": 40, "a week": 40, "more": 20}


def person(number: int, draw: random.Random) -> tuple[str, ...]:
    """Draw one person."""
    drawn = (draw.choices(list(shares), list(shares.values()))[0] for shares in (AGES, TOWNS, JOBS, DAYS))
    return (f"p{number:03}", *drawn)


def main(folder: Path) -> None:
    """Write staff.csv."""
    draw = random.Random(2025)
    with (folder / "staff.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *(person(number, draw) for number in range(1, 401))])
    print(f"Made up 400 people in {folder / 'staff.csv'}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
