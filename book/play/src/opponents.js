// @ts-check
// Whom one can play on each board, weakest first in each group; their Elo stands in ladder.js.

/** @typedef {{name: string, label: string, group: string, about: string}} Opponent `name` as agents.js reads it;
 *  `label` as the ladder has it */

const HEURISTICS = "Heuristics",
  NETS = "Nets without search",
  SEARCH = "Nets with search";
const RULES = {
  random: "plays a random point.",
  pt: "goes by patterns, attack first.",
  df: "goes by patterns, defence first.",
  mixed: "is one of four heuristics, drawn anew for each move.",
  defensive: "scores threats, and weighs yours nearly as much as its own.",
  greedy: "scores threats, and prefers its own.",
};

/** @param {keyof typeof RULES} kind @returns {Opponent} */
function heuristic(kind) {
  return { name: kind, label: kind, group: HEURISTICS, about: `${kind} ${RULES[kind]}` };
}

/** @param {string} name @param {string} label @param {string} about @returns {Opponent} */
function net(name, label, about) {
  return {
    name,
    label,
    group: NETS,
    about: `${label} ${about} It plays the move it finds most probable, without looking ahead.`,
  };
}

/** @param {string} name @param {string} label @param {number[]} simulations
 * @param {string} about @returns {Opponent[]} */
function searchers(name, label, simulations, about) {
  return simulations.map((n) => ({
    name: `${name}@${n}`,
    label: `${label} ${n}`,
    group: SEARCH,
    about: `${label} ${n} ${about} It looks at ${n} positions before each move.`,
  }));
}

const COPIES = "learnt by imitating the heuristics.",
  SELF = "learnt only from games against itself.";

/** @type {Record<number, Opponent[]>} */
export const OPPONENTS = {
  6: [
    heuristic("random"),
    net("alphazero_tiny_10", "AlphaZero after 10 rounds, no search", SELF),
    net("alphazero_tiny", "AlphaZero, no search", SELF),
    ...searchers("alphazero_tiny_10", "AlphaZero after 10 rounds,", [64], SELF),
    ...searchers("alphazero_tiny", "AlphaZero", [16, 64, 200, 800], SELF),
  ],
  9: [
    ...["random", "pt", "df", "mixed", "defensive", "greedy"].map((kind) =>
      heuristic(/** @type {keyof typeof RULES} */ (kind)),
    ),
    net("supervised_9x9", "supervised net", COPIES),
    net("alphazero_9x9", "AlphaZero, no search", SELF),
    net(
      "reinforced_9x9",
      "REINFORCE net",
      "began as the supervised net and learnt from games against the mixed opponent.",
    ),
    ...searchers("supervised_9x9", "expert", [64, 200], COPIES),
    ...searchers("alphazero_9x9", "AlphaZero", [16, 64, 200, 800], SELF),
  ],
  15: [
    ...["random", "pt", "df", "mixed", "greedy", "defensive"].map((kind) =>
      heuristic(/** @type {keyof typeof RULES} */ (kind)),
    ),
    net("supervised_9x9", "supervised net of 9×9", COPIES),
    net("reinforced_9x9", "REINFORCE net of 9×9", "learnt from games against the mixed opponent."),
    net("supervised_15x15", "supervised net", COPIES),
    net("alphazero_15x15", "AlphaZero, no search", SELF),
    ...searchers("supervised_15x15", "expert", [64, 200], COPIES),
    ...searchers("alphazero_15x15", "AlphaZero", [16, 64, 200, 800], SELF),
  ],
};

/** The nets with which the page itself thinks. @type {Record<number, string>} */
export const ANALYST = { 6: "alphazero_tiny", 9: "alphazero_9x9", 15: "alphazero_15x15" };
/** Simulations of its thoughts. */
export const THOUGHTS = 200;
/** Whom one meets first. @type {Record<number, string>} */
export const FIRST = { 6: "alphazero_tiny@64", 9: "alphazero_9x9@64", 15: "alphazero_15x15@64" };
