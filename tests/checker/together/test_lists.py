"""Lists of rules after earlier ones: what all of them say, worked out anew from their files."""

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from tests.checker.together.writing import csv, judged, written
from tests.oracles.composition import lists as oracle
from tests.sizes import sized

import giveaway as ga
from giveaway.publish import write_release

SCENARIO = """
[release]
data = "people.csv"
sensitive = "ill"
[release.rules]
min_support = {support}
min_confidence = {confidence}
scores = "{scores}"
{earlier}
[tolerates]
attribute = "9/10"
[[knows]]
attack = "profiles"
columns = ["edu", "sex"]
"""


def people(number: int = 100) -> list[str]:
    rng = random.Random(2)  # noqa: S311 # made-up people
    drawn = [(rng.choice("abc"), rng.choice("fm"), rng.random()) for _ in range(number)]
    ill = {"a": 0.35, "b": 0.5, "c": 0.65}
    return [f"{edu},{sex},{'yes' if chance < ill[edu] else 'no'}" for edu, sex, chance in drawn]


@pytest.mark.parametrize("scores", ["withheld", "exact"])
def test_a_list_after_another_one_is_confirmed(
    scores: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    csv(tmp_path, "people.csv", "edu,sex,ill", people())
    written(SCENARIO.format(support=0.05, confidence=0.55, scores=scores, earlier=""), "2025")
    said = '[[earlier]]\nrelease = "2025"\n'
    written(SCENARIO.format(support=0.02, confidence=0.5, scores=scores, earlier=said), "2026")
    if scores == "exact":
        three = said + '[[earlier]]\nrelease = "2026"\n'
        written(SCENARIO.format(support=0.03, confidence=0.52, scores=scores, earlier=three), "2027")


def ten(ill: int = 8) -> ga.Table:
    """Nurses, of whom this many have flu."""
    rows = [{"job": "nurse", "ill": "flu" if at < ill else "none"} for at in range(10)]
    return ga.Table.from_rows(rows, sensitive="ill")


def rules(table: ga.Table, confidence: str, **how: Any) -> ga.PublishedRules:
    levels: dict[str, Any] = {"min_support": 0, "min_confidence": confidence}
    return ga.PublishedRules(ga.mine_rules(table, **levels), **levels, **how)


def earlier(folder: Path, table: ga.Table, confidence: str, **how: Any) -> ga.Earlier:
    """A list that was written before."""
    said = {name: how.pop(name) for name in ("scores", "distribution") if name in how}
    made = ga.Release(table, rules=rules(table, confidence, **said), statements=how.get("statements", ()))
    (folder / "2025").mkdir(exist_ok=True)
    file = write_release(made, folder / "2025")
    return ga.Earlier(made, name="2025", file=file, has_manifest=True, **{"linked": "people"} | how)


ATTACKER = ga.KnowsProfiles(columns=["job"], whole_numbers=True)


def test_two_lists_that_tell_together_what_neither_tells(tmp_path: Path) -> None:
    """Listed at .8 and not at .9: exactly 8 of 10 have flu, and 4/5 are believed to."""
    now = ga.Release(ten(), rules=rules(ten(), "0.9"), earlier=[earlier(tmp_path, ten(), "0.8")])
    judged(now, tmp_path, ATTACKER, attribute="0.8")
    with pytest.raises(ga.CheckFailed, match=r"Together with 2025, rules\.csv breaks the promise"):
        judged(now, tmp_path, ATTACKER, attribute="0.79")
    judged(ga.Release(ten(), rules=rules(ten(), "0.9")), tmp_path, ATTACKER, attribute="0.79")
    nobody = ga.Release(
        ten(), rules=rules(ten(), "0.9"), earlier=[earlier(tmp_path, ten(), "0.8", linked="nobody")]
    )
    judged(nobody, tmp_path, ATTACKER, attribute="0.79")


def test_files_that_were_changed_are_noticed(tmp_path: Path) -> None:
    table = ten()
    now = ga.Release(table, rules=rules(table, "0.9"), earlier=[earlier(tmp_path, table, "0.8")])
    file = tmp_path / "2025" / "rules.csv"
    honest = file.read_text()
    file.write_text(honest + "job=nurse,ill=none,,\n")  # a rule that is not true
    with pytest.raises(ga.CheckFailed):
        judged(now, tmp_path, ATTACKER, attribute="0.8")
    file.write_text(honest.replace("job=nurse,ill=flu,,\n", ""))  # one that is not there
    with pytest.raises(ga.CheckFailed):
        judged(now, tmp_path, ATTACKER, attribute="0.8")
    file.write_text("other,columns\n")
    with pytest.raises(ga.NotConfirmed, match="could not be read again"):
        judged(now, tmp_path, ATTACKER, attribute="0.8")
    file.write_text(honest)
    with pytest.raises(ga.CheckFailed, match="does not hold the rules"):
        judged(
            now,
            tmp_path,
            ATTACKER,
            lambda out: out.write_text(out.read_text() + "job=nurse,ill=flu,,\n"),
            attribute="0.8",
        )


def test_statements_and_distributions_of_earlier_lists_are_read_again(tmp_path: Path) -> None:
    table = ten()
    said = [ga.Statement(where={"job": "nurse"}, value="flu", count=8)]
    one = earlier(tmp_path, table, "1", statements=said)
    now = ga.Release(table, rules=rules(table, "0.9"), earlier=[one])
    judged(now, tmp_path, ATTACKER, attribute="0.8")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(now, tmp_path, ATTACKER, attribute="0.79")
    file = tmp_path / "2025" / "statements.csv"
    file.write_text(file.read_text().replace("8", "9"))
    with pytest.raises(ga.CheckFailed):
        judged(now, tmp_path, ATTACKER, attribute="0.8")
    one = earlier(tmp_path, table, "1", distribution="published")
    now = ga.Release(table, rules=rules(table, "0.9"), earlier=[one])
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(now, tmp_path, ATTACKER, attribute="0.79")
    file = tmp_path / "2025" / "distribution.csv"
    file.write_text(file.read_text().replace("8", "9"))
    with pytest.raises(ga.CheckFailed, match="distribution"):
        judged(now, tmp_path, ATTACKER, attribute="0.8")


def test_who_joined_since_a_list_is_told_by_the_difference(tmp_path: Path) -> None:
    """6 of 9 nurses have flu, then 7 of 10: the tenth has it. With scores withheld nobody can tell."""
    rows = [
        {"name": str(at), "job": "nurse", "ill": "flu" if at in (0, 1, 2, 3, 4, 5, 9) else "none"}
        for at in range(10)
    ]
    now = ga.Table.from_rows(rows, sensitive="ill", id="name")
    then = ga.Table.from_rows(rows[:9], sensitive="ill", id="name")
    joined = ga.Population(joined=("9",))
    for scores, told in (("exact", True), ("withheld", False)):
        one = earlier(tmp_path, then, "0.5", scores=scores, population=joined)
        release = ga.Release(now, rules=rules(now, "0.5", scores=scores), earlier=[one])
        if told:
            with pytest.raises(ga.CheckFailed, match="Together with 2025"):
                judged(release, tmp_path, ATTACKER, attribute="0.95")
        else:
            judged(release, tmp_path, ATTACKER, attribute="0.95")
    some = earlier(tmp_path, then, "0.5", population=ga.Population(joined=1))
    with pytest.raises(ga.NotConfirmed, match="Of whom 2025 tells"):
        judged(ga.Release(now, rules=rules(now, "0.5"), earlier=[some]), tmp_path, ATTACKER, attribute="0.95")


def test_what_is_out_is_accepted_as_long_as_nothing_is_added(tmp_path: Path) -> None:
    """At least 8 of 10 nurses had flu. That at most 3 of 5 men have it is harmless, but then all women do."""
    rows = [
        {"job": "nurse", "sex": "f" if at < 5 else "m", "ill": "flu" if at < 8 else "none"}
        for at in range(10)
    ]
    table = ga.Table.from_rows(rows, sensitive="ill")
    attacker = ga.KnowsProfiles(columns=["job", "sex"], whole_numbers=True)
    nurses = [
        rule for rule in ga.mine_rules(table, min_support=0, min_confidence="0.8") if len(rule.condition) == 1
    ]
    out = ga.PublishedRules(
        [rule for rule in nurses if rule.condition[0][0] == "job"],
        min_support=0,
        min_confidence="0.8",
        complete=False,
    )
    (tmp_path / "2025").mkdir()
    then = ga.Release(table, rules=out)
    one = ga.Earlier(
        then,
        name="2025",
        linked="people",
        file=write_release(then, tmp_path / "2025"),
        has_manifest=True,
        already="accept",
    )

    def said(sex: str, share: str, one: ga.Earlier = one) -> ga.Release:
        statement = ga.Statement(where={"sex": sex}, value="flu", at_most=share)
        return ga.Release(table, statements=[statement], earlier=[one])

    judged(said("f", "1"), tmp_path, attacker, attribute="0.7")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(said("m", "0.6"), tmp_path, attacker, attribute="0.7")
    refused = ga.Earlier(then, name="2025", linked="people", file=one.file, has_manifest=True)
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(said("f", "1", one=refused), tmp_path, attacker, attribute="0.7")


# Against a closed form ------------------------------------------------------------------------------------------

NURSES = st.lists(st.integers(0, 6), min_size=1, max_size=3)
"""How many of six people with each job have flu."""
LEVELS = st.sampled_from(["0.3", "0.5", "0.6", "0.7", "0.9"])


def believed(counts: list[oracle.Count]) -> Fraction:
    """The strongest belief: of one job by itself, as even as its bounds let it be."""
    found = []
    for group in {count.group for count in counts}:
        size, low, high = len(group), 0, len(group)
        for one in (count for count in counts if count.group == group):
            ends = (one.least, one.most) if one.value == "flu" else (size - one.most, size - one.least)
            low, high = max(low, ends[0]), min(high, ends[1])
        flu = min(max(Fraction(1, 2), Fraction(low, size)), Fraction(high, size))
        found.append(max(flu, 1 - flu))
    return max(found)


@sized(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(flu=NURSES, levels=st.tuples(LEVELS, LEVELS), scores=st.booleans())
def test_beliefs_are_as_even_as_both_lists_let_them_be(
    flu: list[int], levels: tuple[str, str], scores: bool, tmp_path: Path
) -> None:
    truth = ["flu" if at < ill else "none" for ill in flu for at in range(6)]
    rows = [{"job": f"j{at // 6}", "ill": value} for at, value in enumerate(truth)]
    table = ga.Table.from_rows(rows, sensitive="ill")
    if len({*truth}) < 2:
        return
    groups = [range(6 * at, 6 * at + 6) for at in range(len(flu))]
    said = [
        oracle.listed(truth, groups, ["flu", "none"], Fraction(0), Fraction(level), scores=scores)
        for level in levels
    ]
    alone, both = believed(said[1]), believed(said[0] + said[1])
    how = {"scores": "exact" if scores else "withheld"}
    one = earlier(tmp_path, table, levels[0], **how)
    now = ga.Release(table, rules=rules(table, levels[1], **how), earlier=[one])
    judged(now, tmp_path, ATTACKER, attribute=max(alone, both))
    if both - Fraction(1, 100) > alone:
        with pytest.raises(ga.CheckFailed, match="Together with 2025"):
            judged(now, tmp_path, ATTACKER, attribute=both - Fraction(1, 100))
