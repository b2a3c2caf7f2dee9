"""The examples with a scenario file run from their made-up data to a verdict."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Invoke

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "attack", "rows"), [("salaries", "profiles", 2000), ("teachers", "attributes", 1500)]
)
def test_an_example_is_at_risk_as_planned(
    tmp_path: Path, invoke: Invoke, name: str, attack: str, rows: int
) -> None:
    shutil.copy(EXAMPLES / name / f"{name}.toml", tmp_path)
    subprocess.run(
        [sys.executable, str(EXAMPLES / name / "make.py"), str(tmp_path)], capture_output=True, check=True
    )

    done = invoke("assess", f"{name}.toml", "--json", "-")

    assert done.exit_code == 1, done.output
    summary = json.loads(done.stdout)
    assert summary["data"]["rows"] == rows
    assert summary["findings"][0]["attack"] == attack
    assert summary["findings"][0]["exposures_total"] > 0


@pytest.mark.parametrize("name", ["salaries", "teachers"])
def test_the_data_of_an_example_are_the_same_each_time(tmp_path: Path, name: str) -> None:
    written = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        subprocess.run(
            [sys.executable, str(EXAMPLES / name / "make.py"), str(folder)], capture_output=True, check=True
        )
        written.append([path.read_bytes() for path in sorted(folder.iterdir())])

    assert written[0] == written[1]
    assert written[0]
