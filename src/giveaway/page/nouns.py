"""The sentences of a form with the nouns of the owner."""

from dataclasses import replace
from typing import Any

import giveaway as ga


def in_words(form: Any, nouns: ga.Nouns) -> Any:
    """Return how an attack is asked about, with the owner's nouns in every sentence."""
    told = nouns.told
    return replace(
        form,
        publishes=told(form.publishes),
        another=told(form.another),
        asks=told(form.asks),
        who=told(form.who),
        choices=tuple(replace(choice, says=told(choice.says)) for choice in form.choices),
        files={
            name: replace(file, asks=told(file.asks), without=told(file.without))
            for name, file in form.files.items()
        },
    )
