"""Take the pictures of the page of `giveaway open`: `python docs/pictures/clicks.py` writes them into docs/images.

The page is served and clicked as the tests do. Needs Chromium and the extras browser and page.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import shoot  # noqa: E402
from tests.page import screens  # noqa: E402
from tests.page.conftest import let_in, serving  # noqa: E402

HEIGHTS = {"start": 980, "data": 1060, "question": 1130, "result": 1100, "publish": 840}
"""The screens that are pictured, and how much of each."""
LAST = {"data": ".choices label:last-child:has-text('exposed')", "question": ".pick[data-value='3']"}
"""What the page finds out by itself, a moment later."""
NAMES = {screen: f"page-{screen}" for screen in HEIGHTS}


def main() -> None:
    """Click through the screens, and write a picture of each."""
    with tempfile.TemporaryDirectory() as folder, shoot.browser() as chromium:
        screens.prepare(Path(folder))
        with serving(Path(folder)) as at:
            for screen, height in HEIGHTS.items():
                tab = chromium.new_page(viewport={"width": 1280, "height": height}, device_scale_factor=1.25)
                let_in(tab)
                screens.SCREENS[screen](screens.Tour(tab, at))
                tab.locator(LAST.get(screen, "h1")).first.wait_for(timeout=screens.WAIT)
                tab.wait_for_timeout(500)
                file = shoot.IMAGES / f"{NAMES[screen]}.webp"
                file.write_bytes(shoot.as_webp(tab, tab.screenshot()))
                print(f"images/{file.name}  {file.stat().st_size // 1000} kB")
                tab.close()


if __name__ == "__main__":
    main()
