import json

import pytest
from hypothesis import given
from tests.attacks.attributes.cases import attacker_of, figure_2, release_of, tables
from tests.oracles import attributes as oracle
from tests.oracles.attributes import Planned, Rule
from tests.sizes import sized

import giveaway as ga


def fewest(table: Planned, rule: Rule, *, by_value: bool) -> int:
    """Return how many records that show a rule must be taken from it until it is safe, one after the other."""
    showing, matching = oracle.counts(oracle.published(table), rule)
    return next(
        hidden
        for hidden in range(showing + 1)
        if not oracle.is_unsafe(
            showing - hidden, matching - (0 if by_value else hidden), table.limit, table.least
        )
    )


@sized(60)
@given(table=tables(rows=7, width=3))
def test_every_rule_of_a_secret_has_the_numbers_of_its_definition(table: Planned) -> None:
    seen, rules = oracle.published(table), oracle.attacks(table)

    graph = ga.rule_graph(release_of(table), attacker_of(table), ga.Tolerance(attribute=table.limit))

    found = {
        (
            frozenset((int(name[1:]), label) for name, label in row["condition"].items()),
            row["value"],
        ): row
        for row in graph.rules
    }
    assert found.keys() == rules.keys()
    for rule, (showing, matching) in rules.items():
        pattern, value = rule
        row = found[rule]
        assert (row["support"], row["records"]) == (showing, matching)
        assert row["unsafe"] == oracle.is_unsafe(showing, matching, table.limit, table.least)
        assert row["values_to_hide"] == fewest(table, rule, by_value=True)
        assert row["records_to_hide"] == fewest(table, rule, by_value=False)
        assert row["secrets"] == sum(
            table.records[secret][-1] == value and oracle.has(seen[secret], pattern)
            for secret in table.secrets
        )
        longer = [other for other, aim in rules if aim == value and pattern < other]
        assert row["exact_matches"] == sum(
            record[-1] == value
            and oracle.has(record, pattern)
            and not any(oracle.has(record, other) for other in longer)
            for record in seen
        )
    keys = list(found)
    assert {(keys[parent], keys[child]) for parent, child in graph.edges} == {
        (one, other)
        for one in rules
        for other in rules
        if one[1] == other[1] and other[0] < one[0] and len(one[0] - other[0]) == 1
    }


def test_the_list_of_unsafe_rules_makes_frames_and_as_much_json_as_is_asked_for() -> None:
    somebody = ga.KnowsAttributes(columns=["A", "B", "C"], knows_method=False)
    found = ga.assess(figure_2(), somebody, ga.Tolerance(attribute="0.55"))
    rules = found.findings[0].risk.figures["rules"]

    listed = json.loads(found.to_json(exposures=3))["findings"][0]["figures"]["rules"]
    everything = json.loads(found.to_json(exposures=None))["findings"][0]["figures"]["rules"]

    assert (len(rules), len(listed), len(everything)) == (9, 3, 9)
    assert listed[0]["confidence_exact"] == "5/7"
    assert pytest.importorskip("polars").DataFrame is type(rules.to_polars())
    assert rules.to_pandas()["values_to_hide"].tolist() == [rule["values_to_hide"] for rule in rules]
