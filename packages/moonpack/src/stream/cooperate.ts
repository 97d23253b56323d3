import { allocate } from "../bytes/buffer.js";
import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { ownOption } from "../bytes/options.js";
import { copyOwned } from "../bytes/slab.js";
import { OPEN } from "../msgpack/deep.js";
import type { DecoderOptions, EncoderOptions } from "../msgpack/options.js";
import { SlicedWriter } from "../msgpack/sliced-writer.js";
import { SlicedReader } from "../msgpack/slices.js";
import { readerFor } from "./reader.js";
import { aborted, signalOption } from "./source.js";
import { nextTurn } from "./turn.js";
import { keepWriter, takeWriter } from "./writer.js";

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
/** More is copied in pieces of this size. */
const COPIED_BYTES = 512 * 1024;
/** Answered by a step that wants the next one to have a slice of its own. */
const TURN = Symbol("turn");
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
  const reader = new SlicedReader(readerFor(onlyHow(options) ? undefined : options), toBytes(input));
  const step = stepOf(budgetMs);
  return inSlices(() => reader.read(step), budgetMs, signal) as Promise<T>;
}

/**
 * Encodes one large value in slices and lets the event loop run between them. Bytes and errors are those of `encode`, but
 * the path of `ERR_LIMIT_BYTES`: that limit is looked at when memory grows, which may be elsewhere. The value must not
 * change until the promise settles; a getter may be asked twice. Written in one piece are one string, binary or extension,
 * and what is gathered before it is written: the names of an object's keys (V8 takes 200 ms and more to list 500,000), the
 * entries of a Map, and with `canonical` or `fidelity: "json"` the members of each container. Without encoder options, memory of
 * up to 16 MB is kept for the next message, as `encode` does.
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
  const isPlain = onlyHow(options);
  const memory = takeWriter(isPlain ? undefined : options);
  const writer = new SlicedWriter(memory, value);
  const size = stepOf(budgetMs);
  let isSliceNew = false;
  await inSlices(
    () => {
      if (!writer.mayMove(size)) return writer.write(size) ? null : OPEN;
      if (isSliceNew) writer.move(size);
      isSliceNew = !isSliceNew;
      return TURN;
    },
    budgetMs,
    signal,
  );
  const result = await copied(writer.written, budgetMs, signal);
  // Only now, and never after an error: nobody else may write to it meanwhile.
  if (isPlain) keepWriter(memory);
  return result;
}

/** A copy, made in slices: 16 MB take 10 ms and more. */
async function copied(
  bytes: Uint8Array<ArrayBuffer>,
  budgetMs: number,
  signal: AbortSignal | null,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length <= COPIED_BYTES) return copyOwned(bytes, 0, bytes.length);
  const copy = allocate(bytes.length);
  let pos = 0;
  await nextTurn();
  await inSlices(
    () => {
      const end = Math.min(pos + COPIED_BYTES, bytes.length);
      copy.set(bytes.subarray(pos, end), pos);
      pos = end;
      return pos === bytes.length ? null : OPEN;
    },
    budgetMs,
    signal,
  );
  return copy;
}

/** Calls `step` until it answers something else than OPEN; the event loop has a turn whenever the budget is spent, or after TURN. */
async function inSlices(step: () => unknown, budgetMs: number, signal: AbortSignal | null): Promise<unknown> {
  for (;;) {
    if (signal?.aborted === true) throw aborted(signal);
    const start = performance.now();
    let now = start;
    let before: number;
    do {
      const value = step();
      if (value === TURN) break;
      if (value !== OPEN) return value;
      before = now;
      now = performance.now();
      // Another step like the last one must fit.
    } while (2 * now - before - start < budgetMs);
    await nextTurn();
  }
}

/** Do the options say nothing of what is decoded? Then what other messages have taught is of use. */
function onlyHow(options: CooperateOptions | undefined): boolean {
  return options === undefined || Object.keys(options).every((name) => name === "budgetMs" || name === "signal");
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
