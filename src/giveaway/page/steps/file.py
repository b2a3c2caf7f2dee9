"""The question as a file, steps back, and Stop."""

import json
import os
import shlex
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from giveaway.page.page import Page, unasked, whole
from giveaway.page.session import Session
from giveaway.page.steps.head import STEPS
from giveaway.page.uploads import LONGEST
from giveaway.scratch import scratch_file


async def file(request: Request) -> Response:
    """Show the question as a file, in Python and as a command."""
    return _drawn(Page(request))


def _drawn(page: Page, name: str = "", wrong: str = "") -> Response:
    """Draw the question as a file, with what is wrong with the name that it was to get."""
    session, own = page.session, _own(page.session)
    python = f'import giveaway as ga\n\nscenario = ga.Scenario.read({json.dumps(session.name, ensure_ascii=False)})\nfound = scenario.assess()\nsafer = scenario.protect()\nsafer.publish("release")\n'
    quoted = shlex.quote(session.name)
    command = f"giveaway assess {quoted}\ngiveaway protect {quoted} -o release\n"
    return page.draw(
        "file",
        "question",
        status=409 if wrong else 200,
        forms={"Scenario file": session.text, "Python": python, "Command": command},
        name=name or session.free_name,
        own=own.name if own is not None and own.exists() else None,
        dropped=session.dropped,
        wrong=wrong,
        exists=name and wrong and (session.home / name).exists(),
    )


async def save(request: Request) -> Response:
    """Save the scenario under a name that is free, or in the place of what the owner says."""
    page, form = Page(request), await Page(request).form()
    session = page.session
    name = form.get("replace") or form.get("name") or ""
    target = session.home / name
    usable = Path(name).name == name and name.isprintable() and len(os.fsencode(name)) <= LONGEST
    if not usable or target.suffix != ".toml" or not session.may_use(target):
        return _drawn(page, wrong="A scenario file is called something like question.toml.")
    replaces = "replace" in form
    if replaces and target != _own(session):
        raise unasked()
    try:
        if form.get("over") == name or (replaces and _is_as_saved(session, target)):
            with scratch_file(target, mode=0o666) as text:
                text.write_text(session.text, encoding="utf-8")
                text.replace(target)
        else:
            with target.open("x", encoding="utf-8") as new:
                new.write(session.text)
    except FileExistsError:
        why = "was changed since it was opened here" if replaces else "exists"
        return _drawn(page, name, f"{name} {why} and was left alone.")
    except OSError as error:
        return _drawn(page, name, f"{name} could not be written: {error.strerror}.")
    session.file, session.saved = target, session.text
    return page.to("file")


def _own(session: Session) -> Path | None:
    """Return the file that the question was opened from or saved in, where that is kept."""
    return session.file if session.file is not None and session.file.parent == session.home else None


def _is_as_saved(session: Session, file: Path) -> bool:
    """Tell whether a file still holds what was opened or saved."""
    try:
        return file.is_file() and file.read_text(encoding="utf-8") == session.saved
    except (OSError, ValueError):
        return False


async def undo(request: Request) -> Response:
    """Go one step back, or take the last step back again."""
    page, form = Page(request), await Page(request).form()
    (page.session.redo if request.url.path.endswith("/redo") else page.session.undo)()
    return page.to(here if (here := form.get("here")) in STEPS else "question")


async def alive(request: Request) -> Response:
    """Hear that the page is still open."""
    Page(request)
    return PlainTextResponse("")


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
