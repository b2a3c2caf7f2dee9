"""Which earlier releases are looked at together."""

import giveaway as ga
from giveaway.attacks.directory.together.views import views

ROWS = [{"age": age, "ill": ill} for age, ill in ((30, "yes"), (30, "no"), (40, "no"), (40, "yes"))]


def looked_at(tolerance: ga.Tolerance) -> set[tuple[str, ...]]:
    table = ga.Table.from_rows(ROWS, sensitive="ill")
    earlier = [ga.Earlier(ga.Release(table), name=name, linked="people") for name in "abc"]
    release = ga.Release(table, earlier=earlier)
    attacker = ga.KnowsDirectory(columns=["age"], knows_method=False)
    return {view.releases for view in views(release, attacker, tolerance) if view.linked == "people"}


def test_what_is_believed_of_people_is_judged_with_every_choice_of_releases() -> None:
    """One more release can make a belief weaker: 3/5 with each, 3/5 with all, and more with two of them."""
    singles = {("a",), ("b",), ("c",)}
    assert looked_at(ga.Tolerance(identity="1/2")) == singles | {("a", "b", "c")}
    pairs = {("a", "b"), ("a", "c"), ("b", "c")}
    assert looked_at(ga.Tolerance(attribute="1/2")) == singles | pairs | {("a", "b", "c")}
