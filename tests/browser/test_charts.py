"""In every chart of every report: no two texts overlap, and none crosses the limit, on screen and on paper."""

from typing import Any

import pytest
from tests.browser.pictures import pages

from giveaway.report.html import document

_FAULTS = """
() => [...document.querySelectorAll("svg")].flatMap(drawing => {
  const room = element => { const box = element.getBoundingClientRect();
    return { left: box.left + 1, right: box.right - 1, top: box.top + 2, bottom: box.bottom - 2, says: element.textContent } };
  const texts = [...drawing.querySelectorAll("text")].map(room);
  const limits = [...drawing.querySelectorAll("line.limit")].map(line => { const box = line.getBoundingClientRect();
    return { left: box.left, right: Math.max(box.right, box.left + 1), top: box.top, bottom: Math.max(box.bottom, box.top + 1), says: "(the limit)" } });
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return texts.flatMap((text, place) => [...texts.slice(place + 1), ...limits].filter(other => meet(text, other))
    .map(other => `${drawing.getAttribute("aria-label")}: ${text.says} / ${other.says}`));
})
"""


@pytest.mark.parametrize("name", pages())
def test_no_two_texts_of_a_chart_overlap_and_none_crosses_the_limit(page: Any, name: str) -> None:
    page.set_content(document.render(pages()[name]()))
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.evaluate("document.querySelectorAll('svg text').length > 0") is (
        'class="chart"' in page.content()
    )
    for medium in ("screen", "print"):
        page.emulate_media(media=medium)
        page.set_viewport_size({"width": 1280 if medium == "screen" else 695, "height": 900})
        assert page.evaluate(_FAULTS) == []
