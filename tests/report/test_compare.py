from typing import Any

from tests.report import samples

from giveaway.report.comparing import side_by_side
from giveaway.report.html import compare as page
from giveaway.report.terminal import compare


def cells(*summaries: Any) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return every row under its group and name."""
    found = side_by_side({f"{place}.json": one for place, one in enumerate(summaries)})
    return {(group.title.split(":")[0], row.name): row.cells for group in found.groups for row in group.rows}


def test_what_protecting_changed_stands_side_by_side() -> None:
    found = cells(samples.at_risk(), samples.protected())

    assert found["", "verdict"] == ("AT RISK", "SAFE")
    assert found["items", "worst, singled out"] == ("100\u00a0%", "20\u00a0%")
    assert found["items", "over the limit"] == ("4,542", "0")
    assert found["items", "holds up to"] == ("1 item", "2 items")
    assert found["Kept", "combinations"] == ("100\u00a0% (1,001 of 1,001)", "90.6\u00a0% (907 of 1,001)")
    assert found["Withheld", "in all"] == ("nothing", "34 items")


def test_three_settings_stand_next_to_each_other_in_terminal_and_page() -> None:
    saved = {"a.json": samples.at_risk(), "b.json": samples.protected(), "c.json": samples.two_attackers()}
    text, drawn = compare.render(saved, width=120), page.render(saved)

    head = text.splitlines()[0]
    assert head.index("a.json") < head.index("b.json") < head.index("c.json")
    for name in saved:
        assert name in drawn
    assert "not an attacker" in text
    assert "frequencies: knows how often items occur" in drawn


def test_what_each_column_lost_is_told_without_running_words_together() -> None:
    blank, plain = samples.blank_entries(), samples.blank_entries()
    column, rows = "education", blank["data"]["rows"]
    blank["withheld"] |= {"cells_by_column": {column: 47}, "coarser_by_column": {column: 3}}
    plain["withheld"] |= {"cells_by_column": {}, "coarser_by_column": {}}

    told = cells(blank, plain)["Changed by column", column]
    assert told[0].endswith("47 blank, 3 coarser")
    assert told[1] == "kept"
    assert rows


def test_a_stronger_attacker_of_the_same_attack_is_compared() -> None:
    old, new = samples.at_risk(), samples.at_risk()
    new["findings"][0] |= {"attacker": {"at_most": 3}, "knows": "any three items of a transaction"}

    assert cells(old, new)["items", "knows"] == (
        "any two items of a transaction",
        "any three items of a transaction",
    )


def test_a_changed_limit_and_changed_data_are_said() -> None:
    old, new = samples.at_risk(), samples.at_risk()
    new["findings"][0]["kinds"][0] |= {"limit": 0.1, "limit_exact": "1/10"}
    new["data"]["sha256"] = "0" * 64

    assert cells(old, new)["items", "limit, singled out"] == ("1 in 5", "1 in 10")
    assert "The data themselves differ." in compare.render({"a": old, "b": new})


def test_an_attacker_that_could_not_be_measured_is_compared() -> None:
    found = cells(samples.at_risk(), samples.cannot_judge())

    assert found["items", "verdict"] == ("AT RISK", "CANNOT JUDGE")
    assert found["items", "over the limit"] == ("4,542", "not measured")


def test_only_two_are_told_what_is_withheld_in_addition_and_no_label_without_values() -> None:
    saved = {"a": samples.at_risk(), "b": samples.protected()}

    assert "canned beer" in compare.render(saved)
    text = compare.render(saved, values=False)
    assert "Withheld in addition: 34 items." in text
    assert "canned beer" not in text


def test_hostile_labels_write_no_control_character_and_no_markup() -> None:
    saved = {"a": samples.at_risk(), "b<script>": samples.hostile(samples.protected())}

    assert "\x1b" not in compare.render(saved)
    assert "<script>" not in page.render(saved)


def test_lines_fit_the_width() -> None:
    saved = {"a.json": samples.at_risk(), "b.json": samples.protected()}

    assert max(map(len, compare.render(saved, width=80).splitlines())) <= 80
