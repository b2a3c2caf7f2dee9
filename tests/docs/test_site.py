"""The built site stands alone."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from tests.docs.building import build
from tests.sizes import long

pytestmark = long


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site once for all tests here."""
    return build(tmp_path_factory.mktemp("site"))


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


def test_every_link_and_picture_of_the_built_pages_leads_somewhere(site: Path) -> None:
    pages = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html") if page.stem != "404"}
    names = {page: set(re.findall(r"\bid=\"?([^\s\">]+)", text)) for page, text in pages.items()}
    broken = []
    for page, text in pages.items():
        for link in re.findall(r"<(?:a|img|script|link)\b[^>]*?\b(?:href|src)=\"([^\":]+)\"", text):
            place, _, part = unquote(unescape(link)).partition("#")
            file = (page.parent / place).resolve() if place else page
            if not file.exists() or (part and part not in names.get(file, set())):
                broken.append(f"{page.relative_to(site)}: {link}")

    assert len(pages) > 60
    assert broken == []


def test_doctests_are_shown_as_code_and_not_as_quotations(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")

    assert "language-pycon" in page
    assert "<blockquote>" not in page
