"""What the page is measured with: the demo, many baskets, groceries, a clinic, and a file that is slow."""

import gzip
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import giveaway as ga

CLINIC = Path(__file__).parents[2] / "examples" / "clinic"
MANY = 100_000
QUESTION = """\
[release]
data = "{data}"

[tolerates]
identity = "1/5"

[[knows]]
attack = "items"
at_most = 2

[needs]
itemsets = {{ min_support = {support} }}
"""


@dataclass(frozen=True)
class Data:
    """One page: `put` lays data and question.toml into a folder, or tells that they cannot be had."""

    name: str
    about: str
    put: Callable[[Path, Path], bool]
    slow: bool = False


def _demo(folder: Path, _: Path) -> bool:
    ga.write_example(folder).rename(folder / "question.toml")
    return True


def _many(folder: Path, shared: Path) -> bool:
    _demo(folder, shared)
    file = folder / "baskets.dat"
    drawn = random.Random(100)  # made-up data
    file.write_text("\n".join(drawn.choices(file.read_text().splitlines(), k=MANY)) + "\n")
    question = folder / "question.toml"
    question.write_text(ga.edit_scenario(question.read_text(), {"needs.itemsets.min_support": MANY // 100}))
    return True


def _file(name: str, support: int) -> Callable[[Path, Path], bool]:
    def put(folder: Path, shared: Path) -> bool:
        stored = shared / "transactions" / f"{name}.dat.gz"
        if not stored.is_file():
            return False
        with gzip.open(stored) as packed, (folder / f"{name}.dat").open("wb") as file:
            shutil.copyfileobj(packed, file)
        (folder / "question.toml").write_text(QUESTION.format(data=f"{name}.dat", support=support))
        return True

    return put


def _clinic(folder: Path, _: Path) -> bool:
    shutil.copy(CLINIC / "make.py", folder)
    shutil.copy(CLINIC / "clinic.toml", folder / "question.toml")
    subprocess.run([sys.executable, "make.py"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return True


DATA = (
    Data("demo", "3,000 baskets of 30 items", _demo),
    Data("many", "100,000 baskets of 30 items, drawn from the demo's", _many),
    Data("groceries", "9,835 baskets of 169 items", _file("groceries", 98)),
    Data("clinic", "500 records, looked up in a register of 6,000 people", _clinic),
    Data("retail", "88,162 baskets of 16,470 items", _file("retail", 882), slow=True),
)
