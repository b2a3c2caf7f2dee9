"""What readers of rules need."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from giveaway.attacks.wording import counted
from giveaway.model.question.fields import described, documented
from giveaway.model.question.need import Need
from giveaway.model.release.rule import Rule


@documented
@dataclass(frozen=True, kw_only=True, init=False)
class NeedsRules(Need):
    """Keep as many rules as possible, those of large support first, and some in any case.

    >>> NeedsRules(must_publish=[Rule({"sex": "f"}, "yes")]).must_publish[0].value
    'yes'
    """

    word: ClassVar[str] = "rules"
    meaning: ClassVar[str] = "rules to keep"

    must_publish: tuple[Rule, ...] = described(
        "rules that are published in any case: a file like rules.csv", default=()
    )

    def __init__(self, *, must_publish: Iterable[Rule] = ()) -> None:
        object.__setattr__(self, "must_publish", tuple(dict.fromkeys(must_publish)))

    def says(self) -> str:
        """Say what is kept in any case."""
        return f"{counted(len(self.must_publish), 'rules')} in any case" if self.must_publish else ""
