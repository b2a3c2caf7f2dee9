from typing import Any, Literal

import pytest
from tests.report import samples

from giveaway.report.html import document

WIDTHS = (320, 390, 768, 1280)


@pytest.mark.parametrize("edition", ["owner", "public"])
@pytest.mark.parametrize("state", samples.STATES)
def test_no_width_scrolls_sideways(page: Any, state: str, edition: Literal["owner", "public"]) -> None:
    page.set_content(document.render(samples.STATES[state](), edition=edition))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
