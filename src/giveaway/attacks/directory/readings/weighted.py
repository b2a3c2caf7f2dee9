"""What is estimated of a population by the weights of a survey: how many people each row stands for."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from giveaway.attacks.directory.readings.shares import blocks
from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.table import Table
from giveaway.model.exact import fraction


@dataclass(frozen=True, kw_only=True)
class WeightedReadings:
    """Estimates: whoever knows that somebody is in the sample ignores weights, and chances are judged without them."""

    weight: str
    estimated_people: Fraction
    """The sum of all weights."""
    estimated_k_map: Fraction
    """The least sum of the weights of a block: sdcMicro's Fk."""
    estimated_journalist: Fraction
    """The mean over the rows of one in this sum, or certainty where it is below one."""
    estimated_alpha: Fraction | None
    """The largest share of a sensitive value in a block, by weights; none without a sensitive column."""


def weighted_readings(
    table: Table, columns: Sequence[str], weight: str, sensitive: str | None
) -> WeightedReadings:
    """Add up the weights of each block, and of each sensitive value in it."""
    each = _weights(table, weight)
    block = blocks([table.columns[name] for name in columns], len(table.weights)).tolist()
    values = [-1] * len(block) if sensitive is None else table.columns[sensitive].tolist()
    people: dict[int, Fraction] = {}
    rows: dict[int, int] = {}
    with_value: dict[tuple[int, int], Fraction] = {}
    for at, value, code, count in zip(
        block, values, table.columns[weight].tolist(), table.weights.tolist(), strict=True
    ):
        people[at] = people.get(at, Fraction(0)) + count * each[code]
        rows[at] = rows.get(at, 0) + count
        if value >= 0:
            with_value[at, value] = with_value.get((at, value), Fraction(0)) + count * each[code]
    shown: dict[int, Fraction] = {}
    for (at, _), total in with_value.items():
        shown[at] = shown.get(at, Fraction(0)) + total
    chances = (many / max(people[at], Fraction(1)) for at, many in rows.items())
    return WeightedReadings(
        weight=weight,
        estimated_people=sum(people.values(), Fraction(0)),
        estimated_k_map=min(people.values()),
        estimated_journalist=sum(chances, Fraction(0)) / sum(rows.values()),
        estimated_alpha=max((total / shown[at] for (at, _), total in with_value.items()), default=None),
    )


def _weights(table: Table, weight: str) -> list[Fraction]:
    """Return the number that each label of the column stands for; refuse what is not a weight."""
    if (table.columns[weight] < 0).any():
        raise DataError(f"Some rows have no weight in {weight}.", hint="every row stands for somebody.")
    try:
        each = [fraction(str(label)) for label in table.labels[weight]]
    except ScenarioError as error:
        raise DataError(
            f"{weight} holds something that is not a number.", hint="every row needs a number above 0."
        ) from error
    if any(one <= 0 for one in each):
        raise DataError(f"{weight} holds a weight of 0 or less.", hint="a row stands for somebody.")
    return each
