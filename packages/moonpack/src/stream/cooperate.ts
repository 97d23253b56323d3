import { allocate } from "../bytes/buffer.js";
import { type Duration, durationOption } from "../bytes/duration.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { ownOption, ownOptions } from "../bytes/options.js";
import { copyOwned } from "../bytes/slab.js";
import { codecOptions } from "../msgpack/codec-options.js";
import type { DecoderOptions, EncoderOptions } from "../msgpack/options.js";
import { SlicedReader } from "../msgpack/read/parts/sliced.js";
import { PENDING } from "../msgpack/read/stack.js";
import { SlicedWriter } from "../msgpack/write/sliced.js";
import { nextTurn } from "./next-turn.js";
import { readerFor } from "./shared-reader.js";
import { acquireWriter, releaseWriter } from "./shared-writer.js";
import { aborted, signalOption } from "./source.js";

/** Options for sharing time with the event loop. */
export interface CooperateOptions {
  /**
   * Length of a slice: milliseconds, or a text such as `"4ms"`. The event loop runs after each slice. 0 for the shortest possible
   * slices. Default 8.
   */
  readonly budget?: Duration;
  /** Ends the work with `ERR_ABORTED` (its reason is the `cause`), between two slices. */
  readonly signal?: AbortSignal;
}

/** Options of {@link decodeCooperatively}. */
export interface DecodeCooperativelyOptions extends DecoderOptions, CooperateOptions {}

/** Options of {@link encodeCooperatively}. */
export interface EncodeCooperativelyOptions extends EncoderOptions, CooperateOptions {}

/** The names of {@link CooperateOptions}. */
const COOPERATE_OPTIONS: readonly string[] = ["budget", "signal"];
const DEFAULT_BUDGET_MS = 8;
/** A larger result is copied in pieces of this size. */
const COPY_BYTES = 512 * 1024;
/** Returned by a step that ends its slice. */
const END_SLICE = /* @__PURE__ */ Symbol("end slice");
/** Bytes between two readings of the clock, per millisecond of the budget. They take 1 to 10 % of the budget. */
const STEP_PER_MS = 2048;
const LARGEST_STEP = 32_768;

/**
 * Decodes one large message in slices and lets the event loop run between them: for servers and pages that must stay
 * responsive. Value and errors are the same as for `decode`. The input must not change until the promise settles. A single string,
 * binary or extension of any length is read in one slice.
 *
 * @example
 * const story = await decodeCooperatively(bytes, { budget: 4, signal: AbortSignal.timeout(5000) });
 */
export async function decodeCooperatively<T = unknown>(
  input: BytesInput,
  options?: DecodeCooperativelyOptions,
): Promise<T> {
  const held = ownOptions(options);
  const budgetMs = budgetOption(held);
  const signal = signalOption(held);
  const reader = new SlicedReader(
    readerFor(isDefault(held) ? undefined : codecOptions(held, COOPERATE_OPTIONS)),
    toBytes(input),
  );
  const step = stepOf(budgetMs);
  return inSlices(() => reader.read(step), budgetMs, signal) as Promise<T>;
}

/**
 * Encodes one large value in slices and lets the event loop run between them. Bytes and errors are the same as for `encode`,
 * except for the path of `ERR_LIMIT_BYTES`: that limit is checked when memory grows, which may happen at another value. The
 * value must not change until the promise settles. A getter may be called twice.
 *
 * A slice is not interrupted within a single string, binary or extension, nor while members are listed: the keys of an object
 * (V8 takes 200 ms and more to list 500,000), the entries of a Map, and with `canonical` or `fidelity: "json"` the members of
 * each container. Without encoder options, up to 16 MB of memory are kept for the next message, as in `encode`.
 *
 * @example
 * response.end(await encodeCooperatively(report, { budget: 4 }));
 */
export async function encodeCooperatively(
  value: unknown,
  options?: EncodeCooperativelyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const held = ownOptions(options);
  const budgetMs = budgetOption(held);
  const signal = signalOption(held);
  const hasDefaults = isDefault(held);
  const messageWriter = acquireWriter(hasDefaults ? undefined : codecOptions(held, COOPERATE_OPTIONS));
  const writer = new SlicedWriter(messageWriter, value);
  const size = stepOf(budgetMs);
  let isSliceNew = false;
  await inSlices(
    () => {
      if (!writer.mayMove(size)) return writer.write(size) ? null : PENDING;
      if (isSliceNew) writer.move(size);
      isSliceNew = !isSliceNew;
      return END_SLICE;
    },
    budgetMs,
    signal,
  );
  const result = await copyInSlices(writer.written, budgetMs, signal);
  // Released only after the copy: before, another message could overwrite the memory. After an error it is not reused.
  if (hasDefaults) releaseWriter(messageWriter);
  return result;
}

/** Copies bytes in slices: 16 MB take 10 ms and more. */
async function copyInSlices(
  bytes: Uint8Array<ArrayBuffer>,
  budgetMs: number,
  signal: AbortSignal | null,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length <= COPY_BYTES) return copyOwned(bytes, 0, bytes.length);
  const copy = allocate(bytes.length);
  let pos = 0;
  await nextTurn();
  await inSlices(
    () => {
      const end = Math.min(pos + COPY_BYTES, bytes.length);
      copy.set(bytes.subarray(pos, end), pos);
      pos = end;
      return pos === bytes.length ? null : PENDING;
    },
    budgetMs,
    signal,
  );
  return copy;
}

/** Calls `step` until it returns a value other than PENDING. The event loop runs when the budget is spent, and after END_SLICE. */
async function inSlices(step: () => unknown, budgetMs: number, signal: AbortSignal | null): Promise<unknown> {
  for (;;) {
    if (signal?.aborted === true) throw aborted(signal);
    const start = performance.now();
    let now = start;
    let before: number;
    do {
      const value = step();
      if (value === END_SLICE) break;
      if (value !== PENDING) return value;
      before = now;
      now = performance.now();
      // Stops if another step as long as the last one would exceed the budget.
    } while (2 * now - before - start < budgetMs);
    await nextTurn();
  }
}

/** True if the options contain no codec option: then a shared reader or writer is used. */
function isDefault(options: CooperateOptions): boolean {
  return Object.keys(options).every((name) => COOPERATE_OPTIONS.includes(name));
}

function stepOf(budgetMs: number): number {
  return Math.min(LARGEST_STEP, Math.ceil(budgetMs * STEP_PER_MS));
}

function budgetOption(options: object): number {
  return durationOption("budget", ownOption(options, "budget"), DEFAULT_BUDGET_MS, 0);
}
