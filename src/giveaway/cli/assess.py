"""`giveaway assess`: measure and judge."""

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, asked, run, status
from giveaway.masking import masked

if TYPE_CHECKING:
    from giveaway.nearby_limits import Rung
    from giveaway.scenario import Scenario


def assess(
    subject: options.Subject,
    knows: options.Knows = None,
    tolerates: options.Tolerates = None,
    preset: options.Preset = None,
    settings: options.Settings = None,
    earlier: options.Before = None,
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
    brief: options.Brief = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Measure what each attacker learns and judge it: SAFE, AT RISK or CANNOT JUDGE."""
    output = Output(
        asked=_asked(subject, knows, tolerates, preset, settings, earlier),
        json=json,
        html=html,
        public_html=public_html,
        force=force,
        exposures=exposures,
        readings=as_ or (),
        memory=memory,
        brief=brief,
        quiet=quiet,
        debug=debug,
    )

    def command() -> int:
        from giveaway.model.progress import steps

        question = asked(
            subject, knows, tolerates, settings, preset=preset, earlier=earlier, seed=seed, seconds=seconds
        )
        scenario = question.answerable(output)
        with steps(3 if suggest else 2) as work, question.noting(scenario) as noted:
            with work.step():
                assessment = noted(scenario.assess())
            if suggest:
                with work.step():
                    assessment = replace(assessment, suggestions=_suggestions(scenario))
            output.deliver(assessment)
        return status(assessment.safe)

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


def _asked(
    subject: str,
    knows: list[str] | None,
    tolerates: list[str] | None,
    preset: str | None,
    settings: list[str] | None,
    earlier: list[str] | None,
) -> str:
    """Return what was asked, as another command can ask it again."""
    words = [subject]
    words += [word for text in knows or () for word in ("--knows", text)]
    words += [word for text in tolerates or () for word in ("--tolerates", text)]
    words += ["--preset", preset] if preset is not None else []
    words += [word for text in settings or () for word in ("--set", text)]
    words += [word for text in earlier or () for word in ("--earlier", text)]
    return masked(shlex.join(words))
