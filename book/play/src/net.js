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

export class Net {
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
