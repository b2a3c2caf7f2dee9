"""The document as a Word file, in Word's own styles, so that an office can put its letterhead on it."""

from io import BytesIO
from typing import Any

from giveaway.report.review.blocks import Code, Document, Field, Grid

_BLANK = "_" * 40
_WIDTH = 17.0
"""Centimetres between the margins of an A4 sheet."""
_LETTER = 0.19
"""Centimetres that a letter of a table takes."""
_LONG = 60
"""From so many letters on, a text in a table is broken anyway."""


def written(document: Document) -> bytes:
    """Write a document with python-docx."""
    import docx
    from docx.shared import Cm, Pt

    word = docx.Document()
    word.styles["Normal"].font.size = Pt(10)
    word.styles["Normal"].paragraph_format.space_after = Pt(4)
    (sheet,) = word.sections
    sheet.page_width, sheet.page_height = Cm(21), Cm(29.7)
    sheet.left_margin = sheet.right_margin = sheet.top_margin = sheet.bottom_margin = Cm(2)
    _footer(sheet, document.title)
    word.core_properties.title = document.title
    word.core_properties.author = ""
    word.core_properties.comments = ""
    word.add_heading(document.title, 0)
    word.add_paragraph().add_run(document.verdict).bold = True
    word.add_paragraph(document.under)
    for section in document.sections:
        annex = section.number.isalpha()
        word.add_heading(f"{'Annex ' if annex else ''}{section.number}  {section.title}", 1)
        for block in section.blocks:
            _DRAWN[block.kind](word, block)
    out = BytesIO()
    word.save(out)
    return out.getvalue()


def _named(word: Any, name: str, mark: str) -> Any:
    line = word.add_paragraph()
    line.paragraph_format.keep_with_next = True
    if name:
        line.add_run(f"{name} ").bold = True
    line.add_run(f"[{mark}]").italic = True
    return line


def _field(word: Any, block: Field) -> None:
    line = _named(word, block.name, block.mark)
    if len(block.lines) > 1:
        for text in block.lines:
            word.add_paragraph(text, style="List Bullet")
        return
    line.paragraph_format.keep_with_next = False
    line.add_run("  ")
    line.add_run(block.lines[0] if block.lines else _BLANK)


def _grid(word: Any, block: Grid) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml import OxmlElement
    from docx.shared import Cm, Pt

    _named(word, block.name, block.mark)
    table = word.add_table(rows=1, cols=len(block.head))
    table.style, table.autofit = "Light List Accent 1", False
    widths = column_widths(block)
    for column, width in zip(table.columns, widths, strict=True):
        column.width = Cm(width)
    for row in (block.head, *block.rows):
        line = table.rows[0] if row is block.head else table.add_row()
        line._tr.get_or_add_trPr().append(  # noqa: SLF001 - what python-docx has no name for
            OxmlElement("w:tblHeader" if row is block.head else "w:cantSplit")
        )
        for place, (cell, text) in enumerate(zip(line.cells, row, strict=True)):
            cell.text, cell.width = text, Cm(widths[place])
            (paragraph,) = cell.paragraphs
            paragraph.paragraph_format.space_after = Pt(1)
            for run in paragraph.runs:
                run.font.size = Pt(8.5)
            if place in block.right:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    word.add_paragraph()


def column_widths(block: Grid) -> list[float]:
    """Return how wide columns are, in centimetres: no word is broken where all words fit, and long texts get the rest."""
    columns = list(zip(block.head, *block.rows, strict=True))
    least = [max(len(word) for text in column for word in (text.split() or [""])) + 4 for column in columns]
    wanted = [
        max(first, min(max(map(len, column)), _LONG)) for first, column in zip(least, columns, strict=True)
    ]
    room = _WIDTH / _LETTER
    if sum(least) >= room:
        return [_WIDTH * part / sum(least) for part in least]
    more = [most - first for most, first in zip(wanted, least, strict=True)]
    each = (room - sum(least)) / (sum(more) or 1)
    widths = [first + min(each, 1) * further for first, further in zip(least, more, strict=True)]
    return [_WIDTH * part / sum(widths) for part in widths]


def _footer(sheet: Any, title: str) -> None:
    """Number the pages; a number is worked out by whoever opens the file."""
    from docx.oxml import OxmlElement
    from docx.shared import Pt

    line = sheet.footer.paragraphs[0]
    line.style.font.size = Pt(8)
    run = line.add_run(f"{title}. Page ")
    for kind, text in (("begin", ""), ("", "PAGE"), ("end", "")):
        part = OxmlElement("w:instrText" if text else "w:fldChar")
        if text:
            part.text = text
        else:
            part.set("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}fldCharType", kind)
        run._r.append(part)  # noqa: SLF001 - what python-docx has no name for


def _code(word: Any, block: Code) -> None:
    from docx.shared import Pt

    _named(word, block.name, block.mark)
    run = word.add_paragraph().add_run(block.text)
    run.font.name, run.font.size = "Courier New", Pt(8)


_DRAWN: dict[str, Any] = {"field": _field, "grid": _grid, "code": _code}
