"""What a report shows of the attack `items`: the worst combinations, how many there are, and how far the limits hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.attacks.items.evidence import Evidence
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.question import ItemsQuestion, needed
from giveaway.attacks.items.reporting import curves, lists, sentences
from giveaway.attacks.items.reporting.exposures import MoleExposures
from giveaway.attacks.items.reporting.lists import AccurateRule
from giveaway.attacks.items.reporting.worst_cases import WorstItemsets, extremes
from giveaway.attacks.wording import counted
from giveaway.errors import BudgetExceeded
from giveaway.itemsets.ranked import Flags, rank
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, Details, Exposure, HoldsUpTo, How, Level, Listing, Step
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.release import Release
from giveaway.moles import worst_breach
from giveaway.moles.from_counts import LARGEST, CountedItems, CountedMoles
from giveaway.moles.search import Moles

_BUDGET = 5_000_000_000


@dataclass(frozen=True, kw_only=True)
class WithheldKnown:
    """The largest chance of each kind that is judged, over combinations with a withheld item; 1 where it was not found."""

    identity: Fraction | None
    attribute: Fraction | None
    over: bool
    """Whether one of them is above its limit."""

    @property
    def worst(self) -> Fraction:
        """The larger of the two."""
        return max(self.identity or Fraction(0), self.attribute or Fraction(0))


def withheld_known(release: Release, question: ItemsQuestion) -> WithheldKnown | None:
    """Find the worst of somebody who knows withheld items or those behind categories; None where all have their names.

    Rows are published as they are, so that nothing is learnt of published labels from which others are withheld. Where a
    withheld item was, or which item stands behind a category, can be guessed from the choice.
    """
    original, tolerance = release.original, question.tolerance
    if not isinstance(original, Transactions):
        return None
    hidden = [original.code_of[item] for item in (*release.withheld.items, *release.categories)]
    gone = np.isin(np.arange(len(original.labels)), hidden)
    gone &= ~original.is_private & (original.supports > 0)
    if not gone.any():
        return None
    identity, attribute = _worst(original, gone, question.at_most)
    return WithheldKnown(
        identity=None if tolerance.identity is None else identity,
        attribute=None if tolerance.attribute is None else attribute,
        over=(tolerance.identity is not None and identity > tolerance.identity)
        or (tolerance.attribute is not None and attribute > tolerance.attribute),
    )


def _worst(original: Transactions, gone: Flags, at_most: int) -> tuple[Fraction, Fraction]:
    """Return the largest chance of singling out and of a private item; 1 is what it cannot exceed."""
    counting = original.counting
    try:
        if counting is not None and at_most <= LARGEST:
            return CountedItems(original, counting).worst_with(gone, at_most)
        ranked, first = rank(original, first=gone), int(gone.sum())
        rarest, telling = (
            worst_breach.worst_of_first(ranked, first, at_most, secrets=secrets, budget=_BUDGET)
            for secrets in (False, True)
        )
    except BudgetExceeded:
        return Fraction(1), Fraction(1)
    return (
        Fraction(0) if rarest is None else Fraction(1, rarest.support),
        Fraction(0) if telling is None else telling.breach,
    )


FURTHER = 3
"""How many items beyond the attacker's the search for the breaking point goes."""

FURTHER_BUDGET = 2_000_000_000


class ItemsDetails(Details):
    """The combinations behind a verdict."""

    def __init__(
        self,
        release: Release,
        question: ItemsQuestion,
        seen: Evidence,
        need: NeedsItemsets | None,
        *,
        knows_method: bool,
        strength: int | None = None,
    ) -> None:
        self._release, self._question, self._seen, self._need = release, question, seen, need
        self._knows_method, self._furthest = knows_method, strength or 0

    @cached_property
    def _extremes(self) -> WorstItemsets:
        return extremes(self._question, self._seen)

    @cached_property
    def _strength(self) -> tuple[list[int], HoldsUpTo, str]:
        return _strength(self._question, self._seen, self._furthest)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The worst chances next to their limits; where they were not found, 1 is what they cannot exceed."""
        question, worst = self._question, self._extremes
        tolerance, levels = question.tolerance, []
        if tolerance.identity is not None:
            chance = Fraction(1, worst.smallest_support or 1)
            alone = Fraction(1, question.transactions)
            levels.append(Level(kind="identity", worst=chance, limit=tolerance.identity, baseline=alone))
        if tolerance.attribute is not None:
            chance = Fraction(1) if worst.breach is None else worst.breach
            levels.append(
                Level(kind="attribute", worst=chance, limit=tolerance.attribute, baseline=question.baseline)
            )
        return tuple(levels)

    @cached_property
    def how(self) -> How:
        """What was searched."""
        _, _, unjudged = self._strength
        text = _detail(self._question, self._seen.moles, self._extremes)
        return How(method="exact", detail=text + unjudged)

    @cached_property
    def _exposures(self) -> MoleExposures:
        return MoleExposures(self._question, self._seen.moles, self._extremes)

    @cached_property
    def exposures(self) -> Sequence[Exposure]:
        """The worst combination of each kind, then the minimal moles."""
        return self._exposures

    @cached_property
    def over(self) -> int:
        """How many exposures are above their limit."""
        return self._exposures.over

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The numbers that the contract names."""
        question, moles, worst = self._question, self._seen.moles, self._extremes
        figures = {
            "transactions": question.transactions,
            "items": int((question.published.supports > 0).sum()),
            "private_items": len(question.private),
            "moles": worst.moles,
            "minimal_moles": len(moles.harmful.item),
            "exposed_transactions": moles.exposed(question.at_most),
            "smallest_support": worst.smallest_support,
            "worst_breach": worst.breach,
            "breaking_point": self.holds_up_to.value,
        }
        if self._withheld_known is not None:
            figures["withheld_known_worst"] = self._withheld_known.worst
        if "nuggets" in self.kept:
            figures["nuggets"] = self.kept["nuggets"]
            if self._release.withheld:
                figures["nuggets_kept"] = self.kept["nuggets"]
        coarser = self._coarser if self._release.categories else {}
        return figures | coarser | self._accurate_rules

    @property
    def _coarser(self) -> dict[str, int]:
        """Count the categories that are published, the items behind them, and the itemsets that have one."""
        shown, need = self._question.published, self._need
        labels = set(self._release.categories.values())
        counted = {
            "items_coarser": len(self._release.categories),
            "categories": len(labels),
            "category_occurrences": int(shown.supports[[shown.code_of[label] for label in labels]].sum()),
        }
        if need is None:
            return counted
        return counted | {"nuggets_coarser": needed(shown, need).total - self.kept["nuggets"]}

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """How many items may be known."""
        _, holds, _ = self._strength
        return holds

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The chances of combinations, and the exposure as more is known."""
        exposed, holds, _ = self._strength
        exposed = [*exposed, *_beyond(self._seen, len(exposed), self._furthest)]
        worst = self._extremes
        chances = (
            () if worst.given_up else (curves.chances(self._question, self._seen.moles, worst.supports),)
        )
        return (*chances, curves.strength(self._question, exposed, holds))

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """How each known item narrows the crowd."""
        return self._exposures.worked()

    @cached_property
    def kept(self) -> dict[str, int]:
        """What the release keeps of item occurrences, and of what the reader needs."""
        original, need = self._release.original, self._need
        if not isinstance(original, Transactions):
            return {}
        own = _own_names(self._release)
        kept = {"item_occurrences": own.occurrences, "item_occurrences_total": original.occurrences}
        if need is None:
            return kept
        now, total = (needed(data, need).total for data in (own, original))
        return kept | {"nuggets": now, "nuggets_total": total}

    @property
    def _infers(self) -> bool:
        """Whether inferring a private item is limited, and one occurs."""
        return self._question.tolerance.attribute is not None and len(self._question.private) > 0

    def _accurate_in(self, transactions: Transactions) -> list[AccurateRule] | None:
        """List the accurate rules of transactions; None where nobody asks for them or the nuggets are too many."""
        question, need = self._question, self._need
        if need is None or not self._infers:
            return None
        return lists.accurate_rules(transactions, need, question.at_most, question.limit)

    @cached_property
    def _accurate(self) -> list[AccurateRule] | None:
        return self._accurate_in(_own_names(self._release))

    @property
    def _accurate_rules(self) -> dict[str, int | None]:
        """Count accurate rules, once something is withheld those of the original too."""
        original = self._release.original
        if self._need is None or not self._infers:
            return {}
        counted = {"accurate_rules": self._accurate}
        if self._release.withheld and isinstance(original, Transactions):
            counted["accurate_rules_total"] = self._accurate_in(original)
        return {name: None if rules is None else len(rules) for name, rules in counted.items()}

    @cached_property
    def lists(self) -> Mapping[str, Listing]:
        """The moles, the nuggets kept and lost, and the accurate rules that stay usable."""
        question, original, need = self._question, self._release.original, self._need
        listings = {}
        counted = isinstance(
            self._seen.moles, CountedMoles
        )  # an engine has the rows that would name them all
        if not counted and len(self._seen.moles.harmful.item):
            listings["moles"] = lists.mole_listing(question.published, self._seen.moles, self._extremes.moles)
        if need is not None and isinstance(original, Transactions):
            kept, total = self.kept["nuggets"], self.kept["nuggets_total"]
            own = _own_names(self._release)
            listings |= lists.nugget_listings(original, own, need, (total - kept, kept))
        if self._accurate:
            listings["accurate_rules"] = lists.rule_listing(_own_names(self._release), self._accurate)
        return {name: listing for name, listing in listings.items() if listing.rows}

    @cached_property
    def _withheld_known(self) -> WithheldKnown | None:
        return withheld_known(self._release, self._question) if self._knows_method else None

    @cached_property
    def against(self) -> str | None:
        """Whom the verdict is about once the choice may tell more of withheld items than is tolerated."""
        if self._withheld_known is None or not self._withheld_known.over:
            return None
        return nouns().told(sentences.AGAINST_LABELS if self._release.categories else sentences.AGAINST)

    @cached_property
    def warning(self) -> str | None:
        """Somebody who knows withheld items too."""
        if not self.against:
            return None
        return nouns().told(sentences.WARNING_OF_LABELS if self._release.categories else sentences.WARNING)


def _beyond(seen: Evidence, known: int, furthest: int) -> Iterator[int]:
    """Count the exposed transactions for more items known, as far as that is asked for and the work allows."""
    for more in range(known + 1, min(furthest, max(seen.longest, 1)) + 1):
        try:
            yield seen.exposed(more, budget=FURTHER_BUDGET)
        except BudgetExceeded:
            return


def _strength(question: ItemsQuestion, seen: Evidence, furthest: int) -> tuple[list[int], HoldsUpTo, str]:
    """Count the exposed transactions for one item known, two, and so on; go beyond the attacker while it holds.

    It goes to `furthest` at least, unless the release breaks before. Where that was given up, the last part says why.
    """
    longest, furthest = max(seen.longest, 1), max(question.at_most + FURTHER, furthest)
    exposed = [seen.moles.exposed(known) for known in range(1, min(question.at_most, longest) + 1)]
    allowed = question.tolerance.share * question.transactions
    broken = next((known for known, count in enumerate(exposed, 1) if count > allowed), None)
    while broken is None and len(exposed) < min(furthest, longest):
        known = len(exposed) + 1
        try:
            exposed.append(seen.exposed(known, budget=FURTHER_BUDGET))
        except BudgetExceeded as error:
            text = f" Somebody who knows {known} {nouns().items} was not judged. {error.fact}"
            return exposed, HoldsUpTo(value=len(exposed), unit="items", at_least=True), text
        broken = known if exposed[-1] > allowed else None
    if broken is None:
        # Nobody knows more of a transaction than all of its items.
        whole = len(exposed) == longest
        return exposed, HoldsUpTo(value=furthest, unit="items", at_least=True, whole_scale=whole), ""
    return exposed, HoldsUpTo(value=broken - 1 or None, unit="items"), ""


def _own_names(release: Release) -> Transactions:
    own = release.own_names
    assert isinstance(own, Transactions)  # noqa: S101 # the attack is on transactions
    return own


def _detail(question: ItemsQuestion, moles: Moles, worst: WorstItemsets) -> str:
    """Say what was searched and what is counted, without the paper's words."""
    free, minimal = len(moles.free.item), len(moles.harmful.item)
    judged = f"Every combination of up to {counted(question.at_most, 'items')} was judged."
    if not minimal:
        return f"{judged} None of the {free:,} is over your limits."
    if worst.moles is None:
        text = (
            f"{minimal:,} are over your limits and as small as can be; those that only add {nouns().items} to one of them were too "
            "many to count."
        )
    else:
        more = worst.moles - minimal
        adding = (
            f", {minimal:,} of them as small as can be; the other {more:,} only {'adds' if more == 1 else 'add'} {nouns().items} to "
            "one of these"
            if more
            else ""
        )
        text = f"{worst.moles:,} of {worst.moles + free:,} are over your limits{adding}."
    if worst.given_up or (worst.breach is None and question.tolerance.attribute is not None):
        text += " 100 % is shown where the worst chance was not found."
    return f"{judged} {text}"
