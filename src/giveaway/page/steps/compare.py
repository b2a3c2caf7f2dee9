"""Two tries next to each other."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from giveaway.page.answers import answered, fact
from giveaway.page.engine import Engine
from giveaway.page.page import Page, unasked
from giveaway.page.session import Session


def laid_out(session: Session, engine: Engine, first: int, second: int) -> dict[str, Any]:
    """Lay out two of the tries next to each other."""
    tries = [(text, shown) for text in session.tries if (shown := answered(session, engine, "protect", text))]
    if len(tries) < 2:  # noqa: PLR2004 # two to compare
        return {"tries": [], "rows": []}
    first, second = min(first, len(tries) - 1), min(second, len(tries) - 1)
    rows = [_side(tries[place][1]) for place in (first, second)]
    held = [_withheld(tries[place][1]) for place in (first, second)]
    for side, own, other in zip(rows, held, held[::-1], strict=True):
        if own or other:
            side["Withheld here only"] = ", ".join(label for label in own if label not in other) or "nothing"
    return {
        "tries": [
            (i, "; ".join([(side := _side(shown))["Who looks"], side["Tolerated"]]))
            for i, (_, shown) in enumerate(tries)
        ],
        "a": first,
        "b": second,
        "names": [_named(tries[place][0]) for place in (first, second)],
        "rows": [(name, rows[0][name], rows[1][name], rows[0][name] != rows[1][name]) for name in rows[0]],
        "says": _says(*rows),
    }


def _side(answer: Mapping[str, Any]) -> dict[str, str]:
    says, findings = answer["told"], answer["summary"]["findings"]
    limits = {
        f"{name.removesuffix('_exact')} {value}": None
        for finding in findings
        for name, value in finding["tolerance"].items()
        if name.endswith("_exact")
    }
    return {
        "Who looks": "; ".join(str(one["knows"]) for one in findings),
        "Tolerated": ", ".join(limits),
        "As planned": "; ".join(str(one["row"]["planned_says"]) for one in says["attackers"]),
        "After withholding": says["verdict"],
        "You keep": fact(answer, "You keep", "everything"),
        "You withhold": fact(answer, "You withhold", "nothing"),
        "It breaks when": fact(answer, "It breaks when", fact(answer, "It breaks")),
    }


def _withheld(answer: Mapping[str, Any]) -> list[str]:
    """Return what is withheld, as far as it is named."""
    held = answer["told"]["withheld"]
    return [entry["label"] for entry in held["entries"]] if held and not held["columns"] else []


def _says(first: Mapping[str, str], second: Mapping[str, str]) -> str:
    """Say in a sentence what is kept and withheld otherwise."""
    verbs = {"You keep": "keeps", "You withhold": "withholds"}
    parts = [
        f"{verb} {second[name]} instead of {first[name]}"
        for name, verb in verbs.items()
        if first[name] != second[name]
    ]
    return f"B {' and '.join(parts)}." if parts else "Both keep and withhold the same."


async def compare(request: Request) -> Response:
    """Show two of the tries next to each other."""
    page = Page(request)
    return page.draw(
        "tries", "result", **laid_out(page.session, page.engine, page.number("a"), page.number("b", 1))
    )


async def use(request: Request) -> Response:
    """Go on with one of the tries."""
    page, form = Page(request), await Page(request).form()
    text = next((text for text in page.session.tries if _named(text) == form.get("name")), None)
    if text is None:
        raise unasked()
    page.session.put(text)
    return page.to("result")


def _named(text: str) -> str:
    """Name a try by what it asks: others come and go before it."""
    return sha256(text.encode()).hexdigest()
