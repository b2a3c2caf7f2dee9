"""What goes through all worlds catches what tells something, draws what is drawn, and reads what is written."""

import csv
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import SystemRandom

import pytest
from tests.worlds import lots
from tests.worlds.combinations import AB, AC, HALF
from tests.worlds.owners import one_table, row, safe, shown, table
from tests.worlds.worlds import Form, World, all_worlds, beliefs, channel

ASKED = [AB.attacker(()), AC.attacker(())]


def test_every_lot_is_drawn_with_its_chance() -> None:
    def run() -> tuple[list[str], list[int]]:
        first = SystemRandom().sample("aab", 3)
        return first, SystemRandom().sample([1, 2], 1) if first[0] == "b" else []

    drawn = {str(found): chance for chance, found in lots.every(run)}
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    assert drawn == {
        "(['a', 'a', 'b'], [])": third,
        "(['a', 'b', 'a'], [])": third,
        "(['b', 'a', 'a'], [1])": sixth,
        "(['b', 'a', 'a'], [2])": sixth,
    }


def test_what_is_drawn_otherwise_is_an_error() -> None:
    with pytest.raises(AssertionError, match="not gone through"):
        list(lots.every(lambda: SystemRandom().shuffle([1, 2])))


def blank_with_the_first(world: World) -> Sequence[Form]:
    """Blank whoever is alone in the first place, and the first of the others with them, as whoever reads the rule knows."""
    alone = [one for one in world if sum(other[0] == one[0] for other in world) == 1]
    gone = [*alone, *[one for one in world if one not in alone][: len(alone)]]
    return [(None if one in gone else one[0], one[1]) for one in world]


def test_a_rule_that_tells_whom_it_blanked_is_caught() -> None:
    files = channel(all_worlds(["uv", "ab"]), blank_with_the_first)
    worst = max(chance for seen in beliefs(files, [0]) for chance in seen.whose().values())
    assert worst == 1


def test_nothing_is_learnt_where_all_is_blank() -> None:
    files = channel(all_worlds(["uv", "ab"]), lambda world: [None if one[0] == "v" else () for one in world])
    for seen in beliefs(files, [0]):
        listed = seen.known["u",]
        assert not listed or seen.whose() == {((), ("u",)): Fraction(1, listed)}
        assert all(chance == Fraction(1, 2) for chance in seen.told(lambda one: [one[1]]).values())


def test_chances_are_by_the_rule_of_bayes() -> None:
    """A value is shown where it is a; nobody shows b, so that a blank is b, unless a is twice as likely from elsewhere."""
    files = channel(all_worlds(["ab"], 1), lambda world: None if world == (("c",),) else [None])
    (seen,) = beliefs(files, [], prior=lambda one: 2 if one == ("a",) else 1)
    assert seen.told(lambda one: one) == {((), "a"): Fraction(2, 3), ((), "b"): Fraction(1, 3)}


@pytest.mark.parametrize("text", ["apg apg aph bqh", "apg apg apg bqh", "apg aqg bpg bqh"])
def test_the_order_of_rows_does_not_matter(text: str) -> None:
    world = tuple(map(tuple, text.split()))
    owner = one_table(lambda _: ASKED, HALF)

    def outcomes(rows: World) -> dict[frozenset[object], Fraction]:
        found: dict[frozenset[object], Fraction] = defaultdict(Fraction)
        for chance, forms in lots.every(lambda: owner(rows)):
            assert forms is not None
            found[frozenset(Counter(zip(rows, forms, strict=True)).items())] += chance
        return found

    assert all(outcomes(rows) == outcomes(world) for rows in [*permutations(world)][::5])


def test_files_hold_what_is_gone_through(tmp_path: Path) -> None:
    for number, world in enumerate(all_worlds(["ab", "pq", "gh"])[::60]):
        made = safe(table(world, row("ABC")), ASKED, HALF)
        assert made is not None
        made.publish(tmp_path / str(number), format="csv")
        with next((tmp_path / str(number)).glob("*.csv")).open() as file:
            written = Counter(tuple(value or None for value in line) for line in [*csv.reader(file)][1:])
        assert written == Counter(shown(made.release))
