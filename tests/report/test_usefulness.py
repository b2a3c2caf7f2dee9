"""What a report says of what is left, and what happens to a person."""

from typing import Any

import pytest
from tests.report import samples
from tests.report.reading import Page

from giveaway.report.html import document
from giveaway.report.html.exposures import chosen
from giveaway.report.html.worked import story
from giveaway.report.wording import usefulness
from giveaway.report.wording.phrases import rules_in_words, settings_in_words, told_of


def table(hidden: dict[str, int], coarser: dict[str, int] | None = None) -> dict[str, Any]:
    made = samples.blank_entries()
    made["withheld"] |= {"cells_by_column": hidden, "coarser_by_column": coarser or {}}
    return made


def test_columns_that_lose_most_come_first_with_what_became_of_their_entries() -> None:
    found = usefulness.columns(table({"job": 29, "sex": 0, "education": 400}, {"job": 1000}))

    assert [(one.name, one.kept, one.hidden, one.coarser) for one in found] == [
        ("job", 471, 29, 1000),
        ("education", 1100, 400, 0),
    ]
    assert found[0].says == "29 hidden and 1,000 given less exactly of 1,500"
    text = Page(document.render(table({"job": 29}))).text
    assert "What is left, column by column job 29 hidden of 1,500" in text
    assert text.count("29 hidden of 1,500") == 1


def test_a_column_that_is_gone_is_named_with_what_to_try() -> None:
    told = usefulness.advice(table({"job": 1500}))

    assert told[0] == "job is gone."
    assert "put values into classes" in told[-2]
    assert "--suggest" in told[-1]
    assert usefulness.advice(table({"job": 29})) == []


@pytest.mark.parametrize(
    ("hidden", "coarser", "gone"), [(1350, 0, True), (350, 1000, True), (1349, 0, False)]
)
def test_a_column_is_as_good_as_gone_from_nine_tenths_on(hidden: int, coarser: int, gone: bool) -> None:
    told = usefulness.advice(table({"job": hidden}, {"job": coarser}))

    assert ("Hardly anything is left of job." in told) is gone


@pytest.mark.parametrize(("left", "little"), [(249, True), (250, False), (907, False)])
def test_hardly_anything_is_left_below_a_quarter(left: int, little: bool) -> None:
    made = samples.protected()
    made["findings"][0]["kept"] = {"nuggets": left, "nuggets_total": 1000}
    text = Page(document.render(made)).text

    assert ("Hardly anything is left: 24.9 % of combinations." in text) is little
    assert ("give similar rare items one common name" in text) is little


def test_what_happens_to_a_person_comes_first_and_only_to_the_owner() -> None:
    said = "Somebody who saw ice cream and jam knows for certain that liquor is in the same transaction."

    assert story(samples.at_risk()) == said
    assert story(samples.protected()) == f"As planned, s{said[1:]}"
    assert story(samples.nothing_to_withhold()) == ""
    assert Page(document.render(samples.at_risk())).text.index(said) < 1200
    assert "ice cream" not in document.render(samples.protected(), edition="public")


def test_what_is_within_the_limit_has_no_story() -> None:
    made = samples.at_risk()
    made["findings"][0]["exposures"] = [samples.exposure(["a", "b"], "1/9", "9 hold both.")]

    assert story(made) == ""


def test_similar_exposures_are_one_line_and_different_ones_are_shown() -> None:
    finding = samples.finding(
        exposures=[
            *(samples.exposure([f"a{n}", "b"], "1/1", f"Exactly 1 holds a{n} and b.") for n in range(60)),
            samples.exposure(["c"], "1/1", "Nobody else has it."),
            *(samples.exposure([f"d{n}"], "1/2", "Only 2 hold it.") for n in range(2)),
        ]
    )
    lines = chosen(finding, None)

    assert [line.who for line in lines] == [
        "a0 + b and 59 similar combinations",
        "c",
        "d0 and at least 1 similar combination",
    ]
    assert [line.planned.replace("\u00a0", " ") for line in lines] == ["100 %", "100 %", "50 %"]


def test_a_group_tells_the_worst_that_is_left_of_it() -> None:
    exposures = [
        samples.exposure(["a"], "1/1", "Only 1 holds it.", after=0.2, after_exact="1/5"),
        samples.exposure(["b"], "1/1", "Only 1 holds it.", after=0.5, after_exact="1/2"),
        samples.exposure(["c"], "1/1", "Only 1 holds it.", after="withheld"),
    ]
    (line,) = chosen(samples.finding(exposures=exposures), samples.finding_after(exposures=[]))

    assert (line.after, line.after_over, line.withheld) == ("at most 50\u00a0%", True, False)


def test_rules_and_settings_are_written_as_people_read_them() -> None:
    assert rules_in_words("The rule a=1, b=2 => c=3 holds.") == "The rule a 1, b 2 → c 3 holds."
    assert rules_in_words("a=b stays") == "a=b stays"
    assert settings_in_words("Try tolerates.attribute=3/100.") == "Try a limit of 3\u00a0% (attribute)."
    assert settings_in_words("tolerates.identity=1/6") == "a limit of 1 in 6 (identity)"


def test_a_record_that_is_a_bare_number_is_called_a_record_once() -> None:
    copy = {"label": "record", "opening": "Somebody looks up record {target}."}
    finding = {"attack": "directory", "words": copy}

    said = [
        told_of(copy["opening"], {"target": target, "kind": "identity"}, finding) for target in (88, "r88")
    ]
    assert said == ["Somebody looks up record 88.", "Somebody looks up record r88."]
