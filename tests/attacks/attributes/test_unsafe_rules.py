import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from subprocess import run
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.sizes import sized

from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.limits import RuleLimits, within
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.attacks.attributes.unsafe_rules.search import BestRules, UnsafeRules, best, find
from giveaway.errors import BudgetExceeded
from giveaway.model.progress import limited, watched

Record = tuple[tuple[int, ...], int, int, int]
"""Conditions, visible value, true value of a secret, number of records."""
Pattern = tuple[tuple[int, int], ...]
"""Conditions by place and code."""
Rule = tuple[Pattern, int]


@pytest.fixture(scope="module", params=[0, 8], autouse=True)
def _every_way(request: pytest.FixtureRequest) -> Iterator[None]:
    """Look keys up among those that occur, and in a table of all where these are few."""
    with patch.object(search, "_FEW_KEYS", request.param):
        yield


FIGURE_2 = {"abc": "2/3", "ab": "3/5", "ac": "2/3", "bc": "2/3", "ad": "1/2", "bd": "2/3"} | {
    "a": "4/6",
    "b": "5/7",
    "c": "2/3",
    "d": "3/5",
}


def table(records: Sequence[Record], limit: Fraction | str = "1/2", least: int = 0) -> PartialTable:
    conditions, value, truth, count = zip(*records, strict=True)
    return PartialTable(
        conditions=np.array(conditions, np.int32),
        value=np.array(value, np.int32),
        truth=np.array(truth, np.int32),
        count=np.array(count, np.int64),
        may=np.zeros(len(records), np.int64),
        limit=Fraction(limit),
        least=least,
    )


def figure_2() -> list[Record]:
    """The table of Fig. 2; a star is a value of its own."""
    rows = ["abcS", "abcs", "abcs", "ab*s", "abdS", "a*ds", "*bds", "*bds", "**d*"]
    codes = {letter: place for place, letter in enumerate("abcds")}
    stars = iter(range(10, 99))
    made = [[next(stars) if letter == "*" else codes[letter.lower()] for letter in row] for row in rows]
    return [
        (tuple(codes), UNKNOWN, value, 1) if row[-1] == "S" else (tuple(codes), value, UNKNOWN, 1)
        for row, (*codes, value) in zip(rows, made, strict=True)
    ]


def patterns(record: Record) -> Iterator[Pattern]:
    seen = [(place, code) for place, code in enumerate(record[0]) if code != UNKNOWN]
    for size in range(1, len(seen) + 1):
        yield from combinations(seen, size)


def attacks(records: Sequence[Record]) -> dict[Rule, tuple[int, int, int]]:
    """Return every rule from the conditions of a secret to its value: supp(p -> s), supp(p), and of it the visible."""
    rules = {(p, record[2]) for record in records if record[2] != UNKNOWN for p in patterns(record)}
    counted = {}
    for pattern, value in rules:
        having = [record for record in records if all(record[0][at] == code for at, code in pattern)]
        counted[pattern, value] = (
            sum(record[3] for record in having if record[1] == value),
            sum(record[3] for record in having),
            sum(record[3] for record in having if record[1] != UNKNOWN),
        )
    return counted


def by_groups(records: Sequence[Record], limit: Fraction, least: int) -> dict[Rule, tuple[int, int]]:
    """Return the unsafe rules by one count of all patterns for each set of conditions."""
    width = len(records[0][0])
    found = {}
    for mask in range(1, 1 << width):
        places = [place for place in range(width) if mask >> place & 1]
        matching: Counter[Pattern] = Counter()
        showing: Counter[Rule] = Counter()
        for conditions, value, _, count in records:
            pattern = tuple((place, conditions[place]) for place in places)
            if all(code != UNKNOWN for _, code in pattern):
                matching[pattern] += count
                showing[pattern, value] += count
        for conditions, _, truth, _ in records:
            pattern = tuple((place, conditions[place]) for place in places)
            shown = showing[pattern, truth]
            if truth != UNKNOWN and shown > least and Fraction(shown, matching[pattern]) > limit:
                found[pattern, truth] = shown, matching[pattern]
    return found


def spelled(rules: UnsafeRules) -> dict[Rule, tuple[int, int]]:
    return {
        (tuple((at, int(code)) for at, code in enumerate(codes) if code != UNKNOWN), int(value)): (
            int(showing),
            int(matching),
        )
        for codes, value, showing, matching in zip(
            rules.codes, rules.value, rules.showing, rules.matching, strict=True
        )
    }


@st.composite
def records_of(draw: st.DrawFn, width: int, rows: int = 12) -> list[Record]:
    """Draw groups of records with blanks; some are secret, some of these without a known value."""
    codes = st.sampled_from([UNKNOWN, 0, 0, 1, 2])
    made = []
    for _ in range(draw(st.integers(1, rows))):
        conditions, value = draw(st.tuples(*[codes] * width)), draw(codes)
        is_secret = draw(st.integers(0, 3)) == 0
        made.append(
            (
                conditions,
                UNKNOWN if is_secret else value,
                value if is_secret else UNKNOWN,
                draw(st.integers(1, 4)),
            )
        )
    return made


limits = fractions(0, 1, max_denominator=9)


def test_the_rules_of_figure_2_have_the_printed_counts() -> None:
    letters = "abcd"

    found = find(table(figure_2(), limit=0))

    assert {
        "".join(letters[code] for _, code in pattern): f"{showing}/{matching}"
        for (pattern, _), (showing, matching) in spelled(found).items()
    } == FIGURE_2
    assert len(find(table(figure_2(), limit="0.55"))) == 9


@sized()
@given(records=records_of(3), limit=limits, least=st.integers(0, 4))
@example(records=[((0, 0, 0), UNKNOWN, 0, 1)], limit=Fraction(0), least=0)
@example(records=[((UNKNOWN,) * 3, UNKNOWN, 0, 2), ((0, 0, 0), 0, UNKNOWN, 1)], limit=Fraction(0), least=0)
def test_unsafe_rules_equal_brute_force(records: list[Record], limit: Fraction, least: int) -> None:
    found = find(table(records, limit, least))

    assert spelled(found) == {
        rule: (showing, matching)
        for rule, (showing, matching, _) in attacks(records).items()
        if showing > least and Fraction(showing, matching) > limit
    }
    assert len(spelled(found)) == len(found)


@sized()
@given(records=records_of(3), limit=limits)
def test_each_rule_names_the_secrets_it_gives_away_and_the_groups_that_show_it(
    records: list[Record], limit: Fraction
) -> None:
    found = find(table(records, limit))

    for place, ((pattern, value), _) in enumerate(spelled(found).items()):
        has = [all(record[0][at] == code for at, code in pattern) for record in records]
        shown = found.relevant[found.relevant_starts[place] : found.relevant_starts[place + 1]]
        assert found.mask[place] == sum(1 << at for at, _ in pattern)
        assert found.secrets_of(place).tolist() == [
            i for i, r in enumerate(records) if has[i] and r[2] == value
        ]
        assert shown.tolist() == [i for i, r in enumerate(records) if has[i] and r[1] == value]


@sized(15)
@given(records=records_of(9, rows=30), limit=limits, least=st.integers(0, 3))
def test_many_conditions_give_the_rules_of_one_count_for_each_set_of_them(
    records: list[Record], limit: Fraction, least: int
) -> None:
    assert spelled(find(table(records, limit, least))) == by_groups(records, limit, least)


@sized()
@given(records=records_of(3), limit=limits, data=st.data())
def test_the_order_of_records_does_not_matter(
    records: list[Record], limit: Fraction, data: st.DataObject
) -> None:
    first, second = find(table(records, limit)), find(table(data.draw(st.permutations(records)), limit))

    assert list(spelled(first).items()) == list(spelled(second).items())


def test_a_blank_value_shows_no_rule_of_the_pattern_before() -> None:
    secrets: list[Record] = [((0,), UNKNOWN, 1, 1), ((1,), UNKNOWN, 1, 1)]
    others: list[Record] = [((0,), 1, UNKNOWN, 2), ((1,), 1, UNKNOWN, 2), ((1,), UNKNOWN, UNKNOWN, 1)]

    found = find(table(secrets + others, limit=0))

    assert (found.relevant_starts.tolist(), found.relevant.tolist()) == ([0, 1, 2], [2, 3])


def chosen(
    records: Sequence[Record], place: int, least: int, length: int | None = None
) -> tuple[int, int, int]:
    """Return the mask and the counts of a secret's best rule, by sorting all of them."""
    trusted = [
        (Fraction(showing, matching), -len(pattern), matching, [-at for at, _ in pattern], showing)
        for (pattern, value), (showing, matching, _) in attacks(records).items()
        if value == records[place][2]
        and showing > least
        and (length is None or len(pattern) == length)
        and all(records[place][0][at] == code for at, code in pattern)
    ]
    if not trusted:
        return 0, 0, 0
    _, _, matching, places, showing = max(trusted)
    return sum(1 << -at for at in places), showing, matching


@sized()
@given(records=records_of(3), least=st.integers(0, 3))
def test_the_best_rule_of_each_secret_is_the_first_by_confidence_length_and_records(
    records: list[Record], least: int
) -> None:
    found = best(table(records, least=least))

    secrets = [place for place, record in enumerate(records) if record[2] != UNKNOWN]
    assert found.groups.tolist() == secrets
    assert of_all(found) == [chosen(records, place, least) for place in secrets]
    for length in (1, 2, 3):
        assert list(
            zip(found.showing_by_length[:, length], found.matching_by_length[:, length], strict=True)
        ) == [chosen(records, place, least, length)[1:] for place in secrets]


def of_all(found: BestRules) -> list[tuple[int, int, int]]:
    return list(zip(found.mask.tolist(), found.showing.tolist(), found.matching.tolist(), strict=True))


@sized()
@given(records=records_of(3), least=st.integers(0, 3))
def test_the_visible_confidence_leaves_hidden_values_out(records: list[Record], least: int) -> None:
    found = best(table(records, least=least)).visible

    trusted = [(showing, seen) for showing, _, seen in attacks(records).values() if showing > least]
    assert found == max((Fraction(showing, seen) for showing, seen in trusted), default=None)


def test_in_figure_2_hiding_values_leaves_a_certain_rule_for_somebody_who_ignores_blanks() -> None:
    assert best(table(figure_2())).visible == 1


@given(limit=st.fractions(0, 1, max_denominator=10_000), largest=st.integers(1, 25))
def test_a_limit_with_smaller_numbers_divides_all_ratios_of_counts_alike(
    limit: Fraction, largest: int
) -> None:
    simpler = within(limit, largest)

    ratios = {
        Fraction(showing, matching) for matching in range(1, largest + 1) for showing in range(matching + 1)
    }
    assert simpler.denominator <= largest
    assert {ratio for ratio in ratios if ratio > limit} == {ratio for ratio in ratios if ratio > simpler}


def test_large_numbers_do_not_overflow() -> None:
    many = 3 * 10**8
    close = Fraction(2, 3) - Fraction(1, 10**18)
    records: list[Record] = [
        ((0,), UNKNOWN, 0, 1),
        ((0,), 0, UNKNOWN, 2 * many),
        ((0,), 1, UNKNOWN, many - 1),
    ]

    assert len(find(table(records, close))) == 1
    assert len(find(table(records, Fraction(2, 3)))) == 0


@given(limit=limits, least=st.integers(0, 5), showing=st.integers(0, 30), others=st.integers(1, 30))
def test_the_closed_forms_say_when_a_rule_becomes_safe(
    limit: Fraction, least: int, showing: int, others: int
) -> None:
    def unsafe(shows: int, matches: int) -> bool:
        return shows > least and Fraction(shows, matches) > limit

    matching = showing + others
    made = RuleLimits(limit.numerator, limit.denominator, least)
    counts = np.array([showing]), np.array([matching])
    values = next(m for m in range(showing + 1) if not unsafe(showing - m, matching))
    rows = next(m for m in range(showing + 1) if not unsafe(showing - m, matching - m))

    assert made.is_unsafe(*counts) == [unsafe(showing, matching)]
    assert (made.values_needed(*counts), made.records_needed(*counts)) == ([values], [rows])
    if not unsafe(showing, matching) and limit < 1:
        more = next(m for m in range(500) if unsafe(showing + m + 1, matching + m + 1))
        assert made.records_spare(*counts) == [more]


def test_progress_is_told_and_the_time_allowed_is_kept() -> None:
    told: list[str] = []

    with watched(lambda stage, _done, _total: told.append(stage)):
        find(table(figure_2()))

    assert set(told) == {"finding rules"}
    with limited(seconds=1e-9), pytest.raises(BudgetExceeded):
        find(table(figure_2()))


SMALL = """
import sys
import giveaway as ga
table = ga.Table.from_rows([{"p": "a", "S": "s"}] * 4 + [{"p": "b", "S": "t"}] * 3, sensitive="S")
found = ga.assess(ga.Release(table, secrets=[1]), ga.KnowsAttributes(columns=["p"], knows_method=False), ga.Tolerance(attribute="1/2"))
print(found.verdict, found.findings[0].risk.figures["unsafe_rules"], {"numba", "scipy"} & set(sys.modules))
"""


def test_the_verdict_on_a_small_table_and_its_figures_load_no_compiler_and_no_solver() -> None:
    said = run([sys.executable, "-c", SMALL], capture_output=True, text=True, check=True).stdout
    assert said == "at risk 1 set()\n"
