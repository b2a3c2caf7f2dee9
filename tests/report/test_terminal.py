import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report import samples

from giveaway.report.terminal import screen
from giveaway.report.terminal.ink import shown_length

ESCAPE = re.compile("\x1b\\[[0-9;]*m")
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def shown(state: str, **options: object) -> str:
    asked = {"exposures": True, "quiet": False, "unicode": False} | options
    return screen.render(samples.STATES[state](), **asked)  # type: ignore[arg-type] # options of several types


AT_RISK = """\
groceries.dat (9,835 transactions, 169 items)

AT RISK       1  items         knows any two items of a transaction

            tolerated          worst  over the limit      holds up to
  1  items  1 in 5 (identity)  100 %  2,211 transactions  1 item
            60 % (attribute)   100 %

1  items: worst exposures
   100 %  ice cream + jam -> liquor
          2 transactions hold both, and both hold liquor. Without the release:
          1.1 %.
   100 %  soups + seasonal products -> female sanitary products
          2 transactions hold both, and both hold the private item. Without the
          release: 0.6 %.
   100 %  meat spreads + red/blush wine -> the transaction
          Exactly 1 of 9,835 transactions holds both. Each alone is common: 254
          and 189 transactions.
          4,539 more: --html FILE or --json FILE

AT RISK: the attacker learns more than you tolerate."""

TWO_ATTACKERS = """\
groceries.dat (9,835 transactions, 169 items)

                  as planned          after withholding  tolerated
  1  items        AT RISK  100 %  ->  SAFE       20 %    1 in 5 (identity)
                           100 %  ->             27.3 %  60 % (attribute)
  2  frequencies  SAFE     9 %    ->  SAFE       16.6 %  20 % on average

  withheld   34 of 169 items
  kept       907 of 1,001 combinations (90.6 %)
             35,431 of 43,367 item occurrences (81.7 %)
  needed     combinations of items in 50 or more transactions
  breaks     1: when a third item is known. Then 26.1 % of transactions would be
             exposed.
  breaks     2: when the attacker is right about more than 24 % of the items.
             Beyond that the limit is passed.
  note       2: This attacker got stronger, from 9 % to 16.6 %: less is left to
             confuse the rest with. It stays within the limit.
  checked    released files read back and judged again: same result
  written    release.dat

SAFE: safe to release, once 34 items are withheld."""

CANNOT_JUDGE = """\
groceries.dat (9,835 transactions, 169 items)

CANNOT JUDGE  1  items         knows any two items of a transaction
  Stopped after the 600 seconds allowed, while counting combinations. Hint:
  allow more with --seconds.

            tolerated  worst  over the limit  holds up to
  1  items  1 in 5     -      not measured    not computed
            60 %       -

CANNOT JUDGE: the attacker could not be measured, so the release counts as
unsafe."""

NOTHING_TO_WITHHOLD = """\
SAFE: nothing needs to be withheld. The attacker can single out a transaction
with a chance of 11.1 % (1 in 9); you tolerate 1 in 5. Holds up to at least 4
items."""

NO_SAFE_RELEASE = """\
AT RISK: no safe release exists at these limits.
  liquor is in 61.4 % of all transactions: guessing it for everybody beats the
  60 % you tolerate.
  Tolerate 62 % for attribute, or do not list liquor as private.
  Nothing was written."""

WRONG_QUESTION = """\
CANNOT JUDGE: 1 mistake; the release counts as unsafe until then.

  identity = "1/0" is not a finite number. Hint: write 0.2."""

PIPED = """\
AT RISK       1  items         knows any two items of a transaction

            tolerated          worst  over the limit      holds up to
  1  items  1 in 5 (identity)  100 %  2,211 transactions  1 item
            60 % (attribute)   100 %

AT RISK: the attacker learns more than you tolerate.
  values are not printed here; write them with --html FILE or --json FILE"""


@pytest.mark.parametrize(
    ("state", "golden"),
    [
        ("at_risk", AT_RISK),
        ("two_attackers", TWO_ATTACKERS),
        ("cannot_judge", CANNOT_JUDGE),
        ("wrong_question", WRONG_QUESTION),
    ],
)
def test_a_state_is_written_as_agreed(state: str, golden: str) -> None:
    assert shown(state) == golden


@pytest.mark.parametrize(
    ("state", "golden"), [("nothing_to_withhold", NOTHING_TO_WITHHOLD), ("no_safe_release", NO_SAFE_RELEASE)]
)
def test_the_last_lines_of_a_state_are_as_agreed(state: str, golden: str) -> None:
    assert shown(state).endswith(f"\n\n{golden}")


@pytest.mark.parametrize(
    ("state", "told"), [("at_risk", True), ("two_attackers", False), ("no_safe_release", False)]
)
def test_the_command_that_follows_is_told_where_something_can_be_done(state: str, told: bool) -> None:
    asked = "my.toml --set release.missing=NA,-99 --set effort.seconds=900"
    assert shown(state, asked=asked).endswith(f"\nNext: giveaway protect {asked} -o out") is told


def test_outside_a_terminal_no_value_of_the_data_is_written() -> None:
    assert shown("at_risk", exposures=False) == PIPED


@pytest.mark.parametrize("quiet", [True, False])
@pytest.mark.parametrize("state", [state for state in samples.STATES if state != "wrong_question"])
def test_without_exposures_no_label_is_in_the_text(state: str, quiet: bool) -> None:
    made = samples.STATES[state]()
    text = " ".join(screen.render(made, exposures=False, quiet=quiet).split())
    listed = [one for finding in made["findings"] for one in finding["exposures"]]

    for secret in [
        *made["withheld"]["items"],
        *(label for one in listed for label in one["target"]),
        "liquor",
    ]:
        assert secret not in text


def test_quiet_has_the_verdict_lines_and_the_last_sentence_only() -> None:
    assert shown("two_attackers", quiet=True).splitlines() == [
        "SAFE          1  items         knows any two items of a transaction",
        "SAFE          2  frequencies   knows how often items occur",
        "SAFE: safe to release, once 34 items are withheld.",
    ]


@pytest.mark.parametrize("state", samples.STATES)
@pytest.mark.parametrize("width", [40, 80])
def test_colour_only_adds_to_the_text(state: str, width: int) -> None:
    plain, coloured = shown(state, width=width), shown(state, width=width, colour=True)

    assert ESCAPE.sub("", coloured) == plain
    assert "\x1b" in coloured
    assert "\x1b" not in plain


def test_the_colours_are_those_of_the_verdicts() -> None:
    assert "\x1b[1;33m▲ AT RISK\x1b[0m" in shown("at_risk", colour=True, unicode=True)
    assert "\x1b[1;34m✓ SAFE\x1b[0m" in shown("nothing_to_withhold", colour=True, unicode=True)
    assert "\x1b[1;35m? CANNOT JUDGE\x1b[0m" in shown("cannot_judge", colour=True, unicode=True)
    assert "\x1b[33m100 %\x1b[0m" in shown("at_risk", colour=True)
    assert "\x1b[1mice cream + jam -> liquor\x1b[0m" in shown("at_risk", colour=True)
    assert "\x1b[31m" not in shown("at_risk", colour=True)
    assert "\x1b[32m" not in shown("protected", colour=True)


@pytest.mark.parametrize("state", samples.STATES)
def test_lines_fit_the_terminal(state: str) -> None:
    text = shown(state, unicode=True)

    assert [line for line in text.splitlines() if shown_length(line) > 80] == []


@pytest.mark.parametrize("state", samples.STATES)
def test_without_unicode_the_text_is_ascii(state: str) -> None:
    assert shown(state).isascii()


@pytest.mark.parametrize("unicode", [True, False])
def test_hostile_labels_send_no_control_character_to_the_terminal(unicode: bool) -> None:
    text = screen.render(
        samples.hostile(samples.at_risk()), exposures=True, quiet=False, colour=False, unicode=unicode
    )

    assert not CONTROL.search(text)
    assert max(map(shown_length, text.splitlines())) <= 80
    text.encode("utf-8")


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(max_size=120), st.booleans())
def test_any_label_sends_no_control_character_and_fits(label: str, unicode: bool) -> None:
    made = samples.at_risk()
    made["findings"][0]["exposures"] = [samples.exposure([label], "1/1", f"1 holds {label}.", value=label)]
    text = screen.render(made, exposures=True, quiet=False, unicode=unicode)

    assert not CONTROL.search(text)
    assert max(map(shown_length, text.splitlines())) <= 80
    text.encode("utf-8")


def test_wide_letters_count_twice_and_combining_ones_not_at_all() -> None:
    assert shown_length("中文") == 4
    assert shown_length("e\u0301") == 1
    assert shown_length("\x1b[1mab\x1b[0m") == 2
