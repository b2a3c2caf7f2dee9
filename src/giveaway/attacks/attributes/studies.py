"""The example of Li, Shirani-Mehr and Yang, run again."""

from itertools import count

from giveaway.attacks.attributes.attacker import KnowsAttributes
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.model.answer.study import Compared, Lab, Outcome, Study
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

_RECORDS = ("abcs", "abcs", "abcs", "ab*s", "abds", "a*ds", "*bds", "*bds", "**d*")
_CASES = "abcdefg"
_READER = KnowsAttributes(columns=["A", "B", "C"], knows_method=False)
_LIMIT = Tolerance(attribute="0.55")


def _release() -> Release:
    """Return Figure 2: each star is a value of its own."""
    star = count()
    rows = [
        {
            name: f"*{next(star)}" if value == "*" else value
            for name, value in zip("ABCS", record, strict=True)
        }
        for record in _RECORDS
    ]
    return Release(Table.from_rows(rows, sensitive="S"), secrets=[1, 5])


def _figure_2(lab: Lab) -> Outcome:
    planned = lab.assess(_release(), _READER, _LIMIT).findings[0].risk.figures
    rows = [Compared(what="unsafe rules", printed=9, found=int(planned["unsafe_rules"]))]
    for heuristic in ("max descendant", "random max", "random"):
        found = lab.protect(
            _release(),
            _READER,
            _LIMIT,
            need=NeedsCells(hideable="b"),
            attributes={"method": "r-graph", "heuristic": heuristic},
        )
        rows.append(
            Compared(what=f"entries hidden by {heuristic}", printed=7, found=len(found.withheld.cells))
        )
    return Outcome(compared=rows)


def _figure_1(lab: Lab) -> Outcome:
    rows = []
    for letter in _CASES:
        found = lab.protect(_release(), _READER, _LIMIT, need=NeedsCells(hideable=letter))
        rows.append(
            Compared(
                what=f"fewest entries in case ({letter})",
                printed=None,
                found=len(found.withheld.cells),
            )
        )
    return Outcome(compared=rows)


STUDIES = (
    Study(where="Figure 2", title="the example of the R-graph", run=_figure_2),
    Study(where="Figure 1", title="the eight subcases on the example", run=_figure_1),
)


def studies() -> tuple[Study, ...]:
    """Return what can be run again."""
    return STUDIES
