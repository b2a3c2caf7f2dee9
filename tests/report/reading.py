"""Read a page back as a browser would, for tests that look at its structure and its text."""

from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "input", "link"}
SELF_CLOSED = {"rect", "line", "circle", "polyline", "polygon", "path"}


class Page(HTMLParser):
    """Elements with their attributes, the text outside style, and every tag that does not nest."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.broken: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.broken += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in SELF_CLOSED | VOID:
            self.broken.append(f"{tag} closes itself")

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.broken.append(f"unexpected end of {tag}")

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]
