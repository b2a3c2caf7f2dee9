"""What `giveaway explore` shows of the attack `attributes`: the R-graph, and what hiding would cost."""

from typing import Any

from giveaway.papers.paper import Explorer


def graph(release: Any, attacker: Any, tolerance: Any, _: Any, **options: Any) -> dict[str, Any]:
    """Return every rule of the secrets, and which is part of which."""
    from giveaway.papers.attributes.rule_graph import rule_graph

    of_rules = rule_graph(release, attacker, tolerance, **options)
    unsafe = sum(bool(rule["unsafe"]) for rule in of_rules.rules)
    return {
        "says": f"{len(of_rules.rules):,} rules, {unsafe:,} of them unsafe, and {len(of_rules.edges):,} edges.",
        "rules": list(of_rules.rules),
        "edges": list(of_rules.edges),
    }


def rates(release: Any, attacker: Any, tolerance: Any, need: Any, **options: Any) -> dict[str, Any]:
    """Return what hiding would cost when one thing is varied."""
    from giveaway.papers.attributes.removal_rates import removal_rates

    rows = list(removal_rates(release, attacker, tolerance, need=need, **options))
    return {"says": f"What hiding costs, {len(rows):,} times.", "rates": rows}


EXPLORES = {
    "r-graph": Explorer(
        says="every rule that a secret can be attacked with, safe or not, and which is part of which",
        finds=graph,
        options={"only_unsafe": "leaves safe rules out", "at_most": "how many rules at most"},
        judged=True,
    ),
    "removal-rates": Explorer(
        says="what hiding would cost at other limits, or with other numbers of secrets or columns",
        finds=rates,
        options={
            "limits": "limits, as in 0.3,0.5",
            "secrets": "numbers of secrets",
            "conditions": "numbers of columns",
            "draws": "draws of secrets",
            "seed": "makes runs repeat",
            "method": "auto, cover, r-graph or cr",
            "heuristic": "how the R-graph chooses",
        },
        lists=frozenset({"limits", "secrets", "conditions"}),
        judged=True,
    ),
}
