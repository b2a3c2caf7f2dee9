"""The least risk of all rules that disclose a number of values, whatever is tolerated (the paper's argmin over Delta)."""

from dataclasses import dataclass, replace
from math import isinf
from typing import Literal

from giveaway.attacks.directory import vacuous
from giveaway.attacks.directory.attacker import DirectoryOptions, KnowsDirectory
from giveaway.attacks.directory.losses import NEAR
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.protecting.need import check_likelihood
from giveaway.attacks.directory.protecting.plan import Planner
from giveaway.attacks.directory.question import ask
from giveaway.attacks.directory.reporting.sentences import amount, counted
from giveaway.errors import ScenarioError
from giveaway.model.answer.risk import Chance
from giveaway.model.progress import limited
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

_NO_LIMIT = Tolerance(identity=1)
"""A chance is never above 1, and no limit on the risk is given."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LeastRisk:
    """A rule that discloses a number of values, and its risk; nothing is judged, because no limit was asked."""

    release: Release
    """The release with the rest withheld."""
    values: int
    """How many values it discloses."""
    risk: Chance
    """The mean loss; a record that nobody agrees with loses nothing."""
    risk_if_listed: Chance
    """The mean loss with such records counted as if they were in the directory: this is what is least."""
    lower_bound: float | None
    """No rule that discloses as many values has a smaller risk, as if listed; None where nothing is known."""

    @property
    def proved(self) -> bool:
        """Whether it is proved that no rule that discloses as many values has a smaller risk."""
        return self.lower_bound is not None and float(self.risk_if_listed) <= self.lower_bound * (1 + NEAR)

    @property
    def says(self) -> str:
        """A sentence about it, which is not a verdict."""
        size = "infinite" if isinf(self.risk_if_listed) else amount(self.risk_if_listed)
        how = (
            "no rule that discloses as many has a smaller one; that is proved"
            if self.proved
            else "it is not proved that no rule that discloses as many has a smaller one"
        )
        return (
            f"{counted(self.values, 'values')} of the columns compared or weighed carry a risk of {size}; {how}. "
            "No limit was asked, so that this is not a verdict."
        )


def least_risk(
    release: Release,
    attacker: KnowsDirectory,
    need: NeedsColumns,
    *,
    method: Literal["least", "minrisk"] = "least",
    effort: Effort | None = None,
) -> LeastRisk:
    """Return, of all rules that disclose exactly the number of values that is needed, the least risky one.

    The number is of each record, of each column, or of all values (Delta2, Delta3, Delta1). With several directories the
    risk is that by their prior (Bayes), or that in the worst one (minimax). `minrisk` is the paper's algorithm instead,
    which takes columns for independent. To judge and to publish such a release, ask `assess` or `protect` with a limit.

    >>> import giveaway as ga
    >>> rows = [{"job": "cook", "town": "A"}, {"job": "cook", "town": "B"}, {"job": "judge", "town": "B"}]
    >>> somebody = ga.KnowsDirectory(knows_method=False)
    >>> best = ga.least_risk(ga.Release(ga.Table.from_rows(rows)), somebody, ga.NeedsColumns(per_record=1))
    >>> best.risk, best.proved, sorted(best.release.withheld.cells)
    (Fraction(1, 2), True, [(1, 'town'), (2, 'town'), (3, 'job')])
    """
    effort = effort or Effort()
    for value, kind in ((release, Release), (attacker, KnowsDirectory), (need, NeedsColumns)):
        if not isinstance(value, kind):
            raise ScenarioError(f"A {type(value).__name__} is not a {kind.__name__}.")
    if attacker.knows_method:
        raise ScenarioError(
            "The least risk is that of somebody who does not know how values are chosen.",
            hint="set knows_method = false; for whoever knows the method, ask protect for crowds.",
        )
    unfit = {
        "at_most": attacker.at_most is not None,
        "hierarchies": bool(release.hierarchies),
    }
    field = next((name for name, there in unfit.items() if there), None)
    if field is not None:
        raise ScenarioError(
            f"The least risk is that of values shown or not to somebody who knows all columns, and {field} is given.",
            hint=f"leave {field} out.",
        )
    if need.per_record is need.total is need.per_column is None:
        raise ScenarioError(
            "The least risk is that of a number of values.", exists="per_record, total, per_column"
        )
    with limited(seconds=effort.seconds):
        vacuous.refuse(release, attacker, _NO_LIMIT)
        question, options = ask(release, attacker), DirectoryOptions(method=method)
        check_likelihood(question, options)
        planned = Planner(
            question=question,
            tolerance=_NO_LIMIT,
            need=replace(need, fill=False),
            options=options,
            thorough=effort.exact,
        ).plan_without_limits()
        after = ask(planned.release, attacker)
        tally = judged(after, _NO_LIMIT)
        return LeastRisk(
            release=planned.release,
            values=after.disclosed,
            risk=tally.risk,
            risk_if_listed=tally.risk_if_listed,
            lower_bound=planned.chosen.least,
        )
