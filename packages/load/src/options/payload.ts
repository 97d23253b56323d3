/** Values that operations write. They are made before a run, so that making them is never timed. */
import { invalidArgument } from "moonpack/bytes";
import { Random } from "../random.js";

/** Values: the bytes of an ASCII text (0 to 64 MiB), or records that are used in turn. */
export type Payload = number | readonly unknown[];

/** Values, and what reports say of them. */
export interface Values {
  readonly values: readonly unknown[];
  readonly description: { readonly bytes: number } | { readonly records: number };
}

const MOST_BYTES = 64 * 2 ** 20;
/** Different texts, so that no layer sees only one. Long ones are fewer, since all are held in memory. */
const MOST_TEXTS = 64;
const TEXTS_BYTES = 2 ** 20;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .";

/** The values of a payload. */
export function valuesOf(payload: Payload, seed: number): Values {
  if (typeof payload === "number") {
    if (!Number.isInteger(payload) || payload < 0 || payload > MOST_BYTES)
      throw invalidArgument(`payload must be a whole number of bytes from 0 to ${MOST_BYTES}, or an array of records`);
    return { values: texts(payload, seed), description: { bytes: payload } };
  }
  if (!Array.isArray(payload) || payload.length === 0)
    throw invalidArgument("payload must be a number of bytes, or an array of at least one record");
  return { values: [...payload], description: { records: payload.length } };
}

function texts(bytes: number, seed: number): string[] {
  const random = new Random(seed, 0);
  const count = Math.max(1, Math.min(MOST_TEXTS, Math.floor(TEXTS_BYTES / Math.max(1, bytes))));
  return Array.from({ length: count }, () => {
    const codes = new Uint8Array(bytes);
    for (let i = 0; i < bytes; i++) codes[i] = LETTERS.charCodeAt(random.next() & (LETTERS.length - 1));
    return new TextDecoder("latin1").decode(codes);
  });
}
