"""Every address of the page, all below one prefix."""

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from giveaway.page.page import Page
from giveaway.page.session import asking
from giveaway.page.steps import compare, data, file, publish, question, result, start, stop, strength, ways

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
    "redo": file.redo,
    "save": file.save,
    "stop": stop.stop,
}


def add(app: Starlette, prefix: str) -> None:
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
