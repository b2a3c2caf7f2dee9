"""`giveaway open`: the local page."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from giveaway import ScenarioError


def open_page(
    subject: Annotated[
        Path | None,
        typer.Argument(metavar="[DATA|SCENARIO]", help="A data file or a scenario file to begin with."),
    ] = None,
    folders: Annotated[
        list[Path] | None,
        typer.Option(
            "--folder", metavar="DIR", help="A further folder in which files may be read and written."
        ),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any that is free.")] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, and open nothing.")
    ] = False,
) -> None:
    """Ask by clicking: a local page, from a dropped file to a checked release. Nothing leaves this computer."""
    from giveaway.cli.running import Output, run, say

    def command() -> int:
        missing = [name for name in ("starlette", "uvicorn", "multipart") if find_spec(name) is None]
        if missing:
            raise ScenarioError(
                "The page needs libraries that are not installed.", hint='pip install "giveaway[page]".'
            )
        for folder in folders or ():
            if not folder.is_dir():
                raise ScenarioError(f"--folder {folder} is not a folder.", hint="name one that is there.")
        if subject is not None and not str(subject).isprintable():  # no page can be made of what is no text
            raise ScenarioError(f"{subject} cannot be shown on a page.", hint="give the file another name.")
        from giveaway.page.server import serve

        serve(subject, folders or [], port=port, browser=not no_browser, say=say)
        return 0

    run(command, Output())
