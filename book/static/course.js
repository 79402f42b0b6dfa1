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

// A line of code that is too long for the page goes on below, four characters further in than it began.
for (const code of document.querySelectorAll("div.cell_input pre")) {
  code.innerHTML = code.innerHTML.replace(/(?<=^|\n)(?:<span><\/span>)?.*(?:\n|$)/g, (line) => {
    const inwards = /^ */.exec(line.replace(/<[^>]*>/g, ""))[0].length + 4;
    return line && `<span class="line" style="--in: ${inwards}ch">${line}</span>`;
  });
}

// A button on every block of code that copies it, without what the code printed.
for (const code of document.querySelectorAll("article div.highlight:not(div.cell_output *) > pre, article > section > pre")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.type = "button";
  button.textContent = "Copy";
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(code.textContent.trimEnd());
      button.textContent = "Copied";
    } catch {  // the browser forbids it: what is selected can be copied by hand
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  };
  code.before(button);
  code.parentElement.classList.add("copied-from");
}

// A chapter's page in the guide also prints as one sheet: what must stick, the plan, the questions.
const sheet = document.querySelector("#two-hours") && document.querySelector("article h1");
if (sheet) {
  const button = document.createElement("button");
  button.className = "call";
  button.type = "button";
  button.textContent = "Print on one sheet";
  button.onclick = () => {
    document.body.replaceChildren(document.querySelector("article"));
    document.body.classList.add("sheet");
    addEventListener("afterprint", () => location.reload());
    print();
  };
  sheet.after(button);
}

// The board on the landing page is a page of its own in a frame: it is told the theme whenever that changes, and says
// how high it is and which game it holds. The frame only grows, so that what stands below does not jump at every sentence.
const frame = document.querySelector(".hero-board iframe");
if (frame) {
  const tell = () => frame.contentWindow.postMessage({ theme: document.body.dataset.theme || "auto" }, "*");
  frame.addEventListener("load", tell);
  new MutationObserver(tell).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  tell();
  let highest = 0;
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    if (data?.game) document.querySelector(".call.first").hash = data.game; // "Play now" goes on with it
    if (!(data?.height > highest)) return;
    highest = data.height;
    frame.style.height = `${highest}px`;
  });
  addEventListener("resize", () => { highest = 0; });
}
