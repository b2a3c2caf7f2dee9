"""What is measured equals the definitions, on everything small."""

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.attacks.directory.cases import attacker, people, release, table, worlds
from tests.attacks.directory.oracle import World
from tests.sizes import sized

import giveaway as ga

LIMITS = st.sampled_from([Fraction(999, 1000), Fraction(1, 2), Fraction(1, 3), Fraction(2, 5)])


def close(found: Any, wanted: Any) -> bool:
    if math.isinf(wanted) or math.isinf(found):
        return found == wanted
    return found == wanted or math.isclose(found, wanted, rel_tol=1e-9)


def if_independent(world: World) -> float:
    """The risk were columns independent, as a plain product of shares."""
    risks = []
    for at, directory in enumerate(world.directories):
        size = len({person for person, _ in directory})
        total = 0.0
        for place, shown in enumerate(world.everything()):
            share = math.prod(world.candidates(place, [name], at) / max(size, 1) for name in shown)
            phi = float(world.phi(place, shown))
            wrong = float(world.wrong)
            total += phi * (wrong + (1 - wrong) / (size * share)) if phi and share and size else 0.0
        risks.append(total / len(world.records))
    if not world.prior:
        return max(risks)
    return sum(float(part) * risk for part, risk in zip(world.prior, risks, strict=True) if part)


@sized(100)
@given(worlds(), LIMITS, st.sampled_from([None, Fraction(1, 3), Fraction(2)]))
def test_every_number_is_that_of_the_definition(
    given_: tuple[World, ga.Sensitivity, bool], limit: Fraction, average: Fraction | None
) -> None:
    world, sensitivity, own = given_
    tolerance = ga.Tolerance(identity=limit, average=average)
    found = ga.assess(release(world, sensitivity), attacker(world, own=own), tolerance).findings[0]
    assert found.risk is not None
    figures, rule = found.risk.figures, world.everything()
    assert close(figures["risk"], world.risk(rule))
    assert close(figures["risk_if_listed"], world.risk(rule, listed=True))
    assert close(figures["worst_case_risk"], max(world.risks(rule, listed=False)))
    assert float(figures["factorised_risk"]) == pytest.approx(if_independent(world), rel=1e-9)
    assert (figures["bayes_risk"] is None) == (not world.prior)
    assert figures["records_without_candidate"] == world.without(rule)
    everybody = [
        world.candidates(place, shown, at)
        for place, shown in enumerate(rule)
        for at in range(len(world.directories))
    ]
    assert figures["min_candidates"] == min(everybody)
    losses = [world.loss(place, shown, listed=False) for place, shown in enumerate(rule)]
    assert close(figures["max_loss"], max(losses))
    chances = {f"r{place}": world.chance(place, shown, listed=False) for place, shown in enumerate(rule)}
    assert {one.target: one.chance for one in found.risk.exposures} == chances
    worst = {level.kind: level.worst for level in found.risk.levels}
    assert worst["identity"] == max(chances.values())
    over, if_listed = (world.over(rule, limit, listed=listed) for listed in (False, True))
    assert (found.risk.over, found.risk.share) == (over, Fraction(over, len(rule)))
    _verdict(world, found, average, over, if_listed)


def _verdict(world: World, found: Any, average: Fraction | None, over: int, if_listed: int) -> None:
    rule = world.everything()
    risks = world.risk(rule), world.risk(rule, listed=True)
    if average is not None and any(close(risk, float(average)) and risk != average for risk in risks):
        return
    at_risk = over > 0 or (average is not None and risks[0] > average)
    unsure = (
        if_listed > 0
        or risks[1] > (float("inf") if average is None else average)
        or (average is None and risks[1] == float("inf"))
        or 2 * world.without(rule) > len(rule)
    )
    assert found.safe is (False if at_risk else None if unsure else True)


@settings(max_examples=40)
@given(worlds(own=True))
def test_equation_4_and_anonymity_of_the_release(given_: tuple[World, ga.Sensitivity, bool]) -> None:
    """Section 4: the one counts who agrees in the original, the other the same records in the release."""
    world, sensitivity, _ = given_
    found = ga.assess(
        release(world, sensitivity), attacker(world, own=True), ga.Tolerance(identity="999/1000")
    )
    figures = found.findings[0].risk.figures
    same = Counter(tuple(record[name] for name in world.compared) for record in world.records)
    assert figures["k_in_release"] == min(same.values())
    assert figures["k_in_original"] == figures["min_candidates"] >= figures["k_in_release"]


@settings(max_examples=60)
@given(worlds(most=5), LIMITS)
def test_it_holds_up_to_as_many_columns_as_any_set_of_so_many_is_within_tolerance(
    given_: tuple[World, ga.Sensitivity, bool], limit: Fraction
) -> None:
    from itertools import combinations

    world, sensitivity, own = given_
    tolerance = ga.Tolerance(identity=limit)
    holds = ga.breaking_point(release(world, sensitivity), attacker(world, own=own), tolerance)
    truth = 0
    for size in range(1, len(world.compared) + 1):
        rules = [
            [tuple(name for name in there if name in chosen) for there in world.everything()]
            for chosen in combinations(world.compared, size)
        ]
        if any(world.over(rule, limit, listed=True) for rule in rules):
            break
        truth = size
    assert (holds.value or 0) == truth
    assert holds.at_least == (truth == len(world.compared))


def test_exposures_name_few_columns_that_tell_and_the_directory() -> None:
    lines = [
        ("ann", {"name": "Ann", "zip": "1", "sex": "f"}),
        ("eve", {"name": "Eve", "zip": "1", "sex": "f"}),
    ]
    held = people([*lines, ("bob", {"name": "Bob", "zip": "2", "sex": "m"})], ["name", "zip", "sex"])
    records = [{"name": "Ann", "zip": "1", "sex": "f"}, {"name": "Zoe", "zip": None, "sex": "f"}]
    shown = ga.Release(table(records, ["name", "zip", "sex"]))
    found = ga.assess(shown, ga.KnowsDirectory(knows_method=False, people=held), ga.Tolerance(identity="1/2"))
    first, second = found.exposures
    assert (first.target, first.chance, first.baseline) == ("r0", 1, Fraction(1, 3))
    assert first.because == "Only 1 of 3 people in register.csv has this name."
    assert second.chance == 0
    assert "None of the 3 people in register.csv has this name" in second.because
    steps = found.findings[0].risk.worked
    assert [step.count for step in steps] == [3, 2, 2, 1]
    assert steps[0].label == "all people in register.csv"
    assert {part["column"] for part in found.findings[0].risk.figures["columns"]} == {"name", "zip", "sex"}


def test_a_release_that_most_people_are_not_listed_for_is_never_plainly_safe() -> None:
    held = people([(f"p{place}", {"c0": "a"}) for place in range(9)], ["c0"])
    shown = ga.Release(table([{"c0": "b"}, {"c0": "b"}, {"c0": "a"}], ["c0"]))
    limit = ga.Tolerance(identity="999/1000", share="99/100")
    found = ga.assess(shown, ga.KnowsDirectory(knows_method=False, people=held), limit)
    assert found.safe is None
    assert "2 of 3 records agree with nobody" in found.findings[0].reasons[-1]


def test_within_tolerance_by_the_one_count_and_not_by_the_other_cannot_be_judged() -> None:
    held = people([(f"p{place}", {"c0": "a"}) for place in range(9)], ["c0"])
    shown = ga.Release(table([{"c0": "a"}, {"c0": "b"}, {"c0": "a"}], ["c0"]))
    by_identity = ga.assess(
        shown, ga.KnowsDirectory(knows_method=False, people=held), ga.Tolerance(identity="1/5")
    )
    by_average = ga.assess(
        shown, ga.KnowsDirectory(knows_method=False, people=held), ga.Tolerance(average="1/5")
    )
    assert (by_identity.safe, by_average.safe) == (None, None)
    assert "1 instead of 0 records are over the limit" in by_identity.findings[0].reasons[-1]
    assert "the risk is 0.4074 instead of 0.07407" in by_average.findings[0].reasons[-1]


def test_a_person_who_stands_twice_in_a_directory_counts_once() -> None:
    held = people([("ann", {"c0": "a"}), ("ann", {"c0": "b"}), ("ann", {"c0": "a"})], ["c0"])
    shown = ga.Release(table([{"c0": "a"}, {"c0": None}], ["c0"]))
    found = ga.assess(
        shown, ga.KnowsDirectory(knows_method=False, people=held), ga.Tolerance(identity="999/1000")
    )
    assert found.findings[0].risk.figures["directory_size"] == 1
    assert [one.chance for one in found.exposures] == [1, 1]


def test_likeness_finds_people_whose_names_are_written_otherwise() -> None:
    held = people([("1", {"c0": "MARHTA"}), ("2", {"c0": "JONES"})], ["c0"])
    shown = ga.Release(table([{"c0": "MARTHA"}], ["c0"]))
    exact, alike = (
        ga.assess(
            shown,
            ga.KnowsDirectory(knows_method=False, people=held, match=match),
            ga.Tolerance(identity="999/1000"),
        )
        for match in ({}, {"c0": ga.Jaro("0.94")})
    )
    assert [exact.exposures[0].chance, alike.exposures[0].chance] == [0, 1]
    stricter = ga.KnowsDirectory(knows_method=False, people=held, match={"c0": ga.Jaro("0.945")})
    assert ga.assess(shown, stricter, ga.Tolerance(identity="999/1000")).exposures[0].chance == 0


def test_infinite_sensitivity_is_harmless_only_where_nobody_agrees() -> None:
    held = people([("1", {"c0": "a"})], ["c0"])
    weights = ga.Sensitivity(columns={"c0": "inf"})
    for value, risk in (("a", math.inf), ("b", 0)):
        shown = ga.Release(table([{"c0": value}], ["c0"]), sensitivity=weights)
        found = ga.assess(
            shown, ga.KnowsDirectory(knows_method=False, people=held), ga.Tolerance(average="999/1000")
        )
        assert found.findings[0].risk.figures["risk"] == risk
        assert found.safe is (False if risk else None)


@pytest.mark.papers
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda t, p: ga.assess(ga.Release(t), ga.KnowsDirectory(knows_method=False, people=p, on=["zip"]), TOLERANCE), "none of the columns"),
        (lambda t, p: ga.assess(ga.Release(t), ga.KnowsDirectory(knows_method=False, people=p, match={"x": ga.Jaro()}), TOLERANCE), "not compared"),
        (lambda t, _: ga.Release(t, sensitivity=ga.Sensitivity(columns={"c0": -1})), "below 0"),
        (lambda t, p: weighed_by(t, p, columns={"zip": 1}), '"zip", which is not published'),
        (lambda t, p: weighed_by(t, p, records={"nobody": 1}), "No record has the who"),
        (lambda _, p: ga.KnowsDirectory(knows_method=False, people=[p, p], prior=["1/2", "1/3"]), "not to 1"),
        (lambda t, p: asked_for(t, p, per_record=2), "per_record = 2 is more than the 1 column"),
        (lambda t, p: asked_for(t, p, total=4), "total = 4 is more than the 2 values"),
        (lambda t, p: asked_for(t, p, per_column=3), "per_column = 3 is more than the 2 values of c0"),
        (lambda t, p: asked_for(t, p, per_record=1, always=["zip"]), 'There is no column "zip"'),
        (lambda t, p: asked_for(t, p, method="minrisk"), "minrisk needs a number of values"),
    ],
)  # fmt: skip
def test_each_mistake_has_one_clear_error(make: Any, words: str) -> None:
    held = people([(f"p{place}", {"c0": "a"}) for place in range(3)], ["c0"])
    with pytest.raises(ga.ScenarioError, match=words):
        make(table([{"c0": "a"}, {"c0": "b"}], ["c0"]), held)


TOLERANCE = ga.Tolerance(identity="1/9")


def weighed_by(shown: ga.Table, held: Any, **weights: Any) -> None:
    ga.assess(
        ga.Release(shown, sensitivity=ga.Sensitivity(**weights)),
        ga.KnowsDirectory(knows_method=False, people=held),
        TOLERANCE,
    )


def asked_for(shown: ga.Table, held: Any, method: str = "auto", **need: Any) -> None:
    wanted = ga.NeedsColumns(**need)
    attacker_ = ga.KnowsDirectory(knows_method=False, people=held)
    ga.protect(ga.Release(shown), attacker_, TOLERANCE, need=wanted, directory={"method": method})


def test_an_id_that_names_two_records_and_a_record_without_enough_values_are_refused() -> None:
    rows = [{"who": "1", "c0": "a", "c1": "b"}, {"who": "1", "c0": "b", "c1": "b"}]
    twice = ga.Table.from_rows(rows, id="who")
    with pytest.raises(ga.DataError, match="gives several records the same id"):
        ga.assess(ga.Release(twice), ga.KnowsDirectory(knows_method=False), TOLERANCE)
    few = table([{"c0": "a", "c1": None}, {"c0": "a", "c1": "b"}], ["c0", "c1"])
    with pytest.raises(ga.ScenarioError, match="1 record has fewer than 2 values, the fewest 1"):
        ga.protect(
            ga.Release(few),
            ga.KnowsDirectory(knows_method=False),
            TOLERANCE,
            need=ga.NeedsColumns(per_record=2),
        )


def test_tables_without_a_column_in_common_and_likeness_of_coarser_labels_are_refused() -> None:
    held = people([("1", {"zip": "a"})], ["zip"])
    shown = table([{"c0": "a"}], ["c0"])
    with pytest.raises(ga.ScenarioError, match="no column in common"):
        ga.assess(ga.Release(shown), ga.KnowsDirectory(knows_method=False, people=held), TOLERANCE)
    coarse = ga.Release(shown, hierarchies={"c0": {"a": ["any"]}})
    with pytest.raises(ga.ScenarioError, match="has a hierarchy and is compared by similarity"):
        ga.assess(coarse, ga.KnowsDirectory(knows_method=False, match={"c0": ga.Jaro()}), TOLERANCE)


def test_more_columns_than_a_mask_holds_are_measured_but_not_protected() -> None:
    names = [f"c{place}" for place in range(70)]
    shown = ga.Release(table([dict.fromkeys(names, "a"), dict.fromkeys(names, "b")], names))
    found = ga.assess(shown, ga.KnowsDirectory(knows_method=False), TOLERANCE)
    assert found.findings[0].risk.figures["risk"] == 1
    assert found.exposures[0].because.endswith("has these 70 columns.")
    with pytest.raises(ga.ScenarioError, match="70 columns are compared or have a weight, more than the 64"):
        ga.protect(shown, ga.KnowsDirectory(knows_method=False), TOLERANCE)


@pytest.mark.papers
def test_parts_of_the_directory_are_drawn_of_small_tables_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from giveaway.papers.directory import figure_1

    rows = [{"c0": one, "c1": other} for one, other in ("aa", "ab", "ab", "ba", "bb", "bb", "bb")]

    def judged() -> ga.Risk:
        own = ga.KnowsDirectory(knows_method=False)
        return ga.assess(ga.Release(table(rows, ["c0", "c1"])), own, TOLERANCE).findings[0].risk

    small = judged()
    drawn = {curve.name for curve in small.curves}
    monkeypatch.setattr(figure_1, "FEW", 3)
    large = judged()
    assert drawn - {curve.name for curve in large.curves} == {"size"}
    assert dict(large.figures) == dict(small.figures)
    assert [one.chance for one in large.exposures] == [one.chance for one in small.exposures]


@sized(60)
@given(worlds(most=5), LIMITS, st.sampled_from([None, Fraction(1, 2)]))
def test_the_curve_of_strength_ends_at_the_share_or_the_risk_itself(
    given_: tuple[World, ga.Sensitivity, bool], limit: Fraction, average: Fraction | None
) -> None:
    """With all columns it is what is reported; as if all were listed it never falls, and is never below."""
    world, sensitivity, own = given_
    assume(average is None or not sensitivity.is_harmless)
    tolerance = ga.Tolerance(identity=None if average else limit, average=average)
    found = ga.assess(release(world, sensitivity), attacker(world, own=own), tolerance).findings[0].risk
    assume(found is not None)  # a limit that no record could be above is not judged
    drawn = [curve for curve in found.curves if curve.name == "strength"]
    if not drawn:
        assert found.figures["risk_if_listed"] == math.inf
        return
    (curve,) = drawn
    assert close(curve.y[-1], float(found.average if average else found.share))
    above = curve.y if curve.band is None else curve.band[1]
    assert list(above) == sorted(above)
    assert all(low <= high + 1e-12 for low, high in zip(curve.y, above, strict=True))
    nobody = any(
        0 in (world.candidates(row, shown, at) for at in range(len(world.directories)))
        for row, shown in enumerate(world.everything())
    )
    assert (found.holds_up_to.beside is not None) == nobody
    assert nobody or curve.band is None


def test_a_record_that_nobody_agrees_with_is_in_the_band_and_not_in_the_curve() -> None:
    held = people([(f"p{place}", {"c0": "a", "c1": str(place)}) for place in range(9)], ["c0", "c1"])
    records = [
        {"c0": "a", "c1": "0"},
        {"c0": "a", "c1": None},
        {"c0": "a", "c1": "z"},
        {"c0": "a", "c1": None},
    ]
    shown = ga.Release(table(records, ["c0", "c1"]))
    found = (
        ga.assess(shown, ga.KnowsDirectory(knows_method=False, people=held), ga.Tolerance(identity="1/5"))
        .findings[0]
        .risk
    )
    curve = next(curve for curve in found.curves if curve.name == "strength")
    assert (found.over, found.share) == (1, Fraction(1, 4))
    assert curve.y == (0.0, 0.25, 0.25)
    assert curve.band == (curve.y, (0.0, 0.5, 0.5))
    assert found.holds_up_to.beside == (
        "1 record fits nobody in the directory; if their people were listed, 50 % of the records would be over the limit with 1 "
        "column."
    )


def test_limits_that_hold_with_all_columns_hold_on_the_whole_scale() -> None:
    shown = ga.Release(table([{"c0": "a"}, {"c0": "a"}, {"c0": "b"}], ["c0"]))
    for share, whole in (("1/2", True), (0, False)):
        holds = ga.breaking_point(
            shown, ga.KnowsDirectory(knows_method=False), ga.Tolerance(identity="1/2", share=share)
        )
        assert holds.whole_scale is whole


def test_the_curve_of_strength_ends_where_the_share_is_also_when_some_agree_with_nobody() -> None:
    people = [{"age": str(n % 4), "sex": "fm"[n % 2]} for n in range(12)]
    records = [*people[:6], {"age": "9", "sex": "f"}, {"age": "9", "sex": "m"}]
    register = ga.Table.from_rows([{"who": str(n), **one} for n, one in enumerate(people)], id="who")
    for knows_method in (True, False):
        attacker = ga.KnowsDirectory(people=[register], columns=["age", "sex"], knows_method=knows_method)
        found = ga.assess(ga.Release(ga.Table.from_rows(records)), attacker, ga.Tolerance(identity="1/4"))
        (finding,) = found.to_dict()["findings"]
        (curve,) = (one for one in finding["curves"] if one["name"] == "strength")
        assert finding["figures"]["records_without_candidate"] == 2
        assert curve["y"][-1] == finding["share"] == finding["exposures_total"] / len(records)
        assert curve["band"] is not None
