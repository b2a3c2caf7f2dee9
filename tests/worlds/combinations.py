"""Who is asked about beside whom, and what that promises: for each the worlds, what the owner does, and all chances."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from tests.worlds.owners import (
    Owner,
    at_once,
    one_shop,
    one_table,
    register,
    some_of_a_register,
    two_shops,
    two_tables,
    unjoined,
)
from tests.worlds.worlds import Belief, Record, World

import giveaway as ga

Chances = Mapping[Any, Fraction]
Prior = Callable[[Record], int]


@dataclass(frozen=True, kw_only=True)
class Promise:
    """Nobody who knows some places of everybody's records believes anything of this with a larger chance."""

    of: str
    places: Sequence[int]
    chances: Callable[[Belief], Chances]
    limit: Fraction
    sees: Mapping[str, Any] = field(default_factory=dict)
    """What they see, where it is not all rows with all that is published of them."""


@dataclass(frozen=True, kw_only=True)
class Combination:
    """All tables over some values, what their owner does, and what is promised by it."""

    values: Sequence[Sequence[Any]]
    owner: Owner
    promises: Sequence[Promise]
    people: int = 4
    where: Callable[[World], bool] = lambda _: True
    """Of which tables; those must be all that fit what is known."""
    priors: Sequence[Prior] = (lambda _: 1,)
    always: bool = False
    """Whether it is gone through in every run of the tests."""


@dataclass(frozen=True, kw_only=True)
class Who:
    """Somebody who is asked about: columns by their letters, of everybody in the table or of a register."""

    columns: str
    informed: bool = True
    register: bool = False
    at_most: int | None = None
    entries: bool = False
    """Whether hidden entries are inferred, and not people looked up."""

    def attacker(self, world: World) -> Any:
        names = list(self.columns)
        if self.entries:
            return ga.KnowsAttributes(columns=names, knows_method=self.informed)
        people = register(world, self.columns) if self.register else None
        return ga.KnowsDirectory(
            columns=names, people=people, at_most=self.at_most, knows_method=self.informed
        )

    def promises(
        self, tolerance: ga.Tolerance, private: Sequence[int], files: Sequence[int], **more: Any
    ) -> Iterable[Promise]:
        """Give what a tolerance promises about them: of each of the files, and of the places that are private."""
        if not self.informed and self.inside:
            return  # whom others leave out is not counted by somebody who does not know why
        identity, attribute = tolerance.identity, tolerance.attribute
        if self.entries:
            assert attribute is not None
            yield Promise(of="a blank", places=(), chances=behind, limit=attribute, **more)
            return
        for columns in combinations(self.columns, self.at_most or len(self.columns)):
            places = [PLACES[name] for name in columns] + self.inside
            for file in files:
                if identity is None:
                    break
                whose = _whose(file) if self.informed else _fits(places)
                yield Promise(of="whose row", places=places, chances=whose, limit=identity, **more)
            if attribute is not None and private:
                told = _told(private)
                yield Promise(of="a value", places=places, chances=told, limit=attribute, **more)

    @property
    def inside(self) -> list[int]:
        return []


PLACES = {"A": 0, "B": 1, "C": 2}
ALL = -1
"""The number of a file that stands for all of them."""


class Insider(Who):
    """Somebody who knows who of a register is in the table, which is the last place."""

    @property
    def inside(self) -> list[int]:
        return [2]


def _whose(file: int) -> Callable[[Belief], Chances]:
    return lambda seen: seen.whose((lambda form: form) if file == ALL else lambda form: form[file])


def _told(places: Sequence[int]) -> Callable[[Belief], Chances]:
    return lambda seen: seen.told(lambda record: [record[place] for place in places])


def behind(seen: Belief) -> Chances:
    return seen.behind(lambda form: form[1] is None, lambda record: [record[1]])


def _fits(places: Sequence[int]) -> Callable[[Belief], Chances]:
    """Return the chances of somebody who does not know the rule: one by those who agree with a row, a blank with all."""

    def agree(form: Any, known: Record) -> bool:
        return all(form[place] in (None, value) for place, value in zip(places, known, strict=True))

    def chances(seen: Belief) -> Chances:
        forms = {form for _, form in seen.expected if form is not None}
        people = {form: sum(many for who, many in seen.known.items() if agree(form, who)) for form in forms}
        return {form: Fraction(1, many) for form, many in people.items() if many}

    return chances


def _part_over(promise: Promise, share: Fraction) -> Promise:
    """Promise that at most this part of the rows, or of the people, is over the limit."""

    def chances(seen: Belief) -> Chances:
        over = {key for key, chance in promise.chances(seen).items() if chance > promise.limit}
        counts, at = (dict(seen.seen), 0) if promise.of == "whose row" else (seen.known, 0)
        return {"part": Fraction(sum(counts[one] for one in {key[at] for key in over}), sum(counts.values()))}

    return Promise(of=f"part of: {promise.of}", places=promise.places, chances=chances, limit=share)


def _made(
    who: Sequence[Who],
    owner: Callable[[Callable[[World], list[Any]], Any], Owner],
    tolerance: Any,
    *,
    values: Sequence[Sequence[Any]],
    private: Sequence[int] = (),
    files: Sequence[int] = (ALL,),
    people: int = 4,
    where: Callable[[World], bool] = lambda _: True,
    priors: Sequence[Prior] = (lambda _: 1,),
    always: bool = False,
    **more: Any,
) -> Combination:
    """Put a combination together: everybody is promised what their tolerance says."""
    limits = tolerance if isinstance(tolerance, list) else [tolerance] * len(who)
    promises = [
        _part_over(promise, limit.share) if limit.share else promise
        for one, limit in zip(who, limits, strict=True)
        for promise in one.promises(limit, private, files, **more)
    ]
    asks = owner(lambda world: [one.attacker(world) for one in who], tolerance)
    return Combination(
        values=values, owner=asks, promises=promises, people=people, where=where, priors=priors, always=always
    )


SETTINGS = ("values", "people", "where", "priors", "always")


def table(*who: Who, tolerance: Any = None, **more: Any) -> Combination:
    """Put a combination about one table together."""
    settings = {"values": TABLE} | {name: more.pop(name) for name in SETTINGS if name in more}
    private = [PLACES[name] for name in more.get("sensitive", "")]
    return _made(
        who,
        lambda asked, limits: one_table(asked, limits, **more),
        tolerance or HALF,
        private=private,
        **settings,
    )


def listed(*who: Who, **more: Any) -> Combination:
    """Put a combination about some people of a register together: the last place says who is in the table."""
    return _made(who, some_of_a_register, HALF, values=MARKED, **more)


def periods(
    earlier: str, now: str, *who: Who, tolerance: Any = None, linked: str = "rows", **more: Any
) -> Combination:
    """Put a combination about two periods together, with the columns of each; D is column B, as it has become."""
    settings = {"values": TABLE} | {name: more.pop(name) for name in SETTINGS if name in more}

    def holds(columns: str) -> Callable[[Record], dict[str, Any]]:
        return lambda record: {
            "BB"[name == "B"] if name in "BD" else name: record[{**PLACES, "D": 2}[name]] for name in columns
        }

    before = [one.attacker(()) for one in more.pop("before", ())]
    private = [1, 2] if "D" in now else [PLACES[name] for name in more.get("sensitive", "")]
    return _made(
        who,
        lambda asked, limits: two_tables(
            holds(earlier), holds(now), asked, limits, linked=linked, before=before, **more
        ),
        tolerance or HALF,
        private=private,
        files=[1] if linked == "people" else [ALL],
        sees={"sees": unjoined} if linked == "people" else {},
        **settings,
    )


def together(one: str, other: str, *who: Who, tolerance: Any = None, sensitive: str = "") -> Combination:
    """Put a combination about two recipients together, with the columns of each."""
    rows = {
        name: (lambda record, columns=columns: {at: record[PLACES[at]] for at in columns})
        for name, columns in (("one", one), ("two", other))
    }
    return _made(
        who,
        lambda asked, limits: at_once(rows, asked, limits, sensitive),
        tolerance or HALF,
        values=TABLE,
        private=[PLACES[name] for name in sensitive],
        files=[ALL, 0, 1],
    )


def _buyer(
    private: bool, places: Sequence[int], items: Sequence[Callable[[Any], bool]]
) -> Callable[[Belief], Chances]:
    """Return what somebody believes who knows some items of one person: `items` tell which baskets have those."""

    def chances(seen: Belief) -> Chances:
        found: dict[Any, Fraction] = {}
        for number, item in enumerate(items):
            mine = {key: many for key, many in seen.expected.items() if item(key[1])}
            if private and mine:
                true = sum(many for (record, _), many in mine.items() if "w" in {record[at] for at in places})
                found[number] = Fraction(true) / Fraction(sum(mine.values()))
            for form in () if private else {form for _, form in mine}:
                rows = sum(many for (_, other), many in seen.expected.items() if other == form)
                part = sum(many for (_, other), many in mine.items() if other == form)
                found[number, form] = Fraction(part) / Fraction(sum(mine.values()) * rows)
        return found

    return chances


def _shows(items: set[str], form: Any) -> bool:
    return items <= {*form}


def _shop() -> Combination:
    """Put a combination about baskets together: m and n are public, w is private."""
    items = [partial(_shows, {*known}) for known in ("m", "n", "mn")]
    promises = [
        Promise(of="a buyer", places=(), chances=_buyer(private, (2,), items), limit=limit)
        for private, limit in ((False, Fraction(1, 2)), (True, Fraction(3, 4)))
    ]
    asked = [ga.KnowsItems(at_most=1), ga.KnowsItems(at_most=2)]
    return Combination(values=("m-", "n-", "w-"), owner=one_shop(asked, BOTH, ["w"]), promises=promises)


def _shops(linked: str) -> Combination:
    """Put a combination about baskets of two periods together: m in the first, n in the second, and w in each."""
    owner = two_shops(
        ((0, 1), ()), ((2,), ("n",)), [ga.KnowsItems(at_most=1)], OF_VALUES, ["w"], linked=linked
    )
    items = [lambda form: "m" in form[0], lambda form: "n" in form[1]]
    sees = {"sees": unjoined} if linked == "people" else {}
    promise = Promise(
        of="w at some time", places=(), chances=_buyer(True, (1, 2), items), limit=Fraction(3, 4), sees=sees
    )
    return Combination(values=("m-", "w-", "w-"), owner=owner, promises=[promise], always=linked == "rows")


def only(value: str) -> Sequence[Prior]:
    """Let anybody be marked in the last place, or only people with a value."""
    return (lambda _: 1, lambda record: int(not record[-1] or value in record))


def limits(identity: Any = "1/2", **more: Any) -> ga.Tolerance:
    return ga.Tolerance(identity=identity, **more)


TABLE, MARKED, ASKING, CHANGED, LADDER = (
    ("ab", "pq", "gh"),
    ("ab", "pq", (0, 1)),
    ("ab", "uv", (0, 1)),
    ("ab", "uv", "uv"),
    ("123", "pq"),
)
HALF, OF_VALUES = limits(), ga.Tolerance(attribute="3/4")
BOTH = limits(attribute="3/4")
A, B, AB, AC, BC, ABC = (Who(columns=columns) for columns in ("A", "B", "AB", "AC", "BC", "ABC"))
PAPER_A, PAPER_AB, PAPER_AC = (Who(columns=columns, informed=False) for columns in ("A", "AB", "AC"))
LISTED_A, LISTED_B, LISTED_AB = (Who(columns=columns, register=True) for columns in ("A", "B", "AB"))
IN_A, IN_B, IN_AB = (Insider(columns=columns) for columns in ("A", "B", "AB"))
BLANKS = Who(columns="A", entries=True)
ONE_OF_AB, ONE_OF_ABC, TWO_OF_ABC = (
    Who(columns=columns, at_most=most) for columns, most in (("AB", 1), ("ABC", 1), ("ABC", 2))
)
LADDERS = {"A": {"1": ["low"], "2": ["low"], "3": ["high"]}}
ASKED = {
    "values": ASKING,
    "columns": "AB",
    "sensitive": "B",
    "secret": lambda one: one[2],
    "priors": only("u"),
}
MARKS = {"values": MARKED, "columns": "AB", "marks": lambda one: "A" * one[2], "priors": only("a")}
HAS_CHANGED = {"tolerance": OF_VALUES, "changes": ["B"], "sensitive": "B", "values": CHANGED}
LEVELS = {"values": LADDER, "columns": "AB", "hierarchies": LADDERS}


def needs(**need: Any) -> dict[str, Any]:
    return {"options": {"need": ga.NeedsColumns(**need)}}


PERIODS: list[tuple[str, tuple[str, str], list[Who], dict[str, Any]]] = [
    ("B has changed", ("AB", "AD"), [A], HAS_CHANGED),
    ("B has changed, uninformed", ("AB", "AD"), [PAPER_A], HAS_CHANGED),
    ("A, then BC", ("A", "BC"), [ABC], {}),
    ("A, then BC, AB beside AC", ("A", "BC"), [AB, AC], {"before": [A]}),
    ("AB, then AC, AB beside AC", ("AB", "AC"), [AB, AC], {"before": [AB]}),
    ("AC, then BC, of C", ("AC", "BC"), [AB], {"tolerance": BOTH, "sensitive": "C"}),
    (
        "AB for AB, then C for AC",
        ("AB", "C"),
        [AC],
        {
            "before": [AB],
            "values": ("abc", "pqr", "gh"),
            "people": 5,
            "where": lambda world: (
                sorted((one[0], one[2]) for one in world) == [*zip("aabbc", "ghghg", strict=True)]
            ),
        },
    ),
]

COMBINATIONS: dict[str, Combination] = {
    "AB beside AC": table(AB, AC, always=True),
    "AC beside AB": table(AC, AB),
    "AB beside AC, of different limits": table(AB, AC, tolerance=[HALF, limits("1/3")], always=True),
    "AC beside AB, of different limits": table(AC, AB, tolerance=[limits("1/3"), HALF]),
    "AB beside AC, five people": table(AB, AC, people=5),
    "AB, AC and BC": table(AB, AC, BC, always=True),
    "A beside BC": table(A, BC),
    "AB beside an uninformed AC": table(AB, PAPER_AC),
    "an uninformed AB beside AC": table(PAPER_AB, AC, always=True),
    "two uninformed": table(PAPER_AB, PAPER_AC),
    "AB beside AC, as it is": table(AB, AC, assessed=True),
    "one of ABC": table(ONE_OF_ABC),
    "two of ABC": table(TWO_OF_ABC),
    "one of ABC beside AB": table(ONE_OF_ABC, AB, always=True),
    "one of ABC beside an uninformed AB": table(ONE_OF_ABC, PAPER_AB),
    "AB beside AC, B always shown": table(AB, AC, **needs(always=["B"]), always=True),
    "AB beside AC, two values of each": table(AB, AC, **needs(per_record=2)),
    "AB beside AC, two of each column": table(AB, AC, **needs(per_column=2)),
    "AB, A marked": table(AB, **MARKS),
    "A beside B, A marked": table(A, B, **MARKS),
    "AB, a quarter over": table(AB, tolerance=limits(share="1/4"), columns="AB", values=("abc", "pq")),
    "AB beside AC, a quarter over": table(AB, AC, tolerance=limits(share="1/4")),
    "AB, a quarter over, of C": table(AB, tolerance=limits(attribute="2/3", share="1/4"), sensitive="C"),
    "A beside B, ladders": table(A, B, **LEVELS),
    "AB, levels": table(AB, **LEVELS, options={"directory": {"method": "levels", "suppress": "1/2"}}),
    "A beside B, levels": table(A, B, **LEVELS, options={"directory": {"method": "levels"}}),
    "AB, of C": table(AB, tolerance=limits(attribute="2/3"), sensitive="C"),
    "A, of B, until it is safe": table(A, tolerance=BOTH, columns="AB", sensitive="B", values=("xz", "uvw"), people=5, tries=2, where=lambda world: [one[0] for one in world] == [*"xxxxz"], always=True),
    "A beside B, of C": table(A, B, tolerance=BOTH, sensitive="C"),
    "A, of C, beside BC": table(A, BC, tolerance=[OF_VALUES, HALF], sensitive="C"),
    "A, of B, beside AB": table(A, AB, tolerance=[ga.Tolerance(attribute="1/2"), HALF], columns="AB", sensitive="B", values=("ab", "uv"), people=5, always=True),
    "one of AB, of C": table(ONE_OF_AB, tolerance=BOTH, sensitive="C"),
    "one of AB, of C, beside A": table(ONE_OF_AB, A, tolerance=BOTH, sensitive="C"),
    "a register": listed(LISTED_AB),
    "a register with A beside B": listed(LISTED_A, IN_B, always=True),
    "registers with A and with B": listed(LISTED_A, LISTED_B),
    "an uninformed A beside a register": listed(Insider(columns="A", informed=False), LISTED_AB),
    "AB beside a register with A": listed(IN_AB, LISTED_A),
    "AC beside a register with AB": table(AC, LISTED_AB),
    "a register with AB beside an uninformed AC": table(LISTED_AB, PAPER_AC),
    "a register with A beside B, of C": table(LISTED_A, B, tolerance=BOTH, sensitive="C"),
    "blanks": table(BLANKS, tolerance=ga.Tolerance(attribute="1/2"), **ASKED),
    "blanks beside A": table(BLANKS, A, tolerance=[ga.Tolerance(attribute="1/2"), HALF], **ASKED, always=True),
    "A beside blanks, of B": table(A, BLANKS, tolerance=limits(attribute="2/3"), **ASKED),
    "blanks beside AB": table(BLANKS, AB, tolerance=[ga.Tolerance(attribute="1/2"), HALF], **ASKED),
    "A and B together": together("AB", "AC", ABC),
    "AB and AC together, AB beside AC": together("AB", "AC", AB, AC),
    "AC and BC together, of C": together("AC", "BC", AB, tolerance=BOTH, sensitive="C"),
    "items": _shop(),
    **{f"baskets of two periods, {linked}": _shops(linked) for linked in ("rows", "people", "at once")},
    **{
        f"{name}, {linked}": periods(*columns, *who, linked=linked, always=name == "B has changed" and linked == "rows", **more)
        for linked in ("rows", "people")
        for name, columns, who, more in PERIODS
    },
}  # fmt: skip

REFUSED = {"A, of B, beside AB", "B has changed, people", "AC, then BC, of C, people"}
"""Where nothing is released, because it is not known what that would tell."""
