"""Nobody but a browser that was let in gets an answer: place, cookie, host and origin, or nothing was found."""

from typing import Any

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from giveaway.page import uploads
from giveaway.page.entrance import CLOSED, Entrance

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
OF_REPORTS = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
"""What a report may do, which brings its style along and runs nothing."""
_HEADERS = (
    ("content-security-policy", _POLICY),
    ("cache-control", "no-store"),
    ("referrer-policy", "same-origin"),  # with no-referrer, forms come from the origin "null"
    ("x-content-type-options", "nosniff"),
    ("cross-origin-resource-policy", "same-origin"),
)


_FORM = 1 << 23
"""Bytes of a form without a file."""
_AROUND = 1 << 16
"""Bytes of a form around its file."""
_WITH_FILES = ("open", "beside")


class Guard:
    """Answers only below the place, to this host, to browsers let in, and for changes to pages of this origin; else it is one 404 for all."""

    def __init__(self, app: ASGIApp, *, entrance: Entrance) -> None:
        self._app, self._entrance = app, entrance
        self._hosts = {f"127.0.0.1:{entrance.port}", f"localhost:{entrance.port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or tell nothing."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                ours = [(name.encode(), value.encode()) for name, value in _HEADERS]
                message["headers"] = [*message["headers"], *(pair for pair in ours if pair[0] not in own)]
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, _counted(scope, receive), sent)
        else:
            await refusal(scope, receive, sent)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        host, origin = headers.get("host", ""), headers.get("origin", "")
        first, _, rest = str(scope["path"]).removeprefix("/").partition("/")
        same = scope["method"] in ("GET", "HEAD") or origin == f"http://{host}"
        if host in self._hosts and first == "enter" and scope["method"] == "GET":
            status, text, further = self._entrance.answer(rest)
            answer = Response(text, status)
            answer.raw_headers += further
            return answer
        if host not in self._hosts or first != self._entrance.place or not same:
            return PlainTextResponse("Not found.", 404)
        if not self._entrance.knows(headers.get("cookie", "")):
            return PlainTextResponse(CLOSED, 403)
        return None


def _counted(scope: Scope, receive: Receive) -> Receive:
    """Refuse more than may arrive, while it arrives."""
    with_file = scope["path"].rpartition("/")[2] in _WITH_FILES
    most = uploads.LARGEST + _AROUND if with_file else _FORM
    arrived = 0

    async def received() -> Any:
        nonlocal arrived
        message = await receive()
        arrived += len(message.get("body", b""))
        if arrived > most:
            raise uploads.too_large()
        return message

    return received
