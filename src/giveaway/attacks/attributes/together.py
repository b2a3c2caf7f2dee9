"""Somebody who fills in blanks and kept earlier releases: an entry is visible if it ever was."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from giveaway.attacks.attributes.attacker import KnowsAttributes
from giveaway.attacks.attributes.measure import measure
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.together import AtOnce, View, with_files_of
from giveaway.attacks.wording import counted, listed
from giveaway.errors import NothingToJudge
from giveaway.model.answer.risk import Risk
from giveaway.model.data.table import Table
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import JoinedRows, join_rows
from giveaway.model.release.release import Release
from giveaway.model.release.same_people import ONE_BY_ONE, SamePeople, joint_rows


def views(release: Release, attacker: KnowsAttributes, _: Tolerance) -> tuple[View, ...]:
    """Return the rows joined with those of each earlier release, and of all of them; what rows tell that nobody joins is checked."""
    for one in release.earlier:
        changed = sorted({*release.secrets.columns}.intersection(one.changes, one.columns))
        if one.ways and changed:
            raise NothingToJudge(
                f"{one.name} tells {changed[0]} of another time, and what that gives away of secrets is not worked out.",
                hint=f'leave {changed[0]} out of changes where everybody has the same; or say linked = "nobody" if no person is in both.',
            )
        if one.ways == ("people",):
            _check_unjoined(release, one, attacker)
    joined = [one for one in release.earlier if "rows" in one.ways]
    sets = [[one] for one in joined] + ([joined] if len(joined) > 1 else [])
    return tuple(_joined(release, one, attacker) for one in sets)


def _check_unjoined(release: Release, one: Earlier, attacker: KnowsAttributes) -> None:
    """Refuse an earlier file whose rows nobody joins, where it is not known what it tells of secrets.

    Next to decoys it tells nothing more if people who are equal in all that both files show are a group: whatever values the
    blanks of a group have, few enough are alike, so that nothing is won by knowing them. Where entries are believed to be
    like the visible ones instead, what is missing of the earlier file is what is hidden now.
    """
    table = release.original
    assert isinstance(table, Table)  # noqa: S101 # the attack is on tables
    both = {*table.columns}.intersection(one.columns)
    hidden = both.intersection(release.hidden.columns)
    if not (attacker.trusts_rules or attacker.asking_known or attacker.cells_of > 1):
        hidden &= {*release.secrets.columns}
        hidden = {name for name in hidden if both - {name, *attacker.conditions(table, name)}}
    if hidden:
        raise NothingToJudge(
            f"{one.name} shows {min(hidden)}, of which entries are hidden now, and what it tells of them is not worked out where "
            "rows cannot be joined.",
            hint='say linked = "rows" to judge them as if every row could be joined, or "nobody" if no person is in both.',
        )


def _joined(release: Release, earlier: Sequence[Earlier], attacker: KnowsAttributes) -> View:
    """Look at the rows of each person together; a secret that was visible is none any more."""
    pairs = []
    for one in earlier:
        rows, _ = one.row_now(release)
        if rows is None:
            raise NothingToJudge(
                f"Nobody says whose rows those of {one.name} are.",
                hint='name the owner\'s file of that release as its ledger, or say linked = "people" if rows cannot be joined.',
            )
        pairs.append((one, rows))
    joined = join_rows(release, pairs)
    names = tuple(one.name for one in earlier)
    accepts = all(one.already == "accept" for one in earlier)
    visible = len(release.secrets) - len(joined.release.secrets)
    attacker = attacker.among(tuple(joined.release.original.columns))  # type: ignore[union-attr] # a table; other releases may show more
    _check(release, joined, attacker, names)
    return View(
        releases=names,
        linked="rows",
        release=joined.release,
        attacker=attacker,
        back=joined.back,
        before=joined.out,
        measured=partial(_measured, attacker, names, 0 if accepts else visible),
        accepts=accepts,
        figures={"secrets_visible_before": visible},
        says=with_files_of(names),
    )


def at_once(people: SamePeople, attacker: KnowsAttributes, _: Tolerance, need: NeedsCells | None) -> AtOnce:
    """Return what the recipients of several releases see together: an entry that is blank is blank in all of them."""
    if need is not None:
        raise NothingToJudge("Releases are not planned at once with needed entries.", hint=ONE_BY_ONE)
    joint = joint_rows(people)
    return AtOnce(release=joint.release, attacker=attacker, back=joint.back)


def _check(release: Release, joined: JoinedRows, attacker: KnowsAttributes, names: Sequence[str]) -> None:
    """Refuse blanks that earlier releases fill in, for somebody who knows how they are chosen.

    Blanks that are among those of the earlier releases hide as they do alone: within a group every choice of who asked is as
    likely as every other, after each draw and after all of them.
    """
    if not joined.release.secrets:
        raise NothingToJudge(
            f"Every secret is visible in {listed(list(names))}: there is nothing left to hide.",
            hint="leave the secrets out that are known already.",
        )
    filled = len((release.hidden & joined.out_already) - release.secrets)
    if attacker.knows_method and filled:
        raise NothingToJudge(
            f"{listed(list(names))} shows {counted(filled, 'entries')} that are blank now, and what is told by two "
            "choices of blanks is not worked out.",
            hint="blank only entries that were blank then, as protect does, or set knows_method = false.",
        )


def _measured(
    attacker: KnowsAttributes,
    names: Sequence[str],
    visible: int,
    release: Release,
    tolerance: Tolerance,
    effort: Effort,
) -> Risk:
    """Measure the secrets that are still hidden; those that were visible are given away."""
    risk = measure(release, attacker, tolerance, None, effort)
    if not visible:
        return risk
    left = len(release.secrets)
    return replace(
        risk,
        share=(Fraction(risk.share or 0) * left + visible) / (left + visible),
        reasons=(
            f"{counted(visible, 'secrets are', 'secret is')} visible in {listed(list(names))}.",
            *risk.reasons,
        ),
    )
