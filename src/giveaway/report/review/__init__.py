"""The document that is filed with a decision to release: as a page that prints, or as a Word file."""

from pathlib import Path
from typing import Literal

from giveaway.errors import NotInstalled, ScenarioError
from giveaway.report.wording.tidy import Summary, of_its_release

Form = Literal["html", "docx"]


def form_of(path: Path) -> Form:
    """Tell the form of a document by the name of its file, and whether it can be written here."""
    ending = path.suffix.lower()
    if ending in (".html", ".htm"):
        return "html"
    if ending != ".docx":
        raise ScenarioError(
            f"{path.name} is neither a page nor a Word file.", exists=".html, .docx", hint="name the file so."
        )
    from importlib.util import find_spec

    if find_spec("docx") is None:
        raise NotInstalled(
            "Word files need python-docx, which is not installed.",
            hint='pip install "giveaway[document]", or write an .html file.',
        )
    return "docx"


@of_its_release
def render(summary: Summary, form: Form) -> str | bytes:
    """Draw the document of a Summary."""
    from giveaway.report.review.content import document

    parts = document(summary)
    if form == "html":
        from giveaway.report.html.document import environment

        return environment().get_template("review.html.jinja").render(document=parts)
    from giveaway.report.review.word import written

    return written(parts)
