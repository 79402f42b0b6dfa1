// @ts-check
// The page: one game, its opponent, what a net thinks of it, and everything that a hand can press.

import board from "../../../mock5lib/show/static/board.js";
import { blackShare, curveDrawing, falls, plyAt, valueAt } from "./curve.js";
import { svgDrawing } from "./drawing.js";
import { ANALYST, FIRST, OPPONENTS, THOUGHTS } from "./opponents.js";
import { BoardModel, byId, connectTheme, fillOpponents, ghostsOf, heatOf, percent, visitShare } from "./parts.js";
import { gameOf, linkText, psqText, readLink, readRecord, sgfText } from "./records.js";
import { COLOUR, pointName, winningLine } from "./rules.js";
import { Thinker } from "./thinker.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./thinker.js").Thought} Thought */

export class Page {
  /** @param {Function} script the whole script, for the workers */
  constructor(script) {
    this.opponent = new Thinker(script);
    this.analyst = new Thinker(script);
    this.you = 1;
    this.against = FIRST[9];
    /** @type {Game} */
    this.game = gameOf({ side: 9, moves: [], black: "", white: "" });
    this.ply = 0; // moves shown
    this.thoughtsShown = false;
    this.waiting = false; // for the opponent
    this.turn = 0; // raised whenever the game is changed by hand, so that a late answer is known
    this.looking = false; // whether the analyst is at work
    /** @type {Map<string, Thought>} by board and moves */
    this.thoughts = new Map();
    this.news = "";
    this.model = new BoardModel();
  }

  start() {
    board.render({ model: this.model, el: byId("board") });
    this.model.on("change:clicked", () => this.click(this.model.get("clicked").move));
    this.connect();
    this.fitThePlace();
    if (!this.openLink()) this.setUp(9, FIRST[9], 1);
  }

  /** In the frame of the landing page only the board and its buttons; outside the site no way up to it. */
  fitThePlace() {
    document.body.classList.toggle("small", location.search.includes("small"));
    byId("up").hidden = /\/book\/play\/(index\.html)?$/.test(location.pathname);
  }

  // Pressing things

  connect() {
    byId("side").onchange = () => this.setUp(Number(byId("side").value), FIRST[Number(byId("side").value)], this.you);
    byId("against").onchange = () => this.changeOpponent(byId("against").value);
    byId("new").onclick = () => this.setUp(this.game.width, this.against, this.you);
    byId("back").onclick = () => this.takeBack();
    byId("swap").onclick = () => this.swap();
    byId("thoughts").onclick = () => this.toggleThoughts();
    byId("ply").oninput = () => this.show(Number(byId("ply").value));
    byId("earlier").onclick = () => this.show(Math.max(0, this.ply - 1));
    byId("later").onclick = () => this.show(Math.min(this.game.history.length, this.ply + 1));
    byId("here").onclick = () => this.playFromHere();
    byId("psq").onclick = () => this.save("psq", psqText);
    byId("sgf").onclick = () => this.save("sgf", sgfText);
    byId("file").onchange = () => this.load();
    byId("link").onclick = () => this.copyLink();
    byId("curve").onclick = (/** @type {MouseEvent} */ event) => {
      const box = byId("curve").getBoundingClientRect();
      this.show(plyAt((event.clientX - box.left) / box.width, this.game.history.length));
    };
    window.addEventListener("hashchange", () => this.openLink());
    connectTheme();
  }

  /** A new game. @param {number} side @param {string} against @param {number} you
   * @param {number[]} moves already played */
  setUp(side, against, you, moves = []) {
    this.game = gameOf({ side, moves, black: "", white: "" });
    this.you = you;
    this.against = OPPONENTS[side].some(({ name }) => name === against) ? against : FIRST[side];
    this.begin("");
  }

  /** @param {string} name */
  changeOpponent(name) {
    this.against = name;
    this.begin(this.game.history.length ? `${this.label()} takes over. ` : "");
  }

  takeBack() {
    const own = this.game.history.map((_, ply) => ply).filter((ply) => (ply % 2) + 1 === this.you);
    if (!own.length) return;
    this.game = this.game.at(own[own.length - 1]);
    this.begin("Taken back. ");
  }

  swap() {
    this.you = 3 - this.you;
    this.begin("You changed sides. ");
  }

  playFromHere() {
    this.game = this.game.at(this.ply);
    this.begin("Played from here. ");
  }

  /** @param {number} move */
  click(move) {
    if (this.waiting || this.ply < this.game.history.length || this.game.winner !== null) return;
    if (this.game.player !== this.you) return this.begin(""); // its answer failed: ask the opponent again
    if (this.game.board[move]) {
      this.news = `${pointName(move, this.game.width)} is taken. `;
      return this.draw();
    }
    this.game.apply(move);
    this.begin("");
  }

  toggleThoughts() {
    this.thoughtsShown = !this.thoughtsShown;
    this.draw();
    this.look();
  }

  // The course of the game

  /** Go on after any change: show it, ask the opponent if it is its turn, think about it. @param {string} news */
  begin(news) {
    this.turn += 1;
    this.news = news;
    this.waiting = false;
    this.ply = this.game.history.length;
    if (this.game.winner === null && this.game.player !== this.you) this.askOpponent();
    this.draw();
    this.remember();
    this.look();
  }

  async askOpponent() {
    this.waiting = true;
    const turn = this.turn,
      label = this.label();
    try {
      const { move } = await this.opponent.move(this.against, this.game.width, this.game.history.slice());
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
        this.thoughts.set(key, await this.analyst.think(ANALYST[this.game.width], this.game.width, moves, THOUGHTS));
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
    const last = this.game.history.length,
      over = this.game.winner !== null;
    if (!this.thoughtsShown && !over) return null;
    const open = (/** @type {number} */ ply) => !this.thoughts.has(this.key(ply)) && !(over && ply === last);
    if (open(this.ply)) return this.ply;
    for (let ply = last; ply >= 0; ply--) if (open(ply)) return ply;
    return null;
  }

  /** @param {number} ply */
  key(ply) {
    return `${this.game.width}:${this.game.history.slice(0, ply).join(",")}`;
  }

  // Words

  label() {
    return OPPONENTS[this.game.width].find(({ name }) => name === this.against)?.label ?? this.against;
  }

  status() {
    const { game } = this,
      last = game.history.length;
    if (this.ply < last) {
      const move = this.ply
        ? `${COLOUR[2 - (this.ply % 2)]} at ${pointName(game.history[this.ply - 1], game.width)}`
        : "the first position";
      return `Move ${this.ply} of ${last}: ${move}.`;
    }
    if (game.winner === 0) return "A draw: the board is full.";
    if (game.winner) {
      const who = game.winner === this.you ? "You win" : `${this.label()} wins`;
      return `${who}: ${game.k === 4 ? "four" : "five"} in a row for ${COLOUR[game.winner]}.`;
    }
    if (this.waiting) return `${this.news}${this.label()} is thinking …`;
    if (game.player !== this.you) return `${this.news}Click on the board to ask ${this.label()} again.`;
    return `${this.news}Your move, ${COLOUR[this.you]}.`;
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
      over = this.game.winner !== null;
    const thought = this.thoughts.get(this.key(this.ply));
    const overlay = thought && shown.winner === null && (this.thoughtsShown || over) ? thought : undefined;
    const heat = overlay ? heatOf(overlay) : { heat: null, labels: null };
    const better =
      over && overlay && this.ply < last && overlay.move !== this.game.history[this.ply] ? overlay.move : null;
    const ghosts = overlay && this.thoughtsShown ? ghostsOf(overlay, shown) : [];
    if (ghosts.length)
      heat.labels = (heat.labels ?? []).map((text, move) => (ghosts.some((ghost) => ghost.move === move) ? "" : text));
    const drawing = svgDrawing(shown.height, shown.width, shown.board, shown.history, {
      line: winningLine(shown),
      ...heat,
      ghosts,
      better,
    });
    const traits = {
      height: shown.height,
      width: shown.width,
      stones: Array.from(shown.board),
      player: shown.winner === null ? shown.player : 0,
      labels: heat.labels ?? [],
      drawing,
      message: this.status(),
      confirm: shown.width > 9,
      enabled: shown.winner === null && this.ply === last && !this.waiting,
    };
    for (const [name, value] of Object.entries(traits)) this.model.set(name, value);
    this.drawControls(overlay);
    this.drawGame(last, over);
  }

  /** @param {Thought | undefined} overlay */
  drawControls(overlay) {
    const { game } = this,
      side = game.width;
    byId("side").value = String(side);
    if (byId("against").dataset.side !== String(side)) fillOpponents(byId("against"), side);
    byId("against").value = this.against;
    byId("about").textContent = OPPONENTS[side].find(({ name }) => name === this.against)?.about ?? "";
    byId("you").textContent = `You play ${COLOUR[this.you]}.`;
    byId("back").disabled = !game.history.some((_, ply) => (ply % 2) + 1 === this.you);
    byId("thoughts").setAttribute("aria-pressed", String(this.thoughtsShown));
    const said = byId("said");
    const thinking = this.thoughtsShown && !overlay && game.winner === null && this.ply === game.history.length;
    said.textContent = overlay && this.thoughtsShown ? this.inWords(overlay) : thinking ? "The net is thinking …" : "";
  }

  /** @param {Thought} thought */
  inWords(thought) {
    const mover = COLOUR[(this.ply % 2) + 1],
      share = percent(50 * (1 + thought.value));
    const best = `${pointName(thought.move, this.game.width)} (${visitShare(thought)} of its visits)`;
    const key = "On the board: percent of its visits, and dashed, in order, the moves it expects.";
    return `AlphaZero ${THOUGHTS} gives ${mover} ${share} (chance to win, a draw as half) and likes ${best}. ${key}`;
  }

  /** Curve, review and the way through the game. @param {number} last @param {boolean} over */
  drawGame(last, over) {
    const known = Array.from({ length: last + 1 }, (_, ply) => this.thoughts.get(this.key(ply)));
    const shares = known.map((thought, ply) => {
      const value = valueAt(this.game, thought, ply);
      return value === null ? null : blackShare(value, ply);
    });
    const visible = this.thoughtsShown || over;
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
    const left = known.slice(0, -1).filter((thought) => !thought).length,
      list = byId("falls");
    const found = falls(this.game, known);
    byId("reviewing").textContent = left
      ? `Looking through the game: ${left} positions to go.`
      : found.length
        ? "The moves that cost most, and what was better:"
        : "No move cost more than a tenth of the points.";
    list.textContent = "";
    if (left) return;
    for (const { ply, before, after, better } of found) {
      const who = (ply % 2) + 1 === this.you ? "You" : this.label(),
        button = document.createElement("button");
      const [played, wiser] = [this.game.history[ply], better].map((move) => pointName(move, this.game.width));
      button.type = "button";
      const cost = `from ${percent(before)} to ${percent(after)}`;
      button.textContent = `Move ${ply + 1}: ${who} played ${played}, ${cost}. Better: ${wiser}.`;
      button.onclick = () => this.show(ply);
      list.appendChild(document.createElement("li")).appendChild(button);
    }
  }

  // Keeping a game

  names() {
    const names = ["you", this.label()];
    return this.you === 1 ? names : names.reverse();
  }

  /** @param {string} ending @param {(game: Game, black: string, white: string) => string} write */
  save(ending, write) {
    const [black, white] = this.names(),
      link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([write(this.game, black, white)], { type: "application/octet-stream" }));
    link.download = `game-${this.game.width}x${this.game.width}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    this.say(`Saved as ${link.download}.`);
  }

  async load() {
    const file = byId("file").files[0];
    if (!file) return;
    try {
      const record = readRecord(await file.text());
      this.setUp(
        record.side,
        record.side === this.game.width ? this.against : FIRST[record.side],
        this.you,
        record.moves,
      );
      this.say(`${file.name}: ${record.black} against ${record.white}, ${record.moves.length} moves.`);
    } catch (problem) {
      this.say(`${file.name}: ${/** @type {Error} */ (problem).message}`);
    }
    byId("file").value = "";
  }

  /** The address always holds the game. */
  remember() {
    const text = linkText(this.game, this.against, this.you);
    try {
      history.replaceState(null, "", `#${text}`);
    } catch {
      // a browser may forbid it in a plain folder; the link can still be copied
    }
  }

  /** Open the game that the address holds; false if it holds none. */
  openLink() {
    try {
      const said = readLink(location.hash);
      if (!said) return false;
      this.setUp(said.record.side, said.against, said.you, said.record.moves);
      return true;
    } catch (problem) {
      this.say(/** @type {Error} */ (problem).message);
      return false;
    }
  }

  async copyLink() {
    const address = `${location.href.split("#")[0]}#${linkText(this.game, this.against, this.you)}`;
    try {
      await navigator.clipboard.writeText(address);
      const where = location.protocol === "file:" ? "on this computer it opens this game" : "whoever opens it finds this game";
      this.say(`The link is in the clipboard; ${where}.`);
    } catch {
      this.say(`Copy this link: ${address}`);
    }
  }

  /** @param {string} text */
  say(text) {
    byId("kept").textContent = text;
  }
}
