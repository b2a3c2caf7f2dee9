"""Chart data of the attack `attributes`: chances of secrets, longer rules, and other limits."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from giveaway.attacks.attributes.exposed_secrets import Exposed, SecretsTally
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.wording import counted, exact_percent
from giveaway.model.answer.bins import BINS, binned
from giveaway.model.answer.risk import Curve, HoldsUpTo, LedgerLine, Mark


def chances(question: AttributesQuestion, tally: Exposed) -> Curve:
    """Count secrets by the attacker's chance, in bins of 5 %; no rule counts as no chance."""
    ends, per_bin = binned(tally.chances.items(), question.limit)
    return Curve(
        name="chances",
        x_label="chance of inferring the entry",
        y_label="secret entries",
        x=ends,
        y=per_bin,
        says=f"{tally.exposed:,} of {counted(question.secrets, 'secret entries')} are over the limit of "
        f"{exact_percent(question.limit)}.",
        limit=float(question.limit),
    )


def strength(question: AttributesQuestion, tally: SecretsTally, holds: HoldsUpTo) -> Curve:
    """Show the share of secrets exposed as rules use more columns, from one column on."""
    most = counted(question.most_conditions, "columns")
    says = f"Rules of up to {most} expose {tally.exposed:,} of {question.secrets:,} secret entries"
    by_length = dict(enumerate(tally.by_length, 1))
    return _by_columns(question, by_length, holds, x_label="columns a rule may use", says=says)


def columns(question: AttributesQuestion, by_columns: Mapping[int, int], holds: HoldsUpTo) -> Curve:
    """Show the share of secrets exposed to somebody who looks at one column, any two, and so on: the worst choice."""
    most = len(question.attacker.columns)
    exposed = f"{by_columns[most]:,} of {question.secrets:,} secret entries"
    says = f"Looking at {counted(most, 'columns')} exposes {exposed}"
    return _by_columns(question, by_columns, holds, x_label="columns looked at", says=says)


def _by_columns(
    question: AttributesQuestion, exposed: Mapping[int, int], holds: HoldsUpTo, *, x_label: str, says: str
) -> Curve:
    total = max(question.secrets, 1)
    words = (
        "breaks with one column"
        if holds.value is None
        else f"holds up to {'all ' if holds.whole_scale else ''}{holds.value}"
    )
    return Curve(
        name="strength",
        x_label=x_label,
        y_label="share of secret entries exposed",
        x=tuple(map(float, exposed)),
        y=tuple(number / total for number in exposed.values()),
        says=f"{says}; the release {words}.",
        limit=float(question.tolerance.share),
        marks=() if holds.value is None else (Mark(x=float(holds.value), label=words),),
    )


def limits(question: AttributesQuestion, tally: Exposed) -> Curve:
    """Show how many secrets would be exposed under other limits."""
    grid = sorted({*(Fraction(step, BINS) for step in range(1, BINS + 1)), question.limit})
    least = tally.safe_limit(question.allowed)
    return Curve(
        name="limits",
        x_label="largest chance tolerated",
        y_label="secret entries exposed",
        x=tuple(map(float, grid)),
        y=tuple(float(tally.over(limit)) for limit in grid),
        says=f"At your limit of {exact_percent(question.limit)}, {tally.exposed:,} of {question.secrets:,} secret entries are "
        f"exposed; the release is safe from a limit of {exact_percent(least)} on.",
        limit=float(question.allowed),
        marks=(Mark(x=float(question.limit), label="stated"),),
    )


def kept(question: AttributesQuestion, ledger: Sequence[LedgerLine], exposed: Sequence[int]) -> Curve:
    """Show what is kept and which share of the secrets is exposed, region by region of what is hidden."""
    total, secrets = max(question.entries, 1), max(question.secrets, 1)
    left = [question.entries - question.hidden_entries]
    for line in ledger:
        left.append(left[-1] - line.lost)
    return Curve(
        name="kept",
        x_label="share of entries kept",
        y_label="share of secret entries exposed",
        x=tuple(number / total for number in left),
        y=tuple(number / secrets for number in exposed),
        says=f"Hiding {counted(left[0] - left[-1], 'entries')} keeps {left[-1]:,} of {total:,}; secret entries "
        f"exposed: {exposed[0]:,} of {question.secrets:,} before, {exposed[-1]:,} after.",
        limit=float(question.tolerance.share),
    )


def hidden(question: AttributesQuestion, costs: Sequence[tuple[Fraction, int, int]]) -> tuple[Curve, ...]:
    """Show how many entries other limits would cost, and the fewest that any safe release hides."""
    if len(costs) < 2:  # noqa: PLR2004 - one point is not a curve
        return ()
    limits, entries, own_bounds = zip(*sorted(costs), strict=True)
    # What is safe at a stricter limit is safe at a looser one.
    bounds = [max(own_bounds[place:]) for place in range(len(limits))]
    here = limits.index(question.limit)
    what, fewer = counted(entries[here], "entries are", "entry is"), "fewer"
    if question.need.weights:
        what, fewer = f"entries with a weight of {entries[here]:,} are", "a smaller weight"
    says = (
        f"At your limit of {exact_percent(question.limit)}, {what} hidden, and no safe release hides {fewer} than "
        f"{bounds[here]:,}; at {exact_percent(limits[0])} it would be {entries[0]:,}, at {exact_percent(limits[-1])} {entries[-1]:,}."
    )
    drawn = Curve(
        name="hidden",
        x_label="largest chance tolerated",
        y_label="weight of the entries hidden" if question.need.weights else "entries hidden",
        x=tuple(map(float, limits)),
        y=tuple(map(float, entries)),
        says=says,
        marks=(Mark(x=float(question.limit), label="stated"),),
    )
    fewest = Curve(
        name="lower_bounds",
        x_label=drawn.x_label,
        y_label="what any safe release hides at least",
        x=drawn.x,
        y=tuple(map(float, bounds)),
        says=f"No safe release hides {fewer} than the lower line.",
        beside="hidden",
    )
    return drawn, fewest
