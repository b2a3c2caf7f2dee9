"""What the browser may ask: every change is a form, every answer is the whole page or the part that changed."""

import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

import giveaway as ga
from giveaway.page import screens
from giveaway.page.engine import Engine, Task
from giveaway.page.guard import OF_REPORTS
from giveaway.page.session import LIMITS, Session

_AT_ONCE = 0.35
"""Seconds that an answer is waited for, before progress is shown."""
_WHOLE = 2.5
"""The same where the whole page is drawn."""
_LARGEST = 1 << 31


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
    made.filters["number"] = lambda value: f"{value:,}"
    made.filters["lower_first"] = lambda text: text[:1].lower() + text[1:]
    return made


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
        context = {"head": screens.head(self.session, self.engine, here), "screen": screen, **what}
        template = "part.html.jinja" if self.part_only else "page.html.jinja"
        return HTMLResponse(environment().get_template(template).render(context), status)

    def part(self, template: str, **what: Any) -> Response:
        """Draw one part, with the head."""
        here = str(what.pop("here", "question"))
        context = {"head": screens.head(self.session, self.engine, here), **what}
        return HTMLResponse(environment().get_template(template).render(context))

    def to(self, step: str) -> Response:
        """Go to a step."""
        return RedirectResponse(f"{self.prefix}/{step}", 303)

    @property
    def prefix(self) -> str:
        """The path below which everything lies."""
        return "/" + self.request.url.path.split("/")[1]

    def ask(self, job: str = "assess", text: str | None = None, *, background: bool = False) -> Task:
        """Ask about the scenario as it stands, or another one."""
        arguments: dict[str, Any] = {"text": text or self.session.text, "folder": str(self.session.base)}
        if job == "protect":
            arguments["key"] = None
        return self.engine.ask(job, background=background, **arguments)

    async def form(self) -> dict[str, str]:
        """Return the fields of a form that are text, the last of each name."""
        return {name: value for name, value in (await self.request.form()).items() if isinstance(value, str)}


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
        return list(task.answer or [{"fact": "The file was not read.", "hint": "try again."}])
    seen = task.answer["look"]
    text = _started(task.answer["text"], seen)
    session.begin(text, path.parent, file=None, look=seen | {"short": _short(seen)})
    return None


async def _opened_scenario(session: Session, engine: Engine, path: Path) -> list[dict[str, Any]] | None:
    try:
        text = path.read_text(encoding="utf-8")
        scenario = ga.Scenario.read(path)
    except (OSError, UnicodeDecodeError) as error:
        return [{"fact": f"{path.name} cannot be read: {error}.", "hint": "choose another file."}]
    except ga.WrongQuestion as error:
        return [
            vars(mistake) | {} if hasattr(mistake, "__dict__") else {"fact": str(mistake)}
            for mistake in error.mistakes
        ]
    if any(not session.may_use(file) for file in scenario.files):
        return [
            {
                "fact": "The scenario names files outside the folders that this page may use.",
                "hint": "start it with --folder DIR.",
            }
        ]
    table = isinstance(scenario.release.original, ga.Table) if scenario.files else False
    size = f"{len(scenario.release.original):,} {'records' if table else 'transactions'}"
    session.begin(
        text, path.parent, file=path, look={"kind": "table" if table else "transactions", "short": size}
    )
    return None


def _short(seen: Mapping[str, Any]) -> str:
    if seen["kind"] == "table":
        return f"{seen['rows']:,} records, {len(seen['columns'])} columns"
    return f"{seen['rows']:,} transactions, {seen['items']:,} items"


def _started(text: str, seen: Mapping[str, Any]) -> str:
    """Give a proposed scenario what the page begins with: the first form of the data, and a need where there is one."""
    kind = "table" if seen["kind"] == "table" else "transactions"
    form = next(iter(ga.forms(kind).values()))
    changes: dict[str, Any] = {f"knows.0.{name}": value for name, value in form.starts.items()}
    if form.needs:
        changes[f"needs.{form.needs}"] = max(2, seen["rows"] // 100)
    return ga.edit_scenario(text, changes)


async def start(request: Request) -> Response:
    """Show where to begin."""
    page = Page(request)
    fault, request.app.state.fault = request.app.state.fault, None
    if fault:
        return page.draw("error", "data", mistakes=fault, lines=[])
    return page.draw("start", "", **screens.start(page.session))


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
        elif isinstance(named, str) and page.session.may_use(Path(named)) and Path(named).is_file():
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


async def data(request: Request) -> Response:
    """Show what each column or item is."""
    page = Page(request)
    if not page.session.is_open:
        return page.to("")
    page.ask(background=True)
    task = page.engine.ask("describe", text=_readable(page.session), folder=str(page.session.base))
    if not await task.wait(60) or task.state != "done":
        return page.draw(
            "error",
            "data",
            mistakes=task.answer or [{"fact": "The data were not read.", "hint": "try again."}],
            lines=[],
        )
    return page.draw("data", "data", **screens.data(page.session, task.answer), name=page.session.data_name)


def _readable(session: Session) -> str:
    """Return the part of the scenario that says how the data are read."""
    release = {
        name: value
        for name, value in session.values.get("release", {}).items()
        if name
        in (
            "data",
            "kind",
            "separator",
            "header",
            "encoding",
            "missing",
            "item",
            "id",
            "table",
            "query",
            "decimal",
            "classes",
        )
    }
    return ga.edit_scenario("", {"release": release})


async def role(request: Request) -> Response:
    """Give a column a role."""
    page, form = Page(request), await Page(request).form()
    name, wanted = form.get("column", ""), form.get("role", "")
    session = page.session
    release, changes = session.values.get("release", {}), dict[str, Any]()
    for field, kind in (("leave_out", "out"), ("publish_unjudged", "unjudged"), ("sensitive", "sensitive")):
        given = release.get(field, [])
        names = [one for one in ([given] if isinstance(given, str) else given) if one != name]
        names += [name] if wanted == kind else []
        changes[f"release.{field}"] = names or None
    if wanted == "id" or release.get("id") == name:
        changes["release.id"] = name if wanted == "id" else None
    for place, entry in enumerate(session.attackers):
        key = "on" if "on" in entry else "columns"
        known = [one for one in entry.get(key, []) if one != name]
        known += [name] if wanted == "known" else []
        changes[f"knows.{place}.{key}"] = known
    if not changes["release.sensitive"]:
        changes |= {screens.limit_field(session, "attribute"): None}
    session.change(changes)
    return await data(request) if page.part_only else page.to("data")


async def private(request: Request) -> Response:
    """Say which items are private."""
    page = Page(request)
    form = await request.form()
    shown, ticked = {str(one) for one in form.getlist("shown")}, [str(one) for one in form.getlist("private")]
    before = [
        str(one) for one in page.session.values.get("release", {}).get("private", []) if str(one) not in shown
    ]
    names = [*before, *ticked]
    limit = screens.limit_field(page.session, "attribute")
    changes: dict[str, Any] = {"release.private": names}
    if not names:
        changes[limit] = None
    elif (
        page.session.limit("attribute") is None
        and "attribute" in page.session.forms[page.session.attack].tolerates
    ):
        changes[limit] = page.session.forms[page.session.attack].tolerates["attribute"]
    page.session.change(changes)
    return await data(request) if page.part_only else page.to("data")


async def classes(request: Request) -> Response:
    """Put the values of a column into classes, or leave them as they are."""
    page, form = Page(request), await Page(request).form()
    width = form.get("width", "")
    value = int(width) if width.isdigit() and int(width) else width or None
    page.session.change({f"release.classes.{form.get('column', '')}": None if width == "0" else value})
    return await data(request) if page.part_only else page.to("data")


async def question(request: Request) -> Response:
    """Show the question with its answer."""
    page = Page(request)
    if not page.session.is_open:
        return page.to("")
    task = page.ask()
    await task.wait(_WHOLE)
    return page.draw("question", "question", **screens.question(page.session), **_found(page, task))


def _found(page: Page, task: Task) -> dict[str, Any]:
    """Lay out an answer, or how far it has come with the last one dimmed."""
    chosen = int(page.request.query_params.get("who", "0") or 0)
    session = page.session
    if task.state == "done":
        session.shown = task.answer
    shown = task.answer if task.state == "done" else session.shown
    return {
        "answer": None if shown is None else screens.answer(session, shown, chosen=chosen),
        "busy": None
        if task.over
        else (task.progress or {"stage": "getting ready", "done": 0, "total": None}),
        "stopped": task.state == "stopped",
        "wrong": task.answer if task.state == "wrong" else None,
    }


async def ask(request: Request) -> Response:
    """Change the question, and show what is found."""
    page, form = Page(request), await Page(request).form()
    _change(page.session, form)
    task = page.ask()
    await task.wait(_AT_ONCE)
    if "add-limit" in form and page.part_only:
        return HTMLResponse("", headers={"hx-redirect": "question"})
    if not page.part_only:
        return page.to("question")
    return page.part("asked.html.jinja", **screens.question(page.session), **_found(page, task))


def _change(session: Session, form: Mapping[str, str]) -> None:
    """Take the sliders, ticks and numbers of the form for the fields that they stand for."""
    changes: dict[str, Any] = {}
    for name, value in form.items():
        what, _, field = name.partition(":")
        if what == "limit" and value.isdigit():
            places = session.places(field)
            changes[screens.limit_field(session, field)] = places[min(int(value), len(places) - 1)]
        elif what == "strength" and value.isdigit():
            place = int(field)
            asking = session.forms[session.attackers[place]["attack"]]
            changes[f"knows.{place}.{asking.slider}"] = asking.choices[
                min(int(value), len(asking.choices) - 1)
            ].value
        elif what == "need" and value.isdigit():
            changes[field] = int(value)
        elif what == "columns":
            ticked = [column for key, column in form.items() if key.startswith(f"tick:{field}:")]
            changes[f"knows.{field}.columns"] = ticked
        elif what == "add-limit" and value in LIMITS:
            changes[screens.limit_field(session, value)] = screens.usual_limit(session, value)
        elif what == "file":
            changes[_file_field(session, field)] = value or None
    session.change({field: value for field, value in changes.items() if not _is(session, field, value)})


def _is(session: Session, field: str, value: Any) -> bool:
    """Tell whether a field has a value already."""
    now: Any = session.values
    for step in field.split("."):
        now = now[int(step)] if isinstance(now, list) else now.get(step) if isinstance(now, dict) else None
    return bool(now == value or str(now) == str(value))


def _file_field(session: Session, field: str) -> str:
    place, _, name = field.partition(":")
    return name if name.startswith("release.") else f"knows.{place}.{name}"


async def form_chosen(request: Request) -> Response:
    """Publish in another form: the questions begin anew with its attack."""
    page, form = Page(request), await Page(request).form()
    session, wanted = page.session, form.get("form", "")
    if wanted in session.forms and wanted != session.attack:
        asking = session.forms[wanted]
        known = next(
            (
                entry.get("columns", entry.get("on"))
                for entry in session.attackers
                if entry.get("columns") or entry.get("on")
            ),
            None,
        )
        entry: dict[str, Any] = {"attack": wanted, **asking.starts}
        if asking.ticks and known:
            entry["columns"] = known
        has = session.values.get("release", {})
        limits = {
            name: limit
            for name, limit in asking.tolerates.items()
            if name != "attribute" or has.get("private") or has.get("sensitive")
        }
        changes: dict[str, Any] = {"knows": [entry], "tolerates": limits, "needs": None, "protect": None}
        earlier = session.forms.get(session.attack)
        changes |= {f"release.{name}": None for name in (earlier.release if earlier else {})}
        changes |= {f"release.{name}": value for name, value in asking.release.items()}
        session.change(changes)
    return page.to("question")


async def somebody(request: Request) -> Response:
    """Add somebody who might look, or leave somebody out."""
    page, form = Page(request), await Page(request).form()
    attackers = page.session.attackers
    if form.get("remove", "").isdigit() and len(attackers) > 1:
        del attackers[int(form["remove"])]
    elif form.get("add") in page.session.forms:
        asking = page.session.forms[form["add"]]
        entry: dict[str, Any] = {"attack": form["add"], **asking.starts}
        known = next(
            (one.get("columns", one.get("on")) for one in attackers if one.get("columns") or one.get("on")),
            None,
        )
        attackers.append(entry | ({"columns": known} if asking.ticks and known else {}))
    page.session.change({"knows": attackers})
    return page.to("question")


async def answer(request: Request) -> Response:
    """Show what is found, or how far it has come."""
    page = Page(request)
    task = screens.asked(page.session, page.engine)
    if task is None:
        task = page.ask()
    if task.state != "stopped":
        await task.wait(0.5)
    return page.part("answer_and_head.html.jinja", **_found(page, task))


async def remedy(request: Request) -> Response:
    """Show what making it safe would cost."""
    page = Page(request)
    planned = screens.answered(page.session, page.engine)
    if planned is None or planned["told"]["verdict"] != "at risk":
        return HTMLResponse("")
    task = page.ask("protect", background=True)
    await task.wait(0.5)
    if not task.over:
        return page.part("remedy.html.jinja", remedy=None, waiting=True, wrong=None)
    wrong = task.answer if task.state == "wrong" else None
    made = screens.remedy(task.answer) if task.state == "done" else None
    return page.part("remedy.html.jinja", remedy=made, waiting=False, wrong=wrong)


async def result(request: Request) -> Response:
    """Show the safe release: what is kept and withheld, and what other levels would cost."""
    page = Page(request)
    if not page.session.is_open:
        return page.to("")
    task = page.ask("protect")
    await task.wait(_WHOLE)
    if task.state == "done":
        page.session.tried()
    return page.draw("result", "result", **_made(page, task))


def _made(page: Page, task: Task) -> dict[str, Any]:
    made = task.answer if task.state == "done" else None
    tried = None
    if made is not None and page.session.keeps is not None:
        kept = page.engine.known(
            "keep", text=page.session.text, folder=str(page.session.base), item=page.session.keeps
        )
        tried = kept.answer["told"] if kept is not None and kept.state == "done" else None
    return {
        "made": None if made is None else screens.answer(page.session, made),
        "told": None if made is None else made["told"],
        "planned": None if made is None else (made["summary"].get("before") or made["summary"]["findings"]),
        "ladder": screens.ladder(page.session, page.engine) if made is not None else None,
        "busy": None
        if task.over
        else (task.progress or {"stage": "getting ready", "done": 0, "total": None}),
        "stopped": task.state == "stopped",
        "wrong": task.answer if task.state == "wrong" else None,
        "keeps": page.session.keeps,
        "tried": tried,
        "keepable": page.session.attack in page.session.forms and page.session.kind == "transactions",
    }


async def ladder(request: Request) -> Response:
    """Show what each level of safety costs, one level after the other."""
    page = Page(request)
    name = screens.ladder_limit(page.session)
    places = page.session.places(name) if name else ()
    for one in places:
        task = page.ask("protect", screens.texts_at(page.session, one), background=True)
        if not task.over:
            await task.wait(0.6)
            break
    return page.part("ladder.html.jinja", ladder=screens.ladder(page.session, page.engine), here="result")


async def limit(request: Request) -> Response:
    """Choose a level of safety."""
    page, form = Page(request), await Page(request).form()
    name = screens.ladder_limit(page.session)
    if name and form.get("limit") in page.session.places(name):
        page.session.change({screens.limit_field(page.session, name): form["limit"]})
    return page.to("result")


async def keep(request: Request) -> Response:
    """Try out to publish a withheld item after all, or take that back."""
    page, form = Page(request), await Page(request).form()
    item = form.get("item")
    page.session.keeps = item if item != page.session.keeps else None
    if page.session.keeps is not None:
        task = page.engine.ask(
            "keep", text=page.session.text, folder=str(page.session.base), item=page.session.keeps
        )
        await task.wait(30)
    return page.to("result")


async def compare(request: Request) -> Response:
    """Show two of the tries next to each other."""
    page = Page(request)
    numbers = [
        int(found) if (found := request.query_params.get(name, "")).isdigit() else usual
        for name, usual in (("a", 0), ("b", 1))
    ]
    return page.draw("compare", "result", **screens.compare(page.session, page.engine, *numbers))


async def use(request: Request) -> Response:
    """Go on with one of the tries."""
    page, form = Page(request), await Page(request).form()
    number = form.get("number", "")
    tries = [
        text for text in page.session.tries if screens.answered(page.session, page.engine, "protect", text)
    ]
    if number.isdigit() and int(number) < len(tries):
        page.session.put(tries[int(number)])
    return page.to("result")


async def publish(request: Request) -> Response:
    """Show where the release goes."""
    page = Page(request)
    if not page.session.is_open:
        return page.to("")
    task = page.ask("protect")
    await task.wait(_WHOLE)
    made = task.answer if task.state == "done" else None
    return page.draw("publish", "publish", **screens.publish(page.session, made), wrong=None, exists=False)


async def write(request: Request) -> Response:
    """Check and write the release."""
    page, form = Page(request), await Page(request).form()
    session = page.session
    folder = Path(form.get("folder", "")).expanduser()
    folder = folder if folder.is_absolute() else session.base / folder
    made = screens.answered(session, page.engine, "protect")
    if not session.may_use(folder):
        wrong = [
            {
                "fact": "This folder is not one that the page may use.",
                "hint": "name one below the folder it was started in, or start it with --folder DIR.",
            }
        ]
        return page.draw("publish", "publish", **screens.publish(session, made), wrong=wrong, exists=False)
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
    return page.draw("publish", "publish", **screens.publish(session, made), wrong=wrong, exists=exists)


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


async def file(request: Request) -> Response:
    """Show the question as a file, in Python and as a command."""
    page = Page(request)
    name = page.session.name
    python = f'import giveaway as ga\n\nscenario = ga.Scenario.read("{name}")\nfound = scenario.assess()\nsafer = scenario.protect()\nsafer.publish("release")\n'
    command = f"giveaway assess {name}\ngiveaway protect {name} -o release\n"
    forms = {"Scenario file": page.session.text, "Python": python, "Command": command}
    return page.draw("file", "question", forms=forms, name=name)


async def save(request: Request) -> Response:
    """Save the scenario."""
    page, form = Page(request), await Page(request).form()
    session = page.session
    target = session.base / Path(form.get("name") or session.name).name
    if not session.may_use(target) or target.suffix != ".toml":
        return PlainTextResponse("Not found.", 404)
    target.write_text(session.text, encoding="utf-8")
    session.file, session.saved = target, session.text
    return page.to("file")


async def stop(request: Request) -> Response:
    """Stop what is being worked out; the last answer stands, and the question goes back to it."""
    page, form = Page(request), await Page(request).form()
    job = form.get("job", "assess")
    task = screens.asked(page.session, page.engine, job)
    if task is not None and not task.over:
        page.engine.stop(task)
        await task.wait(3)
    if job == "assess":
        done = next(
            (
                text
                for text in reversed(page.session.past)
                if screens.answered(page.session, page.engine, text=text)
            ),
            None,
        )
        if done is not None:
            page.session.put(done)
    return page.to("question")


async def report(request: Request) -> Response:
    """Draw a report in a tab of its own."""
    page = Page(request)
    public = request.query_params.get("edition") == "public"
    task = page.engine.ask("report", text=page.session.text, folder=str(page.session.base), public=public)
    await task.wait(600)
    if task.state != "done":
        return PlainTextResponse("The report could not be drawn.", 500)
    return HTMLResponse(task.answer["html"], headers={"content-security-policy": OF_REPORTS})


async def alive(request: Request) -> Response:
    """Hear that the page is still open."""
    Page(request)
    return PlainTextResponse("")


_GET = {
    "": start,
    "data": data,
    "question": question,
    "answer": answer,
    "remedy": remedy,
    "result": result,
    "ladder": ladder,
    "compare": compare,
    "publish": publish,
    "file": file,
    "report": report,
    "alive": alive,
}
_POST = {
    "open": open_data,
    "role": role,
    "private": private,
    "classes": classes,
    "ask": ask,
    "form": form_chosen,
    "somebody": somebody,
    "limit": limit,
    "keep": keep,
    "use": use,
    "write": write,
    "undo": undo,
    "redo": redo,
    "save": save,
    "stop": stop,
}


def add(app: Starlette, prefix: str) -> None:
    """Add every address of the page, all below one prefix."""
    for path, function in _GET.items():
        app.router.routes.append(Route(f"{prefix}/{path}", function, methods=["GET"]))
    for path, function in _POST.items():
        app.router.routes.append(Route(f"{prefix}/{path}", function, methods=["POST"]))
