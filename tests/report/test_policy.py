"""Pages tell the browser to run nothing and to fetch nothing."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.report import samples
from tests.report.reading import Page
from tests.sizes import first

from giveaway.report.html import document

PAGES = {
    "owner": lambda: document.render(samples.protected()),
    "public": lambda: document.render(samples.protected(), edition="public"),
}
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">\n')
INJECTED = """
<script>document.title = "a script ran"</script>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload="document.title = 'a picture ran'">
<svg onload="document.title = 'a drawing ran'"></svg>
"""

chromium = pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_forbids_scripts_and_requests_before_anything_else(name: str) -> None:
    page = PAGES[name]()

    (policy,) = POLICY.findall(page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert page.index("Content-Security-Policy") < page.index("<style>")
    Page(page)


@chromium
@pytest.mark.parametrize("name", first(1, PAGES))
def test_a_browser_runs_no_script_that_got_into_a_page(name: str, tmp_path: Path) -> None:
    page = PAGES[name]().replace("<main", INJECTED + "<main")
    bare = POLICY.sub("", page)
    assert bare != page

    assert title_in_browser(bare, tmp_path) in ("a script ran", "a picture ran", "a drawing ran")
    assert title_in_browser(page, tmp_path) == re.search("<title>(.*)</title>", page)[1]


@chromium
@pytest.mark.parametrize("name", first(1, PAGES))
def test_a_page_looks_the_same_with_and_without_the_policy(name: str, tmp_path: Path) -> None:
    page = PAGES[name]()

    assert picture_in_browser(page, tmp_path) == picture_in_browser(POLICY.sub("", page), tmp_path)


def title_in_browser(page: str, folder: Path) -> str:
    shown = browse(page, folder, "--dump-dom").stdout
    return re.search("<title>(.*)</title>", shown)[1]


def picture_in_browser(page: str, folder: Path) -> bytes:
    browse(page, folder, f"--screenshot={folder / 'page.png'}", "--window-size=1200,4000")
    return (folder / "page.png").read_bytes()


def browse(page: str, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    quiet = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
    alone = ("--disable-background-networking", "--disable-component-update", "--disable-sync")
    return subprocess.run(
        ["chromium", *quiet, *alone, f"--user-data-dir={folder / 'profile'}", *words, file.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
