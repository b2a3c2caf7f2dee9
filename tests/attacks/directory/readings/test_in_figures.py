"""The readings in the figures of an assessment: those of the rows as they are written."""

from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.attacks.directory.readings.test_golden import BLOCKS, CASES, VALUES
from tests.attacks.directory.shared_tables import adult, hierarchy, subset
from tests.oracles.readings import fits
from tests.sizes import sized

import giveaway as ga
from giveaway.model.exact import read_ratio

HALF = ga.Tolerance(identity="1/2")
KINDS = {"c": ["kitchen"], "w": ["kitchen"], "s": ["forge"], "b": ["forge"]}


def found(readings: dict[str, Any]) -> dict[str, Any]:
    """Return readings of a Summary as they were before: fractions where they are exact."""
    exact = {
        name.removesuffix("_exact"): read_ratio(text) for name, text in readings.items() if "_exact" in name
    }
    return {name: exact.get(name, value) for name, value in readings.items() if "_exact" not in name}


def rounded(value: Any) -> Any:
    """Round what is added up in another order in each table."""
    return round(value, 9) if isinstance(value, float) else value


def of(assessment: ga.Assessment) -> dict[str, Any]:
    readings: dict[str, Any] = assessment.to_dict()["findings"][0]["figures"]["readings"]
    return readings


def table(rows: list[tuple[str | None, str, str | None]]) -> ga.Table:
    return ga.Table.from_frame(
        pl.DataFrame(rows, schema={"job": pl.String, "sex": pl.String, "points": pl.String}, orient="row"),
        sensitive="points",
        rest="publish_unjudged",
    )


jobs, sexes = st.sampled_from(["c", "w", "s", "b", None]), st.sampled_from("fm")
rows = st.lists(st.tuples(jobs, sexes, st.sampled_from(["1", "2", "10", None])), min_size=4, max_size=14)


@sized(40)
@given(rows, st.booleans(), st.booleans())
def test_they_are_those_of_the_written_file(
    given_rows: list[tuple[str | None, str, str | None]], coarser: bool, outside: bool
) -> None:
    people = pl.DataFrame({"job": ["c", "s", "b", None], "sex": ["f", "m", "m", "f"]}) if outside else None
    hierarchies = {"job": KINDS} if coarser else {}
    release = ga.Release(table(given_rows), hierarchies=hierarchies)
    attacker = ga.KnowsDirectory(columns=["job", "sex"], people=people, knows_method=not outside)
    with TemporaryDirectory() as folder:
        try:
            safer = ga.protect(release, attacker, HALF)
            assume(safer.safe)
            safer.publish(Path(folder) / "out")
        except (ga.NoAnswer, ga.NotWritten, ga.NothingToJudge):
            assume(False)
        written = pl.read_parquet(Path(folder) / "out" / "release.parquet")
    shown = bool(written["points"].is_not_null().any())
    expected = ga.readings(
        written, columns=["job", "sex"], sensitive="points" if shown else None, people=people, limit="1/2"
    ).as_dict()
    readings = of(safer)
    (sensitive,) = readings["sensitive"] or [{}]
    (register,) = readings["registers"] or [{}]

    got = found({**readings, **register, **sensitive})
    assert {name: rounded(got[name]) for name in expected} == {
        name: rounded(value) for name, value in expected.items()
    }
    assert readings["columns"] == ["job", "sex"]
    if not outside:
        uniques = ga.suda(written, columns=["job", "sex"], at_most=3)
        suda = {**uniques.as_dict(), "by_size": list(uniques.by_size)}
        assert found(readings["suda"]) == suda


@given(rows)
def test_k_by_fit_lets_blanks_agree_with_everything(
    given_rows: list[tuple[str | None, str, str | None]],
) -> None:
    known = [row[::2] for row in given_rows]
    frame = pl.DataFrame(known, schema={"job": pl.String, "points": pl.String}, orient="row")

    assert ga.readings(frame).k_by_fit == min(sum(fits(one, other) for other in known) for one in known)


def test_the_limit_is_that_of_identity_or_one_fifth() -> None:
    release, attacker = ga.Release(table([("c", "f", "1")] * 3)), ga.KnowsDirectory(columns=["job"])

    assert of(ga.assess(release, attacker, HALF))["limit_exact"] == "1/2"
    assert of(ga.assess(release, attacker, ga.Tolerance(average="1/2")))["limit_exact"] == "1/5"


def test_each_directory_has_readings_of_the_columns_that_it_has() -> None:
    release = ga.Release(table([("c", "f", "1")] * 3 + [("s", "m", "2")] * 2))
    people = [pl.DataFrame({"job": ["c", "c"], "sex": ["f", "m"]}), pl.DataFrame({"job": ["c", "c", "s"]})]
    readings = of(ga.assess(release, ga.KnowsDirectory(columns=["job", "sex"], people=people), HALF))

    assert [one["columns"] for one in readings["registers"]] == [["job", "sex"], ["job"]]
    assert [one["k_map"] for one in readings["registers"]] == [1, 1]
    assert [one["rows_without_people"] for one in readings["registers"]] == [2, 0]
    assert readings["suda"] is None


def test_a_sensitive_column_that_shows_nothing_or_is_compared_has_no_readings() -> None:
    release = ga.Release(table([("c", "f", None)] * 3))
    assert of(ga.assess(release, ga.KnowsDirectory(columns=["job"]), HALF))["sensitive"] == []

    release = ga.Release(table([("c", "f", "1")] * 3))
    assert of(ga.assess(release, ga.KnowsDirectory(columns=["points"]), HALF))["sensitive"] == []


def test_a_verdict_alone_does_not_work_them_out(monkeypatch: pytest.MonkeyPatch) -> None:
    release, attacker = ga.Release(table([("c", "f", "1")] * 3)), ga.KnowsDirectory(columns=["job"])
    place = "giveaway.attacks.directory.reporting.figures.readings"
    monkeypatch.setattr(place, lambda *_: pytest.fail("the readings were worked out"))

    assert ga.assess(release, attacker, HALF).headline()["verdict"] == "safe"


def test_too_many_combinations_are_not_searched_for_a_report() -> None:
    draw = Random(0)  # noqa: S311 # a table to be read
    rows = [{f"c{place}": draw.randrange(9) for place in range(12)} for _ in range(3000)]
    columns = list(rows[0])
    readings = of(ga.assess(ga.Release(ga.Table.from_rows(rows)), ga.KnowsDirectory(columns=columns), HALF))

    assert readings["suda"] is None
    assert readings["rows"] == 3000


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.bank])
def test_golden_values_of_adult(name: str) -> None:
    case = CASES[name]
    frame = adult()[[*case.on, case.sensitive]]
    hierarchies = {"occupation": hierarchy("occupation")} if case.sensitive == "occupation" else {}
    release = ga.Release(ga.Table.from_frame(frame, sensitive=case.sensitive), hierarchies=hierarchies)
    readings = of(ga.assess(release, ga.KnowsDirectory(columns=case.on), ga.Tolerance(identity="1/5")))
    (values,) = map(found, readings["sensitive"])
    alpha, different, entropy, factor, t = VALUES[name]

    assert (readings["blocks"], readings["k"], readings["sample_uniques"]) == BLOCKS[name]
    assert readings["k_by_fit"] == readings["k"]
    assert (values["alpha"], values["l_distinct"]) == (Fraction(alpha), different)
    assert values["l_entropy"] == pytest.approx(entropy, abs=1e-6)
    assert values["c_recursive"] == (None if factor is None else Fraction(factor))
    assert float(values["t_equal"]) == pytest.approx(t, abs=1e-6)
    other = {"adult-1": 0.767738, "adult-2": 0.829653, "adult-3": 0.552251, "adult-4": 0.277517}[name]
    distance = values["t_ordered" if name == "adult-4" else "t_hierarchical"]
    assert float(distance) == pytest.approx(other, abs=1e-6)


def test_golden_values_of_a_sample_in_a_register() -> None:
    columns = ["sex", "age", "race", "marital-status"]
    release = ga.Release(ga.Table.from_frame(subset()[columns]))
    attacker = ga.KnowsDirectory(columns=columns, people=adult()[columns])
    readings = found(of(ga.assess(release, attacker, ga.Tolerance(identity="1/5"))))
    (register,) = map(found, readings["registers"])

    assert (readings["k"], readings["sample_uniques"]) == (1, 321)
    assert (register["k_map"], register["population_uniques"]) == (1, 68)
    assert readings["prosecutor_average"] == Fraction(165, 754)
    assert readings["prosecutor_at_risk"] == Fraction(65, 232)
    assert float(register["journalist_average"]) == pytest.approx(0.0583967, abs=1e-7)
    assert register["journalist_at_risk"] == Fraction(93, 1508)
    assert (register["presence_least"], register["presence_most"]) == (0, 1)


def test_golden_values_of_special_uniques() -> None:
    columns = ["sex", "race", "marital-status", "education", "workclass", "native-country"]
    release = ga.Release(ga.Table.from_frame(subset()[columns]))
    readings = of(ga.assess(release, ga.KnowsDirectory(columns=columns), ga.Tolerance(identity="1/5")))
    suda = found(readings["suda"])

    assert (suda["by_size"], suda["rows_unique"]) == ([7, 217, 369], 323)
    assert (suda["alone"], suda["in_pairs"], suda["total_score"]) == (433, 208, 4131)
    assert float(suda["dis"]) == pytest.approx(0.0205945, abs=1e-7)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.bank])
def test_pycanon_gives_the_same_numbers_where_both_are_right(name: str) -> None:
    anonymity = pytest.importorskip("pycanon.anonymity")
    case = CASES[name]
    frame: pd.DataFrame = adult()[[*case.on, case.sensitive]].reset_index(drop=True)
    ours = ga.readings(frame, columns=case.on, sensitive=case.sensitive)
    alpha, k = anonymity.alpha_k_anonymity(frame, case.on, [case.sensitive])
    distance = ours.t_ordered if name == "adult-4" else ours.t_equal

    assert (ours.k, float(ours.alpha)) == (k, pytest.approx(alpha))
    assert ours.l_distinct == anonymity.l_diversity(frame, case.on, [case.sensitive])
    assert float(distance) == pytest.approx(anonymity.t_closeness(frame, case.on, [case.sensitive]))


def test_sizes_rows_and_columns_of_special_uniques() -> None:
    uniques = ga.suda(pd.DataFrame({"age": [30, 30, 40, 40, 50], "sex": list("ffmfm")}), at_most=2)

    assert [row for row, score in enumerate(uniques.scores) if score] == [2, 3, 4]
    assert uniques.total_score == sum(uniques.scores)
    assert (uniques.minimal_uniques, uniques.by_size, uniques.rows_unique) == (3, (1, 2), 3)
    assert uniques.dis == Fraction(3, 100) / (Fraction(3, 100) + 2 * Fraction(99, 100))
    assert list(uniques.dis_suda[:2]) == [0, 0]
    assert all(0 < chance < 1 for chance in uniques.dis_suda[2:])
    assert len({len(line) for line in repr(uniques).splitlines()}) == 1
    assert uniques.contributions == {"age": 3, "sex": 2}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"columns": ["agee"]}, 'There is no column "agee"'),
        ({"at_most": 0}, "at_most = 0"),
        ({"score": "sdc"}, "score = 'sdc' is unknown"),
        ({"sampled": 0}, "sampled = 0"),
        ({"sampled": 2}, "sampled = 2"),
    ],
)
def test_a_wrong_question_about_special_uniques_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        ga.suda(pl.DataFrame({"age": ["30", "40"]}), **options)
