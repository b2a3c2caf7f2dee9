"""Make up the admissions of a hospital, drawn from a seed: `python examples/patients/make.py [FOLDER]`."""

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

PATIENTS = 2000
COLUMNS = ("patient", "age", "sex", "postcode", "admitted", "days", "diagnosis")

POSTCODES = {"401": 30, "402": 30, "403": 22, "411": 11, "412": 7}
"""The first three digits; the last two are drawn."""

DIAGNOSES = {
    "I10": (9, 60, 3), "I21": (6, 68, 7), "I50": (7, 76, 8), "J18": (8, 66, 7), "J44": (6, 67, 6),
    "K35": (7, 32, 3), "K80": (8, 55, 4), "S72": (6, 78, 10), "S82": (7, 44, 5), "M17": (7, 69, 6),
    "C18": (3, 66, 9), "C34": (3, 64, 8), "C50": (3, 60, 5), "F10": (3, 46, 9), "F20": (1, 42, 20),
    "F32": (3, 44, 18), "B20": (1, 44, 8), "A15": (1, 47, 14), "B18": (2, 48, 4),
}  # fmt: skip
"""ICD-10 codes: how common, at which age, and how many days in hospital, each on average."""


def admission(number: int, draw: random.Random) -> tuple[str, ...]:
    """Draw one patient: the diagnosis first, then an age and a stay that go with it."""
    diagnosis = draw.choices(list(DIAGNOSES), [common for common, _, _ in DIAGNOSES.values()])[0]
    _, usual_age, usual_stay = DIAGNOSES[diagnosis]
    age = min(max(round(draw.gauss(usual_age, 17)), 18), 97)
    stay = 1 + round(draw.expovariate(1 / usual_stay))
    area = draw.choices(list(POSTCODES), list(POSTCODES.values()))[0]
    admitted = date(2025, 1, 1) + timedelta(days=draw.randrange(365))
    postcode = f"{area}{draw.randrange(1, 30):02}"
    return f"h{number:04}", str(age), draw.choice("fm"), postcode, str(admitted), str(stay), diagnosis


def main(folder: Path) -> None:
    """Write patients.csv."""
    draw = random.Random(2025)
    with (folder / "patients.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *(admission(number, draw) for number in range(1, PATIENTS + 1))])
    print(f"Made up {PATIENTS:,} patients in {folder / 'patients.csv'}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
