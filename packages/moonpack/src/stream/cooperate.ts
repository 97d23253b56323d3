import { defaultShapes } from "#shapes";
import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { ownOption } from "../bytes/options.js";
import { copyOwned } from "../bytes/slab.js";
import { OPEN } from "../msgpack/deep.js";
import { type DecoderOptions, decoderSettings, type EncoderOptions, encoderSettings } from "../msgpack/options.js";
import { MessageReader } from "../msgpack/read.js";
import { SlicedReader } from "../msgpack/slices.js";
import { SlicedWriter } from "../msgpack/write-pauses.js";
import { aborted, signalOption } from "./source.js";
import { nextTurn } from "./turn.js";

/** How work is shared with the event loop. */
export interface CooperateOptions {
  /** Milliseconds that a slice of the work takes before the event loop has a turn; 0 for as little as can be. Default 8. */
  readonly budgetMs?: number;
  /** Ends the work with `ERR_ABORTED` between two slices; its reason is the `cause`. */
  readonly signal?: AbortSignal;
}

/** Options of {@link decodeCooperatively}. */
export interface DecodeCooperativelyOptions extends DecoderOptions, CooperateOptions {}

/** Options of {@link encodeCooperatively}. */
export interface EncodeCooperativelyOptions extends EncoderOptions, CooperateOptions {}

const DEFAULT_BUDGET_MS = 8;
/** Bytes between two looks at the clock for each millisecond of the budget: what takes 1 to 10 % of it. */
const STEP_PER_MS = 2048;
const LARGEST_STEP = 32_768;

/**
 * Decodes one large message in slices and lets the event loop run between them: for servers and pages that must answer
 * meanwhile. Value and errors are those of `decode`. The input must not change until the promise settles. One string, binary
 * or extension is read in one piece, however long.
 *
 * @example
 * const story = await decodeCooperatively(bytes, { budgetMs: 4, signal: AbortSignal.timeout(5000) });
 */
export async function decodeCooperatively<T = unknown>(
  input: BytesInput,
  options?: DecodeCooperativelyOptions,
): Promise<T> {
  const budgetMs = budgetOption(options);
  const signal = signalOption(options);
  const reader = new SlicedReader(new MessageReader(decoderSettings(options, defaultShapes)), toBytes(input));
  const step = stepOf(budgetMs);
  return inSlices(() => reader.read(step), budgetMs, signal) as Promise<T>;
}

/**
 * Encodes one large value in slices and lets the event loop run between them. Bytes and errors are those of `encode`. The
 * value must not change until the promise settles; a getter may be asked twice. Written in one piece are one string, binary
 * or extension, and what is gathered before it is written: the names of an object's keys (V8 takes 200 ms and more to list
 * 500,000), the entries of a Map, and with `canonical` or `fidelity: "json"` the members of each container.
 *
 * @example
 * response.end(await encodeCooperatively(report, { budgetMs: 4 }));
 */
export async function encodeCooperatively(
  value: unknown,
  options?: EncodeCooperativelyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const budgetMs = budgetOption(options);
  const signal = signalOption(options);
  const writer = new SlicedWriter(encoderSettings(options), value);
  const size = stepOf(budgetMs);
  await inSlices(() => (writer.write(size) ? null : OPEN), budgetMs, signal);
  const bytes = writer.written;
  return copyOwned(bytes, 0, bytes.length);
}

/** Calls `step` until it answers something else than OPEN; the event loop has a turn whenever the budget is spent. */
async function inSlices(step: () => unknown, budgetMs: number, signal: AbortSignal | null): Promise<unknown> {
  for (;;) {
    if (signal?.aborted === true) throw aborted(signal);
    const start = performance.now();
    let now = start;
    let before: number;
    do {
      const value = step();
      if (value !== OPEN) return value;
      before = now;
      now = performance.now();
      // Another step like the last one must fit.
    } while (2 * now - before - start < budgetMs);
    await nextTurn();
  }
}

function stepOf(budgetMs: number): number {
  return Math.min(LARGEST_STEP, Math.ceil(budgetMs * STEP_PER_MS));
}

function budgetOption(options: object | undefined): number {
  const value = ownOption(options, "budgetMs");
  if (value === undefined) return DEFAULT_BUDGET_MS;
  if (typeof value === "number" && value >= 0 && value < Infinity) return value;
  throw invalidArgument("budgetMs must be a number of milliseconds");
}
