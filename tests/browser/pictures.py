"""Pictures of the owner's and the public report in every state, on a screen, a tablet, a phone, in the dark and on paper.

`python -m tests.browser.pictures [FOLDER] [WORD ...]` takes those whose names hold one of the words, else all.
"""

import sys
from pathlib import Path
from typing import Any

from tests.browser import chromium, scenes
from tests.report import samples

from giveaway.report.html import document

WIDTHS = (1280, 768, 390)


def pages() -> dict[str, Any]:
    """Name every Summary that is drawn: of the examples, and of made-up numbers for states that those do not reach."""
    asked = {name: lambda name=name: scenes.answered(name).summary for name in scenes.SCENES}
    return asked | {f"sample, {name.replace('_', ' ')}": made for name, made in samples.STATES.items()}


def take(browser: Any, folder: Path, name: str, text: str) -> None:
    """Write the pictures of one page, and the page itself."""
    place = folder / name.replace(",", "").replace(" ", "-")
    place.with_name(f"{place.name}.html").write_text(text, encoding="utf-8")
    tab = browser.new_page(viewport={"width": WIDTHS[0], "height": 900})
    tab.set_content(text)
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        tab.screenshot(path=place.with_name(f"{place.name}-{width}.png"), full_page=True)
    tab.set_viewport_size({"width": WIDTHS[0], "height": 900})
    tab.emulate_media(color_scheme="dark")
    tab.screenshot(path=place.with_name(f"{place.name}-dark.png"), full_page=True)
    tab.emulate_media(color_scheme="light")
    tab.pdf(path=place.with_name(f"{place.name}.pdf"), prefer_css_page_size=True)
    tab.close()


def main(folder: Path, words: list[str]) -> None:
    """Take all pictures, or those of the pages whose names hold a word."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium.started() as browser:
        for name, made in pages().items():
            if words and not any(word in name for word in words):
                continue
            for edition in ("owner", "public"):
                take(browser, folder, f"{name}, {edition}", document.render(made(), edition=edition))
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "pictures"), sys.argv[2:])
