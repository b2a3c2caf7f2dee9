"""Nobody but the browser that was opened gets an answer: token, host and origin, or nothing was found."""

from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

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


class Guard:
    """Answers only below the token, to this host, and for changes to pages of this origin; else it is one 404 for all."""

    def __init__(self, app: ASGIApp, *, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

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

        if self._allowed(scope):
            await self._app(scope, receive, sent)
        else:
            await PlainTextResponse("Not found.", 404)(scope, receive, sent)

    def _allowed(self, scope: Scope) -> bool:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        host, origin = headers.get("host", ""), headers.get("origin", "")
        below = scope["path"].split("/", 2)[1:2] == [self._token]
        same = scope["method"] in ("GET", "HEAD") or origin == f"http://{host}"
        return host in self._hosts and below and same
