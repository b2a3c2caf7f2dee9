"""Withhold the rarest items until the baskets are within the limits."""

from tests.architecture.toy_attack.attacker import KnowsSizes, SizesOptions
from tests.architecture.toy_attack.need import NeedsOccurrences
from tests.architecture.toy_limit.measure import measure

from giveaway.errors import NoSafeRelease
from giveaway.model.answer.risk import LedgerLine, Protection
from giveaway.model.answer.verdict import judge
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld


def protect(
    release: Release,
    attacker: KnowsSizes,
    tolerance: Tolerance,
    need: NeedsOccurrences | None,
    effort: Effort,
    options: SizesOptions,
) -> Protection:
    """Return the first release that is within tolerance."""
    published = release.published
    assert isinstance(published, Transactions)
    lines = []
    for support, label in sorted(zip(published.supports.tolist(), map(str, published.labels), strict=True)):
        release = release.withholding(Withheld(items=[label]))
        lines.append(LedgerLine(withheld=label, why="rarest", removed=0, lost=support, unit="occurrences"))
        if release.is_empty:
            break
        if judge(measure(release, attacker, tolerance, need, effort), tolerance)[0]:
            return Protection(release=release, ledger=tuple(lines))
    raise NoSafeRelease("Every item would have to be withheld.", helps=["Tolerate more."])
