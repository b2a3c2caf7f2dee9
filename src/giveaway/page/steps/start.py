"""The first screen: a file to begin with."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

import giveaway as ga
from giveaway.page.engine import Engine, WorkerTask
from giveaway.page.page import Page, not_allowed
from giveaway.page.places import file_of, placed
from giveaway.page.session import Session
from giveaway.page.steps.head import STEPS
from giveaway.page.uploads import fresh, kept

_LONGEST = 1 << 20
"""Bytes of a file that may be a saved question."""
_NAMELESS = {
    "fact": "No column of this table names its rows, and rows of a database have no order of their own.",
    "hint": "open a table in which some column has a value of its own in every row.",
}
_UNREAD = [{"fact": "The file was not read.", "hint": "try again."}]


def laid_out(session: Session) -> dict[str, Any]:
    """Lay out the first screen: files to begin with."""
    endings = [ending for row in ga.formats() for ending in (*row.endings, *row.also)]
    paths = session.files(session.roots, (*endings, ".gz", ".toml"))
    saved = [(path, about) for path in paths if path.suffix == ".toml" and (about := _asks_about(path))]
    return {
        "scenarios": [_file(path, about) for path, about in saved][:8],
        "files": [_file(path, _size(path)) for path in paths if path.suffix != ".toml"][:12],
    }


def _file(path: Path, about: str) -> dict[str, str]:
    return {"path": str(path), "name": path.name, "about": about}


def _asks_about(path: Path) -> str:
    """Say what a saved question is about; nothing for a file that is none."""
    try:
        if path.stat().st_size > _LONGEST:
            return ""
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        attacks = [str(entry["attack"]) for entry in values.get("knows", [])]
        return f"{values['release']['data']}, {' and '.join(attacks) or 'nobody named yet'}"
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ""


def _size(path: Path) -> str:
    size = path.stat().st_size
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"  # noqa: PLR2004 # bytes


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Data or a saved question that are being opened: what they are called, and the file or the folder that they belong to."""

    name: str
    task: WorkerTask
    base: Path
    file: Path | None = None
    address: str = ""
    """As it was typed, where the data live in a database."""

    @property
    def is_scenario(self) -> bool:
        """Whether it is a saved question."""
        return self.file is not None and self.file.suffix.lower() == ".toml"


def open_file(session: Session, engine: Engine, file: Path) -> None:
    """Begin to open a data file or a scenario."""
    job = "open" if file.suffix.lower() == ".toml" else "look"
    task = engine.ask(job, path=str(file), fresh=True)
    session.opening = Opening(name=file.name, task=task, base=file.parent, file=file)


def open_address(session: Session, engine: Engine, address: str, table: str) -> None:
    """Begin to open a table of a database; a password is not part of its address."""
    task = engine.ask("look", path=placed(session.roots[0], address), table=table, fresh=True)
    session.opening = Opening(name=table, task=task, base=session.roots[0], address=address)


def _taken(session: Session, opened: Opening) -> list[dict[str, Any]] | None:
    """Take a file that was opened for the question; return what is wrong, if anything is."""
    task = opened.task
    if task.state != "done":
        return list(task.answer or _UNREAD)
    answer = task.answer
    if not opened.is_scenario:
        seen = answer["look"]
        text = _started(answer["text"], seen)
        if opened.address and (text := _named(text, seen, opened.address)) == "":
            return [_NAMELESS]
        session.begin(text, opened.base, file=None, look=seen | {"short": _short(seen)})
        return None
    session.begin(answer["text"], opened.base, file=opened.file, look=answer["look"])
    return None


def _named(text: str, seen: Mapping[str, Any], address: str) -> str:
    """Give the question about a table of a database its address and a column that names the rows; "" if there is none."""
    release = tomllib.loads(text)["release"]
    whose = release.get("id") or next(iter(seen["ids"]), None)
    if whose is None:
        return ""
    out = [name for name in release.get("leave_out", []) if name != whose]
    return ga.edit_scenario(
        text, {"release.data": address, "release.id": whose, "release.leave_out": out or None}
    )


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
    if "stopped" in request.query_params:
        page.session.opening = None
    return page.to("opening") if page.session.opening else page.draw("start", "", **laid_out(page.session))


async def open_data(request: Request) -> Response:
    """Open a file that was dropped, or one of an allowed folder."""
    page = Page(request)
    form = await request.form()
    upload, named = form.get("file"), form.get("path")
    if isinstance(upload, UploadFile) and upload.filename:
        asked = page.session.text
        path = await kept(upload, page.session, begins=True)
        if page.session.text != asked:  # it takes a while to keep much
            return page.refuse_old()
    elif form.get("made_up"):
        path = ga.write_example(fresh(page.session))
    elif isinstance(named, str) and page.session.may_use(Path(named)):
        path = Path(named)
    elif isinstance(address := form.get("address"), str):
        return _database(
            page, address.strip(), str(form.get("table") or "").strip(), str(form.get("password") or "")
        )
    else:
        raise not_allowed()
    open_file(page.session, page.engine, path)
    return page.to("opening")


def _database(page: Page, address: str, table: str, password: str) -> Response:
    file = file_of(page.session.roots[0], address)
    if file is not None and not page.session.may_use(file):
        raise not_allowed()
    if password:
        page.engine.unlock(address, password)
    open_address(page.session, page.engine, address, table)
    return page.to("opening")


async def opening(request: Request) -> Response:
    """Show how far opening a file has come, and go on when it is open."""
    page, wanted = Page(request), request.query_params.get("to")
    opened: Opening | None = page.session.opening
    if opened is None:
        return page.leave_for("")
    await opened.task.wait(page.patience)
    if not opened.task.over:
        news = f"opening?to={wanted}" if wanted in STEPS else "opening"
        return page.busy(opened.task, "data", f"Reading {opened.name}.", news=news, back="")
    page.session.opening = None
    wrong = _taken(page.session, opened)
    if not wrong:
        usual = "question" if opened.is_scenario else "data"
        return page.leave_for(wanted if wanted in STEPS else usual)
    lines: list[str] = []
    whole = {ending for row in ga.formats() if not row.is_text for ending in row.endings}
    if opened.file is not None and opened.file.suffix not in whole:
        shown = page.engine.ask("show", path=str(opened.file), fresh=True)
        if not await shown.wait(5):
            page.engine.stop(shown)
        lines = shown.answer["lines"] if shown.state == "done" else []
    return page.draw("error", "data", mistakes=wrong, lines=lines)
