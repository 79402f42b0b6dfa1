// @ts-check
// An opponent by its name: a heuristic, UCT, a net's most probable move, or a net with a search.

import { heuristicMove } from "./heuristics.js";
import { Net } from "./net.js";
import { SearchTree } from "./tree.js";
import { UCT } from "./uct.js";

/** @typedef {import("./rules.js").Game} Game */

/** Plays by `greedy`, `uct@100` (100 simulations per move), `alphazero_9x9` (a net's most probable move) or
 * `alphazero_9x9@64` (a search with it). */
export class Agent {
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
