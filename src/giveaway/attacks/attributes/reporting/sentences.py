"""The sentences about hidden entries: which rule gives one away, with counts."""

from collections.abc import Sequence
from fractions import Fraction

from giveaway.attacks.attributes.attacker import supporters
from giveaway.attacks.attributes.exposed_secrets import Exposed
from giveaway.attacks.wording import counted, exact_percent, listed, named, percent
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.labels import Label

ASSUMPTION = "Hiding conditions of secrets assumes that nobody knows the hidden conditions from elsewhere."

AGAINST = "counts blank entries as other values"
"""Whom the verdict is about: the paper counts a blank among the records that a rule is about, and not for it."""

BY_LOT = "They are entries of people who did not ask, drawn by lot; nothing about these people is altered."

PAIRS = "Secrets over the limit share a group, so that others with as many blanks might be like them: what these say is not proved."

LONGEST = 150
_FEW = 3


def inferred(tally: Exposed) -> str:
    """Say how many secrets can be inferred."""
    return f"{tally.exposed:,} of {counted(tally.question.secrets, 'secret entries')} can be inferred"


def leaving_out(chance: Fraction, limit: Fraction) -> str:
    """Say what somebody finds who does not count blank entries at all."""
    return (
        f"Somebody who leaves blank entries out of the count finds a rule that holds for {percent(chance, limit=limit)}, above your limit of "
        f"{exact_percent(limit)}."
    )


def without_rule(chance: Fraction, limit: Fraction) -> str:
    """Say how often somebody is right who does not count blank entries and guesses a frequent value."""
    return (
        "Somebody who leaves blank entries out of the count guesses a frequent value without any rule and is "
        f"right for {percent(chance, limit=limit)}, above your limit of {exact_percent(limit)}."
    )


def condition(pairs: Sequence[tuple[str, Label]]) -> str:
    """Write a pattern as in "education Masters and job Prof"."""
    return listed([f"{column} {named(value)}" for column, value in pairs])


def rule(showing: int, matching: int, pairs: Sequence[tuple[str, Label]], column: str, value: Label) -> str:
    """Say which part of the records with a pattern show a value; the pattern by its columns when it is long."""
    part = f"{percent(Fraction(showing, matching))} ({showing:,} of {matching:,})"
    learnt = f"{column} {named(value)}"
    whole = f"{part} of the {nouns().records} with {condition(pairs)} have {learnt}."
    if len(whole) <= LONGEST:
        return whole
    names = [column for column, _ in pairs]
    which = f"this {listed(names)}" if len(names) <= _FEW else f"the same {len(names)} columns"
    return f"{part} of the {nouns().records} with {which} have {learnt}."


def no_rule(column: str, value: Label, least: int) -> str:
    """Say that no rule that is believed leads to a value."""
    if least:
        return f"No rule that {supporters(least)} leads to {column} {named(value)}."
    return f"No rule from the visible columns leads to {column} {named(value)}."


def asked_alone(secrets: int) -> str:
    """Say that blanks of some secrets have nothing next to them."""
    return (
        f"{counted(secrets, 'people')} asked for a blank; where nobody else who looks the same has one, the blank itself "
        "can give the value away."
    )


def decoys(number: int, limit: Fraction, columns: Sequence[str]) -> str:
    """Say what further blanks are for."""
    return (
        f"{counted(number, 'further entries are', 'further entry is')} blank so that a blank says nothing: in each group at "
        f"most {exact_percent(limit)} of the blanks are the same {listed(columns)}."
    )


def knowing_who_asked(chance: Fraction) -> str:
    """Say what somebody still finds who knows who asked."""
    return f"Somebody who knows who asked for a blank can still infer it by a rule, with a chance of up to {percent(chance)}."


def blanks(
    many: int,
    size: int,
    pairs: Sequence[tuple[str, Label]],
    learnt: tuple[str, Label],
    visible: Fraction | None,
) -> str:
    """Say how many of the blanks of a group have a value, and next to it the part of the visible entries."""
    among = f" among the {nouns().records} with {condition(pairs)}" if pairs else " of its group"
    value = f"{learnt[0]} {named(learnt[1])}"
    whole = (
        f"The only blank{among} has {value}"
        if size == 1
        else f"{many:,} of {size:,} blanks{among} have {value}"
    )
    beside = "no other is visible" if visible is None else f"so have {percent(visible)} of the visible ones"
    sentence = f"{whole}; {beside}."
    if len(sentence) <= LONGEST or not pairs:
        return sentence
    return blanks(many, size, (), learnt, visible)


def by_all(chance: Fraction, column: str, value: Label) -> str:
    """Say how often a value is right that is guessed without any rule."""
    return (
        f"{percent(chance)} of all visible rows have {column} {named(value)}: it is guessed without any rule."
    )


def by_rule(chance: Fraction, column: str, value: Label) -> str:
    """Say how often a rule in the visible rows holds."""
    return f"A rule holds for {percent(chance)} of the visible rows that it is about: they have {column} {named(value)}."
