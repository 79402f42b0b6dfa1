"""Sphinx's settings for the site. `python -m tools.book` (make book) writes the pages that it reads."""

from docutils.nodes import container

from tools.book.pages import buttons
from tools.book.reference import one_a_line
from tools.book.slides import read_decks
from tools.stamp import ROOT, read_repository

project = "From UCT to AlphaZero"
html_title = project
language = "en"
extensions = ["myst_nb", "tools.book.formulas", "autoapi.extension", "sphinx.ext.napoleon"]

# The reference: docstrings as the sources have them; nothing is imported.
autoapi_dirs = [str(ROOT / "mock5lib"), str(ROOT / "mock5go")]
autoapi_generate_api_docs = False
autoapi_options = ["members", "show-inheritance"]
autoapi_add_toctree_entry = False
napoleon_use_ivar, napoleon_numpy_docstring = True, False
suppress_warnings = ["autoapi.python_import_resolution", "ref.python"]  # constants; fields of one name in two classes
default_role = "code"

# Notebooks: shown as they are committed, never executed.
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["attrs_block", "dollarmath"]
myst_heading_anchors = 4
myst_heading_slug_func = "tools.book.pages.anchor"

# Why this theme and no other: book/README.md.
html_theme = "furo"
pygments_dark_style = "github-dark"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["course.css"]
html_js_files = ["course.js"]
html_search_scorer = str(ROOT / "book/search.js")
html_favicon = "static/stone.svg"
templates_path = ["templates"]
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/places.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c8f", "color-brand-content": "#0b5c8f"},
    "dark_css_variables": {"color-brand-primary": "#6cc0ee", "color-brand-content": "#6cc0ee"},
}

REPOSITORY = read_repository()
DECKS = set(read_decks(ROOT))


def add_buttons(app, pagename, templatename, context, doctree) -> None:
    context["buttons"] = buttons(pagename, REPOSITORY, DECKS, app.env.found_docs)


def leave_out_the_set_up(app, doctree) -> None:
    """Keep the set-up cell, the same in every notebook, out of the search."""
    for cell in doctree.findall(container):
        if "tag_setup" in cell["classes"]:
            cell["classes"].append("no-search")


def setup(app) -> None:
    app.connect("doctree-read", leave_out_the_set_up)
    app.connect("html-page-context", add_buttons)
    # Before napoleon, which connects with 500.
    app.connect("autodoc-process-docstring", lambda app, what, name, obj, options, lines: one_a_line(what, lines), 400)
