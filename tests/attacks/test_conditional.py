"""What an attack does not cover and assumes is told of the question that was asked, and of no other."""

import pytest
from tests.bench.cases import CASES

import giveaway as ga
from giveaway.attacks import ATTACKS
from giveaway.attacks.attack import Conditional


@pytest.mark.parametrize("name", ATTACKS)
def test_every_sentence_that_holds_of_some_questions_says_of_which(name: str) -> None:
    for one in (*ATTACKS[name].says.does_not_cover, *ATTACKS[name].says.assumes):
        if isinstance(one, Conditional):
            assert str(one).startswith(one.if_[0].upper())
            assert one.says.endswith(".")


def test_a_directory_of_other_people_is_spoken_of_only_where_there_is_one() -> None:
    attack = ATTACKS["directory"]
    tolerance = ga.Tolerance(identity="1/2")
    without = attack.says.uncovered(ga.KnowsDirectory(columns=["zip"]), tolerance)

    assert not [text for text in without if "likelier" in text]
    assert [text for text in without if "all records that may be theirs" in text]
    both = ga.Tolerance(identity="1/2", attribute="1/2")
    judged = attack.says.uncovered(ga.KnowsDirectory(columns=["zip"]), both)
    assert not [text for text in judged if "all records that may be theirs" in text]


def test_who_knows_the_method_is_not_said_to_be_left_out_where_they_are_judged() -> None:
    for name, uninformed in (
        ("directory", "makes the release again"),
        ("attributes", "how giveaway chooses"),
    ):
        attack = ATTACKS[name]
        case = next(one for one in CASES.values() if one.attacker.attack == name)
        knowing = attack.says.uncovered(case.attacker, case.tolerance)
        other = type(case.attacker)(columns=["a"], knows_method=False)

        assert not [text for text in knowing if uninformed in text]
        assert [text for text in attack.says.uncovered(other, case.tolerance) if uninformed in text]
