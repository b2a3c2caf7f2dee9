"""The documentation in Chromium: over http and from a folder, in light and dark, on a desk and on a phone."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.docs.building import build
from tests.docs.pages import ROOT
from tests.sizes import long

DRAWINGS = sorted((ROOT / "docs" / "images").glob("*.svg"))
pytestmark = long
LOOKED_AT = ("index.html", "which-attack.html", "attacks/items.html", "reference/scenario-files.html")


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and does not tell of each."""

    def log_message(self, format: str, *args: Any) -> None:  # the name of the standard library
        pass


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site once for all tests here."""
    return build(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """Serve the built site on this machine, and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(params=["http", "file"])
def address(request: pytest.FixtureRequest, served: str, site: Path) -> str:
    """Where the site is found: on a server, and in a folder."""
    return served if request.param == "http" else site.as_uri()


@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_page_loads_whole_and_fits_a_phone(page: Any, address: str, name: str) -> None:
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(f"{address}/{name}")

    assert page.locator("h1").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
    assert failed == []


def test_the_search_finds_and_names_the_page_of_every_hit(page: Any, address: str) -> None:
    page.goto(f"{address}/index.html")
    page.keyboard.press("/")
    page.keyboard.type("limits crowd")
    hit = page.locator(".md-search-result__item a", has_text="directory > Limits").first
    hit.wait_for()
    hit.click()

    page.wait_for_url("**/attacks/directory.html*#limits")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("dark", 390)])
@pytest.mark.parametrize("name", LOOKED_AT)
def test_axe_finds_nothing_moderate_or_worse_and_everything_can_be_read(
    page: Any, faults_of: Any, served: str, name: str, scheme: str, width: int
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{served}/{name}")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")

    assert (sum(map(int, ground.removeprefix("rgb(").removesuffix(")").split(","))) < 200) == (
        scheme == "dark"
    )
    assert faults_of(page) == []


def test_dark_pages_can_be_chosen_by_hand_and_drawings_follow(page: Any, served: str) -> None:
    page.goto(f"{served}/index.html")
    before = page.locator("article img").first.screenshot()
    page.locator("label[title='Dark pages']").click()

    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    assert page.locator("article img").first.screenshot() != before


def test_what_a_block_prints_is_marked_and_only_commands_are_copied(page: Any, served: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{served}/tutorial.html")
    block = page.locator(".language-console", has_text="echo $?").first
    block.hover()
    block.locator(".md-code__button").click()
    output = page.locator(".language-python + .language-text").first

    assert page.evaluate("navigator.clipboard.readText()").split("\n") == [
        "giveaway assess giveaway-demo/pharmacy.toml --html as-planned.html",
        "echo $?",
    ]
    assert output.evaluate("block => getComputedStyle(block, '::before').content") == '"Output"'


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda file: file.stem)
def test_the_words_of_a_drawing_keep_apart_and_stay_on_the_paper(page: Any, drawing: Path) -> None:
    page.goto(drawing.as_uri())
    width, height = page.evaluate(
        "[document.rootElement.viewBox.baseVal.width, document.rootElement.viewBox.baseVal.height]"
    )
    boxes = page.evaluate(
        "[...document.querySelectorAll('text')].map(text => { const box = text.getBBox();"
        " return [text.textContent, box.x, box.y, box.x + box.width, box.y + box.height]; })"
    )

    assert [text for text, x, y, right, low in boxes if x < 0 or y < 0 or right > width or low > height] == []
    assert [
        (one[0], other[0])
        for place, one in enumerate(boxes)
        for other in boxes[:place]
        if one[1] < other[3] and other[1] < one[3] and one[2] + 4 < other[4] and other[2] + 4 < one[4]
    ] == []
