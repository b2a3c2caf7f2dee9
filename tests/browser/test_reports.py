"""Reports on a phone, a tablet and a screen, on paper, and for those who cannot see them."""

import re
from typing import Any, Literal

import pytest
from tests.browser.pictures import pages
from tests.report import samples
from tests.sizes import first

from giveaway.report.html import document

WIDTHS = (320, 390, 768, 1280)
Edition = Literal["owner", "public"]

_STATES = {name: made for name, made in pages().items() if not name.startswith("sample")}


def _sheets(page: Any) -> int:
    """Count the sheets on which a page is printed."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize("edition", first(1, ["owner", "public"]))
@pytest.mark.parametrize("state", samples.STATES)
def test_no_width_scrolls_sideways(page: Any, state: str, edition: Edition) -> None:
    page.set_content(document.render(samples.STATES[state](), edition=edition))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("edition", first(1, ["owner", "public"]))
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


_PLACES = "found => found.map(one => { const box = one.getBoundingClientRect(); return [box.left, box.top, box.width, box.height] })"
_HEIGHTS = (
    "found => found.map(one => { const text = document.createRange(); text.selectNodeContents(one);"
    " return text.getBoundingClientRect().height })"
)
_BEFORE = "found => found.map(one => getComputedStyle(one, '::before').content)"


def test_a_phone_keeps_every_heading_and_a_tablet_writes_none_twice(page: Any) -> None:
    page.set_content(document.render(_STATES["second year, protected"]()))
    for width in (390, 768):
        page.set_viewport_size({"width": width, "height": 900})
        heads = page.eval_on_selector_all(".stacked thead th:first-child", _PLACES)
        assert len(heads) == 2
        assert all(wide > 100 and high > 10 for _, _, wide, high in heads)
        named = page.eval_on_selector_all(".overview tbody th, .overview td.drawn", _BEFORE)
        assert {'"The attacker knows "', '"Worst chance, before and after "'} <= set(named)
        again = page.eval_on_selector_all(".stacked td.n", _BEFORE)
        assert set(again) == ({'"as planned "', '"after "'} if width < 520 else {"none"})


def test_a_tablet_has_two_charts_in_a_row_and_a_screen_those_above_the_columns_of_the_method(
    page: Any,
) -> None:
    page.set_content(document.render(_STATES["items, protected"]()))
    for width, columns in ((390, 1), (768, 2), (1280, 3)):
        page.set_viewport_size({"width": width, "height": 900})
        charts = page.eval_on_selector_all(".attacker > .charts figure", _PLACES)
        assert len({left for left, *_ in charts}) == columns
    methods = page.eval_on_selector_all(".attacker > .three > div", _PLACES)
    assert [left for left, *_ in methods] == [left for left, *_ in charts]


def test_four_charts_are_printed_two_in_a_row_and_large_enough_to_be_read(page: Any) -> None:
    page.set_content(document.render(_STATES["levels, protected"]()))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 695, "height": 900})
    charts = page.eval_on_selector_all(".attacker > .charts svg.chart", _PLACES)
    letters = page.eval_on_selector_all(".attacker > .charts svg .tick", _PLACES)

    assert len({left for left, *_ in charts}) == len({round(top) for _, top, *_ in charts}) == 2
    assert min(high for *_, high in letters) > 10


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_what_belongs_together_is_not_parted(page: Any, width: int) -> None:
    """The verdict stands next to its words, a file's name and a switch on one line, a label of a slider on its page."""
    page.set_viewport_size({"width": width, "height": 900})
    page.set_content(document.render(_STATES["levels, protected"]()))
    told = page.eval_on_selector_all(".whole", _PLACES)
    assert len(told) >= 4
    assert all(high < 40 for *_, high in told)
    sliders = page.eval_on_selector_all(".dumbbell text", _PLACES)
    assert all(left >= 0 and left + wide <= width - 16 for left, _, wide, _ in sliders)
    page.set_content(document.render(_STATES["statements, protected"](), edition="public"))
    names = page.eval_on_selector_all(".origin dt", _HEIGHTS)
    assert names
    assert max(names) < 24
