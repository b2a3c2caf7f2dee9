"""A page of its own for each test, served on this machine and looked at in Chromium."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.browser.conftest import browser, faults_of
from tests.browser.conftest import page as empty

import giveaway as ga
from giveaway.page.entrance import COOKIE

__all__ = ["browser", "empty", "faults_of"]

PLACE = "a-place-that-nobody-guesses"
SECRET = "a-cookie-that-nobody-guesses"  # noqa: S105 # of a server that ends with its test


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, so that it runs in one process and Chromium starts once."""
    folder = Path(__file__).parent
    for item in items:
        if folder in item.path.parents:
            item.add_marker("browser")


@pytest.fixture
def page(empty: Any) -> Any:
    """An empty tab of a browser that was let in."""
    let_in(empty)
    return empty


def let_in(tab: Any) -> None:
    """Give the browser of a tab what it has once it was let in."""
    cookie = {"name": COOKIE, "value": SECRET, "domain": "127.0.0.1", "path": f"/{PLACE}/"}
    tab.context.add_cookies([cookie | {"httpOnly": True, "sameSite": "Strict"}])


@dataclass
class Served:
    """A page that is being served."""

    url: str
    port: int
    app: Any
    folder: Path

    @property
    def session(self) -> Any:
        """What the page is about."""
        return self.app.state.session

    @property
    def engine(self) -> Any:
        """The questions and the process that answers them."""
        return self.app.state.engine


@contextmanager
def serving(folder: Path, begin: str | None = None) -> Iterator[Served]:
    """Serve a page for the files in a folder, as long as the context lasts."""
    uvicorn = pytest.importorskip("uvicorn", reason="the extra page is not installed")
    from giveaway.page.entrance import Entrance
    from giveaway.page.server import application
    from giveaway.page.session import Session

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    with TemporaryDirectory() as uploads:
        session = Session(roots=(folder,), uploads=Path(uploads))
        app = application(
            session,
            Entrance(port, place=PLACE, secret=SECRET),
            begin=None if begin is None else folder / begin,
        )
        server = uvicorn.Server(
            uvicorn.Config(
                app, log_level="critical", access_log=False, lifespan="on", timeout_graceful_shutdown=1
            )
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield Served(f"http://127.0.0.1:{port}/{PLACE}/", port, app, folder)
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Serve pages for files in a folder of the test; each is ended with it."""
    with ExitStack() as running:
        yield lambda begin=None, folder=tmp_path: running.enter_context(serving(folder, begin))


@pytest.fixture
def pharmacy(tmp_path: Path) -> Path:
    """A folder with the made-up baskets of the demo and their scenario."""
    ga.write_example(tmp_path)
    return tmp_path
