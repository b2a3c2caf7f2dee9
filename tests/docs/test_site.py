"""The built site stands alone."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.docs.pages import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make docs` does."""
    if find_spec("material") is None or find_spec("mkdocstrings") is None:
        pytest.skip("Material for MkDocs is not installed")
    place = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(place)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return place


def test_the_built_pages_load_and_link_nothing_from_elsewhere(site: Path) -> None:
    outside = {
        f"{page.relative_to(site)}: {found}"
        for page in [*site.rglob("*.html"), *site.rglob("*.css")]
        for found in re.findall(
            r"(?:src|href)=\"(?:https?:)?//[^\"]*|url\(['\"]?(?:https?:)?//[^)]*|@import[^;]*",
            page.read_text(encoding="utf-8"),
        )
    }

    assert outside == set()


def test_doctests_are_shown_as_code_and_not_as_quotations(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")

    assert "language-pycon" in page
    assert "<blockquote>" not in page
