"""Chromium of the system, without a window."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


class Absent(Exception):
    """Chromium, or what drives it, is not installed."""


@contextmanager
def started() -> Iterator[Any]:
    """Start Chromium, and stop it in the end."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise Absent("Chromium is not installed")
    if find_spec("playwright") is None:
        raise Absent("Playwright is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=_FLAGS)
        yield browser
        browser.close()


_SHARED = ExitStack()
_users: list[Any] = []


@contextmanager
def shared() -> Iterator[Any]:
    """Give the one Chromium of this process, started for the first who asks and stopped after the last: it can have only one."""
    browser = _users[0] if _users else _SHARED.enter_context(started())
    _users.append(browser)
    try:
        yield browser
    finally:
        _users.pop()
        if not _users:
            _SHARED.close()
