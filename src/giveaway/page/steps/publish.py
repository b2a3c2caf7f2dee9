"""Where the release goes, and what was written."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from giveaway.page.answers import answered, is_written
from giveaway.page.guard import OF_REPORTS
from giveaway.page.page import READY, WHOLE, Page
from giveaway.page.session import Session


def laid_out(session: Session, made: Mapping[str, Any] | None) -> dict[str, Any]:
    """Lay out where the release goes, and what was written."""
    written = session.written[1] if is_written(session) and session.written else None
    return {
        "ready": made is not None and made["told"]["verdict"] == "safe",
        "folder": str(session.home / "release"),
        "written": written and written["summary"]["written"],
        "told": made and made["told"],
        "command": f"giveaway protect {session.name} -o release --html owner-report.html",
        "scenario": session.name,
    }


async def publish(request: Request) -> Response:
    """Show where the release goes."""
    page = Page(request)
    if not page.session.is_open:
        return page.to("")
    task = page.ask("protect")
    await task.wait(WHOLE)
    made = task.answer if task.state == "done" else None
    wrong = task.answer if task.state == "wrong" else None
    busy = None if task.over else (task.progress or READY)
    return page.draw(
        "publish", "publish", **laid_out(page.session, made), wrong=wrong, exists=False, busy=busy
    )


async def write(request: Request) -> Response:
    """Check and write the release."""
    page, form = Page(request), await Page(request).form()
    session = page.session
    folder = session.home / form.get("folder", "")
    made = answered(session, page.engine, "protect")
    if not session.may_use(folder):
        wrong = [
            {
                "fact": "This folder is not one that the page may use.",
                "hint": "name one below the folder it was started in, or start it with --folder DIR.",
            }
        ]
        return page.draw(
            "publish", "publish", **laid_out(session, made), wrong=wrong, exists=False, busy=None
        )
    how: dict[str, Any] = {"force": form.get("force") == "yes"}
    for name, field in (
        ("html", "owner-report.html"),
        ("public_html", "public-report.html"),
        ("key", "owner.key"),
    ):
        if form.get(name) == "yes":
            how[name] = str(folder.parent / f"{folder.name}-{field}")
    task = page.engine.ask(
        "publish", fresh=True, text=session.text, folder=str(session.base), target=str(folder), **how
    )
    await task.wait(600)
    if task.state == "done":
        session.written = session.text, task.answer
        return page.to("publish")
    wrong = task.answer or [{"fact": "Stopped.", "hint": "nothing was written."}]
    exists = any(
        "--force" in str(mistake.get("hint")) or "not empty" in str(mistake.get("fact")) for mistake in wrong
    )
    return page.draw("publish", "publish", **laid_out(session, made), wrong=wrong, exists=exists, busy=None)


async def report(request: Request) -> Response:
    """Draw a report in a tab of its own."""
    page = Page(request)
    public = request.query_params.get("edition") == "public"
    task = page.engine.ask("report", text=page.session.text, folder=str(page.session.base), public=public)
    await task.wait(600)
    if task.state != "done":
        return PlainTextResponse("The report could not be drawn.", 500)
    return HTMLResponse(task.answer["html"], headers={"content-security-policy": OF_REPORTS})
