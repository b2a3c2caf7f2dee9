"""One attacker with everything that is needed to measure and to protect."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, get_args

from giveaway.attacks import ATTACKS
from giveaway.attacks.attack import Attack
from giveaway.attacks.wording import listed
from giveaway.errors import Mistake, ScenarioError
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.fields import settable
from giveaway.model.question.limits import LIMITS, of_targets
from giveaway.model.question.need import Need
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.sensitivity import Sensitivity
from giveaway.model.wording import joined


@dataclass(frozen=True, kw_only=True)
class Question:
    """One attacker with the tolerance that applies and the need that its protector serves."""

    attack: Attack
    attacker: Attacker
    tolerance: Tolerance
    """The limits that this attacker is judged by."""
    need: Need | None
    options: Any
    called: str = ""
    """How whoever watches the work is told which attacker it is."""

    def always_protects(self, release: Release) -> bool:
        """Tell whether the release is made by the protector even where it is safe as planned."""
        return self.attack.does().always_protects(
            release, by_itself(self.attacker, release), self.tolerance, self.need
        )


def by_itself(attacker: Attacker, release: Release) -> Attacker:
    """Return an attacker on a release by itself, of whose columns earlier releases may show more."""
    table = release.original
    if not release.earlier or not isinstance(table, Table):
        return attacker
    return attacker.among((*table.columns, *(() if table.id is None else (table.id,))))


def questions(
    release: Release,
    attackers: Attacker | Sequence[Attacker],
    tolerance: Tolerance | Sequence[Tolerance],
    needs: tuple[Need, ...],
    options: Mapping[str, Mapping[str, Any]],
) -> tuple[Question, ...]:
    """Put the attackers, tolerances, needs and options of one call together, and refuse what does not fit."""
    asked = as_tuple(attackers)
    limits = as_tuple(tolerance)
    _check_types(release, asked, limits)
    if not asked:
        example = next(attack for attack in ATTACKS.values() if attack.asks.example)
        raise ScenarioError(
            "No attacker is named.",
            hint=f"for example ga.{example.attacker.__name__}({example.asks.example}).",
        )
    if len(limits) not in (1, len(asked)):
        raise ScenarioError(
            f"There are {len(asked)} attackers and {len(limits)} tolerances.", hint="give one, or one each."
        )
    limits = limits * len(asked) if len(limits) == 1 else limits
    for attacker in asked:
        _check_kind(release, attacker)
    check_tolerances(release, asked, limits)
    every = tuple(
        replace(_question(release, *pair, needs, options), called=_called(place, asked))
        for place, pair in enumerate(zip(asked, limits, strict=True))
    )
    check_form((question.attacker for question in every), rules=release.rules is not None)
    check_hierarchies((question.attack for question in every), release)
    if isinstance(release.original, Table):
        check_columns(release.original, asked, shown_before(release))
        if release.rules is None:
            check_roles(release.original, asked, release.sensitivity)
    used = {question.attack.name for question in every}
    for name in options.keys() - used:
        raise ScenarioError(
            f"Options for {name} are given, but no such attacker.", exists=", ".join(sorted(used))
        )
    for need in needs:
        if not any(isinstance(need, question.attack.needs) for question in every):
            serving = [attack.name for attack in ATTACKS.values() if isinstance(need, attack.needs)]
            raise ScenarioError(
                f"{type(need).__name__} serves none of the attackers named.",
                hint=f"it is for {listed(serving)}." if serving else None,
            )
    return every


def _called(place: int, asked: Sequence[Attacker]) -> str:
    attack = asked[place].attack
    return attack if len(asked) == 1 else f"attacker {place + 1} of {len(asked)}, {attack}"


def check_release(release: object) -> None:
    """Refuse what is not a release, naming what would be one."""
    _check_type(release, Release, "a release", "ga.Release(data)")


def _check_types(release: object, asked: Sequence[object], limits: Sequence[object]) -> None:
    """Refuse what is not a release, an attacker or a tolerance."""
    attack = next(attack for attack in ATTACKS.values() if attack.asks.example)
    check_release(release)
    for one in asked:
        _check_type(one, Attacker, "an attacker", f"ga.{attack.attacker.__name__}({attack.asks.example})")
    for limit in limits:
        _check_type(limit, Tolerance, "a tolerance", 'ga.Tolerance(identity="1/5")')


def _check_type(value: object, kind: type, what: str, example: str) -> None:
    if not isinstance(value, kind):
        name = value.__name__ if isinstance(value, type) else f"a {type(value).__name__}"
        raise ScenarioError(f"{name} is not {what}.", hint=f"for example {example}.")


def _check_kind(release: Release, attacker: Attacker) -> None:
    data = ATTACKS[attacker.attack].reads.about(attacker)
    if not isinstance(release.original, data):
        needed = " or ".join(kind.__name__ for kind in get_args(data) or (data,))
        raise ScenarioError(
            f"The attack {attacker.attack} needs {needed}, the release holds a {type(release.original).__name__}."
        )


def _question(
    release: Release,
    attacker: Attacker,
    tolerance: Tolerance,
    needs: tuple[Need, ...],
    options: Mapping[str, Mapping[str, Any]],
) -> Question:
    attack = ATTACKS[attacker.attack]
    judged = attack.limits.judged(tolerance, attacker, private=has_private(release))
    unknown = options.get(attack.name, {}).keys() - settable(attack.options)
    if unknown:
        raise ScenarioError(
            f"The attack {attack.name} has no option {min(unknown)}.",
            exists=", ".join(settable(attack.options)),
        )
    return Question(
        attack=attack,
        attacker=attacker,
        tolerance=tolerance.only(judged & attack.limits.breakable(tolerance, release, attacker) or judged),
        need=next((need for need in needs if isinstance(need, attack.need)), None),
        options=attack.options(**options.get(attack.name, {})),
    )


def deciding(asked: Sequence[Question]) -> dict[int, Question]:
    """Return, by their places, the questions with the limits that decide what is withheld.

    Next to others these are not all: somebody who knows the method would learn something from a choice by the rest.
    """
    every = dict(enumerate(asked))
    if len(asked) == 1 or not any(question.attacker.knows_method for question in asked):
        return every
    judged = {}
    for place, question in every.items():
        blind, tolerance = question.attack.limits.blind, question.tolerance
        if blind is None or tolerance.given - {"share"} <= blind:
            judged[place] = question
        elif blind & tolerance.given:
            judged[place] = replace(question, tolerance=tolerance.only({*blind, "share"}))
    return judged


def in_turn(asked: Mapping[int, Question]) -> list[tuple[int, Question]]:
    """Return the questions, by their places, in the order in which is withheld for them.

    Attacks whose choice sees no sensitive value come before those whose does, and of them, whoever is named first, who is
    to be told least: they have one plan.
    """

    def turn(one: tuple[int, Question]) -> tuple[object, ...]:
        question, limits = one[1], one[1].tolerance
        if question.attack.limits.blind is None:
            return (True,)
        blind = (getattr(limits, name) for name in LIMITS if name in question.attack.limits.blind)
        least = (inf if limit is None else limit for limit in blind)
        return (False, *least, limits.share, question.attacker.knows())

    return sorted(asked.items(), key=turn)


def as_published(release: Release, asked: Sequence[Question], needs: Iterable[Need] = ()) -> Release:
    """Return the release in the form that the attacks are about, with what must stay marked in it.

    It is renamed as soon as one of them attacks the codes, and columns without a role become what `rest` says.
    """
    for need in needs:
        release = need.marked(release)
    renames = any(question.attack.reads.renames for question in asked) and not isinstance(
        release.original, Table
    )
    if renames and not release.renamed:
        return replace(release, renamed=True)
    return _settled(release, [question.attacker for question in asked])


def has_private(release: Release) -> bool:
    """Tell whether some item is private, or some column sensitive."""
    original = release.original
    if isinstance(original, Table):
        return bool(original.sensitive)
    return isinstance(original, Transactions) and bool(original.private)


def check_tolerances(release: Release, attackers: Sequence[Attacker], limits: Sequence[Tolerance]) -> None:
    """Refuse limits that an attacker cannot be judged by; one tolerance for several may serve each of them in part."""
    private = has_private(release)
    for attacker, tolerance in zip(attackers, limits, strict=True):
        check_limits(attacker, tolerance, private=private)
        check_average(attacker, tolerance)
    for tolerance in {id(tolerance): tolerance for tolerance in limits}.values():
        pairs = zip(attackers, limits, strict=True)
        unused = unjudged([a for a, stated in pairs if stated is tolerance], tolerance, private=private)
        if unused:
            raise ScenarioError(list(unused.values()))


def check_limits(attacker: Attacker, tolerance: Tolerance, *, private: bool) -> None:
    """Refuse a tolerance that says nothing about what an attack measures."""
    attack = ATTACKS[attacker.attack]
    if not attack.limits.judged(tolerance, attacker, private=private):
        spared = attack.limits.spared(attacker, private)
        raise ScenarioError(
            f"The tolerance gives no limit that the attack {attack.name} is judged by.",
            exists=", ".join(sorted(attack.limits.used - spared.keys())),
            hint="; ".join(f"{name} is not judged: {why}" for name, why in spared.items()) or None,
        )


def check_average(attacker: Attacker, tolerance: Tolerance) -> None:
    """Refuse an average that nothing could exceed."""
    attack = ATTACKS[attacker.attack]
    if attack.limits.average_is_share and tolerance.average is not None and tolerance.average > 1:
        raise ScenarioError(
            f"average = {tolerance.average} is above 1, and the attack {attack.name} measures a part of the items.",
            hint='"1/10" tolerates that a tenth is recognised.',
        )


def unjudged(attackers: Sequence[Attacker], tolerance: Tolerance, *, private: bool) -> dict[str, Mistake]:
    """Find the limits of a tolerance that none of its attackers is judged by: nothing would be promised by them."""
    attacks = [(ATTACKS[attacker.attack], attacker) for attacker in attackers]
    used = {name for attack, who in attacks for name in attack.limits.judged(tolerance, who, private=private)}
    exists = "; ".join(
        dict.fromkeys(
            f"{attack.name}: {listed(sorted(attack.limits.used - attack.limits.spared(who, private).keys()))}"
            for attack, who in attacks
        )
    )
    why = {name: says for attack, who in attacks for name, says in attack.limits.spared(who, private).items()}
    names = of_targets()
    none = "neither" if len(names) == 2 else "none of them"  # noqa: PLR2004 # of two
    why["share"] = f"it allows some targets above {joined(names, 'or')}, and {none} is judged"
    return {
        name: Mistake(
            f"{name} = {getattr(tolerance, name)} is a limit that no attacker is judged by"
            f"{f': {why[name]}' if name in why else ''}.",
            exists or None,
            f"leave {name} out." if tolerance.origin is None else _without(tolerance.origin.preset.name),
        )
        for name in sorted(tolerance.given - used)
    }


def on_table(attacker: Attacker) -> bool:
    """Tell whether an attacker looks at tables."""
    return ATTACKS[attacker.attack].reads.about(attacker) is Table


def _without(preset: str) -> str:
    return f"if the preset {preset} sets it, give the limits that you mean one by one instead."


def check_form(attackers: Iterable[Attacker], *, rules: bool) -> None:
    """Refuse attacks that read another form of a table than is published: its rows, or rules instead of them."""
    attacks = [ATTACKS[attacker.attack] for attacker in attackers if on_table(attacker)]
    on_tables = {attack.name: attack.reads.published == "rules" for attack in attacks}
    of_rules = [name for name, reads_rules in on_tables.items() if reads_rules]
    of_rows = [name for name, reads_rules in on_tables.items() if not reads_rules]
    if of_rules and of_rows:
        raise ScenarioError(
            f"The attack {of_rules[0]} reads published rules, the attack {of_rows[0]} published rows, and a release "
            "publishes one of the two.",
            hint="ask about them one after the other.",
        )
    if of_rules and not rules:
        raise ScenarioError(
            f"The attack {of_rules[0]} reads published rules, and this release publishes rows.",
            hint="give rules, as in rules = { min_support = 0.1, min_confidence = 0.6 }.",
        )
    if of_rows and rules:
        raise ScenarioError(
            f"The attack {of_rows[0]} reads published rows, and this release publishes rules instead of them.",
            hint="leave rules out.",
        )


def check_hierarchies(attacks: Iterable[Attack], release: Release) -> None:
    """Refuse attacks that do not know coarser labels where hierarchies say that they may be published."""
    for attack in attacks:
        if release.hierarchies and not attack.reads.coarser:
            others = [other.name for other in ATTACKS.values() if other.reads.coarser]
            raise ScenarioError(
                f"The attack {attack.name} does not judge coarser labels, and hierarchies are given for "
                f"{listed(sorted(release.hierarchies))}.",
                hint=f"leave them out, or ask about {listed(others)} attackers only.",
            )


def shown_before(release: Release) -> frozenset[str]:
    """Return the columns that earlier releases show, also those that this one does not have."""
    return frozenset(column for one in release.earlier for column in one.columns)


def check_columns(table: Table, attackers: Iterable[Attacker], before: Collection[str] = frozenset()) -> None:
    """Refuse attackers who know columns that neither the table nor what was shown before has.

    The identifier of the table is told of by the attack.
    """
    mistakes: list[Mistake] = []
    for column in dict.fromkeys(column for attacker in attackers for column in attacker.looks_at()):
        if column in (table.origin.layout.others if table.origin else ()):
            fact = f'Column "{column}" is published unjudged, and an attacker knows it.'
            mistakes.append(Mistake(fact, hint="take it out of publish_unjudged."))
        elif column != table.id and column not in before:
            try:
                table.checked(column)
            except ScenarioError as error:
                mistakes += error.mistakes
    if mistakes:
        raise ScenarioError(mistakes)


def check_roles(
    table: Table, attackers: Iterable[Attacker], sensitivity: Sensitivity = Sensitivity()
) -> None:
    """Refuse a table of which columns would be published that nobody looked at."""
    if table.rest is None:
        _refuse(without_role(table, attackers, sensitivity))


def without_role(table: Table, attackers: Iterable[Attacker], sensitivity: Sensitivity) -> list[str]:
    """Find the columns that are neither sensitive nor known to an attacker nor weighed."""
    looked_at = {column for attacker in attackers for column in attacker.looks_at(table)}
    weighed = table.columns if sensitivity.records and not sensitivity.columns else sensitivity.named
    used = {*table.sensitive, *weighed, *looked_at}
    return [name for name in table.columns if name not in used]


def _refuse(bare: Sequence[str]) -> None:
    if bare:
        names = listed([f'"{name}"' for name in bare])
        raise ScenarioError(
            f"{'Column' if len(bare) == 1 else 'Columns'} {names} {'has' if len(bare) == 1 else 'have'} no role.",
            hint="a column is sensitive, id, known to an attacker (columns), published as it is (publish_unjudged), or "
            'kept out of the release (leave_out); rest = "leave_out" or rest = "publish_unjudged" does it with all '
            "that are left.",
        )


def _settled(release: Release, attackers: Sequence[Attacker]) -> Release:
    """Give the columns that have no role the one that `rest` names; those named for something else are refused."""
    table = release.original
    if not isinstance(table, Table) or table.rest is None or release.rules is not None:
        return release
    bare = without_role(table, attackers, release.sensitivity)
    named = {*release.must_publish.columns, *release.withheld.cells.columns}
    stated = {*release.hierarchies, *named} - table.ladders.keys()
    _refuse([name for name in bare if name in stated])
    return replace(release, original=table.resting(bare)) if bare else release


def needs_in_words(needs: Iterable[Need]) -> str | None:
    """Say what is needed; None where there is nothing to say."""
    texts = [text for need in needs if (text := need.says())]
    return listed(texts) if texts else None


def as_tuple(one_or_several: Any) -> tuple[Any, ...]:
    """Take one value or several; None is no value."""
    if one_or_several is None:
        return ()
    return tuple(one_or_several) if isinstance(one_or_several, list | tuple) else (one_or_several,)
