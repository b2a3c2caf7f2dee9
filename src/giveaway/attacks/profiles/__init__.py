"""The attack `profiles`: somebody who reads published rules and knows everybody's profile."""

from fractions import Fraction

from giveaway.attacks.attack import Attack, Conditional, later
from giveaway.attacks.profiles.attacker import KnowsProfiles, ProfilesOptions
from giveaway.attacks.profiles.need import NeedsRules
from giveaway.attacks.profiles.reporting.asking import ASKING
from giveaway.attacks.profiles.reporting.phrases import PHRASES
from giveaway.attacks.profiles.scenario import PROPOSES, KeptRules
from giveaway.model.data.table import Table

PROFILES = Attack(
    name="profiles",
    attacker=KnowsProfiles,
    data=Table,
    reads="rules",
    requires=frozenset({"sensitive"}),
    need=NeedsRules,
    options=ProfilesOptions,
    limits_used=frozenset({"attribute"}),
    greatest=lambda _: {"attribute": 1 - Fraction(1, 10**7)},  # chances are compared with that tolerance
    vacuous=later("giveaway.attacks.profiles.vacuous", "refuse"),
    measure=later("giveaway.attacks.profiles.measure", "measure"),
    protect=later("giveaway.attacks.profiles.protect", "protect"),
    views=later("giveaway.attacks.profiles.together", "views"),
    after=later("giveaway.attacks.profiles.measure", "after"),
    need_fields=KeptRules,
    proposes=PROPOSES,
    story=(
        "Only association rules are published, no rows. Somebody knows the profile of every person, such as age, sex "
        "and postcode, and works out what the rules, and the silence about all other rules, say about each of them. A rule that most "
        "managers with a degree earn much tells a colleague, who knows job and degree, about the salary."
    ),
    measures=(
        "What a careful reader who assumes nothing else believes of each person: of all distributions of the sensitive value "
        "that agree with what is published, the most even one, which has maximum entropy. Its divergence from the truth tells "
        "how much of the truth the rules give away."
    ),
    does_not_cover=(
        Conditional(
            "Somebody who knows the sensitive value of some people already.",
            if_="without background",
            when=lambda attacker, _: not attacker.background,
        ),
        "A reader who counts all tables that agree with what is published: they may be surer than maximum entropy, the guess that is judged.",
        "What the choice of what is published tells: a withheld rule is one that said too much.",
        "Other releases or files that may be joined with this one.",
        "Next to earlier lists: sensitive values that changed since, and so what somebody had at some time.",
    ),
    not_judged=lambda release, attacker, _: (
        "counting the tables that fit the rules",
        *(("the choice of rules",) if attacker.knows_method else ()),
        *(("values that changed since earlier lists",) if release.earlier else ()),
    ),
    missing=(
        "A record that misses a sensitive value counts in its profile, and the attacker takes it to have one; it has no "
        "true value. Records that miss a value of their profile are refused, not judged, or judged like the others, as "
        "missing_profiles says."
    ),
    assumes=(
        "The reader knows the stated columns of everybody whom the rules are about, and of nobody else.",
        "The reader believes what is published and the stated background, and of all that agrees with it the most even guess.",
    ),
    paper=(
        "Zhu, Wang, Du: Deriving Private Information from Association Rule Mining Results, ICDE 2009. "
        "Their words: AR- and NAR-constraints, individual and overall divergence."
    ),
    phrases=PHRASES,
    asking=ASKING,
)

__all__ = ["PROFILES", "KnowsProfiles", "ProfilesOptions"]
