"""`giveaway explore`: look at something of a paper on your own data, without a verdict."""

import json as json_
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, asked, run, say, screen

if TYPE_CHECKING:
    from giveaway.papers.paper import Explorer

_MARK = "explore."
_ANY = {"identity": "999/1000"}
"""A limit for questions that are about none."""
_MOST = 20


def explore(
    thing: Annotated[
        str | None,
        typer.Argument(metavar="[THING]", help="What to look at; without one: list what there is."),
    ] = None,
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="[SCENARIO|DATA]", help="A scenario file (.toml), or a data file with --knows."
        ),
    ] = None,
    knows: options.Knows = None,
    tolerates: options.Tolerates = None,
    settings: options.Settings = None,
    json: options.Json = None,
    force: options.Force = False,
    debug: options.Debug = False,
) -> None:
    """Look at what stands behind a verdict in the papers: borders, crack space, simulation, least risk, R-graph. Judges nothing."""
    output = Output(json=json, force=force, debug=debug, heading="No answer")

    def command() -> int:
        from giveaway.errors import ScenarioError
        from giveaway.papers.table import PAPERS

        known = {name: (one, paper.attack) for paper in PAPERS for name, one in paper.explores.items()}
        if thing is None:
            say("\n".join(f"{name:14} {attack.name:12} {one.says}" for name, (one, attack) in known.items()))
            return 0
        if thing not in known:
            raise ScenarioError(f"There is nothing called {thing} to explore.", exists=", ".join(known))
        explorer, attack = known[thing]
        if subject is None:
            raise ScenarioError(
                f"Nothing says of which data {thing} is.", hint=f"giveaway explore {thing} SCENARIO.toml"
            )
        options = _options([one for one in settings or () if one.startswith(_MARK)], explorer)
        question = asked(
            subject, knows, tolerates, [one for one in settings or () if not one.startswith(_MARK)]
        )
        if not explorer.judged:
            question.values["tolerates"] = _ANY
        scenario = question.answerable(output)
        places = [place for place, one in enumerate(scenario.attackers) if one.attack == attack.name]
        if not places:
            raise ScenarioError(f"{thing} is of the attack {attack.name}, which no attacker is.")
        need = next((one for one in _several(scenario.needs) if isinstance(one, attack.needs)), None)
        results = explorer.finds(
            scenario.release, scenario.attackers[places[0]], scenario.tolerances[places[0]], need, **options
        )
        _deliver(thing, results, output)
        return 0

    run(command, output)


def _several(needs: Any) -> tuple[Any, ...]:
    return tuple(needs) if isinstance(needs, tuple | list) else (needs,)


def _options(settings: list[str], explorer: "Explorer") -> dict[str, Any]:
    """Read the options of what is looked at."""
    from giveaway.errors import ScenarioError
    from giveaway.scenario import overridden
    from giveaway.scenario.words import value_of

    options = overridden({}, settings).get("explore", {})
    unknown = next((name for name in options if name not in explorer.options), None)
    if unknown is not None:
        there = "; ".join(f"{name}: {says}" for name, says in explorer.options.items())
        raise ScenarioError(f"There is no option {_MARK}{unknown}.", exists=there or "none")
    for name in explorer.lists & options.keys():
        value = options[name]
        options[name] = [value_of(part) for part in value.split(",")] if isinstance(value, str) else [value]
    return dict(options)


def _deliver(thing: str, results: Mapping[str, Any], output: Output) -> None:
    """Write what was found; values of the data only to a terminal or where a file was named."""
    from giveaway.model.answer.plain import plain
    from giveaway.publish import EVERYBODYS, Text, write_texts

    explored = {"explored": thing} | plain(results)
    text = json_.dumps(explored, ensure_ascii=False, indent=1)
    if output.speaks_json:
        say(text)
        return
    if output.json is not None:
        write_texts([Text(path=Path(output.json), text=f"{text}\n", mode=EVERYBODYS, replaces=output.force)])
    say(explored["says"])
    if screen()["values"]:
        say("\n".join(_lines(explored)))
    elif output.json is None:
        say("  values are not printed here; write them with --json FILE")


def _lines(results: Mapping[str, Any]) -> Iterator[str]:
    for name, value in results.items():
        if name in ("says", "explored") or name.endswith("_exact"):
            continue
        parts = value if isinstance(value, list) else list(value.items()) if isinstance(value, dict) else None
        if parts is None:
            yield f"  {name.replace('_', ' ')}: {value}"
            continue
        yield f"  {name.replace('_', ' ')}: {len(parts):,}"
        yield from (f"    {_short(part)}" for part in parts[:_MOST])
        if len(parts) > _MOST:
            yield f"    {len(parts) - _MOST:,} more: --json FILE"


def _short(part: Any) -> str:
    if isinstance(part, dict):
        return ", ".join(
            f"{name} {_short(value)}" for name, value in part.items() if not name.endswith("_exact")
        )
    if isinstance(part, tuple):
        return f"{part[0]}: {_short(part[1])}"
    between = "; " if isinstance(part, list) and any(isinstance(one, list | dict) for one in part) else " "
    return between.join(map(_short, part)) if isinstance(part, list) else str(part)
