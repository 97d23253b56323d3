/** Bad input gets a coded error with its offset or path, and nothing else happens: the codec works on. */
import { Decoder, type DecoderOptions, Encoder, encode } from "moonpack";
import { expect } from "vitest";
import { fault } from "./caught.ts";
import { none } from "./each.ts";
import { toHex } from "./hex.ts";
import { differ } from "./same.ts";

export const encoder = new Encoder();
export const decoder = new Decoder();
/** Comes back after everything that was refused, as if nothing had happened. */
export const probe = { ok: [1, "two", { three: 3.5 }], n: null };
export const probeBytes = encode(probe);

/** What encoding throws; and that the encoder works on as if nothing had happened. */
export function refused(value: unknown, with_: Encoder = encoder): Record<string, unknown> {
  const seen = fault(() => with_.encode(value));
  const { code } = fault(() => encode(value));
  if (with_ === encoder) expect(code).toBe(seen.code);
  expect(toHex(with_.encode(probe))).toBe(toHex(probeBytes));
  return seen;
}

/** The same for decoding. */
export function refusedBytes(bytes: Uint8Array, options?: DecoderOptions): Record<string, unknown> {
  const one = options === undefined ? decoder : new Decoder(options);
  const seen = fault(() => one.decode(bytes));
  none(differ(one.decode(probeBytes), probe));
  return seen;
}
