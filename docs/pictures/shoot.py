"""Take the pictures of reports in the documentation: `python docs/pictures/shoot.py` writes them into docs/images.

The reports are those that the tutorials write, whose own examples are run here, and those of the examples.
Needs Chromium and the extra browser.
"""

import base64
import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
sys.path[:0] = [str(ROOT)]

from tests.docs.pages import blocks  # noqa: E402

import giveaway as ga  # noqa: E402

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_AS_WEBP = """async png => {
  const image = new Image(); image.src = 'data:image/png;base64,' + png; await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width; canvas.height = image.height;
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 0.8).split(',')[1];
}"""


@dataclass(frozen=True, kw_only=True)
class Shot:
    """A part of a report: from the top of `part` to at most `height`, or to the end of `until`."""

    name: str
    report: str
    part: str = "body"
    height: int = 640
    width: int = 960
    until: str = ""


SECTION = "section.attacker"
TABLE = ".overview"
SHOTS = [
    Shot(name="report", report="giveaway-demo/owner-report.html", height=1020, width=1136),
    Shot(name="tutorial-as-planned", report="as-planned.html", until=TABLE),
    Shot(name="tutorial-after", report="owner-report.html", until=TABLE),
    Shot(name="tutorial-breaks", report="owner-report.html", part=".charts", height=420),
    Shot(name="tutorial-rows-as-planned", report="trial-planned.html", until=TABLE),
    Shot(name="tutorial-rows-after", report="trial.html", until=TABLE),
    Shot(name="tutorial-rules-as-planned", report="rules-planned.html", until=TABLE),
    Shot(name="tutorial-rules-after", report="rules.html", until=TABLE),
    Shot(name="public-edition", report="public-report.html", height=900, width=1100),
    Shot(name="section-items", report="giveaway-demo/owner-report.html", part=SECTION),
    Shot(name="section-frequencies", report="codes.html", part=SECTION),
    Shot(name="charts-frequencies", report="codes.html", part=".charts", height=420),
    Shot(name="section-profiles", report="rules.html", part=SECTION),
    Shot(name="section-attributes", report="teachers.html", part=SECTION),
    Shot(name="section-directory", report="clinic.html", part=SECTION),
]


def run_tutorial(page: str) -> None:
    """Run the examples of a page, in this folder and in their order."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(ROOT / "docs" / page):
        if block.language == "python":
            with contextlib.redirect_stdout(None):
                exec(block.text, names)  # noqa: S102 # the examples are ours
        elif block.language == "console":
            for line in block.text.splitlines():
                if line.startswith(("$ giveaway ", "$ python ")):
                    run(shlex.split(line[2:], comments=True))


def run(command: list[str]) -> None:
    """Run giveaway or a script quietly; at risk is an answer too."""
    module = ["-c", "from giveaway.cli import main; main()"] if command[0] == "giveaway" else []
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(  # noqa: S603 # the examples are ours
        [sys.executable, *module, *command[1:]], capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout + done.stderr)


def make_reports() -> None:
    """Write every report that is pictured into this folder."""
    shutil.copytree(ROOT / "examples", "examples")
    for page in ("tutorial.md", "tutorial-rows.md", "tutorial-rules.md"):
        run_tutorial(page)
    for example in ("teachers", "clinic"):
        run(["python", f"examples/{example}/make.py"])
        run(
            [
                "giveaway",
                "protect",
                f"examples/{example}/{example}.toml",
                "-o",
                example,
                "--html",
                f"{example}.html",
            ]
        )
    baskets = ga.Release(ga.read_transactions("giveaway-demo/baskets.dat"))
    ga.protect(baskets, ga.KnowsFrequencies(), ga.Tolerance(average="1/4")).to_html("codes.html")


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """Start Chromium without a window."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, CHROMIUM)))
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


def take(shot: Shot, chromium: Any) -> bytes:
    """Return one picture as WebP, which Chromium itself encodes."""
    tab = chromium.new_page(viewport={"width": shot.width, "height": 900}, device_scale_factor=1.5)
    tab.goto(Path(shot.report).absolute().as_uri())
    place = tab.locator(shot.part).first.bounding_box()
    height = min(shot.height, place["height"])
    if shot.until:
        end = tab.locator(shot.until).first.bounding_box()
        height = end["y"] + end["height"] + 2 - place["y"]
    clip = {"x": 0, "y": place["y"], "width": shot.width, "height": height}
    webp = as_webp(tab, tab.screenshot(full_page=True, clip=clip))
    tab.close()
    return webp


def as_webp(tab: Any, png: bytes) -> bytes:
    """Return a picture as WebP; the tab is empty afterwards."""
    tab.goto("about:blank")  # a report allows no pictures but its own
    return base64.b64decode(tab.evaluate(_AS_WEBP, base64.b64encode(png).decode()))


def main() -> None:
    """Make the reports in a temporary folder and write all pictures."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        make_reports()
        with browser() as chromium:
            for shot in SHOTS:
                file = IMAGES / f"{shot.name}.webp"
                file.write_bytes(take(shot, chromium))
                print(f"images/{file.name}  {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
