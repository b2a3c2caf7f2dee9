"""The pages of the documentation, cut into their fenced blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(
    r"(?P<before>[^\n]*)\n\n?```(?P<language>[a-z]*)[^\n]*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_NOT_RUN = "<!-- not run -->"


@dataclass(frozen=True, kw_only=True)
class Block:
    """One fenced block, whether it is run, and whether it follows the block before it at once."""

    language: str
    text: str
    line: int
    run: bool
    follows: bool


def pages() -> list[Path]:
    """List the pages beside the code and every page of docs, in a stable order."""
    beside = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples" / "README.md"]
    return [*beside, *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    """Name a page by its path in the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page in their order."""
    return list(_cut("\n" + page.read_text(encoding="utf-8")))


def _cut(text: str) -> Iterator[Block]:
    end = 0
    for match in _FENCE.finditer(text):
        yield Block(
            language=match["language"],
            text=match["text"],
            line=text.count("\n", 0, match.start("text")),
            run=match["before"].strip() != _NOT_RUN,
            follows=end > 0 and not text[end : match.start("language") - 3].strip(),
        )
        end = match.end()
