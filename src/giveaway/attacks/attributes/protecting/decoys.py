"""Blank entries of others by lot, so that the blanks next to each secret are of several values."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.attributes.attacker import AttributesOptions
from giveaway.attacks.attributes.decoys.blocks import Block, cap, chance, least_decoys, least_limit
from giveaway.attacks.attributes.informed import InformedColumn, InformedTally, informed
from giveaway.attacks.attributes.protecting.plan import STEPS
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.reporting import curves
from giveaway.attacks.attributes.reporting.sentences import BY_LOT, inferred
from giveaway.attacks.wording import counted, listed
from giveaway.errors import Help, NoSafeRelease
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import LedgerLine, Protection
from giveaway.model.exact import ratio
from giveaway.model.progress import tell
from giveaway.model.release.cells import Cells

NAMED = 5
"""How many secrets without a block are named."""

GROUPS_OF = 20
"""How large groups are proposed to be where records that look the same are too few."""


@dataclass(frozen=True, kw_only=True)
class DrawnDecoys:
    """The entries that were drawn, the question about the release without them, and what is known of their number."""

    cells: Cells
    after: AttributesQuestion
    lower_bound: int | None
    """In no release that is safe by its blanks the hidden entries count less; None where rules are judged, or secrets may stay exposed."""
    rounds: int


@dataclass(frozen=True, kw_only=True)
class _DecoyBlock:
    """A block over the limit: where it is, its secrets, and the decoys that it needs by value; None where none will do."""

    column: InformedColumn
    place: int
    decoys: tuple[int, ...] | None

    @property
    def block(self) -> Block:
        return self.column.peers.blocks[self.place]

    @property
    def secrets(self) -> int:
        return int(self.column.judged[self.place])

    @property
    def may_be_left(self) -> bool:
        """Whether it may stay over the limit: a blank that stands alone is seen to, and says nothing of other groups."""
        return self.block.size == 1


def by_lot(question: AttributesQuestion, options: AttributesOptions) -> Protection:
    """Blank entries of others by lot."""
    drawn = draw(question, options)
    before, after = informed(question), informed(drawn.after)
    ledger, exposed = _account(before, after, drawn.cells)
    known, bound = question.hidden_cost, drawn.lower_bound
    is_least = bound == question.cost(drawn.cells)
    names = listed([column.name for column in before.columns])
    sentences = [
        f"Where the blanks of a group told too much, further entries of {names} were blanked.",
        BY_LOT,
    ]
    if is_least:
        entries = counted(len(drawn.cells), "entries")
        sentences.append(f"It is proved that no fewer than these {entries} will do.")
    if after.exposed:
        left = counted(after.exposed, "secret entries")
        sentences.append(f"{left} with nothing blank next to them stay exposed, as you tolerate.")
    return Protection(
        release=drawn.after.release,
        figures={
            "lower_bound": None if bound is None else known + bound,
            "optimal": is_least,
            "rounds": drawn.rounds,
        },
        curves=(
            curves.kept(question, ledger, exposed),
            *curves.hidden(question, other_limits(question)),
        ),
        ledger=ledger,
        detail=" ".join(sentences),
        drawn=bool(drawn.cells),
    )


def draw(question: AttributesQuestion, options: AttributesOptions) -> DrawnDecoys:
    """Blank entries of others until the blanks of no more groups give a value away than tolerated, each of one blank.

    Where rules are judged, blanking takes rows from them, so that all groups are looked at again, in rounds.
    """
    if "sensitive of others" not in question.hideable:
        raise NoSafeRelease(
            f"{inferred(informed(question))}, and decoys are sensitive entries of other {nouns().records}, which may "
            "not be hidden.",
            helps=('Allow it: needs.cells.hideable can also hold "sensitive of others".',),
        )
    now, cells, rounds, bound = question, Cells(), 0, None
    while (tally := informed(now)).exposed > now.allowed or tally.leaves_a_pair:
        tell("drawing decoys", rounds)
        groups = [
            _DecoyBlock(
                column=column,
                place=place,
                decoys=least_decoys(column.peers.blocks[place], column.cap, options.smallest_block),
            )
            for column in tally.columns
            for place in column.over
        ]
        if now is question and not now.allowed and not now.attacker.trusts_rules:
            bound = fewest(question, question.limit)
        rows: dict[str, list[int]] = {column.name: [] for column in tally.columns}
        for group in _chosen(tally, groups):
            name = group.column.name
            rows[name] += group.column.peers.draw(group.place, group.decoys or (), name)
        more = Cells.at({name: np.array(drawn, np.int64) for name, drawn in rows.items()})
        if not more:
            raise NoSafeRelease(f"{inferred(tally)}, and decoys do not end it.", helps=_helps(tally, groups))
        cells, rounds = cells | more, rounds + 1
        now = now.withholding(more)
    return DrawnDecoys(cells=cells, after=now, lower_bound=bound, rounds=rounds)


def fewest(question: AttributesQuestion, limit: Fraction) -> int | None:
    """Return how much the fewest decoys count with which the blanks of every group are within a limit; None without any."""
    least, part = 0, cap(limit, question.attacker.odds)
    for column in informed(question).columns:
        for block, secrets in zip(column.peers.blocks, column.judged.tolist(), strict=True):
            if secrets and block.chance(question.attacker.odds) > limit:
                decoys = least_decoys(block, part)
                if decoys is None:
                    return None
                least += sum(decoys) * question.weight(column.name)
    return least


def other_limits(question: AttributesQuestion) -> list[tuple[Fraction, int, int]]:
    """Count the decoys that other limits take, which are the fewest."""
    if question.allowed or question.attacker.trusts_rules:
        return []
    limits = (question.limit + Fraction(step, 20) for step in STEPS)
    costs = ((limit, fewest(question, limit)) for limit in limits if 0 < limit < 1)
    return [(limit, least, least) for limit, least in costs if least is not None]


def _account(
    before: InformedTally, after: InformedTally, cells: Cells
) -> tuple[tuple[LedgerLine, ...], list[int]]:
    """Return a line for each sensitive column, and the number of exposed secrets before and after each."""
    lines, exposed = [], [before.exposed]
    for planned, protected in zip(before.columns, after.columns, strict=True):
        ended = planned.exposed - protected.exposed
        lost = len(cells.positions(planned.name))
        lines.append(
            LedgerLine(
                withheld=f"{planned.name} of others", why="by lot", removed=ended, lost=lost, unit="entries"
            )
        )
        exposed.append(exposed[-1] - ended)
    return tuple(lines), exposed


def _chosen(tally: InformedTally, groups: list[_DecoyBlock]) -> Iterator[_DecoyBlock]:
    """Choose the groups that get decoys: all, but for as many secrets as may stay exposed, those that cost most.

    Only blanks that stand alone are left: of a group with several blanks it is then certain that it is mixed.
    """
    left = tally.question.allowed
    waiting = [group for group in groups if group.may_be_left]
    waiting.sort(key=lambda group: (group.decoys is not None, -sum(group.decoys or ())))
    spared = {id(group) for group in waiting[:left]}
    without = [group for group in groups if group.decoys is None and id(group) not in spared]
    if without:
        _refuse(tally, without)
    return (group for group in groups if id(group) not in spared)


def _refuse(tally: InformedTally, without: list[_DecoyBlock]) -> None:
    question = tally.question
    secrets = sum(group.secrets for group in without)
    raise NoSafeRelease(
        f"{counted(secrets, 'secret entries', 'secret entry')} in {counted(len(without), 'groups')} cannot be hidden among "
        f"other blanks: the {nouns().records} that look the same have too few other values, or must be published. "
        f"{_named(question, without)}",
        helps=_helps(tally, without),
        proved=not question.allowed
        and not question.attacker.trusts_rules
        and question.hideable == ("sensitive of others",)
        and any(least_decoys(group.block, group.column.cap) is None for group in without),
    )


def _named(question: AttributesQuestion, without: list[_DecoyBlock]) -> str:
    names = [
        f"{group.column.name} of {nouns().record} {question.original.record(row)}"
        for group in without
        for row, place, is_judged in zip(
            group.column.peers.secrets.tolist(),
            group.column.peers.group_of_secret.tolist(),
            group.column.is_judged.tolist(),
            strict=True,
        )
        if place == group.place and is_judged
    ]
    shown = names if len(names) <= NAMED else [*names[:NAMED], f"{len(names) - NAMED:,} more"]
    return f"{'It is' if len(names) == 1 else 'They are'}: {listed(shown)}."


def _helps(tally: InformedTally, groups: list[_DecoyBlock]) -> tuple[str, ...]:
    attacker, advice = tally.question.attacker, list[str]()
    part = max(least_limit(group.block) for group in groups)
    needed = chance(part.numerator, part.denominator, attacker.odds)
    if needed < 1:
        advice.append(
            Help(
                f"The smallest limit at which they can: tolerates.attribute={ratio(needed)}.",
                {"tolerates.attribute": ratio(needed)},
            )
        )
    if attacker.cells_of == 1:
        advice.append(
            f"Or take {nouns().records} that differ a little together, if they look the same to the attacker: knows.cells_of={GROUPS_OF}."
        )
    advice.append("Or leave a column out of the release: then more records look the same.")
    if any(sum(group.block.visible) > sum(group.block.free) for group in groups):
        advice.append("Some of the entries that could be blanked must be published.")
    return tuple(advice)
