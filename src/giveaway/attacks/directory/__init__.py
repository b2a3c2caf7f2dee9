"""The attack `directory`: somebody who looks people up."""

from fractions import Fraction

from giveaway.attacks.attack import Attack, later
from giveaway.attacks.directory.attacker import DirectoryOptions, Jaro, KnowsDirectory, Within
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.readings.close import Close
from giveaway.attacks.directory.reporting.asking import ASKING
from giveaway.attacks.directory.reporting.phrases import PHRASES
from giveaway.attacks.directory.scenario import PROPOSES, DirectoryFields
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def _not_judged(_: Release, attacker: KnowsDirectory, tolerance: Tolerance) -> tuple[str, ...]:
    in_common = () if tolerance.attribute is not None else ("what a crowd has in common",)
    return in_common if attacker.knows_method else ("matching all records at once", *in_common)


def _always_protects(
    _: Release, attacker: KnowsDirectory, tolerance: Tolerance, need: NeedsColumns | None
) -> bool:
    """Say that exactly so many values is a choice, and what must not depend on who has a record, nor on sensitive values."""
    depends = bool(attacker.directories) or tolerance.attribute is not None
    return (attacker.knows_method and depends) or (need is not None and not need.fill)


DIRECTORY = Attack(
    name="directory",
    attacker=KnowsDirectory,
    data=Table,
    release_fields=frozenset({"sensitive_classes", "sensitivity", "hierarchies", "ladders", "gaps"}),
    knows_sensitive=True,
    need=NeedsColumns,
    options=DirectoryOptions,
    limits_used=frozenset({"identity", "attribute", "average"}),
    spared=lambda _, private: {} if private else {"attribute": "no sensitive column is named"},
    greatest=lambda release: dict.fromkeys(
        ("identity", "attribute", *(("average",) if release.sensitivity.is_constant else ())), Fraction(1)
    ),
    has_readings=True,
    vacuous=later("giveaway.attacks.directory.vacuous", "refuse"),
    measure=later("giveaway.attacks.directory.measure", "measure"),
    protect=later("giveaway.attacks.directory.protect", "protect"),
    always_protects=_always_protects,
    views=later("giveaway.attacks.directory.together.views", "views"),
    blind_limits=frozenset({"identity", "average"}),
    after=later("giveaway.attacks.directory.measure", "after"),
    scenario_fields=DirectoryFields,
    proposes=PROPOSES,
    story=(
        "Records are published without names. Somebody has a directory of people, such as a voters' register or a "
        "phone book, and looks up who agrees with what a record discloses; or sees what the records that may be somebody's "
        "have in common."
    ),
    measures=(
        "For each record, how many records look exactly like it in the columns compared; in another directory, how many "
        "people would. The fewer, the easier it is to recognise. With knows_method = false, how many people of the directory "
        "agree with what it shows. Weighed by how much the disclosed values hurt, one in this many is the loss of the record; "
        "the risk is the mean loss. With an attribute limit, how surely the sensitive values of each person can be guessed: by "
        "what the released records show that may be theirs, also where nobody can tell which of them is."
    ),
    does_not_cover=(
        "Somebody of a crowd, who knows their own record and so finds the others in a smaller one.",
        "Somebody who knows more of people than the columns compared, such as the sensitive values of some.",
        "With another directory: somebody who thinks some of its people likelier than others, unless likelihood says so.",
        "Next to attackers of another kind: what their protection tells of sensitive values by the entries that it hides.",
        "What shown rows teach of how sensitive and unjudged columns go with others, and so about blanks next to them.",
        "If the attacker is said not to know the method: who makes the release again, looks for the records of a person, or matches all at once.",
        "Without a limit on attribute: what is told of a person by all records that may be theirs.",
        "Why sensitive entries are hidden, where all records that may be somebody's hide theirs.",
        "If only some columns are known: somebody who also knows the other columns of some people.",
        "If only some columns are known, with a limit on attribute: what the other columns of a record tell of its blanks.",
        "Records of one release that are joined with each other.",
        "Records that are joined with another release, unless it is named as an earlier one.",
        "Next to earlier releases: rows that are joined by columns which are published unjudged, if they are said not to be.",
        "Next to several earlier releases: the rows of whoever left, joined with each other.",
    ),
    not_judged=_not_judged,
    missing=(
        "A missing value of a record is a blank and agrees with everybody. A missing value of somebody in the directory agrees "
        'with no value that a record shows, so that gaps hide nobody else; with gaps = "agree" it agrees with every value, as '
        "in the paper. A record that agrees with nobody has no loss, and the risk as if it were listed is shown next to it."
    ),
    assumes=(
        "One record is about one person.",
        "The people whom the attacker looks up are those of the stated directory, each named once; without one, those of the table.",
    ),
    paper=(
        "Lebanon, Scannapieco, Fouad, Bertino: Beyond k-Anonymity: A Decision Theoretic Framework for Assessing Privacy "
        "Risk, PSD 2006. Their words: dictionary, consistency set, disclosure rule, Bayes risk, minimax rule, MinRisk."
    ),
    paper_number="002",
    studies=later("giveaway.attacks.directory.studies", "studies"),
    phrases=PHRASES,
    asking=ASKING,
)

__all__ = ["DIRECTORY", "Close", "DirectoryOptions", "Jaro", "KnowsDirectory", "Within"]
