"""`giveaway explain`: what an attacker knows, what is measured, and every field."""

from typing import Annotated

import typer

from giveaway.cli.running import Output, run, say


def explain(
    attack: Annotated[
        str | None,
        typer.Argument(metavar="[ATTACK|presets]", help="The attack to explain, or presets of limits."),
    ] = None,
) -> None:
    """Tell what an attacker knows, what is measured, the fields of a scenario and the paper behind it."""

    def command() -> int:
        from giveaway.scenario import explained

        say(explained(attack))
        return 0

    run(command, Output())
