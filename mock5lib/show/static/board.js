// The board of the notebooks and of the page that plays (book/play). The position comes drawn as SVG, from
// mock5lib/show/svg.py or its twin book/play/src/drawing.js; this file adds what a hand needs: points to click, a ghost
// stone under the pointer, a cursor for the keyboard, and words for a screen reader.

const SVG = "http://www.w3.org/2000/svg";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const COLOR = ["empty", "black stone", "white stone"];
const FOOT = 520; // pixels that the status line may take, also below a smaller board
const STEP = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function element(parent, tag, attributes = {}) {
  const made = tag === "svg" || parent.namespaceURI === SVG
    ? document.createElementNS(SVG, tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.appendChild(made);
  return made;
}

// Build the frame once; drawing and points are filled in by the two functions below.
function build(el) {
  // JupyterLab's own shortcuts (arrows, Enter) must not fire while the board has the focus.
  const root = element(el, "div", { class: "m5-board", "data-lm-suppress-shortcuts": "true" });
  const svg = element(root, "svg", { role: "grid", "font-family": "Helvetica, Arial, sans-serif" });
  const drawing = element(svg, "g", { class: "m5-drawing", "aria-hidden": "true" });
  const ghost = element(svg, "circle", { class: "m5-ghost", "aria-hidden": "true" });
  const points = element(svg, "g", { class: "m5-points", role: "presentation" });
  const foot = element(root, "div", { class: "m5-foot" });
  const turn = element(foot, "span", { class: "m5-turn", "aria-hidden": "true" });
  const status = element(foot, "div", { class: "m5-status", role: "status", "aria-live": "polite" });
  const toggle = element(foot, "button", { class: "m5-toggle", type: "button", title: "Show move numbers (N)" });
  toggle.textContent = "Move numbers";
  return { root, svg, drawing, ghost, points, foot, turn, status, toggle, cells: [] };
}

function buildPoints(view, model) {
  const [height, width, cell, near, far] = shape(model);
  view.svg.setAttribute("viewBox", `0 0 ${width * cell + near + far} ${height * cell + near + far}`);
  view.svg.style.maxWidth = `${model.get("max_width")}px`;
  view.foot.style.maxWidth = `${Math.max(model.get("max_width"), FOOT)}px`;
  view.points.textContent = "";
  view.cells = [];
  for (let row = 0; row < height; row++) {
    const group = element(view.points, "g", { role: "row" });
    for (let column = 0; column < width; column++) {
      view.cells.push(element(group, "rect", {
        class: "m5-point", role: "gridcell", "data-move": row * width + column, tabindex: -1,
        x: near + column * cell + 1.5, y: near + row * cell + 1.5, width: cell - 3, height: cell - 3, rx: 6,
      }));
    }
  }
  view.cursor = Math.min(view.cursor ?? Math.floor(height / 2) * width + Math.floor(width / 2), height * width - 1);
}

function shape(model) {
  const geometry = model.get("_geometry");
  return [model.get("height"), model.get("width"), geometry.cell, geometry.near, geometry.far];
}

function draw(view, model) {
  const [height, width, cell] = shape(model);
  if (view.cells.length !== height * width || view.columns !== width) {
    view.columns = width;
    buildPoints(view, model);
  }
  const stones = model.get("stones");
  const labels = model.get("labels") || [];
  const enabled = model.get("enabled");
  view.drawing.innerHTML = model.get("drawing"); // our own markup, its texts escaped in Python
  view.svg.setAttribute("aria-label", `Board, ${height} rows by ${width} columns`);
  view.root.classList.toggle("m5-show-numbers", model.get("numbers"));
  view.root.classList.toggle("m5-enabled", enabled);
  view.toggle.setAttribute("aria-pressed", model.get("numbers"));
  view.cells.forEach((point, move) => {
    const [row, column] = [Math.floor(move / width), move % width];
    const hint = labels[move] ? `, marked ${labels[move]}` : "";
    point.dataset.empty = !stones[move];
    point.setAttribute("aria-label", `${nameOf(model, row, column)}, ${COLOR[stones[move]]}${hint}`);
    point.setAttribute("aria-disabled", !enabled || Boolean(stones[move]));
    point.setAttribute("tabindex", move === view.cursor ? 0 : -1);
  });
  view.ghost.setAttribute("r", 0.43 * cell);
  view.turn.dataset.player = model.get("player");
  const message = model.get("message");
  if (view.status.textContent !== message) view.status.textContent = message;
  showGhost(view, model, view.pointed);
}

// A point in the game's own names, in Go "D4", where it has any.
function nameOf(model, row, column) {
  const [rows, columns] = [model.get("rows") || [], model.get("columns") || []];
  return columns.length ? `${columns[column]}${rows[row]}` : `row ${DIGITS[row]} column ${DIGITS[column]}`;
}

// The stone that a click would put on `move`, pale; nothing where none can be put.
function showGhost(view, model, move) {
  view.pointed = move;
  const free = move !== undefined && model.get("enabled") && !model.get("stones")[move];
  view.ghost.classList.toggle("m5-on", Boolean(free));
  if (!free) return;
  const [, width, cell, near] = shape(model);
  view.ghost.setAttribute("cx", near + (move % width + 0.5) * cell);
  view.ghost.setAttribute("cy", near + (Math.floor(move / width) + 0.5) * cell);
  view.ghost.setAttribute("fill", model.get("player") === 2 ? "#FBFAF7" : "#1E1E20");
}

function moveCursor(view, model, move) {
  view.cells[view.cursor]?.setAttribute("tabindex", -1);
  view.cursor = move;
  view.cells[move].setAttribute("tabindex", 0);
  view.cells[move].focus();
  showGhost(view, model, move);
}

function play(model, move) {
  if (!model.get("enabled")) return;
  // The counter makes two clicks on one point two different values.
  const n = (model.get("clicked").n || 0) + 1;
  model.set("clicked", { move, n });
  model.save_changes();
}

function onKey(event, view, model) {
  const [height, width] = shape(model);
  const [row, column] = [Math.floor(view.cursor / width), view.cursor % width];
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (STEP[event.key]) {
    const [down, right] = STEP[event.key];
    const r = Math.min(height - 1, Math.max(0, row + down));
    const c = Math.min(width - 1, Math.max(0, column + right));
    moveCursor(view, model, r * width + c);
  } else if (event.key === "Home" || event.key === "End") {
    moveCursor(view, model, row * width + (event.key === "Home" ? 0 : width - 1));
  } else if (event.key === "Enter" || event.key === " ") {
    play(model, view.cursor);
  } else if (event.key === "n" || event.key === "N") {
    toggleNumbers(model);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function toggleNumbers(model) {
  model.set("numbers", !model.get("numbers"));
  model.save_changes();
}

function render({ model, el }) {
  const view = build(el);
  const pointOf = (event) => {
    const move = event.target.dataset?.move;
    return event.target.classList?.contains("m5-point") ? Number(move) : undefined;
  };
  view.points.addEventListener("pointerover", (event) => showGhost(view, model, pointOf(event)));
  view.points.addEventListener("pointerleave", () => showGhost(view, model, undefined));
  // On an SVG element this listener would make it a stop of the Tab key.
  view.root.addEventListener("focusout", () => showGhost(view, model, undefined));
  view.points.addEventListener("keydown", (event) => onKey(event, view, model));
  view.points.addEventListener("click", (event) => {
    const move = pointOf(event);
    if (move === undefined) return;
    // On a large board a finger hits the neighbor easily: its first tap shows the stone, a second one plays it.
    const first = model.get("confirm") && event.pointerType === "touch" && view.tapped !== move;
    view.tapped = first ? move : undefined;
    moveCursor(view, model, move);
    if (!first) return play(model, move);
    const width = model.get("width");
    view.status.textContent = `Tap again to play ${nameOf(model, Math.floor(move / width), move % width)}.`;
  });
  view.toggle.addEventListener("click", () => toggleNumbers(model));

  // Several traits change at once when a move is played: draw once, after all of them.
  let waiting = false;
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => { waiting = false; draw(view, model); });
  };
  const traits = ["drawing", "stones", "labels", "player", "enabled", "message", "numbers", "height", "width"];
  traits.forEach((name) => model.on(`change:${name}`, redraw));
  draw(view, model);
  return () => traits.forEach((name) => model.off(`change:${name}`, redraw));
}

export default { render };
