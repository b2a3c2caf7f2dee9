"""The experiments of Lebanon et al., run again; Figure 1 is printed without numbers and without its data.

The paper's table of items of a retailer is not public. Made-up items take its place, and where their files are at hand
products of two shops and cars.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import fsum
from random import Random
from typing import Any, Literal

from giveaway.attacks.directory.attacker import Jaro, KnowsDirectory
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.sensitivity import Form, Sensitivity
from giveaway.papers.directory.least_risk import least_risk
from giveaway.papers.study import Compared, FigureLine, Lab, Outcome, Picture, Study, stated

Row = dict[str, str | None]

_PRODUCTS = "dictionary/walmart_amazon_products.csv.gz"
_CARS = "dictionary/epa_vehicles.csv.gz"
_SHARES = (10, 25, 50, 75, 100)
_MISSING = 0.1
_FORMS: tuple[Form, ...] = ("additive", "multiplicative")
_ANY = Tolerance(identity="999/1000")


def _likeness(lab: Lab) -> Outcome:
    """Look up names that are written otherwise, by their Jaro similarity of at least 0.8."""
    pairs = (("MARTHA", "MARHTA"), ("DIXON", "DICKSONX"), ("JELLYFISH", "SMELLYFISH"), ("ABC", "XYZ"))
    rows = []
    for record, entry in pairs:
        answer = lab.assess(
            Release(Table.from_rows([{"name": record}]), gaps="agree"),
            KnowsDirectory(
                people=_people([{"name": entry}], ["name"]),
                columns=["name"],
                match={"name": Jaro("0.8")},
                knows_method=False,
            ),
            Tolerance(identity="1/2"),
        )
        risk = answer.findings[0].risk
        alike = risk is not None and risk.figures["min_candidates"] == 1
        rows.append(
            Compared(
                what=f"{record} and {entry} alike at 0.8",
                printed=None,
                ours="yes" if alike else "no",
            )
        )
    return Outcome(compared=rows)


def _people(rows: Sequence[Row], columns: Sequence[str]) -> People:
    return People.from_table(Table.from_rows(rows), columns)


@dataclass(frozen=True, kw_only=True)
class _Items:
    """A table of items, of which the first are disclosed."""

    rows: Sequence[Row]
    columns: tuple[str, ...]
    records: int
    similar: tuple[str, ...] = ()
    """The columns whose texts need only be similar, by Jaro of at least 0.8 as in the paper."""

    def release(self, form: Form) -> Release:
        """Disclose the first items, with a weight between 0 and 1 drawn for each entry."""
        draw = Random(1)  # noqa: S311 # weights protect nobody
        cells: dict[Any, dict[str, float]] = {
            place: {name: round(draw.random(), 6) for name in self.columns}
            for place in range(1, self.records + 1)
        }
        table = Table.from_rows(self.rows[: self.records])
        return Release(table, gaps="agree", sensitivity=Sensitivity(cells=cells, form=form))

    def attacker(self, rows: Sequence[Row]) -> KnowsDirectory:
        """Somebody who holds some items."""
        return KnowsDirectory(
            people=_people(rows, self.columns),
            columns=self.columns,
            match={name: Jaro("0.8") for name in self.similar},
            knows_method=False,
        )

    def with_gaps(self, size: int) -> list[Row]:
        """Return the first items with a tenth of their entries missing, as in a more general dictionary."""
        draw = Random(2)  # noqa: S311 # which entries are missing protects nobody
        return [
            {name: None if draw.random() < _MISSING else row[name] for name in self.columns}
            for row in self.rows[:size]
        ]

    @property
    def sizes(self) -> list[int]:
        """The sizes of the dictionaries, which are parts of each other and hold the items that are disclosed."""
        return [max(self.records, len(self.rows) * share // 100) for share in _SHARES]

    @property
    def numbers(self) -> list[int]:
        """A quarter of the columns, a half, three quarters and all of them."""
        return [max(1, len(self.columns) * share // 100) for share in (25, 50, 75, 100)]


def _made_up(_: Lab) -> _Items:
    draw, columns = Random(6), tuple(f"c{place}" for place in range(8))  # noqa: S311 # these are nobody
    rows: list[Row] = [
        {name: str(draw.randrange(2 + 2 * place)) for place, name in enumerate(columns)} for _ in range(400)
    ]
    return _Items(rows=rows, columns=columns, records=40)


def _of_file(file: str, columns: tuple[str, ...], lab: Lab, *, many: int, similar: tuple[str, ...]) -> _Items:
    rows: list[Row] = [{name: row[name] or None for name in columns} for row in lab.rows(file)]
    draw = Random(1)  # noqa: S311 # who is drawn protects nobody
    return _Items(rows=draw.sample(rows, min(many, len(rows))), columns=columns, records=60, similar=similar)


_products = partial(
    _of_file,
    _PRODUCTS,
    ("title", "category", "brand", "modelno"),
    many=2_000,
    similar=("title", "category", "brand"),
)
_cars = partial(
    _of_file,
    _CARS,
    (
        "make",
        "model",
        "year",
        "VClass",
        "drive",
        "trany",
        "cylinders",
        "displ",
        "fuelType",
        "city08",
        "highway08",
        "co2",
    ),
    many=10_000,
    similar=(),
)


def _risk(lab: Lab, release: Release, attacker: KnowsDirectory) -> float:
    """Return R of Definition 4."""
    return float(lab.assess(release, attacker, _ANY).findings[0].risk.average)


def _left(items_of: Callable[[Lab], _Items], lab: Lab) -> Outcome:
    """Draw the surface: the risk by the values disclosed of each record and by the size of the dictionary.

    The rule is the least risky one for the whole table, and stays the same for all dictionaries.
    """
    items = items_of(lab)
    surface: dict[Form, list[list[float]]] = {}
    for form in _FORMS:
        whole = items.attacker(items.rows)
        needs = [NeedsColumns(per_record=number, clip=True) for number in items.numbers]
        rules = [least_risk(items.release(form), whole, need).release for need in needs]
        held = [items.attacker(items.rows[:size]) for size in items.sizes]
        surface[form] = [[_risk(lab, rule, attacker) for rule in rules] for attacker in held]
    sizes = [f"{size:,} items in the dictionary" for size in items.sizes]
    pictures = tuple(
        Picture(
            title=f"Risk by values disclosed and by size, {form}",
            x_label="values disclosed of each record",
            y_label="risk",
            lines=[
                FigureLine(name=name, x=items.numbers, y=line)
                for name, line in zip(sizes, surface[form], strict=True)
            ],
            says="Each line is a cut through the surface of Figure 1 (left).",
        )
        for form in _FORMS
    )
    steps = [
        (line[at], line[at + 1]) for form in _FORMS for line in surface[form] for at in range(len(line) - 1)
    ]
    larger = [
        (few, many)
        for form in _FORMS
        for small, large in pairwise(surface[form])
        for few, many in zip(small, large, strict=True)
    ]
    both = [
        pair
        for lines in zip(surface["additive"], surface["multiplicative"], strict=True)
        for pair in zip(*lines, strict=True)
    ]
    return Outcome(
        compared=[
            _always("the risk rises with the values disclosed", steps),
            _always("the risk falls as the dictionary grows", [(many, few) for few, many in larger]),
            _always("the multiplicative risk is above the additive one", both),
        ],
        pictures=pictures,
    )


def _always(what: str, pairs: Sequence[tuple[float, float]]) -> Compared:
    """Tell of how many points what the paper says of its own holds: the second number is at least the first."""
    holds = sum(low <= high * (1 + 1e-9) for low, high in pairs)
    return Compared(
        what=f"{what}, as the paper says of its items",
        printed=None,
        ours="always" if holds == len(pairs) else f"{holds} of {len(pairs)} times",
    )


def _right(items_of: Callable[[Lab], _Items], lab: Lab) -> Outcome:
    """Set estimated risks of many rules against true ones, for true dictionaries of several sizes.

    The database holds the smallest part of the table; the attacker's holds it and more, with entries missing.
    """
    items = items_of(lab)
    held = items.attacker(items.rows[: items.sizes[0]])
    needs = [NeedsColumns(per_record=number, clip=True) for number in range(1, len(items.columns) + 1)]
    release = items.release("additive")
    methods: tuple[Literal["least", "minrisk"], ...] = ("least", "minrisk")
    rules = [least_risk(release, held, need, method=method).release for need in needs for method in methods]
    estimates = [_risk(lab, rule, held) for rule in rules]
    lines, slopes = [], []
    for size in items.sizes:
        true = items.attacker(items.with_gaps(size))
        risks = [_risk(lab, rule, true) for rule in rules]
        name = f"a true dictionary {size / items.sizes[0]:.3g} times as large"
        lines.append(FigureLine(name=name, x=risks, y=estimates, points=True))
        slopes.append(_slope(risks, estimates))
    every = [(true, guessed) for line in lines for true, guessed in zip(line.x, line.y, strict=True)]
    largest = max(true for true, _ in every)
    return Outcome(
        compared=[
            _always("the estimated risk bounds the true one", every),
            _always(
                "the line through the points is steeper for a larger true dictionary", list(pairwise(slopes))
            ),
        ],
        pictures=[
            Picture(
                title="Estimated against true risk",
                x_label="true risk",
                y_label="estimated risk",
                lines=[FigureLine(name="y = x", x=(0, largest), y=(0, largest)), *lines],
                says="Slopes of lines through the origin, smallest true dictionary first: "
                + ", ".join(f"{slope:.3g}" for slope in slopes)
                + ".",
            )
        ],
    )


def _slope(true: Sequence[float], estimated: Sequence[float]) -> float:
    """Return the slope of the line through the origin that fits points best."""
    return fsum(x * y for x, y in zip(true, estimated, strict=True)) / fsum(x * x for x in true)


_OURS = "on made-up items, the paper's are not public"


_RECORDS = ("A 70 f", "A 71 f", "B 70 m", "B 71 m", "B 71 f", "A 70 m")
_MORE = ("A 70 f", "B 71 f", "C 70 m")
_OF_RECORDS = ("zip", "born", "sex")


def _rows(*words: str) -> list[Row]:
    return [dict(zip(_OF_RECORDS, one.split(), strict=True)) for one in words]


def _small(*others: str) -> KnowsDirectory:
    people = [_people(_rows(*_RECORDS, *more), _OF_RECORDS) for more in ((), others)[: 2 if others else 1]]
    return KnowsDirectory(people=people, columns=_OF_RECORDS, knows_method=False)


def _least(need: NeedsColumns, who: KnowsDirectory, method: Literal["least", "minrisk"] = "least") -> str:
    release = Release(Table.from_rows(_rows(*_RECORDS)), gaps="agree")
    return str(least_risk(release, who, need, method=method).risk)


def _section_3(_: Lab) -> Outcome:
    needs = {
        "Delta1, 7 values in all": NeedsColumns(total=7),
        "Delta2, 2 of each record": NeedsColumns(per_record=2),
        "Delta3, 2 of each column": NeedsColumns(per_column=2),
    }
    rows = [
        Compared(what=f"{name}: risk of {word}", printed=None, ours=_least(need, who))
        for name, need in needs.items()
        for word, who in (("the best rule", _small()), ("the minimax rule", _small(*_MORE)))
    ]
    return Outcome(compared=rows)


def _algorithm_1(_: Lab) -> Outcome:
    ways: tuple[Literal["least", "minrisk"], ...] = ("minrisk", "least")
    risks = {
        number: [_least(NeedsColumns(per_record=number), _small(), way) for way in ways]
        for number in (1, 2, 3)
    }
    return Outcome(
        compared=[
            Compared(
                what=f"risk of {number} values, by MinRisk and at least", printed=None, ours=" ".join(pair)
            )
            for number, pair in risks.items()
        ]
    )


def _theorem_1(lab: Lab) -> Outcome:
    table = Release(Table.from_rows(_rows(*_RECORDS)), gaps="agree")
    small, large = (
        _small(),
        KnowsDirectory(
            people=_people(_rows(*_RECORDS, *_MORE), _OF_RECORDS), columns=_OF_RECORDS, knows_method=False
        ),
    )
    estimated, true = _risk(lab, table, small), _risk(lab, table, large)
    return Outcome(
        compared=[
            stated("the estimate by a smaller dictionary is an upper bound", holds=true <= estimated),
            Compared(what="estimated and true risk", printed=None, ours=f"{estimated:.4f} {true:.4f}"),
        ]
    )


def _theorem_3(lab: Lab) -> Outcome:
    table = Release(Table.from_rows(_rows(*_RECORDS)), gaps="agree")
    alone = KnowsDirectory(columns=_OF_RECORDS, knows_method=False)
    figures = lab.protect(table, alone, Tolerance(identity="1/2")).findings[0].risk.figures
    return Outcome(
        compared=[
            stated("2-anonymity: no loss above c / 2", holds=figures["max_loss"] * 2 <= 1),
            Compared(
                what="k of the release, and its largest loss for c = 1",
                printed=None,
                ours=f"{figures['k_in_original']} {figures['max_loss']}",
            ),
        ]
    )


STUDIES = (
    Study(
        where="Section 3", title="least risky rules for six made-up records, without a limit", run=_section_3
    ),
    Study(where="Theorem 1", title="the risk by another dictionary", run=_theorem_1),
    Study(where="Algorithm 1", title="MinRisk next to the least risk", run=_algorithm_1),
    Study(where="Theorem 3", title="k-anonymity bounds the loss", run=_theorem_3),
    Study(
        where="Appendix", title="values that are written otherwise agree by Jaro similarity", run=_likeness
    ),
    Study(
        where="Figure 1 left",
        title=f"risk by values disclosed and by size of the dictionary, {_OURS}",
        run=partial(_left, _made_up),
    ),
    Study(
        where="Figure 1 right",
        title=f"estimated against true risk of many rules and dictionaries, {_OURS}",
        run=partial(_right, _made_up),
    ),
    Study(
        where="Figure 1 left, products",
        title="the same on products of two shops, similar texts agreeing",
        run=partial(_left, _products),
        data=(_PRODUCTS,),
    ),
    Study(
        where="Figure 1 right, products",
        title="the same on products of two shops, similar texts agreeing",
        run=partial(_right, _products),
        data=(_PRODUCTS,),
    ),
    Study(
        where="Figure 1 left, cars",
        title="the same on twelve columns of cars",
        run=partial(_left, _cars),
        data=(_CARS,),
    ),
    Study(
        where="Figure 1 right, cars",
        title="the same on twelve columns of cars",
        run=partial(_right, _cars),
        data=(_CARS,),
    ),
)


def studies() -> tuple[Study, ...]:
    """Return what can be run again."""
    return STUDIES
