"""The words of a scenario for readers of rules, and what `giveaway init` proposes of them."""

from collections.abc import Callable
from dataclasses import dataclass

from giveaway.attacks.profiles.need import NeedsRules
from giveaway.attacks.proposal import DataFound, Form, Proposal
from giveaway.errors import ScenarioError
from giveaway.model.data.table import Table
from giveaway.model.question.fields import File, described, settable
from giveaway.model.question.reading import Reading
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True)
class KeptRules:
    """What `rules` in [needs] says."""

    must_publish: File = described(settable(NeedsRules)["must_publish"].metadata["doc"])

    def loaded(self, reading: Reading, release: Callable[[], Release]) -> NeedsRules:
        """Return the need with the rules of the file, in the words of the table."""
        from giveaway.sources.side_files.rule_lists import read_rules

        table = release().original
        if not isinstance(table, Table):
            raise ScenarioError("needs.rules belongs to a table of which rules are published.", field=None)
        return NeedsRules(must_publish=read_rules(reading.base / self.must_publish, table))


_TOLERATES = """\
attribute = "4/5"             # nobody's value is believed with a greater chance
# share = "1/100"             # part of the people who may be exposed all the same
"""

_KNOWS = """\
# A colleague who knows this much of everybody, and reads the rules:
[[knows]]
attack = "profiles"
columns = {known}
{gaps}"""

_GAPS = """\
missing_profiles = "value"    # some records miss one of these: the gap is a value of its own; "drop" leaves them out
"""


def _knows(data: DataFound) -> str:
    return _KNOWS.format(known=data.known, gaps=_GAPS if data.gaps else "")


PROPOSES: dict[Form, Proposal] = {"rules": Proposal(tolerates=_TOLERATES, knows=_knows)}
