"""Released files or tables and their manifest, and the owner's file that is never beside them."""

from giveaway.publish.folder import Destination, Written, check_target, publish, write_text
from giveaway.publish.owners_file import check_key
from giveaway.publish.release import Drawn, Renaming, coarser_texts, draw, write_release

__all__ = [
    "Destination",
    "Drawn",
    "Renaming",
    "Written",
    "check_key",
    "check_target",
    "coarser_texts",
    "draw",
    "publish",
    "write_release",
    "write_text",
]
