// What no template reaches: a name for each landmark, and the keyboard for everything that scrolls sideways.
const named = { "aside.sidebar-drawer": "Site", "aside.toc-drawer": "On this page" };
for (const [place, name] of Object.entries(named)) {
  document.querySelector(place)?.setAttribute("aria-label", name);
}

function reachScrollers() {
  for (const box of document.querySelectorAll("article pre, article .table-wrapper, article .formula")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
reachScrollers();
addEventListener("resize", reachScrollers);
for (const fold of document.querySelectorAll("details")) fold.addEventListener("toggle", reachScrollers);
