"""The checker's certificate on the examples of Zhu, Wang and Du, and on small cases worked out by hand."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import giveaway as ga
from giveaway import checker, publish
from giveaway.checker.attacks.profiles import judge, maximum_entropy
from giveaway.checker.attacks.profiles.maximum_entropy import Certified
from giveaway.checker.check import ReadBack
from giveaway.checker.files import rule_files
from giveaway.model.release.rule import Rule, Statement

FIRST = ga.Table.from_rows(
    [
        {"education": education, "sex": sex, "salary": salary}
        for education, sex, salary, many in [
            ("Doctorate", "Female", "50K+", 4),
            ("Doctorate", "Male", "50K+", 1),
            ("Doctorate", "Male", "50K-", 1),
            ("Masters", "Female", "50K+", 4),
            ("Masters", "Female", "50K-", 1),
            ("Bachelors", "Male", "50K-", 1),
        ]
        for _ in range(many)
    ],
    sensitive="salary",
)
SECOND = ga.Table.from_rows(
    [
        {"education": "Doctorate", "sex": "Female", "salary": "50K+"},
        {"education": "Doctorate", "sex": "Male", "salary": "50K+"},
        {"education": "Masters", "sex": "Female", "salary": "50K-"},
    ],
    sensitive="salary",
)
RULES = (
    Rule({"education": "Doctorate"}, "50K+"),
    Rule({"education": "Doctorate", "sex": "Female"}, "50K+"),
    Rule({"sex": "Female"}, "50K+"),
)


def first(**how: Any) -> ga.Release:
    rules = ga.PublishedRules(
        RULES, **({"min_support": "0.3", "min_confidence": "0.8", "inclusive": False} | how)
    )
    return ga.Release(FIRST, rules=rules)


def promise(
    limit: object = "1", share: object = 0, columns: Any = ("education", "sex"), **how: Any
) -> checker.Promise:
    attacker = ga.KnowsProfiles(columns=columns, **how)
    tolerance = ga.Tolerance(attribute=limit, share=share)
    return checker.Promise(attack="profiles", attacker=vars(attacker), tolerance=tolerance)


def keeps(release: ga.Release, folder: Path, asked: checker.Promise) -> bool:
    listed, _ = rule_files.same(publish.write_release(release, folder, None), release, release.original)
    return judge.keeps(ReadBack(form="rules", content=listed, release=release, codes=None), asked)


def believed(
    release: ga.Release, folder: Path, monkeypatch: pytest.MonkeyPatch, **how: Any
) -> dict[tuple[str, ...], float]:
    """Return the chance of the last salary in label order, 50K-, subtracted from 1, for each profile."""
    seen: list[tuple[Any, Certified]] = []
    honest = judge._believed

    def watched(crowd: Any, rows: Any, absent: Any) -> Certified:
        seen.append((crowd, honest(crowd, rows, absent)))
        return seen[-1][1]

    monkeypatch.setattr(judge, "_believed", watched)
    keeps(release, folder, promise(**how))
    (crowd, found), labels = seen[-1], release.original.labels
    assert max(found.violation, found.gap, found.error) < 1e-9
    names = [
        tuple(str(labels[column][code]) for column, code in zip(crowd.columns, codes, strict=True))
        for codes in crowd.codes.tolist()
    ]
    rich = labels["salary"].index("50K+")
    return dict(zip(names, found.chance[:, rich].tolist(), strict=True))


DF, DM, MF, BM = ("Doctorate", "Female"), ("Doctorate", "Male"), ("Masters", "Female"), ("Bachelors", "Male")


@pytest.mark.parametrize(
    ("how", "asked", "expected"),
    [
        ({"scores": "exact", "complete": False}, {}, {DF: 1, DM: 0.5, MF: 0.8, BM: 0.5}),
        (
            {"scores": "exact", "complete": False, "distribution": "published"},
            {},
            {DF: 1, DM: 0.5, MF: 0.8, BM: 0},
        ),
        ({"complete": False}, {"whole_numbers": False}, {DF: 0.9, DM: 0.6, MF: 0.72, BM: 0.5}),
        ({"complete": False}, {}, {DF: 1, DM: 0.5, MF: 0.8, BM: 0.5}),
        ({"scores": 2, "complete": False}, {}, {DF: 1, DM: 0.5, MF: 0.8, BM: 0.5}),
    ],
)
def test_example_1(
    how: dict[str, Any],
    asked: dict[str, Any],
    expected: dict[tuple[str, str], float],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = believed(first(**how), tmp_path, monkeypatch, **asked)

    assert found == {profile: pytest.approx(chance, abs=1e-9) for profile, chance in expected.items()}


@pytest.mark.parametrize(
    ("asked", "second", "third"),
    [({"non_rules": False}, 1, 0.5), ({"whole_numbers": False}, 0.9, 0.5), ({}, 1, 0)],
)
def test_example_2(
    asked: dict[str, Any], second: float, third: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = [Rule({"education": "Doctorate"}, "50K+")]
    published = ga.PublishedRules(rules, min_support="0.6", min_confidence="0.9")

    found = believed(ga.Release(SECOND, rules=published), tmp_path, monkeypatch, **asked)

    assert found[DM] == pytest.approx(second, abs=1e-9)
    assert found[MF] == pytest.approx(third, abs=1e-9)


def test_the_limit_and_the_share_are_kept_to_the_last_person(tmp_path: Path) -> None:
    release = first(complete=False)  # chances of the worst value: DF 1, DM 1/2, MF 4/5, BM 1/2

    assert keeps(release, tmp_path, promise("1"))
    assert keeps(release, tmp_path, promise("0.8", share=Fraction(4, 12)))
    assert not keeps(release, tmp_path, promise("0.8", share=Fraction(4, 12) - Fraction(1, 1000)))
    assert not keeps(release, tmp_path, promise("0.79", share=Fraction(4, 12)))
    assert keeps(release, tmp_path, promise("0.79", share=Fraction(9, 12)))


def test_the_true_value_alone_is_judged_where_asked(tmp_path: Path) -> None:
    release = first(complete=False)

    assert not keeps(
        release, tmp_path, promise("0.79", share=Fraction(8, 12) - Fraction(1, 1000), judges="true")
    )
    assert keeps(release, tmp_path, promise("0.79", share=Fraction(8, 12), judges="true"))


def test_only_values_worth_protecting_are_judged(tmp_path: Path) -> None:
    rules = ga.PublishedRules(RULES, min_support="0.3", min_confidence="0.8", complete=False)
    release = ga.Release(FIRST, rules=rules, sensitive_values=["50K-"])

    assert keeps(release, tmp_path, promise("0.5"))
    assert not keeps(release, tmp_path, promise("0.49"))


def test_background_and_statements_count(tmp_path: Path) -> None:
    release = first(complete=False)
    poor = Statement(where={"education": "Bachelors"}, value="50K-", at_least="0.9")
    alone = Statement(value="50K-", count=1, rows=np.array([11]))
    told = ga.Release(
        FIRST, rules=release.rules, statements=[Statement(where={"sex": "Male"}, value="50K-", count=2)]
    )

    assert keeps(release, tmp_path, promise("0.81", share=Fraction(4, 12)))
    assert not keeps(release, tmp_path, promise("0.81", share=Fraction(4, 12), background=[poor]))
    assert not keeps(release, tmp_path, promise("0.81", share=Fraction(4, 12), background=[alone]))
    assert not keeps(told, tmp_path, promise("0.81", share=Fraction(4, 12)))


def test_people_with_a_missing_profile_are_judged_or_dropped(tmp_path: Path) -> None:
    rows = [{"sex": "f", "ill": "yes"}, {"sex": "", "ill": "yes"}]
    table = ga.Table.from_rows([*rows, {"sex": "f", "ill": "no"}], sensitive="ill")
    said = [Statement(value="yes", count=3)]
    release = ga.Release(
        table, rules=ga.PublishedRules([], min_support=0, min_confidence=1, complete=False), statements=said
    )

    def over(**how: Any) -> bool:
        return not keeps(release, tmp_path, promise("0.9", share=Fraction(2, 3), columns=["sex"], **how))

    assert over(missing_profiles="value")
    assert over(missing_profiles="drop")
    assert keeps(release, tmp_path, promise("1", columns=["sex"]))


def test_several_sensitive_columns_are_judged_together(tmp_path: Path) -> None:
    table = ga.Table.from_rows(
        [{"sex": sex, "ill": ill, "pay": pay} for sex in "fm" for ill in "yn" for pay in ("low", "high")],
        sensitive=["ill", "pay"],
    )
    rules = [Rule({"sex": "f"}, "y", sensitive="ill"), Rule({"sex": "f"}, "low", sensitive="pay")]
    published = ga.PublishedRules(rules, min_support="1/4", min_confidence="1/2", complete=False)
    release = ga.Release(table, rules=published)

    assert keeps(release, tmp_path, promise("1/2", columns=["sex"]))
    more = Statement(where={"sex": "f"}, value="low", sensitive="pay", count=3)
    assert not keeps(
        ga.Release(table, rules=published, statements=[more]), tmp_path, promise("0.7", columns=["sex"])
    )


def test_a_list_that_says_it_is_complete_and_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ga.CheckFailed, match="said to be complete"):
        keeps(first(inclusive=True), tmp_path, promise())
    keeps(first(inclusive=True, complete=False), tmp_path, promise())


def test_a_list_without_withheld_rules_is_never_complete(tmp_path: Path) -> None:
    release = first().withholding(ga.Withheld(rules=[RULES[0]]))

    assert keeps(release, tmp_path, promise("1"))


def test_what_contradicts_itself_cannot_be_judged(tmp_path: Path) -> None:
    wrong = [Statement(where={"sex": "Female"}, value="50K-", count=9)]
    with pytest.raises(ga.CheckFailed, match="contradicts itself"):
        keeps(ga.Release(FIRST, rules=first(complete=False).rules, statements=wrong), tmp_path, promise())


def test_contradictions_of_several_rows_are_not_taken_for_an_answer() -> None:
    inside = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
    values = np.array([[True, False], [False, True], [False, True]])

    found = maximum_entropy.solve(np.array([10, 10, 10]), bounds(inside, values, [15, 15, 15], [20, 20, 20]))

    assert found.violation > 1e-2


def bounds(
    inside: Any, values: Any, low: Sequence[float], high: Sequence[float]
) -> maximum_entropy.BoundRows:
    from scipy import sparse

    return maximum_entropy.BoundRows(
        members=sparse.csr_array(inside),
        values=values,
        low=[Fraction(number) for number in low],
        high=[Fraction(number) for number in high],
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_certificate_agrees_with_a_general_solver(seed: int) -> None:
    from scipy.optimize import LinearConstraint, minimize

    draw = np.random.default_rng(seed)
    weights = draw.integers(1, 9, 6)
    inside, values = (draw.random((4, 6)) < 0.6).astype(float), np.zeros((4, 3), np.bool_)
    inside[:, 0] = 1
    values[np.arange(4), draw.integers(0, 3, 4)] = True
    cover = np.array([np.outer(one, two).ravel() for one, two in zip(inside, values, strict=True)])
    true = (draw.dirichlet(np.ones(3), 6) * weights[:, None]).ravel()
    sums = cover @ true
    low, high = sums * [1, 0.9, 1, 1.0], sums * [1, 1, 1, 1.2]

    found = maximum_entropy.solve(weights, bounds(inside, values, low.tolist(), high.tolist()))

    def loss(shares: np.ndarray) -> float:
        return float((shares * np.log(shares / np.repeat(weights, 3))).sum() / weights.sum())

    exact, loose = [0, 2], [1, 3]
    other = minimize(
        loss,
        true,
        method="SLSQP",
        bounds=[(1e-9, None)] * 18,
        constraints=[
            LinearConstraint(cover[exact], low[exact], high[exact]),
            LinearConstraint(cover[loose], low[loose], high[loose]),
            LinearConstraint(np.kron(np.eye(6), np.ones(3)), weights, weights),
        ],
        options={"maxiter": 500, "ftol": 1e-13},
    )
    shares = found.chance * weights[:, None]
    assert max(found.violation, found.gap, found.error) < 1e-9
    assert loss(shares.ravel()) == pytest.approx(other.fun, abs=1e-6)
    assert shares == pytest.approx(other.x.reshape(6, 3), abs=0.02)


@pytest.mark.parametrize("left", ["violation", "gap", "error"])
def test_a_solution_is_not_believed_without_its_certificate(
    left: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = judge._believed
    precise = 1e-6

    def imprecise(by: float) -> None:
        monkeypatch.setattr(judge, "_believed", lambda *given: replace(honest(*given), **{left: by}))

    imprecise(0.5 * precise)
    assert keeps(first(complete=False), tmp_path, promise("1"))
    imprecise(2 * precise)
    with pytest.raises(ga.CheckFailed, match="precisely enough"):
        keeps(first(complete=False), tmp_path, promise("1"))


def test_multipliers_that_push_where_nothing_is_bound_leave_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """All bounds are kept with room to spare, and the solution is still not the one of maximum entropy."""
    monkeypatch.setattr(maximum_entropy._Dual, "begun", lambda _, start, __: start)
    monkeypatch.setattr(maximum_entropy._Dual, "finished", lambda _, start: start)
    inside, values = np.ones((1, 2)), np.array([[True, False]])
    one = bounds(inside, values, [2], [20])

    idle = maximum_entropy.solve(np.array([10, 10]), one, np.array([0.0]))
    pushed = maximum_entropy.solve(np.array([10, 10]), one, np.array([1.0]))

    assert (idle.violation, idle.gap) == (0, 0)
    assert pushed.violation == 0
    assert pushed.gap == pytest.approx(1 / (1 + np.exp(-1)) - 0.1)


def test_bounds_that_are_not_kept_are_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maximum_entropy._Dual, "begun", lambda _, start, __: start)
    monkeypatch.setattr(maximum_entropy._Dual, "finished", lambda _, start: start)
    inside, values = np.ones((1, 2)), np.array([[True, False]])

    found = maximum_entropy.solve(np.array([10, 10]), bounds(inside, values, [15], [20]), np.array([0.0]))

    assert found.violation == pytest.approx(0.25)


def test_the_limit_is_kept_to_a_ten_millionth(tmp_path: Path) -> None:
    """A chance of 4/5 is within 4/5, and not within a limit that is a millionth below."""
    release = first(complete=False)

    assert keeps(release, tmp_path, promise("4/5", share=Fraction(4, 12)))
    assert not keeps(release, tmp_path, promise(Fraction(4, 5) - Fraction(1, 10**6), share=Fraction(4, 12)))


def weak_rules() -> ga.Release:
    """Rules about people with a, with b, and with b alone; the last is just below a confidence of 71 %."""
    counts = {"ab": (9, 1), "a": (19, 11), "b": (21, 9), "": (3, 7)}
    rows = [
        {"a": "a" in has, "b": "b" in has, "ill": ill}
        for has, both in counts.items()
        for ill, many in zip("yn", both, strict=True)
        for _ in range(many)
    ]
    table = ga.Table.from_rows(rows, sensitive="ill")
    terms = {"min_support": "0.25", "min_confidence": "0.65"}
    return ga.Release(table, rules=ga.PublishedRules(ga.mine_rules(table, **terms), **terms, scores="exact"))


def test_a_list_at_higher_thresholds_is_read_with_its_silence(tmp_path: Path) -> None:
    release, asked = weak_rules(), promise("0.8", columns=("a", "b"))
    kept, *below = release.rules.rules
    assert str(kept) == "b=True => ill=y"
    for place, (withheld, safe) in enumerate(
        [
            (ga.Withheld(rules=below, min_confidence="0.71"), False),
            (ga.Withheld(min_confidence="0.71"), False),
            (ga.Withheld(rules=below), True),
            (ga.Withheld(rules=[kept, *below[1:]], min_confidence="0.66"), True),
        ]
    ):
        (folder := tmp_path / str(place)).mkdir()
        assert keeps(release.withholding(withheld), folder, asked) is safe


@pytest.mark.parametrize("scores", [1, 2, "withheld"])
def test_scores_that_tell_more_than_they_should_are_found(scores: Any, tmp_path: Path) -> None:
    release = first(scores="exact")
    coarser = release.withholding(ga.Withheld(scores=scores))
    assert keeps(coarser, tmp_path, promise()) is True
    file = publish.write_release(release, tmp_path, None)
    with pytest.raises(ga.CheckFailed, match="does not hold the rules"):
        rule_files.same(file, coarser, release.original)


def test_a_statement_that_should_be_withheld_is_found(tmp_path: Path) -> None:
    said = [
        Statement(where={"sex": sex}, value="50K+", count=count)
        for sex, count in (("Female", 8), ("Male", 1))
    ]
    release = ga.Release(FIRST, statements=said)
    file = publish.write_release(release, tmp_path, None)
    assert rule_files.same(file, release, FIRST)[1] == {"rules.csv": 0, "statements.csv": 2}
    with pytest.raises(ga.CheckFailed, match="does not hold the statements"):
        rule_files.same(file, release.withholding(ga.Withheld(statements=said[:1])), FIRST)
