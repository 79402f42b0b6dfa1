// @ts-check
// A position as the inside of an SVG picture: mock5lib/show/svg.py in the browser, character for character, and the
// ghost stones of a line that might be played, which only the page shows.

import { DIGITS } from "./rules.js";

export const CELL = 40; // in SVG units
export const NEAR = 24; // the frame with the coordinates
export const FAR = 8; // and the one without
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
export function svgDrawing(height, width, stones, history, extras = {}) {
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
