"""The safe release: what is kept and withheld, and what other levels of safety would cost."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

import giveaway as ga
from giveaway.page import drawing
from giveaway.page.answers import asked, fact
from giveaway.page.engine import Engine, WorkerTask
from giveaway.page.page import Page
from giveaway.page.session import Session, sliders
from giveaway.page.steps import findings
from giveaway.page.steps.limits import limit_field
from giveaway.page.steps.ways import ways_out
from giveaway.page.words import crowd, limit_mark


def ladder_limit(session: Session) -> str | None:
    """Return the limit whose levels are tried: the first that is given."""
    return next((name for name in sliders() if session.limit(name)), None)


def ladder_laid_out(session: Session, engine: Engine) -> dict[str, Any]:
    """Lay out what each level of safety costs, as far as it is known."""
    name = ladder_limit(session)
    if name is None:
        return {"drawing": None, "levels": [], "waiting": 0, "says": ""}
    places, now = session.places(name), session.limit(name)
    levels, waiting = [], 0
    for one in places:
        text = texts_at(session, one)
        task = asked(session, engine, "protect", text)
        answer = None if task is None else task.done
        waiting += answer is None and not (task is not None and task.state == "wrong")
        levels.append(_level(name, one, answer, chosen=now is not None and Fraction(now) == Fraction(one)))
    shown = sorted(levels, key=lambda level: level.crowd)
    return {
        "drawing": drawing.ladder(shown, sliders()[name].axis),
        "levels": shown,
        "waiting": waiting,
        "name": name,
        "says": _next_costs(shown),
    }


def texts_at(session: Session, limit: str) -> str:
    """Return the scenario at another limit."""
    name = ladder_limit(session)
    return (
        session.text if name is None else ga.edit_scenario(session.text, {limit_field(session, name): limit})
    )


def _level(name: str, limit: str, answer: Mapping[str, Any] | None, *, chosen: bool) -> drawing.SafetyLevel:
    kept, withheld = None, ""
    if answer is not None and answer["told"]["verdict"] == "safe":
        first = next(iter(answer["told"]["kept"]), None)
        kept = 1.0 if first is None or not first["total"] else first["kept"] / first["total"]
        withheld = fact(answer, "You withhold", "nothing")
    size = float(crowd(limit)) if ga.Tolerance.limits()[name].in_crowds else float(1 / Fraction(limit))
    return drawing.SafetyLevel(
        limit=limit, crowd=size, mark=limit_mark(name, limit), kept=kept, withheld=withheld, chosen=chosen
    )


def _next_costs(levels: Sequence[drawing.SafetyLevel]) -> str:
    """Say what the next level of safety would cost."""
    place = next((i for i, level in enumerate(levels) if level.chosen), None)
    if place is None or levels[place].kept is None:
        return ""
    here = levels[place]
    after = next((level for level in levels[place + 1 :] if level.kept is not None), None)
    if after is None:
        return ""
    lost = (here.kept or 0) - (after.kept or 0)
    return (
        f"The next step, {after.mark}, costs nothing more."
        if lost <= 0
        else f"The next step, {after.mark}, keeps {100 * (after.kept or 0):.1f} %."
    )


async def result(request: Request) -> Response:
    """Show the safe release: what is kept and withheld, and what other levels would cost."""
    page = Page(request)
    if first := page.first("result"):
        return first
    task = asked(page.session, page.engine, "protect")
    if task is None or task.state != "done":  # what follows from it may be under way
        task = page.ask("protect")
    await task.wait(page.patience)
    if not task.over:
        return page.busy(task, "result", "Looking for what to withhold.", news="result")
    if task.state == "done":
        page.session.tried()
    keeps = page.session.keeps
    kept = None if keeps is None else page.ask("keep", item=keeps)
    if kept is not None:
        await kept.wait(page.patience)
        if not kept.over:
            return page.busy(kept, "result", f"Trying it out with {keeps}.", news="result")
    return page.draw("result", "result", **_laid_out(page, task, kept))


def _laid_out(page: Page, task: WorkerTask, kept: WorkerTask | None) -> dict[str, Any]:
    shown, tried = task.done, None if kept is None else kept.done
    return {
        "made": shown and findings.answer(page.session, shown, movable=False),
        "told": shown and shown["told"],
        "planned": shown and (shown["summary"].get("before") or shown["summary"]["findings"]),
        "ladder": shown and ladder_laid_out(page.session, page.engine),
        "ways": ways_out(page.session, shown["told"]) if shown and shown["told"]["no_safe_release"] else [],
        "stopped": task.state == "stopped",
        "wrong": task.mistakes,
        "keeps": page.session.keeps,
        "tried": tried and tried["told"],
        "must_stay": _must_stay(page.session),
        "stated": page.session.release.get("withheld") is not None,
        "keepable": page.session.attack in page.session.forms and page.session.kind == "transactions",
    }


async def ladder(request: Request) -> Response:
    """Show what each level of safety costs, one level after the other."""
    page = Page(request)
    name = ladder_limit(page.session)
    places = page.session.places(name) if name else ()
    for one in places:
        task = page.ask("protect", texts_at(page.session, one), background=True)
        if not task.over:
            await task.wait(0.6)
            break
    return page.part("ladder.html.jinja", ladder=ladder_laid_out(page.session, page.engine), here="result")


async def limit(request: Request) -> Response:
    """Choose a level of safety."""
    page, form = Page(request), await Page(request).form()
    name = ladder_limit(page.session)
    if name and form.get("limit") in page.session.places(name):
        page.session.change({limit_field(page.session, name): form["limit"]})
    return page.to("result")


async def keep(request: Request) -> Response:
    """Try out to publish a withheld item after all, or take that back."""
    page, form = Page(request), await Page(request).form()
    item = form.get("item")
    page.session.try_out(item if item != page.session.keeps else None)
    return page.to("result")


async def insist(request: Request) -> Response:
    """Keep an item for sure, and look for another way; or no longer."""
    page, form = Page(request), await Page(request).form()
    item, now = form.get("item", ""), _must_stay(page.session)
    wanted = [one for one in now if one != item] if item in now else [*now, item]
    page.session.change({"needs.items": {"keep": wanted} if wanted else None})
    return page.to("result")


async def as_tried(request: Request) -> Response:
    """Release what was tried out: what is withheld in it is stated, and judged as stated."""
    page = Page(request)
    session = page.session
    kept = None if session.keeps is None else page.ask("keep", item=session.keeps)
    if kept is not None and kept.state == "done" and kept.answer["summary"]["verdict"] == "safe":
        session.put(kept.answer["text"])
    return page.to("result")


async def as_planned(request: Request) -> Response:
    """Take back what was stated as withheld already."""
    page = Page(request)
    page.session.change({"release.withheld": None})
    return page.to("result")


def _must_stay(session: Session) -> list[str]:
    """Return the items that are kept for sure."""
    return [str(one) for one in session.values.get("needs", {}).get("items", {}).get("keep", [])]
