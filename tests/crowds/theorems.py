"""What theorems 1, 2 and 3 say of a plan as a whole, as the tests look at it."""

from fractions import Fraction

from giveaway.crowds.lists import lower_end
from giveaway.crowds.split import ProfileValuePairs, Split, ValuesHeld, Views
from giveaway.model.data.arrays import Ints


def guarantee(split: Split) -> Fraction:
    """Return what no chance of a row to be somebody's exceeds, whatever is known of profiles (theorem 1)."""
    return Fraction(1, max(split.smallest_crowd, 1))


def below(split: Split, crowd: int) -> int:
    """Return how many rows have a form that fewer than `crowd` rows have."""
    return int(split.crowds[split.crowds < crowd].sum())


def chances_of(split: Split) -> list[Fraction]:
    """Return for each line the chance that a row of the form is a certain member of the profile (theorem 1)."""
    lines = zip(split.members, split.sizes[split.profile], split.crowds[split.form], strict=True)
    return [Fraction(int(members), int(size) * int(crowd)) for members, size, crowd in lines]


def worst_chance(split: Split) -> Fraction:
    """Return the largest of the chances; 0 without rows."""
    return max(chances_of(split), default=Fraction(0))


def mean_chance(split: Split) -> Fraction:
    """Return the mean over rows of the chance to be taken for the right person; at most forms / rows, 0 without rows."""
    pairs = zip(split.members, chances_of(split), strict=True)
    right = sum((int(members) * chance for members, chance in pairs), Fraction(0))
    return right / max(int(split.members.sum()), 1)


def views(split: Split, held: ValuesHeld) -> Views:
    """Return what is learnt of the value of a member of each profile (theorem 2)."""
    return ProfileValuePairs(split, held).largest()


def worst(views: Views) -> Fraction:
    """Return the largest chance of all."""
    return max(views.chances, default=Fraction(0))


def people_over(views: Views, limit: Fraction, sizes: Ints) -> int:
    """Return how many people somebody is surer of than the limit allows."""
    return sum(int(size) for chance, size in zip(views.chances, sizes, strict=True) if chance > limit)


def informed_chance(view: Fraction, failed: int, draws: int) -> Fraction:
    """Return what a chance is at most for somebody who knows that all earlier plans have failed (theorem 3).

    It is 1 where that may be arbitrarily unlikely.
    """
    least = lower_end(failed, draws)
    return min(Fraction(1), view / least) if least else Fraction(1)
