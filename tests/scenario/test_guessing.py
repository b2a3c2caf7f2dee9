"""What the names and values of columns are taken for."""

from fractions import Fraction
from typing import Any

import pytest

from giveaway.scenario.proposal.column_words import meaning_of, names_people
from giveaway.scenario.proposal.guess_roles import guesses
from giveaway.sources import ColumnLook, Look

MEANINGS = {
    "name": "name first_name lastName Nachname Vorname Apellidos prénom maiden_name patient_name",
    "contact": "email E-Mail phone_no Telefon mobile",
    "address": "address Straße Hausnummer latitude lon",
    "number of a person": "ssn IBAN Versicherungsnummer passport",
    "free text": "notes comment Bemerkung Anmerkungen observaciones",
    "birth": "birth dob Geburtsdatum date_of_birth birthYear geb naissance",
    "date": "date Aufnahmedatum death_date fecha",
    "age": "age Alter age_group Altersgruppe edad",
    "sex": "sex Gender Geschlecht sexo",
    "place": "zip zip_code PLZ city Wohnort region state country hospital neighborhood Bundesland inst",
    "job": "job occupation Beruf employed workclass",
    "education": "educ education school Schulabschluss",
    "family": "married maried marital.status Familienstand children",
    "origin": "race ethnicity Nationalität black language",
    "health": "diagnosis Diagnose_ICD disease ill Krankheit treatment ph.ecog hlth survived smoker HIV",
    "money": "income faminc Gehalt salary wage Einkommen",
    "belief or private life": "religion religious affairs party",
    "crime": "crime Vorstrafe convicted",
    "id": "id ID patient patient_id PatientID Patientennummer Fallnr customer visit_id kundennr pid",
}


@pytest.mark.parametrize("meaning", MEANINGS)
def test_names_are_understood_in_several_languages_and_spellings(meaning: str) -> None:
    for name in MEANINGS[meaning].split():
        found = meaning_of(name)
        assert found is not None, name
        assert found.word == meaning, name


def test_names_that_only_contain_such_words_mean_nothing() -> None:
    names = "package capacity number_of_cds stage average dosage covid paid time score x1 rate_marriage"
    assert [name for name in names.split() if meaning_of(name) is not None] == []


def test_a_number_of_people_is_told_from_other_numbers() -> None:
    assert all(
        map(names_people, ["patient", "Patientennummer", "customer_id", "PersonID", "user", "Kundennr"])
    )
    assert not any(map(names_people, ["visit_id", "customer_type", "hospital_id", "order no", "age"]))


def column(name: str, distinct: int = 50, **said: Any) -> ColumnLook:
    fields = {"numeric": False, "identifier": False, "missing": Fraction(0)} | said
    return ColumnLook(name=name, distinct=distinct, **fields)


def roles(*columns: ColumnLook, rows: int = 1_000) -> dict[str, str]:
    found = guesses(Look(name="a.csv", shape="table", rows=rows, columns=columns))
    listed = {role: getattr(found, role) for role in ("known", "sensitive", "direct", "unclear")}
    named = {guess.column.name: f"{role} {guess.sure}" for role, some in listed.items() for guess in some}
    return named | ({} if found.id is None else {found.id.column.name: "id"})


def test_values_that_point_at_one_person_win_over_the_name() -> None:
    found = roles(
        column("region", looks="e-mail addresses"),
        column("diagnosis", looks="free text"),
        column("income", looks="long numbers", numeric=True),
        column("v1", looks="phone numbers"),
        column("who", looks="names"),
        column("city", looks="names"),
        column("v", distinct=1_000, identifier=True),
        column("w", distinct=1_000, identifier=True, numeric=True),
        column("sex", distinct=2),
    )

    assert found == {
        "region": "direct likely",
        "diagnosis": "direct likely",
        "income": "sensitive likely",
        "v1": "direct likely",
        "who": "direct likely",
        "city": "known likely",
        "v": "direct likely",
        "w": "unclear a guess",
        "sex": "known sure",
    }


def test_dates_are_not_published_unless_they_are_births() -> None:
    found = roles(column("birth", looks="dates"), column("visit", looks="dates"), column("sex", distinct=2))

    assert found == {"birth": "known sure", "visit": "unclear sure", "sex": "known sure"}


def test_the_first_number_of_a_row_is_the_id_and_others_are_left_out() -> None:
    own = {"distinct": 1_000, "identifier": True}
    found = roles(column("case_id", **own), column("record nr", **own), column("sex", distinct=2))

    assert found == {"case_id": "id", "record nr": "direct sure", "sex": "known sure"}


def test_a_number_with_few_values_is_a_category_unless_it_is_of_people() -> None:
    found = roles(
        column("ward_id", distinct=4), column("group id", distinct=4), column("patient", distinct=4)
    )

    assert found["ward_id"] == "known likely"
    assert found["group id"] == "known a guess"
    assert found["patient"].startswith("direct")


@pytest.mark.parametrize(
    ("name", "distinct", "asked"),
    [
        ("id", 600, True),
        ("id", 50, True),
        ("id", 49, False),
        ("patient", 10, True),
        ("patient", 1_000, False),
    ],
)
def test_it_is_asked_who_the_person_is_when_a_number_repeats(name: str, distinct: int, asked: bool) -> None:
    numbered = column(name, distinct=distinct, identifier=distinct == 1_000)
    found = guesses(
        Look(name="a.csv", shape="table", rows=1_000, columns=(numbered, column("sex", distinct=2)))
    )

    assert (found.person is not None) is asked
    assert ("Does it name the person?" in found.whom) is asked


def test_a_long_number_of_people_that_repeats_is_asked_about_too() -> None:
    numbered = column("customer_id", distinct=400, looks="long numbers", numeric=True)
    found = guesses(
        Look(name="a.csv", shape="table", rows=1_000, columns=(numbered, column("sex", distinct=2)))
    )

    assert found.counted == numbered
    assert [guess.column for guess in found.direct] == [numbered]


def test_at_most_eight_columns_are_known_and_those_first_that_most_people_know() -> None:
    jobs = [column(f"job{place}", distinct=9) for place in range(9)]
    found = roles(*jobs, column("age", numeric=True), column("q", distinct=3))

    known = [name for name, role in found.items() if role.startswith("known")]
    assert known == [*(f"job{place}" for place in range(7)), "age"]
    assert found["q"] == "unclear a guess"


def test_constant_and_empty_columns_are_not_known() -> None:
    found = roles(column("city", distinct=1), column("region", distinct=0), column("sex", distinct=2))

    assert found == {"city": "unclear likely", "region": "unclear sure", "sex": "known sure"}
