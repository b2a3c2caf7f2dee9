import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report import samples
from tests.report.reading import Page
from tests.sizes import sized

import giveaway as ga
from giveaway.report.html import document
from giveaway.report.wording import sentences

EDITIONS = ("owner", "public")
BOTH = [(state, edition) for state in samples.STATES for edition in EDITIONS]
HEADING = re.compile("h[1-6]")


def drawn(state: str, edition: str = "owner") -> str:
    return document.render(samples.STATES[state](), edition=edition)


@pytest.mark.parametrize(("state", "edition"), BOTH)
def test_every_tag_is_closed_in_order(state: str, edition: str) -> None:
    assert Page(drawn(state, edition)).broken == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_hostile_labels_leave_the_page_well_formed_and_without_new_elements(edition: str) -> None:
    tame = Page(document.render(samples.protected(), edition=edition))
    page = Page(document.render(samples.hostile(samples.protected()), edition=edition))

    assert page.broken == []
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in tame.elements} | {"ul", "li"}
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)


@pytest.mark.parametrize(("state", "edition"), BOTH)
def test_a_page_loads_nothing_and_runs_nothing(state: str, edition: str) -> None:
    text = drawn(state, edition)
    page = Page(text)

    for reference in (
        "http:",
        "https:",
        "url(",
        "@import",
        "src=",
        "<script",
        "javascript:",
        "<link",
        "<iframe",
    ):
        assert reference not in text
    assert all(str(link.get("href")).startswith("#") for link in page.all("a"))


@pytest.mark.parametrize("label", samples.HOSTILE)
def test_a_hostile_label_is_shown_as_text(label: str) -> None:
    made = samples.protected()
    made["withheld"]["items"] = [label]
    made["findings"][0]["ledger"] = []
    text = document.render(made)

    assert "<script>alert" not in text
    assert "<svg/onload" not in text
    assert "49" not in Page(text).text.split("What was withheld")[1].split("Where these")[0]
    text.encode("utf-8")


def test_control_and_turning_characters_are_written_as_visible_escapes() -> None:
    text = document.render(samples.hostile(samples.protected()))

    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert r"\u202e" in text
    assert r"new\nline" in text


def test_a_very_long_label_is_cut() -> None:
    text = document.render(samples.hostile(samples.protected()))

    assert "long" * 22 in text
    assert "long" * 30 not in text


@pytest.mark.parametrize(("state", "edition"), BOTH)
def test_a_page_has_one_first_heading_and_headings_nest(state: str, edition: str) -> None:
    levels = [int(tag[1]) for tag, _ in Page(drawn(state, edition)).elements if HEADING.fullmatch(tag)]

    assert levels[0] == 1
    assert levels.count(1) == 1
    # the three facts are third-level headings of the first screen, before any section
    first_section = levels.index(2)
    assert all(level == 3 for level in levels[1:first_section])
    assert all(
        after <= before + 1
        for before, after in zip(levels[first_section:], levels[first_section + 1 :], strict=False)
    )


@pytest.mark.parametrize(("state", "edition"), BOTH)
def test_every_table_has_headings_with_scope(state: str, edition: str) -> None:
    page = Page(drawn(state, edition))
    heads = page.all("th")

    assert all(head.get("scope") in ("row", "col") for head in heads)
    assert len(page.all("table")) <= len([head for head in heads if head["scope"] == "col"])


@pytest.mark.parametrize("state", samples.STATES)
def test_every_drawing_is_xml_and_says_its_finding(state: str) -> None:
    text = drawn(state)
    for drawing in re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL):
        root = ET.fromstring(drawing)  # noqa: S314 - the page is our own
        if root.get("aria-hidden") != "true":
            assert root.get("role") == "img"
            assert len(root.get("aria-label") or "") > 10


def test_the_label_of_a_drawing_has_the_numbers() -> None:
    labels = [drawing.get("aria-label") or "" for drawing in Page(drawn("protected")).all("svg")]

    assert (
        "Chance per combination: as planned 4,542 over the limit of 1 in 5; after withholding none" in labels
    )
    assert "singled out: limit 1 in 5, as planned 100 %, after withholding 20 %" in labels
    assert any("holds up to 2 items" in label and "26.1 % at 3" in label for label in labels)
    assert any("22.5 % exposed with 100 % kept to 0 % exposed with 90.6 % kept" in label for label in labels)


def test_the_numbers_of_every_chart_are_there_as_a_table() -> None:
    page = Page(drawn("protected"))

    assert page.text.count("The numbers as a table") == 3
    assert "95 % to 100 % 1,928 0" in page.text


@pytest.mark.parametrize("state", samples.STATES)
def test_scrolling_regions_are_labelled_and_reached_with_the_keyboard(state: str) -> None:
    scrolled = [a for _, a in Page(drawn(state)).elements if "scroll" in str(a.get("class")).split()]

    assert all(
        a.get("tabindex") == "0" and a.get("role") == "region" and a.get("aria-label") for a in scrolled
    )


@pytest.mark.parametrize("state", samples.STATES)
def test_links_inside_the_page_have_their_target(state: str) -> None:
    page = Page(drawn(state))
    places = {attributes.get("id") for _, attributes in page.elements}

    assert {str(link["href"])[1:] for link in page.all("a")} <= places


def test_a_page_names_its_language_and_has_a_skip_link() -> None:
    page = Page(drawn("protected"))

    assert page.all("html")[0]["lang"] == "en"
    assert page.all("a")[0] == {"class": "skip", "href": "#report"}
    assert [main.get("id") for main in page.all("main")] == ["report"]


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("at_risk", "Not safe as planned: the attacker learns more than you tolerate."),
        ("protected", "Safe to release, once 34 items are withheld."),
        ("cannot_judge", "No verdict: the attacker could not be measured, so the release counts as unsafe."),
        (
            "one_of_two_cannot_be_judged",
            "No verdict: attacker 2 could not be measured, so the release counts as unsafe.",
        ),
        ("estimate", "No verdict yet: the estimate straddles your limit."),
        ("no_safe_release", "No safe release exists at these limits."),
        ("nothing_to_withhold", "Safe as planned. Nothing needs to be withheld."),
        (
            "wrong_question",
            "No verdict: the question could not be understood, so the release counts as unsafe.",
        ),
    ],
)
def test_the_verdict_is_a_sentence(state: str, sentence: str) -> None:
    assert f"<h1>{sentence}</h1>" in drawn(state)


def test_the_order_of_the_page_is_verdict_attackers_withheld_origin() -> None:
    text = Page(drawn("two_attackers")).text.split("Skip to the report")[1]
    order = [
        "copy. Sensitive.",
        "groceries.dat",
        "as planned",
        "Safe to release",
        "The attacker knows",
        "You keep",
        "You withhold",
        "It breaks when",
        "1. Somebody who knows",
        "Worst exposures",
        "How it was computed",
        "2. Somebody who knows",
        "What was withheld",
        "Where these numbers come from",
        "Safe means safe against these two attackers",
    ]
    places = [text.index(part) for part in order]

    assert places == sorted(places)


def test_after_assessing_alone_there_is_no_column_after_and_no_cost() -> None:
    text = Page(drawn("at_risk")).text

    for absent in (
        "After",
        "You keep",
        "You withhold",
        "What the safety costs",
        "What was withheld",
        "after withholding",
    ):
        assert absent not in text
    assert "It breaks when" in text


def test_an_attacker_that_got_stronger_is_said_to() -> None:
    assert "This attacker got stronger, from 9 % to 16.6 %" in Page(drawn("two_attackers")).text.replace(
        "\u00a0", " "
    )


def test_a_curve_that_is_missing_is_said_to_be() -> None:
    assert (
        "Not computed in the time given: Chance per combination. If the attacker knows more. What the safety costs."
        in drawn("curves_missing")
    )


def test_exposures_near_the_limit_are_listed_when_none_is_over() -> None:
    assert "No exposures over the limit. The nearest to it:" in Page(drawn("nothing_to_withhold")).text


def test_no_private_item_is_said() -> None:
    assert (
        "No item is called private, so only singling out is measured." in Page(drawn("no_private_items")).text
    )


def test_no_safe_release_names_the_change_that_helps_and_that_nothing_was_written() -> None:
    text = Page(drawn("no_safe_release")).text

    assert "Nothing was written." in text
    assert "Tolerate 62 % for attribute, or do not list liquor as private." in text


def test_exposures_with_the_same_reason_are_one_line() -> None:
    made = samples.at_risk()
    made["findings"][0]["exposures"] = [samples.exposure([str(i)], "1/1", "Sold once.") for i in range(60)]
    text = Page(document.render(made)).text

    assert "item 0 and at least 59 similar combinations → the transaction Sold once." in text
    assert text.count("Sold once.") == 1


def test_every_kind_of_exposure_is_among_the_lines() -> None:
    made = samples.at_risk()
    singled_out = [samples.exposure([str(i)], "1/1", f"Reason {i}.") for i in range(60)]
    guessed = samples.exposure(["a"], "2/3", "Guessed.", kind="attribute", value="s")
    made["findings"][0]["exposures"] = [*singled_out, guessed]

    assert "Guessed." in document.render(made)


def test_a_long_list_of_what_was_withheld_is_cut_and_says_so() -> None:
    made = samples.protected()
    made["withheld"]["items"] = [f"item {i}" for i in range(100)]
    text = Page(document.render(made)).text

    assert "52 more; the saved JSON has all" in text


def test_marks_over_the_limit_after_withholding_are_orange() -> None:
    made = samples.protected()
    made["findings"][0]["kinds"][0] = samples.level("identity", "1/2", "1/5", "1/9835")

    assert 'class="filled over"' in document.render(made)
    assert 'class="filled over"' not in drawn("protected")


def test_the_summary_is_left_as_it_was() -> None:
    made = samples.protected()
    document.render(made)
    document.render(made, edition="public")

    assert made == samples.protected()


@sized(60)
@given(st.text(max_size=40))
def test_any_label_leaves_the_page_well_formed(label: str) -> None:
    made = samples.protected()
    made["withheld"]["items"] = [label]
    made["data"]["name"] = label
    made["before"][0]["exposures"] = [samples.exposure([label], "1/1", label, value=label, kind="attribute")]
    made["before"][0]["worked"] = [{"label": label, "count": 1}]
    page = document.render(made)

    assert Page(page).broken == []
    assert "script" not in {tag for tag, _ in Page(page).elements}
    page.encode("utf-8")


def labels_and_values(made: samples.Summary) -> set[str]:
    """Collect everything the public edition must not hold."""
    found: set[str] = set(map(str, made["withheld"]["items"]))
    for finding in [*made["findings"], *(made["before"] or [])]:
        for exposure in finding["exposures"]:
            found |= {*exposure["target"], exposure["because"]}
            if exposure["value"]:
                found.add(exposure["value"])
        found |= {step["label"] for step in finding["worked"]} | set(finding["reasons"])
    return found | {made["data"]["sha256"] or "no hash", made["data"]["name"]}


@pytest.mark.parametrize("state", [state for state in samples.STATES if state != "wrong_question"])
def test_the_public_edition_holds_no_label_no_value_and_no_hash_of_the_original(state: str) -> None:
    made = samples.STATES[state]()
    page = drawn(state, "public")
    owner = drawn(state)

    secrets = labels_and_values(made)
    assert [secret for secret in secrets if secret in page or secret in Page(page).text] == []
    assert any(secret in owner for secret in secrets)


def test_the_public_edition_says_nothing_of_the_plan_and_no_seed() -> None:
    text = Page(drawn("protected", "public")).text

    for absent in ("planned", "before", "2,211", "4,542", "seed 7", "169", "100 %", "100\u00a0%"):
        assert absent not in text
    assert "135 items" in text
    assert "34" not in text.replace("9,835", ""), "how much is withheld is not told"
    assert samples.protected()["written"][0]["sha256"] in text


@pytest.mark.parametrize("state", ["at_risk", "no_safe_release", "cannot_judge"])
def test_the_public_edition_of_an_unsafe_release_gives_no_figures(state: str) -> None:
    text = Page(drawn(state, "public")).text

    for absent in ("2,211", "9,835", "highest chance", "169"):
        assert absent not in text


def test_columns_follow_the_limits_when_only_one_kind_is_tolerated() -> None:
    text = Page(drawn("no_private_items")).text

    assert "to single out a transaction" in text
    assert "to infer a private item" not in text


def test_an_attack_without_copy_of_its_own_is_drawn_like_any_other() -> None:
    made = samples.protected()
    for finding in [*made["findings"], *made["before"]]:
        finding["attack"] = "gossip"
        finding["figures"] = {}
        del finding["words"], finding["breach_at_limit"]
    page = Page(document.render(made))

    assert page.broken == []
    assert "4,542 targets are over the limit." in page.text


def test_a_table_with_hidden_cells_is_drawn() -> None:
    made = samples.protected()
    made["data"] = {"name": "members.csv", "kind": "table", "rows": 30162, "columns": 9, "sha256": None}
    cells = [{"record": i, "column": "education" if i % 3 else "workclass"} for i in range(9)]
    made["withheld"] = {
        "items": [],
        "cells": cells,
        "cells_total": 64,
        "cells_by_column": {"education": 40, "workclass": 24},
        "rules": [],
    }
    text = Page(document.render(made)).text

    assert "Safe to release, once 64 entries are withheld." in text
    assert "30,162 records, 9 columns" in text
    assert "education 40" in text


def test_a_share_that_may_be_above_is_said_beside_the_limit_and_the_result() -> None:
    made = samples.protected()
    for finding in [*made["findings"], *made["before"]]:
        finding["tolerance"] |= {"share": 0.05, "share_exact": "1/20"}
    made["findings"][0] |= {"share": 0.031, "share_exact": "31/1000"}
    text = Page(document.render(made)).text.replace("\u00a0", " ")

    assert "at most 1 in 5; up to 5 % of the transactions may be above" in text
    assert "3.1 % of the transactions are above the limit; you tolerate it for up to 5 %." in text


def test_a_plan_that_was_safe_already_is_not_called_unsafe() -> None:
    made = samples.protected()
    made["before"] = [samples.finding_after()]

    assert "would learn more than you tolerate" not in document.render(made)


def test_the_worst_chance_is_next_to_the_chance_without_the_release() -> None:
    finding = {
        "attack": "items",
        "kinds": [
            {"kind": "identity", "worst_exact": "1/5", "limit_exact": "1/5", "baseline_exact": "1/3000"},
            {"kind": "attribute", "worst_exact": "3/8", "limit_exact": "1/2", "baseline_exact": "1/40"},
        ],
    }

    identity, attribute = (text.replace("\u00a0", " ") for text in sentences.baselines(finding))
    assert identity.endswith(": 1 in 3,000 without the release; 20 % at worst, 600 times that.")
    assert attribute.endswith(": 1 in 40 without the release; 37.5 % at worst, 15 times that.")


def test_rules_that_leak_are_listed_in_the_owners_edition_only() -> None:
    made = samples.protected()
    rule = {
        "condition": {"education": "Masters", "job": "Prof"},
        "value": "teacher",
        "support": 40,
        "confidence": 0.667,
        "confidence_exact": "2/3",
        "secrets": 3,
    }
    made["before"][0]["figures"]["rules"] = [rule]

    text = Page(document.render(made)).text
    assert "education Masters, job Prof → teacher 40 66.7" in text.replace("\u00a0", " ")
    assert "teacher" not in document.render(made, edition="public")


def test_curves_that_belong_together_stand_in_one_picture_with_their_names() -> None:
    made = samples.at_risk()
    points = {
        "x_label": "least confidence",
        "y_label": "divergence",
        "x": [0.6, 0.9],
        "marks": [],
        "limit": None,
    }
    made["findings"][0]["curves"] += [
        {**points, "name": "divergence_by_confidence", "y": [0.14, 0.18], "says": "Exact.",
         "title": "If only surer rules are published", "line": "scores published"},
        {**points, "name": "divergence_withheld", "y": [0.2, 0.21], "says": "Withheld.",
         "beside": "divergence_by_confidence", "line": "scores withheld"},
    ]  # fmt: skip
    page = Page(document.render(made))

    assert page.text.count("If only surer rules are published Exact. Withheld.") == 1
    assert "scores withheld" in page.text
    assert "Divergence withheld" not in page.text
    assert page.broken == []


def test_withheld_rules_are_listed_with_their_cost() -> None:
    made = samples.protected()
    rules = [{"condition": {"sex": "f"}, "value": "yes", "column": "ill"}]
    made["withheld"] = {"items": [], "cells": [], "cells_total": 0, "rules": rules}
    made["findings"][0]["ledger"] = [
        {"withheld": "sex=f => ill=yes", "why": "greedy", "removed": 12, "lost": 345}
    ]
    text = Page(document.render(made)).text

    assert "Safe to release, once 1 rule is withheld." in text
    assert "sex f → ill yes 345" in text


def test_what_must_be_kept_is_said_for_tables_too() -> None:
    made = samples.protected()
    need = [ga.NeedsCells(), ga.NeedsRules(must_publish=[ga.Rule({"a": value}, "y") for value in "bc"])]
    made["need_says"] = " and ".join(one.says() for one in need)

    assert (
        "You need every entry (except sensitive entries of other records) and 2 rules in any case."
        in document.render(made)
    )
