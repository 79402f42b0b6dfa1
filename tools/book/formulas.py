"""TeX to MathML while the site is built, so that a page needs neither a script nor a network to show a formula.

latex2mathml does the work; `tidy` corrects its spaces, which browsers take literally. Also a Sphinx extension.
"""

from __future__ import annotations

import xml.etree.ElementTree as Element
from functools import cache

from latex2mathml.converter import convert

SPACE = "http://www.w3.org/1998/Math/MathML"
LIMITS = {"max", "min", "sup", "inf", "lim"}
FUNCTIONS = LIMITS | {"log", "ln", "exp", "mean"}
OPENING, CLOSING = set("([{|"), set(")]}|!")
SIGNS = set("-−+±")
LETTERS = {"∞", "…", "ℓ"}  # things, not operators: no space around them
BARS = {"―", "¯", "‾"}


@cache
def mathml(latex: str, display: bool) -> str:
    """The formula as a <math> element that has its TeX as `alttext`.

    Raises:
        ValueError: latex2mathml can't read it.
    """
    Element.register_namespace("", SPACE)
    try:
        root = Element.fromstring(convert(latex, display="block" if display else "inline"))
    except Exception as error:  # it raises many kinds
        raise ValueError(f"This formula can't be turned into MathML ({error!r}): {latex}") from error
    tidy(root, display)
    root.set("alttext", " ".join(latex.split()))
    return Element.tostring(root, encoding="unicode")


def tidy(node, display: bool) -> None:
    """Correct the spaces of `node` and of everything in it, in place."""
    for child in node:
        tidy(child, display)
        _tidy_one(child, display)
    if _name(node) not in ("math", "mrow", "msqrt"):
        return  # a fraction's or an index's parts stand by number: nothing may come between
    children = list(node)
    node[:] = []
    for before, child, after in zip([None, *children], children, [*children[1:], None]):
        if _is(child, SIGNS) and _makes_sign(before):
            child.attrib.update(form="prefix", lspace="0", rspace="0")
        function = _text(child) in FUNCTIONS or (len(child) and _text(child[0]) in FUNCTIONS)
        spaced = before is None or _name(before) == "mspace" or (_name(before) == "mo" and not _is(before, CLOSING))
        if function and not spaced:
            node.append(_thin())
        node.append(child)
        if function and after is not None and _name(after) != "mspace" and not _is(after, OPENING):
            node.append(_thin())


def _tidy_one(node, display: bool) -> None:
    """What can be said of a node without looking at its neighbors."""
    if _is(node, LETTERS | FUNCTIONS):
        node.tag = f"{{{SPACE}}}mi"
        node.attrib.clear()
    elif _is(node, {"/"}):
        node.attrib.update(lspace="0", rspace="0")
    elif _is(node, {"~"}):
        node.text = "∼"
    elif _name(node) == "mrow" and len(node) == 1 and _is(node[0], {","}):  # TeX's {,}: part of a number
        node[0].attrib.update(lspace="0", rspace="0")
    elif _name(node) == "mover" and _is(node[1], BARS):
        node[1].text = "‾"
        node[1].attrib.clear()
        node[1].set("stretchy", "true")
    elif _name(node) == "msub" and display and _text(node[0]) in LIMITS:
        node.tag = f"{{{SPACE}}}munder"


def _makes_sign(before) -> bool:
    """Is a minus behind `before` a sign? Else it subtracts."""
    return before is None or (_name(before) == "mo" and _text(before) not in CLOSING)


def _thin():
    return Element.Element(f"{{{SPACE}}}mspace", {"width": "0.167em"})


def _is(node, operators: set) -> bool:
    return _name(node) == "mo" and _text(node) in operators


def _text(node) -> str:
    return (node.text or "").strip()


def _name(node) -> str:
    return node.tag.partition("}")[2]


# --- for Sphinx ---


def visit_inline(self, node) -> None:
    from docutils.nodes import SkipNode

    self.body.append(mathml(node.astext(), display=False))
    raise SkipNode


def visit_block(self, node) -> None:
    from docutils.nodes import SkipNode

    # A long formula is scrolled on a phone: that needs the keyboard's focus, and a name.
    self.body.append('<div class="formula" tabindex="0" role="group" aria-label="Formula">')
    self.body.append(mathml(node.astext(), display=True) + "</div>")
    raise SkipNode


def setup(app) -> dict:
    app.add_html_math_renderer("mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
