"""When there is nothing that somebody could infer by rules."""

import numpy as np

from giveaway.attacks.attributes.attacker import KnowsAttributes
from giveaway.attacks.attributes.question import AttributesQuestion, ask
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.attacks.wording import listed
from giveaway.errors import NothingToJudge
from giveaway.model.answer.nouns import nouns
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def refuse(release: Release, attacker: KnowsAttributes, tolerance: Tolerance, *_: object) -> None:
    """Refuse to judge without a secret worth protecting, without conditions, and where no rule can be trusted."""
    question = ask(release, attacker, tolerance, None)
    table = question.original
    if not question.secrets:
        raise NothingToJudge(
            f"No entry is secret, so there is nothing to infer; the rows of {table.called} were not judged.",
            hint="name secrets, the sensitive entries that are hidden; or ask the attack directory with an attribute "
            "limit, which judges how surely sensitive values that are shown can be guessed of each person.",
        )
    if attacker.asking_known and not attacker.trusts_rules:
        raise NothingToJudge(
            "Somebody who knows who asked, where people may have asked because of their value, may know it by that alone.",
            hint='set asking = "independent" if asking has nothing to do with the value, or asking_known = false.',
        )
    if attacker.knows_method and not question.are_columns_apart:
        raise NothingToJudge(
            "Where several sensitive columns have secrets and each may tell of the others, it is not worked out what the "
            "choice of blanks tells somebody who knows it.",
            hint="set uses_sensitive = false, or knows_method = false, or ask about one sensitive column at a time.",
        )
    if attacker.knows_method and release.withholds_by_hand:
        raise NothingToJudge(
            "Entries are stated to be withheld, and what it tells that just these are is not known: it depends on how they "
            "were chosen.",
            hint="let protect choose them, withhold whole columns, or set knows_method = false.",
        )
    truth = [
        table.columns[name][table.record_of[question.release.secrets.positions(name)]]
        for name in table.sensitive
    ]
    if all((codes == UNKNOWN).all() for codes in truth):
        raise NothingToJudge(
            "Every secret entry is without a value, so there is nothing to infer.",
            hint="name secrets that have a value.",
        )
    if not any(
        np.isin(codes, _protected(question, name)).any()
        for name, codes in zip(table.sensitive, truth, strict=True)
    ):
        raise NothingToJudge(
            "No secret entry has a value that you ask to protect, so nothing was judged.",
            hint="name its value in sensitive_values, or leave them out to protect all.",
        )
    if not any((table.columns[name] != UNKNOWN).any() for name in attacker.columns):
        raise NothingToJudge(
            f"No {nouns().record} has a value: there is no value in {listed(attacker.columns)}, so no rule can start from there.",
            hint="name columns with values.",
        )
    if attacker.trusts_rules and attacker.trusts_support_above >= len(table):
        raise NothingToJudge(
            f"No rule is supported by more than {attacker.trusts_support_above:,} of {len(table):,} {nouns().records}, so none is trusted.",
            hint="lower trusts_support_above.",
        )


def _protected(question: AttributesQuestion, column: str) -> list[int]:
    """Return the codes of the values that are worth protecting."""
    wanted = question.release.sensitive_values
    labels = question.original.labels[column]
    return [code for code, label in enumerate(labels) if not wanted or label in wanted]
