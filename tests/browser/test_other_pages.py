"""The document of a review, the comparison and the views of notebooks, looked at in Chromium."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from tests.report import samples

from giveaway.report import review
from giveaway.report.html import compare, notebook, recipients

WIDTHS = (320, 390, 768, 1280)


def filed() -> str:
    made = samples.protected()
    made["written"] = [{"file": "release.dat", "sha256": "b6" * 32, "rows": 9835}]
    made["data"]["sha256"] = "c7" * 32
    return str(review.render(made, "html"))


def colluding() -> dict[str, Any]:
    """Make up the answer for three recipients with long names."""
    names = ["insurer", "ministry of health and of much else", "a-very-long-name-without-any-blank-in-it"]
    sets = [some for size in (1, 2, 3) for some in combinations(names, size)]
    count = {"over": 0, "alone": 0}
    return {
        "schema": 2,
        "giveaway": "1",
        "date": "2026-11-18",
        "verdict": "safe",
        "joined_by": "id",
        "linked": "rows",
        "before": "by itself",
        "matrix": [
            {
                "attack": "directory",
                "knows": "the age, town and job of everybody in the table",
                "knows_publicly": "three columns",
                "targets": "people",
                "of": 30_162,
                "sets": [
                    {
                        "recipients": list(some),
                        "before": {"over": 3_805, "alone": 1_256} if len(some) > 1 else count,
                        "after": count,
                    }
                    for some in sets
                ],
            }
        ],
        "details": ["It is proved that no safe release discloses more values."],
        "recipients": [
            {
                "name": name,
                "withheld": {"entries": 2_758, "coarser": 0},
                "withheld_alone": {"entries": 621, "coarser": 0},
                "summary": samples.protected(),
            }
            for name in names
        ],
        "no_safe_release": None,
    }


PAGES: dict[str, Callable[[], str]] = {
    "review": filed,
    "review of blanks": lambda: str(review.render(samples.blank_entries(), "html")),
    "recipients": lambda: recipients.render(colluding()),
    "recipients, public": lambda: recipients.render(colluding(), edition="public"),
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
