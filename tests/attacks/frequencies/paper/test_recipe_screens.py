"""The recipes of Figures 8 and 9 as a log shows them: BigMart always, the data sets of the paper where they are at hand.

`python -m tests.attacks.frequencies.paper.test_recipe_screens` writes the screens anew.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.oracles.shared import SHARED
from tests.sizes import long
from typer.testing import CliRunner

from giveaway.cli.main import app

pytestmark = pytest.mark.papers

SCREENS = Path(__file__).parent / "screens"
SHOP = "1 2 3\n1 2 3 4\n4 6\n3 4 5 6\n5 6\n6\n1 2\n1 3 4\n1 3 5\n2 4 6\n"
PAPERS = "frequencies:knows_method=false"
TENTH = ("--tolerates", "average=1/10")
ASKED = {
    "bigmart": ("--knows", "frequencies:belief={around=0.05},knows_method=false", "--tolerates", "average=1/4"),
    "bigmart-asked": (
        "--knows", "frequencies:belief={around=0.05},knows_method=false", "--tolerates", "average=1/4",
        "--set", "knows.0.compliance=0.217",
    ),
    "mushroom": ("--knows", PAPERS, *TENTH),
    "retail": ("--knows", PAPERS, *TENTH),
    "connect": ("--knows", PAPERS, *TENTH),
    "connect-pairs": (
        "--knows", f"{PAPERS},targets=pairs", "--tolerates", "identity=1/2", "--tolerates", "share=1/10",
    ),
}  # fmt: skip
LARGE = ("retail", "connect")
"""The data that take long."""


def screen(name: str, folder: Path) -> str:
    """Return what a log shows, asked in a folder that holds the data."""
    data = name.split("-", maxsplit=1)[0]
    file = folder / f"{data}.dat{'' if data == 'bigmart' else '.gz'}"
    if data == "bigmart":
        file.write_text(SHOP)
    else:
        file.symlink_to(SHARED / "transactions" / file.name)
    before = Path.cwd()
    os.chdir(folder)
    try:
        return CliRunner().invoke(app, ["assess", file.name, *ASKED[name]]).stdout
    finally:
        os.chdir(before)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=long) if name.startswith(LARGE) else name for name in ASKED]
)
def test_a_recipe_reads_as_it_should(name: str, tmp_path: Path) -> None:
    data = f"{name.split('-', maxsplit=1)[0]}.dat.gz"
    if not name.startswith("bigmart") and not (SHARED / "transactions" / data).exists():
        pytest.skip(f"{data} is not at hand")
    assert screen(name, tmp_path) == (SCREENS / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for one in ASKED:
        with TemporaryDirectory() as place:
            (SCREENS / f"{one}.txt").write_text(screen(one, Path(place)), encoding="utf-8")
