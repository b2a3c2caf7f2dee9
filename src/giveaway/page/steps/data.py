"""What each column or item is, and what readers will see."""

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

import giveaway as ga
from giveaway.page.answers import answered
from giveaway.page.page import Page, unasked, whole
from giveaway.page.places import is_address
from giveaway.page.session import FIELD_ROLES, Session
from giveaway.page.steps.limits import limit_field, limits_of_private
from giveaway.page.worker import READING

ROLES = (
    ("id", "Names the person"),
    ("known", "Others may know it"),
    ("sensitive", "Sensitive"),
    ("unjudged", "Publish, not judged"),
    ("out", "Leave out"),
)
_MOST_ITEMS = 200


def laid_out(session: Session, shown: Mapping[str, Any], find: str = "") -> dict[str, Any]:
    """Lay out what each column or item is, and what readers will see."""
    if session.kind == "table":
        roles = session.roles
        columns = [
            column | {"role": roles.get(column["name"]), "bars": _bars(column["counts"])}
            for column in shown["columns"]
        ]
        bare = [column["name"] for column in columns if column["role"] is None]
        gone = [column["name"] for column in columns if column["role"] in (None, "id", "out")]
        return {
            "kind": "table",
            "columns": columns,
            "roles": ROLES,
            "bare": bare,
            "rows": shown["rows"],
            "gone": gone,
            "shown": [column["name"] for column in columns if column["name"] not in gone],
            "sensitive": {name for name, role in roles.items() if role == "sensitive"},
            "classes": session.release.get("classes", {}),
            "total": shown["total"],
        }
    private = set(map(str, session.release.get("private", [])))
    most = max((count for _, count in shown["items"]), default=1)
    items = [
        (label, count) for label, count in shown["items"] if find.lower() in label.lower() or label in private
    ]
    return {
        "kind": "transactions",
        "items": [
            (label, count, label in private, max(2, round(60 * count / most)))
            for label, count in items[:_MOST_ITEMS]
        ],
        "items_found": len(items),
        "items_total": len(shown["items"]),
        "find": find,
        "private": private,
        "rows": [[(label, label in private) for label in row] for row in shown["rows"]],
        "total": shown["total"],
    }


def _bars(counts: Sequence[int]) -> list[tuple[float, float, float]]:
    """Return the bars of a small picture of 92 by 22: place, height and width."""
    most, wide = max(counts, default=1), 92 / max(1, len(counts))
    return [
        (round(i * wide, 2), round(max(1.5, 21 * n / most), 1), round(max(0.5, wide - 1), 2))
        for i, n in enumerate(counts)
    ]


async def data(request: Request) -> Response:
    """Show what each column or item is."""
    page = Page(request)
    if first := page.first("data"):
        return first
    task = page.ask("describe", _readable(page.session))
    await task.wait(page.patience)
    if not task.over:
        return page.busy(task, "data", f"Counting {page.session.data_name}.", news="data", back="")
    if task.state != "done":
        return page.draw(
            "error",
            "data",
            mistakes=task.answer or [{"fact": "The data were not read.", "hint": "try again."}],
            lines=[],
        )
    page.ask(background=True)
    return page.draw(
        "data",
        "data",
        **laid_out(page.session, task.answer, request.query_params.get("find", "")),
        name=page.session.data_name,
    )


def _readable(session: Session) -> str:
    """Return the part of the scenario that says how the data are read."""
    release = {
        name: value
        for name, value in session.release.items()
        if name in (*READING, "data", "kind", "item", "id", "classes")
    }
    if is_address(str(release.get("data", ""))):  # rows of a database are named, whatever role the column has
        release.setdefault("id", next(iter(session.look.get("ids", ())), None))
    return ga.edit_scenario("", {"release": release | ({"kind": "table"} if session.kind == "table" else {})})


def _column(page: Page, name: str) -> str:
    """Return the name of a column of the data."""
    counted = answered(page.session, page.engine, "describe", _readable(page.session)) or {}
    if name not in {column["name"] for column in counted.get("columns", ())}:
        raise unasked()
    return name


async def role(request: Request) -> Response:
    """Give a column a role."""
    page, form = Page(request), await Page(request).form()
    name, wanted = _column(page, form.get("column", "")), form.get("role", "")
    session = page.session
    if wanted not in ("", *dict(ROLES)):
        raise unasked()
    changes: dict[str, Any] = {}
    for field, kind in FIELD_ROLES.items():
        names = [one for one in session.columns_of(field) if one != name]
        names += [name] if wanted == kind else []
        changes[f"release.{field}"] = names or None
    if wanted == "id" or session.release.get("id") == name:
        changes["release.id"] = name if wanted == "id" else None
    for place, entry in enumerate(session.attackers):
        key = "on" if "on" in entry else "columns"
        known = [one for one in entry.get(key, []) if one != name]
        known += [name] if wanted == "known" else []
        changes[f"knows.{place}.{key}"] = known
    if not changes["release.sensitive"]:
        changes |= {limit_field(session, name): None for name in limits_of_private()}
    session.change(changes)
    return await data(request) if page.part_only else page.to("data")


def _items(page: Page) -> list[tuple[str, int]]:
    """Return the items of the data, each with how often it occurs."""
    counted = answered(page.session, page.engine, "describe", _readable(page.session)) or {}
    return list(counted.get("items", ()))


async def private(request: Request) -> Response:
    """Say which items are private."""
    page = Page(request)
    form = await request.form()
    shown, ticked = {str(one) for one in form.getlist("shown")}, [str(one) for one in form.getlist("private")]
    if not {*shown, *ticked} <= {label for label, _ in _items(page)}:
        raise unasked()
    before = [str(one) for one in page.session.release.get("private", []) if str(one) not in shown]
    names = [*before, *ticked]
    changes: dict[str, Any] = {"release.private": names}
    form_of = page.session.forms.get(page.session.attack)
    usual = {} if form_of is None else form_of.tolerates
    for name in limits_of_private():
        if not names:
            changes[limit_field(page.session, name)] = None
        elif page.session.limit(name) is None and name in usual:
            changes[limit_field(page.session, name)] = usual[name]
    page.session.change(changes)
    return await data(request) if page.part_only else page.to("data")


async def classes(request: Request) -> Response:
    """Put the values of a column into classes, or leave them as they are."""
    page, form = Page(request), await Page(request).form()
    field = f"release.classes.{_column(page, form.get('column', ''))}"
    page.session.change({field: whole(form.get("width", "")) or None})
    return await data(request) if page.part_only else page.to("data")


async def effect(request: Request) -> Response:
    """Say what classes of a column would do, once it is measured."""
    page = Page(request)
    column, width = _column(page, request.query_params.get("column", "")), page.number("width")
    value = width or None
    task = page.ask(
        text=ga.edit_scenario(page.session.text, {f"release.classes.{column}": value}), background=True
    )
    await task.wait(0.5)
    effects = task.answer["told"]["attackers"][0]["row"]["planned_says"] if task.state == "done" else ""
    return page.part(
        "effect.html.jinja", here="data", said=effects, waiting=not task.over, column=column, width=width
    )


async def words(request: Request) -> Response:
    """Call rows and items as their owner does."""
    page, form = Page(request), await Page(request).form()
    nouns = {name: form[name].strip() for name in ("row", "item") if form.get(name, "").strip()}
    ours = {"row": "record" if page.session.kind == "table" else "transaction", "item": "item"}
    wanted = {name: noun for name, noun in nouns.items() if noun != ours[name]}
    try:
        ga.Nouns.of(wanted)
    except ga.ScenarioError as error:
        mistakes = [{"fact": one.fact, "exists": one.exists, "hint": one.hint} for one in error.mistakes]
        return page.draw("error", "data", mistakes=mistakes, lines=[])
    page.session.change({"release.words": wanted or None})
    return page.to("data")
