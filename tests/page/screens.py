"""Every screen of the page, and how to come to it: for tests, and for the pictures of the docs."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import giveaway as ga

EXAMPLES = Path(__file__).parents[2] / "examples"
WAIT = 40_000


def prepare(folder: Path) -> None:
    """Lay down baskets and records with their questions: also one that no release answers, and a broken file."""
    ga.write_example(folder)
    for file in ("make.py", "clinic.toml"):
        shutil.copy(EXAMPLES / "clinic" / file, folder)
    subprocess.run([sys.executable, "make.py"], cwd=folder, check=True)
    (folder / "make.py").unlink()
    text = (folder / "clinic.toml").read_text()
    (folder / "needs-four.toml").write_text(ga.edit_scenario(text, {"needs.columns.per_record": 4}))
    (folder / "pupils.csv").write_text("name,year,mark\nAda,2011,1\nBen,2012,2,3\nCid,2011,2\n")
    (folder / "sheet.xlsx").write_bytes(b"PK\x03\x04not really a sheet")


@dataclass(frozen=True)
class Tour:
    """One tab on one page that is served."""

    page: Any
    at: Any

    def begin(self, name: str) -> None:
        """Open one of the files of the folder."""
        self.page.goto(self.at.url)
        self.page.locator(f"button:has(b:text-is('{name}'))").click()
        if name.endswith(".toml"):
            self.page.wait_for_url("**/question", timeout=WAIT)
        self.page.wait_for_load_state()

    def see(self, step: str, *ready: str) -> None:
        """Go to a step, and wait until something is there."""
        self.page.goto(self.at.url + step)
        for query in ready:
            self.page.locator(query).first.wait_for(timeout=WAIT)
        self.page.wait_for_load_state()

    def asks(self, name: str) -> None:
        """Have the question of a saved file, whatever was asked before."""
        if self.at.session.file is None or self.at.session.file.name != name:
            self.begin(name)
        self.page.goto("about:blank")  # a page that stayed would be older than the question
        self.at.session.text = (self.at.folder / name).read_text()
        self.at.session.keeps = None


def start(tour: Tour) -> None:
    tour.see("", "h1:has-text('give away')")


def data(tour: Tour) -> None:
    tour.asks("clinic.toml")
    tour.see("data", "h1:has-text('500 records')", ".choices")


def data_baskets(tour: Tour) -> None:
    tour.asks("pharmacy.toml")
    tour.see("data", "h1:has-text('3,000 transactions')")


def question(tour: Tour) -> None:
    tour.asks("pharmacy.toml")
    tour.see("question", "h1:has-text('179 of 3,000')", "text=Make it safe")


def question_table(tour: Tour) -> None:
    tour.asks("clinic.toml")
    tour.see("question", "h1:has-text('393 of 500')", "text=Make it safe")


def question_two(tour: Tour) -> None:
    tour.asks("pharmacy.toml")
    known = tour.at.session.attackers
    tour.at.session.change({"knows": [*known, {"attack": "items", "at_most": 3}]})
    tour.see("question", ".people tbody tr:nth-child(2)", "text=Make it safe")


def result(tour: Tour) -> None:
    tour.asks("pharmacy.toml")
    tour.see("result", "h1:has-text('8 items are withheld')", ".pick[data-limit='1/20']")


def result_table(tour: Tour) -> None:
    tour.asks("clinic.toml")
    tour.see("result", "h1:has-text('withheld')")


def result_keep(tour: Tour) -> None:
    tour.asks("pharmacy.toml")
    tour.see("result", "h1:has-text('8 items are withheld')")
    tour.page.locator("li:has-text('test-strips') button").first.click()
    tour.page.locator("h1:has-text('Not safe')").wait_for(timeout=WAIT)


def compare(tour: Tour) -> None:
    tour.asks("pharmacy.toml")
    tour.see("result", "h1:has-text('8 items are withheld')")
    tour.at.session.change({"tolerates.identity": "1/11"})
    tour.see("result", "h1:has-text('11 items are withheld')")
    tour.see("compare", "tr.diff")


def publish(tour: Tour) -> None:
    tour.asks("pharmacy.toml")
    tour.at.session.written = None
    tour.see("publish", "text=Check and write")


def written(tour: Tour) -> None:
    publish(tour)
    shutil.rmtree(tour.at.folder / "out", ignore_errors=True)
    tour.page.fill("input[name=folder]", str(tour.at.folder / "out"))
    tour.page.click("text=Check and write")
    tour.page.locator("h1:has-text('Written, read back')").wait_for(timeout=WAIT)


def file(tour: Tour) -> None:
    tour.asks("pharmacy.toml")
    tour.see("file", "h1:has-text('file')")


def error(tour: Tour) -> None:
    tour.begin("pupils.csv")
    tour.page.locator(".fact").wait_for(timeout=WAIT)


def no_safe_release(tour: Tour) -> None:
    tour.asks("needs-four.toml")
    tour.see("result", "h1:has-text('No safe release')")


def cannot_judge(tour: Tour) -> None:
    tour.asks("clinic.toml")
    tour.at.session.change({"effort.seconds": 0.0001})
    tour.see("question", ".chip.open")


SCREENS: dict[str, Callable[[Tour], None]] = {
    "start": start,
    "data": data,
    "data-baskets": data_baskets,
    "question": question,
    "question-table": question_table,
    "question-two": question_two,
    "result": result,
    "result-table": result_table,
    "result-keep": result_keep,
    "compare": compare,
    "publish": publish,
    "written": written,
    "file": file,
    "error": error,
    "no-safe-release": no_safe_release,
    "cannot-judge": cannot_judge,
}
"""The states in which the page can be looked at, by name."""
