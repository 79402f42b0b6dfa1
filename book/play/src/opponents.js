// @ts-check
// Whom one can play on each board: the way up, weakest first, and the course's other agents; their Elo is in ladder.js.

import { ELO } from "./ladder.js";
import { INSIDE } from "./thinker.js";

/** @typedef {{name: string, label: string, course: string, about: string, elo: number | undefined}} Opponent `name` as
 *  agents.js reads it, `label` for people, `course` as the ladder has it */

/** What the course's short names are called here. @type {Record<string, string>} */
const CALLED = {
  pt: "attacker",
  df: "defender",
  mixed: "mixed rules",
  defensive: "careful look-ahead",
  greedy: "look-ahead",
};
const RULES = {
  random: "plays a random point.",
  pt: "looks for the strongest pattern, such as an open three; among equals it attacks first.",
  df: "looks for the strongest pattern, such as an open three; among equals it defends first.",
  mixed: "plays each move by one of four rules of thumb, drawn by chance.",
  defensive: "looks one move ahead at the threats that it makes and stops, and weighs yours nearly as much as its own.",
  greedy: "looks one move ahead at the threats that it makes and stops, and prefers its own.",
};
const SELF = "learned only from games against itself.",
  COPIES = "learned by imitating rules of thumb such as attacker and look-ahead.";
const NETS = {
  alphazero_tiny_10: ["AlphaZero after 10 rounds, no search", "AlphaZero after 10 rounds,", SELF],
  alphazero_tiny: ["AlphaZero, no search", "AlphaZero", SELF],
  alphazero_9x9: ["AlphaZero, no search", "AlphaZero", SELF],
  alphazero_15x15: ["AlphaZero, no search", "AlphaZero", SELF],
  supervised_9x9: ["supervised net", "expert", COPIES],
  supervised_15x15: ["supervised net", "expert", COPIES],
  reinforced_9x9: [
    "REINFORCE net",
    "",
    "began as the supervised net and learned from games against the mixed opponent.",
  ],
};
/** The reader's own net, if this is a file of `mock5 page`. */
export const OWN = INSIDE.find(({ label }) => label);

/** @param {string} name @param {number} side @returns {Opponent} */
function opponent(name, side) {
  const [base, simulations] = name.split("@"),
    games = Number(simulations).toLocaleString("en");
  let label = base,
    about = RULES[/** @type {keyof typeof RULES} */ (base)];
  if (base === "uct") {
    label = `UCT ${games}`;
    about = `plays ${games} random games to the end before each move, and plays the move that it tried most often.`;
  } else if (!about) {
    const known = NETS[/** @type {keyof typeof NETS} */ (base)],
      [alone, searching, learned] = known ?? [
        `${OWN?.label}, no search`,
        OWN?.label,
        "was trained by whoever made this file.",
      ];
    label = simulations
      ? `${searching} ${simulations}`
      : alone + (base.endsWith("9x9") && side === 15 ? " of 9×9" : "");
    about = `${learned} ${simulations ? `It looks at ${simulations} positions before each move.` : "It plays the move it finds most probable."}`;
  }
  const called = CALLED[base] ?? label,
    said = called === label ? label : `${called} (${label} in the course)`;
  return { name, label: called, course: label, about: `${said} ${about}`, elo: ELO[side]?.[label] };
}

const NAMES = {
  6: [
    `random uct@30 uct@200 uct@1000 alphazero_tiny_10 alphazero_tiny_10@64
     alphazero_tiny alphazero_tiny@16 alphazero_tiny@200`,
    "uct@10000 alphazero_tiny@64 alphazero_tiny@800",
  ],
  9: [
    `random uct@100 uct@1000 uct@10000 pt mixed greedy
     alphazero_9x9 alphazero_9x9@16 alphazero_9x9@64 alphazero_9x9@200 alphazero_9x9@800`,
    "df defensive supervised_9x9 reinforced_9x9 supervised_9x9@64 supervised_9x9@200",
  ],
  15: [
    `random uct@100 uct@1000 uct@10000 pt mixed greedy defensive
     supervised_15x15@64 alphazero_15x15@64 alphazero_15x15@200 alphazero_15x15@800`,
    `df supervised_9x9 reinforced_9x9 supervised_15x15 supervised_15x15@200
     alphazero_15x15 alphazero_15x15@16`,
  ],
};

/** The way up on each board, and who else is there. @type {Record<number, {way: Opponent[], others: Opponent[]}>} */
export const OPPONENTS = Object.fromEntries(
  Object.entries(NAMES).map(([side, lists]) => {
    const [way, others] = lists.map((names) => names.split(/\s+/).map((name) => opponent(name, Number(side))));
    const own = OWN?.sides?.includes(Number(side)) ? ["@64", "@16", "@200", "@800", ""] : [];
    others.unshift(...own.map((simulations) => opponent(OWN?.name + simulations, Number(side))));
    return [side, { way, others }];
  }),
);

/** The nets with which the page itself thinks. @type {Record<number, string>} */
export const ANALYST = { 6: "alphazero_tiny", 9: "alphazero_9x9", 15: "alphazero_15x15" };
/** Simulations of its thoughts. */
export const THOUGHTS = 200;

/** @param {number} side @param {string} name @returns {Opponent | undefined} */
export function find(side, name) {
  return [...OPPONENTS[side].way, ...OPPONENTS[side].others].find((one) => one.name === name);
}
