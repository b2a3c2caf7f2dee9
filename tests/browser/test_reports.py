"""Reports on a phone, a tablet and a screen, on paper, and for those who cannot see them."""

import re
from typing import Any, Literal

import pytest
from tests.browser.pictures import pages
from tests.report import samples

from giveaway.report.html import document

WIDTHS = (320, 390, 768, 1280)
Edition = Literal["owner", "public"]

_STATES = {name: made for name, made in pages().items() if not name.startswith("sample")}


def _sheets(page: Any) -> int:
    """Count the sheets on which a page is printed."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize("edition", ["owner", "public"])
@pytest.mark.parametrize("state", samples.STATES)
def test_no_width_scrolls_sideways(page: Any, state: str, edition: Edition) -> None:
    page.set_content(document.render(samples.STATES[state](), edition=edition))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("edition", ["owner", "public"])
@pytest.mark.parametrize("name", _STATES)
def test_nothing_is_in_the_way_of_those_who_cannot_see(
    page: Any, faults_of: Any, name: str, edition: Edition
) -> None:
    page.set_content(document.render(_STATES[name](), edition=edition))
    assert faults_of(page) == []


@pytest.mark.parametrize("name", [name for name in _STATES if name.endswith("protected")])
def test_a_phone_shows_limit_and_verdict_without_scrolling_sideways(page: Any, name: str) -> None:
    for edition in ("owner", "public"):
        page.set_viewport_size({"width": 390, "height": 844})
        page.set_content(document.render(_STATES[name](), edition=edition))
        boxes = page.evaluate(
            "[...document.querySelectorAll('.overview .chip, .overview td, .overview th[scope=row]')]"
            ".map(one => { const box = one.getBoundingClientRect(); return [box.left, box.right, box.width] })"
        )
        assert boxes
        assert all(left >= 0 and right <= 390 and width > 30 for left, right, width in boxes)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_three_attackers_print_on_five_sheets(page: Any) -> None:
    page.set_content(document.render(_STATES["several of baskets, protected"]()))
    assert page.locator("section.attacker").count() == 3
    assert _sheets(page) == 5


@pytest.mark.parametrize("name", [name for name in _STATES if name.endswith("protected")])
def test_the_public_edition_is_one_sheet(page: Any, name: str) -> None:
    page.set_content(document.render(_STATES[name](), edition="public"))
    assert _sheets(page) == 1


def test_what_only_reviewers_ask_is_closed(page: Any) -> None:
    page.set_content(document.render(_STATES["profiles, protected"]()))
    shown = page.inner_text("body")
    assert "For reviewers" in shown
    assert "More curves" in shown
    assert not re.search(r"knows_method|gap \de|Newton|\d[eE]-\d", shown)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert re.search(r"knows_method.*Newton", page.inner_text("body"), re.DOTALL)
