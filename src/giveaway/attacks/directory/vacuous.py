"""When there is nothing that somebody with a directory could look up."""

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.inference.sensitive import sensitive_columns
from giveaway.attacks.directory.question import ask
from giveaway.attacks.wording import listed
from giveaway.errors import NothingToJudge
from giveaway.model.answer.nouns import nouns
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def refuse(release: Release, attacker: KnowsDirectory, tolerance: Tolerance, *_: object) -> None:
    """Refuse to judge without a value to compare, without people to compare with, losses that weigh nothing, and what is not known."""
    question = ask(release, attacker)
    table, directories = question.original, attacker.directories
    if not any((table.columns[name] >= 0).any() for name in question.compared):
        raise NothingToJudge(
            f"No {nouns().record} has a value: there is no value in {listed(question.compared)}, so there is nothing to look up.",
            hint="name columns with values.",
        )
    if directories and not any(map(len, directories)):
        raise NothingToJudge(
            f"There is nobody in {listed([people.name for people in directories])}, so nobody can be looked up.",
            hint="check the file; without people the table itself is the directory.",
        )
    if attacker.knows_method and not question.knows_what_failed:
        raise NothingToJudge(
            "How large the crowds are was decided by what smaller ones told of sensitive values, and what this tells is "
            "worked out only for somebody who knows exactly the columns that it was decided for.",
            hint="protect the data against all attackers together.",
        )
    if (
        attacker.knows_method
        and release.withholds_by_hand
        and (directories or tolerance.attribute is not None)
    ):
        raise NothingToJudge(
            "Entries are stated to be withheld, and what it tells of people or of their values that just these are is not "
            "known: it depends on how they were chosen.",
            hint="let protect choose them, withhold whole columns, or set knows_method = false.",
        )
    if attacker.likelihoods and not question.lookup.holds:
        raise NothingToJudge(
            f"likelihood needs the person of every {nouns().record} in the directory, by its id and with the values of the {nouns().record}, and "
            "that is not so.",
            hint="leave likelihood out, so that everybody who agrees is equally likely.",
        )
    if attacker.likelihoods and tolerance.attribute is not None:
        raise NothingToJudge(
            "What is told of sensitive values is not known for people who are not equally likely.",
            hint="leave out likelihood, or the limit of attribute.",
        )
    if tolerance.attribute is not None and not sensitive_columns(question):
        raise NothingToJudge(
            "No sensitive value could be told: every sensitive column is among those compared, or none of its values is "
            "named in sensitive_values.",
            hint="leave the sensitive column out of columns, or leave out the limit of attribute.",
        )
    others = tolerance.identity is None and tolerance.attribute is None
    if others and question.release.sensitivity.is_harmless:
        raise NothingToJudge(
            "Every entry weighs nothing, so no loss could be above the average that you tolerate.",
            hint="give weights above 0, or limit identity.",
        )
    greatest = question.weighing.greatest
    if others and tolerance.average is not None and tolerance.average >= greatest:
        raise NothingToJudge(
            f"average = {tolerance.average} allows everything: no {nouns().record} weighs more than {greatest}.",
            hint="set a limit below, or limit identity.",
        )
