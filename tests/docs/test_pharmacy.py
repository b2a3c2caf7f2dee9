import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "pharmacy.py"


def test_the_example_runs_and_publishes(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), str(tmp_path)], capture_output=True, text=True, check=True
    )

    assert "As planned: at risk." in done.stdout
    assert "safe." in done.stdout.splitlines()[-1]
    assert (tmp_path / "pharmacy-release" / "release.dat").exists()
