/** The original and the replacement under one type, and the outcomes of their calls. */

import * as moonpack from "@moonpack/compat/msgpack-javascript";
import { toHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import * as msgpack from "@msgpack/msgpack";

interface Codec {
  register(extension: { type: number; encode: unknown; decode: unknown }): void;
  tryToEncode(object: unknown, context: undefined): unknown;
  decode(data: Uint8Array, type: number, context: undefined): unknown;
}
interface TimeSpec {
  sec: number;
  nsec: number;
}

/** The exports of both, typed as loosely as JavaScript callers use them. */
export interface Library {
  encode(value: unknown, options?: object): Uint8Array<ArrayBuffer>;
  decode(bytes: unknown, options?: object): unknown;
  decodeMulti(bytes: unknown, options?: object): Generator<unknown, void, unknown>;
  decodeAsync(stream: unknown, options?: object): Promise<unknown>;
  decodeArrayStream(stream: unknown, options?: object): AsyncGenerator<unknown, void, unknown>;
  decodeMultiStream(stream: unknown, options?: object): AsyncGenerator<unknown, void, unknown>;
  Encoder: new (
    options?: object,
  ) => { encode(value: unknown): Uint8Array<ArrayBuffer>; encodeSharedRef(value: unknown): Uint8Array<ArrayBuffer> };
  Decoder: new (
    options?: object,
  ) => {
    decode(bytes: unknown): unknown;
    decodeMulti(bytes: unknown): Generator<unknown, void, unknown>;
    decodeAsync(stream: unknown): Promise<unknown>;
    decodeArrayStream(stream: unknown): AsyncGenerator<unknown, void, unknown>;
    decodeStream(stream: unknown): AsyncGenerator<unknown, void, unknown>;
  };
  ExtensionCodec: { new (): Codec; defaultCodec: unknown };
  ExtData: new (type: number, data: unknown) => { type: number; data: unknown };
  DecodeError: new (message: string) => Error;
  EXT_TIMESTAMP: number;
  encodeDateToTimeSpec(date: Date): TimeSpec;
  encodeTimeSpecToTimestamp(spec: TimeSpec): Uint8Array;
  decodeTimestampToTimeSpec(data: Uint8Array): TimeSpec;
  encodeTimestampExtension(value: unknown): Uint8Array | null;
  decodeTimestampExtension(data: Uint8Array): Date;
}

export const original = msgpack as unknown as Library;
export const face = moonpack as unknown as Library;

/** The outcome of a call: `value` or `error`. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?: unknown;
}

export function outcome(call: () => unknown): Outcome {
  try {
    return { value: call() };
  } catch (error) {
    return { error };
  }
}

/** Null if both outcomes agree: equal values (ExtData by type and bytes), or two errors. */
export function disagreement(theirs: Outcome, ours: Outcome): string | null {
  if ("error" in theirs !== "error" in ours) return `original ${show(theirs)}, face ${show(ours)}`;
  return "error" in theirs ? null : differ(plain(theirs.value), plain(ours.value));
}

/** Runs one call on both libraries and describes a difference; null if there is none. */
export function compare(call: (library: Library) => unknown): string | null {
  return disagreement(
    outcome(() => call(original)),
    outcome(() => call(face)),
  );
}

/** Replaces ExtData of either library by an array, so that the values can be compared. */
function plain(value: unknown): unknown {
  if (value instanceof msgpack.ExtData || value instanceof moonpack.ExtData) return ["ExtData", value.type, value.data];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  }
  return value;
}

function show(result: Outcome): string {
  if ("error" in result) return `threw ${String(result.error)}`;
  if (result.value instanceof Uint8Array) return toHex(result.value.subarray(0, 40));
  try {
    return JSON.stringify(result.value)?.slice(0, 200) ?? String(result.value);
  } catch {
    return String(result.value);
  }
}
