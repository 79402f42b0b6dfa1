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
export function puct(q, prior, parentVisits, visits) {
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
export class SearchTree {
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
export function legalPriors(logPriors, moves) {
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
export function lookOnePlyAhead(game) {
  const wins = immediateWins(game, game.player);
  if (wins.length) return [wins, 1];
  const threats = immediateWins(game, 3 - game.player);
  if (threats.length) return [threats, threats.length > 1 ? -1 : null];
  return [game.legalMoves(), null];
}

/** The empty points where a stone of `player` would win, in increasing order: of k points in line all but one hold
 * stones of `player`, and that one is empty. @param {Game} game @param {number} player */
export function immediateWins(game, player) {
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
