"""Measure the page in a browser: `python -m benchmarks.page [--only NAME...] [--data FOLDER]`.

From moving a slider to the painted answer, and from pressing Stop to free controls, by the clock of the page. Writes
results.md and results.json beside this file; everything else goes into a folder for temporary files. Needs Chromium.
"""

import argparse
import json
import os
import random
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.page.data import DATA, Data
from benchmarks.page.writing import markdown
from benchmarks.shared import machine
from tests.browser import chromium
from tests.page.conftest import let_in, serving

HERE = Path(__file__).parent
WAIT = 600_000
STOPS = 5
PAUSES = random.Random(7)
Found = dict[str, Any]

MOVE = """([id, value]) => new Promise((done) => {
  const slider = document.getElementById(id), answer = document.getElementById("answer"), started = performance.now();
  let progress = null;
  const look = (event) => {
    if (event.detail.target.id !== "answer") return;
    progress ??= performance.now() - started;
    if (answer.querySelector(".busy")) return;
    document.removeEventListener("htmx:afterSettle", look);
    requestAnimationFrame(() => requestAnimationFrame(() => done({ seen: progress, painted: performance.now() - started })));
  };
  document.addEventListener("htmx:afterSettle", look);
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  slider.dispatchEvent(new Event("change", { bubbles: true }));
})"""
BEGIN = """([id, value]) => new Promise((done) => {
  const slider = document.getElementById(id), answer = document.getElementById("answer"), started = performance.now();
  const look = () => {
    if (!answer.querySelector(".busy")) return;
    document.removeEventListener("htmx:afterSettle", look);
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - started)));
  };
  document.addEventListener("htmx:afterSettle", look);
  slider.value = value;
  slider.dispatchEvent(new Event("change", { bubbles: true }));
})"""
NOW = "performance.timeOrigin + performance.now()"


def main() -> None:
    names = [one.name for one in DATA]
    parser = argparse.ArgumentParser(prog="benchmarks.page", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="what to measure")
    parser.add_argument(
        "--data", type=Path, default=Path("../shared/data"), help="folder of the papers' data"
    )
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    found = []
    with chromium.started() as browser:
        for one in DATA:
            if one.name not in given.only:
                continue
            with tempfile.TemporaryDirectory(prefix="giveaway-bench-") as name:
                if not one.put(Path(name), given.data):
                    print(f"{one.name}: its data are not in {given.data}", flush=True)
                    continue
                found.append(measured(browser, one, Path(name)))
                print(json.dumps(found[-1]), flush=True)
    results = {
        "machine": machine("starlette", "uvicorn", "playwright"),
        "quick": given.only != names,
        "load": round(load, 1),
        "browser": browser_version(),
        "data": found,
    }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")


def browser_version() -> str:
    """Say which browser looked at the page."""
    with chromium.started() as browser:
        return str(browser.version)


def measured(browser: Any, one: Data, folder: Path) -> Found:
    """Measure one page: its first answer, its sliders, and Stop where it is slow."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    let_in(tab)
    with serving(folder, "question.toml") as at:
        started = tab.evaluate(NOW)
        tab.goto(f"{at.url}question")
        tab.locator("#answer .chip").first.wait_for(timeout=WAIT)
        first = tab.evaluate(NOW) - started
        tab.wait_for_load_state()
        found: Found = {"name": one.name, "about": one.about, "first": first / 1000}
        if one.slow:
            return found | {"stops": [stopped(tab, place) for place in range(STOPS)]}
        settle(tab)
        new = [moved(tab, at, *move) for move in moves(tab)]
        again = [moved(tab, at, *move) for move in moves(tab)]
        tab.close()
        return found | {"new": summed(new), "again": summed(again)}


def moves(tab: Any) -> Iterator[tuple[str, int]]:
    """Give every place of the slider of the limit once, in an order of its own, for two strengths where there are some."""
    drawn = random.Random(20)  # an order, no secret
    for strength in (1, 0) if tab.locator("#strength-0").count() else (None,):
        if strength is not None:
            yield "strength-0", strength
        places = list(range(int(tab.locator("#limit-identity").get_attribute("max")) + 1))
        drawn.shuffle(places)
        yield from (("limit-identity", place) for place in places)


def moved(tab: Any, at: Any, slider: str, place: int) -> Found | None:
    """Move a slider and wait for its answer; None where it stands there already."""
    if tab.input_value(f"#{slider}") == str(place):
        return None
    times = tab.evaluate(MOVE, [slider, place])
    settle(tab)
    return {**times, "measuring": 1000 * at.session.shown[1]["seconds"]}


def settle(tab: Any) -> None:
    """Wait as somebody does who reads: sometimes what the page tries by itself is done by then, sometimes not."""
    tab.wait_for_timeout(PAUSES.uniform(200, 2500))


def stopped(tab: Any, place: int) -> Found:
    """Ask something slow, wait for progress, press Stop, and wait until the last answer stands again."""
    progress = tab.evaluate(BEGIN, ["limit-identity", place if place < STOPS - 2 else place + 2])
    tab.wait_for_timeout(300 + 400 * place)
    if not tab.locator("#answer .busy").count():
        return {"progress": progress, "stop": None}
    started = tab.evaluate(NOW)
    tab.click("button:text-is('Stop')")
    tab.locator("#answer:not(:has(.busy)) .chip").first.wait_for(timeout=WAIT)
    taken = tab.evaluate(NOW) - started
    tab.wait_for_load_state()
    return {"progress": progress, "stop": taken}


def summed(times: list[Found | None]) -> Found:
    """Return median, 90 % and worst of what was measured."""
    found = [one for one in times if one is not None]
    painted = sorted(one["painted"] for one in found)
    return {
        "moves": len(found),
        "median": statistics.median(painted),
        "ninety": statistics.quantiles(painted, n=10, method="inclusive")[-1],
        "worst": painted[-1],
        "measuring": statistics.median(one["measuring"] for one in found),
    }


if __name__ == "__main__":
    main()
