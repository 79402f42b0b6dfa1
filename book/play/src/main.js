// @ts-check
// The page: one game, its opponent, what a net thinks of it, and everything that a hand can press.

import board from "../../../mock5lib/show/static/board.js";
import { betterThan, blackShare, curveDrawing, falls, plyAt, valueAt } from "./curve.js";
import { svgDrawing } from "./drawing.js";
import { ANALYST, OWN, THOUGHTS, find } from "./opponents.js";
import { BoardModel, byId, connectTheme, ghostsOf, heatOf, percent } from "./parts.js";
import { beat, drawOpponents, nextRung, progress } from "./parts.js";
import { Keeping } from "./keeping.js";
import { gameOf } from "./records.js";
import { COLOR, pointName, winningLine } from "./rules.js";
import { Thinker } from "./thinker.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./thinker.js").Thought} Thought */
/** @typedef {{side: number, against: string, you: number, moves: number[], resigned: number, helped?: boolean}} Position
 *  a game as it stands: board, opponent, your color, moves, who gave it up (1 or 2; 0 for nobody), and whether a hint or
 *  a change of sides has helped */

const HELPED = "Not counted: you had a hint, changed sides, or played on from an earlier position.";

export class Page {
  /** @param {Function} script the whole script, for the workers */
  constructor(script) {
    this.opponent = new Thinker(script);
    this.analyst = new Thinker(script);
    this.you = 1;
    this.against = nextRung(9).name;
    /** @type {Game} */
    this.game = gameOf({ side: 9, moves: [] });
    this.resigned = 0; // who gave the game up, 1 or 2
    /** @type {Position | null} the game that a new one has replaced, until a move is made in the new one */
    this.replaced = null;
    this.ply = 0; // moves shown
    this.hinting = false;
    this.foreseeing = false; // whether a hint shows the moves that are expected, or how often each was looked at
    this.helped = false; // whether a hint or a change of sides has helped in this game
    this.waiting = false; // for the opponent
    this.turn = 0; // raised whenever the game is changed by hand, so that a late answer is known
    this.looking = false; // whether the analyst is at work
    /** @type {Map<string, Thought>} by board and moves */
    this.thoughts = new Map();
    this.news = "";
    this.model = new BoardModel();
    this.keeping = new Keeping(this);
  }

  start() {
    board.render({ model: this.model, el: byId("board") });
    this.model.on("change:clicked", () => this.click(this.model.get("clicked").move));
    this.model.on("change:numbers", () => this.draw());
    this.connect();
    this.fitThePlace();
    if (this.keeping.openLink()) return;
    this.setUp(OWN ? { side: OWN.sides?.[0] ?? 9, against: `${OWN.name}@64` } : { side: 9 });
  }

  /** In the frame of the landing page only the board and its buttons, and word of how high they are; outside the site no
   * way up to it. */
  fitThePlace() {
    const small = location.search.includes("small");
    document.body.classList.toggle("small", small);
    const tell = () => window.parent.postMessage({ height: document.body.offsetHeight }, "*");
    if (small) new ResizeObserver(tell).observe(document.body);
    byId("up").hidden = OWN !== undefined || /\/book\/play\/(index\.html)?$/.test(location.pathname);
  }

  // Pressing things

  connect() {
    byId("side").onchange = () => this.newGame(Number(byId("side").value));
    byId("against").onchange = () => this.newGame(this.game.width, byId("against").value);
    byId("new").onclick = () => this.newGame(this.game.width);
    byId("last").onclick = () => this.bringBack();
    byId("resign").onclick = () => this.resign();
    byId("undo").onclick = () => this.undo();
    byId("swap").onclick = () => this.swap();
    byId("hint").onclick = () => this.toggleHint();
    byId("line").onclick = () => this.toggleLine();
    byId("next").onclick = () => this.newGame(this.game.width, nextRung(this.game.width).name);
    byId("look").onclick = () => byId("review").scrollIntoView();
    byId("ply").oninput = () => this.show(Number(byId("ply").value));
    byId("earlier").onclick = () => this.show(Math.max(0, this.ply - 1));
    byId("later").onclick = () => this.show(Math.min(this.game.history.length, this.ply + 1));
    byId("here").onclick = () => this.playFromHere();
    byId("curve").onclick = (/** @type {MouseEvent} */ event) => {
      const box = byId("curve").getBoundingClientRect();
      this.show(plyAt((event.clientX - box.left) / box.width, this.game.history.length));
    };
    this.keeping.connect();
    connectTheme();
  }

  /** Show a game. What is not said is as at first: who is next on the way up, you black, no move played.
   * @param {Partial<Position> & {side: number}} position @param {string} news */
  setUp({ side, against = "", you = 1, moves = [], resigned = 0, helped = false }, news = "") {
    if (this.ownMoves().length) this.replaced = this.position();
    this.game = gameOf({ side, moves });
    this.you = you;
    this.against = (find(side, against) ?? nextRung(side)).name;
    this.helped = helped || this.hinting;
    this.resigned = this.game.winner === null ? resigned : 0;
    this.begin(news);
  }

  /** @param {number} side @param {string} against whom; the same as before if nobody is named and the board stays */
  newGame(side, against = side === this.game.width ? this.against : "") {
    this.setUp({ side, against, you: this.you }, "A new game. ");
  }

  /** The game that the new one has replaced. */
  bringBack() {
    if (!this.replaced) return;
    const kept = this.replaced;
    this.replaced = null;
    this.setUp(kept, "The game is back. ");
  }

  resign() {
    this.resigned = this.you;
    this.begin("");
  }

  undo() {
    const own = this.ownMoves();
    if (this.resigned) {
      this.resigned = 0;
      this.begin("The game goes on. ");
    } else if (own.length) {
      this.game = this.game.at(own[own.length - 1]);
      this.begin("Taken back. ");
    }
  }

  /** Take over the other color; once the game is over, in a new one. */
  swap() {
    const you = 3 - this.you;
    if (this.over()) return this.setUp({ side: this.game.width, against: this.against, you }, "The return game. ");
    this.you = you;
    this.helped ||= this.game.history.length > 0; // before the first move it only settles who begins
    this.begin("You changed sides. ");
  }

  playFromHere() {
    this.game = this.game.at(this.ply);
    this.resigned = 0;
    this.helped = true;
    this.begin("Played from here. ");
  }

  /** @param {number} move */
  click(move) {
    if (this.waiting || this.ply < this.game.history.length || this.over()) return;
    if (this.game.player !== this.you) return this.begin(""); // its answer failed: ask the opponent again
    if (this.game.board[move]) {
      this.news = `The point ${pointName(move, this.game.width)} is taken. `;
      return this.draw();
    }
    this.game.apply(move);
    this.replaced = null;
    if (this.game.winner === this.you && !this.helped) beat(this.game.width, this.against);
    this.begin("");
  }

  toggleHint() {
    this.hinting = !this.hinting;
    this.helped ||= this.hinting && !this.over();
    this.model.set("numbers", false);
    this.keeping.remember();
    this.look();
  }

  toggleLine() {
    this.foreseeing = !this.foreseeing;
    this.model.set("numbers", false);
  }

  // The course of the game

  /** @returns {Position} */
  position() {
    const { game, against, you, resigned, helped } = this;
    return { side: game.width, against, you, moves: game.history.slice(), resigned, helped };
  }

  /** Before how many moves each of yours was made. */
  ownMoves() {
    return this.game.history.map((_, ply) => ply).filter((ply) => (ply % 2) + 1 === this.you);
  }

  over() {
    return this.game.winner !== null || this.resigned > 0;
  }

  /** Go on after any change: show it, ask the opponent if it is its turn, think about it. @param {string} news */
  begin(news) {
    this.turn += 1;
    this.news = news;
    this.waiting = false;
    this.ply = this.game.history.length;
    if (!this.over() && this.game.player !== this.you) this.askOpponent();
    this.draw();
    this.keeping.remember();
    this.look();
  }

  async askOpponent() {
    this.waiting = true;
    const turn = this.turn,
      label = this.label();
    try {
      const moves = this.game.history.slice();
      const { move } = await this.opponent.ask({ kind: "move", name: this.against, side: this.game.width, moves });
      if (turn !== this.turn) return;
      this.game.apply(move);
      this.begin(`${label} played ${pointName(move, this.game.width)}. `);
    } catch (problem) {
      if (turn !== this.turn) return;
      this.waiting = false;
      this.news = `${/** @type {Error} */ (problem).message} `;
      this.draw();
    }
  }

  /** Let the analyst look at the positions that it has not seen, one after the other. */
  async look() {
    if (this.looking) return;
    this.looking = true;
    try {
      for (let ply = this.nextToLookAt(); ply !== null; ply = this.nextToLookAt()) {
        const moves = this.game.history.slice(0, ply),
          key = this.key(ply);
        const question = { side: this.game.width, name: ANALYST[this.game.width], moves, simulations: THOUGHTS };
        this.thoughts.set(key, await this.analyst.ask({ kind: "think", ...question }));
        this.draw();
      }
    } catch (problem) {
      this.news = `${/** @type {Error} */ (problem).message} `;
      this.draw();
    } finally {
      this.looking = false;
    }
  }

  /** Which position to think about next; null if all are known, or if it is not wanted yet. */
  nextToLookAt() {
    if (this.waiting) return null; // the opponent's thoughts come first
    if (!this.hinting && !this.over()) return null;
    const last = this.game.history.length,
      open = (/** @type {number} */ ply) => !this.isKnown(ply);
    if (open(this.ply)) return this.ply;
    for (let ply = last; ply >= 0; ply--) if (open(ply)) return ply;
    return null;
  }

  /** Whether the net has looked at the position after so many moves, or the rules say what it is worth.
   * @param {number} ply */
  isKnown(ply) {
    return this.thoughts.has(this.key(ply)) || (this.game.winner !== null && ply === this.game.history.length);
  }

  /** @param {number} ply */
  key(ply) {
    return `${this.game.width}:${this.game.history.slice(0, ply).join(",")}`;
  }

  // Words

  label() {
    return find(this.game.width, this.against)?.label ?? this.against;
  }

  status() {
    const { game } = this,
      last = game.history.length;
    if (this.ply < last) {
      const better = this.better(),
        next = `${this.ply + 1}, ${COLOR[(this.ply % 2) + 1]}`;
      const played = pointName(game.history[this.ply], game.width);
      if (better === null) return `Before move ${next} at ${played}.`;
      return `Move ${next}: ✕ ${played}. Better: ■ ${pointName(better, game.width)}.`;
    }
    if (game.winner === 0) return "A draw: the board is full.";
    if (game.winner) {
      const row = `${game.k === 4 ? "four" : "five"} in a row for ${COLOR[game.winner]}.`;
      if (game.winner !== this.you) return `${this.label()} wins: ${row}`;
      return this.helped ? `You win, with help: ${row}` : `You beat ${this.label()}: ${row}`;
    }
    if (this.resigned === this.you) return `You resigned: ${this.label()} wins.`;
    if (this.resigned) return `${COLOR[this.resigned]} resigned: ${COLOR[3 - this.resigned]} wins.`;
    if (this.waiting) return `${this.news}${this.label()} is thinking …`;
    if (game.player !== this.you) return `${this.news}Click on the board to ask ${this.label()} again.`;
    return `${this.news}Your move, ${COLOR[this.you]}.`;
  }

  // Showing

  /** @param {number} ply */
  show(ply) {
    this.ply = ply;
    this.news = "";
    this.draw();
    this.look();
  }

  draw() {
    const shown = this.game.at(this.ply),
      last = this.game.history.length,
      over = this.over();
    const thought = this.thoughts.get(this.key(this.ply));
    const overlay = thought && shown.winner === null && (this.hinting || over) ? thought : undefined;
    // One kind of number at a time: of the moves played, of the moves expected, or of the visits.
    const counted = this.model.get("numbers"),
      heat = overlay && !this.foreseeing ? heatOf(overlay) : { heat: null, labels: null };
    if (counted) heat.labels = null;
    const better = this.better();
    const drawing = svgDrawing(shown.height, shown.width, shown.board, shown.history, {
      line: winningLine(shown),
      ...heat,
      ghosts: overlay && this.foreseeing && !counted ? ghostsOf(overlay, shown) : [],
      verdict: better === null ? [] : [this.game.history[this.ply], better],
    });
    const traits = {
      height: shown.height,
      width: shown.width,
      stones: Array.from(shown.board),
      player: shown.winner === null && !(this.resigned && this.ply === last) ? shown.player : 0,
      labels: heat.labels ?? [],
      drawing,
      message: this.status(),
      confirm: shown.width > 9,
      enabled: !over && this.ply === last && !this.waiting,
    };
    for (const [name, value] of Object.entries(traits)) this.model.set(name, value);
    byId("board").classList.toggle("large", shown.width > 9);
    document.body.classList.toggle("over", over);
    this.drawControls(overlay);
    this.drawGame(last, over);
  }

  /** In a review, the move that was better than the one played here. */
  better() {
    const thought = this.over() && !this.foreseeing && this.thoughts.get(this.key(this.ply));
    return thought && this.ply < this.game.history.length ? betterThan(this.game.history[this.ply], thought) : null;
  }

  /** @param {Thought | undefined} overlay */
  drawControls(overlay) {
    const { game } = this,
      side = game.width,
      over = this.over();
    byId("side").value = String(side);
    drawOpponents(side, this.against, (name) => this.newGame(side, name));
    byId("about").textContent = find(side, this.against)?.about ?? "";
    byId("rules").textContent =
      `Take turns, Black first. ${game.k === 4 ? "Four" : "Five"} or more of your stones in a row, in any direction, win.`;
    byId("undo").disabled = !this.ownMoves().length;
    byId("swap").textContent = over ? `Play ${COLOR[3 - this.you]}` : "Swap";
    byId("resign").disabled = !this.ownMoves().length;
    byId("resign").hidden = over;
    byId("last").hidden = this.replaced === null;
    byId("next").hidden = game.winner !== this.you || nextRung(side).name === this.against;
    byId("next").textContent = `Next: ${nextRung(side).label}`;
    byId("new").textContent = over && game.winner !== this.you && this.resigned !== 3 - this.you ? "Try again" : "New game";
    byId("new").classList.toggle("first", over && byId("next").hidden);
    byId("hint").hidden = over;
    byId("hint").setAttribute("aria-pressed", String(this.hinting));
    byId("look").hidden = !over;
    byId("line").hidden = !overlay;
    byId("line").setAttribute("aria-pressed", String(this.foreseeing));
    const uncounted = game.winner === this.you && this.helped;
    const idle = over ? (uncounted ? HELPED : progress(side)) : this.hinting ? "The net is thinking …" : "";
    byId("said").textContent = overlay ? this.inWords(overlay) : this.ply === game.history.length ? idle : "";
  }

  /** @param {Thought} thought */
  inWords(thought) {
    const mover = COLOR[(this.ply % 2) + 1],
      share = percent(50 * (1 + thought.value)),
      best = pointName(thought.move, this.game.width);
    const key = this.foreseeing ? "Numbered: expected moves." : "Tiles: percent of visits.";
    return `AlphaZero ${THOUGHTS} gives ${mover} ${share} and likes ${best}. ${key}`;
  }

  /** Curve, review and the way through the game. @param {number} last @param {boolean} over */
  drawGame(last, over) {
    const known = Array.from({ length: last + 1 }, (_, ply) => this.thoughts.get(this.key(ply)));
    const shares = known.map((thought, ply) => {
      const value = valueAt(this.game, thought, ply);
      return value === null ? null : blackShare(value, ply);
    });
    const visible = this.hinting || over;
    byId("course").hidden = !visible;
    byId("curve").innerHTML = visible ? curveDrawing(shares, this.ply, last) : "";
    byId("ply").max = String(last);
    byId("ply").value = String(this.ply);
    byId("ply").setAttribute("aria-valuetext", `move ${this.ply} of ${last}`);
    byId("earlier").disabled = this.ply === 0;
    byId("later").disabled = this.ply === last;
    byId("here").disabled = this.ply === last;
    const now = shares[this.ply];
    byId("share").textContent =
      now === null
        ? ""
        : `After move ${this.ply}: ${percent(now)} for Black, ${percent(100 - now)} for White (chance to win, a draw as half).`;
    byId("review").hidden = !over;
    if (over) this.drawReview(known);
  }

  /** @param {(Thought | undefined)[]} known */
  drawReview(known) {
    const left = known.filter((_, ply) => !this.isKnown(ply)).length,
      [yours, theirs] = left ? [[], []] : [falls(this.game, known, this.you, 4), falls(this.game, known, 3 - this.you, 2)];
    const [you, other] = [COLOR[this.you], COLOR[3 - this.you]]; // not "your moves": after a swap you have been both
    byId("reviewing").textContent = left
      ? `Looking through the game: ${left} to go.`
      : yours.length
        ? `What cost ${you}, your color, most of the chance to win. Choose a move to see it on the board:`
        : `No move cost ${you}, your color, a tenth of the chance to win.`;
    byId("theirs-title").textContent = theirs.length ? `What cost ${other} most:` : "";
    this.listFalls(byId("falls"), yours);
    this.listFalls(byId("theirs"), theirs);
  }

  /** @param {HTMLElement} list @param {import("./curve.js").Fall[]} found */
  listFalls(list, found) {
    list.textContent = "";
    for (const { ply, before, after, better } of found) {
      const button = document.createElement("button");
      const [played, wiser] = [this.game.history[ply], better].map((move) => pointName(move, this.game.width));
      button.type = "button";
      button.textContent = `Move ${ply + 1}: ${played}, ${percent(before)} to ${percent(after)}. Better: ${wiser}.`;
      button.onclick = () => this.show(ply);
      list.appendChild(document.createElement("li")).appendChild(button);
    }
  }
}
