"""The document as a Word file, in Word's own styles, so that an office can put its letterhead on it."""

from io import BytesIO
from typing import Any

from giveaway.report.review.blocks import Code, Document, Field, Grid

_BLANK = "_" * 40


def written(document: Document) -> bytes:
    """Write a document with python-docx."""
    import docx
    from docx.shared import Pt

    made = docx.Document()
    made.styles["Normal"].font.size = Pt(10)
    made.core_properties.title = document.title
    made.core_properties.author = ""
    made.core_properties.comments = ""
    made.add_heading(document.title, 0)
    made.add_paragraph().add_run(document.verdict).bold = True
    made.add_paragraph(document.under)
    for section in document.sections:
        annex = section.number.isalpha()
        made.add_heading(f"{'Annex ' if annex else ''}{section.number}  {section.title}", 1)
        for block in section.blocks:
            _DRAWN[block.kind](made, block)
    out = BytesIO()
    made.save(out)
    return out.getvalue()


def _named(made: Any, name: str, mark: str) -> Any:
    line = made.add_paragraph()
    line.paragraph_format.keep_with_next = True
    if name:
        line.add_run(f"{name} ").bold = True
    line.add_run(f"[{mark}]").italic = True
    return line


def _field(made: Any, block: Field) -> None:
    line = _named(made, block.name, block.mark)
    if len(block.lines) > 1:
        for text in block.lines:
            made.add_paragraph(text, style="List Bullet")
        return
    line.paragraph_format.keep_with_next = False
    line.add_run("  ")
    line.add_run(block.lines[0] if block.lines else _BLANK)


def _grid(made: Any, block: Grid) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    _named(made, block.name, block.mark)
    table = made.add_table(rows=1, cols=len(block.head))
    table.style = "Light Grid Accent 1"
    for row in (block.head, *block.rows):
        cells = table.rows[0].cells if row is block.head else table.add_row().cells
        for place, text in enumerate(row):
            cells[place].text = text
            if place in block.right:
                cells[place].paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
    made.add_paragraph()


def _code(made: Any, block: Code) -> None:
    from docx.shared import Pt

    _named(made, block.name, block.mark)
    run = made.add_paragraph().add_run(block.text)
    run.font.name, run.font.size = "Courier New", Pt(8)


_DRAWN: dict[str, Any] = {"field": _field, "grid": _grid, "code": _code}
