// Written by `python -m tools.page`; do not edit.
(function mock5Script() {
"use strict";
// rules.js
const rules = (() => {
// @ts-check
// The rules of k in a row, as mock5lib/game/board.py has them: five or more wins, black (1) moves first.

/** The four directions of a row: right, down, right-down, left-down. As mock5lib.game.points.DIRECTIONS. */
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];
/** Names of rows and columns. As mock5lib.game.points.DIGITS. */
const DIGITS = "0123456789ABCDE";
const LETTERS = "abcdefghijklmno";
const COLOR = ["", "Black", "White"];

/** One game: moves are points, row * width + column. */
class Game {
  /** @param {number} height @param {number} width @param {number} k @param {number[]} [history] moves played */
  constructor(height, width, k, history = []) {
    this.height = height;
    this.width = width;
    this.k = k;
    this.board = new Int8Array(height * width); // 0 empty, 1 black, 2 white
    /** @type {number[]} */
    this.history = [];
    this.player = 1; // who moves next
    /** @type {number | null} null while the game runs, 0 for a draw, 1 or 2 */
    this.winner = null;
    for (const move of history) this.apply(move);
  }

  /** Play a move for whoever is to move; throws an Error in a sentence and leaves the game as it is.
   * @param {number} move */
  apply(move) {
    if (!(Number.isInteger(move) && move >= 0 && move < this.board.length)) {
      throw new Error(`Move ${move} is off the board: points are 0 to ${this.board.length - 1}.`);
    }
    if (this.winner !== null) throw new Error("The game is over: no move can be played.");
    if (this.board[move]) throw new Error(`${pointName(move, this.width)} is occupied.`);
    this.board[move] = this.player;
    this.history.push(move);
    if (winsAt(this.board, this.height, this.width, this.k, move)) this.winner = this.player;
    else if (this.history.length === this.board.length) this.winner = 0;
    this.player = 3 - this.player;
  }

  /** An independent copy. */
  copy() {
    const other = new Game(this.height, this.width, this.k);
    other.board.set(this.board);
    other.history = this.history.slice();
    other.player = this.player;
    other.winner = this.winner;
    return other;
  }

  /** The same game after its first moves only. @param {number} plies */
  at(plies) {
    return new Game(this.height, this.width, this.k, this.history.slice(0, plies));
  }

  /** The empty points in increasing order; none once the game is over. */
  legalMoves() {
    const moves = [];
    if (this.winner === null) {
      for (let move = 0; move < this.board.length; move++) if (!this.board[move]) moves.push(move);
    }
    return moves;
  }
}

/** How many stones of the color at `move` follow it without a gap.
 * @param {Int8Array} board @param {number} height @param {number} width @param {number} move @param {number} down
 * @param {number} right */
function following(board, height, width, move, down, right) {
  let row = Math.floor(move / width) + down,
    column = (move % width) + right,
    count = 0;
  while (row >= 0 && row < height && column >= 0 && column < width && board[row * width + column] === board[move]) {
    count += 1;
    row += down;
    column += right;
  }
  return count;
}

/** Whether the stone at `move` stands in a winning row.
 * @param {Int8Array} board @param {number} height @param {number} width @param {number} k @param {number} move */
function winsAt(board, height, width, k, move) {
  for (const [down, right] of DIRECTIONS) {
    const others =
      following(board, height, width, move, down, right) + following(board, height, width, move, -down, -right);
    if (1 + others >= k) return true;
  }
  return false;
}

/** The points of the row that won the game, from end to end; empty while nobody has won. @param {Game} game */
function winningLine({ winner, board, height, width, k, history }) {
  const last = history[history.length - 1];
  for (const [down, right] of winner ? DIRECTIONS : []) {
    const before = following(board, height, width, last, -down, -right);
    const length = before + 1 + following(board, height, width, last, down, right);
    if (length >= k) return Array.from({ length }, (_, i) => last + (i - before) * (down * width + right));
  }
  return [];
}

/** As the notebooks say it, and as players of five in a row do: columns from a, rows from 1 at the bottom.
 * @param {number} move @param {number} side */
function pointName(move, side) {
  const row = Math.floor(move / side),
    column = move % side;
  return `row ${DIGITS[row]} column ${DIGITS[column]} (${"abcdefghijklmno"[column]}${side - row})`;
}
return { DIRECTIONS, DIGITS, LETTERS, COLOR, Game, winsAt, winningLine, pointName };
})();

// net.js
const net = (() => {
// @ts-check
// The "patterns" net of mock5lib/nets/blocks.py, read from the course's checkpoints: a learned table of lines, a head
// that compares the points, a head for the value. `python -m tools.page` writes the weights, float32 as they are.
//
// Everything is worked out in double precision, and the answer is rounded to float32. So points that are equal by a
// symmetry of the board get equal log-priors, and the search breaks the tie by index. PyTorch, in float32, lets the
// rounding of its sums break it.
//
// Why not onnxruntime-web: its wasm alone (1.20.1) is 3.0 MB gzipped. The whole page with all its nets is 0.6 MB.

/** @typedef {{name: string, reach: number, width: number, rows: string, weights: string}} PackedNet */
/** @typedef {{logPriors: Float32Array, value: number}} Answer for the player to move; log-priors of empty points */

// Ray d + 4 is opposite to ray d.
const RAYS = [0, 1, 1, 0, 1, 1, 1, -1, 0, -1, -1, 0, -1, -1, -1, 1];
// What a player sees on a line: the other's stones and the edge both block.
const EMPTY = 0;
const OWN = 1;
const BLOCKED = 2;
const HIDDEN = 32;
const COMPARED = 8;

/** What is known of the points of a board for one player to move. From one leaf of a search to the next the lines of
 * most points stay, and with them all that is kept here; what depends on the other points is not. */
class Kept {
  /** @param {number} points @param {number} channels */
  constructor(points, channels) {
    this.rays = new Uint8Array(16 * points).fill(255); // [point][own or other player's view][ray]: its state
    this.seen = new Uint8Array(16); // the same of one point, now
    this.features = new Float64Array(channels); // of one point
    this.hidden = new Float64Array(HIDDEN); // of one point
    this.compared = new Float64Array(COMPARED * points); // [point][number]
    this.second = new Float64Array(HIDDEN * points); // [point][unit]: its sum before the comparison
    this.points = new Float64Array(HIDDEN * points); // [point][unit] of the value head
  }
}

class Net {
  /** @param {PackedNet} packed */
  constructor(packed) {
    this.reach = packed.reach;
    this.width = packed.width;
    this.states = 2 ** (packed.reach + 1) - 1;
    this.channels = 2 * packed.width + 1;
    const weights = new Float32Array(bytesOf(packed.weights).buffer);
    let at = 0;
    const take = (/** @type {number} */ count) => weights.subarray(at, (at += count));
    this.table = wholeTable(take(this.states * this.width), new Uint16Array(bytesOf(packed.rows).buffer), take, this);
    const layer = (/** @type {number} */ out, /** @type {number} */ into) => ({
      weight: Float64Array.from(take(out * into)),
      bias: Float64Array.from(take(out)),
      into,
    });
    this.hidden = layer(HIDDEN, this.channels);
    this.compared = layer(COMPARED, HIDDEN);
    const [second, comparison] = halves(layer(HIDDEN, HIDDEN + COMPARED), HIDDEN);
    this.second = second;
    this.comparison = comparison;
    this.out = layer(1, HIDDEN);
    this.points = layer(HIDDEN, this.channels);
    this.board = layer(HIDDEN, 2 * HIDDEN);
    this.value = layer(1, HIDDEN);
    if (at !== weights.length) throw new Error(`Net ${packed.name} has ${weights.length} weights, not ${at}.`);
    this.stateOfCode = rayStates(this.reach);
    this.shape = "";
    /** @type {Kept[]} for black and for white to move */
    this.kept = [];
  }

  /** What the net thinks of a position. The answer's arrays are its own.
   * @param {Int8Array} board @param {number} player who moves @param {number} height @param {number} width
   * @returns {Answer} */
  evaluate(board, player, height, width) {
    if (this.shape !== `${height}×${width}`) {
      this.shape = `${height}×${width}`;
      this.kept = [new Kept(height * width, this.channels), new Kept(height * width, this.channels)];
    }
    const kept = this.kept[player - 1];
    const empty = [];
    for (let point = 0; point < board.length; point++) if (!board[point]) empty.push(point);
    this.lookAt(empty, board, player, height, width, kept);
    return { logPriors: this.logPriors(empty, board.length, kept), value: this.valueOf(empty, kept) };
  }

  /** Look along the rays of every empty point, and work out anew the points whose rays have changed.
   * @param {number[]} empty @param {Int8Array} board @param {number} player @param {number} height
   * @param {number} width @param {Kept} kept */
  lookAt(empty, board, player, height, width, kept) {
    const { reach, stateOfCode } = this;
    const span = width + 2 * reach;
    const size = (height + 2 * reach) * span;
    const views = new Uint8Array(2 * size).fill(BLOCKED); // the board with a rim, as the player and the other see it
    for (let point = 0; point < board.length; point++) {
      const place = (Math.floor(point / width) + reach) * span + (point % width) + reach;
      const stone = board[point];
      views[place] = stone === 0 ? EMPTY : stone === player ? OWN : BLOCKED;
      views[size + place] = stone === 0 ? EMPTY : stone === player ? BLOCKED : OWN;
    }
    for (const point of empty) {
      let changed = false;
      for (let view = 0; view < 2; view++) {
        const place = view * size + (Math.floor(point / width) + reach) * span + (point % width) + reach;
        for (let ray = 0; ray < 8; ray++) {
          const step = RAYS[2 * ray] * span + RAYS[2 * ray + 1];
          let code = 0;
          for (let distance = reach; distance > 0; distance--) code = 3 * code + views[place + distance * step];
          kept.seen[8 * view + ray] = stateOfCode[code];
          changed ||= kept.rays[16 * point + 8 * view + ray] !== stateOfCode[code];
        }
      }
      if (changed) this.workOut(point, height, width, kept);
    }
  }

  /** All that a point's own lines decide, from `kept.seen`.
   * @param {number} point @param {number} height @param {number} width @param {Kept} kept */
  workOut(point, height, width, kept) {
    kept.rays.set(kept.seen, 16 * point);
    this.describe(point, height, width, kept);
    apply(this.hidden, kept.features, 0, kept.hidden, 0, true);
    apply(this.compared, kept.hidden, 0, kept.compared, COMPARED * point, false);
    apply(this.second, kept.hidden, 0, kept.second, HIDDEN * point, false);
    apply(this.points, kept.features, 0, kept.points, HIDDEN * point, true);
  }

  /** The features of one point: the vectors of its four lines summed, for either player; the distance from the center.
   * @param {number} point @param {number} height @param {number} width @param {Kept} kept */
  describe(point, height, width, { seen, features }) {
    const { table, states, width: size } = this;
    for (let view = 0; view < 2; view++) {
      features.fill(0, view * size, (view + 1) * size);
      for (let direction = 0; direction < 4; direction++) {
        const one = seen[8 * view + direction];
        const other = seen[8 * view + direction + 4];
        const line = (Math.max(one, other) * states + Math.min(one, other)) * size;
        for (let i = 0; i < size; i++) features[view * size + i] += table[line + i];
      }
    }
    const down = Math.floor(point / width) - (height - 1) / 2;
    const right = (point % width) - (width - 1) / 2;
    features[2 * size] = Math.sqrt(down * down + right * right);
  }

  /** The policy head (`ComparingHead`) and the softmax over the empty points.
   * @param {number[]} empty @param {number} points of the board @param {Kept} kept @returns {Float32Array} */
  logPriors(empty, points, { compared, second }) {
    const largest = new Float64Array(COMPARED).fill(-Infinity);
    for (const point of empty) {
      for (let i = 0; i < COMPARED; i++) largest[i] = Math.max(largest[i], compared[COMPARED * point + i]);
    }
    const scores = new Float64Array(empty.length);
    const differences = new Float64Array(COMPARED);
    const inner = new Float64Array(HIDDEN);
    let top = -Infinity;
    empty.forEach((point, row) => {
      for (let i = 0; i < COMPARED; i++) differences[i] = compared[COMPARED * point + i] - largest[i];
      apply(this.comparison, differences, 0, inner, 0, false);
      for (let i = 0; i < HIDDEN; i++) inner[i] = Math.max(0, inner[i] + second[HIDDEN * point + i]);
      apply(this.out, inner, 0, scores, row, false);
      top = Math.max(top, scores[row]);
    });
    let total = 0;
    for (const score of scores) total += Math.exp(score - top);
    const logPriors = new Float32Array(points).fill(-1e9); // mock5lib.game.lockstep_compiled.OCCUPIED
    empty.forEach((point, row) => {
      logPriors[point] = scores[row] - top - Math.log(total);
    });
    return logPriors;
  }

  /** The value head: mean and maximum over the empty points (`ValueHead`). @param {number[]} empty @param {Kept} kept */
  valueOf(empty, { points }) {
    const pooled = new Float64Array(2 * HIDDEN);
    for (const point of empty) {
      for (let i = 0; i < HIDDEN; i++) {
        pooled[i] += points[HIDDEN * point + i];
        pooled[HIDDEN + i] = Math.max(pooled[HIDDEN + i], points[HIDDEN * point + i]);
      }
    }
    for (let i = 0; i < HIDDEN; i++) pooled[i] /= Math.max(empty.length, 1);
    const inner = new Float64Array(HIDDEN);
    const answer = new Float64Array(1);
    apply(this.board, pooled, 0, inner, 0, true);
    apply(this.value, inner, 0, answer, 0, false);
    return Math.fround(Math.tanh(answer[0]));
  }
}

/** @typedef {{weight: Float64Array, bias: Float64Array, into: number}} Layer */

/** A layer as two whose sum it is: the first takes the first `count` inputs and has the bias, the second the rest.
 * @param {Layer} layer @param {number} count */
function halves({ weight, bias, into }, count) {
  const columns = (/** @type {number} */ from, /** @type {number} */ to) =>
    weight.filter((_, at) => at % into >= from && at % into < to);
  return [
    { weight: columns(0, count), bias, into: count },
    { weight: columns(count, into), bias: new Float64Array(bias.length), into: into - count },
  ];
}

/** One layer: out = weight · into + bias, with or without ReLU.
 * @param {Layer} layer
 * @param {Float64Array} from @param {number} start @param {Float64Array} to @param {number} at @param {boolean} relu */
function apply(layer, from, start, to, at, relu) {
  const { weight, bias, into } = layer;
  for (let row = 0; row < bias.length; row++) {
    let sum = bias[row];
    for (let column = 0, w = row * into; column < into; column++) sum += weight[w + column] * from[start + column];
    to[at + row] = relu && sum < 0 ? 0 : sum;
  }
}

/** A line's vector is that of its two rays plus a correction of its own, stored only where it is not 0.
 * @param {Float32Array} rays @param {Uint16Array} rows @param {(count: number) => Float32Array} take
 * @param {{states: number, width: number}} net */
function wholeTable(rays, rows, take, { states, width }) {
  const table = new Float64Array(states * states * width),
    corrections = take(rows.length * width);
  rows.forEach((row, number) => table.set(corrections.subarray(number * width, (number + 1) * width), row * width));
  for (let one = 0; one < states; one++) {
    for (let other = 0; other < states; other++) {
      for (let i = 0; i < width; i++) {
        const at = (one * states + other) * width + i;
        table[at] += rays[one * width + i] + rays[other * width + i];
      }
    }
  }
  return table;
}

/** The state of each code of a ray: points before the block, and which of them are own stones. @param {number} reach */
function rayStates(reach) {
  const states = new Uint8Array(3 ** reach);
  for (let code = 0; code < states.length; code++) {
    let before = 0,
      own = 0;
    for (let rest = code; before < reach && rest % 3 !== BLOCKED; before++, rest = Math.floor(rest / 3)) {
      if (rest % 3 === OWN) own += 1 << before;
    }
    states[code] = (1 << before) - 1 + own;
  }
  return states;
}

/** @param {string} text in base 64 */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
return { Net };
})();

// tree.js
const tree = (() => {
// @ts-check
// Tree search guided by a net, beside mock5lib/search/puct.py: the same names, the same numbers, the same ties.
//
// An edge's statistics (N, W, Q) belong to the player who chooses it, a net's value to the player to move; it flips
// once on the way from node to edge. A node keeps W for the player to move there, so Q of the edge into it is minus
// its mean: `childQ` has that sign, and `backup` flips once per ply.

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./net.js").Answer} Answer */
/** @typedef {{evaluate(board: Int8Array, player: number, height: number, width: number): Answer}} Expert */
/** @typedef {{visits: Int32Array, q: number, move: number, line: number[]}} SearchResult
 *  `visits` by point; `q` of the most visited move, in [-1, 1] for the player to move; `line` of such moves from here */

const C = 1.4; // weight of the exploration term, as the ladder's agents search

/** q + c·P·√N / (1 + n) (Silver et al. 2017, Methods, "Select").
 * @param {number} q @param {number} prior @param {number} parentVisits @param {number} visits */
function puct(q, prior, parentVisits, visits) {
  return q + (C * prior * Math.sqrt(parentVisits)) / (1 + visits);
}

/** A position in the tree. */
class SearchNode {
  /** @param {number} player who moves next @param {number} move that led here, -1 at a fresh root
   * @param {SearchNode | null} parent */
  constructor(player, move = -1, parent = null) {
    this.player = player;
    this.move = move;
    this.parent = parent;
    /** @type {number[] | null} the moves from here, highest prior first; null until the net has been asked */
    this.moves = null;
    /** @type {number[]} P of each of these moves, float32 */
    this.priors = [];
    /** @type {(SearchNode | undefined)[]} the child of each of these moves, once it has been tried */
    this.children = [];
    this.visits = 0; // N
    this.valueSum = 0; // W, for the player to move here
    this.value = 0; // of this position alone, from the net or the rules
    this.exact = false; // whether it is from the rules; such a node is never expanded
  }

  /** The child of the most visits, of equal ones the higher q, then the lower move. */
  mostVisited() {
    /** @type {SearchNode | undefined} */
    let best;
    for (const child of this.children) {
      if (!child) continue;
      const better = best && (child.visits - best.visits || childQ(child) - childQ(best) || best.move - child.move);
      if (!best || /** @type {number} */ (better) > 0) best = child;
    }
    return best;
  }
}

/** The child's mean value for the player who chooses it: one ply up, so the sign flips. @param {SearchNode} child */
function childQ(child) {
  return 0 - child.valueSum / child.visits;
}

/** One game, one net, one tree. */
class SearchTree {
  /** @param {Game} game it is copied @param {Expert} expert */
  constructor(game, expert) {
    this.game = game.copy();
    this.expert = expert;
    this.root = new SearchNode(game.player);
    this.start(-1);
  }

  /** A fresh root; `move` led to it. @param {number} move */
  start(move) {
    this.root = new SearchNode(this.game.player, move);
    backup(this.root, this.evaluate(this.root, this.game));
  }

  // One simulation: select, evaluate (and expand), back up

  simulate() {
    const game = this.game.copy();
    const leaf = this.select(game);
    backup(leaf, this.evaluate(leaf, game));
  }

  /** Walk down by the rule, playing on `game`, to a node that is new or has an exact value. @param {Game} game */
  select(game) {
    let node = this.root;
    while (node.moves !== null) {
      const slot = choose(node);
      game.apply(node.moves[slot]);
      node = node.children[slot] ??= new SearchNode(game.player, node.moves[slot], node);
    }
    return node;
  }

  /** The value for the player to move: from the rules if they know it, else from the net.
   * @param {SearchNode} node @param {Game} game */
  evaluate(node, game) {
    if (node.exact || node.moves !== null) return node.value;
    if (game.winner !== null) {
      node.exact = true;
      node.value = game.winner === 0 ? 0 : game.winner === game.player ? 1 : -1;
      return node.value;
    }
    const [moves, exact] = lookOnePlyAhead(game);
    if (exact !== null && node !== this.root) {
      node.exact = true;
      node.value = exact;
      return exact;
    }
    const value = this.expand(node, game, moves);
    node.value = exact === null ? value : exact;
    return node.value;
  }

  /** Ask the net: sets the priors of `moves` and returns the value.
   * @param {SearchNode} node @param {Game} game @param {number[]} moves */
  expand(node, game, moves) {
    const { logPriors, value } = this.expert.evaluate(game.board, game.player, game.height, game.width);
    const priors = legalPriors(logPriors, moves);
    const order = moves.map((_, slot) => slot).sort((a, b) => priors[b] - priors[a] || moves[a] - moves[b]);
    node.moves = order.map((slot) => moves[slot]);
    node.priors = order.map((slot) => priors[slot]);
    node.children = new Array(moves.length).fill(undefined);
    return value;
  }

  // Searching and moving on

  /** Run so many simulations more and say what the root has found.
   * @param {number} simulations @returns {SearchResult} */
  search(simulations) {
    for (let i = 0; i < simulations; i++) this.simulate();
    const visits = new Int32Array(this.game.board.length),
      best = this.root.mostVisited(),
      line = [];
    for (const child of this.root.children) if (child) visits[child.move] = child.visits;
    for (let node = best; node; node = node.mostVisited()) line.push(node.move);
    return { visits, q: best ? childQ(best) : 0, move: best ? best.move : -1, line };
  }

  /** Play a move (ours or the opponent's) and keep the part of the tree below it. @param {number} move */
  advance(move) {
    this.game.apply(move);
    const child = this.root.moves ? this.root.children[this.root.moves.indexOf(move)] : undefined;
    if (this.game.winner !== null) this.root = new SearchNode(this.game.player, move);
    else if (!child || child.moves === null) this.start(move);
    else {
      child.parent = null;
      this.root = child;
    }
  }
}

/** The slot of the highest q + u; of equal scores the first, and priors stand highest first. An untried move has q = 0.
 * @param {SearchNode} node */
function choose(node) {
  let best = 0,
    highest = -Infinity;
  for (let slot = 0; slot < node.priors.length; slot++) {
    const child = node.children[slot];
    const score = child
      ? puct(childQ(child), node.priors[slot], node.visits, child.visits)
      : puct(0, node.priors[slot], node.visits, 0);
    if (score > highest) [best, highest] = [slot, score];
  }
  return best;
}

/** From the leaf to the root: one more visit, and the value, which flips once per ply.
 * @param {SearchNode | null} node @param {number} value */
function backup(node, value) {
  for (; node !== null; node = node.parent) {
    node.visits += 1;
    node.valueSum += value;
    value = -value;
  }
}

// Priors, and what the rules know

/** Priors of `moves` alone, which sum to 1, in float32; equal ones where the net gives each probability 0.
 * @param {Float32Array} logPriors @param {number[]} moves */
function legalPriors(logPriors, moves) {
  let greatest = -Infinity,
    total = 0;
  for (const move of moves) greatest = Math.max(greatest, logPriors[move]);
  if (greatest === -Infinity) return new Float32Array(moves.length).fill(1 / moves.length);
  const weights = Float32Array.from(moves, (move) => Math.exp(logPriors[move] - greatest));
  for (const weight of weights) total += weight;
  return weights.map((weight) => weight / total);
}

/** Which moves are worth a look, and the exact value for the player to move where the rules give it away:
 * - I can win at once: those moves, value 1.
 * - The opponent threatens to win at two points or more: those moves, value -1, for only one can be blocked.
 * - The opponent threatens at one point: that move alone; value not known.
 * - Otherwise: all legal moves; value not known.
 * @param {Game} game @returns {[number[], number | null]} */
function lookOnePlyAhead(game) {
  const wins = immediateWins(game, game.player);
  if (wins.length) return [wins, 1];
  const threats = immediateWins(game, 3 - game.player);
  if (threats.length) return [threats, threats.length > 1 ? -1 : null];
  return [game.legalMoves(), null];
}

/** The empty points where a stone of `player` would win, in increasing order: of k points in line all but one hold
 * stones of `player`, and that one is empty. @param {Game} game @param {number} player */
function immediateWins(game, player) {
  const { board, height, width, k } = game;
  /** @type {number[]} */
  const wins = [];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const point = row * width + column;
      if (column + k <= width) loneEmpty(board, point, 1, k, player, wins);
      if (row + k > height) continue;
      loneEmpty(board, point, width, k, player, wins);
      if (column + k <= width) loneEmpty(board, point, width + 1, k, player, wins);
      if (column + 1 >= k) loneEmpty(board, point, width - 1, k, player, wins);
    }
  }
  return wins.sort((a, b) => a - b);
}

/** Adds the one empty point of k in line to `wins`, if all others hold stones of `player`.
 * @param {Int8Array} board @param {number} point @param {number} step @param {number} k @param {number} player
 * @param {number[]} wins */
function loneEmpty(board, point, step, k, player, wins) {
  let empty = -1;
  for (let i = 0; i < k; i++, point += step) {
    if (board[point] === player) continue;
    if (board[point] !== 0 || empty >= 0) return;
    empty = point;
  }
  if (empty >= 0 && !wins.includes(empty)) wins.push(empty);
}
return { puct, SearchTree, legalPriors, lookOnePlyAhead, immediateWins };
})();

// uct.js
const uct = (() => {
// @ts-check
// Plain UCT, beside mock5lib/search/uct.py: the same four steps, the same sums, the same draws of random numbers.
//
// An edge's statistics belong to the player who chooses it: a node's `wins` are those of the player who moved into it.

const { winsAt } = rules;

/** @typedef {import("./rules.js").Game} Game */

/** A position in the tree. */
class Node {
  /** @param {Game} game @param {number} move that led here, -1 at a fresh root @param {Node | null} parent */
  constructor(game, move = -1, parent = null) {
    this.player = game.player;
    this.move = move;
    this.parent = parent;
    /** @type {Node[]} in the order in which they were tried */
    this.children = [];
    this.untried = game.legalMoves();
    this.visits = 0;
    this.wins = 0; // a draw counts one half
  }
}

/** One game, one tree. */
class UCT {
  /** @param {Game} game it is copied @param {() => number} random a number in [0, 1) */
  constructor(game, random) {
    this.game = game.copy();
    this.random = random;
    this.root = new Node(game);
  }

  /** Run so many simulations more: the move to play, and the visits by point. @param {number} simulations */
  search(simulations) {
    for (let i = 0; i < simulations; i++) this.simulate();
    const visits = new Int32Array(this.game.board.length);
    for (const child of this.root.children) visits[child.move] = child.visits;
    return { move: this.drawn(mostVisited(this.root)).move, visits };
  }

  /** Select, expand, play out, back up. */
  simulate() {
    const game = this.game.copy();
    let node = this.root;
    while (!node.untried.length && node.children.length) {
      node = bestChild(node);
      game.apply(node.move);
    }
    if (node.untried.length) {
      const move = this.drawn(node.untried);
      node.untried.splice(node.untried.indexOf(move), 1);
      game.apply(move);
      const child = new Node(game, move, node);
      node.children.push(child);
      node = child;
    }
    backup(node, playout(game, this.random));
  }

  /** Play a move and keep the part of the tree below it. @param {number} move */
  advance(move) {
    this.game.apply(move);
    this.root = this.root.children.find((child) => child.move === move) ?? new Node(this.game);
    this.root.parent = null;
  }

  /** @template T @param {T[]} list @returns {T} one of its members, drawn at random */
  drawn(list) {
    return list[Math.floor(this.random() * list.length)];
  }
}

/** The child with the greatest w/v + √2·√(ln N / v); of equal ones the first tried. @param {Node} node */
function bestChild(node) {
  const wideness = Math.SQRT2 * Math.sqrt(Math.log(node.visits));
  let best = node.children[0],
    highest = -Infinity;
  for (const child of node.children) {
    const score = child.wins / child.visits + wideness / Math.sqrt(child.visits);
    if (score > highest) [best, highest] = [child, score];
  }
  return best;
}

/** Random moves to the end, on `game` itself: the winner, 0 for a draw. @param {Game} game @param {() => number} random */
function playout(game, random) {
  const { board, height, width, k } = game,
    empty = game.legalMoves();
  let { player, winner } = game;
  while (winner === null) {
    const [move] = empty.splice(Math.floor(random() * empty.length), 1);
    board[move] = player;
    if (winsAt(board, height, width, k, move)) winner = player;
    else if (!empty.length) winner = 0;
    player = 3 - player;
  }
  return winner;
}

/** From the leaf to the root: one more visit, and the points of who moved into each node.
 * @param {Node | null} node @param {number} winner */
function backup(node, winner) {
  for (; node !== null; node = node.parent) {
    node.visits += 1;
    if (winner === 0) node.wins += 0.5;
    else if (winner !== node.player) node.wins += 1; // to move here is the other than who moved in
  }
}

/** The children of the most visits, and of these those of the greatest w/v. @param {Node} root */
function mostVisited({ children }) {
  const visits = Math.max(...children.map((child) => child.visits));
  const most = children.filter((child) => child.visits === visits);
  const wins = Math.max(...most.map((child) => child.wins));
  return most.filter((child) => child.wins === wins);
}
return { UCT };
})();

// heuristics.js
const heuristics = (() => {
// @ts-check
// The heuristic agents of five in a row, beside mock5lib/gomoku/threats.py and heuristics.py (after lumiknit's package
// mock5, 2022): what a stone on each empty point would make, and what each agent thinks of it.

const { DIRECTIONS } = rules;

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
function threatLevels(game) {
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
function threatScores(game, base, weight) {
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
function patternPolicy(game, defends) {
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
function heuristicMove(kind, game, random) {
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
return { threatLevels, threatScores, patternPolicy, heuristicMove };
})();

// agents.js
const agents = (() => {
// @ts-check
// An opponent by its name: a heuristic, UCT, a net's most probable move, or a net with a search.

const { heuristicMove } = heuristics;
const { Net } = net;
const { SearchTree } = tree;
const { UCT } = uct;

/** @typedef {import("./rules.js").Game} Game */

/** Plays by `greedy`, `uct@100` (100 simulations per move), `alphazero_9x9` (a net's most probable move) or
 * `alphazero_9x9@64` (a search with it). */
class Agent {
  /** @param {string} name @param {(net: string) => Net} netOf */
  constructor(name, netOf) {
    const [base, simulations] = name.split("@");
    this.name = name;
    this.simulations = Number(simulations || 0);
    this.net = base.includes("_") ? netOf(base) : null;
    /** @type {SearchTree | UCT | null} kept between moves */
    this.tree = null;
  }

  /** @param {Game} game @returns {number} */
  move(game) {
    if (this.simulations) {
      const fresh = () => (this.net ? new SearchTree(game, this.net) : new UCT(game, Math.random));
      this.tree = followed(this.tree, game) ?? fresh();
      return this.tree.search(this.simulations).move;
    }
    if (!this.net) return heuristicMove(this.name, game, Math.random);
    const { logPriors } = this.net.evaluate(game.board, game.player, game.height, game.width);
    return logPriors.indexOf(Math.max(...logPriors));
  }
}

/** The tree, moved on by the last one or two moves of `game` if they lead there from its position; else null.
 * @template {SearchTree | UCT} T @param {T | null} tree @param {Game} game @returns {T | null} */
function followed(tree, game) {
  if (!tree) return null;
  const known = tree.game.history,
    moves = game.history;
  const further = moves.length - known.length;
  if (further < 0 || further > 2 || tree.game.board.length !== game.board.length) return null;
  if (!known.every((move, ply) => move === moves[ply])) return null;
  for (const move of moves.slice(known.length)) tree.advance(move);
  return tree;
}
return { Agent };
})();

// records.js
const records = (() => {
// @ts-check
// A game as text: SGF (GM[4]) and Gomocup's .psq, which is read alone, as mock5lib/game/record_formats.py has them; a link.

const { Game, LETTERS } = rules;

/** @typedef {{side: number, moves: number[], black: string, white: string, winner: number}} Record `winner` as the file
 *  says it: 1, 2, or 0 for nobody; a game that is not won on its board was given up */
/** @typedef {import("./main.js").Position} Position */

/** How many in a row win on a board of this side. @param {number} side */
function rowOf(side) {
  return side === 6 ? 4 : 5;
}

/** A game, by its moves. Throws an Error in a sentence if one is against the rules.
 * @param {{side: number, moves: number[]}} record */
function gameOf(record) {
  return new Game(record.side, record.side, rowOf(record.side), record.moves);
}

// Writing

/** @param {Game} game @param {string} black @param {string} white @param {number} resigned who gave it up, or 0 */
function sgfText(game, black, white, resigned) {
  const open = resigned ? `${"WB"[resigned - 1]}+Resign` : "Void";
  const result = game.winner === null ? open : game.winner === 0 ? "Draw" : "BW"[game.winner - 1] + "+";
  const escaped = (/** @type {string} */ text) => text.replace(/([\]\\:])/g, "\\$1");
  const rule = `RU[k=${rowOf(game.width)}]`;
  const head = `(;FF[4]GM[4]CA[UTF-8]SZ[${game.width}]${rule}PB[${escaped(black)}]PW[${escaped(white)}]RE[${result}]`;
  const nodes = game.history.map(
    (move, ply) => `;${"BW"[ply % 2]}[${LETTERS[move % game.width]}${LETTERS[Math.floor(move / game.width)]}]`,
  );
  return `${head}${nodes.join("")})\n`;
}

// Reading

/** The game of a .psq or .sgf text; throws an Error in a sentence. @param {string} text @returns {Record} */
function readRecord(text) {
  const record = /^\s*Piskvorky/.test(text) ? readPsq(text) : readSgf(text);
  if (![6, 9, 15].includes(record.side))
    throw new Error(`This page has boards of 6, 9 and 15; the file's board has ${record.side || "no"} columns.`);
  gameOf(record);
  return record;
}

/** @param {string} text @returns {Record} */
function readPsq(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const header = /^Piskvorky (\d{1,4})x(\d{1,4})/.exec(lines[0]);
  if (!header) throw new Error("Not a .psq file: its first line is not 'Piskvorky WIDTHxHEIGHT, …'.");
  const side = square(Number(header[1]), Number(header[2]));
  const moves = [];
  for (const line of lines.slice(1)) {
    const move = /^(\d{1,4}),\s*(\d{1,4})(?:,\s*-?\d+)?$/.exec(line);
    if (!move) break;
    moves.push(point(Number(move[1]) - 1, Number(move[2]) - 1, side, line));
  }
  const rest = lines.slice(1 + moves.length).filter(Boolean);
  if (!rest.some((line) => /^-?\d+$/.test(line)))
    throw new Error("The file is cut short: no line with the manager's status follows the moves.");
  const named = rest.length >= 3,
    winner = Number(/^([12])(,|$)/.exec(rest[rest.length - 1])?.[1] ?? 0);
  return { side, moves, black: named ? rest[0] : "black", white: named ? rest[1] : "white", winner };
}

/** Of the first game the main line; variations are left out. @param {string} text @returns {Record} */
function readSgf(text) {
  /** @type {Map<string, string>} */
  const root = new Map();
  /** @type {number[]} */
  const moves = [];
  let depth = 0,
    name = "",
    side = 0;
  const token = /\s*(?:([();])|([A-Za-z]+)|\[([^\]\\]*(?:\\.[^\]\\]*)*)\])/sy;
  text = text.trim();
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (!found) throw new Error("Neither a .psq nor an SGF file, or cut short.");
    const [, mark, word, value] = found;
    if (mark === "(") depth += 1;
    else if (mark === ")") {
      depth = 0;
      break;
    } // whatever opens after the first ")" is a variation
    else if (word) name = word;
    else if (value !== undefined && name) {
      if (name === "AB" || name === "AW") throw new Error("Stones set up by hand (AB, AW) cannot be played as moves.");
      if (name === "B" || name === "W") {
        side ||= sizeOf(root);
        if (name !== "BW"[moves.length % 2])
          throw new Error(`Move ${moves.length + 1}, ${name}[${value}], is out of turn.`);
        moves.push(point(LETTERS.indexOf(value[0]), LETTERS.indexOf(value[1]), side, `${name}[${value}]`));
      } else if (!root.has(name)) root.set(name, value.replace(/\\(.)/gs, "$1"));
    }
  }
  if (depth !== 0 || !root.size) throw new Error("Neither a .psq nor an SGF file, or cut short.");
  if (root.get("GM") !== "4") throw new Error(`GM[4] is five in a row; this file says GM[${root.get("GM") ?? "1"}].`);
  const rule = root.get("RU") ?? "";
  if (/^k=/.test(rule) && rule !== `k=${rowOf(side || sizeOf(root))}`)
    throw new Error(`This board is for ${rowOf(side || sizeOf(root))} in a row; the file's rule is ${rule}.`);
  const [black, white] = [root.get("PB") ?? "black", root.get("PW") ?? "white"];
  const winner = " BW".indexOf(/^([BW])\+/.exec(root.get("RE") ?? "")?.[1] ?? " ");
  return { side: side || sizeOf(root), moves, black, white, winner };
}

/** @param {Map<string, string>} root */
function sizeOf(root) {
  const size = /^(\d{1,4})(?::(\d{1,4}))?$/.exec(root.get("SZ") ?? "19");
  if (!size) throw new Error(`The size ${root.get("SZ")} is neither a number nor columns:rows.`);
  return square(Number(size[1]), Number(size[2] ?? size[1]));
}

/** @param {number} width @param {number} height */
function square(width, height) {
  if (width !== height) throw new Error(`This page has square boards; the file's board is ${height}×${width}.`);
  return width;
}

/** @param {number} column @param {number} row @param {number} side @param {string} text */
function point(column, row, side, text) {
  if (!(column >= 0 && column < side && row >= 0 && row < side))
    throw new Error(`The move ${text} is off the ${side}×${side} board.`);
  return row * side + column;
}

// A link

const PLAYER = ["", "black", "white"];

/** The part of an address after its #: board, opponent, your color, who gave the game up if anybody did, and the
 * moves, column then row. @param {Position} position */
function linkText({ side, against, you, moves, resigned }) {
  const letters = moves.map((move) => LETTERS[move % side] + LETTERS[Math.floor(move / side)]).join("");
  const given = resigned ? `&resigned=${PLAYER[resigned]}` : "";
  return `board=${side}&against=${against}&you=${PLAYER[you]}${given}&moves=${letters}`;
}

/** What such a text says; null for one that says no board. Throws an Error in a sentence.
 * @param {string} text @returns {Position | null} */
function readLink(text) {
  const said = new URLSearchParams(text.replace(/^#/, ""));
  const side = Number(said.get("board"));
  if (![6, 9, 15].includes(side)) return null;
  const letters = said.get("moves") ?? "";
  if (letters.length % 2) throw new Error("The link is cut short.");
  const moves = (letters.match(/../g) ?? []).map((pair) =>
    point(LETTERS.indexOf(pair[0]), LETTERS.indexOf(pair[1]), side, pair),
  );
  gameOf({ side, moves });
  const player = (/** @type {string} */ name) => Math.max(0, PLAYER.indexOf(said.get(name) || "nobody"));
  return { side, against: said.get("against") ?? "", you: player("you") || 1, moves, resigned: player("resigned") };
}
return { rowOf, gameOf, sgfText, readRecord, linkText, readLink };
})();

// drawing.js
const drawing = (() => {
// @ts-check
// A position as the inside of an SVG picture: mock5lib/show/svg.py in the browser, character for character, and the
// ghost stones of a line that might be played, which only the page shows.

const { DIGITS } = rules;

const CELL = 40; // in SVG units
const NEAR = 24; // the frame with the coordinates
const FAR = 8; // and the one without
const STONE_RADIUS = 0.43,
  HEAT_SIDE = 0.9; // in cells

// The colors of mock5lib/show/palette.py
const BOARD_FACE = "#EFDDB8",
  BOARD_EDGE = "#CDB583",
  BOARD_LINE = "#8C744A",
  BOARD_TEXT = "#6B5730";
const STONE_FACE = ["", "#1E1E20", "#FBFAF7"],
  STONE_EDGE = ["", "#000000", "#6E6A64"],
  STONE_TEXT = ["", "#FFFFFF", "#1E1E20"];
const LAST_MOVE = "#D55E00",
  WIN_LINE = "#009E73",
  DARK_TEXT = "#1E1E20";
const POSITIVE_RAMP = ["#E6F0F5", "#0A4F86"],
  NEGATIVE_RAMP = ["#FAEBE0", "#A34200"];

/** @typedef {{move: number, player: number, text: string}} Ghost a move that might follow, and its number */
/** @typedef {{line?: number[], heat?: (number | null)[] | null, labels?: string[] | null, numbers?: boolean,
 *  ghosts?: Ghost[], verdict?: number[]}} Extras what may lie on the board, see `svg_drawing`; the verdict is the move
 *  played and a better one, or nothing */

/** @param {number} height @param {number} width @param {ArrayLike<number>} stones @param {number[]} history
 * @param {Extras} extras */
function svgDrawing(height, width, stones, history, extras = {}) {
  const { line = [], heat = null, labels = null, numbers = true, ghosts = [], verdict = [] } = extras;
  const parts = [face(height, width), grid(height, width), coordinates(height, width)];
  /** @type {(number | null)[]} */
  let strengths = new Array(height * width).fill(null);
  if (heat) {
    strengths = heatStrengths(heat).map((strength, move) =>
      stones[move] || verdict.includes(move) ? null : strength,
    );
    parts.push(heatTiles(width, strengths));
  }
  parts.push(winLine(width, line), stoneDiscs(width, stones), winRings(width, line));
  if (numbers && !(labels && labels.some((label, move) => label && stones[move])))
    parts.push(moveNumbers(width, stones, history));
  if (labels) {
    const texts = labels.map((text, move) => (verdict.includes(move) ? "" : text));
    parts.push(pointLabels(width, stones, strengths, texts));
  }
  const last = history[history.length - 1];
  if (last !== undefined && stones[last])
    parts.push(disc({ class: "m5-last", "data-move": last }, last, width, 0.355, "none", LAST_MOVE, 2.6));
  parts.push(ghostStones(width, ghosts), verdictMarks(width, verdict));
  return parts.join("");
}

/** Python's :g, six significant digits. @param {number} x */
function g(x) {
  return String(Number(x.toPrecision(6)));
}

/** An element of the picture. @param {string} name @param {Record<string, string | number>} attributes
 * @param {string} [text] inside it */
function tag(name, attributes, text) {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === "number" ? g(value) : value}"`,
  );
  return `<${name}${written.join("")}${text === undefined ? "/" : `>${text}</${name}`}>`;
}

/** Center of a point in SVG units. @param {number} move @param {number} width */
function center(move, width) {
  return [NEAR + ((move % width) + 0.5) * CELL, NEAR + (Math.floor(move / width) + 0.5) * CELL];
}

/** A circle around a point. @param {Record<string, string | number>} names @param {number} move @param {number} width
 * @param {number} radius in cells @param {string} fill @param {string} stroke @param {number} thickness */
function disc(names, move, width, radius, fill, stroke, thickness) {
  const [cx, cy] = center(move, width);
  return tag("circle", { ...names, cx, cy, r: radius * CELL, fill, stroke, "stroke-width": thickness });
}

/** @param {number} height @param {number} width */
function face(height, width) {
  const frame = NEAR + FAR - 2,
    size = { width: width * CELL + frame, height: height * CELL + frame };
  const colors = { fill: BOARD_FACE, stroke: BOARD_EDGE, "stroke-width": 1.5 };
  return tag("rect", { class: "m5-face", x: 1, y: 1, ...size, rx: 9, ...colors });
}

/** @param {number} height @param {number} width */
function grid(height, width) {
  const near = NEAR + CELL / 2,
    [right, bottom] = [near + (width - 1) * CELL, near + (height - 1) * CELL];
  let path = "";
  for (let c = 0; c < width; c++) path += `M${g(near + c * CELL)} ${g(near)}V${g(bottom)}`;
  for (let r = 0; r < height; r++) path += `M${g(near)} ${g(near + r * CELL)}H${g(right)}`;
  const dots = starPoints(width).map((move) => {
    const [x, y] = center(move, width);
    return tag("circle", { cx: x, cy: y, r: 3, fill: BOARD_LINE });
  });
  const stroke = { fill: "none", stroke: BOARD_LINE, "stroke-width": 1.1, "stroke-linecap": "round" };
  return tag("path", { class: "m5-grid", d: path, ...stroke }) + dots.join("");
}

/** The points that carry a small dot on 9×9 and 15×15. @param {number} side */
function starPoints(side) {
  if (side < 9) return [];
  const edge = side < 13 ? 2 : 3,
    lines = [edge, side - 1 - edge];
  return [...lines.flatMap((r) => lines.map((c) => r * side + c)), (side * side - 1) / 2];
}

/** @param {number} x @param {number} y @param {string} text @param {number} size @param {string} color
 * @param {string} cls @param {string} weight */
function written(x, y, text, size, color, cls, weight = "400") {
  const font = { "font-size": size, "font-weight": weight, "text-anchor": "middle", fill: color };
  return tag("text", { class: cls, x, y: y + 0.355 * size, ...font }, text);
}

/** @param {number} height @param {number} width */
function coordinates(height, width) {
  const near = NEAR * 0.48 + 1,
    parts = [];
  for (let c = 0; c < width; c++)
    parts.push(written(NEAR + (c + 0.5) * CELL, near, DIGITS[c], 13, BOARD_TEXT, "m5-coordinate"));
  for (let r = 0; r < height; r++)
    parts.push(written(near, NEAR + (r + 0.5) * CELL, DIGITS[r], 13, BOARD_TEXT, "m5-coordinate"));
  return parts.join("");
}

/** @param {number} width @param {(number | null)[]} strengths */
function heatTiles(width, strengths) {
  const side = HEAT_SIDE * CELL;
  return strengths
    .map((strength, move) => {
      if (strength === null) return "";
      const [x, y] = center(move, width),
        opacity = Number(heatOpacity(strength).toPrecision(3));
      const place = { x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 6 };
      const color = { fill: heatColor(strength), "fill-opacity": opacity };
      return tag("rect", { class: "m5-heat", "data-move": move, ...place, ...color });
    })
    .join("");
}

/** @param {number} width @param {ArrayLike<number>} stones */
function stoneDiscs(width, stones) {
  return Array.from(stones, (player, move) => {
    if (!player) return "";
    const names = { class: "m5-stone", "data-move": move, "data-player": player };
    return disc(names, move, width, STONE_RADIUS, STONE_FACE[player], STONE_EDGE[player], 1.2);
  }).join("");
}

/** @param {number} width @param {ArrayLike<number>} stones @param {number[]} history */
function moveNumbers(width, stones, history) {
  return history
    .map((move, ply) => {
      if (!stones[move]) return "";
      const [x, y] = center(move, width);
      return written(x, y, String(ply + 1), ply + 1 < 100 ? 15 : 12.5, STONE_TEXT[stones[move]], "m5-number", "500");
    })
    .join("");
}

/** @param {number} width @param {ArrayLike<number>} stones @param {(number | null)[]} strengths
 * @param {string[]} labels */
function pointLabels(width, stones, strengths, labels) {
  return labels
    .map((text, move) => {
      if (!text) return "";
      const [x, y] = center(move, width),
        strength = strengths[move] || 0;
      let color = STONE_TEXT[stones[move]],
        under = "";
      if (!stones[move]) {
        const ground = blend(heatColor(strength), heatOpacity(strength), BOARD_FACE);
        color = textColorOn(ground);
        // keep the grid from running through the text
        if (heatOpacity(strength) < 1) under = tag("circle", { cx: x, cy: y, r: 0.32 * CELL, fill: ground });
      }
      return (
        under + written(x, y, text, text.length <= 2 ? 14 : text.length === 3 ? 12.5 : 10.5, color, "m5-label", "500")
      );
    })
    .join("");
}

/** The line through the winning row, below its stones, so that no number is crossed. @param {number} width
 * @param {number[]} line */
function winLine(width, line) {
  if (!line.length) return "";
  const [x1, y1] = center(line[0], width),
    [x2, y2] = center(line[line.length - 1], width);
  const stroke = { stroke: WIN_LINE, "stroke-width": 6, "stroke-linecap": "round" };
  return tag("line", { class: "m5-win", x1, y1, x2, y2, ...stroke });
}

/** A ring around each stone of the winning row. @param {number} width @param {number[]} line */
function winRings(width, line) {
  return line.map((move) => disc({ class: "m5-ring" }, move, width, STONE_RADIUS, "none", WIN_LINE, 3.4)).join("");
}

// What only the page shows

/** Pale stones of moves that might follow, numbered. @param {number} width @param {Ghost[]} ghosts */
function ghostStones(width, ghosts) {
  return ghosts
    .map(({ move, player, text }) => {
      const [x, y] = center(move, width);
      const face = player === 1 ? "#5A5753" : "#F4EFE6",
        ink = player === 1 ? "#FFFFFF" : DARK_TEXT;
      const stroke = { stroke: STONE_EDGE[player], "stroke-width": 1.4, "stroke-dasharray": "3 2.4" };
      const stone = { "data-move": move, cx: x, cy: y, r: 0.33 * CELL, fill: face, "fill-opacity": 0.9, ...stroke };
      return tag("circle", { class: "m5-line", ...stone }) + written(x, y, text, 13, ink, "m5-line-number", "500");
    })
    .join("");
}

/** An orange cross on the move played and a green square on the better one. @param {number} width
 * @param {number[]} verdict */
function verdictMarks(width, verdict) {
  if (!verdict.length) return "";
  const [[x, y], [left, top]] = verdict.map((move) => center(move, width).map((at) => at - 0.25 * CELL));
  const side = 0.5 * CELL,
    d = `M${g(x)} ${g(y)}l${side} ${side}m${-side} 0l${side} ${-side}`;
  const square = { x: left, y: top, width: side, height: side };
  return tag("path", { class: "m5-played", d }) + tag("rect", { class: "m5-better", ...square });
}

// Heat: mock5lib/show/palette.py

/** Heat as shares of the largest absolute value; null where nothing is drawn. @param {(number | null)[]} heat */
function heatStrengths(heat) {
  const known = heat.map((x) => (x !== null && Number.isFinite(x) ? x : 0));
  const largest = Math.max(0, ...known.map(Math.abs));
  return known.map((x) => (x && largest ? x / largest : null));
}

/** @param {number} strength */
function heatOpacity(strength) {
  return Math.min(1, 8 * Math.abs(strength));
}

/** Color of a heat in [-1, 1]: pale to deep blue above zero, orange below; even steps in Oklab (Ottosson 2020).
 * @param {number} strength */
function heatColor(strength) {
  const [low, high] = (strength >= 0 ? POSITIVE_RAMP : NEGATIVE_RAMP).map(toOklab),
    share = Math.min(1, Math.abs(strength));
  return fromOklab(low.map((x, i) => x + share * (high[i] - x)));
}

/** @param {string} color as #RRGGBB */
function channels(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

/** @param {number[]} levels 0 to 255 */
function hexOf(levels) {
  return "#" + levels.map((level) => Math.round(level).toString(16).toUpperCase().padStart(2, "0")).join("");
}

/** @param {number} x */
function toLinear(x) {
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
}

/** @param {string} color */
function toOklab(color) {
  const [r, gr, b] = channels(color).map((level) => toLinear(level / 255));
  const long = (0.4122214708 * r + 0.5363325363 * gr + 0.0514459929 * b) ** (1 / 3);
  const medium = (0.2119034982 * r + 0.6806995451 * gr + 0.1073969566 * b) ** (1 / 3);
  const short = (0.0883024619 * r + 0.2817188376 * gr + 0.6299787005 * b) ** (1 / 3);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

/** @param {number[]} lab */
function fromOklab([lightness, a, b]) {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  const shown = linear.map((x) => (x <= 0.0031308 ? 12.92 * x : 1.055 * Math.max(x, 0) ** (1 / 2.4) - 0.055));
  return hexOf(shown.map((x) => 255 * Math.min(1, Math.max(0, x))));
}

/** @param {string} color @param {number} opacity @param {string} ground */
function blend(color, opacity, ground) {
  const under = channels(ground);
  return hexOf(channels(color).map((over, i) => opacity * over + (1 - opacity) * under[i]));
}

/** Dark or white text: white as soon as its contrast reaches 3.6. @param {string} color */
function textColorOn(color) {
  const [r, gr, b] = channels(color).map((level) => toLinear(level / 255));
  return 1.05 / (0.2126 * r + 0.7152 * gr + 0.0722 * b + 0.05) >= 3.6 ? "#FFFFFF" : DARK_TEXT;
}
return { CELL, NEAR, FAR, svgDrawing };
})();

// board.js
const board = (() => {
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

return { render };
})();

// thinker.js
const thinker = (() => {
// @ts-check
// Who thinks, and where: a worker, so that the page stays quick. The worker runs the same script as the page.

const { Agent } = agents;
const { Net } = net;
const { gameOf } = records;
const { SearchTree } = tree;

/** @typedef {import("./net.js").PackedNet} PackedNet */
/** @typedef {{value: number, move: number, visits: number[], line: number[]}} Thought
 *  `value` of the best move for the player to move */
/** @typedef {{id: number, kind: "move" | "think", name: string, side: number, moves: number[], simulations?: number,
 *  net?: PackedNet}} Question about a position: the move of an opponent, or what a net thinks */

// In the worker

/** A function that answers questions; it keeps nets and the opponent's tree. */
function makeAnswerer() {
  /** @type {Map<string, Net>} */
  const nets = new Map();
  /** @type {Agent | null} */
  let agent = null;
  const netOf = (/** @type {string} */ name) => /** @type {Net} */ (nets.get(name));
  return (/** @type {Question} */ question) => {
    if (question.net && !nets.has(question.net.name)) nets.set(question.net.name, new Net(question.net));
    const game = gameOf(question);
    if (question.kind === "think") {
      return thought(new SearchTree(game, netOf(question.name)).search(question.simulations ?? 1));
    }
    if (!agent || agent.name !== question.name) agent = new Agent(question.name, netOf);
    return { move: agent.move(game) };
  };
}

/** @param {import("./tree.js").SearchResult} result @returns {Thought} */
function thought(result) {
  return { value: result.q, move: result.move, visits: Array.from(result.visits), line: result.line };
}

/** What the script does in a worker: answer messages. */
function work() {
  const answer = makeAnswerer();
  self.onmessage = (event) => {
    try {
      self.postMessage({ id: event.data.id, answer: answer(event.data) });
    } catch (problem) {
      self.postMessage({ id: event.data.id, problem: String(problem) });
    }
  };
}

// In the page

/** Nets that are in the file itself, as `mock5 page` writes it; one of them is a reader's own, with a label and the
 * boards that it plays on. @type {(PackedNet & {label?: string, sides?: number[]})[]} */
const INSIDE = Reflect.get(globalThis, "mock5Nets") ?? [];

/** @type {Map<string, Promise<PackedNet>>} */
const loading = new Map(INSIDE.map((packed) => [packed.name, Promise.resolve(packed)]));
/** @type {Map<string, (packed: PackedNet) => void>} */
const arriving = new Map();

/** What the scripts in nets/ call. @param {PackedNet} packed */
function netArrived(packed) {
  arriving.get(packed.name)?.(packed);
}

/** A net, loaded as a script, which works from a plain folder too. @param {string} name */
function loadNet(name) {
  let packed = loading.get(name);
  if (!packed) {
    packed = new Promise((resolve, reject) => {
      arriving.set(name, resolve);
      const script = document.createElement("script");
      script.src = `nets/${name}.js`;
      script.onerror = () => {
        loading.delete(name); // so that it can be tried again
        reject(new Error("The net could not be loaded. Are you offline?"));
      };
      document.head.appendChild(script);
    });
    loading.set(name, packed);
  }
  return packed;
}

/** A mind of its own: one worker, one question after the other. */
class Thinker {
  /** @param {Function} script the whole script, of which the worker is made */
  constructor(script) {
    this.count = 0;
    /** @type {Set<string>} nets that the worker has */
    this.sent = new Set();
    /** @type {Map<number, [(answer: any) => void, (problem: Error) => void]>} */
    this.open = new Map();
    const text = new Blob([`(${script})()`], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(text));
    this.worker.onmessage = (event) => this.take(event.data);
  }

  /** @param {{id: number, answer?: any, problem?: string}} reply */
  take({ id, answer, problem }) {
    const [resolve, reject] = this.open.get(id) ?? [];
    this.open.delete(id);
    if (problem) reject?.(new Error(problem));
    else resolve?.(answer);
  }

  /** A move, or a thought. @param {Omit<Question, "id" | "net">} question @returns {Promise<any>} */
  async ask(question) {
    const name = question.name.split("@")[0];
    const net = name.includes("_") && !this.sent.has(name) ? await loadNet(name) : undefined;
    if (net) this.sent.add(name);
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.open.set(id, [resolve, reject]);
      this.worker.postMessage({ ...question, id, net });
    });
  }
}
return { makeAnswerer, work, INSIDE, netArrived, loadNet, Thinker };
})();

// curve.js
const curve = (() => {
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
function blackShare(value, ply) {
  return 50 * (1 + (ply % 2 === 0 ? value : -value));
}

/** The value after so many moves for whoever moves then: by the rules if the game is over, else by the thought.
 * @param {import("./rules.js").Game} game @param {Thought | undefined} thought @param {number} ply */
function valueAt(game, thought, ply) {
  if (ply === game.history.length && game.winner !== null) return game.winner === 0 ? 0 : -1;
  return thought ? thought.value : null;
}

/** The inside of an SVG of 600 × 150. @param {(number | null)[]} shares of Black, in percent, by ply
 * @param {number} ply shown @param {number} plies in the game */
function curveDrawing(shares, ply, plies) {
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
function plyAt(share, plies) {
  const at = ((share * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)) * plies;
  return Math.max(0, Math.min(plies, Math.round(at)));
}

/** The move of the thought, if it was looked at a tenth more often than `move`; else null.
 * @param {number} move @param {Thought} thought */
function betterThan(move, { move: best, visits }) {
  return visits[best] > 1.1 * visits[move] ? best : null;
}

/** The moves of one player that cost most, worst first. @param {import("./rules.js").Game} game
 * @param {(Thought | undefined)[]} thoughts by ply @param {number} player @param {number} most @returns {Fall[]} */
function falls(game, thoughts, player, most) {
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
return { blackShare, valueAt, curveDrawing, plyAt, betterThan, falls };
})();

// ladder.js
const ladder = (() => {
// Written by `python -m tools.page`; do not edit.
/** @type {Record<number, Record<string, number>>} */
const ELO = {
  9: {"AlphaZero 200": 2266, "AlphaZero 64": 2226, "AlphaZero 16": 2177, "expert 200": 2126, "AlphaZero, no search": 2085, "REINFORCE net": 2070, "expert 64": 2062, "AlphaGo's policy, reinforced": 2019, "AlphaGo, values only": 2010, "AlphaGo, mixed": 1999, "AlphaGo, rollouts only": 1993, "defensive": 1962, "supervised net": 1961, "AlphaGo's policy": 1955, "greedy": 1947, "mixed": 1926, "df": 1840, "pt": 1821, "UCT 10,000": 1693, "UCT 1,000": 1004, "UCT 100": 430, "UCT 10": 192, "random": 0},
  15: {"guest: Wine": 2920, "guest: Pisq7": 2858, "AlphaZero 200": 2852, "AlphaZero 64": 2837, "expert 200": 2662, "expert 64": 2541, "supervised net": 2247, "greedy": 2193, "defensive": 2187, "mixed": 2174, "REINFORCE net of 9×9": 2132, "supervised net of 9×9": 2077, "pt": 2003, "df": 1974, "UCT 10,000": 1176, "UCT 1,000": 749, "UCT 100": 124, "UCT 10": 80, "random": 0},
};
return { ELO };
})();

// opponents.js
const opponents = (() => {
// @ts-check
// Whom one can play on each board: the way up, weakest first, and the course's other agents; their Elo is in ladder.js.

const { ELO } = ladder;
const { INSIDE } = thinker;

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
const OWN = INSIDE.find(({ label }) => label);

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
const OPPONENTS = Object.fromEntries(
  Object.entries(NAMES).map(([side, lists]) => {
    const [way, others] = lists.map((names) => names.split(/\s+/).map((name) => opponent(name, Number(side))));
    const own = OWN?.sides?.includes(Number(side)) ? ["@64", "@16", "@200", "@800", ""] : [];
    others.unshift(...own.map((simulations) => opponent(OWN?.name + simulations, Number(side))));
    return [side, { way, others }];
  }),
);

/** The nets with which the page itself thinks. @type {Record<number, string>} */
const ANALYST = { 6: "alphazero_tiny", 9: "alphazero_9x9", 15: "alphazero_15x15" };
/** Simulations of its thoughts. */
const THOUGHTS = 200;

/** @param {number} side @param {string} name @returns {Opponent | undefined} */
function find(side, name) {
  return [...OPPONENTS[side].way, ...OPPONENTS[side].others].find((one) => one.name === name);
}
return { OWN, OPPONENTS, ANALYST, THOUGHTS, find };
})();

// parts.js
const parts = (() => {
// @ts-check
// What the page is put together from: the model that the board shows, the opponents and who is beaten, overlays, the theme.

const { OPPONENTS } = opponents;
const { CELL, FAR, NEAR } = drawing;

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./thinker.js").Thought} Thought */

const GHOSTS = 6; // moves of the best line that are shown
const FEWEST = 0.02; // share of the visits below which no number is written

/** What board.js draws: the traits of the notebooks' BoardWidget. */
class BoardModel {
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
function byId(id) {
  return document.getElementById(id);
}

/** @param {number} share in percent */
function percent(share) {
  return `${Math.round(share)}%`;
}

/** Visits as heat and as percent on the points. @param {Thought} thought */
function heatOf(thought) {
  const total = thought.visits.reduce((sum, n) => sum + n, 0);
  return {
    heat: /** @type {(number | null)[] | null} */ (thought.visits),
    labels: /** @type {string[] | null} */ (
      thought.visits.map((n) => (n >= FEWEST * total ? String(Math.round((100 * n) / total)) : ""))
    ),
  };
}

/** The best line as stones. @param {Thought} thought @param {Game} game */
function ghostsOf(thought, game) {
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
function beaten(side) {
  return (stored(`beaten ${side}`) ?? "").split(" ").filter(Boolean);
}

/** @param {number} side @param {string} name */
function beat(side, name) {
  store(`beaten ${side}`, [...new Set([...beaten(side), name])].join(" "));
}

/** The rung above the highest one that was beaten; at first the second, whom a newcomer can beat. @param {number} side */
function nextRung(side) {
  const { way } = OPPONENTS[side],
    won = beaten(side);
  return way[Math.max(1, Math.min(way.length - 1, way.findLastIndex(({ name }) => won.includes(name)) + 1))];
}

/** @param {number} side */
function progress(side) {
  const { way } = OPPONENTS[side],
    won = beaten(side);
  return `Beaten on the way up: ${way.filter(({ name }) => won.includes(name)).length} of ${way.length}.`;
}

/** The menu of opponents and the rungs of the way up. @param {number} side @param {string} against
 * @param {(name: string) => void} meet what a rung does that is pressed */
function drawOpponents(side, against, meet) {
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
function connectTheme() {
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
return { BoardModel, byId, percent, heatOf, ghostsOf, beaten, beat, nextRung, progress, drawOpponents, connectTheme };
})();

// keeping.js
const keeping = (() => {
// @ts-check
// Keeping a game: as a file, and as a link, which the page's own address always is.

const { find } = opponents;
const { byId } = parts;
const { linkText, readLink, readRecord, sgfText } = records;

class Keeping {
  /** @param {import("./main.js").Page} page whose game is kept */
  constructor(page) {
    this.page = page;
  }

  connect() {
    byId("sgf").onclick = () => this.save();
    byId("file").onchange = () => this.load();
    byId("link").onclick = () => this.copyLink();
    window.addEventListener("hashchange", () => this.openLink());
  }

  save() {
    const { game, you, resigned } = this.page,
      opponent = find(game.width, this.page.against), // by the name that mock5 knows, too
      players = ["you", opponent?.course ?? this.page.against],
      [black, white] = you === 1 ? players : players.reverse(),
      link = document.createElement("a");
    const text = sgfText(game, black, white, resigned);
    link.href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
    link.download = `game-${game.width}x${game.width}.sgf`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    this.say(`Saved as ${link.download}.`);
  }

  async load() {
    const file = byId("file").files[0];
    if (!file) return;
    try {
      const { side, moves, black, white, winner } = readRecord(await file.text()),
        against = side === this.page.game.width ? this.page.against : undefined;
      this.page.setUp({ side, against, moves, you: white === "you" ? 2 : 1, resigned: winner && 3 - winner });
      this.say(`${file.name}: ${black} against ${white}, ${moves.length} moves.`);
    } catch (problem) {
      this.say(`${file.name}: ${/** @type {Error} */ (problem).message}`);
    }
    byId("file").value = "";
  }

  /** The address always holds the game, and so does the landing page's way to this page; a reload also finds the hint. */
  remember() {
    const game = `#${linkText(this.page.position())}`;
    window.parent.postMessage({ game }, "*");
    try {
      history.replaceState({ hinting: this.page.hinting, helped: this.page.helped }, "", game);
    } catch {
      // a browser may forbid it in a plain folder; the link can still be copied
    }
  }

  /** Open the game that the address holds; false if it holds none. */
  openLink() {
    try {
      const said = readLink(location.hash);
      this.page.hinting = history.state?.hinting ?? false;
      if (said) this.page.setUp({ ...said, helped: history.state?.helped });
      return said !== null;
    } catch (problem) {
      this.say(/** @type {Error} */ (problem).message);
      return false;
    }
  }

  async copyLink() {
    const address = `${location.href.split("#")[0]}#${linkText(this.page.position())}`;
    try {
      await navigator.clipboard.writeText(address);
      const where =
        location.protocol === "file:" ? "on this computer it opens this game" : "whoever opens it finds this game";
      this.say(`The link is in the clipboard; ${where}.`);
    } catch {
      this.say(`Copy this link: ${address}`);
    }
  }

  /** @param {string} text */
  say(text) {
    byId("kept").textContent = text;
  }
}
return { Keeping };
})();

// main.js
const main = (() => {
// @ts-check
// The page: one game, its opponent, what a net thinks of it, and everything that a hand can press.

const { betterThan, blackShare, curveDrawing, falls, plyAt, valueAt } = curve;
const { svgDrawing } = drawing;
const { ANALYST, OWN, THOUGHTS, find } = opponents;
const { BoardModel, byId, connectTheme, ghostsOf, heatOf, percent } = parts;
const { beat, drawOpponents, nextRung, progress } = parts;
const { Keeping } = keeping;
const { gameOf } = records;
const { COLOR, pointName, winningLine } = rules;
const { Thinker } = thinker;

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./thinker.js").Thought} Thought */
/** @typedef {{side: number, against: string, you: number, moves: number[], resigned: number, helped?: boolean}} Position
 *  a game as it stands: board, opponent, your color, moves, who gave it up (1 or 2; 0 for nobody), and whether a hint or
 *  a change of sides has helped */

const HELPED = "Not counted: you had a hint, changed sides, or played on from an earlier position.";

class Page {
  /** @param {Function} script the whole script, for the workers */
  constructor(script) {
    this.opponent = new Thinker(script);
    this.analyst = new Thinker(script);
    this.you = 1;
    this.against = nextRung(9).name;
    /** @type {Game} */
    this.game = gameOf({ side: 9, moves: [] });
    this.resigned = 0; // who gave the game up, 1 or 2
    /** @type {Position | null} the game that a new one has replaced, until a move is made in the new one */
    this.replaced = null;
    this.ply = 0; // moves shown
    this.hinting = false;
    this.foreseeing = false; // whether a hint shows the moves that are expected, or how often each was looked at
    this.helped = false; // whether a hint or a change of sides has helped in this game
    this.waiting = false; // for the opponent
    this.turn = 0; // raised whenever the game is changed by hand, so that a late answer is known
    this.looking = false; // whether the analyst is at work
    /** @type {Map<string, Thought>} by board and moves */
    this.thoughts = new Map();
    this.news = "";
    this.model = new BoardModel();
    this.keeping = new Keeping(this);
  }

  start() {
    board.render({ model: this.model, el: byId("board") });
    this.model.on("change:clicked", () => this.click(this.model.get("clicked").move));
    this.model.on("change:numbers", () => this.draw());
    this.connect();
    this.fitThePlace();
    if (this.keeping.openLink()) return;
    this.setUp(OWN ? { side: OWN.sides?.[0] ?? 9, against: `${OWN.name}@64` } : { side: 9 });
  }

  /** In the frame of the landing page only the board and its buttons, and word of how high they are; outside the site no
   * way up to it. */
  fitThePlace() {
    const small = location.search.includes("small");
    document.body.classList.toggle("small", small);
    const tell = () => window.parent.postMessage({ height: document.body.offsetHeight }, "*");
    if (small) new ResizeObserver(tell).observe(document.body);
    byId("up").hidden = OWN !== undefined || /\/book\/play\/(index\.html)?$/.test(location.pathname);
  }

  // Pressing things

  connect() {
    byId("side").onchange = () => this.newGame(Number(byId("side").value));
    byId("against").onchange = () => this.newGame(this.game.width, byId("against").value);
    byId("new").onclick = () => this.newGame(this.game.width);
    byId("last").onclick = () => this.bringBack();
    byId("resign").onclick = () => this.resign();
    byId("undo").onclick = () => this.undo();
    byId("swap").onclick = () => this.swap();
    byId("hint").onclick = () => this.toggleHint();
    byId("line").onclick = () => this.toggleLine();
    byId("next").onclick = () => this.newGame(this.game.width, nextRung(this.game.width).name);
    byId("look").onclick = () => byId("review").scrollIntoView();
    byId("ply").oninput = () => this.show(Number(byId("ply").value));
    byId("earlier").onclick = () => this.show(Math.max(0, this.ply - 1));
    byId("later").onclick = () => this.show(Math.min(this.game.history.length, this.ply + 1));
    byId("here").onclick = () => this.playFromHere();
    byId("curve").onclick = (/** @type {MouseEvent} */ event) => {
      const box = byId("curve").getBoundingClientRect();
      this.show(plyAt((event.clientX - box.left) / box.width, this.game.history.length));
    };
    this.keeping.connect();
    connectTheme();
  }

  /** Show a game. What is not said is as at first: who is next on the way up, you black, no move played.
   * @param {Partial<Position> & {side: number}} position @param {string} news */
  setUp({ side, against = "", you = 1, moves = [], resigned = 0, helped = false }, news = "") {
    if (this.ownMoves().length) this.replaced = this.position();
    this.game = gameOf({ side, moves });
    this.you = you;
    this.against = (find(side, against) ?? nextRung(side)).name;
    this.helped = helped || this.hinting;
    this.resigned = this.game.winner === null ? resigned : 0;
    this.begin(news);
  }

  /** @param {number} side @param {string} against whom; the same as before if nobody is named and the board stays */
  newGame(side, against = side === this.game.width ? this.against : "") {
    this.setUp({ side, against, you: this.you }, "A new game. ");
  }

  /** The game that the new one has replaced. */
  bringBack() {
    if (!this.replaced) return;
    const kept = this.replaced;
    this.replaced = null;
    this.setUp(kept, "The game is back. ");
  }

  resign() {
    this.resigned = this.you;
    this.begin("");
  }

  undo() {
    const own = this.ownMoves();
    if (this.resigned) {
      this.resigned = 0;
      this.begin("The game goes on. ");
    } else if (own.length) {
      this.game = this.game.at(own[own.length - 1]);
      this.begin("Taken back. ");
    }
  }

  /** Take over the other color; once the game is over, in a new one. */
  swap() {
    const you = 3 - this.you;
    if (this.over()) return this.setUp({ side: this.game.width, against: this.against, you }, "The return game. ");
    this.you = you;
    this.helped ||= this.game.history.length > 0; // before the first move it only settles who begins
    this.begin("You changed sides. ");
  }

  playFromHere() {
    this.game = this.game.at(this.ply);
    this.resigned = 0;
    this.helped = true;
    this.begin("Played from here. ");
  }

  /** @param {number} move */
  click(move) {
    if (this.waiting || this.ply < this.game.history.length || this.over()) return;
    if (this.game.player !== this.you) return this.begin(""); // its answer failed: ask the opponent again
    if (this.game.board[move]) {
      this.news = `The point ${pointName(move, this.game.width)} is taken. `;
      return this.draw();
    }
    this.game.apply(move);
    this.replaced = null;
    if (this.game.winner === this.you && !this.helped) beat(this.game.width, this.against);
    this.begin("");
  }

  toggleHint() {
    this.hinting = !this.hinting;
    this.helped ||= this.hinting && !this.over();
    this.model.set("numbers", false);
    this.keeping.remember();
    this.look();
  }

  toggleLine() {
    this.foreseeing = !this.foreseeing;
    this.model.set("numbers", false);
  }

  // The course of the game

  /** @returns {Position} */
  position() {
    const { game, against, you, resigned, helped } = this;
    return { side: game.width, against, you, moves: game.history.slice(), resigned, helped };
  }

  /** Before how many moves each of yours was made. */
  ownMoves() {
    return this.game.history.map((_, ply) => ply).filter((ply) => (ply % 2) + 1 === this.you);
  }

  over() {
    return this.game.winner !== null || this.resigned > 0;
  }

  /** Go on after any change: show it, ask the opponent if it is its turn, think about it. @param {string} news */
  begin(news) {
    this.turn += 1;
    this.news = news;
    this.waiting = false;
    this.ply = this.game.history.length;
    if (!this.over() && this.game.player !== this.you) this.askOpponent();
    this.draw();
    this.keeping.remember();
    this.look();
  }

  async askOpponent() {
    this.waiting = true;
    const turn = this.turn,
      label = this.label();
    try {
      const moves = this.game.history.slice();
      const { move } = await this.opponent.ask({ kind: "move", name: this.against, side: this.game.width, moves });
      if (turn !== this.turn) return;
      this.game.apply(move);
      this.begin(`${label} played ${pointName(move, this.game.width)}. `);
    } catch (problem) {
      if (turn !== this.turn) return;
      this.waiting = false;
      this.news = `${/** @type {Error} */ (problem).message} `;
      this.draw();
    }
  }

  /** Let the analyst look at the positions that it has not seen, one after the other. */
  async look() {
    if (this.looking) return;
    this.looking = true;
    try {
      for (let ply = this.nextToLookAt(); ply !== null; ply = this.nextToLookAt()) {
        const moves = this.game.history.slice(0, ply),
          key = this.key(ply);
        const question = { side: this.game.width, name: ANALYST[this.game.width], moves, simulations: THOUGHTS };
        this.thoughts.set(key, await this.analyst.ask({ kind: "think", ...question }));
        this.draw();
      }
    } catch (problem) {
      this.news = `${/** @type {Error} */ (problem).message} `;
      this.draw();
    } finally {
      this.looking = false;
    }
  }

  /** Which position to think about next; null if all are known, or if it is not wanted yet. */
  nextToLookAt() {
    if (this.waiting) return null; // the opponent's thoughts come first
    if (!this.hinting && !this.over()) return null;
    const last = this.game.history.length,
      open = (/** @type {number} */ ply) => !this.isKnown(ply);
    if (open(this.ply)) return this.ply;
    for (let ply = last; ply >= 0; ply--) if (open(ply)) return ply;
    return null;
  }

  /** Whether the net has looked at the position after so many moves, or the rules say what it is worth.
   * @param {number} ply */
  isKnown(ply) {
    return this.thoughts.has(this.key(ply)) || (this.game.winner !== null && ply === this.game.history.length);
  }

  /** @param {number} ply */
  key(ply) {
    return `${this.game.width}:${this.game.history.slice(0, ply).join(",")}`;
  }

  // Words

  label() {
    return find(this.game.width, this.against)?.label ?? this.against;
  }

  status() {
    const { game } = this,
      last = game.history.length;
    if (this.ply < last) {
      const better = this.better(),
        next = `${this.ply + 1}, ${COLOR[(this.ply % 2) + 1]}`;
      const played = pointName(game.history[this.ply], game.width);
      if (better === null) return `Before move ${next} at ${played}.`;
      return `Move ${next}: ✕ ${played}. Better: ■ ${pointName(better, game.width)}.`;
    }
    if (game.winner === 0) return "A draw: the board is full.";
    if (game.winner) {
      const row = `${game.k === 4 ? "four" : "five"} in a row for ${COLOR[game.winner]}.`;
      if (game.winner !== this.you) return `${this.label()} wins: ${row}`;
      return this.helped ? `You win, with help: ${row}` : `You beat ${this.label()}: ${row}`;
    }
    if (this.resigned === this.you) return `You resigned: ${this.label()} wins.`;
    if (this.resigned) return `${COLOR[this.resigned]} resigned: ${COLOR[3 - this.resigned]} wins.`;
    if (this.waiting) return `${this.news}${this.label()} is thinking …`;
    if (game.player !== this.you) return `${this.news}Click on the board to ask ${this.label()} again.`;
    return `${this.news}Your move, ${COLOR[this.you]}.`;
  }

  // Showing

  /** @param {number} ply */
  show(ply) {
    this.ply = ply;
    this.news = "";
    this.draw();
    this.look();
  }

  draw() {
    const shown = this.game.at(this.ply),
      last = this.game.history.length,
      over = this.over();
    const thought = this.thoughts.get(this.key(this.ply));
    const overlay = thought && shown.winner === null && (this.hinting || over) ? thought : undefined;
    // One kind of number at a time: of the moves played, of the moves expected, or of the visits.
    const counted = this.model.get("numbers"),
      heat = overlay && !this.foreseeing ? heatOf(overlay) : { heat: null, labels: null };
    if (counted) heat.labels = null;
    const better = this.better();
    const drawing = svgDrawing(shown.height, shown.width, shown.board, shown.history, {
      line: winningLine(shown),
      ...heat,
      ghosts: overlay && this.foreseeing && !counted ? ghostsOf(overlay, shown) : [],
      verdict: better === null ? [] : [this.game.history[this.ply], better],
    });
    const traits = {
      height: shown.height,
      width: shown.width,
      stones: Array.from(shown.board),
      player: shown.winner === null && !(this.resigned && this.ply === last) ? shown.player : 0,
      labels: heat.labels ?? [],
      drawing,
      message: this.status(),
      confirm: shown.width > 9,
      enabled: !over && this.ply === last && !this.waiting,
    };
    for (const [name, value] of Object.entries(traits)) this.model.set(name, value);
    byId("board").classList.toggle("large", shown.width > 9);
    document.body.classList.toggle("over", over);
    this.drawControls(overlay);
    this.drawGame(last, over);
  }

  /** In a review, the move that was better than the one played here. */
  better() {
    const thought = this.over() && !this.foreseeing && this.thoughts.get(this.key(this.ply));
    return thought && this.ply < this.game.history.length ? betterThan(this.game.history[this.ply], thought) : null;
  }

  /** @param {Thought | undefined} overlay */
  drawControls(overlay) {
    const { game } = this,
      side = game.width,
      over = this.over();
    byId("side").value = String(side);
    drawOpponents(side, this.against, (name) => this.newGame(side, name));
    byId("about").textContent = find(side, this.against)?.about ?? "";
    byId("rules").textContent =
      `Take turns, Black first. ${game.k === 4 ? "Four" : "Five"} or more of your stones in a row, in any direction, win.`;
    byId("undo").disabled = !this.ownMoves().length;
    byId("swap").textContent = over ? `Play ${COLOR[3 - this.you]}` : "Swap";
    byId("resign").disabled = !this.ownMoves().length;
    byId("resign").hidden = over;
    byId("last").hidden = this.replaced === null;
    byId("next").hidden = game.winner !== this.you || nextRung(side).name === this.against;
    byId("next").textContent = `Next: ${nextRung(side).label}`;
    byId("new").textContent = over && game.winner !== this.you && this.resigned !== 3 - this.you ? "Try again" : "New game";
    byId("new").classList.toggle("first", over && byId("next").hidden);
    byId("hint").hidden = over;
    byId("hint").setAttribute("aria-pressed", String(this.hinting));
    byId("look").hidden = !over;
    byId("line").hidden = !overlay;
    byId("line").setAttribute("aria-pressed", String(this.foreseeing));
    const uncounted = game.winner === this.you && this.helped;
    const idle = over ? (uncounted ? HELPED : progress(side)) : this.hinting ? "The net is thinking …" : "";
    byId("said").textContent = overlay ? this.inWords(overlay) : this.ply === game.history.length ? idle : "";
  }

  /** @param {Thought} thought */
  inWords(thought) {
    const mover = COLOR[(this.ply % 2) + 1],
      share = percent(50 * (1 + thought.value)),
      best = pointName(thought.move, this.game.width);
    const key = this.foreseeing ? "Numbered: expected moves." : "Tiles: percent of visits.";
    return `AlphaZero ${THOUGHTS} gives ${mover} ${share} and likes ${best}. ${key}`;
  }

  /** Curve, review and the way through the game. @param {number} last @param {boolean} over */
  drawGame(last, over) {
    const known = Array.from({ length: last + 1 }, (_, ply) => this.thoughts.get(this.key(ply)));
    const shares = known.map((thought, ply) => {
      const value = valueAt(this.game, thought, ply);
      return value === null ? null : blackShare(value, ply);
    });
    const visible = this.hinting || over;
    byId("course").hidden = !visible;
    byId("curve").innerHTML = visible ? curveDrawing(shares, this.ply, last) : "";
    byId("ply").max = String(last);
    byId("ply").value = String(this.ply);
    byId("ply").setAttribute("aria-valuetext", `move ${this.ply} of ${last}`);
    byId("earlier").disabled = this.ply === 0;
    byId("later").disabled = this.ply === last;
    byId("here").disabled = this.ply === last;
    const now = shares[this.ply];
    byId("share").textContent =
      now === null
        ? ""
        : `After move ${this.ply}: ${percent(now)} for Black, ${percent(100 - now)} for White (chance to win, a draw as half).`;
    byId("review").hidden = !over;
    if (over) this.drawReview(known);
  }

  /** @param {(Thought | undefined)[]} known */
  drawReview(known) {
    const left = known.filter((_, ply) => !this.isKnown(ply)).length,
      [yours, theirs] = left ? [[], []] : [falls(this.game, known, this.you, 4), falls(this.game, known, 3 - this.you, 2)];
    const [you, other] = [COLOR[this.you], COLOR[3 - this.you]]; // not "your moves": after a swap you have been both
    byId("reviewing").textContent = left
      ? `Looking through the game: ${left} to go.`
      : yours.length
        ? `What cost ${you}, your color, most of the chance to win. Choose a move to see it on the board:`
        : `No move cost ${you}, your color, a tenth of the chance to win.`;
    byId("theirs-title").textContent = theirs.length ? `What cost ${other} most:` : "";
    this.listFalls(byId("falls"), yours);
    this.listFalls(byId("theirs"), theirs);
  }

  /** @param {HTMLElement} list @param {import("./curve.js").Fall[]} found */
  listFalls(list, found) {
    list.textContent = "";
    for (const { ply, before, after, better } of found) {
      const button = document.createElement("button");
      const [played, wiser] = [this.game.history[ply], better].map((move) => pointName(move, this.game.width));
      button.type = "button";
      button.textContent = `Move ${ply + 1}: ${played}, ${percent(before)} to ${percent(after)}. Better: ${wiser}.`;
      button.onclick = () => this.show(ply);
      list.appendChild(document.createElement("li")).appendChild(button);
    }
  }
}
return { Page };
})();

if (typeof document === "undefined") thinker.work();
else {
  globalThis.mock5Net = thinker.netArrived;
  globalThis.mock5 = { rules, net, tree, uct, heuristics, agents, records, drawing, board, thinker, opponents, parts };
  globalThis.mock5.page = new main.Page(mock5Script);
  globalThis.mock5.page.start();
  if (location.protocol.startsWith("http")) navigator.serviceWorker?.register("sw.js").catch(() => {});
}
})();
