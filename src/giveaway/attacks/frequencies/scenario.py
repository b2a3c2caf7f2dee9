"""The words of a scenario for an attacker who knows frequencies; files that they name are read when asked for."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from giveaway.attacks.frequencies.attacker import Itemsets, KnownPairs, KnowsFrequencies, Order, Use
from giveaway.attacks.frequencies.belief import Belief
from giveaway.attacks.proposal import Form, Proposal
from giveaway.errors import ScenarioError
from giveaway.model.exact import Number
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.fields import File, described, settable
from giveaway.model.question.reading import Reading

_DOCS = {name: field.metadata["doc"] for name, field in settable(KnowsFrequencies).items()}
_SETS = {name: field.metadata["doc"] for name, field in settable(Itemsets).items()}
_PAIRS = {name: field.metadata["doc"] for name, field in settable(KnownPairs).items()}


@dataclass(frozen=True, kw_only=True)
class BeliefFields:
    """What `belief` says when it is not a single word."""

    around: Number | None = described(
        'the truth, give or take "median gap", "mean gap" or a share of the transactions', default=None
    )
    intervals: File | None = described(
        "a file of ranges; its columns: item, low and high, and weight where parts of a range have some",
        default=None,
    )
    from_sample: File | None = described(
        "a file of similar transactions, believed give or take their own median gap", default=None
    )

    people: File | None = described(
        "a file of what is known of people, whose records a table publishes without names: the person in its first column, "
        "then values or ranges such as 30..35",
        default=None,
    )

    def __post_init__(self) -> None:
        stated = (self.around, self.intervals, self.from_sample, self.people)
        forms = [value for value in stated if value is not None]
        if len(forms) != 1:
            raise ScenarioError(
                "belief must say one thing.",
                exists="around, intervals, from_sample, people",
                hint="give one of them.",
                field=None,
            )
        if self.around is not None:
            Belief.around(self.around)

    def __str__(self) -> str:
        return f'{{ around = "{self.around}" }}'


@dataclass(frozen=True, kw_only=True)
class TargetFields:
    """What `targets` says when it is not a single word."""

    size: int | None = described(_SETS["size"], default=None)
    without_top: Number = described(_SETS["without_top"], default=0)
    with_any: tuple[str, ...] = described(_SETS["with_any"], default=())
    sample: int | None = described(_SETS["sample"], default=None)
    from_: File | None = described("a file of itemsets, one a line", default=None)

    def __post_init__(self) -> None:
        if (self.size is None) == (self.from_ is None):
            raise ScenarioError(
                "targets needs a size or a file of itemsets.", hint="give size or from.", field=None
            )
        if self.size is not None:
            self.sets()

    def sets(self) -> Itemsets:
        """Return the sets of a size."""
        return Itemsets(
            size=self.size or 0, without_top=self.without_top, with_any=self.with_any, sample=self.sample
        )


@dataclass(frozen=True, kw_only=True)
class PairFields:
    """What `known_pairs` says."""

    top: int | None = described(_PAIRS["top"], default=None)
    candidates: int | None = described(_PAIRS["candidates"], default=None)
    candidates_at_least: Number | None = described(_PAIRS["candidates_at_least"], default=None)
    candidate_pairs: File | None = described(
        "a file of the pairs of codes that the known pairs are among, each code named by its item; its columns: first "
        "and second, and known_first and known_second where each known pair has candidates of its own",
        default=None,
    )
    from_: File | None = described("a file of known pairs; its columns: first and second", default=None)
    use: Use = described(_PAIRS["use"], default="filter")
    at_least: Number = described(_PAIRS["at_least"], default="9/10")
    never: File | None = described(
        "a file of pairs that are known never to occur together; its columns: first and second", default=None
    )

    def __post_init__(self) -> None:
        self.sketch()

    def sketch(self) -> KnownPairs:
        """Return what is known, with something in the place of every file."""
        some = [("a", "b")]
        pairs, never, candidates = (
            () if file is None else some for file in (self.from_, self.never, self.candidate_pairs)
        )
        alone = self.top is None and not pairs and self.use == "filter"
        among = {some[0]: some} if alone and candidates else candidates
        return self._known(pairs=pairs, never=never, candidate_pairs=among)

    def loaded(self, base: Path) -> KnownPairs:
        """Return what is known, with the pairs of the files."""
        from giveaway.sources.files.supports import read_candidates, read_pairs

        candidates = () if self.candidate_pairs is None else read_candidates(base / self.candidate_pairs)
        known, never = (() if file is None else read_pairs(base / file) for file in (self.from_, self.never))
        return self._known(pairs=known, never=never, candidate_pairs=candidates)

    def _known(self, **pairs: Any) -> KnownPairs:
        stated = ("top", "candidates", "candidates_at_least", "use", "at_least")
        return KnownPairs(**pairs, **{name: getattr(self, name) for name in stated})


@dataclass(frozen=True, kw_only=True)
class FrequenciesFields(Attacker):
    """An entry of [[knows]] with attack = "frequencies"."""

    attack: ClassVar[str] = "frequencies"

    belief: Literal["ignorant", "exact"] | BeliefFields = described(
        _DOCS["belief"], default=BeliefFields(around="median gap")
    )
    compliance: Number = described(_DOCS["compliance"], default=1)
    order: Order = described(_DOCS["order"], default="random")
    targets: Literal["items", "pairs"] | TargetFields = described(_DOCS["targets"], default="items")
    known_pairs: PairFields | None = described(_DOCS["known_pairs"], default=None)
    of_interest: File | tuple[str, ...] = described(
        f"{_DOCS['of_interest']}; a list of items, or a file with one a line", default=()
    )

    def __post_init__(self) -> None:
        self._sketch()

    @property
    def of_people(self) -> bool:
        """Whether something is known of people, not of items."""
        return isinstance(self.belief, BeliefFields) and self.belief.people is not None

    def knows(self) -> str:
        """Say what this attacker knows, before files are read."""
        return self._sketch().knows()

    def _sketch(self) -> KnowsFrequencies:
        """Return the attacker with something in the place of every file, to find what is wrong without reading."""
        targets: Any = self.targets
        if isinstance(targets, TargetFields):
            targets = [("a",)] if targets.size is None else targets.sets()
        return self._attacker(
            self._plain_belief()
            or (Belief.of_people({"": {"": ""}}) if self.of_people else Belief.intervals({"": (0, 1)})),
            targets,
            None if self.known_pairs is None else self.known_pairs.sketch(),
            ("a",) if isinstance(self.of_interest, str) else self.of_interest,
        )

    def _attacker(
        self, belief: Belief, targets: Any, pairs: KnownPairs | None, interest: Iterable[Any]
    ) -> KnowsFrequencies:
        return KnowsFrequencies(
            belief=belief,
            compliance=self.compliance,
            order=self.order,
            targets=targets,
            known_pairs=pairs,
            of_interest=interest,
            knows_method=self.knows_method,
        )

    def _plain_belief(self) -> Belief | None:
        """Return a belief that needs no file."""
        if self.belief == "ignorant":
            return Belief.ignorant()
        if self.belief == "exact":
            return Belief.exact()
        if isinstance(self.belief, BeliefFields) and self.belief.around is not None:
            return Belief.around(self.belief.around)
        return None

    def loaded(self, reading: Reading) -> KnowsFrequencies:
        """Return the attacker with its files read."""
        from giveaway.sources.files.supports import read_items, read_itemsets

        base = reading.base
        targets: Any = self.targets
        if isinstance(targets, TargetFields):
            targets = targets.sets() if targets.from_ is None else read_itemsets(base / targets.from_)
        interest = self.of_interest
        return self._attacker(
            self._plain_belief() or self._read_belief(reading),
            targets,
            None if self.known_pairs is None else self.known_pairs.loaded(base),
            read_items(base / interest) if isinstance(interest, str) else interest,
        )

    def _read_belief(self, reading: Reading) -> Belief:
        from giveaway.sources import read_transactions
        from giveaway.sources.files.supports import read_intervals, read_known

        if not isinstance(self.belief, BeliefFields):
            raise TypeError("a belief of one word needs no file")
        if self.belief.intervals is not None:
            return Belief.intervals(read_intervals(reading.base / self.belief.intervals))
        if self.belief.people is not None:
            return Belief.of_people(read_known(reading.base / self.belief.people))
        path = reading.base / (self.belief.from_sample or "")
        same_kind = path.suffixes == Path(reading.data).suffixes and reading.kind != "supports"
        return Belief.from_sample(read_transactions(path, **(reading.how if same_kind else {})))


_AS_CODES = """\
# A competitor who knows about how often each item occurs; items are then published as random codes:
# [[knows]]
# attack = "frequencies"
# tolerates = { average = "1/10" }    # at most a tenth of the items is recognised
"""

_OF_SUPPORTS = """\
[[knows]]
attack = "frequencies"
"""

PROPOSES: dict[Form, Proposal] = {
    "transactions": Proposal(knows=lambda _: _AS_CODES),
    "supports": Proposal(
        tolerates='average = "1/10"    # at most a tenth of the items is recognised\n',
        knows=lambda _: _OF_SUPPORTS,
    ),
}
