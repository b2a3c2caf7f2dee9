"""Every screen can be read, reached and used: by eye in light and dark, on any width, by keys, on paper, without scripts."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from tests.page import screens
from tests.page.conftest import let_in, serving
from tests.sizes import first

WIDTHS = (320, 390, 768, 1024, 1280)
CONTROLS = "a[href], button, input:not([type=hidden]), select, summary, [role=slider], [role=button]"
SMALL = f"""() => [...document.querySelectorAll({CONTROLS!r})].filter((one) => {{
  const part = one.matches("input[type=checkbox], input[type=radio]") ? one.closest("label, td") ?? one : one;
  const box = part.getBoundingClientRect(), inside = one.closest("p, td, .hide, .skip") && one.matches("a");
  return one.checkVisibility() && !one.matches(".hide, .skip") && !inside && (box.width < 24 || box.height < 24);
}}).map((one) => one.outerHTML.slice(0, 120))"""
NAMELESS = f"""() => [...document.querySelectorAll({CONTROLS!r})].filter((one) => one.checkVisibility() && !(
  one.getAttribute("aria-label") || one.textContent.trim() || [...(one.labels ?? [])].some((label) => label.textContent.trim())
)).map((one) => one.outerHTML.slice(0, 120))"""
MOVING = "() => document.getAnimations().map((one) => one.animationName ?? one.transitionProperty)"


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One page for all screens, so that what was measured for one is there for the next."""
    folder = tmp_path_factory.mktemp("screens")
    screens.prepare(folder)
    with serving(folder) as served:
        yield served


@pytest.mark.parametrize("name", first(5, screens.SCREENS))
def test_every_screen_is_for_everybody(page: Any, at: Any, faults_of: Any, name: str) -> None:
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    page.emulate_media(reduced_motion="reduce")
    screens.SCREENS[name](screens.Tour(page, at))

    assert told == []
    assert page.locator("h1").count() == 1
    page.locator("h1:focus").wait_for()
    assert page.evaluate(SMALL) == []
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate(MOVING) == []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert faults_of(page, colours=scheme == "light") == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.emulate_media(media="print")
    assert page.locator("button:visible, .button:visible, input[type=range]:visible").count() == 0


@pytest.mark.parametrize("edition", ["owner", "public"])
def test_reports_open_with_their_style(page: Any, at: Any, edition: str) -> None:
    screens.publish(screens.Tour(page, at))
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    page.goto(f"{at.url}report?edition={edition}")
    page.locator("#spoken").wait_for(state="detached", timeout=60_000)  # until it is drawn, the page says so
    assert page.locator("h1").count() == 1
    assert page.evaluate("getComputedStyle(document.body).fontFamily") != "Times New Roman"
    assert ("compression-socks" in page.content()) == (edition == "owner")
    assert told == []


def test_a_sheet_is_refused_with_fact_formats_and_hint(page: Any, at: Any) -> None:
    page.goto(at.url)
    page.set_input_files("#chosen", at.folder / "sheet.xlsx")
    page.locator(".fact").wait_for(timeout=screens.WAIT)
    said = page.inner_text(".fact")
    assert "sheet.xlsx" in said
    assert ".csv" in said
    assert "What helps" in said


def test_what_helps_is_a_button_that_says_what_it_does(page: Any, at: Any) -> None:
    tour = screens.Tour(page, at)
    tour.asks("pharmacy.toml")
    tour.at.session.change({"tolerates.identity": "1/5000"})
    tour.see("result", "h1:has-text('No safe release')")
    way = page.locator("form:has(button:has-text('tolerates.identity'))")
    way.locator(".small:has-text('Safe then')").wait_for(timeout=screens.WAIT)
    said = way.locator(".small").inner_text()
    way.locator("button").click()
    page.locator(".facts").wait_for(timeout=screens.WAIT)
    assert page.locator(".facts .big").nth(1).inner_text() in said
    assert at.session.values["tolerates"]["identity"] != "1/5000"
    assert not (at.folder / "release").exists()


def test_what_would_not_help_is_said_to_be_so(page: Any, at: Any) -> None:
    screens.no_safe_release(screens.Tour(page, at))
    way = page.locator("form:has(button:has-text('needs.columns.per_record = 2'))")
    way.locator(".small:has-text('That is not enough')").wait_for(timeout=screens.WAIT)


def test_on_phones_the_verdict_stays_in_sight(page: Any, at: Any) -> None:
    screens.question(screens.Tour(page, at))
    assert not page.locator(".bar-verdict").is_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    bar = page.locator(".bar-verdict").bounding_box()
    assert bar["y"] + bar["height"] == 844
    assert page.locator(".bar-verdict .chip:has-text('AT RISK')").is_visible()


def test_only_what_a_button_may_change_is_changed(page: Any, at: Any) -> None:
    screens.question(screens.Tour(page, at))
    before = at.session.text
    at.session.drawn("now")
    for change in ('{"release.data": "/etc/passwd"}', '{"data": 1}', "[]", "no"):
        answer = page.request.post(
            f"{at.url}change?of=now", form={"set": change}, headers={"origin": at.url.rsplit("/", 2)[0]}
        )
        assert answer.status == 400
    assert at.session.text == before


def test_more_time_is_a_way_out(page: Any, at: Any) -> None:
    screens.cannot_judge(screens.Tour(page, at))
    page.locator("h1:has-text('counts as unsafe')").wait_for()
    page.click("button:has-text('Allow 0.001 s')")
    page.wait_for_load_state()
    assert at.session.values["effort"]["seconds"] == pytest.approx(0.001)


def test_without_scripts_forms_post_and_the_page_comes_back_whole(browser: Any, at: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    let_in(page)
    tour = screens.Tour(page, at)
    tour.asks("clinic.toml")
    tour.see("data", "h1:has-text('500 records')")
    page.select_option("select[aria-label='Role of job']", "out")
    page.locator("tr:has(select[aria-label='Role of job']) button:has-text('Set')").click()
    page.locator(".gone:has-text('job')").wait_for(timeout=screens.WAIT)
    assert "job" in at.session.values["release"]["leave_out"]

    tour.asks("pharmacy.toml")
    tour.see("question", "h1:has-text('179 of 3,000')")
    page.locator("#strength-0").evaluate("one => { one.value = 2; }")
    page.click("button:text-is('Ask')")
    page.locator("h1:has-text('511 of 3,000')").wait_for(timeout=screens.WAIT)
    assert page.locator("header").count() == page.locator("footer").count() == 1
    context.close()


def test_the_verdict_is_spoken_at_most_once_a_second(page: Any, at: Any) -> None:
    screens.question(screens.Tour(page, at))
    page.evaluate(
        """() => { window.times = []; new MutationObserver(() => window.times.push(performance.now()))
        .observe(document.getElementById("spoken"), { childList: true, characterData: true, subtree: true }); }"""
    )
    page.focus("#strength-0")
    for key in ("ArrowRight", "ArrowLeft", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        page.wait_for_timeout(250)
    page.wait_for_timeout(1500)
    times = page.evaluate("window.times")
    assert times
    assert all(later - earlier >= 990 for earlier, later in pairwise(times))
