"""The attack `directory`: somebody who looks people up."""

from fractions import Fraction

from giveaway.attacks.attack import Asks, Attack, Conditional, Does, Limits, Reads, Says
from giveaway.attacks.directory.attacker import DirectoryOptions, Jaro, KnowsDirectory, Within
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.readings.close import Close
from giveaway.attacks.directory.reporting.asking import ASKING
from giveaway.attacks.directory.reporting.phrases import PHRASES
from giveaway.attacks.directory.scenario import PROPOSES, DirectoryFields
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def _not_judged(release: Release, attacker: KnowsDirectory, tolerance: Tolerance) -> tuple[str, ...]:
    in_common = () if tolerance.attribute is not None else ("what everybody who fits has in common",)
    if attacker.knows_method:
        return in_common
    gaps = ("taking missing values in the directory for no value",) if release.gaps == "agree" else ()
    return f"matching all {nouns().records} at once", *gaps, *in_common


def _does() -> Does:
    from giveaway.attacks.directory.does import DOES

    return DOES


DIRECTORY = Attack(
    name="directory",
    attacker=KnowsDirectory,
    options=DirectoryOptions,
    need=NeedsColumns,
    reads=Reads(
        data=Table,
        fields=frozenset({"sensitive_classes", "sensitivity", "hierarchies", "ladders", "gaps"}),
        knows_sensitive=True,
    ),
    limits=Limits(
        used=frozenset({"identity", "attribute", "average"}),
        spared=lambda _, private: {} if private else {"attribute": "no sensitive column is named"},
        greatest=lambda release: dict.fromkeys(
            ("identity", "attribute", *(("average",) if release.sensitivity.is_constant else ())), Fraction(1)
        ),
        unjoined_tell_more=frozenset({"attribute"}),
        blind=frozenset({"identity", "average"}),
    ),
    does=_does,
    says=Says(
        readings=True,
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
            Conditional(
                "What is told of a person by all records that may be theirs, such as an illness that all of them share.",
                if_="without a limit on attribute",
                when=lambda _, tolerance: tolerance.attribute is None,
            ),
            Conditional(
                "Somebody who knows the method and makes the release again, looks for the records of a person, or matches all at once.",
                if_="with knows_method = false",
                when=lambda attacker, _: not attacker.knows_method,
            ),
            Conditional(
                "Somebody who thinks some people of the directory likelier to have a record than others.",
                if_="with another directory and without likelihood",
                when=lambda attacker, _: bool(attacker.people) and attacker.likelihood is None,
            ),
            Conditional(
                "Somebody who also knows the other columns of some people.",
                if_="with at_most",
                when=lambda attacker, _: attacker.at_most is not None,
            ),
            Conditional(
                "What the other columns of a record tell of its blanks.",
                if_="with at_most and a limit on attribute",
                when=lambda attacker, tolerance: (
                    attacker.at_most is not None and tolerance.attribute is not None
                ),
            ),
            "What shown rows teach of how sensitive and unjudged columns go with others, and so about blanks next to them.",
            "Why sensitive entries are hidden, where all records that may be somebody's hide theirs.",
            "Next to attackers of another kind: what their protection tells of sensitive values by the entries that it hides.",
            "Records of one release that are joined with each other.",
            "Records that are joined with another release, unless it is named as an earlier one.",
            "Next to earlier releases: rows that are joined by columns which are published unjudged, if they are said not to be.",
            "Next to several earlier releases: the rows of whoever left, joined with each other.",
        ),
        not_judged=_not_judged,
        missing=(
            "Where people are counted who fit a record, a missing value of it is a blank and agrees with everybody. A missing "
            "value of somebody in the directory agrees "
            'with no value that a record shows, so that gaps hide nobody else; with gaps = "agree" it agrees with every value, as '
            "in the paper. A record that agrees with nobody has no loss, and the risk as if it were listed is shown next to it."
        ),
        assumes=(
            "One record is about one person.",
            Conditional(
                "The attacker looks people up in the stated directory, where each is named once; whoever is not in it is not found by it.",
                if_="with another directory",
                when=lambda attacker, _: bool(attacker.people),
            ),
            Conditional(
                "The attacker knows who has a record; people without one would only add to the crowds.",
                if_="without another directory",
                when=lambda attacker, _: not attacker.people,
            ),
        ),
        paper=(
            "Lebanon, Scannapieco, Fouad, Bertino: Beyond k-Anonymity: A Decision Theoretic Framework for Assessing Privacy "
            "Risk, PSD 2006. Their words: dictionary, consistency set, disclosure rule, Bayes risk, minimax rule, MinRisk."
        ),
        phrases=PHRASES,
    ),
    asks=Asks(scenario_fields=DirectoryFields, proposes=PROPOSES, page=ASKING),
)

__all__ = ["DIRECTORY", "Close", "DirectoryOptions", "Jaro", "KnowsDirectory", "Within"]
