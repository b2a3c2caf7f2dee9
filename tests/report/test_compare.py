from tests.report import samples

from giveaway.report.terminal import compare


def test_what_protecting_changed_is_said() -> None:
    text = compare.render(samples.at_risk(), samples.protected())

    assert text.splitlines() == [
        "verdict                 AT RISK -> SAFE",
        "",
        "items: knows any two items of a transaction",
        "  verdict               AT RISK -> SAFE",
        "  worst, singled out    100 % -> 20 %",
        "  worst, private item   100 % -> 27.3 %",
        "  share over            22.5 % -> 0 %",
        "  over the limit        4,542 -> 0",
        "  holds up to           1 item -> 2 items",
        "",
        "kept, combinations      1,001 of 1,001 (100 %) -> 907 of 1,001 (90.6 %)",
        "kept, item occurrences  43,367 of 43,367 (100 %) -> 35,431 of 43,367 (81.7 %)",
        (
            "withheld in addition: 34 items (canned beer, beverages, ice cream, chewing gum, red/blush wine, "
            "white wine, baking powder, dishes, flour, pot plants and 24 more)"
        ),
    ]


def test_nothing_changed_is_said() -> None:
    assert "  nothing changed" in compare.render(samples.protected(), samples.protected())


def test_a_new_and_a_lost_attacker_are_named() -> None:
    one, two = samples.protected(), samples.two_attackers()

    assert "frequencies: knows how often items occur\n  a new attacker" in compare.render(one, two)
    assert "frequencies: knows how often items occur\n  no longer an attacker" in compare.render(two, one)


def test_a_stronger_attacker_of_the_same_attack_is_compared() -> None:
    old, new = samples.at_risk(), samples.at_risk()
    new["findings"][0] |= {"attacker": {"at_most": 3}, "knows": "any three items of a transaction"}

    text = compare.render(old, new)
    assert "knows                 any two items of a transaction -> any three items of a transaction" in text


def test_a_changed_limit_and_changed_data_are_said() -> None:
    old, new = samples.at_risk(), samples.at_risk()
    new["findings"][0]["kinds"][0] |= {"limit": 0.1, "limit_exact": "1/10"}
    new["data"]["sha256"] = "0" * 64

    text = compare.render(old, new)
    assert "limit, singled out    1 in 5 -> 1 in 10" in text
    assert "the data themselves differ" in text


def test_an_attacker_that_could_not_be_measured_is_compared() -> None:
    text = compare.render(samples.at_risk(), samples.cannot_judge())

    assert "verdict               AT RISK -> CANNOT JUDGE" in text
    assert "over the limit        4,542 -> not measured" in text


def test_no_label_is_written_when_values_are_not_wanted() -> None:
    text = compare.render(samples.at_risk(), samples.protected(), values=False)

    assert "withheld in addition: 34 items" in text
    assert "canned beer" not in text


def test_hostile_labels_write_no_control_character() -> None:
    text = compare.render(samples.at_risk(), samples.hostile(samples.protected()))

    assert "\x1b" not in text
    assert r"new\nline" in text
