"""The server of the page: its addresses, all below one prefix, and how it asks the worker whatever takes time."""

import asyncio
import contextlib
import os
import socket
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

import giveaway as ga
from giveaway.page.engine import Engine
from giveaway.page.entrance import Entrance
from giveaway.page.guard import Guard
from giveaway.page.page import Page
from giveaway.page.session import Session, asking
from giveaway.page.steps import compare, data, file, publish, question, result, start, strength, ways
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
    _add_addresses(app, f"/{entrance.place}")
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


_GET = {
    "": start.start,
    "opening": start.opening,
    "data": data.data,
    "effect": data.effect,
    "question": question.question,
    "answer": question.answer,
    "remedy": question.remedy,
    "further": strength.further,
    "result": result.result,
    "ladder": result.ladder,
    "compare": compare.compare,
    "publish": publish.publish,
    "file": file.file,
    "report": publish.report,
    "attempt": ways.attempt,
    "alive": file.alive,
}
_POST = {
    "open": start.open_data,
    "role": data.role,
    "private": data.private,
    "classes": data.classes,
    "words": data.words,
    "ask": question.ask,
    "beside": question.beside,
    "form": question.form_chosen,
    "somebody": question.somebody,
    "change": ways.change,
    "limit": result.limit,
    "keep": result.keep,
    "insist": result.insist,
    "as_tried": result.as_tried,
    "as_planned": result.as_planned,
    "use": compare.use,
    "write": publish.write,
    "undo": file.undo,
    "redo": file.undo,
    "save": file.save,
    "stop": file.stop,
}


def _add_addresses(app: Starlette, prefix: str) -> None:
    """Add every address of the page, all below one prefix."""
    for path, function in _GET.items():
        app.router.routes.append(Route(f"{prefix}/{path}", _of_now(function), methods=["GET"]))
    for path, function in _POST.items():
        app.router.routes.append(Route(f"{prefix}/{path}", _of_now(function), methods=["POST"]))


def _of_now(function: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Refuse what an old page asks: it changes nothing, and no part of it is drawn anew next to what it shows.

    A form has come in whole before it is asked for the last time, so that nothing can come between that and what it does.
    """

    async def answered(request: Request) -> Response:
        page, may_change = Page(request), request.method == "POST"
        asking.set(page.mark)
        try:
            if may_change and not page.is_old:
                await request.form(max_files=1)
            if (may_change or page.part_only) and page.is_old:
                return page.refuse_old()
            return await function(request)
        finally:
            await request.close()  # files that came with it

    return answered
