"""Tables drawn at random for the experiments of Li et al., their secrets, and what hiding costs in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from giveaway.attacks.attributes.attacker import Heuristic, KnowsAttributes, Method
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.papers.attributes.removal_rates import removal_rates
from giveaway.papers.made_up_people import made_up_people
from giveaway.papers.study import Lab

ADULT = "adult/adult.data.gz"
_NAMES = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship",
    "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "salary-class",
)  # fmt: skip
CONDITIONS = ("sex", "marital-status", "workclass", "education", "salary-class", "race", "education-num")
"""Six are named in the paper, where one of the seven is missing; race takes its place. The twin of education is last."""
BANK = "bank/bank-full.csv.gz"
_OF_BANK = ("job", "marital", "education", "default", "housing", "loan", "contact")
MADE_UP = 300
ROWS = 30_000
_DRAWS = 10
"""How many draws numbers are the mean of; fewer where people are made up."""


@dataclass(frozen=True, kw_only=True)
class Way:
    """How entries are hidden: what it is called, where, and by which method."""

    name: str
    letter: str
    method: Method
    heuristic: Heuristic = "max descendant"


@dataclass(frozen=True, kw_only=True)
class DrawnTable:
    """A table of people drawn at random, and how many records must support a rule."""

    table: Table
    least: int
    conditions: tuple[str, ...]

    def hiding(self, way: Way, limits: Sequence[str], secrets: Sequence[int]) -> list[float]:
        """Return the per cent of all entries that a way hides for some secrets, at each limit."""
        reader = KnowsAttributes(columns=self.conditions, trusts_support_above=self.least, knows_method=False)
        rows = removal_rates(
            Release(self.table, secrets=secrets),
            reader,
            Tolerance(attribute=limits[0]),
            limits=limits,
            need=NeedsCells(hideable=way.letter),
            method=way.method,
            heuristic=way.heuristic,
        )
        return [100 * float(row["removal_rate"]) for row in rows]

    def secrets(self, number: int, draw: int, among: Sequence[str] = ()) -> list[int]:
        """Draw people with a value, or with one of some values; each of these is had by some."""
        random = Random(draw)  # noqa: S311 # who is drawn protects nobody
        codes = self.table.columns[self.table.sensitive[0]][self.table.record_of].tolist()
        labels = self.table.labels[self.table.sensitive[0]]
        by_value: dict[str, list[int]] = {}
        for row, code in enumerate(codes, 1):
            if code >= 0 and (not among or labels[code] in among):
                by_value.setdefault(str(labels[code]), []).append(row)
        firsts = [random.choice(rows) for rows in by_value.values()] if among else []
        rest = [row for rows in by_value.values() for row in rows if row not in firsts]
        return sorted([*firsts, *random.sample(rest, number - len(firsts))])

    def most_frequent(self, number: int, least: int = 1) -> list[str]:
        """Return the most frequent sensitive values, of those that so many people have at least."""
        column = self.table.sensitive[0]
        many: dict[int, int] = {}
        for code, weight in zip(
            self.table.columns[column].tolist(), self.table.weights.tolist(), strict=True
        ):
            many[code] = many.get(code, 0) + weight * (code >= 0)
        order = sorted((code for code in many if many[code] >= least), key=lambda code: (-many[code], code))
        return [str(self.table.labels[column][code]) for code in order[:number]]


def draws_of(lab: Lab, file: str = ADULT) -> range:
    """Return the seeds of the draws."""
    return range(_DRAWS if lab.find(file) else 2)


def census(lab: Lab) -> list[dict[str, str]]:
    """Return the people of Adult, or made-up ones."""

    def read() -> list[dict[str, str]]:
        names = (*CONDITIONS, "occupation")
        at_hand = lab.find(ADULT) is not None
        people = lab.rows(ADULT, names=_NAMES) if at_hand else made_up_people(MADE_UP)
        return [{name: value for name, value in one.items() if name in names} for one in people]

    return lab.once("people", read)


def people_of(lab: Lab, draw: int, *, rows: int = ROWS, unknown_is_a_value: bool = False) -> DrawnTable:
    """Draw people of Adult, `?` as missing or as a value like others."""

    def drawn() -> DrawnTable:
        every = census(lab)
        random = Random(draw)  # noqa: S311 # who is drawn protects nobody
        chosen = random.sample(every, rows * min(len(every), ROWS) // ROWS)
        missing = () if unknown_is_a_value else ("?",)
        table = Table.from_rows(chosen, sensitive="occupation", missing=missing)
        conditions = tuple(name for name in CONDITIONS if name in table.columns)
        return DrawnTable(table=table, least=min(len(every), ROWS) // 500, conditions=conditions)

    return lab.once(f"people {draw} {rows} {unknown_is_a_value}", drawn)


def customers_of(lab: Lab, draw: int) -> DrawnTable:
    """Draw customers of a bank; the class of their balance is what is secret."""

    def drawn() -> DrawnTable:
        every = lab.once("customers", lambda: lab.rows(BANK, separator=";"))
        random = Random(draw)  # noqa: S311 # who is drawn protects nobody
        chosen = [{name: one[name] for name in (*_OF_BANK, "balance")} for one in random.sample(every, ROWS)]
        table = Table.from_rows(chosen, sensitive="balance", classes={"balance": "quantiles 5"})
        return DrawnTable(table=table, least=ROWS // 500, conditions=_OF_BANK)

    return lab.once(f"customers {draw}", drawn)
