"""What `giveaway explore` shows of the attack `directory`: the least risky rule."""

from typing import Any

from giveaway.errors import ScenarioError
from giveaway.papers.paper import Explorer


def least(release: Any, attacker: Any, _: Any, need: Any, *, method: Any = "least") -> dict[str, Any]:
    """Return, of all rules that disclose a number of values, the least risky one."""
    from giveaway.papers.directory.least_risk import least_risk

    if need is None:
        raise ScenarioError(
            "Nothing says how many values are disclosed.", hint="--set needs.columns={per_record=2}."
        )
    rule = least_risk(release, attacker, need, method=method)
    return {
        "says": rule.says,
        "values": rule.values,
        "risk": rule.risk,
        "risk_if_listed": rule.risk_if_listed,
        "lower_bound": rule.lower_bound,
        "proved": rule.proved,
        "withheld": list(rule.release.withheld.cells),
    }


EXPLORES = {
    "least-risk": Explorer(
        says="the least risky rule that discloses a number of values, without a limit",
        finds=least,
        options={"method": "least, or minrisk"},
    )
}
