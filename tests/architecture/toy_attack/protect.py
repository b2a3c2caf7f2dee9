"""Withhold items, the rarest first, until no size is too rare."""

from tests.architecture.toy_attack.attacker import KnowsSizes, SizesOptions
from tests.architecture.toy_attack.measure import measure
from tests.architecture.toy_attack.need import NeedsOccurrences

from giveaway.errors import NoSafeRelease
from giveaway.model.answer.risk import Curve, LedgerLine, Protection
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
    order = sorted(zip(published.supports.tolist(), map(str, published.labels), strict=True))
    if options.first == "commonest":
        order.reverse()
    lines, left = [], published.occurrences
    kept, shares = [1.0], [float(measure(release, attacker, tolerance, need, effort).share or 0)]
    for support, label in order:
        release = release.withholding(Withheld(items=[label]))
        left -= support
        lines.append(LedgerLine(withheld=label, why="rarest", removed=0, lost=support, unit="occurrences"))
        if release.is_empty or (need is not None and left < need.least):
            break
        risk = measure(release, attacker, tolerance, need, effort)
        kept.append(left / published.occurrences)
        shares.append(float(risk.share or 0))
        if judge(risk, tolerance)[0]:
            path = Curve(name="kept", x_label="occurrences kept", y_label="share exposed", x=tuple(kept), y=tuple(shares), says="The path.", limit=0.0)  # fmt: skip
            return Protection(
                release=release, curves=(path,), ledger=tuple(lines), figures={"tried": len(lines)}
            )
    raise NoSafeRelease("Every item would have to be withheld.", helps=["Tolerate more."])
