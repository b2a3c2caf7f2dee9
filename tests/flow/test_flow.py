from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import pytest

import giveaway as ga
from giveaway.attacks import ATTACKS
from giveaway.model.attacker import Attacker
from giveaway.model.risk import HoldsUpTo, How, Level, Protection, Risk

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
    return Risk(
        levels=(Level(kind="identity", worst=Fraction(int(exposed)), limit=Fraction(1, 2)),),
        share=Fraction(int(exposed)),
        over=int(exposed),
        exposures=[],
        how=How(method="exact", detail=""),
        figures={},
        holds_up_to=HoldsUpTo(value=1, unit="items"),
    )


def honest(release: ga.Release, attacker: Dislikes, *_: object) -> Protection:
    gone = [label for label in release.published.labels if label in attacker.bad]
    return Protection(release=release.withholding(ga.Withheld(items=gone)))


def lying(release: ga.Release, *_: object) -> Protection:
    return Protection(release=release)


def timid(release: ga.Release, attacker: Dislikes, *_: object) -> Protection:
    gone = [label for label in release.published.labels if label in attacker.bad][:1]
    return Protection(release=release.withholding(ga.Withheld(items=gone)))


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ga.Release:
    monkeypatch.setitem(
        ATTACKS,
        "fake",
        replace(ATTACKS["items"], name="fake", attacker=Dislikes, measure=measure, protect=honest),
    )
    return ga.Release(ga.Transactions.from_lists([list("abcd")]))


def protector(monkeypatch: pytest.MonkeyPatch, protect: Callable[..., Protection]) -> None:
    monkeypatch.setitem(ATTACKS, "fake", replace(ATTACKS["fake"], protect=protect))


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


def test_an_attacker_that_cannot_be_measured_rules_out_safe_and_stops_protection(
    release: ga.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_much(*_: object) -> Risk:
        raise ga.BudgetExceeded("Too much.", hint="ask for less.")

    monkeypatch.setitem(ATTACKS, "fake", replace(ATTACKS["fake"], measure=too_much))
    for found in (ga.assess(release, Dislikes("a"), LIMIT), ga.protect(release, Dislikes("a"), LIMIT)):
        assert found.safe is None
        assert found.findings[0].reasons == ("Too much.", "Hint: ask for less.")
        assert not found.withheld


def test_at_risk_beats_cannot_judge(release: ga.Release, monkeypatch: pytest.MonkeyPatch) -> None:
    def sometimes(release: ga.Release, attacker: Dislikes, *rest: object) -> Risk:
        if attacker.bad == "b":
            raise ga.BudgetExceeded("Too much.", hint="ask for less.")
        return measure(release, attacker, *rest)

    monkeypatch.setitem(ATTACKS, "fake", replace(ATTACKS["fake"], measure=sometimes))

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
        return replace(measure(*words), average=0.4, how=How(method="estimate", detail="", margin=margin))

    monkeypatch.setitem(ATTACKS, "fake", replace(ATTACKS["fake"], measure=estimated))

    assert ga.assess(release, Dislikes(""), ga.Tolerance(identity=1, average=0.5, share=0.3)).safe is verdict


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
