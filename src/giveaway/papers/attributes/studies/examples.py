"""The examples of Li, Shirani-Mehr and Yang, run again."""

from itertools import count

from giveaway.attacks.attributes.attacker import KnowsAttributes
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.papers.attributes.rule_graph import rule_graph
from giveaway.papers.study import Compared, Lab, Outcome, Study, stated

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
    graph = rule_graph(_release(), _READER, _LIMIT)
    rule = next(one for one in graph.rules if one["condition"] == {"B": "b", "C": "d"})
    planned = lab.assess(_release(), _READER, _LIMIT).findings[0].risk.figures
    rows = [
        Compared(what="nodes of the R-graph", printed=11, ours=len(graph.rules)),
        Compared(what="MinHide of {b, d}", printed=1, ours=rule["records_to_hide"]),
        Compared(what="ExactMatch of {b, d}", printed=2, ours=rule["exact_matches"]),
        Compared(what="edges", printed=None, ours=len(graph.edges)),
        Compared(what="unsafe rules", printed=None, ours=int(planned["unsafe_rules"])),
    ]
    for heuristic in ("max descendant", "random max", "random"):
        protected = lab.protect(
            _release(),
            _READER,
            _LIMIT,
            need=NeedsCells(hideable="b"),
            attributes={"method": "r-graph", "heuristic": heuristic},
        )
        rows.append(
            Compared(what=f"entries hidden by {heuristic}", printed=None, ours=len(protected.withheld.cells))
        )
    naive = {"method": "r-graph", "records": "all"}
    protected = lab.protect(_release(), _READER, _LIMIT, need=NeedsCells(hideable="b"), attributes=naive)
    rows.append(
        Compared(
            what="the naive way, in all records (ExactMatch)",
            printed=None,
            ours=len(protected.withheld.cells),
        )
    )
    return Outcome(compared=rows)


def _figure_1(lab: Lab) -> Outcome:
    rows = []
    for letter in _CASES:
        protected = lab.protect(_release(), _READER, _LIMIT, need=NeedsCells(hideable=letter))
        rows.append(
            Compared(
                what=f"fewest entries in case ({letter})",
                printed=None,
                ours=len(protected.withheld.cells),
            )
        )
    hidden = {row.what[-2]: row.ours for row in rows}
    rows += [
        stated("case (f) costs what (e) does (Lemma 1)", holds=hidden["f"] == hidden["e"]),
        stated("case (g) costs what (a) does (Lemma 1)", holds=hidden["g"] == hidden["a"]),
    ]
    return Outcome(compared=rows)


STUDIES = (
    Study(where="Figure 2", title="the example of the R-graph", run=_figure_2),
    Study(where="Figure 1", title="the eight subcases on the example", run=_figure_1),
)
