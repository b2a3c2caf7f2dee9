"""`giveaway init`: look at the data and write a scenario file to edit."""

from pathlib import Path
from typing import Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, run


def init(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The data to be released.")],
    scenario: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The scenario file; default: DATA's name with .toml."
        ),
    ] = None,
    force: options.Force = False,
    debug: options.Debug = False,
) -> None:
    """Look at the data and write a commented scenario file to edit."""

    def command() -> int:
        from giveaway.errors import NotWritten
        from giveaway.publish import write_text
        from giveaway.scenario import propose
        from giveaway.sources import look

        target = scenario or Path(f"{data.name.split('.')[0]}.toml")
        if target.exists() and not force:
            raise NotWritten(
                f"{target} exists and was left alone.", hint="another -o FILE, or --force to replace it."
            )
        seen = look(data)
        write_text(target, propose(seen, data, target))
        print(f"{seen.says}\nWrote {target}: edit it, then run\n  giveaway assess {target}")
        return 0

    run(command, Output(debug=debug))
