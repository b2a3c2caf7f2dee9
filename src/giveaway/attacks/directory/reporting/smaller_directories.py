"""Parts of a directory: what it would be if fewer people were in it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.lookup import FEW
from giveaway.attacks.directory.question import Question
from giveaway.model.data.arrays import Ints, alike
from giveaway.model.data.people import People

SHARES = (10, 25, 50, 75, 100)
DRAWN = 300
"""How many records are looked up in the parts."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """Some records, by their groups, and nested parts of a directory that hold their people where ids tell who they are."""

    groups: Ints
    inside: int
    """How many of the records are known to be in the directory."""
    sizes: tuple[int, ...]
    parts: Iterator[People]


def draw(question: Question, directory: int, seed: int) -> Drawn | None:
    """Draw records and parts of a directory by chance; None where it is too large.

    What is drawn does not depend on the order of rows: people with the same entry can stand for each other.
    """
    people = question.lookup.matchings[directory].people
    if len(people) > FEW or question.records > FEW or not len(people):
        return None
    person, entry = _lines(people)
    rank = alike([people.columns[name] for name in people.columns])[0] if people.columns else np.zeros(1, int)
    size = int(person.max(initial=-1)) + 1
    first = np.full(size, len(rank), np.int64)
    np.minimum.at(first, person, rank[entry])
    own = _person_of_row(question, people, person)
    generator = np.random.default_rng(seed)
    groups = question.groups.group_of
    place = np.where(own < 0, -1, first[own])
    rows = np.lexsort((place, groups))
    many = min(DRAWN, len(rows), max(1, size // SHARES[0]))
    chosen = rows[np.sort(generator.choice(len(rows), many, replace=False))]
    kept = np.zeros(size, np.bool_)
    kept[own[chosen][own[chosen] >= 0]] = True
    order = np.lexsort((~kept, first))
    turn = np.empty(size, np.int64)
    turn[order] = np.where(kept[order], -1, generator.permutation(size))
    turn = np.argsort(np.argsort(turn, kind="stable"), kind="stable")
    sizes = tuple(max(int(kept.sum()), size * share // 100, 1) for share in SHARES)
    return Drawn(
        groups=groups[chosen],
        inside=int((own[chosen] >= 0).sum()),
        sizes=sizes,
        parts=(_part(people, person, entry, turn < many) for many in sizes),
    )


def _lines(people: People) -> tuple[Ints, Ints]:
    """Return a person and an entry for each line of a directory."""
    if people.ids is not None and people.entries is not None:
        number: dict[str, int] = {}
        numbers = [number.setdefault(str(label), len(number)) for label in people.ids]
        return np.array(numbers, np.int64), people.entries
    alone = np.repeat(np.arange(len(people.alone)), people.alone)
    person = np.concatenate([np.arange(len(alone)), len(alone) + people.several_person])
    return person, np.concatenate([alone, people.several_entry])


def _person_of_row(question: Question, people: People, person: Ints) -> Ints:
    """Return who each record is in a directory, -1 where that is not known."""
    if question.lookup.is_own:
        return np.arange(question.records)
    table = question.original
    if table.id is None or people.ids is None:
        return np.full(question.records, -1)
    number = dict(zip(map(str, people.ids), person.tolist(), strict=True))
    return np.array([number.get(str(label), -1) for label in table.ids], np.int64)


def _part(people: People, person: Ints, entry: Ints, kept: NDArray[np.bool_]) -> People:
    """Return the directory with some of its people only."""
    here = kept[person]
    person, entry = person[here], entry[here]
    lines = np.bincount(person, minlength=len(kept))
    one = lines[person] == 1
    order = np.argsort(person[~one], kind="stable")
    several = np.unique(person[~one][order], return_inverse=True)[1]
    return replace(
        people,
        alone=np.bincount(entry[one], minlength=len(people.alone)),
        several_person=several.astype(np.int64),
        several_entry=entry[~one][order],
        ids=None,
        entries=None,
    )
