import re

import pytest
from tests.report import samples
from tests.report.reading import Page

from giveaway.report.html import notebook


@pytest.mark.parametrize("state", samples.STATES)
def test_a_fragment_is_well_formed_and_loads_nothing(state: str) -> None:
    text = notebook.render(samples.STATES[state]())

    assert Page(text).broken == []
    for reference in ("http:", "https:", "url(", "@import", "src=", "<script", "<html", "<body"):
        assert reference not in text


def test_every_style_is_limited_to_the_fragment() -> None:
    text = notebook.render(samples.protected())
    style = re.search("<style>(.*?)</style>", text, flags=re.DOTALL)

    assert style is not None
    rules = re.sub(r"@media[^{]*\{(.*?\})\s*\}", r"\1", style[1])
    selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{", rules) for one in rule.split(",")]
    assert selectors
    assert all(selector.startswith(".giveaway-view") for selector in selectors)


def test_a_fragment_has_verdict_attackers_and_worst_exposures() -> None:
    text = Page(notebook.render(samples.two_attackers())).text

    for part in (
        "✓ SAFE",
        "Safe to release, once 34 items are withheld.",
        "how often items occur",
        "ice cream + jam",
    ):
        assert part in text


def test_hostile_labels_are_escaped() -> None:
    page = Page(notebook.render(samples.hostile(samples.protected())))

    assert page.broken == []
    assert "script" not in {tag for tag, _ in page.elements}
    assert "<script>alert(1)</script>" in page.text
