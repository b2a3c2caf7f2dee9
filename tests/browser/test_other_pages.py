"""The document of a review, the comparison and the views of notebooks, looked at in Chromium."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.report import samples

from giveaway.report import review
from giveaway.report.html import compare, notebook

WIDTHS = (320, 390, 768, 1280)


def filed() -> str:
    made = samples.protected()
    made["written"] = [{"file": "release.dat", "sha256": "b6" * 32, "rows": 9835}]
    made["data"]["sha256"] = "c7" * 32
    return str(review.render(made, "html"))


PAGES: dict[str, Callable[[], str]] = {
    "review": filed,
    "review of blanks": lambda: str(review.render(samples.blank_entries(), "html")),
    "comparison": lambda: compare.render({"a.json": samples.at_risk(), "b.json": samples.two_attackers()}),
}


@pytest.mark.parametrize("name", PAGES)
def test_no_width_scrolls_sideways_and_nothing_is_out_of_reach(page: Any, name: str, faults_of: Any) -> None:
    page.set_content(PAGES[name]())
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert faults_of(page) == []
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 960})  # A4 between its margins
    assert page.evaluate("document.documentElement.scrollWidth") <= 680


def test_a_view_of_a_notebook_has_its_pictures_drawn(page: Any) -> None:
    page.set_content(f"<main>{notebook.render(samples.two_attackers())}</main>")
    boxes = page.evaluate(
        "[...document.querySelectorAll('svg')].map(one => one.getBoundingClientRect().width)"
    )
    assert boxes
    assert min(boxes) > 100
