"""An attack may count two things as exposed, each by a limit of its own; reports tell of those that are limited."""

import json
from fractions import Fraction
from typing import Any

import pytest
from tests.report import samples

from giveaway.model.answer.phrases import Counted, Phrases, words_of
from giveaway.report.html import document
from giveaway.report.terminal import screen
from giveaway.report.wording import sentences, strengths
from giveaway.report.wording.words import GAP

WORDS = Phrases(
    could="could find whose record it is",
    could_too=", or guess a value",
    targets="records",
    exposed=Counted(
        figure="over", of="records", noun="records", how="are known", one="is known", kind="identity"
    ),
    exposed_too=Counted(
        figure="told", of="people", noun="people", how="are guessed", one="is guessed", kind="attribute"
    ),
    guesses={"attribute": "for a stranger"},
    openings={"attribute": "Somebody asks about {target}."},
    titles={"told": "Chance per person"},
    bars=("told",),
)


def finding(over: int | None, told: int | None, share: str = "0/1") -> samples.Summary:
    limits = {"identity": ("1/5", over), "attribute": ("1/2", told)}
    made = samples.finding_after(
        attack="directory",
        kinds=[
            samples.level(kind, "1/1", limit, "1/3")
            for kind, (limit, some) in limits.items()
            if some is not None
        ],
        figures={"over": over, "records": 40, "told": told, "people": 30},
        share=0.1,
        share_exact="1/10",
        holds_up_to={"value": 1, "unit": "columns"},
        curves=[],
        words=json.loads(json.dumps(words_of(WORDS))),
    )
    made["tolerance"] = {
        **({} if over is None else {"identity": 0.2}),
        **({} if told is None else {"attribute": 0.5}),
        "share": float(Fraction(share)),
        "share_exact": share,
    }
    return made


@pytest.mark.parametrize(
    ("over", "told", "says", "short"),
    [
        (12, 7, "12 of 40 records are known; 7 of 30 people are guessed.", "12 records and 7 people exposed"),
        (1, 1, "1 of 40 records is known; 1 of 30 people is guessed.", "1 record and 1 person exposed"),
        (0, 7, "None of the 40 records are known; 7 of 30 people are guessed.", "7 people exposed"),
        (0, 0, "None of the 40 records are known; none of the 30 people are guessed.", "none exposed"),
        (None, 7, "7 of 30 people are guessed.", "7 people exposed"),
        (12, None, "12 of 40 records are known.", "12 records exposed"),
    ],
)
def test_what_is_limited_is_counted(over: int | None, told: int | None, says: str, short: str) -> None:
    made = finding(over, told)

    assert sentences.exposed(made) == says
    assert sentences.over_short(made) == short
    assert sentences.could(made).endswith("guess a value") == (told is not None)


@pytest.mark.parametrize(
    ("after", "says"),
    [
        ((0, 0), "After withholding, none is left."),
        ((0, 2), "After withholding, none of the 40 records are known; 2 of 30 people are guessed."),
    ],
)
def test_after_withholding_none_is_said_only_of_both(after: tuple[int, int], says: str) -> None:
    assert sentences.exposed_then(finding(12, 7), finding(*after)) == says


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (
            finding(2, 3, "1/5"),
            "5 % of the records and 10 % of the people are above the limit; you tolerate it for up to 20 %.",
        ),
        (finding(None, 3, "1/5"), "10 % of the people are above the limit; you tolerate it for up to 20 %."),
        (finding(2, 3), None),
    ],
)
def test_each_part_is_of_its_own_whole(made: samples.Summary, says: str | None) -> None:
    assert (sentences.share_tolerated(made) or "").replace(GAP, " ") == (says or "")


def test_the_baseline_is_whose_the_attack_says() -> None:
    first, second = sentences.baselines(finding(12, 7))

    assert "without the release" in first
    assert "for a stranger" in second


def test_a_terminal_has_a_count_for_each_limit() -> None:
    lines = screen.render(summary(finding(0, 7)), exposures=True, quiet=False, unicode=False).splitlines()

    (identity,) = [line.split("  ") for line in lines if "(identity)" in line]
    (attribute,) = [line.split("  ") for line in lines if "(attribute)" in line]
    assert "none" in [part.strip() for part in identity]
    assert "7 people" in [part.strip() for part in attribute]


def summary(made: samples.Summary) -> samples.Summary:
    return samples.at_risk() | {"findings": [made | {"safe": False}]}


def told(y: list[float]) -> dict[str, Any]:
    return {
        "name": "told",
        "title": "Chance per person",
        "x_label": "chance",
        "y_label": "people",
        "x": [0.5, 1.0],
        "y": y,
        "says": "",
        "limit": 0.5,
        "bars": True,
    }


def test_people_by_chance_are_drawn_as_bars() -> None:
    page = document.render(summary(finding(12, 7) | {"curves": [told([23.0, 7.0])]}))

    assert "Chance per person" in page
    assert "Chance per person: as planned 7 over the limit" in page
    assert '<th scope="col" class="n">People</th>' in page


def test_more_of_a_kind_are_called_by_its_noun() -> None:
    listed = [
        {
            "target": name,
            "kind": "attribute",
            "chance": 1.0,
            "because": "One.",
            "baseline": None,
            "value": "hiv",
        }
        for name in ("p1", "p2", "p3")
    ]
    made = finding(12, 7) | {
        "exposures": listed,
        "exposures_total": 3,
        "worked": [{"label": "all", "count": 3}],
    }

    assert "p1 and 2 similar people" in screen.render(summary(made), exposures=True, quiet=False)
    assert "Somebody asks about p1." in document.render(summary(made))


def test_somebody_stronger_exposes_records_or_people() -> None:
    curve = {"name": "strength", "x": [0.0, 1.0, 2.0], "y": [0.0, 0.0, 0.25], "y_label": "share"}
    made = finding(12, 7) | {"curves": [curve]}

    assert strengths.beyond(made) == f"at 2, 25{GAP}% of records or people"
    # Where another limit breaks first, nothing is said of these.
    nobody = finding(12, 7) | {"curves": [curve | {"y": [0.0, 0.0, 0.0]}]}
    assert strengths.beyond(nobody) == ""


def test_a_limit_that_is_not_given_is_called_so() -> None:
    made = finding(None, 7)
    made["kinds"] = [{"kind": "identity", "worst": 1.0, "limit": None, "baseline": 0.1}, *made["kinds"]]

    assert "no limit" in document.render(summary(made))


def test_words_of_an_older_version_are_read() -> None:
    made = finding(1, None)
    made["words"] = {"exposed": {"figure": "over", "of": "records", "noun": "records", "how": "are known"}}

    assert sentences.exposed(made) == "1 of 40 records are known."
