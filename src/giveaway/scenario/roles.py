"""What each column of a table is to a scenario: sensitive, id, known to an attacker, unjudged or left out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from giveaway.attacks import ATTACKS
from giveaway.attacks.asked import check_form, check_roles, on_table
from giveaway.attacks.wording import listed
from giveaway.errors import Mistake, ScenarioError
from giveaway.model.classes.rules import not_judged
from giveaway.model.data.table import Table
from giveaway.model.question.attacker import Attacker
from giveaway.model.release.sensitivity import Sensitivity
from giveaway.scenario.building import Builder
from giveaway.scenario.fields import ReleaseFields, SensitivityFields
from giveaway.scenario.limits import AttackerAsked
from giveaway.scenario.lines import Lines

Roles = dict[str, dict[str, str]]
"""For each column its roles, in words, with the field that gives each."""


def on_tables(attackers: Iterable[Attacker]) -> bool:
    """Tell whether all attackers look at tables."""
    return all(map(on_table, attackers))


def check_before(
    builder: Builder,
    fields: ReleaseFields,
    asked: Sequence[AttackerAsked],
    *,
    earlier: bool,
) -> None:
    """Collect what is wrong with the roles and the attackers of a table and can be told without its data.

    Where there are earlier releases, a column that is left out may be known from one of them.
    """
    attacks = [ATTACKS[one.attacker.attack] for one in asked]
    if not on_tables(one.attacker for one in asked):
        return
    if not fields.sensitive and any("sensitive" in attack.reads.requires for attack in attacks):
        builder.wrong(
            "release",
            Mistake("No sensitive column is named.", hint="sensitive names what must not be inferred."),
        )
    with builder.collecting("knows.0"):
        check_form((one.attacker for one in asked), rules=fields.publishes_rules)
    if (
        fields.secrets is None
        and not fields.publishes_rules
        and any("secrets" in a.reads.requires for a in attacks)
    ):
        builder.wrong(
            "release",
            Mistake(
                "No secrets are named, so there is nothing to infer.",
                hint='secrets = "secrets.csv" names the hidden entries: first the word row, then a row number a line.',
            ),
        )
    for field, columns in (("classes", fields.classes), ("ladders", fields.ladders)):
        for column in columns if isinstance(columns, Mapping) else ():
            if column in (fields.id, *fields.leave_out, *fields.publish_unjudged):
                builder.wrong(f"release.{field}.{column}", not_judged(column, field))
    for column, roles in _roles(fields, asked).items():
        if earlier and set(roles) == {"left out", "known to an attacker"}:
            continue
        if len(roles) > 1:
            fact = f'Column "{column}" has more than one role: {listed(list(roles))}.'
            builder.wrong(list(roles.values())[-1], Mistake(fact, hint="give it one."))


def _roles(fields: ReleaseFields, asked: Sequence[AttackerAsked]) -> Roles:
    roles: Roles = {}
    named = (
        ("sensitive", "sensitive", fields.sensitive),
        ("identifier", "id", () if fields.id is None else (fields.id,)),
        ("published unjudged", "publish_unjudged", fields.publish_unjudged),
        ("left out", "leave_out", fields.leave_out),
    )
    for role, field, columns in named:
        for column in columns:
            roles.setdefault(column, {})[role] = f"release.{field}"
    for one in asked:
        for column in one.attacker.looks_at():
            if column not in fields.sensitive or not ATTACKS[one.attacker.attack].reads.knows_sensitive:
                where = _field(one.place)
                roles.setdefault(column, {}).setdefault("known to an attacker", where)
    for column in _weighted(fields):
        if column not in fields.sensitive and "known to an attacker" not in roles.get(column, {}):
            roles.setdefault(column, {})["weighted"] = "release.sensitivity"
    return roles


def _weighted(fields: ReleaseFields) -> Iterable[str]:
    return (fields.sensitivity.columns or ()) if isinstance(fields.sensitivity, SensitivityFields) else ()


def _field(place: int) -> str:
    """Return the field that names the columns of an attacker, the same in all of them."""
    return f"knows.{place}.columns"


def check_table(
    table: Table,
    fields: ReleaseFields,
    attackers: Sequence[Attacker],
    sensitivity: Sensitivity,
    lines: Lines,
    before: Collection[str] = (),
) -> None:
    """Refuse attackers who know columns that do not exist, here or before, and, when rows are published, columns without a role."""
    from giveaway.sources.encoding.roles import check_names

    wrong: list[Mistake] = []
    for place, attacker in enumerate(attackers):
        try:
            check_names(
                attacker.looks_at() or attacker.looks_at(table),
                list(dict.fromkeys((*table.columns, *before))),
            )
        except ScenarioError as error:
            line = lines.place(_field(place))
            wrong += [replace(mistake, where=line) for mistake in error.mistakes]
        line = lines.place(f"knows.{place}")
        wrong += [replace(mistake, where=line) for mistake in attacker.objections(fields.publish_unjudged)]
    if wrong:
        raise ScenarioError(wrong)
    if not fields.publishes_rules:
        check_roles(table, attackers, sensitivity)
