"""The sentences of a form with the nouns of the owner."""

from dataclasses import replace
from typing import Any

import giveaway as ga


def in_words(form: Any, nouns: ga.Nouns) -> Any:
    """Return how an attack is asked about, with the owner's nouns in every sentence."""
    say = nouns.told
    return replace(
        form,
        publishes=say(form.publishes),
        another=say(form.another),
        asks=say(form.asks),
        who=say(form.who),
        choices=tuple(replace(choice, says=say(choice.says)) for choice in form.choices),
        files={
            name: replace(file, asks=say(file.asks), without=say(file.without))
            for name, file in form.files.items()
        },
    )
