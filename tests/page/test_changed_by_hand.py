"""What the owner changes on a safe release by hand: items kept for sure, items kept after all, formats, points of a chart."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.page.screens import WAIT

import giveaway as ga


def title(page: Any, words: str) -> None:
    page.locator(f"h1:has-text('{words}')").wait_for(timeout=WAIT)
    page.wait_for_load_state()  # from here on the page hears keys


def test_an_item_is_kept_for_sure_and_another_way_is_found(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}result")
    title(page, "8 items are withheld")
    page.locator("li:has-text('sugar-free-sweets') button").click()
    title(page, "Not safe after withholding")
    page.click("text=Keep it and look for another way")
    title(page, "9 items are withheld")
    assert at.session.values["needs"]["items"] == {"keep": ["sugar-free-sweets"]}
    safer = ga.Scenario.from_text(at.session.text, pharmacy).protect()
    assert "sugar-free-sweets" not in map(str, safer.withheld.items)
    for fact in ga.sentences(safer.to_dict())["facts"][:2]:
        page.locator(f".facts :text-is('{fact['head']}')").wait_for(timeout=WAIT)
    page.click("text=It may be withheld")
    title(page, "8 items are withheld")
    assert "items" not in at.session.values["needs"]


def test_where_there_is_no_other_way_what_helps_is_a_button(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}result")
    title(page, "8 items are withheld")
    page.locator("li:has-text('test-strips') button").click()
    page.click("text=Keep it and look for another way")
    title(page, "No safe release")
    page.click("button:text-is('Drop needs.items')")
    title(page, "8 items are withheld")


def test_what_is_released_is_what_was_tried(page: Any, served: Callable[..., Any], pharmacy: Path) -> None:
    text = (pharmacy / "pharmacy.toml").read_text()
    held = [str(item) for item in ga.Scenario.from_text(text, pharmacy).protect().withheld.items]
    stated = ga.edit_scenario(text, {"release.withheld": [*held, "magnesium"]})
    (pharmacy / "more.toml").write_text(stated)
    at = served("more.toml")
    page.goto(f"{at.url}result")
    title(page, "9 items are withheld")
    page.locator("li:has-text('magnesium') button").click()
    page.locator(".cons").wait_for(timeout=WAIT)
    assert page.locator(
        "button:text-is('Go on to publish')"
    ).is_disabled()  # what is judged is what is written
    page.click("text=Release it like this")
    title(page, "8 items are withheld")
    assert at.session.values["release"]["withheld"] == held
    page.click("text=Go on to publish")
    page.click("text=Check and write")
    title(page, "Written, read back")
    released = (pharmacy / "release" / "release.dat").read_text()
    assert "magnesium" in released
    assert "test-strips" not in released
    page.goto(f"{at.url}result")
    page.click("text=Begin again with nothing withheld")
    title(page, "8 items are withheld")
    assert "withheld" not in at.session.values["release"]


def test_a_release_is_written_in_another_format(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}publish")
    page.locator("label:has(input[value=parquet])").click(timeout=WAIT)
    page.click("text=Check and write")
    title(page, "Written, read back")
    assert pq.read_table(pharmacy / "release" / "release.parquet").num_rows > 0
    page.locator("td:has-text('release/release.parquet')").wait_for()


@pytest.mark.parametrize("by", ["click", "key"])
def test_a_point_of_the_chart_asks_about_somebody_stronger(
    page: Any, served: Callable[..., Any], pharmacy: Path, by: str
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}question")
    title(page, "179 of 3,000")
    point = page.locator(".pick[data-value='3']")  # beyond what is asked about: drawn a moment later
    point.wait_for(timeout=WAIT)
    if by == "click":
        point.click()
    else:
        page.focus(".pick[data-value='3']")
        page.keyboard.press("Enter")
    page.locator("#says-0:has-text('any four items')").wait_for(timeout=WAIT)
    found = ga.Scenario.from_text(
        ga.edit_scenario((pharmacy / "pharmacy.toml").read_text(), {"knows.0.at_most": 4}), pharmacy
    ).assess()
    title(page, f"{found.findings[0].risk.figures['exposed_transactions']:,} of 3,000")
    assert at.session.attackers[0]["at_most"] == 4


def test_rows_and_items_are_called_as_their_owner_calls_them(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}data")
    title(page, "3,000 transactions of 30 items")
    page.click("summary:has-text('Use other words')")
    page.fill("input[name=row]", "basket")
    page.fill("input[name=item]", "product")
    page.click("text=Use these words")
    title(page, "3,000 baskets of 30 products")
    assert at.session.values["release"]["words"] == {"row": "basket", "item": "product"}
    page.goto(f"{at.url}question")
    title(page, "179 of 3,000 baskets")
    page.locator("#says-0:has-text('any two products of a basket')").wait_for()
    page.locator("text=Nobody guesses a private product").wait_for()
    for place in ("data", "question", "result"):
        page.goto(f"{at.url}{place}")
        page.locator("h1:has-text('product'), h1:has-text('basket')").wait_for(timeout=WAIT)
        said = page.inner_text("main").lower()
        assert re.findall(r"\b(?:transactions?|items?)\b", said) == []
    page.goto(f"{at.url}data")
    page.click("summary:has-text('Use other words')")
    page.fill("input[name=row]", "<b>")
    page.click("text=Use these words")
    page.locator(".fact:has-text('is not a noun')").wait_for(timeout=WAIT)
    assert at.session.values["release"]["words"]["row"] == "basket"
