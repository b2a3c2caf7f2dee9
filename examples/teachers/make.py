"""Make up a table of jobs, some of them secret, drawn from a seed: `python examples/teachers/make.py [FOLDER]`."""

import csv
import random
import sys
from pathlib import Path

COLUMNS = ("person", "sex", "education", "hours", "district", "job")

EDUCATIONS = {"school": 40, "college": 35, "master": 25}
HOURS = {"full": 70, "part": 30}
DISTRICTS = {"centre": 40, "harbour": 35, "hills": 25}
JOBS = {
    "school": {"driver": 35, "clerk": 30, "cook": 35},
    "college": {"clerk": 45, "nurse": 35, "teacher": 20},
    "master": {"teacher": 60, "engineer": 40},
}
SECRET = 12


def person(number: int, draw: random.Random) -> tuple[str, ...]:
    """Draw one person; most people with a master's degree who work part time are teachers."""
    education, hours, district = (_one_of(shares, draw) for shares in (EDUCATIONS, HOURS, DISTRICTS))
    sex = draw.choice(("female", "male"))
    job = "teacher" if (education, hours) == ("master", "part") and draw.random() < 0.6 else None
    return f"t{number:04}", sex, education, hours, district, job or _one_of(JOBS[education], draw)


def _one_of(shares: dict[str, int], draw: random.Random) -> str:
    return draw.choices(list(shares), list(shares.values()))[0]


def main(folder: Path) -> None:
    """Write teachers.csv, and secrets.csv with the teachers who do not want their job to be known."""
    draw = random.Random(2007)
    people = [person(number, draw) for number in range(1, 1501)]
    shy = sorted(draw.sample([name for name, *_, job in people if job == "teacher"], SECRET))
    for name, rows in (
        ("teachers.csv", [COLUMNS, *people]),
        ("secrets.csv", [("person",), *((one,) for one in shy)]),
    ):
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    print(
        f"Made up 1,500 people in {folder / 'teachers.csv'} and {SECRET} secrets in {folder / 'secrets.csv'}."
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
