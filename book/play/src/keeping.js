// @ts-check
// Keeping a game: as a file, and as a link, which the page's own address always is.

import { find } from "./opponents.js";
import { byId } from "./parts.js";
import { linkText, readLink, readRecord, sgfText } from "./records.js";

export class Keeping {
  /** @param {import("./main.js").Page} page whose game is kept */
  constructor(page) {
    this.page = page;
  }

  connect() {
    byId("sgf").onclick = () => this.save();
    byId("file").onchange = () => this.load();
    byId("link").onclick = () => this.copyLink();
    window.addEventListener("hashchange", () => this.openLink());
  }

  save() {
    const { game, you, resigned } = this.page,
      opponent = find(game.width, this.page.against), // by the name that mock5 knows, too
      players = ["you", opponent?.course ?? this.page.against],
      [black, white] = you === 1 ? players : players.reverse(),
      link = document.createElement("a");
    const text = sgfText(game, black, white, resigned);
    link.href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
    link.download = `game-${game.width}x${game.width}.sgf`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    this.say(`Saved as ${link.download}.`);
  }

  async load() {
    const file = byId("file").files[0];
    if (!file) return;
    try {
      const { side, moves, black, white, winner } = readRecord(await file.text()),
        against = side === this.page.game.width ? this.page.against : undefined;
      this.page.setUp({ side, against, moves, you: white === "you" ? 2 : 1, resigned: winner && 3 - winner });
      this.say(`${file.name}: ${black} against ${white}, ${moves.length} moves.`);
    } catch (problem) {
      this.say(`${file.name}: ${/** @type {Error} */ (problem).message}`);
    }
    byId("file").value = "";
  }

  /** The address always holds the game, and so does the landing page's way to this page; a reload also finds the hint. */
  remember() {
    const game = `#${linkText(this.page.position())}`;
    window.parent.postMessage({ game }, "*");
    try {
      history.replaceState({ hinting: this.page.hinting, helped: this.page.helped }, "", game);
    } catch {
      // a browser may forbid it in a plain folder; the link can still be copied
    }
  }

  /** Open the game that the address holds; false if it holds none. */
  openLink() {
    try {
      const said = readLink(location.hash);
      this.page.hinting = history.state?.hinting ?? false;
      if (said) this.page.setUp({ ...said, helped: history.state?.helped });
      return said !== null;
    } catch (problem) {
      this.say(/** @type {Error} */ (problem).message);
      return false;
    }
  }

  async copyLink() {
    const address = `${location.href.split("#")[0]}#${linkText(this.page.position())}`;
    try {
      await navigator.clipboard.writeText(address);
      const where =
        location.protocol === "file:" ? "on this computer it opens this game" : "whoever opens it finds this game";
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
