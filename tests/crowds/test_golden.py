"""Tables of which the least or a good number of blanks, and what is learnt from a release, were computed elsewhere."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from tests.crowds.building import profiles_of, table_profiles
from tests.crowds.theorems import below as below_crowd
from tests.crowds.theorems import chances_of, guarantee, mean_chance, people_over, views, worst, worst_chance
from tests.oracles import crowds as oracle
from tests.oracles.linear_bound import better_bound
from tests.sizes import first

from giveaway.crowds.bounds import lower_bound
from giveaway.crowds.forms import CrowdProfiles
from giveaway.crowds.plan import plan
from giveaway.crowds.split import Split, ValuesHeld
from giveaway.model.data.arrays import Ints, alike

TABLES = {
    "adult4": ("decade sex education workclass", 920, 223),
    "adult4age": ("age sex race education", 3_152, 1_206),
    "adult5": ("decade sex race education marital-status", 1_821, 727),
    "adult5salary": ("sex race education occupation salary-class", 1_335, 419),
    "adult6": ("decade sex race marital-status workclass salary-class", 1_335, 464),
    "bank7": ("job marital education default housing loan contact", 1_482, 376),
}
COSTS = [
    ("adult4", 5, 859, "1737/2", 910),
    ("adult4", 11, 1_934, "1233733/630", 2_059),
    ("adult4age", 5, 3_671, "44677/12", 3_813),
    ("adult4age", 11, 6_815, "246143/35", 7_196),
    ("adult5", 5, 2_081, "2167", 2_350),
    ("adult5", 11, 3_860, "10381513/2520", 4_513),
    ("adult5salary", 5, 1_376, "16885/12", 1_490),
    ("adult5salary", 11, 2_788, "404127/140", 3_049),
    ("adult6", 5, 1_453, "18931/12", 1_932),
    ("adult6", 11, 2_761, "1562213/504", 3_847),
    ("bank7", 5, 1_359, "17299/12", 1_592),
    ("bank7", 11, 3_132, "711293/210", 3_779),
]
TINY = [
    (2, "ab bb bc bc", 2, 2),
    (2, "aa ab ba cb", 4, 4),
    (2, "bac bbc caa ccb ccc", 8, 6),
    (2, "aa bb bc bc ca cc", 6, 5),
    (2, "aa aa ba bb bb bc", 2, 2),
    (2, "aa ab ab ba", 2, 2),
    (2, "ac ba bb bc cb", 7, 5),
    (2, "aa ab bb bc ca", 8, 5),
    (2, "aab abb baa cba", 6, 6),
    (2, "aaa abc baa ccb", 8, 7),
    (3, "aa ba ba cb", 8, 5),
    (3, "aa ba bb bb cb", 10, 6),
    (2, "ax ay by", 6, None),
]


@pytest.fixture(scope="module")
def tables() -> dict[str, tuple[CrowdProfiles, Ints]]:
    read = {"adult": oracle.census(), "bank": oracle.bank()}
    return {
        name: table_profiles(read["bank" if name.startswith("bank") else "adult"], columns.split())
        for name, (columns, _, _) in TABLES.items()
    }


@pytest.mark.parametrize("name", TABLES)
def test_profiles_of_real_tables_are_counted(
    tables: dict[str, tuple[CrowdProfiles, Ints]], name: str
) -> None:
    profiles, _ = tables[name]

    assert (len(profiles.counts), int((profiles.counts == 1).sum())) == TABLES[name][1:]


@pytest.mark.parametrize(("name", "crowd", "below", "bound", "most"), COSTS)
def test_real_tables_cost_no_less_than_the_bound_and_no_more_than_they_should(
    tables: dict[str, tuple[CrowdProfiles, Ints]], name: str, crowd: int, below: int, bound: str, most: int
) -> None:
    profiles, profile_of = tables[name]
    as_it_is = Split.observed(profile_of, profile_of)

    found = plan(profiles, crowd, rounds=3)

    assert below_crowd(as_it_is, crowd) == below
    assert lower_bound(profiles, crowd) == Fraction(bound)
    assert Fraction(bound) <= found.cost == found.blanks <= most
    assert found.split.smallest_crowd >= crowd
    assert found.below == 0
    assert worst_chance(found.split) <= Fraction(1, crowd)
    assert (found.split.sizes == profiles.counts).all()


@pytest.mark.parametrize(("name", "crowd", "least"), [("adult5", 5, 2_247), ("adult4", 11, 2_001)])
def test_a_linear_program_tells_that_real_tables_cost_more_than_the_first_bound(
    tables: dict[str, tuple[CrowdProfiles, Ints]], name: str, crowd: int, least: int
) -> None:
    profiles, _ = tables[name]

    bound = better_bound(profiles, crowd)

    assert lower_bound(profiles, crowd) < least < bound <= plan(profiles, crowd, rounds=20).cost


@pytest.mark.parametrize(("crowd", "text", "blanks", "bound"), TINY)
def test_tiny_tables_cost_the_least(crowd: int, text: str, blanks: int, bound: int | None) -> None:
    rows = oracle.rows_of(text)
    profiles, _ = profiles_of(rows)

    found = plan(profiles, crowd)

    assert oracle.least_cost(rows, crowd) == found.blanks == blanks
    assert found.optimal
    assert bound is None or lower_bound(profiles, crowd) == bound
    assert worst_chance(found.split) <= Fraction(1, crowd)


@pytest.mark.parametrize(
    ("name", "blank", "crowd", "sensitive", "figures"),
    first(
        1,
        [
            ("adult5", {"race": 3, "marital-status": 5}, 5, "occupation", (2_581, 1, 2_960, 2_960, 1_172)),
            ("bank7", {"job": 4, "education": 3, "contact": 7}, 11, "y", (2_419, 1, 5_361, 45_183, 36_546)),
        ],
    ),
)
def test_figures_of_a_given_release(
    tables: dict[str, tuple[CrowdProfiles, Ints]],
    name: str,
    blank: dict[str, int],
    crowd: int,
    sensitive: str,
    figures: Sequence[int],
) -> None:
    profiles, profile_of = tables[name]
    names = TABLES[name][0].split()
    codes = profiles.codes[profile_of].copy()
    number = np.arange(1, len(codes) + 1)
    for column, every in blank.items():
        codes[number % every == 0, names.index(column)] = -1
    form_of = alike(list(codes.T))[0]
    read = oracle.bank() if name.startswith("bank") else oracle.census()
    value_of = np.unique(np.array(read[sensitive]), return_inverse=True)[1]

    split = Split.observed(profile_of, form_of)
    seen = views(split, ValuesHeld.observed(form_of, value_of))

    over = [people_over(seen, limit, split.sizes) for limit in (Fraction(1, 2), Fraction(4, 5))]
    assert (len(split.crowds), split.smallest_crowd, below_crowd(split, crowd), *over) == tuple(figures)
    assert worst_chance(split) == 1
    assert worst(seen) == 1


def test_matching_and_views_by_hand() -> None:
    split = Split.observed(np.array([0, 1, 1]), np.array([0, 0, 1]))

    lines = zip(split.profile.tolist(), split.form.tolist(), chances_of(split), strict=True)
    assert {(profile, form): chance for profile, form, chance in lines} == {
        (0, 0): Fraction(1, 2),
        (1, 0): Fraction(1, 4),
        (1, 1): Fraction(1, 2),
    }
    assert guarantee(split) == 1


def test_a_profile_that_lends_to_two_forms() -> None:
    """Rows aa bb bc bc ca cc: bc gives one member to -c and one to b-, which is one of the plans of 6 blanks."""
    profiles = {"aa": 0, "bb": 1, "bc": 2, "ca": 3, "cc": 4}
    carried = ["aa:-a", "bb:b-", "bc:b-", "bc:-c", "ca:-a", "cc:-c"]
    forms = sorted({line.split(":")[1] for line in carried})

    split = Split.observed(
        np.array([profiles[line.split(":")[0]] for line in carried]),
        np.array([forms.index(line.split(":")[1]) for line in carried]),
    )

    assert sum(line.count("-") for line in carried) == 6
    assert split.smallest_crowd == 2
    assert sorted(chances_of(split)) == [Fraction(1, 4)] * 2 + [Fraction(1, 2)] * 4
    assert mean_chance(split) == Fraction(5, 12)
