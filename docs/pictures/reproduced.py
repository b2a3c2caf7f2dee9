"""Draw some figures of the papers again, as pictures for the documentation: `make docs-pictures DATA=FOLDER`."""

import sys
from pathlib import Path

from giveaway.papers import running
from giveaway.papers.reporting.page import drawing
from giveaway.report.charts import palette
from giveaway.report.html.document import environment

FIGURES = {
    "000": ["Figure 13"],
    "003": ["Figure 5c", "Figure 6"],
    "004": ["Figure 3a", "Figure 3e"],
}
HERE = Path(__file__).parents[1] / "images"


def name_of(paper: str, figure: str) -> str:
    """Name the file of a figure."""
    return f"{paper}-{figure.casefold().replace(' ', '-')}.svg"


def main(folder: Path) -> None:
    """Run the figures on the data of a folder and write them as SVG, one file each."""
    style = environment().get_template("style.css.jinja").render(footer="")
    wanted = [line for line in style.splitlines() if line.startswith("svg ")]
    colours = (
        f":root {{ {palette.variables(palette.LIGHT)} font: 12px sans-serif; }}",
        f"@media (prefers-color-scheme: dark) {{ :root {{ {palette.variables(palette.DARK)} }} }}",
        "svg { background: var(--paper); }",
    )
    for paper, figures in FIGURES.items():
        studies = [study for study in running.paper_of(paper).studies() if study.where in figures]
        for ran in running.run(studies, folder):
            if ran.outcome is None or ran.missing:
                sys.exit(f"{paper} {ran.study.where}: {ran.about}")
            drawn = str(drawing(ran.outcome.pictures[0]))
            head, rest = drawn.split(">", 1)
            text = f'{head} xmlns="http://www.w3.org/2000/svg"><style>{" ".join([*colours, *wanted])}</style>{rest}\n'
            name = name_of(paper, ran.study.where)
            (HERE / name).write_text(text, encoding="utf-8")
            print(f"{name}: {len(text):,} characters")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
