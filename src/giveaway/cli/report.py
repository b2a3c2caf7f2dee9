"""`giveaway report`: draw a saved assessment again, or say what changed between two."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, run, say, show
from giveaway.errors import ScenarioError


def report(
    saved: Annotated[Path, typer.Argument(metavar="SAVED.json", help="An assessment saved with --json.")],
    newer: Annotated[
        Path | None, typer.Argument(metavar="NEW.json", help="A later one, to be compared.")
    ] = None,
    as_: options.As = None,
    html: options.Html = None,
    public_html: options.PublicHtml = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Draw a saved assessment again; with two, say what changed. Leaves with 0 once it is drawn."""
    output = Output(
        html=html, public_html=public_html, force=force, readings=as_ or (), quiet=quiet, debug=debug
    )

    def command() -> int:
        from giveaway.publish import EVERYBODYS, OWNERS, Text, write_texts
        from giveaway.report import saved as files
        from giveaway.report.html import document as page
        from giveaway.report.terminal import compare
        from giveaway.report.wording.readings import has_readings

        names = output.names
        if newer is not None and (html is not None or public_html is not None):
            raise ScenarioError(
                "A page shows one assessment, not what changed between two.",
                hint="leave --html out, or NEW.json.",
            )
        output.check([path for path in (saved, newer) if path is not None])
        old = files.read(saved)
        if newer is not None:
            new = files.read(newer)
            with files.drawing(newer):
                text = compare.render(old, new, values=sys.stdout.isatty())
            say(text)
            return 0
        if names and not any(map(has_readings, old["findings"])):
            raise ScenarioError(
                f"{saved} has no readings.", hint="assess a table against an attacker who looks people up."
            )
        pages = []
        with files.drawing(saved):
            if html is not None:
                pages.append(
                    Text(path=html, text=page.render(old, edition="owner"), mode=OWNERS, replaces=force)
                )
            if public_html is not None:
                pages.append(
                    Text(
                        path=public_html,
                        text=page.render(old, edition="public"),
                        mode=EVERYBODYS,
                        replaces=force,
                    )
                )
            show(old, quiet=quiet, names=names)
        write_texts(pages)
        return 0

    run(command, output)
