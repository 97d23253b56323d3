/**
 * The output of lines. Files and descriptors are written synchronously, without asynchronous resources: a hook that wrote through a
 * stream would see its own writing, and write again.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { runIn } from "../context/storage.js";
import { describe } from "../errors.js";
import { isThenable } from "../promises.js";

/**
 * The path of a file to append to, an open file descriptor, or a function. A function gets one or more whole lines, each with its line
 * feed, outside of any request.
 */
export type ToolOutput = string | number | ((lines: string) => void);

/** Lines are written when there are this many characters. */
const MAX_PENDING = 16_384;

/** Lines are written at least this often. */
const INTERVAL_MS = 100;

/** The most attempts for a full pipe, with a millisecond between them. */
const MAX_WAITS = 1000;

/** Collects lines and writes them. After a failure it emits one warning (`MOONPACK_TRACE_OUTPUT`), and writes no more. */
export class LineOutput {
  readonly #target: number | ((lines: string) => unknown);
  readonly #opened: number | undefined;
  readonly #beforeWriting: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #atExit: () => void;
  #pending = "";
  #isWriting = false;
  #hasFailed = false;

  /** Opens a path. `beforeWriting` may add lines; it runs regularly and at the end. */
  constructor(output: ToolOutput, beforeWriting: () => void = nothing) {
    this.#opened = typeof output === "string" ? openSync(output, "a") : undefined;
    this.#target = typeof output === "string" ? this.#opened! : output;
    this.#beforeWriting = beforeWriting;
    this.#atExit = () => this.#tick();
    this.#timer = runIn(undefined, () => setInterval(() => this.#tick(), INTERVAL_MS).unref());
    process.on("exit", this.#atExit);
  }

  /** True while the user's function runs: resources that begin then are not traced. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Adds a line. */
  line(text: string): void {
    if (this.#hasFailed) return;
    this.#pending += `${text}\n`;
    if (this.#pending.length >= MAX_PENDING) this.#write();
  }

  /** Writes the remaining lines, and closes a file that was opened here. */
  close(): void {
    clearInterval(this.#timer);
    process.removeListener("exit", this.#atExit);
    this.#tick();
    if (this.#opened === undefined) return;
    try {
      closeSync(this.#opened);
    } catch (error) {
      this.#fail(error); // some file systems report a full disk only now
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

/** Emits a warning (`MOONPACK_TRACE_OUTPUT`) that something could not be written. */
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
