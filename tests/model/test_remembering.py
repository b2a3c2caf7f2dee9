"""Data keep the latest result of each name."""

from dataclasses import replace

import giveaway as ga


def test_the_latest_result_is_kept_for_the_same_question_and_lost_with_the_data() -> None:
    data = ga.Transactions.from_lists([["a"], ["a", "b"]])
    worked: list[int] = []

    def work() -> int:
        worked.append(len(worked))
        return worked[-1]

    assert [data.remember("x", given, work) for given in (1, 1, 2, 2, 1)] == [0, 0, 1, 1, 2]
    assert data.remember("y", 1, work) == 3
    assert replace(data).remember("x", 1, work) == 4
