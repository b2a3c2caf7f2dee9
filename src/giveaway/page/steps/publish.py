"""Where the release goes, and what was written."""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

import giveaway as ga
from giveaway.page.answers import answered, is_written
from giveaway.page.guard import OF_REPORTS
from giveaway.page.page import Page, unasked
from giveaway.page.session import Session
from giveaway.scratch import shortened

_ELSEWHERE = {
    "fact": "This folder is not one that the page may use.",
    "hint": "name one below the folder it was started in, or start it with --folder DIR.",
}
_STOPPED = {
    "fact": "Stopped.",
    "hint": "a release is written whole or not at all: look whether the folder is there.",
}


_REPORTS = {
    "public_html": ("public-report.html", "verdict, limits and totals; no values", False),
    "html": ("owner-report.html", "names what is exposed, and how", True),
}
"""What may be written next to the folder: how it is called, what it holds, and whether only the owner may see it."""


@dataclass(frozen=True)
class WrittenRelease:
    """A release that was written: of which question, what, and where."""

    text: str
    files: Sequence[Mapping[str, Any]]
    folder: Path
    reports: Sequence[str]


def laid_out(
    session: Session, answer: Mapping[str, Any] | None, refused: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Lay out where the release goes, and what was written; what was asked for and refused stays in the form."""
    written: WrittenRelease | None = session.written if is_written(session) else None
    asked_for = os.path.relpath(refused["target"], session.home) if refused else "release"
    folder = Path(written.folder.name if written else asked_for)
    release = [
        _line(
            f"{folder}/{one['file']}",
            f"{one['rows']:,} rows" if one["rows"] is not None else "",
            one["sha256"],
        )
        for one in (written.files if written else [])
    ] or [_line(f"{folder}/{session.released}", "what is published")]
    release += [_line(f"{folder}/manifest.json", "what was promised, and the checksums")]
    release += [_line(f"{folder}.owner.json", "what undoes codes, order and lots", only_you=True)]
    beside = [
        _line(f"{folder}-{name}", holds, field=field, only_you=only_you)
        for field, (name, holds, only_you) in _REPORTS.items()
        if written is None or field in written.reports
    ]
    return {
        "ready": answer is not None and answer["told"]["verdict"] == "safe",
        "folder": folder,
        "home": session.home,
        "ending": session.released.removeprefix("release"),
        "written": written,
        "files": release + beside,
        "told": answer and answer["told"],
        "mark_of_result": answer and answer["mark"],
        "formats": [("", "As it came"), *_others(session)],
        "chosen": (refused or {}).get("format") or "",
        "reports": _REPORTS if refused is None else refused,
        "unsaved": session.text != session.saved,
        "command": f"giveaway protect {shlex.quote(session.name)} -o {shlex.quote(str(folder))} --html owner-report.html",
    }


def _line(
    name: str, holds: str, sha256: str = "", *, field: str = "", only_you: bool = False
) -> dict[str, Any]:
    return {"name": name, "holds": holds, "sha256": sha256, "field": field, "only_you": only_you}


def _others(session: Session) -> list[tuple[str, str]]:
    """Return the formats that the data do not have."""
    own = session.released.split(".")[1]
    return [(name, title) for name, title in _formats(session).items() if name != own]


def _formats(session: Session) -> dict[str, str]:
    """Return the formats that a release of such data can be written in, and what they are called."""
    rows = (row for row in ga.formats() if row.offered and (session.kind != "table" or not row.words))
    return {row.name: row.title for row in rows}


async def publish(request: Request) -> Response:
    """Show where the release goes, how far writing has come, or what was written."""
    page = Page(request)
    session = page.session
    if first := page.first("publish"):
        return first
    wrong, refused, task = None, None, session.writing
    if task is not None:
        await task.wait(page.patience)
        if not task.over:
            return page.busy(task, "publish", "Writing, reading back, and judging again.", news="publish")
        if task.state == "done":
            session.written = WrittenRelease(
                str(task.arguments["text"]),
                task.answer["summary"]["written"],
                Path(task.arguments["target"]),
                [name for name in _REPORTS if name in task.arguments],
            )
        else:
            wrong = task.answer or [_STOPPED]
            refused = task.arguments
            if wrong[0].pop("anew", False):
                page.engine.forget("protect", **session.asks())
    answer = page.ask("protect")
    await answer.wait(page.patience)
    if not answer.over:
        return page.busy(answer, "publish", "Looking for what to withhold.", news="publish")
    wrong = wrong or answer.mistakes
    if not page.is_overtaken:
        session.writing = None  # from now on it is said how it ended
    return _drawn(page, answer.done, wrong, refused)


def _drawn(
    page: Page,
    answer: Mapping[str, Any] | None,
    wrong: list[dict[str, Any]] | None,
    refused: Mapping[str, Any] | None,
    status: int = 200,
) -> Response:
    exists = any(
        "--force" in str(mistake.get("hint")) or "not empty" in str(mistake.get("fact"))
        for mistake in wrong or ()
    )
    shown = laid_out(page.session, answer, refused)
    return page.draw("publish", "publish", status=status, **shown, wrong=wrong, exists=exists)


async def write(request: Request) -> Response:
    """Check and write the release."""
    page, form = Page(request), await Page(request).form()
    session = page.session
    if session.writing is not None and not session.writing.over:  # a second click
        return page.to("publish")
    answer = answered(session, page.engine, "protect")
    if answer is None or form.get("result") != answer["mark"]:
        return page.refuse_old()
    folder = session.home / form.get("folder", "")
    if form.get("format", "") not in ("", *_formats(session)):
        raise unasked()
    how: dict[str, Any] = {
        "force": form.get("force") == form.get("folder", ""),
        "format": form.get("format") or None,
    }
    for field, (name, _, _) in _REPORTS.items():
        if form.get(field) == "yes":
            how[field] = str(folder.parent / f"{folder.name}-{name}")
    beside = [Path(how[field]) for field in _REPORTS if field in how]
    if not session.may_use(folder) or not all(map(session.may_use, (*_owners_files(folder), *beside))):
        return _drawn(page, answer, [_ELSEWHERE], how | {"target": str(folder)}, 409)
    how["mark"] = answer["mark"]
    session.writing = page.engine.ask("publish", fresh=True, target=str(folder), **session.asks(), **how)
    return page.to("publish")


def _owners_files(folder: Path) -> list[Path]:
    """Return where the owner's file of a release may be: next to its folder, or to the one that a link leads to."""
    real = folder.resolve()
    return [
        one.parent / f"{shortened(name)}.owner.json"
        for one in (folder, real)
        for name in {folder.name, real.name}
    ]


async def report(request: Request) -> Response:
    """Draw a report in a tab of its own."""
    page = Page(request)
    edition = "public" if request.query_params.get("edition") == "public" else "owner"
    address = f"report?edition={edition}"
    task = page.ask("report", public=edition == "public")
    await task.wait(page.patience)
    if not task.over:
        return page.busy(task, "publish", "Drawing the report.", news=address)
    if page.part_only:
        return page.leave_for(address)
    if task.state != "done":
        return PlainTextResponse("The report could not be drawn.", 409)
    return HTMLResponse(task.answer["html"], headers={"content-security-policy": OF_REPORTS})
