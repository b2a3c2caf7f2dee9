"""The question in a few sentences, and its answer next to it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

import giveaway as ga
from giveaway.page.answers import answered, asked
from giveaway.page.engine import WorkerTask
from giveaway.page.page import AT_ONCE, NEWS, Page, not_allowed, progress, unasked, whole
from giveaway.page.places import is_address
from giveaway.page.session import Session, known_of, sliders
from giveaway.page.steps import findings
from giveaway.page.steps.limits import limit_field, limits, usual_limit
from giveaway.page.steps.ways import ways_to_a_verdict
from giveaway.page.uploads import kept
from giveaway.page.words import spelled

_OF_CLOCK = 18
"""Digits of a number that counts the microseconds of a clock."""


def laid_out(session: Session) -> dict[str, Any]:
    """Lay out the question: what is published, who might look, what is tolerated, what is needed."""
    forms, attackers = session.forms, session.attackers
    return {
        "forms": [(name, form.publishes, name == session.attack) for name, form in forms.items()],
        "people": [_person(session, place, entry) for place, entry in enumerate(attackers)],
        "limits": limits(session),
        "private_says": _private_says(session),
        "need": _need(session),
        "others": [
            (name, form.another)
            for name, form in forms.items()
            if bool(form.release) == bool(forms[session.attack].release)
        ],
    }


def _private_says(session: Session) -> str:
    """Say how much is private or sensitive."""
    if session.kind == "table":
        return f"Sensitive: {', '.join(session.columns_of('sensitive'))}."
    number = len(session.release.get("private", []))
    says = f"{spelled(number).capitalize()} {'item is' if number == 1 else 'items are'} private."
    return session.nouns.told(says) if number else ""


def _person(session: Session, place: int, entry: Mapping[str, Any]) -> dict[str, Any]:
    form = session.forms.get(str(entry["attack"]))
    if form is None:
        return {
            "place": place,
            "says": f"The attack {entry['attack']}, as the file has it.",
            "choices": (),
            "ticks": [],
            "files": [],
        }
    now = entry.get(form.slider, form.starts.get(form.slider)) if form.slider else None
    chosen = next((i for i, choice in enumerate(form.choices) if _same(choice.value, now)), None)
    roles, ticked = session.roles, known_of(entry)
    return {
        "place": place,
        "attack": entry["attack"],
        "says": form.who if chosen is None else form.choices[chosen].says,
        "who": form.who if form.ticks and form.slider else "",
        "slider": form.slider,
        "asks": form.asks,
        "choices": form.choices,
        "chosen": chosen,
        "stated": None if chosen is not None or not form.slider else now,
        "ticks": [
            (name, name in ticked)
            for name, role in roles.items()
            if form.ticks and (role == "known" or (role == "sensitive" and name in ticked))
        ],
        "files": [_file(session, place, field, asked_for) for field, asked_for in form.files.items()],
        "more": _more(entry, form),
    }


def _file(session: Session, place: int, field: str, asked_for: Any) -> dict[str, Any]:
    now = _named(session, place, field)
    return {
        "field": field,
        "address": f"{place}:{field}",
        "asks": asked_for.asks,
        "without": asked_for.without,
        "value": now,
        "choices": _files(session, now),
    }


def _named(session: Session, place: int, field: str) -> str:
    if field.startswith("release."):
        return str(session.release.get(field.removeprefix("release."), ""))
    return str(session.attackers[place].get(field, ""))


def _files(session: Session, now: str) -> list[str]:
    """Return the files with rows that lie next to the data, or where the page was started if those were dropped."""
    endings = [ending for row in ga.formats() if row.form == "columns" for ending in row.endings]
    names = {path.name for path in session.files((session.base, session.home), endings)}
    return sorted({*names, *([now] if now else [])} - {session.data_name})


def _more(entry: Mapping[str, Any], form: Any) -> list[str]:
    """Return the fields of an attacker that the page does not show: they stand in the file."""
    shown = {"attack", "columns", "on", "tolerates", form.slider, *form.files}
    return [name for name in entry if name not in shown]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    try:
        return Fraction(str(one)) == Fraction(str(other))
    except ValueError:
        return str(one) == str(other)


def _need(session: Session) -> dict[str, Any] | None:
    form = session.forms.get(session.attack)
    if form is None or not form.needs:
        return None
    section, _, field = form.needs.partition(".")
    now = session.values.get("needs", {}).get(section, {}).get(field)
    return {"field": f"needs.{form.needs}", "value": now}


async def question(request: Request) -> Response:
    """Show the question with its answer."""
    page = Page(request)
    if first := page.first("question"):
        return first
    task = page.ask()
    await task.wait(page.patience)
    return page.draw("question", "question", **laid_out(page.session), **_answer_laid_out(page, task))


def _answer_laid_out(page: Page, task: WorkerTask) -> dict[str, Any]:
    """Lay out an answer, or how far it has come with the last one dimmed."""
    chosen = page.number("who")
    session = page.session
    if task.state == "done":
        session.shown = session.text, task.answer
    return {
        "answer": session.shown and findings.answer(session, session.shown[1], chosen=chosen),
        "busy": progress(task, "question"),
        "ways": ways_to_a_verdict(session) if _took_too_long(task) else [],
        "stopped": task.state == "stopped",
        "wrong": task.mistakes,
    }


def _took_too_long(task: WorkerTask) -> bool:
    """Tell whether somebody could not be measured in the time allowed."""
    if task.state == "wrong":
        return any(mistake.get("longer") for mistake in task.answer)
    return task.state == "done" and any(one["worst"] is None for one in task.answer["summary"]["findings"])


async def ask(request: Request) -> Response:
    """Change the question, and show what is found."""
    page, form = Page(request), await Page(request).form()
    if "seq" in form:
        seq = whole(form["seq"], _OF_CLOCK)
        if seq < page.session.seq:  # a newer one has overtaken it
            return Response(status_code=204)
        page.session.seq = seq
    _change(page.session, form)
    page = Page(request)
    task = page.ask()
    await task.wait(AT_ONCE)
    if "add-limit" in form and page.part_only:
        return HTMLResponse("", headers={"hx-redirect": "question"})
    if not page.part_only:
        return page.to("question")
    return page.part("asked.html.jinja", **laid_out(page.session), **_answer_laid_out(page, task))


def _change(session: Session, form: Mapping[str, str]) -> None:
    """Take the sliders, ticks and numbers of the form for the fields that they stand for."""
    changes: dict[str, Any] = {}
    people = [_person(session, place, entry) for place, entry in enumerate(session.attackers)]
    for name, value in form.items():
        what, _, field = name.partition(":")
        if what == "limit" and field in sliders():
            places = session.places(field)
            changes[limit_field(session, field)] = places[min(whole(value), len(places) - 1)]
        elif what == "strength" and (person := _at(people, field))["choices"]:
            choices = person["choices"]
            changes[f"knows.{field}.{person['slider']}"] = choices[min(whole(value), len(choices) - 1)].value
        elif what == "need" and (need := _need(session)) and field == need["field"]:
            changes |= {field: whole(value)} if value else {}
        elif what == "columns" and (person := _at(people, field))["ticks"]:
            ticked = {column for key, column in form.items() if key.startswith(f"tick:{field}:")}
            changes[f"knows.{field}.columns"] = [column for column, _ in person["ticks"] if column in ticked]
        elif what == "add-limit" and value in sliders():
            changes[limit_field(session, value)] = usual_limit(session, value)
        elif what == "file":
            _check_field(session, field)
            session.bring(value)
            if value and (is_address(value) or not session.may_use(session.base / value)):
                raise not_allowed()
            changes[_file_field(field)] = value or None
        elif what not in ("tick", "seq"):
            raise unasked()
    session.change({field: value for field, value in changes.items() if not _is(session, field, value)})


def _at(people: Sequence[Mapping[str, Any]], place: str) -> Mapping[str, Any]:
    """Return who stands at a place."""
    if whole(place) >= len(people):
        raise unasked()
    return people[int(place)]


def _check_field(session: Session, field: str) -> None:
    """Refuse a field that names no file that somebody of the page may have."""
    people = [_person(session, place, entry) for place, entry in enumerate(session.attackers)]
    if not any(field == file["address"] for person in people for file in person["files"]):
        raise unasked()


def _is(session: Session, field: str, value: Any) -> bool:
    """Tell whether a field has a value already."""
    now: Any = session.values
    for step in field.split("."):
        now = now[int(step)] if isinstance(now, list) else now.get(step) if isinstance(now, dict) else None
    return bool(now == value or str(now) == str(value))


def _file_field(field: str) -> str:
    place, _, name = field.partition(":")
    return name if name.startswith("release.") else f"knows.{place}.{name}"


async def beside(request: Request) -> Response:
    """Take a file that was chosen on this computer, such as a register, next to the data."""
    page, form = Page(request), await request.form()
    upload, field = form.get("file"), form.get("field")
    if isinstance(upload, UploadFile) and upload.filename and isinstance(field, str):
        _check_field(page.session, field)
        place, _, name = field.partition(":")
        asked, now = page.session.text, page.session.base / _named(page.session, int(place), name)
        path = await kept(upload, page.session, again=now)
        if page.session.text != asked:  # it takes a while to keep much
            return page.refuse_old()
        name = path.name if page.session.is_dropped else str(path)
        page.session.change({_file_field(field): name})
    return page.to("question")


async def form_chosen(request: Request) -> Response:
    """Publish in another form: the questions begin anew with its attack."""
    page, form = Page(request), await Page(request).form()
    session, wanted = page.session, form.get("form", "")
    if wanted in session.forms and wanted != session.attack:
        asking, has = session.forms[wanted], session.release
        limits = {
            name: limit
            for name, limit in asking.tolerates.items()
            if not ga.Tolerance.limits()[name].of_private or has.get("private") or has.get("sensitive")
        }
        entries = [_new_attacker(session, wanted)]
        changes: dict[str, Any] = {"knows": entries, "tolerates": limits, "needs": None, "protect": None}
        earlier = session.forms.get(session.attack)
        changes |= {f"release.{name}": None for name in (earlier.release if earlier else {})}
        changes |= {f"release.{name}": value for name, value in asking.release.items()}
        session.change(changes)
    return page.to("question")


async def somebody(request: Request) -> Response:
    """Add somebody who might look, or leave somebody out."""
    page, form = Page(request), await Page(request).form()
    attackers = page.session.attackers
    if "remove" in form and whole(form["remove"]) < len(attackers) > 1:
        del attackers[int(form["remove"])]
    elif form.get("add") in page.session.forms:
        attackers.append(_new_attacker(page.session, form["add"]))
    page.session.change({"knows": attackers})
    return page.to("question")


def _new_attacker(session: Session, attack: str) -> dict[str, Any]:
    """Return an entry of [[knows]] as an attack begins, with the columns that somebody knows already."""
    asking, known = session.forms[attack], next(filter(None, map(known_of, session.attackers)), None)
    return {"attack": attack, **asking.starts, **({"columns": known} if asking.ticks and known else {})}


async def answer(request: Request) -> Response:
    """Show what is found, or how far it has come."""
    page = Page(request)
    task = asked(page.session, page.engine)
    if task is None:
        task = page.ask()
    if task.state != "stopped":
        await task.wait(NEWS)
    if task is not asked(page.session, page.engine):  # something newer was asked, and shows its own answer
        return page.refuse_old() if page.is_old else Response(status_code=204)
    return page.part("answer_and_head.html.jinja", **_answer_laid_out(page, task))


async def remedy(request: Request) -> Response:
    """Show what making it safe would cost."""
    page = Page(request)
    planned = answered(page.session, page.engine)
    if planned is None or planned["told"]["verdict"] != "at risk":
        return HTMLResponse("")
    task = page.ask("protect", background=True)
    await task.wait(0.5)
    if not task.over:
        return page.part("remedy.html.jinja", remedy=None, waiting=True, wrong=None)
    answer = findings.remedy(task.answer) if task.state == "done" else None
    return page.part("remedy.html.jinja", remedy=answer, waiting=False, wrong=task.mistakes)
