"""Exposures of the attack `attributes`: secret entries, worst first, put into words when they are looked at."""

from dataclasses import InitVar, dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.attributes.informed import informed
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.reporting import sentences
from giveaway.attacks.attributes.sensitive_column import SensitiveColumn
from giveaway.attacks.wording import named
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Exposure, Listed, Step
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True)
class SecretInference(Exposure):
    """An exposed secret that remembers the question and its entry, to be looked up in another release."""

    entry: InitVar[tuple[AttributesQuestion, str, int]]

    def __post_init__(self, entry: tuple[AttributesQuestion, str, int]) -> None:
        object.__setattr__(self, "_entry", entry)

    def chance_in(self, release: Release) -> Fraction:
        """Return the chance of the same secret in a release that withholds something else."""
        asked, name, row = vars(self)["_entry"]
        question: AttributesQuestion = asked.about(release)
        if question.attacker.knows_method:
            judged = next(column for column in informed(question).columns if column.name == name)
            secret = int(np.searchsorted(judged.peers.secrets, row))
            return judged.chances[int(judged.peers.group_of_secret[secret])]
        column = next(column for column in question.sensitive_columns if column.name == name)
        group = column.groups[np.searchsorted(column.rows, row)]
        return column.chance(int(np.searchsorted(column.best.groups, group)))


class SecretExposures(Listed):
    """One exposure for each secret whose value is worth protecting.

    Ordered by falling chance, then fewer conditions, then column, then labels; identical records by their rows.
    """

    def __init__(self, question: AttributesQuestion) -> None:
        self._question = question

    @cached_property
    def _order(self) -> tuple[Ints, Ints]:
        """The sensitive column of each secret, and its place among the secrets of that column."""
        keys = []
        for which, column in enumerate(self._question.sensitive_columns):
            length = np.bitwise_count(column.best.mask)
            for place, group in enumerate(column.best.groups):
                keys.append((-column.chance(place), int(length[place]), which, int(group)))
        rank = {(which, group): at for at, (_, _, which, group) in enumerate(sorted(keys))}
        entries = [
            (rank[which, group], which, place)
            for which, column in enumerate(self._question.sensitive_columns)
            for place, group in enumerate(column.groups.tolist())
            if (which, group) in rank
        ]
        ordered = np.array(sorted(entries), np.int64).reshape(-1, 3)
        return ordered[:, 1], ordered[:, 2]

    def __len__(self) -> int:
        return len(self._order[0])

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        which, secret = (int(of_each[place]) for of_each in self._order)
        return self._exposure(self._question.sensitive_columns[which], secret)

    def _exposure(self, column: SensitiveColumn, secret: int) -> Exposure:
        question, row = self._question, int(column.rows[secret])
        place = int(np.searchsorted(column.best.groups, column.groups[secret]))
        value = question.label(column.name, int(column.truth[secret]))
        best_chance = column.chance(place)
        return SecretInference(
            target=question.original.record(row),
            kind="attribute",
            chance=best_chance,
            baseline=column.share(int(column.truth[secret])),
            value=value,
            because=sentences.rule(
                int(column.best.showing[place]),
                int(column.best.matching[place]),
                pattern(question, column, place),
                column.name,
                value,
            )
            if best_chance
            else sentences.no_rule(column.name, value, question.attacker.trusts_support_above),
            entry=(question, column.name, row),
        )

    def worked(self) -> tuple[Step, ...]:
        """Show step by step how the conditions of the worst exposure narrow the crowd."""
        if len(self) == 0:
            return ()
        which, secret = (int(of_each[0]) for of_each in self._order)
        column, question = self._question.sensitive_columns[which], self._question
        place = int(np.searchsorted(column.best.groups, column.groups[secret]))
        if not column.best.matching[place]:
            return ()
        table = column.table
        own = table.conditions[column.best.groups[place]]
        bits = [bit for bit in range(table.width) if int(column.best.mask[place]) >> bit & 1]
        alone = {bit: int(table.count[table.conditions[:, bit] == own[bit]].sum()) for bit in bits}
        held = np.ones(len(table.count), np.bool_)
        steps, known = [Step(label=f"all {nouns().records}", count=question.records)], []
        for bit in sorted(bits, key=lambda bit: (-alone[bit], bit)):
            held &= table.conditions[:, bit] == own[bit]
            known.append((column.names[bit], question.label(column.names[bit], int(own[bit]))))
            steps.append(Step(label=f"with {sentences.condition(known)}", count=int(table.count[held].sum())))
        value = named(question.label(column.name, int(column.truth[secret])))
        steps.append(Step(label=f"of them with {column.name} {value}", count=int(column.best.showing[place])))
        return tuple(steps)


def pattern(question: AttributesQuestion, column: SensitiveColumn, place: int) -> list[tuple[str, Label]]:
    """Return the columns and values of the best rule for a secret group."""
    mask, codes = int(column.best.mask[place]), column.table.conditions[column.best.groups[place]]
    return [
        (name, question.label(name, int(codes[bit])))
        for bit, name in enumerate(column.names[:-1])
        if mask >> bit & 1
    ]
