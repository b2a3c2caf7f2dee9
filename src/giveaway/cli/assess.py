"""`giveaway assess`: measure and judge."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, asked, run, status

if TYPE_CHECKING:
    from giveaway.nearby_limits import Rung
    from giveaway.scenario import Scenario


def assess(
    subject: options.Subject,
    knows: options.Knows = None,
    tolerates: options.Tolerates = None,
    preset: options.Preset = None,
    settings: options.Settings = None,
    suggest: Annotated[
        bool,
        typer.Option(
            "--suggest", help="Protect for nearby limits too, and say what each costs; writes nothing."
        ),
    ] = False,
    as_: options.As = None,
    json: options.Json = None,
    html: options.Html = None,
    public_html: options.PublicHtml = None,
    force: options.Force = False,
    exposures: options.Exposures = "100",
    seed: options.Seed = None,
    seconds: options.Seconds = None,
    memory: options.Memory = None,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Measure what each attacker learns and judge it: SAFE, AT RISK or CANNOT JUDGE."""
    output = Output(
        json=json,
        html=html,
        public_html=public_html,
        force=force,
        exposures=exposures,
        readings=as_ or (),
        memory=memory,
        quiet=quiet,
        debug=debug,
    )

    def command() -> int:
        from giveaway import flow

        question = asked(subject, knows, tolerates, settings, preset=preset, seed=seed, seconds=seconds)
        scenario = question.answerable(output)
        with question.noting(scenario) as noted:
            found = noted(
                flow.assess(
                    scenario.release,
                    scenario.attackers,
                    scenario.tolerances,
                    need=scenario.needs,
                    effort=scenario.effort,
                )
            )
        if suggest:
            found = replace(found, suggestions=_suggestions(scenario))
        output.deliver(found)
        return status(found.safe)

    run(command, output)


def _suggestions(scenario: "Scenario") -> "tuple[Rung, ...]":
    from giveaway.nearby_limits import ladder

    return ladder(
        scenario.release,
        scenario.attackers,
        scenario.tolerances,
        need=scenario.needs,
        effort=scenario.effort,
        **scenario.options,
    )
