"""The rule with the least risk in the worst of several directories (minimax): a number of values of each record.

Unlike a prior, the worst case ties the records together: what is good against one directory for one record may make up
for what is bad against it for another. No rule does better than the best one against any single directory. When a
best one against one directory is not worse against the others, as when that directory is the least in the order of
Definition 8 and holds the records, it is the answer. Otherwise an integer program chooses among the disclosures that
are not worse than another of the same record in all directories.

Lebanon et al., equation (3).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.best import Case, best
from giveaway.attacks.directory.disclosure.per_record.all_subsets import MOST, losses_of_all
from giveaway.attacks.directory.disclosure.problem import Floats, Masks
from giveaway.linear_programs import OPTIMAL, whole
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

_MOST_CHOICES = 20_000
_NODES = 2000
_SECONDS = 30.0
"""A safety stop; the number of nodes ends a search first, so that runs repeat."""
_SCALE = 1000.0
"""The worst risk known, as it is put to the solver, whose tolerances are absolute."""
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Minimax:
    """A rule: what each record discloses."""

    masks: Masks
    risk: float
    """The mean loss in the worst directory."""
    bound: float
    """No rule has a smaller risk in its worst directory."""
    proved: bool
    """The rule is the best."""


def minimax(cases: Sequence[Case], *, per_record: int | Ints, least: int | None = None) -> Minimax | None:
    """Return the best rule found with this many values of each record, None when a record has no such disclosure.

    `per_record` is one number or a number for each record. `least` names a directory whose best rule is believed to be
    the answer, so that it is tried alone first. Priors take no part. A case that stands for several records is
    best given as one object several times.
    """
    lots = _lots(cases, np.broadcast_to(np.asarray(per_record, np.int64), (len(cases),)))
    directories = range(len(cases[0].signatures)) if cases else range(0)
    best: _MinimaxRule | None = None
    for tried in ([least], directories) if least is not None else (directories,):
        best = _best_against_one(lots, tried)
        if best is None or best.proved:
            break
    if best is not None and not best.proved and all(lot.open <= MOST for lot in lots):
        best = _by_program(lots, best)
    return None if best is None else _spread(lots, best, len(cases))


class _Lot(NamedTuple):
    """Records of one case, and how many values each discloses."""

    case: Case
    size: int
    records: list[int]

    @property
    def open(self) -> int:
        return (self.case.available & ~self.case.always).bit_count()

    def losses(self, mask: int) -> Floats:
        """Return the loss of a disclosure in each directory."""
        losses, wrong = np.zeros(len(self.case.signatures)), float(self.case.wrong)
        for directory, signature in enumerate(self.case.signatures):
            inside = (signature.masks & np.uint64(mask)) == np.uint64(mask)
            lost = wrong + (1 - wrong) / max(int(signature.counts[inside].sum()), 1)
            losses[directory] = self.case.weights.phi(mask) * lost
        return losses


class _MinimaxRule(NamedTuple):
    """For each lot the disclosures of its records, one after the other; risks are sums here."""

    masks: list[list[int]]
    risk: float
    bound: float
    proved: bool


def _lots(cases: Sequence[Case], sizes: Ints) -> list[_Lot]:
    lots: dict[tuple[int, int], _Lot] = {}
    for record, (case, size) in enumerate(zip(cases, sizes.tolist(), strict=True)):
        lots.setdefault((id(case), size), _Lot(case, size, [])).records.append(record)
    return list(lots.values())


def _spread(lots: Sequence[_Lot], rule: _MinimaxRule, records: int) -> Minimax:
    masks = np.zeros(records, np.uint64)
    for lot, chosen in zip(lots, rule.masks, strict=True):
        masks[lot.records] = np.array(chosen, np.uint64)
    many = max(records, 1)
    return Minimax(masks, rule.risk / many, rule.bound / many, rule.proved)


def _judged(
    lots: Sequence[_Lot], masks: list[list[int]], bound: float, *, proved: bool = False
) -> _MinimaxRule:
    """Return a rule with its risk in the worst directory; it is the best when that is the bound."""
    total: Any = 0.0
    for lot, chosen in zip(lots, masks, strict=True):
        for mask in sorted(set(chosen)):
            total = total + chosen.count(mask) * lot.losses(mask)
    risk = float(np.max(total, initial=0.0))
    proved |= risk <= bound * (1 + _ROUNDING)
    return _MinimaxRule(masks, risk, risk if proved else bound, proved)


def _against(case: Case, directory: int) -> Case:
    """Return the case with the chance in one directory only, while all must leave a crowd."""
    parts = tuple(Fraction(place == directory) for place in range(len(case.signatures)))
    return replace(case, prior=None, mixture=parts)


def _best_against_one(lots: Sequence[_Lot], directories: Sequence[int]) -> _MinimaxRule | None:
    """Return the rule with the least worst risk of those that are best against one directory."""
    rules, bound = [], 0.0
    for directory in directories:
        masks, lost = [], 0.0
        for done, lot in enumerate(lots):
            tell("choosing against each directory", done, len(lots))
            one = best(_against(lot.case, directory), sizes=range(lot.size, lot.size + 1))
            if np.isnan(one.losses[lot.size]):
                return None
            masks.append([int(one.masks[lot.size])] * len(lot.records))
            if one.proved[lot.size]:
                lost += len(lot.records) * float(one.losses[lot.size])
        rules.append(masks)
        bound = max(bound, lost)
    judged = [_judged(lots, masks, bound) for masks in rules or [[]]]
    return min(judged, key=lambda rule: rule.risk)


class _Choices(NamedTuple):
    """Disclosures of all lots that may be in the best rule, with the loss of each in every directory."""

    lot: Ints
    masks: Masks
    losses: Floats


def _by_program(lots: Sequence[_Lot], known: _MinimaxRule) -> _MinimaxRule:
    """Choose among all disclosures that are not worse than others in all directories; keep the rule known if better."""
    choices = _choices(lots, known.risk)
    if choices is None:
        return known
    many = np.array([len(lot.records) for lot in lots], np.int64)
    if known.risk == inf and len(np.unique(choices.lot)) < len(lots):
        return _MinimaxRule(known.masks, inf, inf, proved=True)
    unit = (known.risk if known.risk < inf else float(choices.losses.sum())) / _SCALE
    answer = _solved(choices, many, unit or 1.0)
    if answer.x is None:
        return known
    optimal = answer.status == OPTIMAL
    bound = max(known.bound, float(answer.mip_dual_bound or 0.0) * unit)
    times = np.rint(answer.x[:-1]).astype(np.int64)
    masks: list[list[int]] = [[] for _ in lots]
    for at in np.flatnonzero(times):
        masks[choices.lot[at]] += [int(choices.masks[at])] * int(times[at])
    rule = _judged(lots, masks, bound, proved=optimal)
    if rule.risk <= known.risk:
        return rule
    return known._replace(bound=known.risk, proved=True) if optimal else known._replace(bound=bound)


def _choices(lots: Sequence[_Lot], risk: float) -> _Choices | None:
    """Return what may be in a rule with a risk of at most this, None when it is too much for a program."""
    parts: list[tuple[Masks, Floats]] = []
    for done, lot in enumerate(lots):
        tell("comparing disclosures in all directories", done, len(lots))
        posed = lot.case.posed()
        sets = np.flatnonzero(np.bitwise_count(np.arange(1 << lot.open)) == lot.size - posed.forced)
        directories = range(len(lot.case.signatures))
        losses = np.stack(
            [losses_of_all(_against(lot.case, place).posed())[sets] for place in directories], axis=1
        )
        fits = (np.isfinite(losses) & (losses <= risk)).all(axis=1)
        kept = np.flatnonzero(fits)[_undominated(losses[fits])]
        parts.append((posed.spread(sets[kept]), losses[kept]))
        if sum(len(masks) for masks, _ in parts) > _MOST_CHOICES:
            return None
    return _Choices(
        np.repeat(np.arange(len(lots)), [len(masks) for masks, _ in parts]),
        np.concatenate([masks for masks, _ in parts]),
        np.concatenate([losses for _, losses in parts]),
    )


def _undominated(losses: Floats) -> Ints:
    """Return the lines that no other line is at most as large as everywhere; of equal lines the first."""
    return np.array(sorted(_fronts(losses)), np.int64)


def _fronts(losses: Floats) -> Iterator[int]:
    left: NDArray[np.int64] = np.argsort(losses.sum(axis=1), kind="stable")
    while len(left):
        first = left[0]
        yield int(first)
        left = left[(losses[left] < losses[first]).any(axis=1)]


def _solved(choices: _Choices, many: Ints, unit: float) -> Any:
    """Take as many disclosures of each lot as it has records, so that the largest sum of losses is least."""
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.sparse import csr_array, hstack

    count, directories = choices.losses.shape
    one_each = csr_array((np.ones(count), (choices.lot, np.arange(count))), shape=(len(many), count + 1))
    worst = hstack([csr_array(choices.losses.T / unit), csr_array(-np.ones((directories, 1)))])
    return whole(
        "choosing against the worst directory",
        np.append(np.zeros(count), 1.0),
        integrality=np.append(np.ones(count), 0.0),
        bounds=Bounds(0, np.append(many[choices.lot], np.inf)),
        constraints=[LinearConstraint(one_each, many, many), LinearConstraint(worst, -np.inf, 0.0)],
        nodes=_NODES,
        seconds=_SECONDS,
    )
