"""The compiled chains of swaps; each row of `drawn` is a mapping: the renamed item of each item."""

from giveaway.attacks.frequencies.sampling.kernels import (
    Chain,
    Large,
    Number,
    Random,
    below,
    fits,
    record,
    swap,
)
from giveaway.compiling import native


@native
def local(random: Random, chain: Chain, skipped: Number, drawn: Large) -> None:
    """Swap a random item with the holder of a random place that it may take, if that one may take its place.

    State: one mapping. Invariant: a swap is as likely as the swap back, so that all mappings are equally likely in the end.
    """
    items = len(chain.place)
    for row in range(-skipped, len(drawn)):
        for _ in range(items):
            item = below(random, items)
            place = chain.begin[item] + below(random, chain.end[item] - chain.begin[item])
            other = chain.holder[place]
            if fits(chain, other, chain.place[item]):
                swap(chain, item, other)
        if row >= 0:
            record(chain, drawn[row])


@native
def by_permutations(
    random: Random, chain: Chain, skipped: Number, spacing: Number, partner: Large, drawn: Large
) -> None:
    """Swap each item with its partner in a random permutation, if both may take the other's place.

    State: one mapping. Invariant: as above. The chain of Lakshmanan et al., section 6.1, one permutation a sweep.
    """
    items = len(chain.place)
    for sweep in range(-skipped, len(drawn) * spacing):
        for i in range(items):
            partner[i] = i
        for i in range(items - 1, 0, -1):
            j = below(random, i + 1)
            partner[i], partner[j] = partner[j], partner[i]
        for item in range(items):
            other = partner[item]
            if fits(chain, item, chain.place[other]) and fits(chain, other, chain.place[item]):
                swap(chain, item, other)
        if sweep >= 0 and (sweep + 1) % spacing == 0:
            record(chain, drawn[sweep // spacing])
