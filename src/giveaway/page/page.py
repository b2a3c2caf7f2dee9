"""The page as a request finds it, and how parts of it are drawn."""

import re
import secrets
import time
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.runtime import Context
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from giveaway.page.engine import Engine, WorkerTask
from giveaway.page.session import Session
from giveaway.page.steps.head import STEPS, head

AT_ONCE = 0.2
"""Seconds that an answer is waited for, before progress is shown."""
WHOLE = 1.0
"""The same where the whole page is drawn."""
NEWS = 0.4
"""Seconds between two words on progress, unless the answer comes first."""
_FORM = re.compile(r'(<form [^>]*method="post" action="\w+)"')
_LONGEST = 9
READY = {"stage": "getting ready", "done": 0, "total": None}
"""What is said before the worker has said anything."""


@cache
def environment() -> Environment:
    """Make the environment of the templates, with escaping always on."""
    templates = Environment(
        loader=PackageLoader("giveaway.page", "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["told"] = _in_owners_words
    templates.filters["number"] = lambda value: f"{value:,}"
    templates.filters["lower_first"] = lambda text: text[:1].lower() + text[1:]
    return templates


@pass_context
def _in_owners_words(context: Context, text: str) -> str:
    """Write a sentence of ours, which holds no value of the data, with the owner's nouns."""
    return str(context["nouns"].told(text))


class Page:
    """The state of the page, as a request finds it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.session: Session = request.app.state.session
        self.engine: Engine = request.app.state.engine
        request.app.state.heard = time.monotonic()
        self._found = self.session.state

    @property
    def part_only(self) -> bool:
        """Whether only the part that changed is asked for."""
        return self.request.headers.get("hx-request") == "true"

    @property
    def mark(self) -> str:
        """The mark of the page that asks: it says what that page shows."""
        return self.request.headers.get("giveaway-of") or self.request.query_params.get("of", "")

    @property
    def is_old(self) -> bool:
        """Whether the page that asks shows something else than what stands."""
        return bool(self.session.seen.get(self.mark) != self.session.state)

    @property
    def is_overtaken(self) -> bool:
        """Whether something else stands by now than what was found here: another tab was quicker than an answer."""
        return bool(self._found != self.session.state)

    def refuse_old(self) -> Response:
        """Change nothing for a page that shows something else than what stands."""
        step = urlsplit(self.request.headers.get("referer", "")).path.rpartition("/")[2]
        again = step if step in (*STEPS, "file", "compare") and self.session.is_open else "./"
        return self._drawn("old", "", 409, {"again": again}, self.mark)

    def draw(self, screen: str, here: str, *, status: int = 200, **what: Any) -> Response:
        """Draw a screen: all of the page, or with the head what stands in it."""
        if self.part_only and self.is_old:
            return self.refuse_old()
        if self.is_overtaken:  # an answer is drawn with its own question only
            return self._again()
        mark = self.mark if self.part_only else secrets.token_urlsafe(9)
        self.session.drawn(mark)
        return self._drawn(screen, here, status, what, mark)

    def _drawn(self, screen: str, here: str, status: int, what: Mapping[str, Any], mark: str) -> Response:
        template = "part.html.jinja" if self.part_only else "page.html.jinja"
        return HTMLResponse(self._rendered(template, here, {**what, "screen": screen}, mark), status)

    def part(self, template: str, **what: Any) -> Response:
        """Draw one part, with the head."""
        if self.is_old:
            return self.refuse_old()
        if self.is_overtaken:
            return self._again()
        return HTMLResponse(self._rendered(template, str(what.pop("here", "question")), what, self.mark))

    def _again(self) -> Response:
        """Draw nothing of what was overtaken: a whole page is asked for again, a part is drawn by what was quicker."""
        if self.part_only:
            return Response(status_code=204)
        return (
            RedirectResponse(str(self.request.url), 303)
            if self.request.method == "GET"
            else self.refuse_old()
        )

    def _rendered(self, template: str, here: str, what: Mapping[str, Any], mark: str) -> str:
        """Draw a template; every form in it says what is shown with it, and shows nothing else in another drawing."""
        drawn = head(self.session, self.engine, here)
        context = {"head": drawn, "nouns": self.session.nouns, "mark": mark} | dict(what)
        html = environment().get_template(template).render(context)
        return _FORM.sub(rf'\1?of={mark}" autocomplete="off"', html)

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

    def busy(
        self, task: WorkerTask, here: str, title: str, *, news: str, back: str | None = None
    ) -> Response:
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
    ) -> WorkerTask:
        """Ask about the scenario as it stands, or another one; what was stopped is not begun again by asking for news."""
        arguments = self.session.asks(text) | more
        news = "stopped" in self.request.query_params or (self.part_only and self.request.method == "GET")
        if news and not background:
            known = self.engine.known(job, **arguments)
            if known is not None and (known.unwanted or known.state == "stopped"):
                return known
        return self.engine.ask(job, background=background, **arguments)

    def number(self, name: str, usual: int = 0) -> int:
        """Return a number of the address."""
        text = self.request.query_params.get(name) or str(usual)
        return whole(text)

    async def form(self) -> dict[str, str]:
        """Return the fields of a form that are text, the last of each name."""
        return {name: value for name, value in (await self.request.form()).items() if isinstance(value, str)}


def whole(text: str, longest: int = _LONGEST) -> int:
    """Read a number of a request."""
    if not (text.isascii() and text.isdigit() and len(text) <= longest):
        raise unasked()
    return int(text)


def unasked() -> HTTPException:
    """Make the answer to a request that no page of ours sends."""
    return HTTPException(400, "This is not a request of this page. Nothing was changed.")


def not_allowed() -> HTTPException:
    """Make the answer to a name outside the folders of the page, the same whether a file has it or not."""
    return HTTPException(404, "Not found.")


def progress(task: WorkerTask, here: str) -> dict[str, Any] | None:
    """Lay out how far a task has come, and where its Stop leads; None where it is over."""
    if task.over:
        return None
    return {**(task.progress or READY), "task": task.number, "here": here}
