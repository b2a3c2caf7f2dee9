from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, ClassVar

import pytest
from tests.oracles.stated import stated_risk

import giveaway as ga
from giveaway import flow
from giveaway.attacks import ATTACKS
from giveaway.attacks.asked import in_turn
from giveaway.attacks.attack import Attack, nothing
from giveaway.model.answer.risk import Protection, Risk
from giveaway.model.question.attacker import Attacker

LIMIT = ga.Tolerance(identity="1/2")


@dataclass(frozen=True)
class Dislikes(Attacker):
    """An attacker who is content once some items are gone and nothing else is."""

    attack: ClassVar[str] = "fake"

    bad: str
    brings: str = ""
    """Items whose absence makes this attacker strong."""

    def knows(self) -> str:
        return "what it dislikes"


def measure(release: ga.Release, attacker: Dislikes, *_: object) -> Risk:
    there = set(release.published.labels)
    exposed = bool(there & set(attacker.bad)) or not set(attacker.brings) <= there
    return stated_risk(exposed=exposed, kind="identity", unit="items")


def honest(release: ga.Release, attacker: Dislikes, *_: object) -> Protection:
    gone = [label for label in release.published.labels if label in attacker.bad]
    return Protection(release=release.withholding(ga.Withheld(items=gone)))


def lying(release: ga.Release, *_: object) -> Protection:
    return Protection(release=release)


def timid(release: ga.Release, attacker: Dislikes, *_: object) -> Protection:
    gone = [label for label in release.published.labels if label in attacker.bad][:1]
    return Protection(release=release.withholding(ga.Withheld(items=gone)))


FAKE = replace(ATTACKS["items"].does(), measure=measure, protect=honest)


def doing(name: str, **does: Any) -> Attack:
    """Return an attack that does some things otherwise."""
    changed = replace(ATTACKS[name].does(), **does)
    return replace(ATTACKS[name], does=lambda: changed)


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ga.Release:
    monkeypatch.setitem(
        ATTACKS,
        "fake",
        replace(ATTACKS["items"], name="fake", attacker=Dislikes, does=lambda: FAKE),
    )
    return ga.Release(ga.Transactions.from_lists([list("abcd")]))


def protector(monkeypatch: pytest.MonkeyPatch, protect: Callable[..., Protection]) -> None:
    monkeypatch.setitem(ATTACKS, "fake", doing("fake", protect=protect))


def test_several_attackers_are_served_in_turn(release: ga.Release) -> None:
    safer = ga.protect(release, [Dislikes("a"), Dislikes("b")], LIMIT)

    assert safer.safe
    assert safer.withheld.items == ("a", "b")


def test_rounds_go_on_until_a_timid_protector_has_done_enough(
    release: ga.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    protector(monkeypatch, timid)

    assert ga.protect(release, Dislikes("abc"), LIMIT).withheld.items == ("a", "b", "c")


def test_a_protector_is_not_believed(release: ga.Release, monkeypatch: pytest.MonkeyPatch) -> None:
    protector(monkeypatch, lying)

    with pytest.raises(ga.NoSafeRelease, match="nothing more could be withheld") as caught:
        ga.protect(release, Dislikes("a"), LIMIT)
    assert caught.value.assessment.safe is False
    assert "No safe release was found (not proved)." in caught.value.assessment.findings[0].reasons


def test_protecting_against_one_that_strengthens_another_is_noticed(release: ga.Release) -> None:
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(release, [Dislikes("a"), Dislikes("", brings="a")], LIMIT)


def test_an_empty_release_is_never_safe(release: ga.Release) -> None:
    with pytest.raises(ga.NoSafeRelease, match="empty"):
        ga.protect(release, Dislikes("abcd"), LIMIT)
    empty = release.withholding(ga.Withheld(items=list("abcd")))
    assert ga.assess(empty, Dislikes("abcd"), LIMIT).safe is None


def test_who_needs_the_largest_crowds_comes_first_and_whose_choice_sees_sensitive_values_last() -> None:
    table = ga.Table.from_rows([{"a": "x", "ill": "no"}], sensitive="ill")
    five, two = ga.Tolerance(identity="1/5"), ga.Tolerance(identity="1/2")
    values = ga.KnowsAttributes(columns=["a"]), ga.Tolerance(attribute="1/2")
    people = ga.KnowsDirectory(columns=["a"])
    for asked in permutations([(people, five), (people, two), values]):
        attackers, limits = zip(*asked, strict=True)
        turns = in_turn(dict(enumerate(flow.questions(ga.Release(table), attackers, limits, (), {}))))
        assert [asked[place][1].identity for place, _ in turns] == [five.identity, two.identity, None]


def test_an_attacker_that_cannot_be_measured_rules_out_safe_and_stops_protection(
    release: ga.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_much(*_: object) -> Risk:
        raise ga.BudgetExceeded("Too much.", hint="ask for less.")

    monkeypatch.setitem(ATTACKS, "fake", doing("fake", measure=too_much))
    for found in (ga.assess(release, Dislikes("a"), LIMIT), ga.protect(release, Dislikes("a"), LIMIT)):
        assert found.safe is None
        assert found.findings[0].reasons == ("Too much.", "Hint: ask for less.")
        assert not found.withheld


def test_at_risk_beats_cannot_judge(release: ga.Release, monkeypatch: pytest.MonkeyPatch) -> None:
    def sometimes(release: ga.Release, attacker: Dislikes, *rest: object) -> Risk:
        if attacker.bad == "b":
            raise ga.BudgetExceeded("Too much.", hint="ask for less.")
        return measure(release, attacker, *rest)

    monkeypatch.setitem(ATTACKS, "fake", doing("fake", measure=sometimes))

    assert ga.assess(release, [Dislikes("a"), Dislikes("b")], LIMIT).safe is False
    assert ga.assess(release, [Dislikes(""), Dislikes("b")], LIMIT).safe is None


@pytest.mark.parametrize(
    "margin_and_verdict", [(None, True), (0.05, True), (0.2, None)], ids=["exact", "within", "straddles"]
)
def test_an_estimate_is_judged_with_its_margin(
    release: ga.Release, monkeypatch: pytest.MonkeyPatch, margin_and_verdict: tuple[float | None, bool | None]
) -> None:
    margin, verdict = margin_and_verdict

    def estimated(*words: object) -> Risk:
        return replace(measure(*words), average=0.4, margin=margin)

    tolerance = ga.Tolerance(identity=1, average=0.5, share=0.3)
    by_average = frozenset({"identity", "average"})
    limits = replace(ATTACKS["fake"].limits, used=by_average, greatest=nothing)
    monkeypatch.setitem(ATTACKS, "fake", replace(doing("fake", measure=estimated), limits=limits))
    assert ga.assess(release, Dislikes(""), tolerance).safe is verdict


def test_questions_that_do_not_fit_are_refused(release: ga.Release) -> None:
    table = ga.Release(ga.Table.from_rows([{"sex": "f"}]))
    attacker = ga.KnowsItems(at_most=1)
    for wrong in (
        lambda: ga.assess(release, [], LIMIT),
        lambda: ga.assess(release, [attacker, attacker], [LIMIT, LIMIT, LIMIT]),
        lambda: ga.assess(table, attacker, LIMIT),
        lambda: ga.assess(release, attacker, ga.Tolerance(average=0.1)),
        lambda: ga.protect(release, attacker, LIMIT, items={"scores": "paper"}),
        lambda: ga.protect(release, attacker, LIMIT, profiles={}),
        lambda: ga.Release([["a"]]),
    ):
        with pytest.raises(ga.ScenarioError):
            wrong()


PEOPLE = ga.Table.from_rows(
    [{"sex": "f", "ill": "yes"}, {"sex": "f", "ill": "no"}, {"sex": "m", "ill": "no"}], sensitive="ill"
)
RULES = ga.PublishedRules([ga.Rule({"sex": "m"}, "no")], min_support="1/3", min_confidence=1)


def test_a_table_is_read_as_rows_or_as_rules() -> None:
    rows, rules = ga.Release(PEOPLE, secrets=[1]), ga.Release(PEOPLE, rules=RULES)
    of_rows, of_rules = ga.KnowsAttributes(columns=["sex"]), ga.KnowsProfiles(columns=["sex"])
    limit = ga.Tolerance(attribute="1/2")

    for release in (rows, rules):
        with pytest.raises(ga.ScenarioError, match=r"profiles reads .* attributes .* one of the two"):
            ga.assess(release, [of_rows, of_rules], limit)
    with pytest.raises(ga.ScenarioError, match="profiles reads published rules, and this release"):
        ga.assess(rows, of_rules, limit)
    with pytest.raises(ga.ScenarioError, match="attributes reads published rows, and this release"):
        ga.assess(rules, of_rows, limit)


def until(enough: int) -> Callable[..., Risk]:
    """Measure a release of a table as safe once so many entries or rules are withheld."""

    def measured(release: ga.Release, *_: object) -> Risk:
        exposed = len(release.withheld.cells) + len(release.withheld.rules) < enough
        return stated_risk(exposed=exposed, kind="attribute", unit="columns")

    return measured


def one_entry_more(release: ga.Release, *_: object) -> Protection:
    row = len(release.withheld.cells) + 1
    cells = [(row, "sex")] if row <= len(release.original) else []
    return Protection(release=release.withholding(ga.Withheld(cells=cells)))


def every_rule(release: ga.Release, *_: object) -> Protection:
    return Protection(release=release.withholding(ga.Withheld(rules=release.published.rules)))


def test_rounds_go_on_while_entries_of_a_table_are_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = doing("attributes", measure=until(2), protect=one_entry_more)
    monkeypatch.setitem(ATTACKS, "attributes", changed)
    asked = (
        ga.Release(PEOPLE, secrets=[1]),
        ga.KnowsAttributes(columns=["sex"]),
        ga.Tolerance(attribute=0.5),
    )

    assert list(ga.protect(*asked).withheld.cells) == [(1, "sex"), (2, "sex")]
    monkeypatch.setitem(ATTACKS, "attributes", doing("attributes", measure=until(9)))
    with pytest.raises(ga.NoSafeRelease, match="nothing more could be withheld"):
        ga.protect(*asked)


def test_a_release_without_any_rule_left_is_never_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ATTACKS, "profiles", doing("profiles", measure=until(1), protect=every_rule))

    with pytest.raises(ga.NoSafeRelease, match="Everything would have to be withheld"):
        ga.protect(
            ga.Release(PEOPLE, rules=RULES), ga.KnowsProfiles(columns=["sex"]), ga.Tolerance(attribute=0.5)
        )


def test_what_is_withheld_for_one_attacker_is_no_proof_that_another_cannot_be_served() -> None:
    rows = [["a", "b"], ["a"], ["a"], ["b", "z"], ["b", "z"], ["b", "z"], []]
    baskets = ga.Release(ga.Transactions.from_lists(rows, private=["z"]))
    attackers = [ga.KnowsItems(at_most=2), ga.KnowsItems(at_most=1)]
    limits = [ga.Tolerance(identity="1/2"), ga.Tolerance(attribute="1/2")]

    # The pair is ended by withholding a, which is rarer; b alone gives z away. Only a is safe from both.
    with pytest.raises(ga.NoSafeRelease, match="none is safe even alone") as refused:
        ga.protect(baskets, attackers, limits)
    assert not refused.value.proved
    assert ga.protect(baskets, attackers[::-1], limits[::-1]).withheld.items == ("b",)


def test_figures_of_a_choice_are_left_out_where_more_was_withheld_for_others() -> None:
    rows = [["a", "b", "c"], ["a", "b"], ["a", "b"], ["a", "c"], ["b", "z"], ["b", "z"], ["d"], ["d"]]
    baskets = ga.Release(ga.Transactions.from_lists(rows, private=["z"]))
    need = ga.NeedsItemsets(min_support=1)
    limits = [ga.Tolerance(identity="1/2"), ga.Tolerance(attribute="1/3")]
    alone = ga.protect(baskets, ga.KnowsItems(at_most=2), limits[0], need=need)
    both = ga.protect(baskets, [ga.KnowsItems(at_most=2), ga.KnowsItems(at_most=1)], limits, need=need)

    assert len(both.withheld.items) > len(alone.withheld.items)
    figures = both.to_dict()["findings"][0]["figures"]
    assert "nuggets_ceiling" in alone.to_dict()["findings"][0]["figures"]
    assert "nuggets_ceiling" not in figures
    assert (
        figures["nuggets_kept"] == figures["nuggets"] < alone.findings[0].protection.figures["nuggets_kept"]
    )
    assert "More was withheld for other attackers" in both.to_dict()["findings"][0]["how"]["detail"]


@pytest.mark.parametrize("ask", [ga.assess, ga.protect])
def test_what_is_asked_is_put_together_and_checked_once(
    ask: Callable[..., ga.Assessment], release: ga.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, put_together = [], flow.questions

    def counted(*given: object) -> object:
        asked.append(given)
        return put_together(*given)

    monkeypatch.setattr(flow, "questions", counted)
    ask(release, [Dislikes(bad="a"), Dislikes(bad="b")], LIMIT)

    assert len(asked) == 1
