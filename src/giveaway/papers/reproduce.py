"""`giveaway reproduce`: run a paper's examples, tables and figures again."""

from pathlib import Path
from typing import Annotated

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, run, say


def reproduce(
    paper: Annotated[
        str | None,
        typer.Argument(metavar="[PAPER]", help="A paper: 000 to 004, the name of its attack, or all."),
    ] = None,
    figure: Annotated[
        str | None,
        typer.Argument(metavar="[FIGURE]", help='One of its examples, tables or figures, as in "5a".'),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", help="A folder with the data sets of the paper."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Draw the figures too, next to the paper's numbers."),
    ] = None,
    force: options.Force = False,
    debug: options.Debug = False,
) -> None:
    """Run the examples, tables and figures of a paper again, next to what it prints. Without one: list them."""
    output = Output(html=html, force=force, debug=debug, heading="Not run")

    def command() -> int:
        from giveaway._version import __version__
        from giveaway.errors import ScenarioError
        from giveaway.papers import running
        from giveaway.papers.reporting import lines, page
        from giveaway.publish import EVERYBODYS, Text, write_texts

        if paper is None:
            say(
                lines.listing(
                    (one.number, one.attack.says.paper, one.studies()) for one in running.in_order()
                )
            )
            return 0
        if data is not None and not data.is_dir():
            raise ScenarioError(f"{data} is not a folder.", hint="name the folder that holds the data sets.")
        papers = running.in_order() if paper == "all" else [running.paper_of(paper)]
        if len(papers) > 1 and (figure is not None or html is not None):
            raise ScenarioError(
                "A figure, and a page with --html, are of one paper.", hint="name it instead of all."
            )
        output.check([])
        ran = []
        for one in papers:
            if len(papers) > 1:
                say(f"{one.number}  {one.attack.says.paper}\n")
            for study in running.run(running.studies_of(one, figure), data):
                ran.append(study)
                say(f"{lines.told(study)}\n")
        say(lines.summed_up(ran))
        if html is not None:
            (one,) = papers
            text = page.render(one.attack.says.paper, one.number, ran, __version__)
            write_texts([Text(path=html, text=text, mode=EVERYBODYS, replaces=force)])
        return 0

    run(command, output)
