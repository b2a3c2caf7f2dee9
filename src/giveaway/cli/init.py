"""`giveaway init`: look at the data and write a scenario file to edit."""

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, run, say
from giveaway.errors import ScenarioError, WrongQuestion


class Kind(StrEnum):
    """What the data are, or what is published of them."""

    table = "table"
    transactions = "transactions"
    rules = "rules"
    supports = "supports"


def init(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The data to be released.")],
    scenario: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The scenario file; default: DATA's name with .toml."
        ),
    ] = None,
    kind: Annotated[
        Kind | None,
        typer.Option(
            "--kind",
            help="A table of which rows are published, transactions, a table of which rules are published, or supports "
            "of items; guessed between the first two when left out.",
        ),
    ] = None,
    separator: Annotated[
        str | None,
        typer.Option("--separator", metavar="SIGN", help="Between the columns; sniffed when left out."),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", metavar="NAME", help="Of a text file; guessed when left out.")
    ] = None,
    missing: Annotated[
        list[str] | None,
        typer.Option(
            "--missing",
            metavar="WORD",
            help="Marks a gap, as an empty field does. May be repeated; else guessed.",
        ),
    ] = None,
    hierarchies: Annotated[
        Path | None,
        typer.Option(
            "--hierarchies",
            metavar="DIR",
            help="Write the ladders that are proposed as files into this folder, to edit; they hold values of the data.",
        ),
    ] = None,
    force: options.Force = False,
    debug: options.Debug = False,
) -> None:
    """Look at the data and write a commented scenario file to edit."""
    target = scenario or Path(f"{data.name.split('.')[0]}.toml")
    output = Output(others={"-o": target}, force=force, debug=debug)

    def command() -> int:
        from giveaway.publish import EVERYBODYS, OWNERS, Text, write_texts
        from giveaway.scenario.proposal.propose import ladder_files, propose_form, propose_supports, remarks
        from giveaway.sources import look

        output.check([data])
        with _told_as_options():
            seen = look(
                data,
                kind=None if kind is None else "transactions" if kind == Kind.transactions else "table",
                separator="\t" if separator == "\\t" else separator,
                encoding=encoding,
                missing=missing,
            )
        if kind == Kind.supports:
            text = propose_supports(seen, data, target)
        else:
            text = propose_form(seen, data, target, rules=kind == Kind.rules, hierarchies=hierarchies)
        ladders = {} if hierarchies is None else ladder_files(seen, data, hierarchies)
        if hierarchies is not None and ladders:
            hierarchies.mkdir(parents=True, exist_ok=True)
        files = [Text(path=file, text=lines, mode=OWNERS, replaces=force) for file, lines in ladders.items()]
        write_texts([*files, Text(path=target, text=text, mode=EVERYBODYS, replaces=force)])
        say("\n".join([seen.says, *remarks(seen)]))
        say(f"Wrote {target}: edit it, then run\n  giveaway assess {shlex.quote(str(target))}")
        return 0

    run(command, output)


@contextmanager
def _told_as_options() -> Iterator[None]:
    """Write what hints say of fields as options of this command, which has no scenario file yet."""
    try:
        yield
    except WrongQuestion as error:
        mistakes = [
            replace(
                mistake,
                hint=re.sub(r'\b(encoding|separator|kind) = "([^"]*)"', r'--\1 "\2"', mistake.hint or ""),
            )
            for mistake in error.mistakes
        ]
        raise ScenarioError(mistakes) from None
