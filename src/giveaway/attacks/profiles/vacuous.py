"""When there is nothing that a reader of rules could read."""

from giveaway.attacks.profiles.attacker import KnowsProfiles
from giveaway.attacks.profiles.question import ask
from giveaway.errors import NothingToJudge
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules


def refuse(release: Release, attacker: KnowsProfiles, *_: object) -> None:
    """Refuse to judge a list without a rule that nothing else is published with."""
    ask(release, attacker)  # what does not fit the table is said first
    published, table = release.published, release.original
    if not isinstance(published, PublishedRules) or not isinstance(table, Table):
        return
    if published.rules or release.published_statements or published.distribution == "published":
        return
    raise NothingToJudge(
        "There are 0 rules, so nothing about a person would be published; "
        f"the rows of {table.called} were not judged.",
        hint="to publish rows, ask the attack directory; to publish rules, lower min_support or min_confidence.",
    )
