"""The page as a request finds it, and how parts of it are drawn."""

import time
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from giveaway.page.engine import Engine, Task
from giveaway.page.session import Session
from giveaway.page.steps.head import head

AT_ONCE = 0.35
"""Seconds that an answer is waited for, before progress is shown."""
WHOLE = 2.5
"""The same where the whole page is drawn."""
READY = {"stage": "getting ready", "done": 0, "total": None}
"""What is said before the worker has said anything."""


@cache
def environment() -> Environment:
    """Make the environment of the templates, with escaping always on."""
    made = Environment(
        loader=PackageLoader("giveaway.page", "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["number"] = lambda value: f"{value:,}"
    made.filters["lower_first"] = lambda text: text[:1].lower() + text[1:]
    return made


class Page:
    """The state of the page, as a request finds it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.session: Session = request.app.state.session
        self.engine: Engine = request.app.state.engine
        request.app.state.heard = time.monotonic()

    @property
    def part_only(self) -> bool:
        """Whether only the part that changed is asked for."""
        return self.request.headers.get("hx-request") == "true"

    def draw(self, screen: str, here: str, *, status: int = 200, **what: Any) -> Response:
        """Draw a screen: all of the page, or with the head what stands in it."""
        context = {"head": head(self.session, self.engine, here), "screen": screen, **what}
        template = "part.html.jinja" if self.part_only else "page.html.jinja"
        return HTMLResponse(environment().get_template(template).render(context), status)

    def part(self, template: str, **what: Any) -> Response:
        """Draw one part, with the head."""
        here = str(what.pop("here", "question"))
        context = {"head": head(self.session, self.engine, here), **what}
        return HTMLResponse(environment().get_template(template).render(context))

    def to(self, step: str) -> Response:
        """Go to a step."""
        return RedirectResponse(f"{self.prefix}/{step}", 303)

    @property
    def prefix(self) -> str:
        """The path below which everything lies."""
        return "/" + self.request.url.path.split("/")[1]

    def ask(self, job: str = "assess", text: str | None = None, *, background: bool = False) -> Task:
        """Ask about the scenario as it stands, or another one."""
        arguments: dict[str, Any] = {"text": text or self.session.text, "folder": str(self.session.base)}
        if job == "protect":
            arguments["key"] = None
        return self.engine.ask(job, background=background, **arguments)

    async def form(self) -> dict[str, str]:
        """Return the fields of a form that are text, the last of each name."""
        return {name: value for name, value in (await self.request.form()).items() if isinstance(value, str)}
