"""Codes judged together with earlier releases: one with names is a sample, one with codes of its own tells nothing more."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles import cracks
from tests.oracles.composition import codes as oracle
from tests.sizes import sized
from typer.testing import CliRunner

import giveaway as ga
from giveaway.cli.main import app

ROWS = st.lists(st.frozensets(st.sampled_from("abcd"), min_size=1), min_size=3, max_size=8)
LIMIT = ga.Tolerance(average="1/2")


def baskets(rows: list[frozenset[str]]) -> ga.Transactions:
    return ga.Transactions.from_lists(rows)


@settings(max_examples=40, deadline=None)
@given(ROWS, ROWS)
def test_names_of_another_period_are_a_sample(now: list[frozenset[str]], last: list[frozenset[str]]) -> None:
    release = ga.Release(baskets(now), renamed=True)
    knows = ga.KnowsFrequencies(belief=ga.Belief.ignorant())
    before = ga.Earlier(baskets(last), name="2025", linked="people")
    found = ga.assess(release, knows, LIMIT, earlier=before).findings[0]
    assume(found.risk is not None)
    (seen,) = found.together
    sample = ga.KnowsFrequencies(belief=ga.Belief.from_sample(baskets(last)))
    expected = ga.assess(release, sample, LIMIT).findings[0]
    assert (seen.safe, seen.risk and seen.risk.average) == (
        expected.safe,
        expected.risk and expected.risk.average,
    )


def test_codes_of_their_own_tell_nothing_more() -> None:
    rows = [frozenset("ab"), frozenset("abc"), frozenset("cd")]
    release = ga.Release(baskets(rows), renamed=True)
    before = ga.Earlier(ga.Release(baskets(rows[:2]), renamed=True), name="2025")
    found = ga.assess(release, ga.KnowsFrequencies(), LIMIT, earlier=before).findings[0]
    assert found.together == ()
    assert found.risk is not None


def test_people_of_a_table_are_not_judged_together() -> None:
    rows = [{"name": name, "age": age} for name, age in (("ann", 30), ("bob", 40), ("eve", 30))]
    table = ga.Table.from_rows(rows, id="name")
    knows = ga.KnowsFrequencies(belief=ga.Belief.of_people({"ann": {"age": 30}, "bob": {"age": 40}}))
    before = ga.Earlier(table, name="2025")
    found = ga.assess(ga.Release(table), knows, LIMIT, earlier=before)
    assert found.verdict == "at risk", "as it is alone"
    assert not found.findings[0].is_measured


BELIEFS = st.sampled_from(
    [
        ga.Belief.exact(),
        ga.Belief.ignorant(),
        ga.Belief.around(),
        ga.Belief.around("1/4"),
        ga.Belief.around("mean gap"),
    ]
)


def fits(rows: list[frozenset[str]], belief: str, width: Fraction | None) -> list[set[int]]:
    """The codes that may stand for each of the items a to d in one release, by a loop."""
    counts = [sum(item in row for row in rows) for item in "abcd"]
    distinct = sorted({count for count in counts if count})
    gaps = sorted(after - before for before, after in pairwise(distinct))
    if width is None and belief.startswith("around m"):
        width = Fraction(0)
        if gaps and "mean" in belief:
            width = Fraction(sum(gaps), len(gaps))
        elif gaps:
            width = Fraction(gaps[(len(gaps) - 1) // 2] + gaps[len(gaps) // 2], 2)
    elif width is not None:
        width *= len(rows)
    return [
        {
            code
            for code, other in enumerate(counts)
            # What a release does not have is known; ignorance is of how often the others occur.
            if (not count and not other)
            or (count and other and (width is None or abs(count - other) <= width))
        }
        for count in counts
    ]


@sized(150)
@given(
    st.lists(
        st.lists(st.frozensets(st.sampled_from("abcd"), min_size=1), min_size=3, max_size=8),
        min_size=2,
        max_size=3,
    ),
    BELIEFS,
    st.booleans(),
)
def test_codes_used_again_against_all_mappings(
    periods: list[list[frozenset[str]]], belief: ga.Belief, knows_method: bool
) -> None:
    now, *then = periods
    assume(set("abcd") <= set().union(*now))
    width = {"exact": Fraction(0), "around 1/4": Fraction(1, 4)}.get(repr(belief))
    both = oracle.same_codes([fits(one, repr(belief), width) for one in periods])
    before = [
        ga.Earlier(ga.Release(baskets(one), renamed=True), name=str(year), linked="nobody", same_codes=True)
        for year, one in enumerate(then)
    ]
    knows = ga.KnowsFrequencies(belief=belief, knows_method=knows_method)
    found = ga.assess(ga.Release(baskets(now), renamed=True), knows, LIMIT, earlier=before).findings[0]
    last = found.together[-1]
    assert last.risk is not None
    every = list(cracks.mappings(both))
    chances = cracks.crack_chances(both)
    if knows_method:
        chances = [
            max(Fraction(sum(one[i] == c for one in every), len(every)) for c in range(4)) for i in range(4)
        ]
    assert last.risk.average == sum(chances) / 4
    assert last.safe is (sum(chances) / 4 <= LIMIT.average)
    assert {one.target: one.chance for one in last.risk.exposures} == dict(zip("abcd", chances, strict=True))
    assert last.risk.figures["o_estimate_plain"] == sum(Fraction(1, len(one)) for one in both)
    assert len(found.together) == (1 if len(then) == 1 else 3), "every choice of them"


def test_supports_by_hand_with_codes_used_again() -> None:
    """Supports 2 2 3, then 3 1 3: two expected cracks each, and all three with the same codes."""
    last, now = (
        [frozenset("abc"), frozenset("abc"), frozenset("c")],
        [frozenset("abc"), frozenset("ac"), frozenset("ac")],
    )
    knows = ga.KnowsFrequencies(belief=ga.Belief.exact())
    before = ga.Earlier(
        ga.Release(baskets(last), renamed=True), name="2025", same_codes=True, already="accept"
    )
    found = ga.assess(
        ga.Release(baskets(now), renamed=True), knows, ga.Tolerance(average="2/3"), earlier=before
    )
    (seen,) = found.findings[0].together
    assert (found.findings[0].risk.average, seen.before.average, seen.risk.average) == (
        Fraction(2, 3),
        Fraction(2, 3),
        1,
    )
    assert found.verdict == "at risk"
    assert (
        seen.risk.exposures[0].because
        == "Nothing else occurs exactly as often in every release: recognised for certain."
    )
    with pytest.raises(ga.NoSafeRelease, match="whose codes are used again it is not safe"):
        ga.protect(ga.Release(baskets(now), renamed=True), knows, ga.Tolerance(average="2/3"), earlier=before)


ASKED = """
[release]
data = "shop.dat"
renamed = true
{earlier}
[tolerates]
average = "{limit}"
[[knows]]
attack = "frequencies"
belief = "exact"
knows_method = false
"""


def run(*words: str) -> tuple[int, str]:
    told = CliRunner().invoke(app, list(words))
    return told.exit_code, " ".join(told.output.split())


def test_codes_of_a_ledger_used_again_are_judged_and_never_written(tmp_path: Path) -> None:
    (tmp_path / "shop.dat").write_text("a b c\na b d\nc d\n")
    (tmp_path / "2025.toml").write_text(ASKED.format(earlier="", limit="1/2"))
    arguments = ["-o", str(tmp_path / "2025"), "--ledger", str(tmp_path / "ledger.json")]
    assert run("protect", str(tmp_path / "2025.toml"), *arguments)[0] == 0
    entry = ga.Ledger.read(tmp_path / "ledger.json").of(tmp_path / "2025")
    assert entry.scenario is not None
    assert entry.scenario["text"] == (tmp_path / "2025.toml").read_text()
    (tmp_path / "shop.dat").write_text("a b c d\na b c d\na b c\na b c\n")
    same = '[[earlier]]\nrelease = "2025"\nledger = "ledger.json"\ncodes = "same"\nlinked = "nobody"\n'
    (tmp_path / "2026.toml").write_text(ASKED.format(earlier=same, limit="1/2"))
    told = run("assess", str(tmp_path / "2026.toml"))
    assert told[0] == 0, "a and b, and d from c, as each release alone: " + told[1]
    status, said = run("protect", str(tmp_path / "2026.toml"), "-o", str(tmp_path / "2026"))
    assert (status, (tmp_path / "2026").exists()) == (2, False)
    assert "codes of 2025 tell when they are used again is not checked" in said
    without = ASKED.format(earlier=same.replace('ledger = "ledger.json"\n', ""), limit="1/2")
    (tmp_path / "2026.toml").write_text(without)
    status, said = run("assess", str(tmp_path / "2026.toml"))
    assert (status, "what the codes of the release stand for" in said) == (2, True)


def test_on_an_estimate_nothing_is_called_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giveaway.attacks.frequencies.exact_chances.general._exact", lambda *_: None)
    rows = [frozenset("ab"), frozenset("abc"), frozenset("cd")]
    before = ga.Earlier(ga.Release(baskets(rows[:2]), renamed=True), name="2025", same_codes=True)
    limit = ga.Tolerance(average="99/100")
    found = ga.assess(ga.Release(baskets(rows), renamed=True), ga.KnowsFrequencies(), limit, earlier=before)
    assert found.verdict == "cannot judge"
    assert "on an estimate nothing is called safe" in found.findings[0].reasons[0]


def test_names_cannot_be_codes_used_again() -> None:
    shop = baskets([frozenset("ab"), frozenset("c")])
    before = ga.Earlier(shop, name="2025", same_codes=True)
    with pytest.raises(ga.ScenarioError, match="2025 does not publish codes"):
        ga.assess(ga.Release(shop, renamed=True), ga.KnowsFrequencies(), LIMIT, earlier=before)
