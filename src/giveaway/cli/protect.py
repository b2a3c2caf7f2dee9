"""`giveaway protect`: withhold, measure again, write the released files."""

from pathlib import Path
from typing import Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, prepare, run, say, status


def protect(
    subject: options.Subject,
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="The folder for the released files.")
    ],
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="ADDRESS",
            help="Make the release a new table there (duckdb:FILE, postgres://HOST/DATABASE, sc://HOST:PORT); "
            "DIR then holds the manifest.",
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="NAME", help="The name of the new table; none is ever replaced."),
    ] = None,
    knows: options.Knows = None,
    tolerates: options.Tolerates = None,
    settings: options.Settings = None,
    json: options.Json = None,
    html: options.Html = None,
    public_html: options.PublicHtml = None,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            "--ledger",
            metavar="FILE",
            help="Write here, for the owner alone, what undoes codes and order; an owner's file gets one more entry.",
        ),
    ] = None,
    force: options.Force = False,
    exposures: options.Exposures = "100",
    seed: options.Seed = None,
    seconds: options.Seconds = None,
    memory: options.Memory = None,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Withhold as little as can be found, measure again, and write the released files with a manifest."""
    output = Output(
        json=json, html=html, public_html=public_html, exposures=exposures, quiet=quiet, debug=debug
    )

    def command() -> int:
        from giveaway import flow, publish

        publish.check_target(folder.resolve(), force=force)
        publish.check_key(key, folder)
        output.check(folder)
        if to is not None or table is not None:
            from giveaway.sources.engines.loading import destination

            destination(to, table).check()
        scenario = prepare(subject, knows, tolerates, settings, seed=seed, seconds=seconds)
        safer = flow.protect(
            scenario.release,
            scenario.attackers,
            scenario.tolerances,
            need=scenario.needs,
            effort=scenario.effort,
            **scenario.options,
        )
        if safer.safe:
            safer = safer.publish(folder, to=to, table=table, force=force, key=key)
        output.deliver(safer)
        if safer.written and not (output.quiet or output.speaks_json):
            parts = ", ".join(part.within(folder) for part in safer.written)
            say(f"Wrote {parts} and {folder / 'manifest.json'}.")
        return status(safer.safe)

    run(command, output, memory=memory)
