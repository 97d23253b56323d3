/**
 * Where lines go. Files and descriptors are written synchronously, so that writing makes no asynchronous resources: a hook that
 * wrote through a stream would see its own writing, and write again.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { runIn } from "../context/storage.js";
import { describe } from "../errors.js";
import { isThenable } from "../promises.js";

/**
 * The path of a file that lines are appended to, an open file descriptor, or a function. A function is called with one or more
 * whole lines, each with its line feed, outside of any request.
 */
export type ToolOutput = string | number | ((lines: string) => void);

/** Characters that are collected before they are written. */
const MAX_PENDING = 16_384;

/** Lines that are waiting are written this often, in milliseconds. */
const INTERVAL = 100;

/** How often a pipe that is full is tried again, a millisecond each time. */
const MAX_WAITS = 1000;

/** Collects lines and writes them. A failure is told once, by a warning (`MOONPACK_TRACE_OUTPUT`); then nothing is written. */
export class LineOutput {
  readonly #target: number | ((lines: string) => unknown);
  readonly #opened: number | undefined;
  readonly #beforeWriting: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #atExit: () => void;
  #pending = "";
  #isWriting = false;
  #hasFailed = false;

  /** Opens a path. `beforeWriting` may add lines, regularly and at the end. */
  constructor(output: ToolOutput, beforeWriting: () => void = nothing) {
    this.#opened = typeof output === "string" ? openSync(output, "a") : undefined;
    this.#target = typeof output === "string" ? this.#opened! : output;
    this.#beforeWriting = beforeWriting;
    this.#atExit = () => this.#tick();
    this.#timer = runIn(undefined, () => setInterval(() => this.#tick(), INTERVAL).unref());
    process.on("exit", this.#atExit);
  }

  /** True while the user's function runs: what begins then is no news. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Adds a line. */
  line(text: string): void {
    if (this.#hasFailed) return;
    this.#pending += `${text}\n`;
    if (this.#pending.length >= MAX_PENDING) this.#write();
  }

  /** Writes what is left, and closes a file that was opened here. */
  close(): void {
    clearInterval(this.#timer);
    process.removeListener("exit", this.#atExit);
    this.#tick();
    if (this.#opened === undefined) return;
    try {
      closeSync(this.#opened);
    } catch (error) {
      this.#fail(error); // some file systems tell only now that the disk is full
    }
  }

  #tick(): void {
    this.#beforeWriting();
    this.#write();
  }

  #write(): void {
    if (this.#isWriting || this.#pending === "") return;
    const text = this.#pending;
    this.#pending = "";
    this.#isWriting = true;
    try {
      if (typeof this.#target === "number") writeAll(this.#target, text);
      else this.#call(this.#target, text);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isWriting = false;
    }
  }

  #call(target: (lines: string) => unknown, text: string): void {
    const result = runIn(undefined, target, text);
    if (isThenable(result)) result.then(undefined, (error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    warnOfOutput("the output failed, no more lines are written", error);
  }
}

/** Tells that something could not be written: a warning `MOONPACK_TRACE_OUTPUT`. */
export function warnOfOutput(what: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : describe(error);
  process.emitWarning(`${what}: ${reason}`, { code: "MOONPACK_TRACE_OUTPUT" });
}

function nothing(): void {}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  let waits = 0;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || ++waits > MAX_WAITS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
