"""Draws with the colours of the reports: boxes, arrows, people and words on paper of their own, in light and dark."""

from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from giveaway.report.charts.palette import DARK, LIGHT, variables

WIDTH = 560
"""Narrow, so that words can still be read on a phone."""

_STYLE = """
:root{%s} @media (prefers-color-scheme:dark){:root{%s}}
text{font:15px system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;fill:var(--ink)}
.small{font-size:13px;fill:var(--soft)} .bold{font-weight:600} .middle{text-anchor:middle} .end{text-anchor:end}
.code{font-family:ui-monospace,Menlo,Consolas,"Liberation Mono",monospace;font-size:14px;white-space:pre}
.blue{fill:var(--after)} .orange{fill:var(--over)} .grey{fill:var(--before)}
.paper{fill:var(--panel);stroke:var(--hair)} .box{fill:var(--paper);stroke:var(--axis)}
.box.blue{fill:var(--after-wash);stroke:var(--after)} .box.orange{fill:var(--over-wash);stroke:var(--over)}
.box.open{fill:var(--open-wash);stroke:var(--open)}
.bar{stroke:none} .line{fill:none;stroke:var(--axis);stroke-width:1.5} .line.orange{fill:none;stroke:var(--over);stroke-width:2}
.line.blue{fill:none;stroke:var(--after);stroke-width:2} .dash{stroke-dasharray:5 4}
.tip{fill:var(--axis)} .tip.orange{fill:var(--over)} .tip.blue{fill:var(--after)}
"""


@dataclass
class Drawing:
    """A picture that grows by parts; `says` is its text for those who do not see it."""

    title: str
    says: str
    height: int
    parts: list[str] = field(default_factory=list)

    def words(self, x: float, y: float, text: str, kind: str = "") -> None:
        """Write one line; `kind` may be small, bold, code, middle, end and a colour."""
        self.parts.append(f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>')

    def box(self, x: float, y: float, width: float, height: float, kind: str = "") -> None:
        """Draw a box with round corners."""
        self.parts.append(
            f'<rect class="box {kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="7"/>'
        )

    def card(self, x: float, y: float, width: float, lines: list[str], kind: str = "") -> float:
        """Draw a box with a heading and lines under it, and return where it ends."""
        height = 18 + 21 * len(lines)
        self.box(x, y, width, height, kind)
        for number, line in enumerate(lines):
            self.words(x + 14, y + 26 + 21 * number, line, "small" if number else "bold")
        return y + height

    def bar(self, x: float, y: float, width: float, kind: str = "grey") -> None:
        """Draw a bar from left to right."""
        self.parts.append(
            f'<rect class="bar {kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="12" rx="2"/>'
        )

    def line(self, points: list[tuple[float, float]], kind: str = "") -> None:
        """Draw a line through points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(f'<polyline class="line {kind}" points="{path}"/>')

    def arrow(self, points: list[tuple[float, float]], kind: str = "") -> None:
        """Draw a line that ends in a tip, upright or level."""
        self.line(points, kind)
        (x0, y0), (x, y) = points[-2:]
        along = (
            ((x > x0) - (x < x0), (y > y0) - (y < y0)) if 0 in (x - x0, y - y0) else ((x > x0) - (x < x0), 0)
        )
        back, side = (x - 9 * along[0], y - 9 * along[1]), (5 * along[1], 5 * along[0])
        tip = [(x, y), (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])]
        self.parts.append(
            f'<polygon class="tip {kind}" points="{" ".join(f"{a:g},{b:g}" for a, b in tip)}"/>'
        )

    def person(self, x: float, y: float, kind: str = "grey", size: float = 1) -> None:
        """Draw somebody, 26 wide and 44 high, from the left top corner."""
        self.parts.append(
            f'<g class="{kind}" transform="translate({x:g} {y:g}) scale({size:g})">'
            '<circle cx="13" cy="9" r="8"/><path d="M0 44v-10a13 13 0 0 1 26 0v10z"/></g>'
        )

    def write(self, file: Path) -> None:
        """Write the picture as SVG."""
        style = _STYLE % (variables(LIGHT), variables(DARK))
        file.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}"'
            f' height="{self.height}" role="img" aria-labelledby="t d">\n'
            f'<title id="t">{escape(self.title)}</title>\n<desc id="d">{escape(self.says)}</desc>\n'
            f"<style>{style}</style>\n"
            f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{self.height - 1}" rx="9"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n",
            encoding="utf-8",
        )
