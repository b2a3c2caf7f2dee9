"""When a guess of a number is close enough to be right."""

from dataclasses import dataclass
from fractions import Fraction

from giveaway.errors import ScenarioError
from giveaway.model.exact import Number, fraction
from giveaway.model.question.fields import described


@dataclass(frozen=True, init=False)
class Close:
    """A guess of a number is right for x within a part of abs(x), written "10 %", or within an amount.

    >>> Close("10 %"), Close(5).around(Fraction(50))
    (Close(part=Fraction(1, 10), amount=Fraction(0, 1)), (Fraction(45, 1), Fraction(55, 1)))
    """

    part: Fraction = described("the part of the number that a guess may miss it by", default=Fraction(0))
    amount: Fraction = described("the amount that a guess may miss it by", default=Fraction(0))

    def __init__(self, within: Number) -> None:
        text = str(within).strip()
        if text.endswith("%"):
            part, amount = fraction(text[:-1].strip(), "within") / 100, Fraction(0)
        else:
            part, amount = Fraction(0), fraction(within, "within")
        if part < 0 or amount < 0:
            raise ScenarioError(f"within = {within} must be at least 0.", field="within")
        object.__setattr__(self, "part", part)
        object.__setattr__(self, "amount", amount)

    def around(self, number: Fraction) -> tuple[Fraction, Fraction]:
        """Return the least and the largest guess that is right for a number."""
        reach = self.part * abs(number) + self.amount
        return number - reach, number + reach
