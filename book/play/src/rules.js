// @ts-check
// The rules of k in a row, as mock5lib/game/board.py has them: five or more wins, black (1) moves first.

/** The four directions of a row: right, down, right-down, left-down. As mock5lib.game.points.DIRECTIONS. */
export const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];
/** Names of rows and columns. As mock5lib.game.points.DIGITS. */
export const DIGITS = "0123456789ABCDE";
export const LETTERS = "abcdefghijklmno";
export const COLOR = ["", "Black", "White"];

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
export function winsAt(board, height, width, k, move) {
  for (const [down, right] of DIRECTIONS) {
    const others =
      following(board, height, width, move, down, right) + following(board, height, width, move, -down, -right);
    if (1 + others >= k) return true;
  }
  return false;
}

/** The points of the row that won the game, from end to end; empty while nobody has won. @param {Game} game */
export function winningLine({ winner, board, height, width, k, history }) {
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
export function pointName(move, side) {
  const row = Math.floor(move / side),
    column = move % side;
  return `row ${DIGITS[row]} column ${DIGITS[column]} (${"abcdefghijklmno"[column]}${side - row})`;
}
