"""What each screen of the page shows, worked out from the session and from what the worker has answered."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from markupsafe import Markup

from giveaway.page import drawing
from giveaway.page.engine import Engine, Task
from giveaway.page.session import LIMITS, Session, at

STEPS = (("data", "Data"), ("question", "Question"), ("result", "Result"), ("publish", "Publish"))
ROLES = (
    ("id", "Names the person"),
    ("known", "Others may know it"),
    ("sensitive", "Sensitive"),
    ("unjudged", "Publish, not judged"),
    ("out", "Leave out"),
)
READABLE = (".dat", ".txt", ".csv", ".tsv", ".parquet", ".jsonl", ".ndjson", ".gz", ".toml")
_LIMIT_SAYS = {
    "identity": "Everybody hides among at least {crowd}.",
    "attribute": "Nobody guesses {what} with more than {percent}.",
    "average": "At most {percent} are recognised, on average.",
}
_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def spelled(number: int) -> str:
    """Write small numbers as words."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def percent(limit: str) -> str:
    """Write a limit as a part of a hundred."""
    return f"{float(100 * Fraction(limit)):.3g} %"


def crowd(limit: str) -> int:
    """Return how many somebody hides among at a limit."""
    found = Fraction(limit)
    return -(-found.denominator // found.numerator)


def asked(session: Session, engine: Engine, job: str = "assess", text: str | None = None) -> Task | None:
    """Return the task about the scenario as it stands, if there is one."""
    arguments: dict[str, Any] = {"text": text or session.text, "folder": str(session.base)}
    if job == "protect":
        arguments["key"] = None
    return engine.known(job, **arguments)


def answered(
    session: Session, engine: Engine, job: str = "assess", text: str | None = None
) -> dict[str, Any] | None:
    """Return the answer about the scenario as it stands, if there is one."""
    task = asked(session, engine, job, text)
    return task.answer if task is not None and task.state == "done" else None


def head(session: Session, engine: Engine, here: str) -> dict[str, Any]:
    """Lay out the head: the four steps, each with its state in words."""
    planned, made = answered(session, engine), answered(session, engine, "protect")
    said = {name: "" for name, _ in STEPS}
    if session.is_open:
        said["data"] = str(session.look.get("short") or session.data_name)
        said["question"] = f"{planned['summary']['verdict']} as planned" if planned else "not measured yet"
        said["result"] = _held(made)
        said["publish"] = "written and checked" if is_written(session) else "not written"
    return {
        "here": here,
        "steps": [(name, title, said[name]) for name, title in STEPS],
        "open": session.is_open,
        "file": session.name if session.is_open else "",
        "unsaved": session.text != session.saved,
        "undo": bool(session.past),
        "redo": bool(session.future),
    }


def _held(made: Mapping[str, Any] | None) -> str:
    if made is None:
        return ""
    if made["told"]["no_safe_release"]:
        return "no safe release"
    fact = next((fact for fact in made["told"]["facts"] if fact["title"] == "You withhold"), None)
    return f"{fact['head']} withheld" if fact else "nothing withheld"


def is_written(session: Session) -> bool:
    """Tell whether the scenario as it stands was published."""
    return session.written is not None and session.written[0] == session.text


def start(session: Session) -> dict[str, Any]:
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


def data(session: Session, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Lay out what each column or item is, and what readers will see."""
    if session.kind == "table":
        roles = roles_of(session)
        columns = [
            column | {"role": roles.get(column["name"]), "bars": _bars(column["counts"])}
            for column in shown["columns"]
        ]
        bare = [column["name"] for column in columns if column["role"] is None]
        gone = {name for name, role in roles.items() if role in ("id", "out")}
        return {
            "kind": "table",
            "columns": columns,
            "roles": ROLES,
            "bare": bare,
            "rows": shown["rows"],
            "gone": gone,
            "sensitive": {name for name, role in roles.items() if role == "sensitive"},
            "classes": session.values.get("release", {}).get("classes", {}),
            "total": shown["total"],
        }
    private = set(map(str, session.values.get("release", {}).get("private", [])))
    most = max((count for _, count in shown["items"]), default=1)
    return {
        "kind": "transactions",
        "items": [
            (label, count, label in private, max(2, round(60 * count / most)))
            for label, count in shown["items"]
        ],
        "items_total": shown["items_total"],
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


def roles_of(session: Session) -> dict[str, str]:
    """Return the role of each column that has one."""
    release = session.values.get("release", {})
    found = {
        name: "known" for entry in session.attackers for name in entry.get("columns", entry.get("on", []))
    }
    for field, role in (("leave_out", "out"), ("publish_unjudged", "unjudged"), ("sensitive", "sensitive")):
        names = release.get(field, [])
        found |= dict.fromkeys([names] if isinstance(names, str) else names, role)
    if release.get("id"):
        found[release["id"]] = "id"
    return found


def question(session: Session) -> dict[str, Any]:
    """Lay out the question: what is published, who might look, what is tolerated, what is needed."""
    forms, attackers = session.forms, session.attackers
    return {
        "forms": [(name, form.publishes, name == session.attack) for name, form in forms.items()],
        "people": [_person(session, place, entry) for place, entry in enumerate(attackers)],
        "limits": _limits(session),
        "need": _need(session),
        "others": [
            (
                name,
                f"Add somebody else: {form.asks.lower()}"
                if form.slider
                else "Add somebody else: columns known",
            )
            for name, form in forms.items()
            if bool(form.release) == bool(forms[session.attack].release)
        ],
    }


def _person(session: Session, place: int, entry: Mapping[str, Any]) -> dict[str, Any]:
    form = session.forms.get(str(entry["attack"]))
    if form is None:
        return {
            "place": place,
            "says": f"The attack {entry['attack']}, as the file has it.",
            "choices": (),
            "ticks": [],
        }
    now = entry.get(form.slider, form.starts.get(form.slider)) if form.slider else None
    chosen = next((i for i, choice in enumerate(form.choices) if _same(choice.value, now)), None)
    known = [name for name, role in roles_of(session).items() if role in ("known", "sensitive")]
    ticked = entry.get("columns", entry.get("on", []))
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
            (name, name in ticked) for name in known if name in ticked or roles_of(session)[name] == "known"
        ]
        if form.ticks
        else [],
        "files": [
            {"field": field, "what": what, "value": _named(session, place, field)}
            for field, what in form.files.items()
        ],
        "more": _more(entry, form),
    }


def _named(session: Session, place: int, field: str) -> str:
    if field.startswith("release."):
        return str(session.values.get("release", {}).get(field.removeprefix("release."), ""))
    return str(session.attackers[place].get(field, ""))


def _files(session: Session, now: str) -> list[str]:
    """Return the files with rows that lie next to the data."""
    found = {
        path.name
        for path in session.base.iterdir()
        if path.is_file() and path.suffix.lower() in (".csv", ".tsv", ".parquet")
    }
    return sorted({*found, *([now] if now else [])} - {session.data_name})


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


def limit_field(session: Session, name: str) -> str:
    """Return where a limit is written: with the first attacker that has its own, else for all."""
    for place, entry in enumerate(session.attackers):
        if name in entry.get("tolerates", {}):
            return f"knows.{place}.tolerates.{name}"
    return f"tolerates.{name}"


def usual_limit(session: Session, name: str) -> str:
    """Return where a limit begins that was not given yet."""
    forms = [session.forms.get(str(entry["attack"])) for entry in session.attackers]
    return next(
        (form.tolerates[name] for form in forms if form is not None and name in form.tolerates),
        LIMITS[name][0],
    )


def _limits(session: Session) -> list[dict[str, Any]]:
    wanted: dict[str, str] = {}
    for entry in session.attackers:
        form = session.forms.get(str(entry["attack"]))
        wanted |= {} if form is None else dict(form.tolerates)
    release = session.values.get("release", {})
    private = bool(release.get("private") or release.get("private_from") or release.get("sensitive"))
    found = []
    for name, usual in wanted.items():
        if name == "attribute" and not private:
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
        found.append(
            {
                "name": name,
                "field": limit_field(session, name),
                "now": now,
                "usual": usual,
                "places": [(_mark(name, one), one) for one in places],
                "at": at(places, now),
                "says": limit_says(session, name, now or usual),
                "words": [limit_says(session, name, one) for one in places],
                "small": _limit_small(name, now),
            }
        )
    return found


def limit_says(session: Session, name: str, limit: str) -> str:
    """Write a limit as a sentence."""
    what = "a sensitive value" if session.kind == "table" else "a private item"
    return _LIMIT_SAYS[name].format(crowd=spelled(crowd(limit)), percent=percent(limit), what=what)


def _limit_small(name: str, limit: str | None) -> str:
    if limit is None:
        return "Not limited yet."
    if name == "identity":
        return (
            f"{limit.replace('/', ' in ')}, a chance of {percent(limit)}, is the most that anybody may have."
        )
    return ""


def _mark(name: str, limit: str) -> str:
    return str(crowd(limit)) if name == "identity" else percent(limit)


def _need(session: Session) -> dict[str, Any] | None:
    form = session.forms.get(session.attack)
    if form is None or not form.needs:
        return None
    section, _, field = form.needs.partition(".")
    now = session.values.get("needs", {}).get(section, {}).get(field)
    return {"field": f"needs.{form.needs}", "value": now}


def answer(session: Session, answer_of: Mapping[str, Any], *, chosen: int = 0) -> dict[str, Any]:
    """Lay out what was measured, of the attacker that is chosen."""
    told, summary = answer_of["told"], answer_of["summary"]
    place = min(chosen, len(told["attackers"]) - 1)
    attacker, finding = told["attackers"][place], summary["findings"][place]
    single = len(told["attackers"]) == 1
    title = (
        attacker["says"] if single and told["verdict"] == "at risk" and attacker["says"] else told["title"]
    )
    return {
        "verdict": told["verdict"],
        "title": title,
        "lead": [line for line in told["lead"] if line != title],
        "warnings": told["warnings"],
        "not_judged": told["not_judged"],
        "measured": attacker["row"]["measured"],
        "people": [] if single else [one["row"] for one in told["attackers"]],
        "chosen": place,
        "worked": attacker["worked"],
        "exposures": attacker["exposures"],
        "total": finding["exposures_total"],
        "charts": charts(session, attacker["charts"], finding),
        "reasons": finding["reasons"] if finding["safe"] is None else [],
        "refused": told["no_safe_release"],
        "seconds": answer_of["seconds"],
    }


def charts(
    session: Session, drawn: Sequence[Mapping[str, Any]], finding: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the charts of a report, the first with its limit to be dragged where it is one of the sliders'."""
    made = [dict(chart) | {"drawing": Markup(chart["drawing"])} for chart in drawn]  # noqa: S704 # the report's own
    curve = next(
        (curve for curve in finding.get("curves", []) if curve["name"] == "chances" and curve["x"]), None
    )
    name = next(
        (name for name in ("identity", "attribute") if finding["tolerance"].get(name) is not None), None
    )
    if made and curve and curve.get("limit") and name and finding["tolerance"][name] == curve["limit"]:
        words = limit_says(session, name, str(finding["tolerance"].get(f"{name}_exact") or curve["limit"]))
        made[0]["drawing"] = drawing.with_grip(
            drawn[0]["drawing"], curve["limit"], max(curve["x"]), name, words
        )
    return made


def remedy(made: Mapping[str, Any]) -> dict[str, Any]:
    """Lay out what making it safe would cost."""
    told = made["told"]
    facts = {fact["title"]: fact["head"] for fact in told["facts"]}
    return {
        "refused": told["no_safe_release"],
        "withhold": facts.get("You withhold"),
        "keep": facts.get("You keep"),
        "verdict": told["verdict"],
    }


def ladder_limit(session: Session) -> str | None:
    """Return the limit whose levels are tried: the first that is given."""
    return next((name for name in ("identity", "attribute", "average") if session.limit(name)), None)


def ladder(session: Session, engine: Engine) -> dict[str, Any]:
    """Lay out what each level of safety costs, as far as it is known."""
    name = ladder_limit(session)
    if name is None:
        return {"drawing": None, "levels": [], "waiting": 0, "says": ""}
    places, now = session.places(name), session.limit(name)
    levels, waiting = [], 0
    for one in places:
        text = texts_at(session, one)
        task = asked(session, engine, "protect", text)
        made = task.answer if task is not None and task.state == "done" else None
        waiting += made is None and not (task is not None and task.state == "wrong")
        levels.append(
            _level(session, name, one, made, chosen=now is not None and Fraction(now) == Fraction(one))
        )
    axis = "everybody hides among at least this many" if name == "identity" else "at most this chance"
    shown = sorted(levels, key=lambda level: level.crowd)
    return {
        "drawing": drawing.ladder(shown, axis),
        "levels": shown,
        "waiting": waiting,
        "name": name,
        "says": _next_costs(shown),
    }


def texts_at(session: Session, limit: str) -> str:
    """Return the scenario at another limit."""
    import giveaway as ga

    name = ladder_limit(session)
    return (
        session.text if name is None else ga.edit_scenario(session.text, {limit_field(session, name): limit})
    )


def _level(
    session: Session, name: str, limit: str, made: Mapping[str, Any] | None, *, chosen: bool
) -> drawing.Level:
    kept = None
    withheld = ""
    if made is not None and made["told"]["verdict"] == "safe":
        first = next(iter(made["told"]["kept"]), None)
        kept = 1.0 if first is None or not first["total"] else first["kept"] / first["total"]
        fact = next(
            (fact["head"] for fact in made["told"]["facts"] if fact["title"] == "You withhold"), "nothing"
        )
        withheld = str(fact)
    size = float(crowd(limit)) if name == "identity" else float(1 / Fraction(limit))
    return drawing.Level(
        limit=limit, crowd=size, mark=_mark(name, limit), kept=kept, withheld=withheld, chosen=chosen
    )


def _next_costs(levels: Sequence[drawing.Level]) -> str:
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


def compare(session: Session, engine: Engine, first: int, second: int) -> dict[str, Any]:
    """Lay out two of the tries next to each other."""
    tries = [(text, made) for text in session.tries if (made := answered(session, engine, "protect", text))]
    if len(tries) < 2:  # noqa: PLR2004 # two to compare
        return {"tries": [], "rows": []}
    first, second = min(first, len(tries) - 1), min(second, len(tries) - 1)
    rows = [_side(*tries[place]) for place in (first, second)]
    return {
        "tries": [(i, _try_says(made)) for i, (_, made) in enumerate(tries)],
        "a": first,
        "b": second,
        "rows": [(name, rows[0][name], rows[1][name], rows[0][name] != rows[1][name]) for name in rows[0]],
        "verdicts": [rows[0]["Verdict"], rows[1]["Verdict"]],
    }


def _try_says(made: Mapping[str, Any]) -> str:
    finding = made["summary"]["findings"][0]
    limits = ", ".join(
        f"{name} {value}"
        for name, value in finding["tolerance"].items()
        if name.endswith("_exact")
        for name in [name.removesuffix("_exact")]
    )
    return f"{finding['knows']}; {limits}"


def _side(_text: str, made: Mapping[str, Any]) -> dict[str, str]:
    told, summary = made["told"], made["summary"]
    facts = {fact["title"]: fact["head"] for fact in told["facts"]}
    finding = summary["findings"][0]
    limits = [
        f"{name.removesuffix('_exact')} {value}"
        for name, value in finding["tolerance"].items()
        if name.endswith("_exact")
    ]
    return {
        "Verdict": told["verdict"],
        "Who looks": "; ".join(str(one["knows"]) for one in summary["findings"]),
        "Tolerated": ", ".join(limits),
        "You keep": facts.get("You keep", "everything"),
        "You withhold": facts.get("You withhold", "nothing"),
        "It breaks when": facts.get("It breaks when", facts.get("It breaks", "")),
    }


def publish(session: Session, made: Mapping[str, Any] | None) -> dict[str, Any]:
    """Lay out where the release goes, and what was written."""
    written = session.written[1] if is_written(session) and session.written else None
    return {
        "ready": made is not None and made["told"]["verdict"] == "safe",
        "folder": str(session.base / "release"),
        "written": written and written["summary"]["written"],
        "told": made and made["told"],
        "command": f"giveaway protect {session.name} -o release --html owner-report.html",
        "scenario": session.name,
    }
