"""In every chart of every report: texts lie neither over each other nor over lines, bars or limits, on screen and on paper."""

import re
from typing import Any

import pytest
from tests.browser.pictures import pages

from giveaway.report.html import document

_FAULTS = """
() => [...document.querySelectorAll("svg.chart, svg.dumbbell")].flatMap(drawing => {
  const all = css => [...drawing.querySelectorAll(css)];
  const room = element => { const box = element.getBoundingClientRect();
    return { left: box.left + 1, right: box.right - 1, top: box.top + 2, bottom: box.bottom - 2, says: element.textContent } };
  const texts = all("text").map(room);
  const limits = all("line.limit").map(line => { const box = line.getBoundingClientRect();
    return { left: box.left, right: Math.max(box.right, box.left + 1), top: box.top, bottom: Math.max(box.bottom, box.top + 1), says: "the limit" } });
  const bars = all("rect.bar").map(bar => ({ ...room(bar), says: "a bar" }));
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  // What is drawn as a line is followed point by point, from each of its ends to the next.
  const ends = line => line.points ? [...line.points] : [[line.x1, line.y1], [line.x2, line.y2]].map(
    ([x, y]) => ({ x: x.baseVal.value, y: y.baseVal.value }));
  const lines = all("polyline.curve, line.dotted").flatMap(line => {
    const to = line.getScreenCTM(), says = line.getAttribute("class");
    const found = ends(line).map(at => new DOMPoint(at.x, at.y).matrixTransform(to));
    return found.slice(1).flatMap((end, i) => {
      const from = found[i], steps = Math.ceil(Math.hypot(end.x - from.x, end.y - from.y)) || 1;
      return Array.from({ length: steps + 1 }, (_, k) => {
        const x = from.x + (end.x - from.x) * k / steps, y = from.y + (end.y - from.y) * k / steps;
        return { left: x, right: x, top: y, bottom: y, says } }) }) });
  const own = drawing.getBoundingClientRect();
  const outside = text => text.left < own.left - 1 || text.right > own.right + 14 || text.top < own.top - 14;
  const told = (text, says) => `${drawing.getAttribute("aria-label").slice(0, 60)}: ${text.says} / ${says}`;
  const unnamed = drawing.matches(".chart") && limits.length && !texts.some(text => /^(limit|breaks)/.test(text.says));
  return [...(unnamed ? [told({ says: "no label" }, "the limit")] : []), ...texts.flatMap((text, place) => {
    const met = [...texts.slice(place + 1), ...limits, ...bars, ...lines].filter(other => meet(text, other));
    return [...new Set(met.map(other => told(text, other.says))), ...(outside(text) ? [told(text, "the edge")] : [])] })];
})
"""


@pytest.mark.parametrize("name", pages())
def test_no_text_of_a_chart_lies_over_another_a_line_a_bar_or_the_limit(page: Any, name: str) -> None:
    page.set_content(document.render(pages()[name]()))
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.evaluate("document.querySelectorAll('svg text').length > 0") is ("<text" in page.content())
    for medium in ("screen", "print"):
        page.emulate_media(media=medium)
        page.set_viewport_size({"width": 1280 if medium == "screen" else 695, "height": 900})
        assert page.evaluate(_FAULTS) == []


@pytest.mark.parametrize("name", [name for name in pages() if not name.startswith("sample")])
def test_a_chart_shows_as_many_over_the_limit_as_its_sentence_counts(name: str) -> None:
    """The sentence is counted by the attack, the label by the bars beyond the limit."""
    for figure in re.findall(r"<figure>.*?</figure>", document.render(pages()[name]()), re.DOTALL):
        said = re.search(r"([\d,]+|[Nn]one) of (?:the )?[\d,]+ .*? (?:are over|reach|held by fewer)", figure)
        if said and 'class="bar' in figure:
            shown = re.search(r"([\d,]+) over[<,]", figure)
            assert (shown[1] if shown else "0") == said[1].lower().replace("none", "0")
            assert bool(shown) is ('class="bar before over"' in figure)
