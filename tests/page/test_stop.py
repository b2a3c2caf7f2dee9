"""Stop, and whatever takes long: progress is shown, the last answer stands, and nothing has to be waited for."""

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.page.screens import WAIT

import giveaway as ga

QUESTION = """
[release]
data = "slow.dat"

[[knows]]
attack = "items"
at_most = 1

[tolerates]
identity = "1/5"
"""
SOON = 10
"""Seconds: far less than the search takes, far more than ending it does; benchmarks/page has that by the clock."""
BUSY = "#answer .busy, #main .busy"


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """Baskets of which one known item is measured at once, and four take minutes, with seconds between two words."""
    drawn = random.Random(5)  # noqa: S311 # made-up data
    rows = (drawn.sample(range(200), 60) for _ in range(300))
    (tmp_path / "slow.dat").write_text("".join(" ".join(f"i{item}" for item in row) + "\n" for row in rows))
    (tmp_path / "slow.toml").write_text(QUESTION)
    return tmp_path


def stop(page: Any) -> float:
    """Press Stop, wait until nothing is under way, and return the seconds by the clock of the page."""
    started = page.evaluate("performance.timeOrigin + performance.now()")
    page.click("button:text-is('Stop')")
    page.locator("h1").first.wait_for()
    page.locator(BUSY).wait_for(state="detached", timeout=WAIT)
    taken = page.evaluate("performance.timeOrigin + performance.now()") - started
    page.wait_for_load_state()
    return float(taken) / 1000


def test_a_slow_question_is_stopped_and_the_last_answer_stands(
    page: Any, served: Callable[..., Any], slow: Path
) -> None:
    at = served("slow.toml")
    page.goto(f"{at.url}question")
    page.locator("#answer .chip").first.wait_for(timeout=WAIT)
    first, question = page.inner_text("h1"), at.session.text
    page.focus("#strength-0")
    page.keyboard.press("End")
    page.locator(BUSY).wait_for(timeout=WAIT)
    assert page.locator(".stale").count() == 1
    assert page.inner_text("h1") == first
    assert ga.Scenario.from_text(at.session.text, slow).attackers[0].at_most == 4
    page.wait_for_timeout(1000)  # so that it is in the middle of its work

    assert stop(page) < SOON
    assert page.inner_text("h1") == first
    assert page.locator(".stale").count() == 0
    assert page.input_value("#strength-0") == "0"
    assert at.session.text == question

    page.keyboard.press("Control+Shift+Z")  # it was a step, and can be taken again
    page.locator(BUSY).wait_for(timeout=WAIT)
    page.wait_for_load_state()
    page.focus("#strength-0")
    page.keyboard.press("Home")  # asked before, so nothing has to be waited for
    page.locator("#answer:not(:has(.busy)) .chip").first.wait_for()
    assert at.session.text == question


def test_the_first_measurement_is_stopped_and_not_begun_again_by_itself(
    page: Any, served: Callable[..., Any], slow: Path
) -> None:
    (slow / "slow.toml").write_text(ga.edit_scenario(QUESTION, {"knows.0.at_most": 4}))
    at = served("slow.toml")
    page.goto(f"{at.url}question")
    page.locator("#answer .busy").wait_for(timeout=WAIT)
    stop(page)
    assert page.inner_text("h1") == "Stopped."
    page.wait_for_timeout(700)
    assert page.locator(BUSY).count() == 0
    page.click("text=Measure again")
    page.locator(BUSY).wait_for(timeout=WAIT)


def test_looking_for_what_to_withhold_is_stopped(page: Any, served: Callable[..., Any], slow: Path) -> None:
    (slow / "slow.toml").write_text(ga.edit_scenario(QUESTION, {"knows.0.at_most": 4}))
    at = served("slow.toml")
    page.goto(f"{at.url}result")
    page.locator("h1:has-text('Looking for')").wait_for(timeout=WAIT)
    stop(page)
    assert page.inner_text("h1") == "Stopped."
    page.goto(f"{at.url}publish")
    page.locator("h1:has-text('Looking for')").wait_for(timeout=WAIT)
    stop(page)
    assert page.inner_text("h1") == "There is nothing to publish yet."


def test_a_worker_that_does_not_hear_is_ended_whatever_it_does(
    page: Any, served: Callable[..., Any], slow: Path
) -> None:
    at = served()
    page.goto(at.url)
    deaf = at.engine.worker
    os.kill(deaf, signal.SIGSTOP)
    page.set_input_files("#chosen", slow / "slow.dat")
    page.locator("h1:has-text('Reading slow.dat')").wait_for(timeout=WAIT)
    assert stop(page) < SOON
    page.locator("h1:has-text('give away')").wait_for(timeout=WAIT)
    assert not at.session.is_open
    assert at.engine.worker != deaf

    page.click("text=slow.toml")
    page.locator("#answer .chip").first.wait_for(timeout=WAIT)
    deaf = at.engine.worker
    os.kill(deaf, signal.SIGSTOP)
    page.goto(f"{at.url}data")
    page.locator("h1:has-text('Counting slow.dat')").wait_for(timeout=WAIT)
    assert stop(page) < SOON
    assert at.engine.worker != deaf


def test_a_worker_that_ends_by_itself_has_judged_nothing(
    page: Any, served: Callable[..., Any], slow: Path
) -> None:
    at = served("slow.toml")
    page.goto(f"{at.url}question")
    page.locator("#answer .chip").first.wait_for(timeout=WAIT)
    page.focus("#strength-0")
    page.keyboard.press("End")
    page.locator(BUSY).wait_for(timeout=WAIT)
    os.kill(at.engine.worker, signal.SIGKILL)
    page.locator(".fact:has-text('ended by itself')").wait_for(timeout=WAIT)
    page.locator(".chip:has-text('CANNOT JUDGE')").first.wait_for()


@pytest.mark.parametrize(("crowd", "verdict"), [(5, "CANNOT JUDGE"), (200, "AT RISK")])
def test_somebody_who_was_not_measured_is_never_called_safe(
    page: Any, served: Callable[..., Any], slow: Path, crowd: int, verdict: str
) -> None:
    known = [
        {"attack": "items", "at_most": 1, "tolerates": {"identity": f"1/{crowd}"}},
        {"attack": "items", "at_most": 4},
    ]
    (slow / "slow.toml").write_text(ga.edit_scenario(QUESTION, {"knows": known, "effort.seconds": 2}))
    at = served("slow.toml")
    page.goto(f"{at.url}question")
    page.locator(f"#answer .chips .chip:has-text('{verdict}')").wait_for(timeout=WAIT)
    page.locator(".people .chip:has-text('CANNOT JUDGE')").wait_for()
    page.goto(f"{at.url}publish")
    page.locator("h1:has-text('nothing to publish')").wait_for(timeout=WAIT)
