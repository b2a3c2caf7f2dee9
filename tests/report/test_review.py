"""The document for a review: complete, marked, honest about what is empty, and the same in both forms."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from tests.bench.cases import CASES
from tests.report import samples

import giveaway as ga
from giveaway.report import review
from giveaway.report.review.blocks import Code, Field, Grid
from giveaway.report.review.content import document
from giveaway.report.schema import misfits

NEVER = re.compile(r"\b(anonymous|compliant|certified)\b", re.IGNORECASE)
TITLES = [
    "Head", "Answer", "Release and recipients", "Variables", "Attackers", "Limits", "Risk", "Usefulness",
    "How sure", "Not assessed", "Assumptions", "To run again", "Decision", "Readings by name",
    "Exposures over the limit",
]  # fmt: skip


def people() -> ga.Release:
    rows = [
        {
            "no": str(i),
            "zip": f"{i % 7}",
            "sex": "fm"[i % 2],
            "ill": "ab"[i % 3 == 0],
            "note": "x",
            "ward": "y",
        }
        for i in range(60)
    ]
    table = ga.Table.from_rows(rows, id="no", sensitive="ill", publish_unjudged=["note"], leave_out=["ward"])
    return ga.Release(table)


@pytest.fixture(scope="module")
def safer() -> ga.Assessment:
    return ga.protect(people(), ga.KnowsDirectory(columns=["zip", "sex"]), ga.Tolerance.preset("cell-5"))


def all_text(made: Any) -> str:
    parts = [made.title, made.under]
    for section in made.sections:
        for block in section.blocks:
            parts.append(block.name)
            if isinstance(block, Field):
                parts += block.lines
            if isinstance(block, Grid):
                parts += [*block.head, *(cell for row in block.rows for cell in row)]
            if isinstance(block, Code):
                parts.append(block.text)
    return "\n".join(parts)


def grid_of(made: Any, title: str) -> Any:
    section = next(one for one in made.sections if one.title.startswith(title))
    return next(block for block in section.blocks if isinstance(block, Grid))


def test_the_variables_have_their_roles_and_what_was_done(safer: ga.Assessment) -> None:
    summary = safer.to_dict()
    assert not misfits(summary)
    roles = {one["column"]: one["roles"] for one in summary["data"]["variables"]}
    assert roles == {
        "no": ["direct identifier"],
        "zip": ["known"],
        "sex": ["known"],
        "ill": ["sensitive"],
        "note": ["unjudged"],
        "ward": ["left out"],
    }
    (zips,) = [one for one in summary["data"]["variables"] if one["column"] == "zip"]
    assert (zips["distinct"], zips["missing"]) == (7, 0)
    rows = {row[0]: row for row in grid_of(document(summary), "Variables").rows}
    hidden = summary["withheld"]["cells_by_column"]
    assert hidden
    for column, count in hidden.items():
        assert f"{count} left blank" in rows[column][4]
    assert rows["no"][4] == "removed"
    assert rows["ward"][4] == "left out"
    assert rows["note"][4] == "published as it is"


def test_the_order_is_the_outline_and_every_field_has_a_mark(safer: ga.Assessment) -> None:
    made = document(safer.to_dict())
    assert [section.title.removesuffix(" before and after") for section in made.sections] == TITLES
    marks = {block.mark for section in made.sections for block in section.blocks}
    assert marks == {"measured", "stated by the owner", "not assessed"}


def test_what_the_owner_did_not_file_is_a_line_to_fill_in(safer: ga.Assessment) -> None:
    long = "word " * 500
    page = safer.to_review(filing=ga.Filing(purpose=long, people=("A, writes", "B, decides")))
    assert " ".join(long.split()) in " ".join(page.split())
    assert "B, decides" in page
    stated = [
        block
        for section in document(safer.to_dict()).sections
        for block in section.blocks
        if isinstance(block, Field) and block.mark == "stated by the owner"
    ]
    empty = [block for block in stated if not block.lines]
    assert len(empty) > 15
    assert review.render(safer.to_dict(), "html").count('class="blank"') == len(empty)  # type: ignore[union-attr]


def test_a_refusal_and_a_plan_without_protection_are_filed_too() -> None:
    found = ga.assess(people(), ga.KnowsDirectory(columns=["zip", "sex"]), ga.Tolerance(identity="1/20"))
    made = document(found.to_dict())
    assert made.verdict == "AT RISK"
    assert "As planned" not in grid_of(made, "Risk").head


@pytest.mark.parametrize(
    "made",
    [
        samples.protected,
        samples.two_attackers,
        samples.cannot_judge,
        samples.no_safe_release,
        samples.blank_entries,
    ],
)
def test_saved_samples_can_be_filed_and_hostile_labels_stay_text(made: Any) -> None:
    page = str(review.render(samples.hostile(made()), "html"))
    assert "<script" not in page
    assert page.count("<h2>") == len(TITLES)


@pytest.mark.parametrize("name", CASES)
def test_every_attack_can_be_filed_without_words_that_promise_too_much(name: str) -> None:
    case = CASES[name]
    found = ga.protect(case.release(case.rows), case.attacker, case.tolerance, need=case.need)
    said = all_text(document(found.to_dict()))
    assert NEVER.search(said) is None
    assert "A1. " in said


def test_the_word_file_says_what_the_page_says(safer: ga.Assessment, tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    summary = safer.to_dict()
    file = docx.Document(BytesIO(review.render(summary, "docx")))  # type: ignore[arg-type]
    said = "\n".join(part.text for part in file.paragraphs)
    said += "\n".join(cell.text for table in file.tables for row in table.rows for cell in row.cells)
    for line in filter(None, all_text(document(summary)).splitlines()):
        assert line in said
    heads = [part.text for part in file.paragraphs if part.style.name == "Heading 1"]
    assert len(heads) == len(TITLES)
    safer.to_review(tmp_path / "r.docx")
    with pytest.raises(ga.NotWritten, match="exists"):
        safer.to_review(tmp_path / "r.docx")


def test_other_endings_and_a_missing_library_are_told(
    safer: ga.Assessment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ga.ScenarioError, match=r"neither a page nor a Word file.*\.html, \.docx"):
        safer.to_review(tmp_path / "r.pdf")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ga.ScenarioError, match=r"giveaway\[document\]"):
        safer.to_review(tmp_path / "r.docx")
    assert not list(tmp_path.iterdir())


def test_the_columns_of_a_word_table_break_no_word_that_fits() -> None:
    from giveaway.report.review.blocks import MEASURED, grid
    from giveaway.report.review.word import column_widths

    long = "classes: by the first 3 characters, 11 left blank and 141 made coarser"
    block = grid("Columns", ["Column", "Role", "How treated"], [["diagnosis", "sensitive", long]], MEASURED)
    widths = column_widths(block)

    assert abs(sum(widths) - 17) < 1e-9
    assert widths[0] > 0.17 * len("diagnosis")
    assert widths[2] == max(widths)


def test_what_was_changed_tells_hidden_from_coarser() -> None:
    made = samples.protected() | {"withheld": {"cells_total": 18, "coarser_total": 1}}

    assert "18 entries are withheld and 1 entry is given less exactly." in review.render(made, "html")
