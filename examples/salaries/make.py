"""Make up a table of salaries, drawn from a seed: `python examples/salaries/make.py [FOLDER]`."""

import csv
import random
import sys
from pathlib import Path

COLUMNS = ("person", "age", "sex", "education", "job", "region", "salary")

AGES = {"18-29": 25, "30-44": 35, "45-64": 30, "65+": 10}
EDUCATIONS = {"school": 45, "college": 35, "university": 20}
REGIONS = {"north": 30, "south": 45, "islands": 25}
JOBS = {
    "school": {"shop": 40, "workshop": 40, "office": 20},
    "college": {"shop": 15, "workshop": 30, "office": 55},
    "university": {"office": 55, "management": 45},
}
HIGHER = {"college": 0.2, "university": 0.45, "office": 0.1, "management": 0.4, "45-64": 0.15, "18-29": -0.2}
"""How much each value adds to the chance of a high salary."""


def person(number: int, draw: random.Random) -> tuple[str, ...]:
    """Draw one person; education, job and age make a high salary more likely."""
    age, education, region = (_one_of(shares, draw) for shares in (AGES, EDUCATIONS, REGIONS))
    sex = draw.choice(("female", "male"))
    job = _one_of(JOBS[education], draw)
    high = 0.1 + sum(HIGHER.get(value, 0) for value in (age, education, job))
    chance = draw.random()
    salary = "high" if chance < high else "middle" if chance < high + 0.35 else "low"
    return f"s{number:04}", age, sex, education, job, region, salary


def _one_of(shares: dict[str, int], draw: random.Random) -> str:
    return draw.choices(list(shares), list(shares.values()))[0]


def main(folder: Path) -> None:
    """Write salaries.csv."""
    draw = random.Random(2009)
    with (folder / "salaries.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *(person(number, draw) for number in range(1, 2001))])
    print(f"Made up 2,000 salaries in {folder / 'salaries.csv'}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
