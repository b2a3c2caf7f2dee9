"""Every picture of the documentation is made by a script, shown somewhere, and told in words."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from tests.docs.pages import ROOT, pages

pytestmark = pytest.mark.papers

IMAGES = ROOT / "docs" / "images"
SHOWN = [
    (page, words, (page.parent / target).resolve())
    for page in pages()
    for words, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
]


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "pictures"))
    return tuple(map(importlib.import_module, ("draw", "shoot", "reproduced", "clicks")))


def test_every_picture_is_made_by_a_script_and_shown_on_a_page(scripts: Any) -> None:
    draw, shoot, reproduced, clicks = scripts
    made = {f"{name}.svg" for name in draw.PICTURES} | {f"{shot.name}.webp" for shot in shoot.SHOTS}
    made |= {f"{name}.webp" for name in clicks.NAMES.values()}
    made |= {
        reproduced.name_of(paper, one) for paper, figures in reproduced.FIGURES.items() for one in figures
    }

    assert {file.name for file in IMAGES.iterdir()} == made
    assert {file.name for _, _, file in SHOWN} == made


def test_drawings_are_what_the_script_draws(scripts: Any, tmp_path: Path) -> None:
    draw, *_ = scripts
    for name, drawing in draw.PICTURES.items():
        drawing().write(tmp_path / f"{name}.svg")
        assert (tmp_path / f"{name}.svg").read_bytes() == (IMAGES / f"{name}.svg").read_bytes(), name


def test_every_picture_is_told_in_a_sentence_and_none_is_large() -> None:
    assert [words for _, words, _ in SHOWN if len(words.split()) < 6] == []
    assert [file.name for file in IMAGES.iterdir() if file.stat().st_size > 200_000] == []
