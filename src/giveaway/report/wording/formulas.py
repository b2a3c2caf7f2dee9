"""The warning about released cells that a spreadsheet would run as formulas."""

from giveaway.report.wording.tidy import Summary
from giveaway.report.wording.words import counted


def formula_lines(summary: Summary) -> list[str]:
    """Say of each released file how many of its cells begin like a formula."""
    return [
        f"{counted(file['formulas'], 'cells')} of {file['file']} begin{'s' if file['formulas'] == 1 else ''} like a "
        "formula, and a spreadsheet may run the content. The release is exact: nothing was changed in it. "
        "Import the file as text."
        for file in summary.get("written") or []
        if file.get("formulas")
    ]
