"""`giveaway report`: draw a saved assessment again, or show several side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from giveaway.cli import options
from giveaway.cli.running import Output, run, say, screen, show
from giveaway.errors import ScenarioError

if TYPE_CHECKING:
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
        from giveaway.publish import EVERYBODYS, OWNERS, Text, write_texts
        from giveaway.report import review
        from giveaway.report import saved as files
        from giveaway.report.html import document as page
        from giveaway.report.wording.readings import has_readings

        names, form = output.names, _form(for_, document)
        given = [saved, *(others or ())]
        if others and (public_html is not None or document is not None):
            raise ScenarioError(
                "--public-html and -o are of one assessment, not of several.",
                hint="--html draws them side by side.",
            )
        output.check(given)
        old = files.read(saved)
        if others:
            _compare(given, output)
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
            if form is not None and document is not None:
                made = review.render(old, form)
                pages.append(Text(path=document, text=made, mode=OWNERS, replaces=force))
            if not quiet:
                show(old, brief=brief, names=names)
        write_texts(pages)
        return 0

    run(command, output)


def _compare(given: list[Path], output: Output) -> None:
    """Show saved assessments side by side."""
    from giveaway.publish import OWNERS, Text, write_texts
    from giveaway.report import saved as files
    from giveaway.report.html import compare as page
    from giveaway.report.terminal import compare

    read: dict[str, Any] = {}
    for path in given:
        if str(path) in read:
            raise ScenarioError(f"{path} is named twice.", hint="name others to compare it with.")
        read[str(path)] = files.read(path)
    with files.drawing(*given):
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
