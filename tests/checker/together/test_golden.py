"""Golden values of people who are in two releases, counted by the checker from what both show."""

from collections import Counter, defaultdict
from fractions import Fraction

from tests.oracles.composition import data
from tests.oracles.crowds import census
from tests.sizes import long

from giveaway.checker.attacks.directory.people_in_both import RowsApart
from giveaway.checker.together.reading import Texts

FIRST, SECOND = ("decade", "education", "sex"), ("marital-status", "workclass", "sex")


def texts(name: str) -> list[str | None]:
    return [str(value) for value in census()[name]]


def shown(columns: tuple[str, ...]) -> Texts:
    """Blanks by the rule of the golden values, for a crowd of 5; sex and occupation are never blank."""
    masks = data.safe_release(columns, 5, never_blank=["sex"]).tolist()
    found = {}
    for name in columns:
        bit = 1 << data.COLUMNS.index(name)
        found[name] = [text if mask & bit else None for text, mask in zip(texts(name), masks, strict=True)]
    return found | {"occupation": texts("occupation")}


@long
def test_adult() -> None:
    """Of 30,162 people, above 1/2, above 9/10 and for certain: 3,112, 220 and 3; crowds below 5: of 4 rows."""
    now, then = shown(SECOND), shown(FIRST)
    known = ("marital-status", "workclass", "sex", "decade", "education")
    found = RowsApart(releases=[now, then], truth={name: texts(name) for name in known}, known=known)
    found.check()
    largest = [max(belief.values()) for belief in found.beliefs("occupation")]
    of_people = [largest[found.number_of[profile]] for profile in found.profiles]
    limits = Fraction(1, 2), Fraction(9, 10)
    assert [sum(chance > limit for chance in of_people) for limit in limits] == [3112, 220]
    assert sum(chance == 1 for chance in of_people) == 3
    people = found.directory()
    names = list(people.columns)
    owners = defaultdict(set)
    for person, entry in zip(people.several_person.tolist(), people.several_entry.tolist(), strict=True):
        owners[entry].add(person)
    lines = Counter(zip(*(now[name] for name in names), strict=True))
    entries = list(
        zip(*([people.labels[name][code] for code in people.columns[name]] for name in names), strict=True)
    )
    whole = {line: owners[entry] for entry, line in enumerate(entries)}
    below = 0
    for line, rows in lines.items():
        if None not in line:
            below += rows * (len(whole.get(line, ())) < 5)
    assert below == 4
