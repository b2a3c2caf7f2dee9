"""The safety stop of the search for fewer entries is told."""

import numpy as np
import pytest
from tests.oracles import attributes as oracle

import giveaway as ga
from giveaway.attacks.attributes.hiding import best_of_all
from giveaway.attacks.attributes.protecting import plan


def test_a_search_that_time_ended_says_so() -> None:
    rng = np.random.default_rng(3)
    regions = ga.NeedsCells(hideable="f").hideable
    drawn = [oracle.drawn(rng, rows=20, width=4, regions=regions, marked=0.15) for _ in range(40)]
    tables = [oracle.encoded(table)[0] for table in drawn]
    plans = [(best_of_all.protect(table, seconds=0.0), best_of_all.protect(table)) for table in tables]

    assert any(first.stopped for first, _ in plans)
    assert not any(first.stopped and first.settled for first, _ in plans)
    assert not any(second.stopped for _, second in plans)


def test_the_answer_tells_that_the_search_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"a": a, "b": b, "ill": ill}
        for a, b, ill in [
            ("x", "p", "yes"),
            ("x", "q", "yes"),
            ("x", "p", "yes"),
            ("y", "p", "no"),
            ("y", "p", "yes"),
        ]
    ]
    release = ga.Release(ga.Table.from_rows(rows, sensitive="ill"), secrets=[1])
    words = (
        release,
        ga.KnowsAttributes(columns=["a", "b"], knows_method=False),
        ga.Tolerance(attribute="1/2"),
    )
    assert "was stopped" not in ga.protect(*words).to_dict()["findings"][0]["how"]["detail"]

    honest = plan._plan
    monkeypatch.setattr(plan, "_plan", lambda *given: plan.replace(honest(*given), stopped=True))
    assert "was stopped by its time limit" in ga.protect(*words).to_dict()["findings"][0]["how"]["detail"]
