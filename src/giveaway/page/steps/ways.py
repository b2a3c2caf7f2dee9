"""What would help where there is no verdict or no safe release: each way is a button, with what it would do."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

import giveaway as ga
from giveaway.page.answers import answered, fact
from giveaway.page.page import Page, unasked
from giveaway.page.session import Session

_LONGER = 10


def ways_out(session: Session, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Lay out what would make a safe release possible: what the refusal says, and half of what is needed."""
    refused = answer["no_safe_release"]
    ways = [_way(says, changes) for says, changes in zip(refused["helps"], refused["changes"], strict=True)]
    named = [name for changes in refused["changes"] for change in changes for name in change]
    for section, needs in session.values.get("needs", {}).items():
        for field, number in needs.items() if isinstance(needs, dict) else ():
            name = f"needs.{section}.{field}"
            if isinstance(number, int) and number > 1 and name not in named:
                ways.append(_way("Ask for half of what is needed now.", [{name: number // 2}]))
    return ways


def ways_to_a_verdict(session: Session) -> list[dict[str, Any]]:
    """Lay out what helps where measuring took too long: more time, or weaker attackers."""
    seconds = session.values.get("effort", {}).get("seconds", 600)
    ways = [_way("Allow ten times as long.", [{"effort.seconds": seconds * _LONGER}])]
    for place, entry in enumerate(session.attackers):
        form = session.forms.get(str(entry["attack"]))
        values = [choice.value for choice in form.choices] if form is not None else []
        now = values.index(entry[form.slider]) if form and entry.get(form.slider) in values else 0
        if form is not None and now:
            weaker = form.choices[now - 1]
            ways.append(
                _way(
                    f"Ask about somebody weaker. {weaker.says}",
                    [{f"knows.{place}.{form.slider}": weaker.value}],
                )
            )
    return ways


def ways_to_decide(finding: Mapping[str, Any], place: int) -> list[dict[str, Any]]:
    """Lay out the question that the recipe of a paper says may rather be asked."""
    decision = finding.get("decision")
    if not decision:
        return []
    return [
        _way(decision["says"], [{f"knows.{place}.{name}": to for name, to in decision["fields"].items()}])
    ]


def _way(says: str, changes: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "says": says,
        "choices": [
            {
                "label": ", ".join(_label(name, value) for name, value in change.items()),
                "set": json.dumps(change),
            }
            for change in changes
        ],
    }


def _label(name: str, value: Any) -> str:
    if value is None:
        return f"Drop {name}"
    if name == "effort.seconds":
        return f"Allow {value:g} s"
    return f"Use {name} = {', '.join(map(str, value)) if isinstance(value, list) else value}"


def _changes(page: Page, wanted: str) -> dict[str, Any]:
    """Read what a button changes; anything that no button of the page holds is refused."""
    answer, ways = answered(page.session, page.engine, "protect"), ways_to_a_verdict(page.session)
    if answer is not None and answer["told"]["no_safe_release"]:
        ways = ways + ways_out(page.session, answer["told"])
    planned = answered(page.session, page.engine)
    for place, finding in enumerate(planned["summary"]["findings"] if planned is not None else ()):
        ways = ways + ways_to_decide(finding, place)
    if wanted not in [choice["set"] for way in ways for choice in way["choices"]]:
        raise unasked()
    changes: dict[str, Any] = json.loads(wanted)
    return changes


async def change(request: Request) -> Response:
    """Change the question as a button says."""
    page, form = Page(request), await Page(request).form()
    page.session.change(_changes(page, form.get("set", "")))
    return page.to("result" if form.get("here") == "result" else "question")


async def attempt(request: Request) -> Response:
    """Say what a change would do, once the release with it was made."""
    page, wanted = Page(request), request.query_params.get("set", "")
    changes = _changes(page, wanted)
    task = page.ask("protect", ga.edit_scenario(page.session.text, changes), background=True)
    await task.wait(0.5)
    does = _does(task.answer) if task.state == "done" else ""
    return page.part("attempt.html.jinja", here="result", set=wanted, waiting=not task.over, said=does)


def _does(answer: Mapping[str, Any]) -> str:
    if answer["told"]["verdict"] != "safe":
        return "That is not enough."
    withheld, kept = fact(answer, "You withhold", "nothing"), fact(answer, "You keep", "everything")
    return f"Safe then: {withheld} withheld, {kept} kept."
