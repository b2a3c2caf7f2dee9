"""What the attacks offer for a proposed scenario file, put together in the order of their table."""

from giveaway.attacks import ATTACKS
from giveaway.attacks.proposal import DataFound, Form


def offered(form: Form, data: DataFound) -> dict[str, str]:
    """Collect the lines of all attacks on one form of release: what is tolerated, known and needed."""
    offers = [attack.asks.proposes[form] for attack in ATTACKS.values() if form in attack.asks.proposes]
    needs = "".join(offer.needs(data) for offer in offers)
    return {
        "tolerates": offers[0].tolerates + offers[0].limits(data),
        "knows": "\n".join(filter(None, (offer.knows(data) for offer in offers))),
        "needs": f"# [needs]\n{needs}" if needs else "",
    }


def first_attack(form: Form) -> str:
    """Name the attack that is proposed first for a form of release."""
    return next(attack.name for attack in ATTACKS.values() if form in attack.asks.proposes)
