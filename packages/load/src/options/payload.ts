/** The values that operations write. They are created before a run, so their creation is never timed. */
import { invalidArgument } from "moonpack/bytes";
import { Random } from "../random.js";

/** Values: the length of ASCII texts in bytes (0 to 64 MiB), or records that are used in turn. */
export type Payload = number | readonly unknown[];

/** Values, and their description for reports. */
export interface Values {
  readonly values: readonly unknown[];
  readonly description: { readonly bytes: number } | { readonly records: number };
}

const MAX_BYTES = 64 * 2 ** 20;
/** Number of different texts, so that caches do not see a single value. Long texts are fewer, since all are in memory. */
const MAX_TEXTS = 64;
const TEXTS_BYTES = 2 ** 20;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .";

/** Returns the values of a payload. */
export function valuesOf(payload: Payload, seed: number): Values {
  if (typeof payload === "number") {
    if (!Number.isInteger(payload) || payload < 0 || payload > MAX_BYTES)
      throw invalidArgument(
        `payload must be an integer number of bytes from 0 to ${MAX_BYTES}, or an array of records`,
      );
    return { values: texts(payload, seed), description: { bytes: payload } };
  }
  if (!Array.isArray(payload) || payload.length === 0)
    throw invalidArgument("payload must be a number of bytes, or an array of at least one record");
  return { values: [...payload], description: { records: payload.length } };
}

function texts(bytes: number, seed: number): string[] {
  const random = new Random(seed, 0);
  const count = Math.max(1, Math.min(MAX_TEXTS, Math.floor(TEXTS_BYTES / Math.max(1, bytes))));
  return Array.from({ length: count }, () => {
    const codes = new Uint8Array(bytes);
    for (let i = 0; i < bytes; i++) codes[i] = LETTERS.charCodeAt(random.next() & (LETTERS.length - 1));
    return new TextDecoder("latin1").decode(codes);
  });
}
