"""The checker's judgement of who can be looked up, against the definition, person by person."""

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import directory as oracle
from tests.sizes import sized

import giveaway as ga
from giveaway import checker, publish
from giveaway.checker.attacks.directory import candidates, judge
from giveaway.checker.attacks.directory.jaro import Alike, jaro
from giveaway.checker.check import ReadBack
from giveaway.checker.files import tables
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.people import People
from giveaway.sources.side_files.people import read_people

NAMES = ("a", "b", "c")
COARSER = {"x": ("xy", "any"), "y": ("xy", "any"), "z": ("z", "any")}
Row = tuple[str, str, str]
Rows = list[Row]

values = st.sampled_from(["x", "y", "z", ""])
names = st.sampled_from(["anna", "anne", "hannah", ""])
some_rows = st.lists(st.tuples(values, values, names), min_size=1, max_size=6)
some_people = st.lists(st.tuples(st.sampled_from("pqrs"), values, values, names), min_size=1, max_size=7)
places = st.tuples(st.integers(0, 5), st.integers(0, 2))
weights = st.sampled_from([0, 1, "1/3", 2, "inf"])


def directory_of(rows: Sequence[tuple[str, ...]]) -> People:
    records = [dict(zip(("id", *NAMES), row, strict=True)) for row in rows]
    return read_people(ga.Table.from_rows(records, id="id"))


def people_of(rows: Sequence[tuple[str, ...]]) -> list[oracle.Person]:
    found: dict[str, oracle.Person] = {}
    for who, *cells in rows:
        found.setdefault(who, []).append(tuple(cell or None for cell in cells))
    return list(found.values())


def agrees(column: int, level: int, match: bool) -> oracle.Agrees:
    if column == 2 and match:
        return oracle.alike(Fraction(4, 5))
    if level == 0:
        return oracle.same
    return lambda disclosed, known: COARSER[str(disclosed)][level - 1] == COARSER[str(known)][level - 1]


class Definition:
    """The tolerance by the definition, record by record."""

    def __init__(
        self,
        rows: Rows,
        hidden: set[tuple[int, int]],
        levels: dict[tuple[int, int], int],
        match: bool,
        gaps: str,
    ) -> None:
        self.rows, self.hidden, self.levels, self.match, self.gaps = rows, hidden, levels, match, gaps

    def shown(self, record: int) -> list[str | None]:
        return [
            None if (record, at) in self.hidden else cell or None for at, cell in enumerate(self.rows[record])
        ]

    def crowd(self, record: int, people: list[oracle.Person]) -> int:
        how = [agrees(at, self.levels.get((record, at), 0), self.match) for at in range(3)]
        return oracle.candidates(self.shown(record), people, how, self.gaps)

    def phi(self, record: int, said: ga.Sensitivity) -> Fraction | float:
        if said.is_constant:
            return Fraction(1)
        shown = [name for name, cell in zip(NAMES, self.shown(record), strict=True) if cell is not None]
        parts = [said.weight(record + 1, name) for name in shown]
        parts += [w for pair, w in said.pairs.get(record + 1, {}).items() if {*pair} <= {*shown}]
        total = math.inf if math.inf in parts else sum(parts, Fraction(0))
        return total if said.form == "additive" else Fraction(1) if not total else math.exp(total)

    def within(
        self,
        directories: list[list[oracle.Person]],
        prior: Sequence[Fraction],
        said: ga.Sensitivity,
        tolerance: ga.Tolerance,
    ) -> bool:
        return all(self._within(directories, prior, said, tolerance, listed) for listed in (0, 1))

    def _within(self, directories: Any, prior: Any, said: Any, tolerance: ga.Tolerance, listed: int) -> bool:
        records = range(len(self.rows))
        chances = [
            [
                Fraction(1, crowd) if (crowd := max(self.crowd(record, people), listed)) else Fraction(0)
                for people in directories
            ]
            for record in records
        ]
        judged = [
            sum((p * c for p, c in zip(prior, line, strict=True)), Fraction(0)) if prior else max(line)
            for line in chances
        ]
        if (
            tolerance.identity is not None
            and Fraction(sum(chance > tolerance.identity for chance in judged), len(records))
            > tolerance.share
        ):
            return False
        if tolerance.average is None:
            return True
        columns = [judged] if prior else list(zip(*chances, strict=True))
        losses = [
            sum(
                (
                    self.phi(record, said) * chance
                    for record, chance in zip(records, column, strict=True)
                    if chance and self.phi(record, said)
                ),
                Fraction(0),
            )
            for column in columns
        ]
        return max(losses) / len(records) <= tolerance.average


def promise(attacker: ga.KnowsDirectory, tolerance: ga.Tolerance) -> checker.Promise:
    return checker.Promise(attack="directory", attacker=vars(attacker), tolerance=tolerance)


def verdict(release: ga.Release, made: checker.Promise) -> bool:
    """Write a release, read it back, and let the checker judge it."""
    assert isinstance(release.original, ga.Table)
    with TemporaryDirectory() as name:
        file = publish.write_release(release, Path(name), None)
        shown = tables.same(file, release, release.original)
        return judge.keeps(ReadBack(form="rows", content=shown, release=release, codes=None), made)


SENSITIVITIES: Any = st.one_of(
    st.just(ga.Sensitivity()),
    st.builds(lambda one, two: ga.Sensitivity(columns={"a": one, "b": two, "c": 1}), weights, weights),
    st.builds(
        lambda one, two, form: ga.Sensitivity(columns={"a": one}, records={1: two, 2: 1}, form=form),
        weights,
        weights,
        st.sampled_from(["additive", "multiplicative"]),
    ),
    st.builds(
        lambda one, two: ga.Sensitivity(
            cells={1: {"a": one, "c": 2}, 2: {"b": 1}}, pairs={1: {("a", "b"): two, ("a", "b", "c"): 3}}
        ),
        weights,
        weights,
    ),
)
TOLERANCES = st.builds(
    lambda identity, share, average: ga.Tolerance(identity=identity, share=share, average=average),
    st.sampled_from(["1/3", "1/2", "1"]),
    st.sampled_from(["0", "1/4", "1/2"]),
    st.sampled_from([None, "1/4", "1/2", "2/3", 1, 2]),
)


@sized(120)
@given(
    rows=some_rows,
    first=some_people,
    second=some_people,
    hidden=st.sets(places, max_size=5),
    coarse=st.dictionaries(places, st.integers(1, 2), max_size=4),
    how=st.sampled_from(["itself", "one", "worst", "bayes"]),
    match=st.booleans(),
    said=SENSITIVITIES,
    tolerance=TOLERANCES,
    shuffled=st.booleans(),
    at_once=st.sampled_from([0, 3, 1 << 16]),
    gaps=st.sampled_from(["apart", "agree"]),
)
def test_the_checker_agrees_with_the_definition(
    rows: Rows,
    first: list[tuple[str, ...]],
    second: list[tuple[str, ...]],
    hidden: set[tuple[int, int]],
    coarse: dict[tuple[int, int], int],
    how: str,
    match: bool,
    said: ga.Sensitivity,
    tolerance: ga.Tolerance,
    shuffled: bool,
    at_once: int,
    gaps: Any,
) -> None:
    records = [dict(zip(NAMES, row, strict=True)) for row in rows]
    if said.by_record and len(rows) < 2:
        said = ga.Sensitivity()
    inside = {(row, at) for row, at in hidden if row < len(rows)}
    levels = {
        (row, at): level
        for (row, at), level in coarse.items()
        if row < len(rows) and at < 2 and (row, at) not in inside and rows[row][at]
    }
    given_people = {"itself": [], "one": [first], "worst": [first, second], "bayes": [first, second]}[how]
    prior = (Fraction(1, 4), Fraction(3, 4)) if how == "bayes" else ()
    attacker = ga.KnowsDirectory(
        knows_method=False,
        people=[directory_of(part) for part in given_people] or None,
        on=NAMES,
        match={"c": ga.Jaro("0.8")} if match else None,
        prior=prior,
    )
    release = ga.Release(
        ga.Table.from_rows(records),
        ga.Withheld(
            cells=[(row + 1, NAMES[at]) for row, at in inside],
            levels=[(row + 1, NAMES[at], level) for (row, at), level in levels.items()],
        ),
        sensitivity=said,
        hierarchies={"a": COARSER, "b": COARSER},
        order="shuffled" if shuffled else "kept",
        gaps=gaps,
    )
    directories = [people_of(part) for part in given_people] or [
        people_of([(str(number), *row) for number, row in enumerate(rows)])
    ]

    expected = Definition(rows, inside, levels, match, gaps).within(directories, prior, said, tolerance)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "_PAIRS", at_once)
        patch.setattr(candidates, "_FEW", at_once)
        assert verdict(release, promise(attacker, tolerance)) == expected


ROWS = [{"a": "x", "b": "x", "c": "anna"}, {"a": "y", "b": "z", "c": "anne"}, {"a": "x", "b": "", "c": ""}]


def tampered(folder: Path, **text: str) -> tuple[Path, ga.Release]:
    (folder / "t.csv").write_text("id,a,b,c\n1,x,x,anna\n2,y,z,anne\n3,x,,\n")
    release = ga.Release(
        ga.read_table(folder / "t.csv", id="id"),
        ga.Withheld(cells=[(1, "b")], levels=[(1, "a", 1), (2, "a", 2)]),
        hierarchies={"a": {"x": ("xy", "any"), "y": ("xy", "any")}},
        order="kept",
    )
    file = publish.write_release(release, folder, None)
    written = file.read_text()
    assert written == "a,b,c\nxy,,anna\nany,z,anne\nx,,\n"
    for before, after in text.items():
        assert before in written
        written = written.replace(before, after)
    file.write_text(written)
    return file, release


SAFE = promise(ga.KnowsDirectory(knows_method=False, on=["c"]), ga.Tolerance(identity="1"))


def test_a_release_with_coarser_labels_is_confirmed(tmp_path: Path) -> None:
    file, release = tampered(tmp_path)

    assert checker.judge(file, release, [SAFE]) == {"release.csv": 3}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"xy": "x"}, "not the original minus what is withheld"),
        ({"any": "xy"}, "not the original minus what is withheld"),
        ({"xy": "all"}, "not one of the original"),
        ({",,anna": ",x,anna"}, "must be hidden"),
        ({"a,b,c": "id,b,c"}, "columns that are to be published"),
        (
            {"a,b,c\n": "id,a,b,c\n", "xy,,": "1,xy,,", "any,z": "2,any,z", "x,,\n": "3,x,,\n"},
            "columns that are to be",
        ),
    ],
)
def test_a_file_that_shows_anything_else_is_refused(
    tmp_path: Path, change: dict[str, str], said: str
) -> None:
    file, release = tampered(tmp_path, **change)

    with pytest.raises(ga.NotWritten, match=said):
        checker.judge(file, release, [SAFE])


def test_a_broken_promise_is_refused(tmp_path: Path) -> None:
    file, release = tampered(tmp_path)
    strict = promise(ga.KnowsDirectory(knows_method=False, on=["c"]), ga.Tolerance(identity="1/3"))

    with pytest.raises(ga.NotWritten, match="breaks the promise against attacker 2"):
        checker.judge(file, release, [SAFE, strict])


def test_labels_that_could_be_taken_for_others_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\nx\ny\n")
    hierarchy = Hierarchy({"x": ("u",), "y": ("v",)})
    object.__setattr__(hierarchy, "of", {"x": ("x",), "y": ("x",)})  # which it would refuse itself
    release = ga.Release(
        ga.read_table(tmp_path / "t.csv"), ga.Withheld(levels=[(2, "a", 1)]), hierarchies={"a": hierarchy}
    )
    file = publish.write_release(release, tmp_path, None)

    with pytest.raises(ga.NotWritten, match="written like another value"):
        checker.judge(file, release, [])


@pytest.mark.parametrize(
    ("one", "other", "similar"),
    [
        ("MARTHA", "MARHTA", 0.94444),
        ("DIXON", "DICKSONX", 0.76667),
        ("JELLYFISH", "SMELLYFISH", 0.89630),
        ("CRATE", "TRACE", 0.73333),
        ("tauss place", "staceplace", 0.8008),
        ("", "", 1),
        ("a", "", 0),
    ],
)
def test_known_similarities(one: str, other: str, similar: float) -> None:
    assert math.isclose(jaro(one, other), similar, abs_tol=5e-5)


@given(
    texts=st.lists(st.text("abcd", max_size=8), min_size=1, max_size=8, unique=True),
    text=st.text("abcde", max_size=8),
    least=st.sampled_from([Fraction(1, 2), Fraction(4, 5), Fraction(1)]),
)
def test_no_alike_text_is_missed(texts: list[str], text: str, least: Fraction) -> None:
    expected = [place for place, other in enumerate(texts) if oracle.jaro(text, other) >= least]

    assert Alike(texts, least).find(text).tolist() == expected


def test_many_records_are_looked_up_among_many_people(tmp_path: Path) -> None:
    """Records, some of them hidden in part, among people with gaps: counted twice, in two ways."""
    draw = np.random.default_rng(3)
    count = 6_000
    sizes = {"zip": 600, "birth": 2000, "sex": 2, "job": 40}
    frame = {name: draw.integers(0, size, count) for name, size in sizes.items()}
    gaps = {name: np.where(draw.random(count) < 0.03, "", codes.astype(str)) for name, codes in frame.items()}
    lines = np.stack([codes.astype(str) for codes in frame.values()], axis=1)
    known = np.stack(list(gaps.values()), axis=1)
    for name, cells in (("t.csv", lines), ("r.csv", known)):
        rows = "\n".join(",".join(row) for row in cells.tolist())
        (tmp_path / name).write_text(f"{','.join(sizes)}\n{rows}\n")
    hidden = [(row + 1, name) for row in range(0, count, 3) for name in ("birth",)]
    release = ga.Release(ga.read_table(tmp_path / "t.csv"), ga.Withheld(cells=hidden))
    attacker = ga.KnowsDirectory(knows_method=False, people=tmp_path / "r.csv")
    tolerance = ga.Tolerance(average="999/1000")

    measured = ga.assess(release, attacker, tolerance).findings[0].risk
    assert measured is not None
    risk = Fraction(str(measured.figures["risk_if_listed"]))
    for limit, safe in ((risk * Fraction(1001, 1000), True), (risk * Fraction(999, 1000), False)):
        assert verdict(release, promise(attacker, ga.Tolerance(average=limit))) is safe
