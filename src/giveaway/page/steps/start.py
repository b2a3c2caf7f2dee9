"""The first screen: a file to begin with."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

import giveaway as ga
from giveaway.page.engine import Engine
from giveaway.page.page import Page
from giveaway.page.session import Session

READABLE = (".dat", ".txt", ".csv", ".tsv", ".parquet", ".jsonl", ".ndjson", ".gz", ".toml")
_LARGEST = 1 << 31
_UNREAD = [{"fact": "The file was not read.", "hint": "try again."}]


def laid_out(session: Session) -> dict[str, Any]:
    """Lay out the first screen: files to begin with."""
    files = [
        {"path": str(path), "name": str(path.relative_to(root)), "size": _size(path)}
        for root in session.roots
        for path in sorted(root.iterdir())
        if path.is_file() and path.suffix.lower() in READABLE and session.may_use(path)
    ]
    return {
        "scenarios": [file for file in files if file["name"].endswith(".toml")][:8],
        "files": [file for file in files if not file["name"].endswith(".toml")][:12],
    }


def _size(path: Path) -> str:
    size = path.stat().st_size
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"  # noqa: PLR2004 # bytes


async def begin(app: Starlette, subject: Path) -> None:
    """Begin with a file that was named on the command line."""
    app.state.fault = await opened(app.state.session, app.state.engine, subject)


async def opened(session: Session, engine: Engine, path: Path) -> list[dict[str, Any]] | None:
    """Open a data file or a scenario; return what is wrong, if anything is."""
    if path.suffix.lower() == ".toml":
        return await _opened_scenario(session, engine, path)
    task = engine.ask("look", path=str(path), fresh=True)
    await task.wait(600)
    if task.state != "done":
        return list(task.answer or _UNREAD)
    seen = task.answer["look"]
    text = _started(task.answer["text"], seen)
    session.begin(text, path.parent, file=None, look=seen | {"short": _short(seen)})
    return None


async def _opened_scenario(session: Session, engine: Engine, path: Path) -> list[dict[str, Any]] | None:
    task = engine.ask("open", path=str(path), fresh=True)
    await task.wait(600)
    if task.state != "done":
        return list(task.answer or _UNREAD)
    found = task.answer
    if not all(session.may_use(Path(file)) for file in found["files"]):
        return [
            {
                "fact": "The scenario names files outside the folders that this page may use.",
                "hint": "start it with --folder DIR.",
            }
        ]
    session.begin(found["text"], path.parent, file=path, look=found["look"])
    return None


def _short(seen: Mapping[str, Any]) -> str:
    if seen["kind"] == "table":
        return f"{seen['rows']:,} records, {len(seen['columns'])} columns"
    return f"{seen['rows']:,} transactions, {seen['items']:,} items"


def _started(text: str, seen: Mapping[str, Any]) -> str:
    """Give a proposed scenario what the page begins with: the first form of the data, and a need where there is one."""
    form = next(iter(ga.forms("table" if seen["kind"] == "table" else "transactions").values()))
    changes: dict[str, Any] = {f"knows.0.{name}": value for name, value in form.starts.items()}
    if seen["kind"] == "table":
        changes |= _with_roles(text, seen)
    if form.needs:
        changes[f"needs.{form.needs}"] = max(2, seen["rows"] // 100)
    return ga.edit_scenario(text, changes)


def _with_roles(text: str, seen: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out by name what a proposal leaves out as the rest, so that every column has a role that is seen."""
    release = tomllib.loads(text)["release"]
    if release.get("rest") != "leave_out":
        return {}
    entries = tomllib.loads(text).get("knows", [])
    named = {
        release.get("id"),
        *release.get("sensitive", []),
        *(name for one in entries for name in one.get("columns", [])),
    }
    out = list(release.get("leave_out", []))
    out += [column["name"] for column in seen["columns"] if column["name"] not in {*named, *out}]
    return {"release.rest": None, "release.leave_out": out or None}


async def start(request: Request) -> Response:
    """Show where to begin."""
    page = Page(request)
    fault, request.app.state.fault = request.app.state.fault, None
    if fault:
        return page.draw("error", "data", mistakes=fault, lines=[])
    return page.draw("start", "", **laid_out(page.session))


async def open_data(request: Request) -> Response:
    """Open a file that was dropped, or one of an allowed folder."""
    page = Page(request)
    async with request.form(max_files=1, max_part_size=_LARGEST) as form:
        upload, named = form.get("file"), form.get("path")
        if isinstance(upload, UploadFile) and upload.filename:
            path = page.session.uploads / Path(upload.filename).name
            with path.open("wb") as file:
                path.chmod(0o600)
                while chunk := await upload.read(1 << 20):
                    file.write(chunk)
        elif form.get("made_up"):
            path = ga.write_example(page.session.uploads)
        elif isinstance(named, str) and page.session.may_use(Path(named)):
            path = Path(named)
        else:
            return PlainTextResponse("Not found.", 404)
    wrong = await opened(page.session, page.engine, path)
    if wrong:
        shown = page.engine.ask("show", path=str(path), fresh=True)
        await shown.wait(5)
        lines = shown.answer["lines"] if shown.state == "done" and path.suffix != ".parquet" else []
        return page.draw("error", "data", status=200, mistakes=wrong, lines=lines)
    return page.to("question" if path.suffix.lower() == ".toml" else "data")
