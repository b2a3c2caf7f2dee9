"""Rows and items called as their owner calls them, in every view of every attack."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.bench.cases import CASES, PAPERS, Case

import giveaway as ga
from giveaway.model.answer.nouns import Nouns, nouns, speaking_of
from giveaway.report import review
from giveaway.report.html import document
from giveaway.report.terminal import screen

WORDS = {"row": "zebra", "item": ["ox", "oxen"]}
OURS = re.compile(r"(?<![\w\"'.-])(transactions?|items?|records?)(?![\w\"'=:-])", re.IGNORECASE)
NOT_SENTENCES = ("paper", "sha256", "attack", "name", "giveaway", "unit", "figure", "of", "stated_by", "kind")


@pytest.fixture(scope="module", params=[*sorted(CASES), *PAPERS])
def case(request: pytest.FixtureRequest) -> Case:
    return (CASES | PAPERS)[request.param]


def asked(case: Case, words: dict[str, Any] | None) -> list[ga.Assessment]:
    release = replace(case.release(case.rows), words=words)
    question = release, case.attacker, case.tolerance
    return [ga.assess(*question, need=case.need), ga.protect(*question, need=case.need)]


def sentences(value: Any, where: str = "") -> list[tuple[str, str]]:
    """Return the texts of a Summary that are sentences of ours, each with its place."""
    if isinstance(value, dict):
        parts = [(f"{where}.{name}", part) for name, part in value.items() if name not in NOT_SENTENCES]
        return [found for name, part in parts for found in sentences(part, name)]
    if isinstance(value, list):
        return [found for part in value for found in sentences(part, where)]
    return [(where, value)] if isinstance(value, str) and " " in value else []


def test_no_sentence_of_any_view_has_our_own_nouns(case: Case) -> None:
    for made in asked(case, WORDS):
        summary = json.loads(made.to_json())
        assert [told for told in sentences(summary) if OURS.search(told[1])] == []
        assert "zebra" in made.to_json() or "oxen" in made.to_json()
        lines = [screen.render(summary, exposures=True, quiet=False, width=2000)]
        for edition in ("owner", "public"):
            page = document.render(summary, edition=edition)  # type: ignore[arg-type]
            lines += re.sub(r"(?s)<style.*?</style>|<script.*?</script>", "", page).split("\n")
        lines += str(review.render(summary, "html")).split("\n")
        texts = (re.sub(r"<[^>]*>", " ", line) for line in lines)
        other = re.compile(rf"{case.attacker.attack}|Publishing Sensitive Transactions|targets = items")
        assert [text.strip() for text in texts if OURS.search(other.sub("", text))] == []


def test_nothing_but_nouns_changes(case: Case) -> None:
    def told(made: ga.Assessment, words: Nouns) -> Any:
        made_up = {"zebras": "records", "zebra": "record", "oxen": "items", "ox": "item"}
        text = re.sub(r"\b(an|a) (?=(zebra|ox)\b)", "a ", made.to_json(), flags=re.IGNORECASE)
        text = re.sub(r"\b[Aa]n? (?=(transaction|record|item)\b)", "a ", text)
        for word, ours in made_up.items():
            text = re.sub(rf"\b{word}\b", ours, text, flags=re.IGNORECASE)
        plain = re.sub(r"\b([Tt]ransaction|[Rr]ecord)(s?)\b", r"record\2", text)
        read = json.loads(re.sub(r"\bItem(s?)\b", r"item\1", plain))
        del read["seconds"]
        read["data"].pop("words", None)
        return read

    for with_words, without in zip(asked(case, WORDS), asked(case, None), strict=True):
        if not case.by_lot or with_words.before is None:
            assert told(with_words, Nouns.of(WORDS)) == told(without, Nouns())


def test_labels_of_the_data_are_never_touched() -> None:
    rows = [["item", "records"]] * 3 + [["item", "transactions"]]
    release = ga.Release(ga.Transactions.from_lists(rows), words={"row": "basket", "item": "product"})

    made = ga.protect(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))

    assert made.withheld.items == ("transactions",)
    (line,) = made.to_dict()["findings"][0]["ledger"]
    assert (line["withheld"], line["unit"]) == ("transactions", "product occurrences")
    assert "transactions" in str(ga.assess(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2")))


def test_details_speak_of_their_release_whenever_they_are_asked_for() -> None:
    release = ga.Release(ga.Transactions.from_lists([["a"], ["a"], ["b"]]), words={"row": "basket"})

    risk = ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2")).findings[0].risk

    assert risk.exposures[0].because == "Exactly 1 of 3 baskets holds it."
    assert "1 of 3 baskets" in next(curve.says for curve in risk.curves if curve.name == "strength")
    assert nouns().transactions == "transactions"


@pytest.mark.parametrize(
    ("given", "one", "many"),
    [
        ("basket", "a basket", "baskets"),
        ("entry", "an entry", "entries"),
        ("box", "a box", "boxes"),
        ("day", "a day", "days"),
        (["person", "people"], "a person", "people"),
    ],
)
def test_plurals_are_given_or_formed(given: Any, one: str, many: str) -> None:
    with speaking_of({"row": given}):
        assert (nouns().a_transaction, nouns().records) == (one, many)


@pytest.mark.parametrize(
    "words", [{"row": ""}, {"row": "a{b}"}, {"item": ["a", "b", "c"]}, {"rows": "x"}, {"row": "x" * 41}]
)
def test_what_is_no_noun_is_refused(words: Any) -> None:
    with pytest.raises(ga.ScenarioError, match="words"):
        ga.Release(ga.Transactions.from_lists([["a"]]), words=words)


def test_a_scenario_says_it(tmp_path: Path) -> None:
    (tmp_path / "shop.dat").write_text("a b\na b\na c\n")
    text = """
        release = { data = "shop.dat", words = { row = "basket", item = ["ware", "wares"] } }
        tolerates = { identity = "1/2" }
        knows = [{ attack = "items", at_most = 1 }]
        """
    found = ga.Scenario.from_text(text, tmp_path).assess()

    assert found.to_dict()["data"]["words"] == {"row": ["basket", "baskets"], "item": ["ware", "wares"]}
    assert "one ware of a basket" in str(found)
