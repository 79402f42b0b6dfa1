// @ts-check
// Who thinks, and where: a worker, so that the page stays quick. The worker runs the same script as the page.

import { Agent } from "./agents.js";
import { Net } from "./net.js";
import { gameOf } from "./records.js";
import { SearchTree } from "./tree.js";

/** @typedef {import("./net.js").PackedNet} PackedNet */
/** @typedef {{value: number, move: number, visits: number[], line: number[]}} Thought
 *  `value` of the best move for the player to move */
/** @typedef {{id: number, kind: "move" | "think", name: string, side: number, moves: number[], simulations?: number,
 *  net?: PackedNet}} Question about a position: the move of an opponent, or what a net thinks */

// In the worker

/** A function that answers questions; it keeps nets and the opponent's tree. */
export function makeAnswerer() {
  /** @type {Map<string, Net>} */
  const nets = new Map();
  /** @type {Agent | null} */
  let agent = null;
  const netOf = (/** @type {string} */ name) => /** @type {Net} */ (nets.get(name));
  return (/** @type {Question} */ question) => {
    if (question.net && !nets.has(question.net.name)) nets.set(question.net.name, new Net(question.net));
    const game = gameOf(question);
    if (question.kind === "think") {
      return thought(new SearchTree(game, netOf(question.name)).search(question.simulations ?? 1));
    }
    if (!agent || agent.name !== question.name) agent = new Agent(question.name, netOf);
    return { move: agent.move(game) };
  };
}

/** @param {import("./tree.js").SearchResult} result @returns {Thought} */
function thought(result) {
  return { value: result.q, move: result.move, visits: Array.from(result.visits), line: result.line };
}

/** What the script does in a worker: answer messages. */
export function work() {
  const answer = makeAnswerer();
  self.onmessage = (event) => {
    try {
      self.postMessage({ id: event.data.id, answer: answer(event.data) });
    } catch (problem) {
      self.postMessage({ id: event.data.id, problem: String(problem) });
    }
  };
}

// In the page

/** Nets that are in the file itself, as `mock5 page` writes it; one of them is a reader's own, with a label and the
 * boards that it plays on. @type {(PackedNet & {label?: string, sides?: number[]})[]} */
export const INSIDE = Reflect.get(globalThis, "mock5Nets") ?? [];

/** @type {Map<string, Promise<PackedNet>>} */
const loading = new Map(INSIDE.map((packed) => [packed.name, Promise.resolve(packed)]));
/** @type {Map<string, (packed: PackedNet) => void>} */
const arriving = new Map();

/** What the scripts in nets/ call. @param {PackedNet} packed */
export function netArrived(packed) {
  arriving.get(packed.name)?.(packed);
}

/** A net, loaded as a script, which works from a plain folder too. @param {string} name */
export function loadNet(name) {
  let packed = loading.get(name);
  if (!packed) {
    packed = new Promise((resolve, reject) => {
      arriving.set(name, resolve);
      const script = document.createElement("script");
      script.src = `nets/${name}.js`;
      script.onerror = () => {
        loading.delete(name); // so that it can be tried again
        reject(new Error("The net could not be loaded. Are you offline?"));
      };
      document.head.appendChild(script);
    });
    loading.set(name, packed);
  }
  return packed;
}

/** A mind of its own: one worker, one question after the other. */
export class Thinker {
  /** @param {Function} script the whole script, of which the worker is made */
  constructor(script) {
    this.count = 0;
    /** @type {Set<string>} nets that the worker has */
    this.sent = new Set();
    /** @type {Map<number, [(answer: any) => void, (problem: Error) => void]>} */
    this.open = new Map();
    const text = new Blob([`(${script})()`], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(text));
    this.worker.onmessage = (event) => this.take(event.data);
  }

  /** @param {{id: number, answer?: any, problem?: string}} reply */
  take({ id, answer, problem }) {
    const [resolve, reject] = this.open.get(id) ?? [];
    this.open.delete(id);
    if (problem) reject?.(new Error(problem));
    else resolve?.(answer);
  }

  /** A move, or a thought. @param {Omit<Question, "id" | "net">} question @returns {Promise<any>} */
  async ask(question) {
    const name = question.name.split("@")[0];
    const net = name.includes("_") && !this.sent.has(name) ? await loadNet(name) : undefined;
    if (net) this.sent.add(name);
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.open.set(id, [resolve, reject]);
      this.worker.postMessage({ ...question, id, net });
    });
  }
}
