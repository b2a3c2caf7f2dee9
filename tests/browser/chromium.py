"""Chromium of the system, without a window."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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
