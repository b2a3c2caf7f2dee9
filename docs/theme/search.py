"""Names the page in every hit of the search, because all attacks have the same headings, and puts decisions last."""

import json
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority


@event_priority(-50)
def on_post_build(config: MkDocsConfig) -> None:
    """Rewrite the index after the search plugin wrote it and before the offline plugin copies it."""
    file = Path(config.site_dir) / "search" / "search_index.json"
    index = json.loads(file.read_text(encoding="utf-8"))
    titles = {entry["location"]: entry["title"] for entry in index["docs"] if "#" not in entry["location"]}
    for entry in index["docs"]:
        page, _, section = entry["location"].partition("#")
        if section:
            entry["title"] = f"{titles[page]} > {entry['title']}"
        if page.startswith(("decisions/", "reference/papers/")):
            entry["boost"] = 0.1
    file.write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8")
