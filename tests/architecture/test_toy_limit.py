"""Two more limits, registered from here, go all the way of the others without a change in `src`."""

import copy
import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.architecture.toy_attack import KnowsSizes
from tests.architecture.toy_limit import FULL_SIZES
from tests.architecture.toy_limit.registered import registered
from tests.report.reading import Page
from typer.testing import CliRunner, Result

import giveaway as ga
from giveaway.attacks import ATTACKS
from giveaway.attacks.asked import unjudged
from giveaway.checker import CHECKS, Promise, judge
from giveaway.cli.main import app
from giveaway.page.session import Session
from giveaway.page.steps import question
from giveaway.page.steps.limits import limits as laid_out
from giveaway.publish import draw, write_release
from giveaway.report import saved
from giveaway.report.schema import misfits, summary_schema
from giveaway.scenario import read_scenario, understand

BASKETS = "bread milk\nbread milk jam\nbread jam\nbread\nmilk\nbread milk jam rare odd\nmilk jam\n"
SCENARIO = """\
[release]
data = "baskets.dat"

[tolerates]
crowded = "3/5"
filled = "2/5"

[[knows]]
attack = "sizes"
up_to = 9
"""
KNOWN = KnowsSizes(up_to=9)


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "baskets.dat").write_text(BASKETS)
    (tmp_path / "sizes.toml").write_text(SCENARIO)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def text_of(done: Result) -> str:
    return " ".join(done.output.split())


def baskets() -> ga.Release:
    return ga.Release(ga.Transactions.from_lists([line.split() for line in BASKETS.splitlines()]))


def test_a_tolerance_takes_them_by_name() -> None:
    one = ga.Tolerance(crowded="1/2", identity="1/3")

    assert one.crowded == Fraction(1, 2)
    assert one.filled is None
    assert ga.Tolerance(identity="1/3").crowded is None
    assert one.given == {"crowded", "identity"}
    assert one.only({"crowded"}) == ga.Tolerance(crowded=0.5) != ga.Tolerance(crowded=0.6)
    assert len({one, ga.Tolerance(identity="1/3"), pickle.loads(pickle.dumps(one)), copy.copy(one)}) == 2  # noqa: S301
    assert replace(one, identity="1/4") == ga.Tolerance(crowded="1/2", identity="1/4")
    assert repr(one) == (
        "Tolerance(identity=Fraction(1, 3), attribute=None, share=Fraction(0, 1), average=None, "
        "crowded=Fraction(1, 2))"
    )


@pytest.mark.parametrize("wrong", [{"crowded": "3/2"}, {"filled": 0}, {}])
def test_what_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(
        ga.ScenarioError, match=r"must be above 0|identity, attribute, average, crowded or filled"
    ):
        ga.Tolerance(**wrong)


def test_what_is_no_limit_is_no_name() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'crowd'"):
        ga.Tolerance(identity=1, crowd="1/2")
    with pytest.raises(AttributeError, match="crowd"):
        ga.Tolerance(identity=1).crowd  # noqa: B018


def test_they_are_explained_in_the_order_of_what_may_be_above() -> None:
    told = text_of(run("explain", "sizes"))

    assert "[tolerates] identity or crowded or filled is needed" in told
    assert (
        "crowded largest part of all items that one basket may hold (optional) share part of the targets"
        in told
    )
    assert "filled largest part of all items in a basket, on average (optional)" in told
    assert "crowded" not in run("explain", "items").output


def test_a_scenario_says_them_and_its_mistakes_have_lines(place: Path) -> None:
    values, text = read_scenario(place / "sizes.toml")
    scenario = understand(values, base=place, name="sizes.toml", text=text)
    assert scenario.tolerances == (ga.Tolerance(crowded="3/5", filled="2/5"),)

    (place / "sizes.toml").write_text(SCENARIO.replace('"3/5"', '"7/5"').replace("filled", "fillled"))
    told = text_of(run("assess", "sizes.toml"))
    assert "line 5 crowded = 7/5 is not a chance one can tolerate" in told
    assert (
        "line 6 tolerates has no field fillled. it has: identity, attribute, crowded, share, average, filled"
        in told
    )
    assert "did you mean filled?" in told


def test_no_other_attack_is_judged_by_them() -> None:
    with pytest.raises(ga.ScenarioError, match="no limit that the attack items is judged by"):
        ga.assess(baskets(), ga.KnowsItems(at_most=1), ga.Tolerance(crowded="1/2"))
    both = ga.Tolerance(crowded="1/2", filled="1/2", share="1/2")
    wrong = unjudged([ga.KnowsItems(at_most=1)], both, private=False)
    assert "it allows some targets above identity, attribute or crowded, and none of them is judged" in str(
        wrong["share"].fact
    )


@pytest.mark.parametrize(
    ("limits", "verdict"),
    [
        ({"crowded": "3/5"}, "at risk"),
        ({"crowded": "4/5", "share": "1/7"}, "safe"),
        ({"crowded": "4/5", "share": "1/8"}, "at risk"),
        ({"filled": "16/35"}, "safe"),
        ({"filled": "15/35"}, "at risk"),
        ({"filled": "16/35", "crowded": "4/5"}, "at risk"),
    ],
)
def test_it_is_judged_by_what_each_compares(limits: dict[str, str], verdict: str) -> None:
    answer = ga.assess(baskets(), KNOWN, ga.Tolerance(**limits))

    assert answer.verdict == verdict
    assert misfits(answer.to_dict()) == []
    assert answer.to_dict()["findings"][0]["filled_exact"] == "16/35"


def test_a_number_that_is_not_measured_is_not_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = FULL_SIZES.does().measure
    does = replace(FULL_SIZES.does(), measure=lambda *asked: replace(measured(*asked), further={}))
    blind = replace(FULL_SIZES, does=lambda: does)
    monkeypatch.setitem(ATTACKS, "sizes", blind)
    answer = ga.assess(baskets(), KNOWN, ga.Tolerance(filled="1/2"))

    assert answer.verdict == "cannot judge"
    assert answer.findings[0].reasons == ("What filled limits was not measured.",)


def test_the_command_line_takes_them(place: Path) -> None:
    done = run("assess", "baskets.dat", "--knows", "sizes:up_to=9", "--tolerates", "crowded=3/5,filled=1/3")
    said = text_of(done)

    assert done.exit_code == 1
    assert "60 % (crowded) 100 %" in said
    assert "1/3 full (filled) 45.7 %" in said
    assert "1 basket " in said


def test_what_is_said_of_them_stands_in_their_rows() -> None:
    screen = str(ga.assess(baskets(), KNOWN, ga.Tolerance(filled="1/3")))
    assert "1  sizes  1/3 full   45.7 %  -  " in screen

    def told(answer: ga.Assessment) -> str:
        words = ga.sentences(answer.to_dict())
        (attacker,) = words["attackers"]
        levels = (level["measured"] for level in attacker["row"]["levels"])
        return " ".join([*words["lead"], attacker["says"], *levels]).replace("\u00a0", " ")

    filled = told(ga.assess(baskets(), KNOWN, ga.Tolerance(filled="1/3")))
    assert "Baskets are 45.7 % full; you tolerate 1/3." in filled
    assert "45.7 % full" in filled
    crowded = told(ga.assess(baskets(), KNOWN, ga.Tolerance(crowded="3/5")))
    assert "1 of 7 baskets hold too much." in crowded
    assert "fullest 100 %" in crowded
    safer = told(ga.protect(baskets(), KNOWN, ga.Tolerance(crowded="3/5")))
    assert (
        "know a basket that holds nearly everything: it has 60 % of all items, which is the limit." in safer
    )
    safer = told(ga.protect(baskets(), KNOWN, ga.Tolerance(filled="9/20")))
    assert "expect full baskets: they are 42.9 % full; you tolerate 45 %." in safer


def test_it_is_protected_published_checked_and_drawn(place: Path) -> None:
    done = run(
        *("protect", "sizes.toml", "-o", "out", "--json", "s.json"),
        *("--html", "owner.html", "--public-html", "public.html"),
    )
    assert done.exit_code == 0, text_of(done)

    summary = json.loads((place / "s.json").read_text())
    assert summary["withheld"]["items"] == ["odd", "rare"]
    finding = summary["findings"][0]
    assert (
        finding["tolerance"]
        == {
            "crowded": 0.6,
            "crowded_exact": "3/5",
            "filled": 0.38,
            "filled_exact": "19/50",
        }
        | finding["tolerance"]
    )
    assert [level["kind"] for level in finding["kinds"]] == ["crowded", "filled"]
    assert misfits(summary) == []
    assert misfits(summary | {"findings": [finding | {"filled": "full"}]})
    manifest = json.loads((place / "out" / "manifest.json").read_text())
    assert manifest["attackers"][0]["tolerance"]["crowded_exact"] == "3/5"
    owner = Page((place / "owner.html").read_text())
    assert owner.broken == []
    for words in (
        "know a basket that holds nearly everything",
        "crowded at most 3/5",
        "filled at most 2/5",
        "1 of 7 baskets hold too much. After withholding, none is left.",
    ):
        assert words in owner.text, words
    public = Page((place / "public.html").read_text())
    assert "expect full baskets" in public.text
    assert "40 % full" in public.text.replace("\u00a0", " ")
    assert "bread" not in public.text
    saved.read(place / "s.json")
    assert run("report", "s.json").exit_code == 0
    assert run("diff", "s.json", "s.json").exit_code == 0
    assert run("report", "s.json", "--for", "review", "-o", "review.html").exit_code == 0
    assert "at most 40 % full" in (place / "review.html").read_text().replace("\u00a0", " ")


def test_a_summary_that_calls_it_safe_above_them_is_refused(place: Path) -> None:
    summary = ga.assess(baskets(), KNOWN, ga.Tolerance(filled="1/2")).to_dict()
    finding = summary["findings"][0] | {"filled": 0.75, "filled_exact": "3/4"}
    (place / "wrong.json").write_text(json.dumps(summary | {"findings": [finding]}))

    with pytest.raises(ga.WrongQuestion, match="is called safe, and is over its limit"):
        saved.read(place / "wrong.json")


def test_a_file_that_breaks_their_promise_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = baskets().withholding(ga.Withheld(items=["odd"]))
    drawn = draw(release)
    file = write_release(release, place, drawn)

    def judged(**limits: str) -> None:
        promise = Promise(attack="sizes", attacker=vars(KNOWN), tolerance=ga.Tolerance(**limits))
        judge(file, release, [promise], drawn.codes, drawn.order)

    judged(crowded="4/5", filled="3/7")
    for limits in ({"crowded": "3/5"}, {"filled": "2/5"}):
        with pytest.raises(ga.CheckFailed, match="breaks the promise against attacker 1"):
            judged(**limits)
    file.write_text(file.read_text().replace("jam", "jam odd", 1))
    with pytest.raises(ga.CheckFailed):
        judged(crowded="4/5", filled="3/7")
    file.write_text(file.read_text().replace("jam odd", "jam", 1))
    monkeypatch.setitem(CHECKS, "sizes", replace(CHECKS["sizes"], limits=("identity",)))
    with pytest.raises(ga.NotConfirmed, match="What crowded promises against attacker 1 cannot be checked"):
        judged(identity="1/1", crowded="4/5")


def test_the_ladder_tries_what_is_near() -> None:
    rungs = ga.ladder(baskets(), KNOWN, ga.Tolerance(crowded="3/5", filled="1/2"))
    crowded = [(rung.limit, rung.stated, rung.verdict) for rung in rungs if rung.kind == "crowded"]

    assert crowded == [
        (Fraction(1, 5), False, "safe"),
        (Fraction(2, 5), False, "safe"),
        (Fraction(3, 5), True, "safe"),
        (Fraction(4, 5), False, "safe"),
        (Fraction(1), False, "safe"),
    ]
    assert [rung.limit for rung in rungs if rung.kind == "filled"] == [
        *(Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(1)),
    ]


def test_the_breaking_point_is_within_them() -> None:
    assert ga.breaking_point(baskets(), KNOWN, ga.Tolerance(crowded="3/5")).value is None
    assert ga.breaking_point(baskets(), KNOWN, ga.Tolerance(filled="1/2")).value == 5


def test_the_page_has_a_slider_for_those_that_have_places(place: Path) -> None:
    session = Session(roots=(place,), uploads=place / "dropped", text=SCENARIO, base=place)
    (slider,) = laid_out(session)

    assert (slider["name"], slider["now"], slider["at"]) == ("crowded", "3/5", 2)
    assert [mark for mark, _ in slider["places"]] == ["20 %", "40 %", "60 %"]
    assert slider["says"] == "No basket holds more than 60 % of all items."
    question._change(session, {"limit:crowded": "0"})
    assert 'crowded = "1/5"' in session.text
    session.put(SCENARIO.replace("3/5", "1/2"))
    assert [value for _, value in laid_out(session)[0]["places"]] == ["1/5", "2/5", "1/2", "3/5"]


def test_without_them_nothing_is_left_of_them() -> None:
    assert "crowded" in summary_schema()["$defs"]["tolerance"]["properties"]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("crowded", "filled"):
            patch.delitem(ga.Tolerance.limits(), name)
        assert "crowded" not in json.dumps(summary_schema())
