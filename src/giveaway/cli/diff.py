"""`giveaway diff`: what differs between two releases, or between two saved assessments."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import AT_RISK, CANNOT_JUDGE, SAFE, Output, complain, run, say, screen

if TYPE_CHECKING:
    from giveaway.releases.difference import Difference

_WHAT = "The folder of a release, its manifest.json, or a saved assessment (.json)."


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help=_WHAT)],
    new: Annotated[Path, typer.Argument(metavar="NEW", help=_WHAT)],
    ledger: Annotated[
        Path | None,
        typer.Option(
            "--ledger", "--key", metavar="FILE", help="The owner's file, which knows whose rows they are."
        ),
    ] = None,
    id_: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="A column of both by which their rows are paired."),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Leave with 1 if NEW shows what OLD hides or exposes somebody newly, with 2 if that is not known.",
        ),
    ] = False,
    public: Annotated[
        bool, typer.Option("--public", help="Tell counts only: no values, no names, no row numbers.")
    ] = False,
    json: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write what differs as JSON; - is standard output."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write what differs as a page.")
    ] = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Say what differs between two releases, or two saved assessments. Leaves with 0 once it is said, unless --strict."""
    output = Output(json=json, html=html, force=force, quiet=quiet, debug=debug)

    def command() -> int:
        from giveaway.releases.diff import diff as compare
        from giveaway.report.saved import drawing

        output.check([old, new, *([] if ledger is None else [ledger])])
        difference = compare(old, new, ledger=ledger, id=id_)
        with drawing(old, new):
            text = (
                difference.to_json(public=public)
                if output.speaks_json
                else difference.to_text(public=public, **screen())
            )
            _write(difference, output, public=public)
        if output.speaks_json or not quiet:
            say(text.removesuffix("\n"))
        return _status(difference) if strict else SAFE

    run(command, output)


def _write(difference: "Difference", output: Output, *, public: bool) -> None:
    from giveaway.publish import EVERYBODYS, OWNERS, Text, write_texts

    mode, texts = EVERYBODYS if public else OWNERS, []
    if output.json is not None and not output.speaks_json:
        texts.append((Path(output.json), difference.to_json(public=public)))
    if output.html is not None:
        texts.append((output.html, difference.to_html(public=public)))
    write_texts([Text(path=path, text=text, mode=mode, replaces=output.force) for path, text in texts])


def _status(difference: "Difference") -> int:
    """Return the exit status under --strict: what is not known is no promise."""
    if difference.shows_more is None:
        complain("It is not known whether NEW shows what OLD hides.")
        return CANNOT_JUDGE
    return AT_RISK if difference.shows_more else SAFE
