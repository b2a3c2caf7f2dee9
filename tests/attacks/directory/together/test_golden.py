"""Golden values of releases over time on real data, by the product; they are counted a second time in tests/composition."""

import json
import os
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.composition import data
from tests.oracles.composition.data import A, B, C
from tests.oracles.crowds import census
from tests.sizes import long
from typer.testing import CliRunner

import giveaway as ga
from giveaway.attacks.asked import questions
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.protect import protect
from giveaway.attacks.directory.question import ask
from giveaway.attacks.directory.together.at_once import at_once
from giveaway.attacks.together import View
from giveaway.cli.main import app
from giveaway.finding import Together
from giveaway.model.release.cells import Cells
from giveaway.model.release.joined import table_of_rows
from giveaway.model.release.same_people import SamePeople
from giveaway.recipients.matrix import counts

KNOWS = ga.KnowsDirectory(knows_method=False)
FIRST, SECOND = ("decade", "education", "sex"), ("marital-status", "workclass", "sex")
FIVE = ga.Tolerance(identity="1/5")
ROWS = range(1, 30_163)
slow = pytest.mark.skipif(
    os.environ.get("GIVEAWAY_GOLDEN") != "all", reason="slow; GIVEAWAY_GOLDEN=all runs it"
)


def table(columns: Sequence[str], sensitive: Sequence[str] = (), rows: slice = slice(None)) -> ga.Table:
    codes, labels = {}, {}
    for name in (*columns, *sensitive):
        values, of_row = np.unique(census()[name], return_inverse=True)
        codes[name], labels[name] = of_row[rows].astype(np.int32), tuple(map(str, values))
    return table_of_rows(ga.Table.from_rows([{"x": 1}]), codes, labels, sensitive)


@cache
def release(columns: tuple[str, ...], k: int, sensitive: tuple[str, ...] = ()) -> ga.Release:
    """Return the release by the blanks rule of the golden values; sex is never blank where values are sensitive."""
    shown = data.safe_release(columns, k, never_blank=["sex"] if sensitive else ())
    cells = {name: np.flatnonzero(shown >> data.COLUMNS.index(name) & 1 == 0) for name in columns}
    return ga.Release(table(columns, sensitive), ga.Withheld(cells=Cells.at(cells)), stated=ga.Withheld())


def below(view: View, k: int) -> tuple[int, int]:
    question = ask(view.release, view.attacker)
    crowds, count = question.crowds.min(axis=1), question.groups.count
    return int(count[crowds < k].sum()), int(count[crowds == 1].sum())


def judged(now: ga.Release, before: ga.Earlier, **limits: Any) -> Together:
    return ga.assess(now, KNOWS, ga.Tolerance(**limits), earlier=before).findings[0].together[0]


@long
def test_joined_row_by_row() -> None:
    before = ga.Earlier(release(A, 5), name="A", linked="rows", rows=ROWS)
    found = judged(release(B, 5), before, identity="1/5")
    assert below(found.view, 5) == (3833, 1217)
    assert len(found.only_together) == 3833
    assert found.safe is False


@slow
@pytest.mark.parametrize(
    ("first", "second", "k", "blanks"), [(A, B, 5, 4409), (B, A, 5, 4611), (A, B, 11, 7354), (B, A, 11, 7653)]
)
def test_protected_given_before(first: tuple[str, ...], second: tuple[str, ...], k: int, blanks: int) -> None:
    before = ga.Earlier(release(first, k), name="earlier", linked="rows", rows=ROWS)
    limits = ga.Tolerance(identity=Fraction(1, k))
    protected = ga.protect(ga.Release(table(second)), KNOWS, limits, earlier=before)
    assert protected.verdict == "safe"
    assert len(protected.release.withheld.cells) == blanks


@slow
def test_nobody_knows_whose_row_it_was() -> None:
    shown = release(A, 5).published
    assert isinstance(shown, ga.Table)
    before = ga.Earlier(shown, name="A", linked="rows", original=table(A))
    found = judged(release(B, 5), before, identity="1/5")
    assert below(found.view, 5) == (3865, 1241)


@long
@pytest.mark.parametrize(
    ("k", "people"),
    [
        (5, {"A B": (3833, 1217), "A C": (2112, 925), "B C": (2641, 1115), "A B C": (6677, 3089)}),
        pytest.param(
            11,
            {"A B": (6065, 773), "A C": (2694, 589), "B C": (3611, 832), "A B C": (9062, 2331)},
            marks=slow,
        ),
    ],
)
def test_matrix_of_recipients(k: int, people: dict[str, tuple[int, int]]) -> None:
    releases = {name: release(columns, k) for name, columns in {"A": A, "B": B, "C": C}.items()}
    (question,) = questions(releases["A"], KNOWS, ga.Tolerance(identity=Fraction(1, k)), (), {})
    found = counts(SamePeople.of(releases), question, ga.Effort())
    several = {some: many for some, many in found.items() if len(some) > 1}
    assert {" ".join(some): (many.over, many.alone) for some, many in several.items()} == people
    assert [found[some].over for some in (("A",), ("B",), ("C",))] == [0, 0, 0]


@long
@pytest.mark.parametrize(("k", "blanks"), [(5, 4733), pytest.param(11, 8149, marks=slow)])
def test_two_releases_at_once(k: int, blanks: int) -> None:
    limits = ga.Tolerance(identity=Fraction(1, k))
    people = SamePeople.of({"A": ga.Release(table(A)), "B": ga.Release(table(B))})
    joint = at_once(people, KNOWS, limits, None)
    found = protect(joint.release, joint.attacker, limits, None, ga.Effort(), DirectoryOptions())
    assert sum(len(one.withheld.cells) for one in joint.back(found.release).values()) == blanks


@slow
def test_the_command_writes_both_with_as_few_blanks(tmp_path: Path) -> None:
    for name, columns in {"A": A, "B": B}.items():
        rows = zip(*(map(str, census()[column]) for column in columns), strict=True)
        lines = [",".join(columns), *map(",".join, rows)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
        (tmp_path / f"{name}.toml").write_text(
            f"""
release = {{ data = "{name}.csv" }}
tolerates = {{ identity = "1/5" }}
knows = [{{ attack = "directory", knows_method = false }}]
"""
        )
    words = ["protect", *(str(tmp_path / f"{name}.toml") for name in "AB"), "--together"]
    words += ["-o", str(tmp_path / "out"), "--json", str(tmp_path / "found.json")]
    made = CliRunner().invoke(app, words)
    assert made.exit_code == 0, made.output
    found = json.loads((tmp_path / "found.json").read_text())
    assert sum(one["withheld"]["entries"] for one in found["recipients"]) == 4733
    both = found["matrix"][0]["sets"][-1]
    assert both["before"] == {"over": 3805, "alone": 1256}, "as the files of the product, each by itself"
    assert both["after"] == {"over": 0, "alone": 0}


@pytest.mark.parametrize(
    ("limit", "people", "rows", "only", "certain"),
    [
        # By their rows alone 3,112 and 220 people, 3 of them certain; 16 more are to somebody who knows everybody.
        pytest.param("1/2", 3113, 4109, (1486, 2585), (19, 1213), marks=slow),
        pytest.param("9/10", 234, 1344, (200, 1317), (19, 1213), marks=slow),
    ],
)
def test_people_whose_rows_cannot_be_joined(
    limit: str, people: int, rows: int, only: tuple[int, int], certain: tuple[int, int]
) -> None:
    first, second = release(FIRST, 5, ("occupation",)), release(SECOND, 5, ("occupation",))
    before = ga.Earlier(first, name="first", linked="unknown", rows=ROWS)
    knows = ga.KnowsDirectory(columns=tuple(dict.fromkeys((*FIRST, *SECOND))), knows_method=False)
    finding = ga.assess(
        second, knows, ga.Tolerance(identity="1/5", attribute=limit), earlier=before
    ).findings[0]
    found = {one.view.linked: one for one in finding.together}
    assert below(found["rows"].view, 5) == (2563, 810)
    assert below(found["people"].view, 5) == (4, 0)
    over = {way: [one.over.learnt(at) for at in range(len(one.over))] for way, one in found.items()}  # type: ignore[attr-defined]
    told = {way: {one[1] for one in every if one[0] == "attribute"} for way, every in over.items()}
    assert (len(told["people"]), len(told["rows"])) == (people, rows)
    sure = {way: sum(one[0] == "attribute" and one[3] == 1 for one in every) for way, every in over.items()}
    assert (sure["people"], sure["rows"]) == certain
    assert finding.risk is not None
    assert found["people"].before is not None
    alone: set[Any] = set()
    for risk in (finding.risk, found["people"].before):
        listed = (risk.exposures.learnt(at) for at in range(len(risk.exposures)))  # type: ignore[attr-defined]
        alone |= {one[1] for one in listed if one[0] == "attribute" and one[3] > Fraction(limit)}
    assert (len(told["people"] - alone), len(told["rows"] - alone)) == only
    assert found["people"].risk is not None
    register = found["people"].risk.figures
    assert register["register_mean_belief"] == pytest.approx(0.344, abs=0.001)
    assert limit != "1/2" or register["register_exposed_people"] == pytest.approx(3089, rel=0.02)


@pytest.mark.parametrize(
    ("newcomers", "exposed", "by_themselves"),
    [
        pytest.param(20, 18, 14, marks=slow),
        pytest.param(162, 117, None, marks=slow),
        pytest.param(1000, 247, None, marks=slow),
    ],
)
def test_who_joined_among_those_who_joined(newcomers: int, exposed: int, by_themselves: int | None) -> None:
    size = len(ROWS)
    before = ga.Earlier(
        table(A, rows=slice(0, size - newcomers)),
        name="A",
        linked="rows",
        rows=range(1, size - newcomers + 1),
    )
    finding = ga.assess(ga.Release(table(A)), KNOWS, FIVE, earlier=before).findings[0]
    view = next(one for one in finding.together if one.view.linked == "joined")
    assert finding.risk is not None
    limit = Fraction(1, 5)
    every = finding.risk.exposures
    alone = {one[1] for at in range(len(every)) if (one := every.learnt(at))[3] > limit}  # type: ignore[attr-defined]
    only = [one for one in view.over if one.target not in alone]
    assert len(only) == exposed
    assert by_themselves in (None, view.view.figures["alone"])
