// @ts-check
// The heuristic agents of five in a row, beside mock5lib/gomoku/threats.py and heuristics.py (after lumiknit's package
// mock5, 2022): what a stone on each empty point would make, and what each agent thinks of it.

import { DIRECTIONS } from "./rules.js";

/** @typedef {import("./rules.js").Game} Game */

const FIVE = 5;
// The levels by the original's numbers. Where several apply, the later one in PRECEDENCE counts.
const NONE = 0,
  TWO = 1,
  THREE = 2,
  FOUR = 3,
  OPEN_THREE = 4,
  OPEN_FOUR = 5,
  FIVES = 6,
  OVERLINE = 7;
const PRECEDENCE = [NONE, TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVES, OVERLINE];

// Threats

/** Threat levels [color - 1][direction][point] of a position; 0 on occupied points. @param {Game} game */
export function threatLevels(game) {
  const { board, height, width } = game;
  const levels = [1, 2].map(() => DIRECTIONS.map(() => new Uint8Array(board.length)));
  DIRECTIONS.forEach((step, direction) => {
    for (const points of boardLines(height, width, step)) {
      const line = points.map((point) => board[point]);
      for (const color of [1, 2]) {
        const found = lineThreats(line, color);
        points.forEach((point, place) => {
          levels[color - 1][direction][point] = found[place];
        });
      }
    }
  });
  return levels;
}

/** All lines of the board along a step, each a list of points. @param {number} height @param {number} width
 * @param {number[]} step */
function boardLines(height, width, [down, right]) {
  const inside = (/** @type {number} */ row, /** @type {number} */ column) =>
    row >= 0 && row < height && column >= 0 && column < width;
  const lines = [];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if (inside(row - down, column - right)) continue;
      const line = [];
      for (let r = row, c = column; inside(r, c); r += down, c += right) line.push(r * width + c);
      lines.push(line);
    }
  }
  return lines;
}

/** Threat levels of `color` for each point along one whole line. @param {number[]} line @param {number} color */
function lineThreats(line, color) {
  const levels = new Array(line.length).fill(NONE);
  for (let first = 0; first + FIVE <= line.length; first++) {
    const window = line.slice(first, first + FIVE);
    if (!window.every((stone) => stone === 0 || stone === color)) continue;
    // undefined where the board ends
    for (const [place, level] of windowThreats(window, line[first - 1], line[first + FIVE], color)) {
      if (PRECEDENCE.indexOf(level) > PRECEDENCE.indexOf(levels[first + place])) levels[first + place] = level;
    }
  }
  return levels;
}

/** [place, level] for the empty points of five neighbors that are free of the other color.
 * @param {number[]} window @param {number | undefined} before @param {number | undefined} after @param {number} color
 * @returns {number[][]} */
function windowThreats(window, before, after, color) {
  const empties = [0, 1, 2, 3, 4].filter((place) => window[place] === 0),
    stones = FIVE - empties.length;
  const all = (/** @type {number} */ level) => empties.map((place) => [place, level]);
  if (stones === 4) return all(before === color || after === color ? OVERLINE : FIVES);
  if (stones === 3) {
    const levels = all(FOUR);
    if (window[0] === 0 && after === 0) levels.push([empties[1], OPEN_FOUR]); // four stones with both ends free
    if (window[4] === 0 && before === 0) levels.push([empties[0], OPEN_FOUR]);
    return levels;
  }
  if (stones === 2)
    return [...all(THREE), ...openThreePlaces(window, before, after).map((place) => [place, OPEN_THREE])];
  if (stones === 1) {
    const stone = window.findIndex((cell) => cell !== 0);
    return empties.filter((place) => Math.abs(place - stone) <= 2).map((place) => [place, TWO]);
  }
  return [];
}

/** Where a third stone makes an open three: both ends of the window are empty, and one point beyond.
 * @param {number[]} window @param {number | undefined} before @param {number | undefined} after */
function openThreePlaces(window, before, after) {
  if (window[0] || window[4]) return [];
  if (window[1] === 0) return before === 0 ? [0, 1] : after === 0 ? [1] : [];
  if (window[3] === 0) return after === 0 ? [3, 4] : before === 0 ? [3] : [];
  return before === 0 ? [0, 2] : after === 0 ? [2, 4] : [];
}

// What the agents think of each point

/** Centrality plus, over the four directions, base^own + weight · base^other; 0 on occupied points.
 * @param {Game} game @param {number} base @param {number} weight */
export function threatScores(game, base, weight) {
  const levels = threatLevels(game),
    own = levels[game.player - 1],
    other = levels[2 - game.player];
  const middle = [(game.height - 1) / 2, (game.width - 1) / 2],
    corner = Math.hypot(middle[0], middle[1]);
  return Array.from(game.board, (stone, point) => {
    if (stone) return 0;
    let sum = 0;
    for (let d = 0; d < 4; d++) sum += base ** own[d][point] + weight * base ** other[d][point];
    const away = Math.hypot(Math.floor(point / game.width) - middle[0], (point % game.width) - middle[1]);
    return 1 + corner - away + sum;
  });
}

/** The policy of df (`defends`) or pt: equal weight to all points of the most urgent class, 0 to others.
 * @param {Game} game @param {boolean} defends */
export function patternPolicy(game, defends) {
  if (game.history.length <= 2) return openingPolicy(game);
  const levels = threatLevels(game),
    own = levels[game.player - 1],
    other = levels[2 - game.player];
  const scores = Array.from(game.board, (stone, point) => (stone ? 0 : patternScore(own, other, point, defends)));
  const top = Math.max(...scores);
  return top >= 1 ? scores.map((score) => (score === top ? 1 : 0)) : scores;
}

/** Urgency of a point: classes 6 (wins) to 1 (open three), below 1 for weaker threats; see `pattern_scores`.
 * @param {Uint8Array[]} own @param {Uint8Array[]} other @param {number} point @param {boolean} defends */
function patternScore(own, other, point, defends) {
  let largest = 0,
    count = 1,
    total = 0;
  for (let d = 0; d < 4; d++) {
    const mine = own[d][point],
      theirs = other[d][point];
    total += mine + 0.9 * theirs;
    const keys = [2 * mine + (!defends || mine >= FIVES ? 1 : 0), 2 * theirs + (defends && theirs < FIVES ? 1 : 0)];
    for (const key of keys) {
      if (key === largest) count += 1;
      else if (key > largest) [largest, count] = [key, 1];
    }
  }
  if (largest >= 2 * FIVES) return 5 + (largest % 2);
  if (largest >= 2 * OPEN_FOUR || (Math.floor(largest / 2) === FOUR && count >= 2)) return 3 + (largest % 2);
  if (largest >= 2 * OPEN_THREE) return 1 + (largest % 2);
  return total / 24;
}

/** 1 on a square: around the center of an empty board, or around the first of one or two stones. @param {Game} game */
function openingPolicy(game) {
  const stones = game.history.length,
    first = game.history[0];
  const row = stones ? Math.floor(first / game.width) : Math.floor(game.height / 2);
  const column = stones ? first % game.width : Math.floor(game.width / 2);
  const radius = stones || Math.max(2, Math.floor((game.height - 15) / 2)) - 1;
  return Array.from(game.board, (stone, point) => {
    const near =
      Math.abs(Math.floor(point / game.width) - row) <= radius && Math.abs((point % game.width) - column) <= radius;
    return near && !stone ? 1 : 0;
  });
}

// The agents

/** The move of a heuristic agent: random, greedy, defensive, pt, df or mixed.
 * @param {string} kind @param {Game} game @param {() => number} random a number in [0, 1) */
export function heuristicMove(kind, game, random) {
  if (kind === "mixed") {
    const unit = random();
    kind = unit < 0.4 ? "greedy" : unit < 0.8 ? "defensive" : unit < 0.9 ? "pt" : "df";
  }
  if (kind === "greedy" || kind === "defensive") {
    const scores = kind === "greedy" ? threatScores(game, 10, 0.7) : threatScores(game, 9, 0.95);
    const noisy = scores.map((score, point) => (game.board[point] ? -Infinity : score + random()));
    return noisy.indexOf(Math.max(...noisy));
  }
  const policy = kind === "random" ? null : patternPolicy(game, kind === "df"),
    moves = game.legalMoves();
  return drawn(
    moves,
    moves.map((move) => (policy ? policy[move] : 1)),
    random,
  );
}

/** One of the moves, drawn in proportion to their weights; uniformly if all are 0.
 * @param {number[]} moves @param {number[]} weights @param {() => number} random */
function drawn(moves, weights, random) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return moves[Math.floor(random() * moves.length)];
  let left = random() * total;
  return (
    moves.find((_, slot) => weights[slot] > 0 && (left -= weights[slot]) < 0) ?? moves[weights.findLastIndex(Boolean)]
  );
}
