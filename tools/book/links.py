"""Is a built site whole? Every link within it leads somewhere, and nothing that a page loads lies outside of it.

python -m tools.book.links build/book/site
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("use", "href")}
NOT_LOADED = {"prev", "next", "index", "search", "canonical"}  # kinds of <link> that a browser only knows of
URL = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])([^"')]+)""")


class _Page(HTMLParser):
    """What a page links to, what it loads, and the anchors it has."""

    def __init__(self, text: str):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        for name in ("href", "src"):
            address = attributes.get(name)
            if address is None:
                continue
            loaded = (tag, name) in LOADED and not NOT_LOADED & set(attributes.get("rel", "").split())
            (self.loads if loaded else self.links).append(address)
        self.loads += [choice.split()[0] for choice in (attributes.get("srcset") or "").split(",") if choice.strip()]
        self.loads += URL.findall(attributes.get("style") or "")


def faults(site: Path) -> list:
    """One sentence for each broken link within `site`, and for each thing that a page would fetch from elsewhere."""
    site = site.resolve()
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = [] if pages else [f"{site}: there is no page"]
    for path, page in pages.items():
        where = path.relative_to(site).as_posix()
        found += [f"{where}: loads {address}, from outside" for address in page.loads if _outside(address)]
        for address in dict.fromkeys([*page.links, *page.loads]):
            if not urlsplit(address).scheme and not address.startswith("//"):
                found += [f"{where}: {address} {fault}" for fault in _broken(path, address, pages, site)]
    for path in sorted(site.rglob("*.css")):
        for address in URL.findall(path.read_text(encoding="utf-8")):
            if _outside(address):
                found.append(f"{path.relative_to(site).as_posix()}: loads {address}, from outside")
    return found


def _outside(address: str) -> bool:
    return address.startswith("//") or urlsplit(address).scheme in ("http", "https")


def _broken(path: Path, address: str, pages: dict, site: Path) -> list:
    """What is wrong with an address within the site: [] or one phrase."""
    parts = urlsplit(address)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target = target / "index.html"
    if address.startswith("/") or not target.is_relative_to(site):
        return ["leaves the site's folder"]
    if not target.exists():
        return ["leads to no file"]
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors | {"top"}:
        return ["leads to no anchor"]
    return []


if __name__ == "__main__":
    found = faults(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "Every link within the site leads somewhere, and nothing is loaded from outside.")
    sys.exit(bool(found))
