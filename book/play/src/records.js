// @ts-check
// A game as text: SGF (GM[4]) and Gomocup's .psq, which is read alone, as mock5lib/game/record_formats.py has them; a link.

import { Game, LETTERS } from "./rules.js";

/** @typedef {{side: number, moves: number[], black: string, white: string, winner: number}} Record `winner` as the file
 *  says it: 1, 2, or 0 for nobody; a game that is not won on its board was given up */
/** @typedef {import("./main.js").Position} Position */

/** How many in a row win on a board of this side. @param {number} side */
export function rowOf(side) {
  return side === 6 ? 4 : 5;
}

/** A game, by its moves. Throws an Error in a sentence if one is against the rules.
 * @param {{side: number, moves: number[]}} record */
export function gameOf(record) {
  return new Game(record.side, record.side, rowOf(record.side), record.moves);
}

// Writing

/** @param {Game} game @param {string} black @param {string} white @param {number} resigned who gave it up, or 0 */
export function sgfText(game, black, white, resigned) {
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
export function readRecord(text) {
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
export function linkText({ side, against, you, moves, resigned }) {
  const letters = moves.map((move) => LETTERS[move % side] + LETTERS[Math.floor(move / side)]).join("");
  const given = resigned ? `&resigned=${PLAYER[resigned]}` : "";
  return `board=${side}&against=${against}&you=${PLAYER[you]}${given}&moves=${letters}`;
}

/** What such a text says; null for one that says no board. Throws an Error in a sentence.
 * @param {string} text @returns {Position | null} */
export function readLink(text) {
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
