// @ts-check
// The rules of k in a row, as mock5lib/game/board.py has them: five or more wins, black (1) moves first.

/** The four directions of a row: right, down, right-down, left-down. As mock5lib.game.points.DIRECTIONS. */
export const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];
export const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const COLOUR = ["", "Black", "White"];

/** One game: moves are points, row * width + column. */
export class Game {
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

  /** Take the last move back, if there is one. */
  undo() {
    const move = this.history.pop();
    if (move === undefined) return;
    this.board[move] = 0;
    this.player = 3 - this.player;
    this.winner = null;
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

/** The points of the unbroken row of one colour through a stone, along one direction.
 * @param {Int8Array} board @param {number} height @param {number} width @param {number} move
 * @param {number[]} direction */
export function rowThrough(board, height, width, move, direction) {
  const points = [move];
  for (const sign of [1, -1]) {
    let row = Math.floor(move / width) + sign * direction[0],
      column = (move % width) + sign * direction[1];
    while (row >= 0 && row < height && column >= 0 && column < width && board[row * width + column] === board[move]) {
      points.push(row * width + column);
      row += sign * direction[0];
      column += sign * direction[1];
    }
  }
  return points.sort((a, b) => a - b);
}

/** Whether the stone at `move` stands in a winning row.
 * @param {Int8Array} board @param {number} height @param {number} width @param {number} k @param {number} move */
export function winsAt(board, height, width, k, move) {
  return DIRECTIONS.some((direction) => rowThrough(board, height, width, move, direction).length >= k);
}

/** The points of the row that won the game, from end to end; empty while nobody has won. @param {Game} game */
export function winningLine(game) {
  if (!game.winner) return [];
  const last = game.history[game.history.length - 1];
  for (const direction of DIRECTIONS) {
    const line = rowThrough(game.board, game.height, game.width, last, direction);
    if (line.length >= game.k) return line;
  }
  return [];
}

/** `row 3 column 4`, as the boards of the notebooks say it. @param {number} move @param {number} width */
export function pointName(move, width) {
  return `row ${DIGITS[Math.floor(move / width)]} column ${DIGITS[move % width]}`;
}
