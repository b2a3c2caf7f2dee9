"""`giveaway explain`: what an attacker knows, what is measured, every field, and the words of the glossary."""

from typing import Annotated

import typer

from giveaway.cli.running import Output, run, say


def explain(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ATTACK|WORD|presets]", help="An attack, a word of the papers, or presets of limits."
        ),
    ] = None,
) -> None:
    """Tell what an attacker knows, what is measured, the fields of a scenario and its paper; or what a word means."""

    def command() -> int:
        from giveaway.scenario import explained

        say(explained(" ".join(words) if words else None))
        return 0

    run(command, Output(heading="Not known"))
