// @ts-check
// Plain UCT, beside mock5lib/search/uct.py: the same four steps, the same sums, the same draws of random numbers.
//
// An edge's statistics belong to the player who chooses it: a node's `wins` are those of the player who moved into it.

import { winsAt } from "./rules.js";

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
export class UCT {
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
