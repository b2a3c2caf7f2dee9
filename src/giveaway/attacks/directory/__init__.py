"""The attack `directory`: somebody who looks people up."""

from fractions import Fraction

from giveaway.attacks.attack import Attack, later
from giveaway.attacks.directory.attacker import DirectoryOptions, Jaro, KnowsDirectory, Within
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.reporting.phrases import PHRASES
from giveaway.attacks.directory.scenario import PROPOSES, DirectoryFields
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


def _not_judged(_: Release, attacker: KnowsDirectory) -> tuple[str, ...]:
    together = "what a crowd has in common"
    return (together,) if attacker.knows_method else ("matching all records at once", together)


DIRECTORY = Attack(
    name="directory",
    attacker=KnowsDirectory,
    data=Table,
    release_fields=frozenset({"sensitivity", "hierarchies", "ladders", "gaps"}),
    knows_sensitive=True,
    need=NeedsColumns,
    options=DirectoryOptions,
    limits_used=frozenset({"identity", "average"}),
    greatest=lambda release: dict.fromkeys(
        ("identity", "average") if release.sensitivity.is_constant else ("identity",), Fraction(1)
    ),
    vacuous=later("giveaway.attacks.directory.vacuous", "refuse"),
    measure=later("giveaway.attacks.directory.measure", "measure"),
    protect=later("giveaway.attacks.directory.protect", "protect"),
    # With another directory, what is withheld must not depend on who of it has a record.
    always_protects=lambda _, attacker: attacker.knows_method and bool(attacker.directories),
    after=later("giveaway.attacks.directory.measure", "after"),
    scenario_fields=DirectoryFields,
    proposes=PROPOSES,
    story=(
        "Records are published without names. Somebody has a directory of people, such as a voters' register or a "
        "phone book, and looks up who agrees with what a record discloses."
    ),
    measures=(
        "For each record, how many records look exactly like it in the columns compared; in another directory, how many "
        "people would. The fewer, the easier it is to recognise. With knows_method = false, how many people of the directory "
        "agree with what it shows. Weighed by how much the disclosed values hurt, one in this many is the loss of the record; "
        "the risk is the mean loss."
    ),
    does_not_cover=(
        "Somebody of a crowd, who knows their own record and so finds the others in a smaller one.",
        "With another directory: somebody who thinks one of its people more likely to have a record than another.",
        "What shown rows teach about sensitive and unjudged columns, and so about blanks next to them.",
        "With knows_method = false: who makes the release again, looks for the records of a person, or matches all at once.",
        "What can be inferred about a person without knowing which record is theirs.",
        "Records of one release that are joined with each other or with another release.",
    ),
    not_judged=_not_judged,
    missing=(
        "A missing value of a record is a blank and agrees with everybody. A missing value of somebody in the directory agrees "
        'with no value that a record shows, so that gaps hide nobody else; with gaps = "agree" it agrees with every value, as '
        "in the paper. A record that agrees with nobody has no loss, and the risk as if it were listed is shown next to it."
    ),
    paper=(
        "Lebanon, Scannapieco, Fouad, Bertino: Beyond k-Anonymity: A Decision Theoretic Framework for Assessing Privacy "
        "Risk, PSD 2006. Their words: dictionary, consistency set, disclosure rule, Bayes risk, minimax rule, MinRisk."
    ),
    phrases=PHRASES,
)

__all__ = ["DIRECTORY", "DirectoryOptions", "Jaro", "KnowsDirectory", "Within"]
