"""The documentation, built as `make docs` builds it."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.docs.pages import ROOT

BUILT = "GIVEAWAY_SITE"
"""The variable that names a folder into which `make docs` has built the site as it is now."""


def build(place: Path) -> Path:
    """Build the site into a folder; a strict build stops at warnings, unless it is also asked to be quiet."""
    if BUILT in os.environ:
        return ROOT / os.environ[BUILT]
    if find_spec("material") is None or find_spec("mkdocstrings") is None:
        pytest.skip("Material for MkDocs is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(place)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)
    assert built.returncode == 0, built.stderr
    return place
