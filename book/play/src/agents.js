// @ts-check
// An opponent by its name: a heuristic, a net's most probable move, or a net with a search.

import { heuristicMove } from "./heuristics.js";
import { Net } from "./net.js";
import { SearchTree } from "./tree.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {{move: number, result: import("./tree.js").SearchResult | null}} Reply */

/** Plays by `alphazero_9x9@64` (64 simulations per move), `alphazero_9x9` (its most probable move) or `greedy`. */
export class Agent {
  /** @param {string} name @param {(net: string) => Net} netOf */
  constructor(name, netOf) {
    const [base, simulations] = name.split("@");
    this.name = name;
    this.simulations = Number(simulations || 0);
    this.net = base.includes("_") ? netOf(base) : null;
    /** @type {SearchTree | null} kept between moves */
    this.tree = null;
  }

  /** @param {Game} game @returns {Reply} */
  move(game) {
    if (!this.net) return { move: heuristicMove(this.name, game, Math.random), result: null };
    if (!this.simulations) {
      const { logPriors } = this.net.evaluate(game.board, game.player, game.height, game.width);
      return { move: logPriors.indexOf(Math.max(...logPriors)), result: null };
    }
    this.tree = followed(this.tree, game) || new SearchTree(game, this.net);
    const result = this.tree.search(this.simulations);
    return { move: result.move, result };
  }
}

/** The tree, moved on by the last one or two moves of `game` if they lead there from its position; else null.
 * @param {SearchTree | null} tree @param {Game} game */
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
