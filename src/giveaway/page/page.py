"""The page as a request finds it, and how parts of it are drawn."""

import time
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.runtime import Context
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from giveaway.page.engine import Engine, Task
from giveaway.page.session import Session
from giveaway.page.steps.head import head

AT_ONCE = 0.2
"""Seconds that an answer is waited for, before progress is shown."""
WHOLE = 1.0
"""The same where the whole page is drawn."""
NEWS = 0.4
"""Seconds between two words on progress, unless the answer comes first."""
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
    made.filters["told"] = _told
    made.filters["number"] = lambda value: f"{value:,}"
    made.filters["lower_first"] = lambda text: text[:1].lower() + text[1:]
    return made


@pass_context
def _told(context: Context, text: str) -> str:
    """Write a sentence of ours, which holds no value of the data, with the owner's nouns."""
    return str(context["nouns"].told(text))


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
        context = {
            "head": head(self.session, self.engine, here),
            "nouns": self.session.nouns,
            "screen": screen,
        } | what
        template = "part.html.jinja" if self.part_only else "page.html.jinja"
        return HTMLResponse(environment().get_template(template).render(context), status)

    def part(self, template: str, **what: Any) -> Response:
        """Draw one part, with the head."""
        here = str(what.pop("here", "question"))
        context = {"head": head(self.session, self.engine, here), "nouns": self.session.nouns} | what
        return HTMLResponse(environment().get_template(template).render(context))

    def to(self, step: str) -> Response:
        """Go to a step."""
        return RedirectResponse(f"{self.prefix}/{step}", 303)

    def first(self, step: str) -> Response | None:
        """Lead to where a file is opened, while none is, and from there to the step."""
        if self.session.is_open:
            return None
        return self.to(f"opening?to={step}" if self.session.opening else "")

    def leave_for(self, step: str) -> Response:
        """Go to a step from a part that asked for news."""
        if self.part_only:
            return HTMLResponse("", headers={"hx-redirect": f"{self.prefix}/{step}"})
        return self.to(step)

    def busy(self, task: Task, here: str, title: str, *, news: str, back: str | None = None) -> Response:
        """Draw how far a task has come; news are asked for at one address, and Stop leads back to a step."""
        shown = progress(task, here if back is None else back)
        return self.draw("busy", here, title=title, busy=shown, news=news)

    @property
    def patience(self) -> float:
        """Seconds that an answer is waited for, before progress is shown or shown again."""
        return NEWS if self.part_only else WHOLE

    @property
    def prefix(self) -> str:
        """The path below which everything lies."""
        return "/" + self.request.url.path.split("/")[1]

    def ask(
        self, job: str = "assess", text: str | None = None, *, background: bool = False, **more: Any
    ) -> Task:
        """Ask about the scenario as it stands, or another one; what was stopped is not begun again by asking for news."""
        arguments = self.session.asks(text) | more
        news = "stopped" in self.request.query_params or (self.part_only and self.request.method == "GET")
        if news and not background:
            known = self.engine.known(job, **arguments)
            if known is not None and (known.unwanted or known.state == "stopped"):
                return known
        return self.engine.ask(job, background=background, **arguments)

    async def form(self) -> dict[str, str]:
        """Return the fields of a form that are text, the last of each name."""
        return {name: value for name, value in (await self.request.form()).items() if isinstance(value, str)}


def progress(task: Task, here: str) -> dict[str, Any] | None:
    """Lay out how far a task has come, and where its Stop leads; None where it is over."""
    if task.over:
        return None
    return {**(task.progress or READY), "task": task.number, "here": here}
