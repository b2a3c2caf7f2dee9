"""What is tolerated, as sliders."""

from typing import Any

import giveaway as ga
from giveaway.page.session import Session, at, sliders
from giveaway.page.words import limit_mark, limit_says, limit_small


def limit_field(session: Session, name: str) -> str:
    """Return where a limit is written: with the first attacker that has its own, else for all."""
    for place, entry in enumerate(session.attackers):
        if name in entry.get("tolerates", {}):
            return f"knows.{place}.tolerates.{name}"
    return f"tolerates.{name}"


def limits_of_private() -> list[str]:
    """Name the limits that are about what is private or sensitive."""
    return [name for name, row in ga.Tolerance.limits().items() if row.of_private]


def usual_limit(session: Session, name: str) -> str:
    """Return where a limit begins that was not given yet."""
    forms = [session.forms.get(str(entry["attack"])) for entry in session.attackers]
    usual = [form.tolerates[name] for form in forms if form is not None and name in form.tolerates]
    return str([*usual, sliders()[name].places[0]][0])


def limits(session: Session) -> list[dict[str, Any]]:
    """Lay out the sliders of the limits that the attackers can be judged by."""
    wanted: dict[str, str] = {}
    for entry in session.attackers:
        form = session.forms.get(str(entry["attack"]))
        wanted |= {} if form is None else dict(form.tolerates)
    release = session.release
    private = bool(release.get("private") or release.get("private_from") or release.get("sensitive"))
    rows = []
    for name, usual in wanted.items():
        of_private = ga.Tolerance.limits()[name].of_private
        if of_private and not private:
            continue
        now = session.limit(name) or next(
            (
                str(entry["tolerates"][name])
                for entry in session.attackers
                if name in entry.get("tolerates", {})
            ),
            None,
        )
        places = session.places(name)
        rows.append(
            {
                "name": name,
                "field": limit_field(session, name),
                "now": now,
                "usual": usual,
                "places": [(limit_mark(name, one), one) for one in places],
                "at": at(places, now),
                "says": limit_says(session, name, now or usual),
                "words": [limit_says(session, name, one) for one in places],
                "small": limit_small(name, now),
                "of_private": of_private,
            }
        )
    return rows
