"""`giveaway protect`: withhold, measure again, write the released files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, asked, complain, run, say, status
from giveaway.cli.together import complain_before_writing, protect_several
from giveaway.sources.formats import names_described

if TYPE_CHECKING:
    from giveaway.model.data.origin import Destination


def protect(
    subjects: options.Subjects,
    folder: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="The folder for the released files; with --together for a folder of each recipient.",
        ),
    ],
    together: Annotated[
        bool,
        typer.Option(
            "--together",
            help="Plan the releases of several scenario files at once, for recipients who may collude: each is a release for "
            "the recipient that its file is named after, and all are written or none.",
        ),
    ] = False,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help=f"Of the released file: {names_described()}; that of the data when left out.",
        ),
    ] = None,
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
    preset: options.Preset = None,
    settings: options.Settings = None,
    earlier: options.Before = None,
    json: options.Json = None,
    html: options.Html = None,
    public_html: options.PublicHtml = None,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            "--ledger",
            metavar="FILE",
            help="Keep here, for the owner alone, what is drawn; an owner's file gets one more entry. DIR.owner.json when left out.",
        ),
    ] = None,
    force: options.Force = False,
    exposures: options.Exposures = "100",
    seed: options.Seed = None,
    seconds: options.Seconds = None,
    memory: options.Memory = None,
    brief: options.Brief = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Withhold as little as can be found, measure again, and write the released files with a manifest."""
    from giveaway.publish import owners_files

    places = owners_files(folder, key)
    output = Output(
        json=json,
        html=html,
        public_html=public_html,
        folder=folder,
        key=places[0],
        database=_database(to),
        force=force,
        exposures=exposures,
        memory=memory,
        brief=brief,
        quiet=quiet,
        debug=debug,
    )

    def command() -> int:
        from giveaway import publish
        from giveaway.model.progress import steps
        from giveaway.sources.other_formats import in_format

        if together:
            _refuse_tables(to or table, earlier)
            several = [
                asked(one, knows, tolerates, settings, preset=preset, seed=seed, seconds=seconds)
                for one in subjects
            ]
            return protect_several(several, output, format=format)
        subject = _only(subjects)
        into = _destination(to, table)
        if publish.recover(publish.final_place(folder), into):
            complain(f"An earlier run into {folder} was killed; what it left was put in order first.")
        question = asked(
            subject, knows, tolerates, settings, preset=preset, earlier=earlier, seed=seed, seconds=seconds
        )
        scenario = question.answerable(output)
        if into is not None:
            into.check()
        if format is not None:
            in_format(scenario.release, format)  # refused before any work is done
        with steps(3) as work:
            with question.noting(scenario) as noted, work.step():
                safer = noted(scenario.protect(key=places))
            if safer.safe:
                complain_before_writing(places, [safer.release])
                with work.step("the released files"):
                    safer = safer.publish(
                        folder, format=format, to=to, table=table, key=key, **output.reports
                    )
            output.deliver(safer)
        if safer.written and not (brief or quiet or output.speaks_json):
            parts = ", ".join(part.within(folder) for part in safer.written)
            say(f"Wrote {parts} and {folder / 'manifest.json'}, and for you alone {output.key}.")
        return status(safer.safe)

    run(command, output)


def _only(subjects: list[str]) -> str:
    from giveaway.errors import ScenarioError

    if len(subjects) > 1:
        raise ScenarioError(
            f"{len(subjects)} scenarios are named, and a release is of one.",
            hint="--together plans releases for several recipients at once; else protect one after the other.",
        )
    return subjects[0]


def _refuse_tables(table: str | None, earlier: list[str] | None) -> None:
    from giveaway.errors import ScenarioError
    from giveaway.model.release.same_people import ONE_BY_ONE

    if table is not None:
        raise ScenarioError(
            "--to and --table are of one release, and --together writes files.", hint="leave them out."
        )
    if earlier:
        raise ScenarioError("--together plans releases that come after no others.", hint=ONE_BY_ONE)


def _destination(to: str | None, table: str | None) -> "Destination | None":
    if to is None and table is None:
        return None
    from giveaway.sources.elsewhere import engines

    return engines("A new table").destination(to, table, None)


def _database(to: str | None) -> Path | None:
    """Return the file that a table is added to, if it is one."""
    from giveaway.errors import ScenarioError
    from giveaway.sources.address import address

    try:
        place = None if to is None else address(to, Path())
    except ScenarioError:
        return None  # told when the table is looked for
    return None if place is None else place.path
