"""Judge the attack `directory` with earlier releases at hand: rows joined, people in all of them, who joined and who left."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from giveaway.checker.attacks.directory import people_in_both
from giveaway.checker.attacks.directory.judge import chances, keeps
from giveaway.checker.check import Opened
from giveaway.checker.promise import Promise, unconfirmed
from giveaway.checker.together.given import Given, Seen, Some, every_choice, one_by_one_and_all
from giveaway.checker.together.tables import Joined, Tables, apart, compared, knowing
from giveaway.model.release.earlier import Earlier


def together(given: Given, promise: Promise) -> Iterator[Seen]:
    """Give what is seen in each way in which releases are linked."""
    tables = Tables(given=given)
    earlier = [one for one in given.release.earlier if one.ways]
    for some in one_by_one_and_all([one for one in earlier if "rows" in one.ways]):
        yield _joined(tables, promise, some)
    people = [one for one in earlier if "people" in one.ways]
    believes = promise.tolerance.attribute is not None
    for some in (every_choice if believes else one_by_one_and_all)(people):
        yield from _of_people(tables, promise, some)
    for one in earlier:
        yield from _who_changed(tables, promise, one)


# Rows that can be joined ----------------------------------------------------------------------------------------


def _joined(tables: Tables, promise: Promise, earlier: Some) -> Seen:
    joined = Joined(tables, earlier)
    return Seen(
        earlier=earlier,
        keeps=partial(_keeps, joined.opened(), promise, earlier),
        adds_nothing=partial(_adds_nothing, joined, promise) if _limits_identity_alone(promise) else None,
    )


def _keeps(opened: Opened, promise: Promise, earlier: Some) -> bool:
    asked = knowing(promise, opened, earlier, looks=True)
    return asked is None or keeps(opened, asked)


def _limits_identity_alone(promise: Promise) -> bool:
    tolerance = promise.tolerance
    return tolerance.identity is not None and tolerance.average is None and tolerance.attribute is None


def _adds_nothing(joined: Joined, promise: Promise) -> bool:
    """Tell whether nobody over the limit is easier to tell than before, and no more is shown of whom was over it before."""
    limit = promise.tolerance.identity
    assert limit is not None  # noqa: S101 # asked where there is one
    if not joined.everybody_stays:
        return False
    now, before = (
        _chances(opened, promise, joined.earlier) for opened in (joined.opened(), joined.opened_before())
    )
    if any(new > limit and new > old for new, old in zip(now, before, strict=True)):
        return False
    out = [row for row, chance in enumerate(before) if chance > limit]
    own = compared(promise.attacker, [*joined.now], joined.tables.table.sensitive)
    return not joined.shows_more_of(out, own)


def _chances(opened: Opened, promise: Promise, earlier: Some) -> list[Fraction]:
    asked = knowing(promise, opened, earlier, looks=True)
    return [Fraction(0)] * len(opened.release.original) if asked is None else chances(opened, asked)


# People who are in all of them ----------------------------------------------------------------------------------


def _of_people(tables: Tables, promise: Promise, earlier: Some) -> Iterator[Seen]:
    attacker = promise.with_earlier or promise.attacker
    names = ", ".join(one.name for one in earlier)
    if attacker["directories"] or attacker["match"] or attacker["at_most"] is not None:
        raise unconfirmed(
            f"What is learnt of people who are in {names} too is not checked with another directory, similar values or at_most."
        )
    if attacker["knows_method"]:
        yield _looking_alike(tables, promise, earlier)
        return
    try:
        yield from people_in_both.exact(tables, promise, earlier)
    except people_in_both.NotExact as why:
        if promise.tolerance.attribute is not None:
            raise unconfirmed(
                f"What is believed of people who are in {names} too is not checked: {why}."
            ) from None
        # No crowd of rows that cannot be joined is smaller than that of rows that can.
        yield replace(_joined(tables, promise, earlier), proves=False)


def _looking_alike(tables: Tables, promise: Promise, earlier: Some) -> Seen:
    """Whoever knows the method cannot tell rows apart that show the same in all that is compared or in several files."""
    if promise.tolerance.attribute is not None:
        raise unconfirmed(
            "What is believed of people who are in several releases is not checked for somebody who knows the method."
        )
    columns = [*tables.table.columns]
    known = compared(promise.attacker, columns, tables.table.sensitive)
    shared = {name for one in earlier for name in one.columns if name not in one.changes}
    beside = tuple(name for name in columns if name in shared and name not in known)
    asked = replace(promise, attacker={**promise.attacker, "columns": (*known, *beside)})
    return Seen(earlier=earlier, keeps=partial(keeps, tables.given.opened, asked), proves=False)


# Who joined and who left ----------------------------------------------------------------------------------------


def _who_changed(tables: Tables, promise: Promise, one: Earlier) -> Iterator[Seen]:
    """Give those who are in one release alone: they must be hidden among themselves."""
    rows, _ = one.row_now(tables.given.release)
    same = one.shown is not None and len(one.shown) == len(tables.table)
    if rows is None and same and not one.population.joined and not one.population.left:
        return
    for opened in apart(tables, one):
        yield Seen(earlier=(one,), keeps=partial(_keeps, opened, promise, (one,)), proves=False)
