"""Judge the attack `directory` with earlier releases at hand: rows joined, people in all of them, who joined and who left."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import permutations

from giveaway.checker.attacks.directory import everybody_known, people_in_both
from giveaway.checker.attacks.directory.judge import chances, keeps, values_of
from giveaway.checker.attacks.directory.worst_rows import worst_rows
from giveaway.checker.check import Check, ReadBack
from giveaway.checker.promise import Promise, unconfirmed
from giveaway.checker.together.tables import Joined, WrittenTables, apart, compared, knowing, known_columns
from giveaway.checker.together.written import SeenTogether, Some, WrittenNow, every_choice, one_by_one_and_all
from giveaway.model.data.table import Table
from giveaway.model.release.earlier import Earlier


def together(written: WrittenNow, promise: Promise) -> Iterator[SeenTogether]:
    """Give what is seen in each way in which releases are linked."""
    tables = WrittenTables(written=written)
    earlier = [one for one in written.release.earlier if one.ways]
    believes = promise.tolerance.attribute is not None
    pairs = permutations(earlier, 2)
    mixed = any("rows" in one.ways and "people" in other.ways for one, other in pairs)
    if (
        believes
        and mixed
        and any(
            {*one.changes} & {*tables.table.sensitive, *people_in_both.sensitive_then(one)} for one in earlier
        )
    ):
        raise unconfirmed(
            "What is told of values at some time is not checked where rows of some earlier files can be joined and of others not."
        )
    for some in one_by_one_and_all([one for one in earlier if "rows" in one.ways]):
        yield _joined(tables, promise, some)
    people = [one for one in earlier if "people" in one.ways]
    for some in (every_choice if believes else one_by_one_and_all)(people):
        yield from _of_people(tables, promise, some)
    for one in earlier:
        yield from _who_changed(tables, promise, one)


# Rows that can be joined ----------------------------------------------------------------------------------------


def _joined(tables: WrittenTables, promise: Promise, earlier: Some) -> SeenTogether:
    taken = worst_rows(tables, promise, earlier)
    joined = Joined(tables, earlier, taken)
    _check(joined, promise)
    attacker = promise.with_earlier or promise.attacker
    if attacker["knows_method"]:
        own = compared(attacker, [*joined.truth], joined.sensitive)
        joined.add_what_may_have_decided(known_columns(own, joined.truth, earlier))
    known = _known(joined, promise)
    return SeenTogether(
        earlier=earlier,
        proves=not taken,
        keeps=partial(_keeps, joined.opened(known=known), promise, earlier),
        adds_nothing=None
        if taken or promise.tolerance.average is not None or not joined.everybody_stays
        else partial(_adds_nothing, joined, promise),
    )


def _known(joined: Joined, promise: Promise) -> tuple[str, ...] | None:
    """Return the columns that somebody knows, next to whom values at some time are judged; None where no values are."""
    if promise.tolerance.attribute is None:
        return None
    attacker = promise.with_earlier or promise.attacker
    known = known_columns(compared(attacker, [*joined.truth], joined.sensitive), joined.truth, joined.earlier)
    if any(base in attacker["within"] for base in joined.changing(known)):
        raise unconfirmed("Which guesses are close to a value that somebody had at some time is not checked.")
    return known


def _check(joined: Joined, promise: Promise) -> None:
    """Refuse attackers of whom it is not known what they learn from joined rows."""
    attacker = promise.with_earlier or promise.attacker
    if attacker["likelihoods"]:
        raise unconfirmed("How likely people are taken is not checked together with earlier releases.")
    if not attacker["knows_method"]:
        return
    columns = known_columns(
        compared(attacker, [*joined.truth], joined.sensitive), joined.truth, joined.earlier
    )
    most = attacker["at_most"]
    if attacker["directories"] or (most is not None and most < len(columns)):
        raise unconfirmed(
            "Somebody who knows the method and another directory, or only some columns, is not checked together with earlier "
            "releases."
        )
    if promise.tolerance.attribute is None:
        return
    for name in columns:
        if any(
            own is not None and level != 0
            for own, level in zip(joined.truth[name], joined.before.get(name, ()), strict=False)
        ):
            raise unconfirmed(
                "What an earlier release withheld may have been chosen by sensitive values, and what that tells is not checked."
            )


def _keeps(opened: ReadBack, promise: Promise, earlier: Some) -> bool:
    asked = knowing(promise, opened, earlier, looks=True)
    if asked is None:
        raise unconfirmed("Nothing that is known can be seen together with earlier releases.")
    return keeps(opened, asked)


def _adds_nothing(joined: Joined, promise: Promise) -> bool:
    """Tell whether nobody over a limit is easier to tell, or more is believed of, than before.

    Nothing more may be shown of whom the earlier releases give away.
    """
    known = _known(joined, promise)
    pair = joined.opened(known=known), joined.opened(known=known, before=True)
    now, before = (knowing(promise, opened, joined.earlier, looks=True) for opened in pair)
    if now is None or before is None:
        return False
    limits = promise.tolerance
    out: list[int] = []
    if limits.identity is not None:
        new, old = chances(pair[0], now), chances(pair[1], before)
        if any(chance > limits.identity and chance > was for chance, was in zip(new, old, strict=True)):
            return False
        out = [row for row, chance in enumerate(old) if chance > limits.identity]
    if limits.attribute is not None:
        believed, knew = values_of(pair[0], now), values_of(pair[1], before)
        if believed is None or any(
            chance > limits.attribute and chance > (was.get(what, 0) if knew is not None else 0)
            for chances_now, was in zip(believed, knew or [{}] * len(believed), strict=True)
            for what, chance in chances_now.items()
        ):
            return False
    own = compared(promise.attacker, [*joined.now], joined.tables.table.sensitive)
    return not joined.shows_more_of(out, own)


# People who are in all of them ----------------------------------------------------------------------------------


def _of_people(tables: WrittenTables, promise: Promise, earlier: Some) -> Iterator[SeenTogether]:
    attacker = promise.with_earlier or promise.attacker
    names = ", ".join(one.name for one in earlier)
    unusual = attacker["directories"] or attacker["match"] or attacker["likelihoods"]
    if unusual or attacker["at_most"] is not None:
        raise unconfirmed(
            f"What is learnt of people who are in {names} too is not checked with another directory, similar values, likelihoods "
            "or at_most."
        )
    if attacker["knows_method"]:
        yield _looking_alike(tables, promise, earlier)
        return
    try:
        unjoined = people_in_both.apart(tables, promise, earlier)
        adds_nobody = _adds_nobody(tables, promise, earlier)
        yield from people_in_both.seen(tables, promise, earlier, unjoined, adds_nobody)
        yield from everybody_known.seen(tables, promise, earlier, unjoined)
    except people_in_both.NotExact as why:
        if promise.tolerance.attribute is not None:
            raise unconfirmed(
                f"What is believed of people who are in {names} too is not checked: {why}."
            ) from None
        # No crowd of rows that cannot be joined is smaller than that of rows that can.
        yield replace(_joined(tables, promise, earlier), proves=False)


def _adds_nobody(tables: WrittenTables, promise: Promise, earlier: Some) -> Callable[[], bool] | None:
    """Return what tells by joined rows that nobody is easier to tell than before: no crowd is smaller than theirs."""
    known = all(one.row_now(tables.written.release)[0] is not None for one in earlier)
    if (
        not known
        or not Joined(tables, earlier).everybody_stays
        or promise.tolerance.identity is None
        or promise.tolerance.average is not None
    ):
        return None
    limits = promise.tolerance.only(promise.tolerance.given - {"attribute"})
    return lambda: _adds_nothing(Joined(tables, earlier), replace(promise, tolerance=limits))


def _looking_alike(tables: WrittenTables, promise: Promise, earlier: Some) -> SeenTogether:
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
    return SeenTogether(earlier=earlier, keeps=partial(keeps, tables.written.opened, asked), proves=False)


def _may_have_chosen(tables: WrittenTables, promise: Promise, one: Earlier) -> bool:
    """Tell whether a file leaves out something that is known, and shows what is not, by which that may have been chosen."""
    attacker, shown = promise.with_earlier or promise.attacker, one.shown
    if not attacker["knows_method"] or not isinstance(shown, Table):
        return False
    sensitive = {*tables.table.sensitive, *people_in_both.sensitive_then(one)}
    known = {*compared(attacker, [*shown.columns], sensitive)} & {*shown.columns}
    left_out = any(
        tables.written.release.hierarchies.get(name) or (shown.columns[name] < 0).any() for name in known
    )
    return left_out and any(name not in known and name not in sensitive for name in shown.columns)


# Who joined and who left ----------------------------------------------------------------------------------------


def _who_changed(tables: WrittenTables, promise: Promise, one: Earlier) -> Iterator[SeenTogether]:
    """Give those who are in one release alone: they must be hidden among themselves."""
    rows, _ = one.row_now(tables.written.release)
    same = one.shown is not None and len(one.shown) == len(tables.table)
    if rows is None and same and not one.population.joined and not one.population.left:
        return
    if (rows is None or (rows < 0).any()) and _may_have_chosen(tables, promise, one):
        raise unconfirmed(f"What {one.name} tells of those who left by what it left out is not checked.")
    for opened in apart(tables, one):
        yield SeenTogether(earlier=(one,), keeps=partial(_keeps, opened, promise, (one,)), proves=False)


CHECK = Check(
    attack="directory",
    form="rows",
    limits=("identity", "attribute", "average"),
    keeps=keeps,
    together=together,
)
