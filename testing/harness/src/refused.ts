/** Asserts that invalid input throws a coded error, and that the encoder or decoder works as before afterwards. */
import { Decoder, type DecoderOptions, Encoder, encode } from "moonpack";
import { expect } from "vitest";
import { fault } from "./caught.ts";
import { none } from "./each.ts";
import { toHex } from "./hex.ts";
import { differ } from "./same.ts";

/** The encoder that `refused` uses by default. */
export const encoder = new Encoder();
/** The decoder that `refusedBytes` uses without options. */
export const decoder = new Decoder();
/** A valid value that is encoded and decoded after each rejected input. */
export const probe = { ok: [1, "two", { three: 3.5 }], n: null };
/** The encoded `probe`. */
export const probeBytes = encode(probe);

/** Returns the fields of the error that encoding throws. Asserts that the encoder then still encodes `probe`. */
export function refused(value: unknown, with_: Encoder = encoder): Record<string, unknown> {
  const seen = fault(() => with_.encode(value));
  const { code } = fault(() => encode(value));
  if (with_ === encoder) expect(code).toBe(seen.code);
  expect(toHex(with_.encode(probe))).toBe(toHex(probeBytes));
  return seen;
}

/** Returns the fields of the error that decoding throws. Asserts that the decoder then still decodes `probeBytes`. */
export function refusedBytes(bytes: Uint8Array, options?: DecoderOptions): Record<string, unknown> {
  const one = options === undefined ? decoder : new Decoder(options);
  const seen = fault(() => one.decode(bytes));
  none(differ(one.decode(probeBytes), probe));
  return seen;
}
