"""The server of the page: it draws, and asks the worker whatever takes time."""

import asyncio
import contextlib
import os
import socket
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

import giveaway as ga
from giveaway.page import addresses
from giveaway.page.engine import Engine
from giveaway.page.entrance import Entrance
from giveaway.page.guard import Guard
from giveaway.page.session import Session
from giveaway.page.steps import start
from giveaway.scratch import scratch_folder

_ALONE = 180.0
"""Seconds after the last word of a page, before the server ends by itself: tabs that nobody looks at speak once a minute."""


def serve(
    subject: Path | None, folders: Sequence[Path], *, port: int, browser: bool, say: Callable[[str], None]
) -> None:
    """Serve the page on this computer alone, until it is closed."""
    listening = socket.socket()
    if os.name == "posix":  # elsewhere it would let another program take the port as well
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        listening.close()
        raise ga.ScenarioError(
            f"--port {port} cannot be used: {error.strerror}.", hint="name another, or leave it out."
        ) from None
    listening.listen()  # so that a browser that is quicker than the server waits for it
    here = Path.cwd() if subject is None else subject.resolve().parent
    with scratch_folder() as scratch:
        entrance = Entrance(listening.getsockname()[1], scratch, say)
        session = Session(roots=(here, *folders), uploads=scratch / "dropped")
        session.uploads.mkdir(mode=0o700)
        config = uvicorn.Config(
            app := application(session, entrance, begin=subject),
            log_level="critical",
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        app.state.end = lambda: setattr(server, "should_exit", True)
        say(
            f"The page is at {entrance.show()}\n"
            "This lets one browser in, once. The page ends three minutes after it is closed; Ctrl-C ends it now."
        )
        if browser:
            way = entrance.file().as_uri()
            threading.Thread(
                target=webbrowser.open, args=(way,), daemon=True
            ).start()  # some wait for its end
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


def application(
    session: Session, entrance: Entrance, *, begin: Path | None = None, alone: float = _ALONE
) -> Starlette:
    """Make the application of one page."""

    @contextlib.asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        app.state.engine = Engine(session.folders)
        app.state.heard = time.monotonic()
        if begin is not None:
            start.open_file(session, app.state.engine, begin)
        watching = asyncio.create_task(_watch(app, alone))
        yield
        watching.cancel()
        app.state.engine.close()

    app = Starlette(lifespan=running, exception_handlers={ga.GiveawayError: _wrong})
    app.state.session = session
    app.state.end = lambda: None
    static = StaticFiles(directory=Path(__file__).parent / "static")
    app.mount(f"/{entrance.place}/static", static)
    addresses.add(app, f"/{entrance.place}")
    app.add_middleware(Guard, entrance=entrance)
    return app


async def _wrong(_request: Request, error: Exception) -> Response:
    """Say what is wrong with a request that changed nothing."""
    return PlainTextResponse(str(error), 400)


async def _watch(app: Starlette, alone: float) -> None:
    """End the server some time after no page has been heard of any more."""
    while True:
        await asyncio.sleep(1)
        if time.monotonic() - app.state.heard > alone:
            app.state.end()
