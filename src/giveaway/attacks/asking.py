"""How an attack is asked about by somebody who does not write a scenario file: sentences with a choice in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One place of a slider: what the field gets, a word under the slider, and who that would be."""

    value: Any
    mark: str
    says: str


@dataclass(frozen=True, kw_only=True)
class File:
    """A file that may belong to a question: what it is, and what holds without one."""

    asks: str
    without: str


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What is published, who might look, and where the questions begin; fields are named as a scenario names them."""

    data: Literal["table", "transactions"]
    """The data that the sentences speak of."""
    publishes: str
    """What the owner publishes, as in "the transactions, item by item"."""
    another: str
    """Who is added to those who might look, as in "somebody who looks for rules"."""
    slider: str = ""
    """The field of the attacker that says how strong it is; none where columns are ticked instead."""
    asks: str = ""
    """What the slider asks, for those who cannot see it."""
    choices: tuple[Choice, ...] = ()
    """The places of the slider, the weakest attacker first."""
    who: str = ""
    """Who would know the columns that are ticked."""
    ticks: bool = False
    """Whether the columns that somebody knows are ticked one by one."""
    starts: Mapping[str, Any] = field(default_factory=dict)
    """The fields of an attacker that the questions begin with."""
    release: Mapping[str, Any] = field(default_factory=dict)
    """The fields of the release that this form needs."""
    tolerates: Mapping[str, str] = field(default_factory=dict)
    """The limits that the questions begin with; those that may be asked about are its names."""
    needs: str = ""
    """The field of [needs] that is a number of rows, as in "itemsets.min_support"."""
    files: Mapping[str, File] = field(default_factory=dict)
    """Files that belong to the question, by the field that names each."""
