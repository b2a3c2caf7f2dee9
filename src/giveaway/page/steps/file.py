"""The question as a file, and steps back."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from giveaway.page.page import Page


async def file(request: Request) -> Response:
    """Show the question as a file, in Python and as a command."""
    page = Page(request)
    name = page.session.name
    python = f'import giveaway as ga\n\nscenario = ga.Scenario.read("{name}")\nfound = scenario.assess()\nsafer = scenario.protect()\nsafer.publish("release")\n'
    command = f"giveaway assess {name}\ngiveaway protect {name} -o release\n"
    forms = {"Scenario file": page.session.text, "Python": python, "Command": command}
    return page.draw(
        "file",
        "question",
        forms=forms,
        name=name,
        data=page.session.data_name,
        dropped=page.session.home != page.session.base,
    )


async def save(request: Request) -> Response:
    """Save the scenario."""
    page, form = Page(request), await Page(request).form()
    session = page.session
    target = session.home / Path(form.get("name") or session.name).name
    if not session.may_use(target) or target.suffix != ".toml":
        return PlainTextResponse("Not found.", 404)
    target.write_text(session.text, encoding="utf-8")
    session.file, session.saved = target, session.text
    return page.to("file")


async def undo(request: Request) -> Response:
    """Go one step back."""
    page, form = Page(request), await Page(request).form()
    page.session.undo()
    return page.to(form.get("here") or "question")


async def redo(request: Request) -> Response:
    """Take the last step back again."""
    page, form = Page(request), await Page(request).form()
    page.session.redo()
    return page.to(form.get("here") or "question")


async def alive(request: Request) -> Response:
    """Hear that the page is still open."""
    Page(request)
    return PlainTextResponse("")
