"""The experiments of Lebanon et al., run again; Figure 1 is printed without numbers and without its data.

The paper's catalogues of books are not published; products of two shops take their place.
"""

from random import Random
from typing import Any

from giveaway.attacks.directory.attacker import Jaro, KnowsDirectory
from giveaway.model.answer.study import Compared, Lab, Line, Outcome, Picture, Study
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.sensitivity import Sensitivity

_PRODUCTS = "dictionary/walmart_amazon_products.csv.gz"
_COLUMNS = ("title", "category", "brand", "modelno")
_RECORDS, _LARGEST = 60, 2_000
_ANY = Tolerance(average="999/1000")


def _likeness(lab: Lab) -> Outcome:
    """Look up names that are written otherwise, by their Jaro similarity of at least 0.8."""
    pairs = (("MARTHA", "MARHTA"), ("DIXON", "DICKSONX"), ("JELLYFISH", "SMELLYFISH"), ("ABC", "XYZ"))
    rows = []
    for record, entry in pairs:
        found = lab.assess(
            Release(Table.from_rows([{"name": record}]), gaps="agree"),
            KnowsDirectory(
                people=_people([{"name": entry}]),
                columns=["name"],
                match={"name": Jaro("0.75")},
                knows_method=False,
            ),
            Tolerance(identity="1/2"),
        )
        risk = found.findings[0].risk
        alike = risk is not None and risk.figures["min_candidates"] == 1
        rows.append(
            Compared(
                what=f"{record} and {entry} alike at 0.75",
                printed=None,
                found="yes" if alike else "no",
            )
        )
    return Outcome(compared=rows)


def _people(rows: list[dict[str, str]]) -> People:
    table = Table.from_rows(rows)
    return People.from_table(table, list(table.columns))


def _figure_1(lab: Lab) -> Outcome:
    rows = [{name: row[name] for name in _COLUMNS} for row in lab.rows(_PRODUCTS)]
    random = Random(1)  # noqa: S311 # who is drawn protects nobody
    people = random.sample(rows, min(_LARGEST, len(rows)))
    chosen = people[:_RECORDS]
    cells: dict[Any, dict[str, float]] = {
        place: {name: round(random.random(), 6) for name in _COLUMNS} for place in range(1, len(chosen) + 1)
    }
    lines: dict[str, list[Line]] = {"disclosed": [], "size": []}
    for form in ("additive", "multiplicative"):
        release = Release(
            Table.from_rows(chosen),
            gaps="agree",
            sensitivity=Sensitivity(cells=cells, form=form),
        )
        attacker = KnowsDirectory(people=_people(people), columns=_COLUMNS, knows_method=False)
        risk = lab.assess(release, attacker, _ANY).findings[0].risk
        for curve in risk.curves if risk is not None else ():
            if curve.name in lines:
                lines[curve.name].append(Line(name=form, x=curve.x, y=curve.y))
    return Outcome(
        pictures=(
            Picture(
                title="Risk by the values that are disclosed",
                x_label="values disclosed of each record",
                y_label="risk",
                lines=lines["disclosed"],
                says="The risk grows with what is disclosed, and faster where sensitivities multiply.",
            ),
            Picture(
                title="Risk by the size of the directory",
                x_label="people in the directory",
                y_label="risk",
                lines=lines["size"],
                says="More people agree in a larger directory, so that the risk falls.",
            ),
        )
    )


STUDIES = (
    Study(
        where="Appendix", title="values that are written otherwise agree by Jaro similarity", run=_likeness
    ),
    Study(
        where="Figure 1",
        title="risk by values disclosed and by size of the dictionary (left)",
        run=_figure_1,
        data=(_PRODUCTS,),
    ),
)


def studies() -> tuple[Study, ...]:
    """Return what can be run again."""
    return STUDIES
