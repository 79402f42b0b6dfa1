// The site's search, over Sphinx's: what is one's own comes first, chapters come before exercises, those before solutions,
// the package's reference and lists of contents; an excerpt is a paragraph that holds what was looked for. Sphinx puts
// this into its language_data.js.
const RANKS = [
  "index", "slides", "reference/", "solutions/", "exercises/", "guide/", "ladder", "command", "chapters/",
  "bring_your_own",
];
var Scorer = {
  ...Scorer,
  // A result is [page, title, anchor, description, score, …]: a section comes before a whole page.
  score: ([page, , anchor, , score]) =>
    100 * RANKS.findIndex((rank) => page.startsWith(rank)) + (anchor ? 30 : 0) + score,
};

// Excerpts are fetched, which no browser does in a plain folder.
if (location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  const why =
    "<p>The titles alone: a browser doesn't read excerpts from files. They are there once you serve the folder, with " +
    "<code>python3 -m http.server</code>, and open <code>localhost:8000</code>.</p>";
  addEventListener("DOMContentLoaded", () =>
    document.getElementById("search-results")?.insertAdjacentHTML("beforebegin", why),
  );
}

Search.makeSearchSummary = (html, stems, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const within = (anchor && page.getElementById(anchor.slice(1))) || page.querySelector("article");
  const phrase = new URLSearchParams(location.search).get("q").trim().toLowerCase();
  const texts = [...within.querySelectorAll("p, li, summary"), ...within.querySelectorAll("pre")] // words before code
    .filter((block) => !block.closest(".buttons, table, nav, .no-search"))
    .map((block) => block.textContent.replace(/\s+/g, " ").trim());
  const words = [phrase, ...stems];
  const found = texts.map((text) => words.findIndex((word) => text.toLowerCase().includes(word)));
  const best = words.findIndex((_, index) => found.includes(index));
  if (best < 0) return null;
  const text = texts[found.indexOf(best)];
  const start = Math.max(0, text.toLowerCase().indexOf(words[best]) - 120);
  const summary = document.createElement("p");
  summary.className = "context";
  summary.textContent = (start ? "…" : "") + text.slice(start, start + 240) + (start + 240 < text.length ? "…" : "");
  return summary;
};
