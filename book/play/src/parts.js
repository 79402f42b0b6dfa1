// @ts-check
// What the page is put together from: the model that the board shows, the opponents and who is beaten, overlays, the theme.

import { OPPONENTS } from "./opponents.js";
import { CELL, FAR, NEAR } from "./drawing.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./thinker.js").Thought} Thought */

const GHOSTS = 6; // moves of the best line that are shown
const FEWEST = 0.02; // share of the visits below which no number is written

/** What board.js draws: the traits of the notebooks' BoardWidget. */
export class BoardModel {
  constructor() {
    const geometry = { _geometry: { cell: CELL, near: NEAR, far: FAR }, max_width: 680, height: 9, width: 9 };
    const position = { stones: [], player: 0, enabled: false, drawing: "", labels: [], message: "" };
    /** @type {Record<string, any>} */
    this.traits = { ...geometry, ...position, numbers: false, clicked: {} };
    /** @type {Map<string, Set<Function>>} */
    this.listeners = new Map();
  }
  /** @param {string} name */
  get(name) {
    return this.traits[name];
  }
  /** @param {string} name @param {any} value */
  set(name, value) {
    this.traits[name] = value;
    this.listeners.get(`change:${name}`)?.forEach((listener) => listener());
  }
  /** @param {string} event @param {Function} listener */
  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event)?.add(listener);
  }
  /** @param {string} event @param {Function} listener */
  off(event, listener) {
    this.listeners.get(event)?.delete(listener);
  }
  save_changes() {}
}

/** @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/** @param {number} share in percent */
export function percent(share) {
  return `${Math.round(share)}%`;
}

/** Visits as heat and as percent on the points. @param {Thought} thought */
export function heatOf(thought) {
  const total = thought.visits.reduce((sum, n) => sum + n, 0);
  return {
    heat: /** @type {(number | null)[] | null} */ (thought.visits),
    labels: /** @type {string[] | null} */ (
      thought.visits.map((n) => (n >= FEWEST * total ? String(Math.round((100 * n) / total)) : ""))
    ),
  };
}

/** The best line as stones. @param {Thought} thought @param {Game} game */
export function ghostsOf(thought, game) {
  return thought.line
    .slice(0, GHOSTS)
    .map((move, i) => ({ move, player: ((game.history.length + i) % 2) + 1, text: String(i + 1) }));
}

/** @param {string} name */
function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
function store(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // private windows keep nothing
  }
}

// The way up, and how far one has come on it, which this device remembers

/** @param {number} side @returns {string[]} names of the rungs that were beaten */
export function beaten(side) {
  return (stored(`beaten ${side}`) ?? "").split(" ").filter(Boolean);
}

/** @param {number} side @param {string} name */
export function beat(side, name) {
  store(`beaten ${side}`, [...new Set([...beaten(side), name])].join(" "));
}

/** The rung above the highest one that was beaten; at first the second, whom a newcomer can beat. @param {number} side */
export function nextRung(side) {
  const { way } = OPPONENTS[side],
    won = beaten(side);
  return way[Math.max(1, Math.min(way.length - 1, way.findLastIndex(({ name }) => won.includes(name)) + 1))];
}

/** @param {number} side */
export function progress(side) {
  const { way } = OPPONENTS[side],
    won = beaten(side);
  return `Beaten on the way up: ${way.filter(({ name }) => won.includes(name)).length} of ${way.length}.`;
}

/** The menu of opponents and the rungs of the way up. @param {number} side @param {string} against
 * @param {(name: string) => void} meet what a rung does that is pressed */
export function drawOpponents(side, against, meet) {
  const select = byId("against"),
    rungs = byId("rungs"),
    won = beaten(side);
  if (select.dataset.side !== String(side)) {
    const option = (/** @type {import("./opponents.js").Opponent} */ { name, label, course, elo }) =>
      `<option value="${name}">${label}${course === label ? "" : ` (${course})`}${elo === undefined ? "" : ` · Elo ${elo}`}</option>`;
    const { way, others } = OPPONENTS[side];
    select.dataset.side = String(side);
    select.innerHTML =
      way.map(option).join("") + `<optgroup label="Beside the way">${others.map(option).join("")}</optgroup>`;
    rungs.innerHTML = way.map(() => '<li><button type="button"></button></li>').join("");
  }
  select.value = against;
  OPPONENTS[side].way.forEach(({ name, label, elo }, i) => {
    const button = rungs.children[i].firstChild;
    button.innerHTML = `${won.includes(name) ? "✓ " : ""}${label}${elo === undefined ? "" : ` <small>· ${elo}</small>`}`;
    button.setAttribute("aria-current", String(name === against));
    button.onclick = () => meet(name);
  });
}

/** The button that goes from the system's theme to light, to dark, and back; in the frame of a page of the site that
 * page says the theme, and says it again when it changes. */
export function connectTheme() {
  const button = byId("theme"),
    dark = window.matchMedia("(prefers-color-scheme: dark)");
  let wanted = stored("theme") || "auto";
  const use = () => {
    const now = wanted === "auto" ? (dark.matches ? "dark" : "light") : wanted;
    document.documentElement.setAttribute("theme", now);
    const name = { light: "Light", dark: "Dark" }[wanted] || "Auto";
    button.textContent = `◐ ${name}`;
    button.setAttribute("aria-label", `Theme: ${name}`);
  };
  dark.addEventListener("change", use);
  window.addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || !["auto", "light", "dark"].includes(data?.theme)) return;
    wanted = data.theme;
    use();
  });
  button.onclick = () => {
    wanted = { auto: "light", light: "dark", dark: "auto" }[wanted] || "auto";
    store("theme", wanted);
    use();
  };
  use();
}
