// @ts-check
// What the page is put together from: the model that the board shows, the list of opponents, overlays, the theme.

import { ELO } from "./ladder.js";
import { OPPONENTS } from "./opponents.js";
import { CELL, FAR, NEAR } from "./drawing.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./thinker.js").Thought} Thought */

const GHOSTS = 6; // moves of the best line that are shown
const FEWEST = 0.02; // share of the visits below which no number is written

/** What board.js draws: the traits of the notebooks' BoardWidget. */
export class BoardModel {
  constructor() {
    /** @type {Record<string, any>} */
    this.traits = {
      _geometry: { cell: CELL, near: NEAR, far: FAR },
      clicked: {},
      numbers: false,
      labels: [],
      max_width: 680,
    };
    Object.assign(this.traits, {
      height: 9,
      width: 9,
      stones: [],
      player: 0,
      enabled: false,
      drawing: "",
      message: "",
    });
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
  return `${Math.round(share)}\u00a0%`;
}

/** The share of the visits that the best move got, in words. @param {Thought} thought */
export function visitShare({ visits, move }) {
  return percent((100 * visits[move]) / visits.reduce((sum, n) => sum + n, 0));
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

/** @param {HTMLSelectElement} select @param {number} side */
export function fillOpponents(select, side) {
  select.textContent = "";
  select.dataset.side = String(side);
  /** @type {Map<string, HTMLOptGroupElement>} */
  const groups = new Map();
  for (const { name, label, group } of OPPONENTS[side]) {
    if (!groups.has(group)) {
      const made = document.createElement("optgroup");
      made.label = group;
      groups.set(group, made);
      select.appendChild(made);
    }
    const option = document.createElement("option"),
      elo = ELO[side]?.[label];
    option.value = name;
    option.textContent = elo === undefined ? label : `${label} · Elo ${elo}`;
    groups.get(group)?.appendChild(option);
  }
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
