"""Released files or tables and their manifest, and the owner's file that is never next to them."""

from giveaway.publish.folder import (
    RecipientPart,
    Report,
    Written,
    check_target,
    foreign_to_release,
    publish,
    publish_several,
)
from giveaway.publish.ledger import Ledger, LedgerEntry
from giveaway.publish.manifest import MANIFEST, Manifest, hashed, read_manifest
from giveaway.publish.outputs import Outputs
from giveaway.publish.owners_file import (
    KeptLot,
    check_key,
    drawn_before,
    is_owners_file,
    known_beside,
    owners_files,
    refuse_changed_data,
    refuse_second_draw,
)
from giveaway.publish.release import (
    Drawn,
    Renaming,
    coarser_texts,
    draw,
    draw_order,
    hash_of_data,
    write_release,
)
from giveaway.publish.storage import EVERYBODYS, OWNERS, Text, final_place, is_stream, write_texts
from giveaway.publish.swap import manifest_hash, recover

__all__ = [
    "EVERYBODYS",
    "MANIFEST",
    "OWNERS",
    "Drawn",
    "KeptLot",
    "Ledger",
    "LedgerEntry",
    "Manifest",
    "Outputs",
    "RecipientPart",
    "Renaming",
    "Report",
    "Text",
    "Written",
    "check_key",
    "check_target",
    "coarser_texts",
    "draw",
    "draw_order",
    "drawn_before",
    "final_place",
    "foreign_to_release",
    "hash_of_data",
    "hashed",
    "is_owners_file",
    "is_stream",
    "known_beside",
    "manifest_hash",
    "owners_files",
    "publish",
    "publish_several",
    "read_manifest",
    "recover",
    "refuse_changed_data",
    "refuse_second_draw",
    "write_release",
    "write_texts",
]
