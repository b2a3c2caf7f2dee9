"""The fields of a scenario file that describe the release."""

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass
from pathlib import Path
from typing import Any, Literal

from giveaway.attacks.wording import listed
from giveaway.errors import Mistake, ScenarioError
from giveaway.model.answer.nouns import Nouns
from giveaway.model.classes.rules import ClassRule, LadderRule
from giveaway.model.data.labels import Label
from giveaway.model.data.origin import Rest
from giveaway.model.data.people import Gaps
from giveaway.model.exact import Number
from giveaway.model.question.fields import File, described, settable
from giveaway.model.question.reading import Reading
from giveaway.model.release.rule import PublishedRules, Rule, Statement
from giveaway.model.release.sensitivity import Form, Sensitivity
from giveaway.scenario.files import Data
from giveaway.sources.formats import endings_described


def words(kind: type) -> dict[str, Field[Any]]:
    """Return the fields of a dataclass by the word of the grammar; `from_` is written `from`."""
    return {name.removesuffix("_"): field for name, field in settable(kind).items()}


_DOCS = {name: field.metadata["doc"] for name, field in settable(PublishedRules).items()}


@dataclass(frozen=True, kw_only=True)
class Digits:
    """Numbers rounded for publication."""

    digits: int = described("this many digits after the point")


@dataclass(frozen=True, kw_only=True)
class RulesFields:
    """What `rules` in [release] says: the list is found in the data or read from a file."""

    min_support: Number = described(_DOCS["min_support"])
    min_confidence: Number = described(_DOCS["min_confidence"])
    scores: Literal["withheld", "exact"] | Digits = described(_DOCS["scores"], default="withheld")
    complete: bool = described(_DOCS["complete"], default=True)
    distribution: Literal["withheld", "published"] = described(_DOCS["distribution"], default="withheld")
    inclusive: bool = described(_DOCS["inclusive"], default=True)
    from_: File | None = described("a file with the rules; found in the data when left out", default=None)

    def __post_init__(self) -> None:
        self.published(())

    def published(self, rules: Iterable[Rule]) -> PublishedRules:
        """Publish some rules as these fields say."""
        return PublishedRules(
            rules,
            min_support=self.min_support,
            min_confidence=self.min_confidence,
            scores=self.scores.digits if isinstance(self.scores, Digits) else self.scores,
            complete=self.complete,
            distribution=self.distribution,
            inclusive=self.inclusive,
        )


@dataclass(frozen=True, kw_only=True)
class SensitivityFields:
    """What `sensitivity` in [release] says when it is not constant."""

    columns: Mapping[str, Number] | None = described(
        "a weight for each column, as in { age = 1, hiv = inf }; a column without one weighs nothing",
        default=None,
    )
    records: File | None = described(
        "a file of weights of records; its columns: the id or row, and weight", default=None
    )
    cells: File | None = described(
        "a file of weights of entries; its columns: the id or row, and one for each attribute, empty is 0",
        default=None,
    )
    pairs: File | None = described(
        "a file of further weights of two or more entries together; its columns: the id or row, first, second, weight, and "
        "third to sixth where there are more",
        default=None,
    )
    form: Form = described(
        "how weights are joined: they add up, or e is raised to the power of their sum", default="additive"
    )
    wrong: Number = described(
        "the part of it that hurts when a wrong person is taken for the one of a record, from 0 to 1",
        default=0,
    )

    def __post_init__(self) -> None:
        sketch = Sensitivity(
            columns=self.columns,
            records=None if self.records is None else {"": 1},
            cells=None if self.cells is None else {"": {"": 1}},
            pairs=None if self.pairs is None else {"": {("", "a"): 1}},
            form=self.form,
            wrong=self.wrong,
        )
        if sketch.is_constant and not sketch.wrong:
            raise ScenarioError(
                "sensitivity gives no weights.", exists="columns, records, cells, pairs", field=None
            )
        if self.pairs is not None and not (self.columns or self.records or self.cells):
            raise ScenarioError(
                "pairs adds to the weights of single entries, and there are none.",
                hint="give cells, columns or records too.",
                field="pairs",
            )


@dataclass(frozen=True, kw_only=True)
class WordsFields:
    """What `words` in [release] says."""

    row: str | tuple[str, ...] | None = described(
        'a row: a noun, or its singular and plural, as in ["person", "people"]', default=None
    )
    item: str | tuple[str, ...] | None = described("an item of transactions, likewise", default=None)

    def __post_init__(self) -> None:
        Nouns.of({"row": self.row, "item": self.item})


@dataclass(frozen=True, kw_only=True)
class ReleaseFields:
    """The section [release]."""

    data: Data = described(
        f"the file: {endings_described()}, each also as .gz; or an address with table or "
        "query: duckdb:FILE, postgres://HOST/DATABASE, sc://HOST:PORT (Spark Connect)"
    )
    table: str | None = described("the table at an address, as in people or hr.people", default=None)
    query: str | None = described("instead of table: an SQL query that gives the rows", default=None)
    kind: Literal["transactions", "table", "supports"] | None = described(
        "what the data are; guessed when left out", default=None
    )
    transactions: int | None = described(
        "supports: the number of transactions in which they were counted; the file has the columns item and support",
        default=None,
    )
    private: tuple[str, ...] = described("items that must not be inferred", default=())
    private_from: File | None = described("the same from a file, one item a line", default=None)
    domain: tuple[str, ...] = described(
        "items that belong to the domain although they never occur", default=()
    )
    domain_from: File | None = described("the same from a file, one item a line", default=None)
    renamed: bool = described("publish random codes instead of item labels", default=False)
    sensitive: tuple[str, ...] = described("table: the sensitive column or columns", default=())
    sensitive_together: bool = described(
        "table, with rules: the sensitive columns are one, whose values are the combinations of theirs",
        default=False,
    )
    sensitive_values: tuple[Label, ...] | None = described(
        "table: the only sensitive values worth protecting; all when left out", default=None
    )
    sensitive_classes: Mapping[str, Mapping[str, tuple[Label, ...]]] | None = described(
        'table: sensitive values that hurt together, as in { illness = { cancer = ["lung", "breast"] } }; judged besides '
        "the values, with sensitive_values = [] alone",
        default=None,
    )
    id: str | None = described(
        "the column that identifies a record or transaction; never published", default=None
    )
    item: str | None = described(
        "transactions: the column that holds an item, or a list of them", default=None
    )
    missing: tuple[str, ...] = described("what counts as missing, in a directory too", default=("",))
    separator: str | None = described("between the columns; sniffed when left out", default=None)
    header: bool = described("false: columns are named c1, c2, ...", default=True)
    publish_unjudged: tuple[str, ...] = described("columns published without being judged", default=())
    leave_out: tuple[str, ...] = described("columns that are not published", default=())
    rest: Rest | None = described(
        "what becomes of columns without a role: leave_out or publish_unjudged; refused when left out",
        default=None,
    )
    encoding: str = described("of text files", default="utf-8")
    order: Literal["kept", "shuffled"] = described("of the released rows", default="shuffled")
    secrets: File | None = described(
        "table: a file of sensitive entries that are hidden; its columns: the id or row, and column when several are "
        "sensitive",
        default=None,
    )
    must_publish: File | tuple[str, ...] = described(
        "table: a file of entries that must stay, with the id or row, and column; or a list of whole columns",
        default=(),
    )
    sensitivity: Literal["constant"] | SensitivityFields | None = described(
        'table: how much it hurts when a record is recognised: "constant" (as when left out), or weights with these '
        "fields",
        default=None,
    )
    hierarchies: Mapping[str, File] | None = described(
        'files that tell how the values of a column become coarser, as in { age = "age.csv" }, or the items of '
        'transactions, { item = "categories.csv" }: one value a line, then its coarser labels, without a header, as in ARX',
        default=None,
    )
    item_levels: Mapping[str, int] | None = described(
        "transactions: items that are planned to be given as their category, and its level, as in { cola = 1 }",
        default=None,
    )
    withheld: File | tuple[str, ...] = described(
        "what is withheld already; of transactions a list of them, or a file with one a line; of a table a list of whole "
        "columns, or a file of entries with the id or row, column, and level where a coarser label is published",
        default=(),
    )
    words: WordsFields | None = described(
        'what rows and items are called in every sentence, as in { row = "basket", item = "product" }',
        default=None,
    )
    classes: Mapping[str, ClassRule] | None = described(
        "table: columns whose values are put into classes before anything is judged, as in { age = [18, 40, 65], income "
        '= 10000, price = "quantiles 5", born = "year" }, or with these fields',
        default=None,
    )
    ladders: Literal["auto"] | Mapping[str, LadderRule] | None = described(
        'table: hierarchies made by rule, as in { age = [5, 10, 20], born = ["month", "year"], icd = [4, 3] }, or with '
        'these fields; "auto" for a column or for all that are numbers or dates',
        default=None,
    )
    decimal: Literal[".", ","] = described(
        "table: what stands before the decimals of numbers that are put into classes", default="."
    )
    gaps: Gaps = described(
        'table: what a missing value of somebody in the directory agrees with: "apart", with no value that a record '
        'shows, or "agree", with every one, as in the paper',
        default="apart",
    )
    rules: RulesFields | None = described(
        "table: publish association rules, not rows; its fields follow", default=None
    )
    statements: tuple[Statement, ...] = described(
        "table: further aggregates that are published with the rules, or instead of them, each with these fields",
        default=(),
    )
    statements_from: File | None = described(
        "the same from a file, such as the leaves of a decision tree", default=None
    )

    def __post_init__(self) -> None:
        wrong: list[Mistake] = []
        for first, second in (("private", "private_from"), ("domain", "domain_from")):
            if getattr(self, first) and getattr(self, second):
                fact = f"{first} and {second} are both given."
                wrong.append(Mistake(fact, hint="give one of them.", field=first))
        if self.id is not None and self.item is None and self.kind == "transactions":
            wrong.append(Mistake("id is given without item.", hint="a long table needs both.", field="kind"))
        both = sorted(
            {*(self.hierarchies or ())} & {*(self.ladders if isinstance(self.ladders, Mapping) else ())}
        )
        if both:
            fact = f'Column "{both[0]}" has a hierarchy and a ladder.'
            wrong.append(Mistake(fact, hint="give one of them.", field="ladders"))
        if len(set(self.domain)) < len(self.domain):
            twice = next(label for label in self.domain if self.domain.count(label) > 1)
            fact = f'domain names "{twice}" twice.'
            wrong.append(Mistake(fact, hint="name each item once.", field="domain"))
        wrong += self._supports() or self._other_kind() or self._other_form()
        if wrong:
            raise ScenarioError(wrong)

    def stated(self, names: Iterable[str]) -> list[str]:
        """Return those of some fields that say something else than when they are left out."""
        usual = {name: field.default for name, field in settable(ReleaseFields).items()}
        return [name for name in names if getattr(self, name) != usual[name]]

    def reading(self, base: Path) -> Reading:
        """Return how the data are read, for other files of the scenario."""
        how = {name: getattr(self, name) for name in _HOW_TO_READ}
        return Reading(base=base, data=self.data, kind=self.kind, how=how)

    @property
    def as_written(self) -> dict[str, Any]:
        """How the values stand in the file, as readers of it ask."""
        return {name: getattr(self, name) for name in _AS_WRITTEN}

    def _supports(self) -> list[Mistake]:
        """Find what is missing for supports, or does not belong to them."""
        if self.kind != "supports":
            if self.transactions is None:
                return []
            fact = "transactions is given without supports."
            return [Mistake(fact, hint='set kind = "supports".', field="transactions")]
        if self.transactions is None:
            return [
                Mistake(
                    "transactions is missing: supports are counted in some number of transactions.",
                    hint="transactions = 10000.",
                    field="kind",
                )
            ]
        unfit = self.stated((*NOT_OF_SUPPORTS, *OF_TABLES))
        return [_misplaced(unfit, "to rows, not to supports", "leave it out.", unfit[0])] if unfit else []

    def _other_kind(self) -> list[Mistake]:
        """Find fields that belong to the other kind of data."""
        for_transactions, for_tables = self.stated(OF_TRANSACTIONS), self.stated_for_tables
        if self.kind == "table" and for_transactions:
            blamed = for_transactions[0] if for_tables else "kind"
            return [_misplaced(for_transactions, "to transactions, not to a table", "use sensitive.", blamed)]
        if for_tables and (self.kind == "transactions" or for_transactions):
            alone = self.kind is None and len(for_transactions) == 1
            blamed = for_transactions[0] if alone else for_tables[0] if for_transactions else "kind"
            return [_misplaced(for_tables, "to a table, not to transactions", "use private.", blamed)]
        return []

    @property
    def stated_for_tables(self) -> list[str]:
        """The fields that are given and belong to a table; hierarchies do unless they are of items."""
        of_columns = {*(self.hierarchies or ())} - {"item", self.item}
        return [*self.stated(OF_TABLES), *(["hierarchies"] if of_columns else [])]

    @property
    def publishes_rules(self) -> bool:
        """Whether rules, or statements alone, are published instead of rows."""
        return bool(self.stated(OF_RULES))

    def _other_form(self) -> list[Mistake]:
        """Find fields that belong to published rows when rules are published, or the other way round."""
        if not self.publishes_rules:
            fact = "sensitive_together belongs to published rules, and rows are published."
            hint = "give rules too, or leave it out."
            return [Mistake(fact, hint=hint, field="sensitive_together")] if self.sensitive_together else []
        return [
            Mistake(f"{name} belongs to published rows, and rules are published instead of them.", field=name)
            for name in self.stated(NOT_OF_RULES)
        ]


_ROLES = ("id", "item", "publish_unjudged", "leave_out", "rest")
NOT_OF_SUPPORTS = ("private", "private_from", "renamed", *_ROLES, "hierarchies", "item_levels")
OF_TRANSACTIONS = ("private", "private_from", "domain", "domain_from", "renamed", "item", "item_levels")
OF_RULES = ("rules", "statements", "statements_from")
OF_FEW_ATTACKS = ("sensitive_classes", "sensitivity", "hierarchies", "ladders", "gaps")
OF_ROWS = ("secrets", "must_publish", *OF_FEW_ATTACKS)
NOT_OF_RULES = (*OF_ROWS, "withheld")
OF_TABLES = (
    "sensitive",
    "sensitive_together",
    "sensitive_values",
    "classes",
    "decimal",
    *(name for name in OF_ROWS if name != "hierarchies"),
    *OF_RULES,
)
"""Fields of [release] that belong to one kind of data, or to one of the two forms in which a table is published."""
_AS_WRITTEN = ("separator", "header", "encoding", "missing")
_HOW_TO_READ = (*_AS_WRITTEN, *_ROLES)
"""Fields of [release] that say how files with rows are written, and how they are read."""


def _misplaced(names: list[str], where: str, hint: str, field: str) -> Mistake:
    fact = f"{listed(names)} {'belongs' if len(names) == 1 else 'belong'} {where}."
    return Mistake(fact, hint=hint, field=field)
