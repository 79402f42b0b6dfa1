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

// The board on the landing page is a page of its own in a frame: it is told the theme whenever that changes, and says
// how high it is. The frame only grows, so that what stands below does not jump at every sentence.
const frame = document.querySelector(".hero-board iframe");
if (frame) {
  const tell = () => frame.contentWindow.postMessage({ theme: document.body.dataset.theme || "auto" }, "*");
  frame.addEventListener("load", tell);
  new MutationObserver(tell).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  tell();
  let highest = 0;
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || !(data?.height > highest)) return;
    highest = data.height;
    frame.style.height = `${highest}px`;
  });
  addEventListener("resize", () => { highest = 0; });
}
