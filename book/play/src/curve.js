// @ts-check
// The value over the game as a curve, and the moves that cost most.

/** @typedef {import("./thinker.js").Thought} Thought */
/** @typedef {{ply: number, before: number, after: number, better: number}} Fall
 *  the move after `ply` moves: the mover's expected score in percent before and after it, and what was better */

const WIDTH = 600,
  HEIGHT = 150,
  LEFT = 70,
  RIGHT = 10,
  TOP = 10,
  BOTTOM = 24;
const LEAST_FALL = 10; // percent

/** Black's expected score in percent, by a value for the player to move after `ply` moves.
 * @param {number} value @param {number} ply */
export function blackShare(value, ply) {
  return 50 * (1 + (ply % 2 === 0 ? value : -value));
}

/** The value after so many moves for whoever moves then: by the rules if the game is over, else by the thought.
 * @param {import("./rules.js").Game} game @param {Thought | undefined} thought @param {number} ply */
export function valueAt(game, thought, ply) {
  if (ply === game.history.length && game.winner !== null) return game.winner === 0 ? 0 : -1;
  return thought ? thought.value : null;
}

/** The inside of an SVG of 600 × 150. @param {(number | null)[]} shares of Black, in percent, by ply
 * @param {number} ply shown @param {number} plies in the game */
export function curveDrawing(shares, ply, plies) {
  const x = (/** @type {number} */ at) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / Math.max(plies, 1);
  const y = (/** @type {number} */ share) => TOP + ((HEIGHT - TOP - BOTTOM) * (100 - share)) / 100;
  const parts = [50, 0, 100].map(
    (share) => `<path class="${share === 50 ? "middle" : "edge"}" d="M${LEFT} ${y(share)}H${WIDTH - RIGHT}"/>`,
  );
  parts.push(
    `<text x="${LEFT - 6}" y="${y(100) + 9}" text-anchor="end">Black</text>`,
    `<text x="${LEFT - 6}" y="${y(50) + 4}" text-anchor="end">even</text>`,
    `<text x="${LEFT - 6}" y="${y(0)}" text-anchor="end">White</text>`,
  );
  const step = plies > 60 ? 20 : plies > 24 ? 10 : plies > 9 ? 5 : 1;
  for (let at = 0; at <= plies; at += step)
    parts.push(`<text x="${x(at)}" y="${HEIGHT - 5}" text-anchor="middle">${at}</text>`);
  let path = "",
    pen = "M";
  shares.forEach((share, at) => {
    if (share === null) pen = "M";
    else {
      path += `${pen}${x(at).toFixed(1)} ${y(share).toFixed(1)}`;
      pen = "L";
    }
  });
  parts.push(
    `<path class="curve" d="${path}"/>`,
    `<path class="now" d="M${x(ply).toFixed(1)} ${TOP}V${HEIGHT - BOTTOM}"/>`,
  );
  const here = shares[ply];
  if (here !== null && here !== undefined)
    parts.push(`<circle class="dot" cx="${x(ply).toFixed(1)}" cy="${y(here).toFixed(1)}" r="4.5"/>`);
  return parts.join("");
}

/** The ply at a share of the drawing's width. @param {number} share from 0 to 1 @param {number} plies */
export function plyAt(share, plies) {
  const at = ((share * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)) * plies;
  return Math.max(0, Math.min(plies, Math.round(at)));
}

/** The move of the thought, if it was looked at a tenth more often than `move`; else null.
 * @param {number} move @param {Thought} thought */
export function betterThan(move, { move: best, visits }) {
  return visits[best] > 1.1 * visits[move] ? best : null;
}

/** The moves of one player that cost most, worst first. @param {import("./rules.js").Game} game
 * @param {(Thought | undefined)[]} thoughts by ply @param {number} player @param {number} most @returns {Fall[]} */
export function falls(game, thoughts, player, most) {
  /** @type {Fall[]} */
  const found = [];
  game.history.forEach((move, ply) => {
    const thought = thoughts[ply],
      next = valueAt(game, thoughts[ply + 1], ply + 1);
    const better = thought ? betterThan(move, thought) : null;
    if ((ply % 2) + 1 !== player || !thought || next === null || better === null) return;
    const before = 50 * (1 + thought.value),
      after = 50 * (1 - next);
    if (before - after >= LEAST_FALL) found.push({ ply, before, after, better });
  });
  return found.sort((a, b) => b.before - b.after - (a.before - a.after)).slice(0, most);
}
