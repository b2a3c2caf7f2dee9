"""Stop what is being worked out."""

from starlette.requests import Request
from starlette.responses import Response

from giveaway.page.page import Page, whole
from giveaway.page.steps.head import STEPS

_LONGEST = 5.0
"""Seconds within which a task is over for sure, also where the worker had to be ended."""


async def stop(request: Request) -> Response:
    """Stop a task; the last answer stands, and the question goes back to it."""
    page, form = Page(request), await Page(request).form()
    number, here = form.get("task", ""), form.get("here", "")
    task = page.engine.under_way(whole(number))
    if task is not None:
        page.engine.stop(task)
        await task.wait(_LONGEST)
        if task.job == "assess" and page.session.shown is not None:
            page.session.back_to(page.session.shown[0])
    return page.to(f"{here if here in STEPS else ''}?stopped=yes")
