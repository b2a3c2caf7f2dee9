"""The path of the demo: from a dropped file to a checked release, and every figure as the command line has it."""

import json
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import giveaway as ga

WAIT = 60_000


def limited_to(identity: str, folder: Path) -> str:
    return ga.edit_scenario((folder / "pharmacy.toml").read_text(), {"tolerates.identity": identity})


def exposed_at(identity: str, folder: Path) -> str:
    found = ga.Scenario.from_text(limited_to(identity, folder), folder).assess()
    return f"{found.findings[0].risk.figures['exposed_transactions']:,} of 3,000"


def title(page: Any, words: str) -> None:
    page.locator(f"h1:has-text('{words}')").wait_for(timeout=WAIT)
    page.wait_for_load_state()  # from here on the page hears keys


def test_a_dropped_file_becomes_a_checked_release(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served()
    page.goto(at.url)
    page.set_input_files("#chosen", pharmacy / "baskets.dat")
    title(page, "3,000 transactions of 30 items")
    for item in ("antidepressant", "hiv-test", "insulin", "pregnancy-test"):
        page.get_by_label(item).check()
        page.locator(f"li.on:has-text('{item}')").wait_for(timeout=WAIT)
    page.click("text=Go on")
    title(page, "179 of 3,000")
    page.click("#remedy >> text=Make it safe", timeout=WAIT)
    title(page, "8 items are withheld")
    page.click("text=Go on to publish")
    page.fill("input[name=folder]", str(pharmacy / "out"))
    page.click("text=Check and write")
    title(page, "Written, read back and judged again: safe")

    manifest = json.loads((pharmacy / "out" / "manifest.json").read_text())
    assert manifest["verdict"] == "safe"
    assert {path.name for path in (pharmacy / "out").iterdir()} == {"manifest.json", "release.dat"}
    written = sha256((pharmacy / "out" / "release.dat").read_bytes()).hexdigest()
    assert [file["sha256"] for file in manifest["files"]] == [written]
    assert written in page.inner_text(".files")
    assert "antidepressant" not in (pharmacy / "out-public-report.html").read_text()
    assert "compression-socks" not in (pharmacy / "out" / "release.dat").read_text()


def test_figures_are_those_of_the_scenario_that_is_saved(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}result")
    title(page, "8 items are withheld")
    page.goto(f"{at.url}file")
    page.fill("input[name=name]", "saved.toml")
    page.click("button:text-is('Save')")
    command = [sys.executable, "-m", "giveaway", "protect", "saved.toml", "-o", "out", "--json", "out.json"]
    done = subprocess.run(command, cwd=pharmacy, check=False, capture_output=True)

    assert done.returncode == 0
    assert (pharmacy / "saved.toml").read_text() == (pharmacy / "pharmacy.toml").read_text()
    told = ga.sentences(json.loads((pharmacy / "out.json").read_text()))
    page.goto(f"{at.url}result")
    for fact in told["facts"]:
        page.locator(f".facts :text-is('{fact['head']}')").wait_for(timeout=WAIT)


def test_a_slider_is_moved_by_keys_and_keeps_the_focus(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    page.goto(f"{served('pharmacy.toml').url}question")
    title(page, "179 of 3,000")
    page.focus("#strength-0")
    page.keyboard.press("ArrowRight")
    title(page, "511 of 3,000")
    page.locator("#says-0:has-text('any three items')").wait_for()

    assert page.locator("#strength-0:focus").count() == 1
    page.keyboard.press("Control+z")
    title(page, "179 of 3,000")
    page.locator("h1:focus").wait_for()  # from here on the page hears keys
    page.keyboard.press("Control+Shift+Z")
    title(page, "511 of 3,000")


def test_many_moves_end_on_the_last(page: Any, served: Callable[..., Any], pharmacy: Path) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}question")
    title(page, "179 of 3,000")
    page.focus("#limit-identity")
    for _ in range(15):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    page.locator("#limit-says-identity:has-text('among at least 20')").wait_for()
    title(page, exposed_at("1/20", pharmacy))
    assert at.session.text == limited_to("1/20", pharmacy)


def test_the_limit_is_dragged_on_the_chart(page: Any, served: Callable[..., Any], pharmacy: Path) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}question")
    title(page, "179 of 3,000")
    page.focus("[data-grip=identity]")
    page.keyboard.press("ArrowRight")
    page.locator("#limit-says-identity:has-text('among at least four')").wait_for(timeout=WAIT)
    title(page, exposed_at("1/4", pharmacy))  # the chart is drawn again, and can be dragged
    box = page.locator("[data-grip=identity]").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"], steps=8)
    page.mouse.up()
    page.locator("#limit-says-identity:has-text('among at least two')").wait_for(timeout=WAIT)
    title(page, exposed_at("1/2", pharmacy))  # the words follow the mouse, the answer comes from the server
    assert at.session.limit("identity") == "1/2"


def test_a_level_of_safety_is_chosen_and_an_item_kept_after_all(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}result")
    title(page, "8 items are withheld")
    page.locator("li:has-text('test-strips') button").click()
    title(page, "Not safe after withholding")
    page.locator(".cons:has-text('42 of 3,000')").wait_for(timeout=WAIT)
    assert page.locator("button:text-is('Go on to publish')").is_disabled()
    page.click("text=Withhold it again")
    title(page, "8 items are withheld")
    page.locator(".pick[data-limit='1/11']").click(timeout=WAIT)
    title(page, "11 items are withheld")
    page.locator(".facts :text('84.8')").first.wait_for()
    page.click("text=Compare what you tried")
    title(page, "B keeps 96.2")
    differ = page.locator("tr.diff th").all_inner_texts()
    assert {name.removeprefix("≠ ") for name in differ} == {
        "Tolerated",
        "As planned",
        "You keep",
        "You withhold",
        "Withheld here only",
        "It breaks when",
    } - {name for name in ("It breaks when",) if name not in " ".join(differ)}
    page.click("text=Use B")
    title(page, "8 items are withheld")
    assert at.session.limit("identity") == "1/5"
    page.click("#undo")
    title(page, "11 items are withheld")
    assert at.session.limit("identity") == "1/11"


def test_two_people_are_judged_each(page: Any, served: Callable[..., Any], pharmacy: Path) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}question")
    title(page, "179 of 3,000")
    page.click("text=Add somebody who knows items")
    page.focus("#strength-1")
    page.keyboard.press("End")
    page.locator(".people tbody tr").nth(1).wait_for(timeout=WAIT)
    assert page.locator(".people tbody tr").count() == len(at.session.attackers) == 2
    found = ga.Scenario.from_text(at.session.text, pharmacy).assess()
    for finding in found.findings:
        exposed = finding.risk.figures["exposed_transactions"]
        page.locator(f".people td:has-text('{exposed:,}')").first.wait_for(timeout=WAIT)
    page.click("text=Leave out number 2")
    title(page, "179 of 3,000")


def test_what_would_be_replaced_is_asked_about(page: Any, served: Callable[..., Any], pharmacy: Path) -> None:
    (pharmacy / "out").mkdir()
    (pharmacy / "out" / "mine.txt").write_text("keep me")
    at = served("pharmacy.toml")
    page.goto(f"{at.url}publish")
    page.fill("input[name=folder]", str(pharmacy / "out"))
    page.click("text=Check and write")
    page.locator(".fact").wait_for(timeout=WAIT)
    assert [path.name for path in (pharmacy / "out").iterdir()] == ["mine.txt"]


def test_a_release_is_not_replaced_by_another_one_of_the_same_data(
    page: Any, served: Callable[..., Any], pharmacy: Path
) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}publish")
    page.click("text=Check and write", timeout=WAIT)
    title(page, "Written, read back")
    before = (pharmacy / "release" / "manifest.json").stat().st_mtime_ns
    at.session.change({"tolerates.identity": "1/11"})
    page.goto(f"{at.url}publish")
    page.click("text=Check and write", timeout=WAIT)
    page.locator(".fact").wait_for(timeout=WAIT)
    assert (pharmacy / "release" / "manifest.json").stat().st_mtime_ns == before
    page.get_by_label("Replace what is there").check()
    page.click("text=Check and write")
    page.locator(".fact:has-text('a release of the same data')").wait_for(timeout=WAIT)
    assert (pharmacy / "release" / "manifest.json").stat().st_mtime_ns == before


def test_the_command_that_is_shown_ends_with_0(page: Any, served: Callable[..., Any], pharmacy: Path) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}publish")
    shown = page.locator("pre").inner_text(timeout=WAIT).split()
    done = subprocess.run([sys.executable, "-m", *shown], cwd=pharmacy, check=False, capture_output=True)
    assert shown[0] == "giveaway"
    assert done.returncode == 0
    assert (pharmacy / "release" / "manifest.json").is_file()


def test_nothing_is_lost_on_reload(page: Any, served: Callable[..., Any], pharmacy: Path) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}question")
    title(page, "179 of 3,000")
    page.focus("#strength-0")
    page.keyboard.press("ArrowLeft")
    title(page, "123 of 3,000")
    page.goto(f"{at.url}question")
    title(page, "123 of 3,000")
    assert page.input_value("#strength-0") == "0"


def test_data_that_change_are_measured_again(page: Any, served: Callable[..., Any], pharmacy: Path) -> None:
    at = served("pharmacy.toml")
    page.goto(f"{at.url}question")
    title(page, "179 of 3,000")
    lines = (pharmacy / "baskets.dat").read_text().splitlines()
    (pharmacy / "baskets.dat").write_text("\n".join(lines[:2000]) + "\n")
    found = ga.Scenario.from_text(at.session.text, pharmacy).assess()
    page.goto(f"{at.url}question")
    title(page, f"{found.findings[0].risk.figures['exposed_transactions']:,} of 2,000")
