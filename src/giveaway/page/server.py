"""The server of the page: it draws, and asks the worker whatever takes time."""

import asyncio
import contextlib
import secrets
import shutil
import socket
import tempfile
import time
import webbrowser
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.staticfiles import StaticFiles

from giveaway.page import addresses
from giveaway.page.engine import Engine
from giveaway.page.guard import Guard
from giveaway.page.session import Session
from giveaway.page.steps import start

_ALONE = 60.0
"""Seconds after the last word of a page, before the server ends by itself."""


def serve(
    subject: Path | None, folders: Sequence[Path], *, port: int, browser: bool, say: Callable[[str], None]
) -> None:
    """Serve the page on this computer alone, until it is closed."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen()  # so that a browser that is quicker than the server waits for it
    token, port = secrets.token_urlsafe(24), listening.getsockname()[1]
    address = f"http://127.0.0.1:{port}/{token}/"
    here = Path.cwd() if subject is None else subject.resolve().parent
    with tempfile.TemporaryDirectory(prefix="giveaway-page-") as uploads:
        session = Session(roots=(here, *folders), uploads=Path(uploads))
        made = application(session, token=token, port=port, begin=subject)
        config = uvicorn.Config(
            made,
            log_level="critical",
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        made.state.end = lambda: setattr(server, "should_exit", True)
        say(f"The page is at {address}\nIt ends a minute after it is closed; Ctrl-C ends it now.")
        if browser:
            webbrowser.open(address)
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
        shutil.rmtree(uploads, ignore_errors=True)


def application(
    session: Session, *, token: str, port: int, begin: Path | None = None, alone: float = _ALONE
) -> Starlette:
    """Make the application of one page."""

    @contextlib.asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        app.state.engine = Engine()
        app.state.heard = time.monotonic()
        if begin is not None:
            start.open_file(session, app.state.engine, begin)
        watching = asyncio.create_task(_watch(app, alone))
        yield
        watching.cancel()
        app.state.engine.close()

    app = Starlette(lifespan=running)
    app.state.session = session
    app.state.end = lambda: None
    static = StaticFiles(directory=Path(__file__).parent / "static")
    app.mount(f"/{token}/static", static)
    addresses.add(app, f"/{token}")
    app.add_middleware(Guard, token=token, port=port)
    return app


async def _watch(app: Starlette, alone: float) -> None:
    """End the server some time after no page has been heard of any more."""
    while True:
        await asyncio.sleep(1)
        if time.monotonic() - app.state.heard > alone:
            app.state.end()
