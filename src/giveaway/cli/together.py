"""`giveaway protect --together`: releases for several recipients, planned at once."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from giveaway.cli.running import AT_RISK, CommandAsked, Output, complain, say, screen, status
from giveaway.errors import Mistake, NoSafeRelease, ScenarioError

if TYPE_CHECKING:
    from giveaway.model.question.attacker import Attacker
    from giveaway.model.question.tolerance import Tolerance
    from giveaway.recipients.answer import Recipients
    from giveaway.scenario import Scenario


def protect_several(asked: Sequence[CommandAsked], output: Output, *, format: str | None) -> int:
    """Protect the releases of several scenarios at once, write all of them, and return the exit status."""
    from giveaway import publish
    from giveaway.model.progress import steps
    from giveaway.recipients.planning import protect_together
    from giveaway.sources.other_formats import in_format

    assert output.folder is not None  # noqa: S101 # protect has one
    names = _names(asked)
    if publish.recover(publish.final_place(output.folder)):
        complain(f"An earlier run into {output.folder} was killed; what it left was put in order first.")
    output.check([path for one in asked for path in one.inputs])
    scenarios = dict(zip(names, (one.answerable(output) for one in asked), strict=True))
    attackers, tolerances = _joined(scenarios)
    first = scenarios[names[0]]
    for scenario in scenarios.values():
        if format is not None:
            in_format(scenario.release, format)  # refused before any work is done
    try:
        with steps(3) as work:
            with work.step():
                planned = protect_together(
                    {name: one.release for name, one in scenarios.items()},
                    attackers,
                    tolerances,
                    need=first.needs,
                    effort=first.effort,
                    key=publish.owners_files(output.folder, output.key),
                    facts=None,
                    **first.options,
                )
            planned = _noted(planned, dict(zip(names, asked, strict=True)), scenarios)
            if planned.safe:
                releases = [one.release for one in planned.assessments.values()]
                complain_before_writing(publish.owners_files(output.folder, output.key), releases)
                with work.step("the released files"):
                    planned = planned.publish(output.folder, format=format, key=output.key, **output.reports)
            with work.step("the report"):
                _deliver(planned, output)
    except NoSafeRelease as error:
        _deliver(error.assessment, output)  # type: ignore[arg-type] # errors know nothing of recipients
        return AT_RISK
    if planned.written and not (output.brief or output.quiet or output.speaks_json):
        folders = ", ".join(str(output.folder / name) for name in planned.written)
        say(f"Wrote {folders}, and for you alone {output.key}.")
    return status(planned.safe)


def show_several(saved: dict[str, Any], *, brief: bool) -> None:
    """Print the answer for several recipients, which holds counts and no values of the data."""
    from giveaway.report.terminal import recipients

    about = screen()
    about.pop("values")
    say(recipients.render(saved, quiet=brief, **about))


def _deliver(planned: "Recipients", output: Output) -> None:
    """Write the files that were asked for, unless they stand with the releases already, and print the answer."""
    if planned.written is None:
        planned.write_reports(**output.reports)
    if output.speaks_json:
        say(planned.to_json(exposures=output.listed).removesuffix("\n"))
    elif not output.quiet:
        show_several(planned.to_dict(exposures=0), brief=output.brief)


def _names(asked: Sequence[CommandAsked]) -> list[str]:
    """Name the recipients by their scenario files."""
    if len(asked) == 1:
        raise ScenarioError("--together needs several scenarios.", hint="name one for each recipient.")
    data = next((one for one in asked if one.file is None), None)
    if data is not None:
        raise ScenarioError(
            "--together plans releases of scenario files, and data are named.",
            hint="giveaway init DATA -o FILE.toml writes one for each recipient.",
        )
    names = [one.file.stem for one in asked if one.file is not None]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ScenarioError(
            f"Two scenario files are called {twice}, and would be written to the same place.",
            hint="name each file after its recipient.",
        )
    return names


def _joined(scenarios: Mapping[str, "Scenario"]) -> tuple[tuple["Attacker", ...], tuple["Tolerance", ...]]:
    """Return the attackers of all scenarios, who know the columns of each of them, and what is tolerated.

    The scenarios may name other columns, of those that their own releases show; whatever else differs is refused.
    """
    (first, one), *others = scenarios.items()
    mistakes = [
        Mistake(
            f"{first} and {name} differ in {what}.",
            hint="say the same in both, or protect one after the other.",
        )
        for name, other in others
        for what in _differences(one, other)
    ]
    if mistakes:
        raise ScenarioError(mistakes)
    every = zip(*(scenario.attackers for scenario in scenarios.values()), strict=True)
    return tuple(mine.with_columns_of(theirs) for mine, *theirs in every), one.tolerances


def _differences(one: "Scenario", other: "Scenario") -> list[str]:
    """Name what two scenarios ask differently."""
    many = len(one.attackers)
    if many != len(other.attackers):
        return [f"how many attackers they ask about, {many} and {len(other.attackers)}"]
    names = []
    for number in range(many):
        names += [
            f"{what} of {'the attacker' if many == 1 else f'attacker {number + 1}'}"
            for what in (
                *_unlike(one.attackers[number], other.attackers[number]),
                *_unequal(one.tolerances[number], other.tolerances[number]),
            )
        ]
    names += ["[needs]"] if one.needs != other.needs else []
    return names + (["[protect]"] if one.options != other.options else [])


def _unlike(mine: "Attacker", theirs: "Attacker") -> Sequence[str]:
    if mine.attack != theirs.attack:
        return ["the attack"]
    return mine.differences(theirs)


def _unequal(mine: "Tolerance", theirs: "Tolerance") -> Sequence[str]:
    names = sorted(mine.given | theirs.given)
    return [f"the limit {name}" for name in names if getattr(mine, name) != getattr(theirs, name)]


def _noted(
    planned: "Recipients", asked: dict[str, CommandAsked], scenarios: dict[str, "Scenario"]
) -> "Recipients":
    """Note with each release the scenario that asked for it."""
    from dataclasses import replace

    noted = {}
    for name, one in planned.assessments.items():
        with asked[name].noting(scenarios[name]) as note:
            noted[name] = note(one)
    return replace(planned, assessments=noted)


def complain_before_writing(places: Sequence[Path], releases: Sequence[Any]) -> None:
    """Say before anything is written what its owner must know: that labels may show values of people, and who was released."""
    from giveaway import publish
    from giveaway.model.answer.columns import found_cuts
    from giveaway.model.data.table import Table
    from giveaway.report.wording.under_verdict import found_cuts_line

    tables = (release.original for release in releases if isinstance(release.original, Table))
    cuts = found_cuts_line(list(dict.fromkeys(name for table in tables for name in found_cuts(table))))
    for line in (*cuts, *publish.known_beside(places, releases)):
        complain(line)
