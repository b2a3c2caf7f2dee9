"""When no safe release exists: the reason, and the smallest change of tolerance that would help."""

from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

import numpy as np

from giveaway.attacks.items.evidence import evidence
from giveaway.attacks.items.question import ItemsQuestion
from giveaway.attacks.items.reporting.sentences import transactions
from giveaway.attacks.items.reporting.worst_cases import extremes
from giveaway.attacks.wording import listed
from giveaway.errors import Help, NoSafeRelease, Setting
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.labels import Label
from giveaway.model.exact import ratio
from giveaway.model.question.effort import Effort
from giveaway.moles.remaining import LiveMoles
from giveaway.moles.search import Moles


def refuse_hopeless(question: ItemsQuestion, moles: Moles) -> None:
    """Raise when the empty set is a mole: then no choice of items to withhold helps.

    Xu et al., section 3.2: a cohesion exists if and only if the empty itemset is not a mole.
    """
    if question.too_few:
        raise NoSafeRelease(
            f"There are only {transactions(question.transactions)}, fewer than the crowd of {question.crowd:,} asked for.",
            helps=helps(question, moles),
            proved=True,
        )
    if question.too_frequent:
        label, count = question.too_frequent[0]
        others = len(question.too_frequent) - 1
        more = (
            f" The same holds for {others} more private {nouns().items}."
            if others > 1
            else " The same holds for 1 more."
            if others
            else ""
        )
        raise NoSafeRelease(
            f"The private {nouns().item} {label!r} is in {count:,} of {transactions(question.transactions)}, above the limit of "
            f"{ratio(question.limit)}, and private {nouns().items} are not withheld.{more}",
            helps=helps(question, moles),
            proved=True,
        )


def refuse_kept(question: ItemsQuestion, moles: Moles, effort: Effort) -> None:
    """Raise when the items that must stay are over a limit by themselves: more items never expose fewer.

    So a safe release that publishes them exists if and only if it is safe to publish nothing else.
    """
    alone = _alone(question)
    if alone is None:
        return
    over = alone.moles(effort)
    if over.exposed(alone.at_most) <= alone.allowed:
        return
    offsets, minimal = over.minimal
    place = int(np.lexsort((over.harmful.support, np.diff(offsets)))[0])
    codes = minimal[offsets[place] : offsets[place + 1]].tolist()
    items = listed([repr(alone.label(code)) for code in codes])
    support, holding = int(over.harmful.support[place]), int(over.harmful.holding[place])
    hold = f"hold{'s' if support == 1 else ''} {'it' if len(codes) == 1 else 'them'}"
    why = (
        f"{transactions(support)} {hold}, fewer than the crowd of {alone.crowd:,}"
        if support < alone.crowd
        else f"of the {transactions(support)} that {hold}, {holding:,} hold the same private {nouns().item}, above the limit of "
        f"{ratio(alone.limit)}"
    )
    raise NoSafeRelease(
        f"The {nouns().item if len(codes) == 1 else nouns().items} {items} must be kept, and nothing that is withheld beside "
        f"{'it' if len(codes) == 1 else 'them'} helps: {why}.",
        helps=(*_letting_go(question, moles, alone, over), *_tolerating(alone, effort)),
        proved=True,
    )


def _alone(question: ItemsQuestion) -> ItemsQuestion | None:
    """Ask about the public items that must stay, with nothing else published; None where there are none."""
    published = question.published
    public = {code for code in question.keep if published.supports[code] and not published.is_private[code]}
    if not public:
        return None
    others = [
        label
        for code, label in enumerate(published.labels)
        if code not in public and not published.is_private[code]
    ]
    return replace(question, published=published.without(others), keep=frozenset())


def _letting_go(question: ItemsQuestion, moles: Moles, alone: ItemsQuestion, over: Moles) -> tuple[Help, ...]:
    """Say without which of the items to keep a safe release exists."""
    live = LiveMoles(*over.minimal, len(alone.published.labels))
    gone: list[Label] = []
    while live.left:
        code = int(live.counts.argmax())
        gone.append(alone.label(code))
        live.withhold(code)
    rest = [question.label(code) for code in sorted(question.keep) if question.label(code) not in gone]
    still_public = len(gone) < int((~alone.published.is_private).sum())
    if not still_public and not any(s >= question.crowd and b <= question.limit for s, b in _singles(moles)):
        return ()
    change: dict[str, Setting] = (
        {"needs.items.keep": [str(item) for item in rest]} if rest else {"needs.items": None}
    )
    return (Help(f"If {listed([repr(item) for item in gone])} may be withheld, there is one.", change),)


def _tolerating(alone: ItemsQuestion, effort: Effort) -> tuple[Help, ...]:
    """Say with which limits the items that must stay are safe by themselves."""
    worst = extremes(alone, evidence(alone, effort))
    if worst.smallest_support is None or worst.breach is None:
        return ()
    identity = {"tolerates.identity": f"1/{worst.smallest_support}"}
    attribute = {"tolerates.attribute": ratio(worst.breach)}
    changes: list[dict[str, str | int]] = []
    if worst.breach <= alone.limit:
        changes.append({**identity})
    elif worst.smallest_support >= alone.crowd:
        changes.append({**attribute})
    else:
        changes.append({**identity, **attribute})
    if alone.tolerance.share:
        exposed = alone.moles(effort).exposed(alone.at_most)
        changes.append({"tolerates.share": ratio(Fraction(exposed, alone.transactions))})
    return (_smallest(*changes),)


def refuse_empty(question: ItemsQuestion, moles: Moles, *, as_printed: bool) -> NoReturn:
    """Raise because every public item must be withheld: none is safe alone, and more items never expose fewer.

    Xu et al., Figure 2, returns data without public items: a cohesion, and nothing that anybody could judge or use.
    """
    cohesion = (
        f" The paper's algorithm ends with that, a cohesion; but a release without public {nouns().items} is not a release."
        if as_printed
        else ""
    )
    raise NoSafeRelease(
        f"Every public {nouns().item} would have to be withheld: none is safe even alone.{cohesion}",
        helps=helps(question, moles),
        proved=True,
    )


def helps(question: ItemsQuestion, moles: Moles) -> tuple[Help, ...]:
    """Say the smallest change of one limit, or of both together, with which something can be released.

    Something can be released when some public item is safe alone and the empty set is not a mole. An item that few
    enough transactions hold is safe alone as if everybody held it and nobody had a secret.
    """
    pairs = _singles(moles)
    rarest = min(support for support, _ in pairs)
    if rarest <= question.allowed:
        pairs.append((question.transactions, Fraction(0)))
    changes = list[dict[str, str | int]]()
    crowded = [breach for support, breach in pairs if support >= question.crowd]
    if crowded and question.tolerance.attribute is not None:
        changes.append({"tolerates.attribute": ratio(max(question.baseline, min(crowded)))})
    harmless = [support for support, breach in pairs if breach <= question.limit]
    if harmless and not question.too_frequent and question.tolerance.identity is not None:
        changes.append({"tolerates.identity": f"1/{max(harmless)}"})
    if question.tolerance.share and not question.too_few and not question.too_frequent:
        changes.append({"tolerates.share": ratio(Fraction(rarest, question.transactions))})
    if changes:
        return (_smallest(*changes),)
    most = max(support for support, _ in pairs)
    least = max(question.baseline, min(breach for support, breach in pairs if support == most))
    return (_smallest({"tolerates.identity": f"1/{most}", "tolerates.attribute": ratio(least)}),)


def _smallest(*changes: dict[str, str | int]) -> Help:
    texts = [" and ".join(f"{name}={value}" for name, value in change.items()) for change in changes]
    return Help(f"The smallest change that helps: {' or '.join(texts)}.", *changes)


def _singles(moles: Moles) -> list[tuple[int, Fraction]]:
    """Return the support and the own breach of every public item."""
    return [
        (int(sets.support[place]), Fraction(int(sets.holding[place]), int(sets.support[place])))
        for sets in (moles.free, moles.harmful)
        for place in np.flatnonzero(sets.parent < 0)
    ]
