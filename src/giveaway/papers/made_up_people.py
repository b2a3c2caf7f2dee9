"""Made-up people with the columns of a census, drawn from a seed: they stand in for data that are not at hand."""

from random import Random

_VALUES = {
    "workclass": ("private", "state", "self-employed", "local"),
    "education": ("school", "college", "bachelors", "masters"),
    "education-num": ("9", "10", "13", "14"),
    "marital-status": ("married", "never married", "divorced"),
    "occupation": ("craft", "clerk", "sales", "teacher", "manager", "driver", "nurse", "cook", "guard"),
    "sex": ("female", "male"),
    "salary-class": ("<=50K", ">50K"),
}
_KINDS = 8
_USUAL = 0.6
"""How many kinds of people there are, and how often somebody has the usual value of their kind for certain."""


def made_up_people(number: int, *, seed: int = 1) -> list[dict[str, str]]:
    """Draw people; who is drawn depends on the seed alone.

    >>> made_up_people(2)[0]["sex"] in ("female", "male")
    True
    """
    random = Random(seed)  # noqa: S311 # made-up people need no protection
    usual = [{column: random.choice(values) for column, values in _VALUES.items()} for _ in range(_KINDS)]
    people = []
    for _ in range(number):
        kind = random.choice(usual)
        person = {
            column: kind[column] if random.random() < _USUAL else random.choice(values)
            for column, values in _VALUES.items()
        }
        twin = dict(zip(_VALUES["education"], _VALUES["education-num"], strict=True))
        people.append(person | {"education-num": twin[person["education"]]})
    return people
