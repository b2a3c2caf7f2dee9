"""`giveaway report`: draw a saved assessment again, or show several side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, run, say, screen, show
from giveaway.cli.together import show_several
from giveaway.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Callable

    from giveaway.publish import Text
    from giveaway.report.html.document import Edition
    from giveaway.report.review import Form


def report(
    saved: Annotated[Path, typer.Argument(metavar="SAVED.json", help="An assessment saved with --json.")],
    others: Annotated[
        list[Path] | None, typer.Argument(metavar="[OTHER.json ...]", help="Others, to be compared with it.")
    ] = None,
    for_: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="review", help="Write the document that is filed with a review, with -o."
        ),
    ] = None,
    document: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The file of the document: .html or .docx."),
    ] = None,
    as_: options.As = None,
    html: options.Html = None,
    public_html: options.PublicHtml = None,
    force: options.Force = False,
    brief: options.Brief = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Draw a saved assessment again, or the document for a review; show several side by side. Leaves with 0 once it is drawn."""
    output = Output(
        html=html,
        public_html=public_html,
        others={} if document is None else {"-o": document},
        force=force,
        readings=as_ or (),
        brief=brief,
        quiet=quiet,
        debug=debug,
    )

    def command() -> int:
        from giveaway.publish import OWNERS, Text, write_texts
        from giveaway.report import review
        from giveaway.report import saved as files
        from giveaway.report.html import document as page
        from giveaway.report.wording.readings import has_readings

        names, form = output.names, _form(for_, document)
        summaries = [saved, *(others or ())]
        if others and (public_html is not None or document is not None):
            raise ScenarioError(
                "--public-html and -o are of one assessment, not of several.",
                hint="--html draws them side by side.",
            )
        output.check(summaries)
        if others:
            _compare(summaries, output)
            return 0
        old = files.read_any(saved)
        if "recipients" in old:
            _several(saved, old, output)
            return 0
        if names and not any(map(has_readings, old["findings"])):
            raise ScenarioError(
                f"{saved} has no readings.", hint="assess a table against an attacker who looks people up."
            )
        pages = []
        with files.drawing(saved):
            pages += _pages(output, lambda edition: page.render(old, edition=edition))
            if form is not None and document is not None:
                text = review.render(old, form)
                pages.append(Text(path=document, text=text, mode=OWNERS, replaces=force))
            if not quiet:
                show(old, brief=brief, names=names)
        write_texts(pages)
        return 0

    run(command, output)


def _pages(output: Output, render: "Callable[[Edition], str]") -> "list[Text]":
    """Draw the editions that are asked for."""
    from giveaway.publish import EVERYBODYS, OWNERS, Text

    places: list[tuple[Path | None, Edition, int]] = [
        (output.html, "owner", OWNERS),
        (output.public_html, "public", EVERYBODYS),
    ]
    return [
        Text(path=place, text=render(edition), mode=mode, replaces=output.force)
        for place, edition, mode in places
        if place is not None
    ]


def _several(path: Path, saved: dict[str, Any], output: Output) -> None:
    """Draw the answer for several recipients."""
    if output.names or output.others:
        raise ScenarioError(
            f"{path} is of several recipients, and --as and --for are of one release.", hint="leave them out."
        )
    from giveaway.publish import write_texts
    from giveaway.report import saved as files
    from giveaway.report.html import recipients as page

    with files.drawing(path):
        pages = _pages(output, lambda edition: page.render(saved, edition=edition))
        if not output.quiet:
            show_several(saved, brief=output.brief)
    write_texts(pages)


def _compare(summaries: list[Path], output: Output) -> None:
    """Show saved assessments side by side."""
    from giveaway.publish import OWNERS, Text, write_texts
    from giveaway.report import saved as files
    from giveaway.report.html import compare as page
    from giveaway.report.terminal import compare

    read: dict[str, Any] = {}
    for path in summaries:
        if str(path) in read:
            raise ScenarioError(f"{path} is named twice.", hint="name others to compare it with.")
        read[str(path)] = files.read(path)
    with files.drawing(*summaries):
        text = compare.render(read, **screen())
        drawn = None if output.html is None else page.render(read)
    if not output.quiet:
        say(text)
    if drawn is not None and output.html is not None:
        write_texts([Text(path=output.html, text=drawn, mode=OWNERS, replaces=output.force)])


def _form(for_: str | None, document: Path | None) -> "Form | None":
    """Return the form of the document that is asked for, if one is."""
    from giveaway.report import review

    if for_ not in (None, "review"):
        raise ScenarioError(
            f"There is no document for {for_}.",
            exists="review",
            hint="what everybody may read is the public edition of the report: --public-html FILE.",
        )
    if (for_ is None) != (document is None):
        raise ScenarioError(
            "--for review and -o FILE go together.",
            hint="giveaway report SAVED.json --for review -o review.html.",
        )
    return None if document is None else review.form_of(document)
