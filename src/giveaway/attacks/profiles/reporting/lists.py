"""Lists of the attack `profiles` that are worked out only when they are asked for."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.attacks.profiles.posterior import ProfileBelief
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.attacks.profiles.reporting.figures import OtherForms, divergences
from giveaway.attacks.wording import counted
from giveaway.maximum_entropy import constraints
from giveaway.maximum_entropy.constraints import Floats
from giveaway.model.answer.risk import Curve
from giveaway.model.data.arrays import Ints

Lines = list[dict[str, Any]]

TOP = 500
"""The curves of Figure 7(c) take the mean over at most this many profiles."""


class ChanceLists:
    """Every chance and divergence, whom the silence or the scores hurt most, and what is absent.

    Profiles come in label order unless it is said otherwise; those that are not judged are left out.
    """

    def __init__(self, question: ProfilesQuestion, belief: ProfileBelief, others: OtherForms) -> None:
        self._question, self._belief, self._others = question, belief, others
        self._people = question.people

    def asked(self) -> dict[str, Lines | None]:
        """Return the lists that are to be shown; None for one about something that the release does not have."""
        makers: dict[str, Callable[[], Lines | None]] = {
            "chances": self.chances,
            "joint_chances": self.joint_chances,
            "divergences": self.by_profile,
            "people": self.by_person,
            "silence": lambda: self._hurt(self.silence, self._belief, self._others.without_silence),
            "scores": lambda: self._hurt(
                self.scores, self._others.scores_exact, self._others.scores_withheld
            ),
            "absences": self.absences,
        }
        return {name: makers[name]() for name in self._question.attacker.show if name in makers}

    def curves(self) -> tuple[Curve, ...]:
        """Return the mean over the profiles that the silence, or the scores, hurt most (Figure 7(c))."""
        shown = self._question.attacker.show
        curves = (
            _mean_of_most("silence", "what is absent", self.silence) if "silence" in shown else None,
            _mean_of_most("scores", "the exact scores", self.scores) if "scores" in shown else None,
        )
        return tuple(curve for curve in curves if curve is not None)

    def chances(self) -> Lines:
        """List the chance of every sensitive value for every profile, next to the true share (Problem 3.1)."""
        truth = _shares(self._people.holding, self._known_of_columns)
        domain = self._people.domain
        lines = []
        for profile in self._judged:
            for answer in range(truth.shape[1]):
                column, value = domain.named(answer)
                share, chance = truth[profile, answer], self._belief.chance[profile, answer]
                lines.append(
                    self._whose(profile)
                    | {"column": column, "value": value, "chance": float(chance), "truth": _known(share)}
                )
        return lines

    def joint_chances(self) -> Lines:
        """List the chance of every combination of sensitive values for every profile (footnote 1)."""
        values, domain = self._people.profiles.values, self._people.domain
        truth = _shares(values, values.sum(axis=1, keepdims=True))
        codes = np.array(np.unravel_index(np.arange(domain.size), domain.sizes)).T.tolist()
        names = [
            {
                column: labels[code]
                for column, labels, code in zip(domain.sensitive, domain.labels, one, strict=True)
            }
            for one in codes
        ]
        chance = self._belief.joint_chance
        return [
            self._whose(profile)
            | {
                "together": name,
                "chance": float(chance[profile, joint]),
                "truth": _known(truth[profile, joint]),
            }
            for profile in self._judged
            for joint, name in enumerate(names)
        ]

    def by_profile(self) -> Lines:
        """List how far from the truth the attacker is about each profile (D_individual), the nearest first."""
        each = self._divergences(self._belief)
        order = sorted(self._judged, key=lambda profile: (np.isnan(each[profile]), each[profile]))
        return [self._whose(profile) | {"divergence": _known(each[profile])} for profile in order]

    def by_person(self) -> Lines:
        """List for each record the chance of its true values, and how far the attacker is from the truth about it."""
        table, domain = self._question.table, self._people.domain
        each = self._divergences(self._belief)
        codes = [table.columns[name][table.record_of].tolist() for name in domain.sensitive]
        lines = []
        for row, profile in enumerate(self._people.profile_of.tolist()):
            if not self._question.judged[profile]:
                continue
            for place, column in enumerate(domain.sensitive):
                code = codes[place][row]
                answer = int(domain.first[place]) + code
                lines.append(
                    {
                        "record": table.record(row),
                        "column": column,
                        "value": domain.labels[place][code] if code >= 0 else None,
                        "chance": float(self._belief.chance[profile, answer]) if code >= 0 else None,
                        "divergence": _known(each[profile]),
                    }
                )
        return lines

    @cached_property
    def silence(self) -> Floats | None:
        """How much nearer to the truth about each profile the attacker is because of what is absent."""
        return self._nearer(self._belief, self._others.without_silence)

    @cached_property
    def scores(self) -> Floats | None:
        """How much nearer exact scores bring the attacker to the truth than scores that are withheld."""
        return self._nearer(self._others.scores_exact, self._others.scores_withheld)

    def absences(self) -> Lines | None:
        """List the absent rules that imply all others (Theorem 3), with the most records that each may have."""
        question, people = self._question, self._people
        if not question.silence_tells:
            return None
        published = question.published
        itemsets, kept = constraints.needed_absences(
            people.profiles,
            people.domain.answers,
            published.min_support,
            published.min_confidence,
            inclusive=published.inclusive,
        )
        lines = []
        for itemset, answer in np.argwhere(kept).tolist():
            part = slice(int(itemsets.offsets[itemset]), int(itemsets.offsets[itemset + 1]))
            column, value = people.domain.named(answer)
            many = int(itemsets.support[itemset])
            lines.append(
                {
                    "condition": people.condition(itemsets.columns[part], itemsets.codes[part]),
                    "column": column,
                    "value": value,
                    "people": many,
                    "at_most": min(question.claims.terms.absent(many), many),
                    "profiles": int(itemsets.profiles[itemset]),
                }
            )
        return lines

    # What the lists are made of ---------------------------------------------------------------------------------

    @cached_property
    def _judged(self) -> list[int]:
        judged: list[int] = np.flatnonzero(self._question.judged).tolist()
        return judged

    @property
    def _known_of_columns(self) -> Ints:
        """The number of people of each profile whose value is known, for each answer that of its column."""
        domain, holding = self._people.domain, self._people.holding
        sums = np.add.reduceat(holding, domain.first[:-1], axis=1)
        return np.repeat(sums, domain.sizes, axis=1)

    def _whose(self, profile: int) -> dict[str, Any]:
        return {
            "target": self._people.target(profile),
            "people": int(self._people.profiles.weights[profile]),
        }

    def _divergences(self, belief: ProfileBelief) -> Floats:
        return divergences(self._people.profiles, belief.solution.chance)

    def _nearer(self, nearer: ProfileBelief | None, farther: ProfileBelief | None) -> Floats | None:
        """Subtract divergences, profile by profile; nan where they are unknown or not judged."""
        if nearer is None or farther is None:
            return None
        near, far = self._divergences(nearer), self._divergences(farther)
        with np.errstate(invalid="ignore"):
            difference = np.where(near == far, 0.0, far - near)
        return np.where(self._question.judged, difference, np.nan)

    def _hurt(
        self, differences: Floats | None, nearer: ProfileBelief | None, farther: ProfileBelief | None
    ) -> Lines | None:
        """List profiles, those first about which a part of the release brings the attacker nearest to the truth."""
        if differences is None or nearer is None or farther is None:
            return None
        near, far = self._divergences(nearer), self._divergences(farther)
        truth = _shares(self._people.holding, self._known_of_columns)
        names = [self._people.domain.named(answer) for answer in range(truth.shape[1])]
        order = np.argsort(-differences, kind="stable")
        return [
            self._whose(profile)
            | {
                "difference": float(differences[profile]),
                "divergence": float(near[profile]),
                "divergence_without": float(far[profile]),
                "values": [
                    {
                        "column": column,
                        "value": value,
                        "truth": _known(truth[profile, answer]),
                        "chance": float(nearer.chance[profile, answer]),
                        "chance_without": float(farther.chance[profile, answer]),
                    }
                    for answer, (column, value) in enumerate(names)
                ],
            }
            for profile in order[: int((~np.isnan(differences)).sum())].tolist()
        ]


def _shares(part: Ints, whole: Ints) -> Floats:
    """Divide counts; nan where nothing is known."""
    with np.errstate(invalid="ignore"):
        shares: Floats = part / whole
    return shares


def _known(number: float) -> float | None:
    return None if np.isnan(number) else float(number)


def _mean_of_most(name: str, part: str, differences: Floats | None) -> Curve | None:
    """Draw the mean of the K largest differences against K."""
    if differences is None or not (np.isfinite(differences)).any():
        return None
    largest = np.sort(differences[np.isfinite(differences)])[::-1][:TOP]
    many = np.arange(1, len(largest) + 1)
    mean = np.cumsum(largest) / many
    return Curve(
        name=f"hurt_most_by_{name}",
        x_label="profiles, those hurt most first",
        y_label="mean difference of the divergence",
        x=tuple(map(float, many)),
        y=tuple(map(float, mean)),
        says=f"Because of {part} the attacker is nearer to the truth by {mean[0]:.3f} about one profile, and by "
        f"{mean[-1]:.3f} on average over the {counted(len(largest), 'profiles')} where it matters most.",
    )
