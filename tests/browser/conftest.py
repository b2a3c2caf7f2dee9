"""One Chromium of the system for all tests that look at pages, left out where it cannot be had.

`browser` is started once; `page` is an empty tab that may ask nothing outside this machine. What cannot be had is told in
one line at the end.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.browser import chromium

HERE = ("127.0.0.1", "localhost", None)

_absent: list[str] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, so that it runs in one process and Chromium starts once."""
    folder = Path(__file__).parent
    for item in items:
        if folder in item.path.parents:
            item.add_marker("browser")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell in one line that no page was looked at, and why."""
    if _absent:
        terminalreporter.write_line(f"pages not looked at in a browser here: {_absent[0]}")


def _skip(why: str) -> None:
    _absent.append(why)
    pytest.skip(why)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    try:
        with chromium.shared() as running:
            yield running
    except chromium.Absent as absent:
        _skip(str(absent))


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """An empty tab of 1280 px; a test fails when its page asks anything of another machine, or logs an error."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    asked: list[str] = []
    errors: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    tab.close()
    assert [url for url in asked if urlsplit(url).hostname not in HERE] == []
    assert errors == []


@pytest.fixture
def faults_of() -> Any:
    """What axe-core finds in a tab, moderate and worse, one line each; or of its colours alone, where they have changed."""
    if find_spec("axe_playwright_python") is None:
        _skip("axe-core is not installed")
    from axe_playwright_python.sync_playwright import Axe

    def found(tab: Any, *, colours: bool = False) -> list[str]:
        only = {"runOnly": ["color-contrast", "link-in-text-block"]} if colours else {}
        told = Axe().run(tab, options={"resultTypes": ["violations"], **only}).response["violations"]
        return [
            f"{fault['id']} ({fault['impact']}): {fault['nodes'][0]['html'][:200]}"
            for fault in told
            if fault["impact"] in {"moderate", "serious", "critical"}
        ]

    return found
