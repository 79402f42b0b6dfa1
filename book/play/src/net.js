// @ts-check
// The "patterns" net of mock5lib/nets/blocks.py, read from the course's checkpoints: a learnt table of lines, a head
// that compares the points, a head for the value. `python -m tools.page` writes the weights, float32 as they are.
//
// Everything is worked out in double precision, and the answer is rounded to float32. So points that are equal by a
// symmetry of the board get equal log-priors, and the search breaks the tie by index. PyTorch, in float32, lets the
// rounding of its sums break it.

/** @typedef {{name: string, reach: number, width: number, rows: string, weights: string}} PackedNet */
/** @typedef {{logPriors: Float32Array, value: number}} Answer for the player to move; log-priors of empty points */

const RAYS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
  [0, -1],
  [-1, 0],
  [-1, -1],
  [-1, 1],
]; // ray d + 4 is opposite to ray d
const EMPTY = 0,
  OWN = 1,
  BLOCKED = 2; // what a player sees on a line: the other's stones and the edge both block
const HIDDEN = 32,
  COMPARED = 8;

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
    this.second = layer(HIDDEN, HIDDEN + COMPARED);
    this.out = layer(1, HIDDEN);
    this.points = layer(HIDDEN, this.channels);
    this.board = layer(HIDDEN, 2 * HIDDEN);
    this.value = layer(1, HIDDEN);
    if (at !== weights.length)
      throw new Error(`Net ${packed.name} has ${weights.length} weights, ${at} were expected.`);
    this.stateOfCode = rayStates(this.reach);
    this.room = 0; // points of the largest board so far, for which there are arrays
  }

  /** What the net thinks of a position. The answer's arrays are its own.
   * @param {Int8Array} board @param {number} player who moves @param {number} height @param {number} width
   * @returns {Answer} */
  evaluate(board, player, height, width) {
    const empty = [];
    for (let point = 0; point < board.length; point++) if (!board[point]) empty.push(point);
    this.makeRoom(height, width);
    this.lookAlongRays(board, player, height, width);
    empty.forEach((point, row) => this.describe(point, row, height, width));
    return { logPriors: this.logPriors(empty, board.length), value: this.valueOf(empty.length) };
  }

  /** @param {number} height @param {number} width */
  makeRoom(height, width) {
    const points = height * width;
    if (points > this.room) {
      this.room = points;
      this.rays = new Uint8Array(2 * 8 * points); // [player][ray][point]: the state of the ray
      this.features = new Float64Array(points * this.channels); // [empty point][channel]
      this.first = new Float64Array(points * (HIDDEN + COMPARED)); // [empty point][hidden, then compared]
      this.pooled = new Float64Array(2 * HIDDEN);
      this.inner = new Float64Array(HIDDEN);
    }
  }

  /** The state of each ray from each point, as either player sees it; see `PatternTrunk` and `ray_states`.
   * @param {Int8Array} board @param {number} player @param {number} height @param {number} width */
  lookAlongRays(board, player, height, width) {
    const { reach, stateOfCode, rays } = /** @type {any} */ (this);
    const span = width + 2 * reach,
      points = height * width;
    const seen = [
      new Uint8Array((height + 2 * reach) * span).fill(BLOCKED),
      new Uint8Array((height + 2 * reach) * span).fill(BLOCKED),
    ];
    for (let point = 0; point < points; point++) {
      const place = (Math.floor(point / width) + reach) * span + (point % width) + reach,
        stone = board[point];
      seen[0][place] = stone === 0 ? EMPTY : stone === player ? OWN : BLOCKED;
      seen[1][place] = stone === 0 ? EMPTY : stone === player ? BLOCKED : OWN;
    }
    for (let side = 0; side < 2; side++) {
      for (let ray = 0; ray < 8; ray++) {
        const step = RAYS[ray][0] * span + RAYS[ray][1];
        for (let point = 0; point < points; point++) {
          if (board[point]) continue;
          const place = (Math.floor(point / width) + reach) * span + (point % width) + reach;
          let code = 0;
          for (let distance = reach; distance > 0; distance--) code = 3 * code + seen[side][place + distance * step];
          rays[(side * 8 + ray) * points + point] = stateOfCode[code];
        }
      }
    }
  }

  /** The features of one point: the vectors of its four lines summed, for either player; the distance from the centre.
   * @param {number} point @param {number} row of the features @param {number} height @param {number} width */
  describe(point, row, height, width) {
    const { rays, features, table, states, width: size } = /** @type {any} */ (this);
    const points = height * width,
      start = row * this.channels;
    for (let side = 0; side < 2; side++) {
      const lines = [0, 0, 0, 0];
      for (let direction = 0; direction < 4; direction++) {
        const one = rays[(side * 8 + direction) * points + point],
          other = rays[(side * 8 + direction + 4) * points + point];
        lines[direction] = (Math.max(one, other) * states + Math.min(one, other)) * size;
      }
      for (let i = 0; i < size; i++) {
        features[start + side * size + i] =
          table[lines[0] + i] + table[lines[1] + i] + table[lines[2] + i] + table[lines[3] + i];
      }
    }
    const down = Math.floor(point / width) - (height - 1) / 2,
      right = (point % width) - (width - 1) / 2;
    features[start + 2 * size] = Math.sqrt(down * down + right * right);
  }

  /** The policy head (`ComparingHead`) and the softmax over the empty points.
   * @param {number[]} empty @param {number} points of the board @returns {Float32Array} */
  logPriors(empty, points) {
    const { features, first } = /** @type {any} */ (this),
      stride = HIDDEN + COMPARED;
    const largest = new Float64Array(COMPARED).fill(-Infinity);
    for (let row = 0; row < empty.length; row++) {
      apply(this.hidden, features, row * this.channels, first, row * stride, true);
      apply(this.compared, first, row * stride, first, row * stride + HIDDEN, false);
      for (let i = 0; i < COMPARED; i++) largest[i] = Math.max(largest[i], first[row * stride + HIDDEN + i]);
    }
    const scores = new Float64Array(empty.length),
      inner = /** @type {Float64Array} */ (this.inner);
    let top = -Infinity;
    for (let row = 0; row < empty.length; row++) {
      for (let i = 0; i < COMPARED; i++) first[row * stride + HIDDEN + i] -= largest[i];
      apply(this.second, first, row * stride, inner, 0, true);
      apply(this.out, inner, 0, scores, row, false);
      top = Math.max(top, scores[row]);
    }
    let total = 0;
    for (const score of scores) total += Math.exp(score - top);
    const logPriors = new Float32Array(points).fill(-1e9); // mock5lib.game.table.OCCUPIED
    empty.forEach((point, row) => {
      logPriors[point] = scores[row] - top - Math.log(total);
    });
    return logPriors;
  }

  /** The value head: mean and maximum over the empty points (`ValueHead`). @param {number} count of empty points */
  valueOf(count) {
    const { features, pooled, inner } = /** @type {any} */ (this);
    const sums = new Float64Array(HIDDEN);
    pooled.fill(0);
    for (let row = 0; row < count; row++) {
      apply(this.points, features, row * this.channels, inner, 0, true);
      for (let i = 0; i < HIDDEN; i++) {
        sums[i] += inner[i];
        pooled[HIDDEN + i] = Math.max(pooled[HIDDEN + i], inner[i]);
      }
    }
    for (let i = 0; i < HIDDEN; i++) pooled[i] = sums[i] / Math.max(count, 1);
    apply(this.board, pooled, 0, inner, 0, true);
    const answer = new Float64Array(1);
    apply(this.value, inner, 0, answer, 0, false);
    return Math.fround(Math.tanh(answer[0]));
  }
}

/** One layer: out = weight · into + bias, with or without ReLU.
 * @param {{weight: Float64Array, bias: Float64Array, into: number}} layer
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
