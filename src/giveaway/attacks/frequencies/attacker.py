"""The attacker who knows how often things occur, and what exactly they know and want."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, TypeVar, get_args, overload

from giveaway.attacks.frequencies.belief import Belief, OfPeople
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.exact import Number, fraction
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.fields import check_whole, check_word, described, documented

Order = Literal["random", "worst", "best", "frequency"]
Use = Literal["filter", "refine"]
Pair = tuple[Label, Label]
Itemset = tuple[Label, ...]
T = TypeVar("T")


class Several(Sequence[T]):
    """Some values of one kind; told as a count, because a Summary is not a place for thousands of them.

    >>> str(Several("pairs", [("a", "b")])), list(Several("items", "ab"))
    ('1 pair', ['a', 'b'])
    """

    def __init__(self, noun: str, values: Iterable[T]) -> None:
        self._noun = noun
        self._values = tuple(values)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        return self._values[place]

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Several) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)

    def __repr__(self) -> str:
        noun = self._noun if len(self) != 1 else self._noun.removesuffix("s")
        return f"{len(self):,} {noun}"


@dataclass(frozen=True, kw_only=True, init=False)
class Itemsets:
    """All sets of one size, those with one of some items, or a sample of them.

    >>> Itemsets(size=4, without_top=0.1, sample=10_000).without_top
    Fraction(1, 10)
    >>> list(Itemsets(size=2, with_any=["insulin", "hiv-test"]).with_any)
    ['insulin', 'hiv-test']
    """

    size: int = described("how many items each set has")
    without_top: Fraction = described(
        "leave this part of the items out, the most frequent ones", default=Fraction(0)
    )
    with_any: Sequence[Label] = described(
        "only sets with at least one of these items; all when left out", default=()
    )
    sample: int | None = described("judge this many random sets; all when left out", default=None)

    def __init__(
        self,
        *,
        size: int,
        without_top: Number = 0,
        with_any: Iterable[Label] = (),
        sample: int | None = None,
    ) -> None:
        check_whole("size", size)
        if sample is not None:
            check_whole("sample", sample)
        top = fraction(without_top, "without_top")
        if not 0 <= top < 1:
            raise ScenarioError(
                f"without_top = {without_top!r} must be at least 0 and below 1.", field="without_top"
            )
        vars(self).update(
            size=size,
            without_top=top,
            with_any=_several(with_any, "with_any"),
            sample=sample,
        )


@dataclass(frozen=True, kw_only=True, init=False)
class KnownPairs:
    """Pairs of items that somebody knows to occur together often, or never.

    With `use = "filter"` the known pairs, the `top` ones of the data or those listed, must be among the candidates: the
    `candidates` most frequent pairs of codes, the pairs of codes that occur together in at least the share
    `candidates_at_least` of the transactions, or `candidate_pairs`, in which each code is named by its item: a list that all
    known pairs share, or for each known pair a list of its own (Figure 22 of the paper).
    With `use = "refine"` the two items of a pair, those listed or those that imply each
    other, are believed to be equally frequent.

    >>> KnownPairs(top=10).says()
    'the 10 pairs that occur together most often'
    >>> len(KnownPairs(pairs=[("a", "b")], candidate_pairs=[("a", "b"), ("a", "c")]).candidate_pairs)
    2
    >>> KnownPairs(candidate_pairs={("a", "b"): [("a", "b")], ("c", "d"): [("a", "b"), ("c", "d")]}).pairs
    2 pairs
    """

    top: int | None = described(
        "how many pairs are known: those that occur together most often", default=None
    )
    candidates: int | None = described(
        "filter: a known pair is among this many most frequent pairs of codes; as many as are known when left out",
        default=None,
    )
    candidates_at_least: Fraction | None = described(
        "filter: instead of a number, pairs of codes that occur together in at least this share of the transactions",
        default=None,
    )
    pairs: Sequence[Pair] = described("known pairs, listed", default=())
    candidate_pairs: Sequence[tuple[Label, ...]] = described(
        "filter: the pairs of codes that the known pairs are among, each code named by its item; or those of each known pair",
        default=(),
    )
    use: Use = described(
        "filter candidates by the pairs, or refine the beliefs of their items", default="filter"
    )
    at_least: Fraction = described(
        "refine: without listed pairs, those of which each item implies the other at least this often",
        default=Fraction(9, 10),
    )
    never: Sequence[Pair] = described(
        "pairs that are known never to occur together; by simulation", default=()
    )

    def __init__(
        self,
        *,
        top: int | None = None,
        candidates: int | None = None,
        candidates_at_least: Number | None = None,
        pairs: Iterable[Sequence[Label]] = (),
        candidate_pairs: Iterable[Sequence[Label]] | Mapping[Pair, Iterable[Sequence[Label]]] = (),
        use: Use = "filter",
        at_least: Number = Fraction(9, 10),
        never: Iterable[Sequence[Label]] = (),
    ) -> None:
        among: Sequence[tuple[Label, ...]]
        if isinstance(candidate_pairs, Mapping):
            pairs, among = _own_candidates(pairs, candidate_pairs)
        else:
            among = _pairs(candidate_pairs)
        vars(self).update(
            top=top,
            candidates=candidates,
            candidates_at_least=None
            if candidates_at_least is None
            else fraction(candidates_at_least, "candidates_at_least"),
            pairs=_pairs(pairs),
            candidate_pairs=among,
            use=use,
            at_least=fraction(at_least, "at_least"),
            never=_pairs(never),
        )
        self._check()

    def _check(self) -> None:
        for name in ("top", "candidates"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name))
        check_word("use", self.use, get_args(Use))
        if not 0 < self.at_least <= 1:
            raise ScenarioError(
                f"at_least = {self.at_least} must be above 0 and at most 1.", field="at_least"
            )
        if self.top is not None and self.pairs:
            raise ScenarioError("top and listed pairs are both given.", hint="give one of them.", field="top")
        self._check_candidates()
        if self.use == "filter" and not self.filters and not self.never:
            raise ScenarioError("known_pairs names no pair.", hint="give top, pairs or never.", field=None)

    def _check_candidates(self) -> None:
        names = ("candidates", "candidates_at_least", "candidate_pairs")
        stated = [name for name in names if getattr(self, name)]
        if self.use == "refine" and (self.top is not None or stated):
            raise ScenarioError(
                "top and candidates belong to filtering, and the pairs are used to refine.",
                hint='give pairs or at_least, or use = "filter".',
                field="use",
            )
        if len(stated) > 1:
            raise ScenarioError(
                f"{' and '.join(stated)} are both given.", hint="give one of them.", field=stated[0]
            )
        if self.candidates_at_least is not None and not 0 < self.candidates_at_least <= 1:
            raise ScenarioError(
                f"candidates_at_least = {self.candidates_at_least} must be above 0 and at most 1.",
                field="candidates_at_least",
            )
        if stated and not self.filters:
            raise ScenarioError(
                f"{stated[0]} is given without known pairs.",
                hint="give top or pairs too, or candidate_pairs for each known pair.",
                field=stated[0],
            )

    @property
    def filters(self) -> bool:
        """Whether candidates are filtered."""
        return self.use == "filter" and (self.top is not None or bool(self.pairs))

    @property
    def own_candidates(self) -> list[tuple[Pair, list[Pair]]]:
        """The pairs of codes that each known pair is among, where each has its own; else none."""
        own: dict[frozenset[Label], tuple[Pair, list[Pair]]] = {}
        for one, other, *codes in self.candidate_pairs:
            if codes:
                first, second = codes
                own.setdefault(frozenset((one, other)), ((one, other), []))[1].append((first, second))
        return list(own.values())

    def with_top(self, number: int) -> "KnownPairs":
        """Return the same person who knows this many pairs that occur together most often."""
        known = copy(self)
        object.__setattr__(known, "top", number)
        return known

    def says(self) -> str:
        """Say what is known, without a value of the data."""
        parts = []
        if self.use == "refine":
            which = "some pairs" if self.pairs else "all pairs"
            parts.append(f"{which} of {nouns().items} that imply each other")
        elif self.top is not None:
            parts.append("the pair" if self.top == 1 else f"the {self.top:,} pairs")
            parts[-1] += (
                " that occur together most often" if self.top > 1 else " that occurs together most often"
            )
        elif self.pairs:
            parts.append(f"some pairs of {nouns().items} that occur together often")
        if self.never:
            parts.append(f"some pairs of {nouns().items} that never occur together")
        return " and ".join(parts)


@documented
@dataclass(frozen=True, kw_only=True, init=False)
class KnowsFrequencies(Attacker):
    """Somebody who knows how often each item occurs, and looks for codes that occur as often.

    >>> KnowsFrequencies(compliance=0.5).knows()
    'how often each item occurs, give or take the median gap, correctly for 50 % of the items'
    """

    attack: ClassVar[str] = "frequencies"

    belief: Belief = described(
        "how often each item is believed to occur: ignorant, exact, around the truth, in ranges, or as in a sample; or what is "
        "known of people, whose records a table publishes without names",
        default=Belief.around(),
    )
    compliance: Fraction = described("the part of the items that is believed correctly", default=Fraction(1))
    order: Order = described(
        "which items are believed correctly when not all are: drawn at random, or the most exposed (worst), the least "
        "exposed (best) or the least frequent (frequency) first",
        default="random",
    )
    targets: Literal["items", "pairs"] | Itemsets | Several[Itemset] = described(
        "what is to be recognised: items, pairs, or larger sets of items", default="items"
    )
    known_pairs: KnownPairs | None = described(
        "pairs that are known to occur together, or never", default=None
    )
    of_interest: Sequence[Label] = described(
        "the only items that count, and of which sets are made; all when left out", default=()
    )

    def __init__(
        self,
        *,
        belief: Belief | None = None,
        compliance: Number = 1,
        order: Order = "random",
        targets: Literal["items", "pairs"] | Itemsets | Iterable[Iterable[Label]] = "items",
        known_pairs: KnownPairs | None = None,
        of_interest: Iterable[Label] = (),
        knows_method: bool = True,
    ) -> None:
        vars(self).update(
            belief=Belief.around() if belief is None else belief,
            compliance=fraction(compliance, "compliance"),
            order=order,
            targets=targets if isinstance(targets, str | Itemsets) else _listed(targets),
            known_pairs=known_pairs,
            of_interest=_several(of_interest, "of_interest"),
            knows_method=knows_method,
        )
        super().__post_init__()
        self._check()

    def _check(self) -> None:
        if not isinstance(self.belief, Belief):
            raise ScenarioError(
                f"belief = {self.belief!r} is not a belief.",
                hint="Belief.around() is one; so is Belief.exact().",
                field="belief",
            )
        if not 0 <= self.compliance <= 1:
            raise ScenarioError(
                f"compliance = {self.compliance} must be from 0 to 1.",
                hint=f"1 is right about every {nouns().item}.",
                field="compliance",
            )
        if self.belief.measured and self.compliance != 1:
            raise ScenarioError(
                "compliance is given with intervals or a sample, for which it is found out.",
                hint="leave compliance out with intervals and samples.",
                field="belief",
            )
        if self.of_people:
            self._check_people()
        if self.belief.weighs and (self.wants_sets or self.known_pairs is not None):
            raise ScenarioError(
                f"Ranges with weights are judged for single {nouns().items}, without known pairs.",
                hint="leave out targets and known_pairs, or the weights.",
                field="belief",
            )
        check_word("order", self.order, get_args(Order))
        if isinstance(self.targets, str) and self.targets not in ("items", "pairs"):
            raise ScenarioError(
                f"targets = {self.targets!r} is unknown.",
                exists=f"{nouns().items}, pairs, sets of a size, or a list of itemsets",
                field="targets",
            )
        if isinstance(self.targets, Several) and self.of_interest:
            raise ScenarioError(
                f"of_interest limits {nouns().items}, and itemsets are listed as targets.",
                hint="list the itemsets of interest only.",
                field="targets",
            )

    def _check_people(self) -> None:
        for name, default in (("targets", "items"), ("known_pairs", None)):
            if getattr(self, name) != default:
                raise ScenarioError(
                    f"{name} is about {nouns().items}, and something is known of people.",
                    hint=f"leave {name} out.",
                    field=name,
                )
        if self.order == "frequency":
            raise ScenarioError(
                "Of people nobody is more frequent than another.",
                exists="random, worst, best",
                field="order",
            )

    def right_about(self, part: Fraction) -> "KnowsFrequencies":
        """Return the same somebody who is right about another part of the items."""
        other = copy(self)
        object.__setattr__(other, "compliance", part)
        return other

    @property
    def of_people(self) -> bool:
        """Whether something is known of people, not of items."""
        return self.belief.kind == "people"

    def looks_at(self, table: Table | None = None) -> tuple[str, ...]:  # noqa: ARG002 - it is said which they are
        """Return the columns that something is known about."""
        return self.belief.columns if isinstance(self.belief, OfPeople) else ()

    @property
    def wants_sets(self) -> bool:
        """Whether itemsets are to be cracked, not single items."""
        return self.targets != "items"

    def knows(self) -> str:
        """Say what this attacker knows."""
        text = self.belief.says()
        if self.compliance != 1:
            text += f", correctly for {float(100 * self.compliance):.3g} % of the {nouns().items}"
        return text if self.known_pairs is None else f"{text}; and {self.known_pairs.says()}"


@dataclass(frozen=True, kw_only=True)
class FrequenciesOptions:
    """How items are chosen for withholding: there is one way."""


def _pairs(listed: Iterable[Sequence[Label]]) -> Sequence[Pair]:
    pairs = tuple(map(_pair, listed))
    return Several("pairs", pairs) if pairs else ()


def _own_candidates(
    pairs: Iterable[Sequence[Label]], candidates: Mapping[Pair, Iterable[Sequence[Label]]]
) -> tuple[Iterable[Pair], Sequence[tuple[Label, ...]]]:
    """Return the known pairs, and each with every pair of codes that it is among."""
    if list(pairs):
        raise ScenarioError(
            "Known pairs and the candidates of each are both given.",
            hint="list each pair with its candidates only.",
            field=None,
        )
    own = {_pair(pair): [_pair(one) for one in among] for pair, among in candidates.items()}
    for pair, among in own.items():
        if not among:
            raise ScenarioError(
                f"The known pair {pair!r} has no candidates.", hint="leave it out.", field=None
            )
    each = tuple((*pair, *one) for pair, among in own.items() for one in among)
    return own, Several("pairs", each) if each else ()


def _pair(pair: Sequence[Label]) -> Pair:
    members = () if isinstance(pair, str) else tuple(pair)
    if len(members) != 2 or members[0] == members[1]:  # noqa: PLR2004 - a pair
        raise ScenarioError(
            f"{pair!r} is not a pair of two different {nouns().items}.",
            hint='write ("bread", "butter").',
            field=None,
        )
    return members[0], members[1]


def _listed(itemsets: Iterable[Iterable[Label]]) -> Several[Itemset]:
    sets = []
    for one in itemsets:
        members = () if isinstance(one, str) else tuple(one)
        if not members or len(set(members)) < len(members):
            raise ScenarioError(
                f"{one!r} is not an itemset: it needs at least one {nouns().item}, and each once.",
                hint='write ["bread", "jam"].',
                field="targets",
            )
        sets.append(members)
    if not sets:
        raise ScenarioError(
            "targets lists no itemset.",
            hint=f'leave it out to judge {nouns().items}, or write "pairs".',
            field="targets",
        )
    return Several("itemsets", sets)


def _several(labels: Iterable[Label], what: str) -> Sequence[Label]:
    if isinstance(labels, str):
        raise ScenarioError(
            f"{what} is a list of {nouns().items}, not one text.", hint='write ["bread"].', field=what
        )
    items = tuple(dict.fromkeys(labels))
    return Several("items", items) if items else ()
