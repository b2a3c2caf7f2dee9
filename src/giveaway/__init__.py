"""What a release would give away to somebody with stated knowledge, and the least to withhold.

Public names are imported when they are first used, so that the command line starts quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from giveaway._version import __version__ as __version__

if TYPE_CHECKING:
    from giveaway.assessment import Assessment as Assessment
    from giveaway.attacks.attributes.attacker import KnowsAttributes as KnowsAttributes
    from giveaway.attacks.attributes.need import NeedsCells as NeedsCells
    from giveaway.attacks.directory.attacker import Jaro as Jaro
    from giveaway.attacks.directory.attacker import KnowsDirectory as KnowsDirectory
    from giveaway.attacks.directory.attacker import Within as Within
    from giveaway.attacks.directory.need import NeedsColumns as NeedsColumns
    from giveaway.attacks.directory.readings.close import Close as Close
    from giveaway.attacks.directory.readings.named import Readings as Readings
    from giveaway.attacks.directory.readings.of_table import readings as readings
    from giveaway.attacks.directory.readings.of_table import suda as suda
    from giveaway.attacks.directory.readings.special_uniques import Suda as Suda
    from giveaway.attacks.forms import forms as forms
    from giveaway.attacks.frequencies.attacker import Itemsets as Itemsets
    from giveaway.attacks.frequencies.attacker import KnownPairs as KnownPairs
    from giveaway.attacks.frequencies.attacker import KnowsFrequencies as KnowsFrequencies
    from giveaway.attacks.frequencies.belief import Belief as Belief
    from giveaway.attacks.items.attacker import KnowsItems as KnowsItems
    from giveaway.attacks.items.need import NeedsItemsets as NeedsItemsets
    from giveaway.attacks.kept_items import NeedsItems as NeedsItems
    from giveaway.attacks.profiles.attacker import KnowsProfiles as KnowsProfiles
    from giveaway.attacks.profiles.need import NeedsRules as NeedsRules
    from giveaway.errors import BudgetExceeded as BudgetExceeded
    from giveaway.errors import CheckFailed as CheckFailed
    from giveaway.errors import DataError as DataError
    from giveaway.errors import GiveawayError as GiveawayError
    from giveaway.errors import NoAnswer as NoAnswer
    from giveaway.errors import NoSafeRelease as NoSafeRelease
    from giveaway.errors import NotConfirmed as NotConfirmed
    from giveaway.errors import NothingToJudge as NothingToJudge
    from giveaway.errors import NotInstalled as NotInstalled
    from giveaway.errors import NotWritten as NotWritten
    from giveaway.errors import ScenarioError as ScenarioError
    from giveaway.errors import WrongQuestion as WrongQuestion
    from giveaway.flow import assess as assess
    from giveaway.flow import breaking_point as breaking_point
    from giveaway.flow import protect as protect
    from giveaway.itemsets.rule_mining import mine_rules as mine_rules
    from giveaway.model.answer.nouns import Nouns as Nouns
    from giveaway.model.answer.risk import Exposure as Exposure
    from giveaway.model.answer.risk import Risk as Risk
    from giveaway.model.data.table import Table as Table
    from giveaway.model.data.transactions import Transactions as Transactions
    from giveaway.model.question.effort import Effort as Effort
    from giveaway.model.question.filing import Filing as Filing
    from giveaway.model.question.tolerance import Tolerance as Tolerance
    from giveaway.model.release.earlier import Earlier as Earlier
    from giveaway.model.release.earlier import Population as Population
    from giveaway.model.release.release import Release as Release
    from giveaway.model.release.rule import PublishedRules as PublishedRules
    from giveaway.model.release.rule import Rule as Rule
    from giveaway.model.release.rule import Statement as Statement
    from giveaway.model.release.sensitivity import Sensitivity as Sensitivity
    from giveaway.model.release.withheld import Withheld as Withheld
    from giveaway.nearby_limits import Rung as Rung
    from giveaway.nearby_limits import ladder as ladder
    from giveaway.papers.attributes.removal_rates import removal_rates as removal_rates
    from giveaway.papers.attributes.rule_graph import RuleGraph as RuleGraph
    from giveaway.papers.attributes.rule_graph import rule_graph as rule_graph
    from giveaway.papers.directory.least_risk import least_risk as least_risk
    from giveaway.papers.frequencies.explore.crack_space import crack_space as crack_space
    from giveaway.papers.frequencies.explore.recognise_people import cracks as cracks
    from giveaway.papers.frequencies.explore.simulate import simulate as simulate
    from giveaway.papers.items.borders import borders as borders
    from giveaway.papers.items.labelled import Edge as Edge
    from giveaway.publish.ledger import Ledger as Ledger
    from giveaway.recipients.answer import Recipients as Recipients
    from giveaway.recipients.planning import protect_together as protect_together
    from giveaway.releases.diff import diff as diff
    from giveaway.releases.difference import Difference as Difference
    from giveaway.report.told import sentences as sentences
    from giveaway.scenario.editing import edit_scenario as edit_scenario
    from giveaway.scenario.proposal.propose import propose as propose
    from giveaway.scenario.reading import Scenario as Scenario
    from giveaway.sources import look as look
    from giveaway.sources import read_table as read_table
    from giveaway.sources import read_transactions as read_transactions
    from giveaway.sources.address import unlock as unlock
    from giveaway.sources.example import write_example as write_example
    from giveaway.sources.formats import formats as formats

_HOME = {
    "Assessment": "assessment",
    "Belief": "attacks.frequencies.belief",
    "BudgetExceeded": "errors",
    "CheckFailed": "errors",
    "Close": "attacks.directory.readings.close",
    "DataError": "errors",
    "Earlier": "model.release.earlier",
    "Difference": "releases.difference",
    "Edge": "papers.items.labelled",
    "Effort": "model.question.effort",
    "Exposure": "model.answer.risk",
    "Filing": "model.question.filing",
    "GiveawayError": "errors",
    "Itemsets": "attacks.frequencies.attacker",
    "Jaro": "attacks.directory.attacker",
    "KnownPairs": "attacks.frequencies.attacker",
    "KnowsAttributes": "attacks.attributes.attacker",
    "KnowsDirectory": "attacks.directory.attacker",
    "KnowsFrequencies": "attacks.frequencies.attacker",
    "KnowsItems": "attacks.items.attacker",
    "KnowsProfiles": "attacks.profiles.attacker",
    "Ledger": "publish.ledger",
    "NeedsCells": "attacks.attributes.need",
    "NeedsColumns": "attacks.directory.need",
    "NeedsItems": "attacks.kept_items",
    "NeedsItemsets": "attacks.items.need",
    "NeedsRules": "attacks.profiles.need",
    "NoAnswer": "errors",
    "NoSafeRelease": "errors",
    "NothingToJudge": "errors",
    "NotConfirmed": "errors",
    "NotInstalled": "errors",
    "NotWritten": "errors",
    "Nouns": "model.answer.nouns",
    "Population": "model.release.earlier",
    "PublishedRules": "model.release.rule",
    "Readings": "attacks.directory.readings.named",
    "Recipients": "recipients.answer",
    "Release": "model.release.release",
    "Risk": "model.answer.risk",
    "Rule": "model.release.rule",
    "Rung": "nearby_limits",
    "RuleGraph": "papers.attributes.rule_graph",
    "Scenario": "scenario.reading",
    "ScenarioError": "errors",
    "Sensitivity": "model.release.sensitivity",
    "Statement": "model.release.rule",
    "Suda": "attacks.directory.readings.special_uniques",
    "Table": "model.data.table",
    "Tolerance": "model.question.tolerance",
    "Transactions": "model.data.transactions",
    "Withheld": "model.release.withheld",
    "Within": "attacks.directory.attacker",
    "WrongQuestion": "errors",
    "assess": "flow",
    "borders": "papers.items.borders",
    "breaking_point": "flow",
    "crack_space": "papers.frequencies.explore.crack_space",
    "cracks": "papers.frequencies.explore.recognise_people",
    "diff": "releases.diff",
    "edit_scenario": "scenario.editing",
    "formats": "sources.formats",
    "forms": "attacks.forms",
    "ladder": "nearby_limits",
    "least_risk": "papers.directory.least_risk",
    "look": "sources",
    "mine_rules": "itemsets.rule_mining",
    "propose": "scenario.proposal.propose",
    "protect": "flow",
    "protect_together": "recipients.planning",
    "read_table": "sources",
    "read_transactions": "sources",
    "readings": "attacks.directory.readings.of_table",
    "removal_rates": "papers.attributes.removal_rates",
    "rule_graph": "papers.attributes.rule_graph",
    "sentences": "report.told",
    "simulate": "papers.frequencies.explore.simulate",
    "suda": "attacks.directory.readings.of_table",
    "unlock": "sources.address",
    "write_example": "sources.example",
}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 # the keys are the public names


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module 'giveaway' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"giveaway.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
