"""Lists of rules judged together with earlier ones: by hand, as background by hand, and the golden values of Adult."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles.composition import lists as oracle
from tests.oracles.crowds import census
from tests.sizes import long, sized

import giveaway as ga

NURSES = ga.Rule({"job": "nurse"}, "flu")
COOKS = ga.Rule({"job": "cook"}, "no")
KNOWS = ga.KnowsProfiles(columns=["job"])


def people(nurses: int, ill: int, cooks: int = 0) -> ga.Table:
    rows = [{"job": "nurse", "ill": "flu" if number < ill else "no"} for number in range(nurses)]
    rows += [{"job": "cook", "ill": "no"}] * cooks
    return ga.Table.from_rows(rows, sensitive="ill")


def rules(*listed: ga.Rule, confidence: str, **more: str) -> ga.PublishedRules:
    return ga.PublishedRules(listed, min_support="1/20", min_confidence=confidence, **more)  # type: ignore[arg-type]


def test_a_rule_that_was_listed_and_is_not_any_more() -> None:
    """Listed at 4/5, not listed at 9/10: exactly 8 of 10."""
    now = ga.Release(people(10, 8, cooks=10), rules=rules(COOKS, confidence="9/10"))
    before = ga.Earlier(rules(NURSES, COOKS, confidence="4/5"), name="2025", linked="people")
    (joined,) = ga.assess(now, KNOWS, ga.Tolerance(attribute="3/4"), earlier=before).findings[0].together
    chances = {
        (one.target["job"], one.value): one.chance  # type: ignore[index]
        for one in joined.over
    }
    assert chances["nurse", "flu"] == pytest.approx(0.8)


def test_a_newcomer_is_told_by_the_difference() -> None:
    """6 of 9 nurses had the flu, then 7 of 10."""
    rows = [{"job": "nurse", "ill": "flu" if number < 6 else "no"} for number in range(9)]
    table = ga.Table.from_rows([*rows, {"job": "nurse", "ill": "flu"}], sensitive="ill")
    listed = rules(NURSES, confidence="1/2", scores="exact")
    now = ga.Release(table, rules=listed)
    limit = ga.Tolerance(attribute="9/10")
    assert ga.assess(now, KNOWS, limit).safe
    before = ga.Earlier(listed, name="2025", linked="people", population=ga.Population(joined=(10,)))
    found = ga.assess(now, KNOWS, limit, earlier=before)
    (joined,) = found.findings[0].together
    assert found.verdict == "at risk"
    assert [(one.target, one.value, one.chance) for one in joined.only_together] == [
        ({"job": "nurse"}, "flu", pytest.approx(1.0))
    ]
    assert joined.risk is not None
    assert joined.risk.share == Fraction(1, 10)


def test_who_joined_must_be_said() -> None:
    table = people(10, 7)
    listed = rules(NURSES, confidence="1/2")
    for population in (ga.Population(joined=1), ga.Population(left=1)):
        before = ga.Earlier(listed, name="2025", linked="people", population=population)
        found = ga.assess(
            ga.Release(table, rules=listed), KNOWS, ga.Tolerance(attribute="9/10"), earlier=before
        )
        assert found.verdict == "cannot judge"
        assert "Since 2025" in found.findings[0].reasons[0]


def test_who_left_is_told_by_the_difference() -> None:
    """7 of 10 nurses had the flu, and 6 of the 9 who are left have it."""
    rows = [{"job": "nurse", "ill": "flu" if number < 6 else "no"} for number in range(9)]
    then = ga.Table.from_rows([{"job": "nurse", "ill": "flu"}, *rows], sensitive="ill")
    listed = rules(NURSES, confidence="1/2", scores="exact")
    now = ga.Release(ga.Table.from_rows(rows, sensitive="ill"), rules=listed)
    limit = ga.Tolerance(attribute="9/10")
    gone = ga.Population(left=(1,))
    before = ga.Earlier(listed, name="2025", linked="people", original=then, population=gone)
    found = ga.assess(now, KNOWS, limit, earlier=before)
    (joined,) = found.findings[0].together
    assert found.verdict == "at risk"
    assert [(one.target, one.value, one.chance) for one in joined.only_together] == [
        ({"job": "nurse"}, "flu", pytest.approx(1.0))
    ]
    assert joined.risk is not None
    assert joined.risk.share == Fraction(1, 10)
    with pytest.raises(ga.NoSafeRelease, match="because people left since 2025 is not worked out"):
        ga.protect(now, KNOWS, limit, earlier=before)


@sized(60)
@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("fn")), min_size=4, max_size=6),
    st.sets(st.integers(0, 5), max_size=2),
    st.sets(st.integers(0, 5), max_size=2),
)
def test_who_joined_and_left_against_all_worlds(
    drawn: list[tuple[str, str]], came: set[int], went: set[int]
) -> None:
    """Whoever is certain in all worlds is certain to the product, and nobody is who is not."""
    size = len(drawn)
    came, went = {one for one in came if one < size}, {one for one in went if one < size} - came
    then, now = ([one for one in range(size) if one not in gone] for gone in (came, went))
    assume(went and then and now and {ill for _, ill in drawn} == {"f", "n"})
    rows = [{"job": job, "ill": ill} for job, ill in drawn]
    tables = [ga.Table.from_rows([rows[one] for one in some], sensitive="ill") for some in (then, now)]
    assume(all(len(table.labels["ill"]) == 2 and len(table.labels["job"]) for table in tables))
    terms = {"min_support": "1/10", "min_confidence": "1/10", "scores": "exact"}
    lists = [
        ga.PublishedRules(ga.mine_rules(table, min_support="1/10", min_confidence="1/10"), **terms)
        for table in tables
    ]
    who = ga.Population(
        joined=tuple(now.index(one) + 1 for one in sorted(came)),
        left=tuple(then.index(one) + 1 for one in sorted(went)),
    )
    before = ga.Earlier(lists[0], name="2025", linked="people", original=tables[0], population=who)
    release = ga.Release(tables[1], rules=lists[1])
    limit = ga.Tolerance(attribute="99/100")
    (seen,) = ga.assess(release, KNOWS, limit, earlier=before).findings[0].together
    assert seen.risk is not None

    truth = [ill for _, ill in drawn]
    groups = [[at for at, (job, _) in enumerate(drawn) if job == one] for one in "ab"] + [list(range(size))]
    counts = [
        count
        for some in (then, now)
        for count in oracle.listed(
            truth, groups, ["f", "n"], Fraction(1, 10), Fraction(1, 10), people=some, scores=True
        )
    ]
    certain = oracle.certain(size, ["f", "n"], counts)
    assert round(seen.risk.share * size) == len(certain)


def test_who_left_is_read_from_a_file(tmp_path: Path) -> None:
    lines = [f"nurse,{'flu' if number < 6 else 'no'}" for number in range(9)]
    (tmp_path / "now.csv").write_text("\n".join(["job,ill", *lines]) + "\n")
    (tmp_path / "then.csv").write_text("rules,support,confidence\n{job=nurse} => {ill=flu},0.7,0.7\n")
    text = """
[release]
data = "now.csv"
sensitive = "ill"
rules = { min_support = "1/20", min_confidence = "1/2", scores = "exact" }
[[earlier]]
release = "then.csv"
name = "2025"
linked = "people"
rules = { min_support = "1/20", min_confidence = "1/2", scores = "exact" }
population = { left = "left.csv" }
[tolerates]
attribute = "9/10"
[[knows]]
attack = "profiles"
columns = ["job"]
"""
    for left, verdict in (("job,ill\nnurse,flu\n", "at risk"), ("row\n1\n", "cannot judge")):
        (tmp_path / "left.csv").write_text(left)
        assert ga.Scenario.from_text(text, tmp_path).assess().verdict == verdict


def test_a_rule_that_would_tell_with_an_earlier_list_is_withheld() -> None:
    """With last year's bound of 9/10 the exact share of now tells more than each alone; what is withheld is of now."""
    table = people(20, 19, cooks=20)
    now = ga.Release(table, rules=rules(NURSES, COOKS, confidence="1/2", scores="exact"))
    limit = ga.Tolerance(attribute="49/50")
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(
            now,
            KNOWS,
            limit,
            earlier=ga.Earlier(
                rules(COOKS, confidence="99/100", scores="exact"), name="2025", linked="people"
            ),
        )


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from("fn")),
        min_size=6,
        max_size=12,
    ),
    st.sampled_from(["1/2", "2/3", "4/5"]),
    st.sampled_from(["1/2", "3/5", "9/10"]),
)
def test_an_earlier_list_is_what_the_attacker_believes_besides(
    drawn: list[tuple[str, str, str]], earlier: str, now: str
) -> None:
    """The same chances as with the bounds of the earlier list written out by hand."""
    table = ga.Table.from_rows(
        [dict(zip(("job", "age", "ill"), row, strict=True)) for row in drawn], sensitive="ill"
    )
    assume(len(table.labels["ill"]) == 2)
    lists = {
        confidence: ga.mine_rules(table, min_support="1/4", min_confidence=confidence)
        for confidence in (earlier, now)
    }
    assume(lists[earlier] and lists[now])
    published = {
        confidence: ga.PublishedRules(found, min_support="1/4", min_confidence=confidence)
        for confidence, found in lists.items()
    }
    knows = ga.KnowsProfiles(columns=["job", "age"])
    limit = ga.Tolerance(attribute="9/10")
    release = ga.Release(table, rules=published[now])
    before = ga.Earlier(published[earlier], name="2025", linked="people")
    (joined,) = ga.assess(release, knows, limit, earlier=before).findings[0].together

    said = []
    size = len(drawn)
    listed = {(rule.condition, rule.value) for rule in lists[earlier]}
    conditions = {
        tuple(sorted(zip(names, values, strict=True)))
        for names in (("job",), ("age",), ("job", "age"))
        for values in {
            tuple(dict(zip(("job", "age"), row[:2], strict=True))[name] for name in names) for row in drawn
        }
    }
    for condition in sorted(conditions):
        among = [
            row
            for row in drawn
            if all(dict(zip(("job", "age"), row[:2], strict=True))[k] == v for k, v in condition)
        ]
        threshold = max(Fraction("1/4") * size, Fraction(earlier) * len(among))
        least = -(-threshold.numerator // threshold.denominator)
        for value in "fn":
            bounds = (
                {"at_least": Fraction(least, len(among))}
                if (condition, value) in listed
                else {"at_most": Fraction(min(least - 1, len(among)), len(among))}
            )
            said.append(ga.Statement(where=dict(condition), value=value, **bounds))  # type: ignore[arg-type]
    by_hand = ga.assess(release, ga.KnowsProfiles(columns=["job", "age"], background=said), limit).findings[0]
    assert joined.risk is not None
    assert by_hand.risk is not None
    assert joined.risk.share == by_hand.risk.share
    assert [float(level.worst) for level in joined.risk.levels] == pytest.approx(
        [float(level.worst) for level in by_hand.risk.levels], abs=1e-6
    )


@long
def test_the_lists_of_adult() -> None:
    """Neither list puts anybody above 95 %, both together 1,992 people."""
    columns = ["workclass", "education", "race", "sex", "native-country", "salary-class"]
    data = census()
    rows = zip(*(data[column] for column in columns), strict=True)
    table = ga.Table.from_rows(
        [dict(zip(columns, row, strict=True)) for row in rows], sensitive="salary-class"
    )

    def published(support: str, confidence: str) -> ga.PublishedRules:
        found = ga.mine_rules(table, min_support=support, min_confidence=confidence)
        return ga.PublishedRules(found, min_support=support, min_confidence=confidence)

    found = ga.assess(
        ga.Release(table, rules=published("0.05", "0.9")),
        ga.KnowsProfiles(columns=columns[:-1]),
        ga.Tolerance(attribute="0.95"),
        earlier=ga.Earlier(published("0.1", "0.8"), name="2025", linked="people"),
    ).findings[0]
    (joined,) = found.together
    assert found.risk is not None
    assert joined.risk is not None
    assert joined.before is not None
    assert (found.risk.share, joined.before.share) == (0, 0)
    assert joined.risk.share * len(table) == 1_992
    assert float(joined.risk.worst.worst) == pytest.approx(0.96093)  # type: ignore[union-attr]
