"""The words of reports about the sizes of baskets."""

from giveaway.model.answer.phrases import Counted, Lost, Phrases

PHRASES = Phrases(
    chances="Chance per size",
    stronger="If the attacker counts further",
    weaker="If the attacker counts less far",
    could="could tell whose basket it is by its size",
    targets="sizes",
    exposed=Counted(
        figure="exposed_transactions", of="transactions", noun="baskets", how="have a size of their own"
    ),
    does={"identity": "tell whose basket it is"},
    dot={"identity": "told by size"},
    stated_by="up_to",
    opening="Somebody saw a basket of {target}.",
    learnt={"identity": "the basket"},
    at_zero={"exposed_transactions": "Every size is common."},
    lost={"occurrences": Lost(says="{count} gone with it", names="occurrences gone with it")},
    why={"rarest": "the rarest left"},
    titles={"sizes": "How large the baskets are"},
)
