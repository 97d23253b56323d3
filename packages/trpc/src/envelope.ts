/**
 * Answers and bodies as bytes. tRPC's envelope stays what it is in JSON: `{ result: { data } }` or `{ error }` for each call, an array of
 * them for a batch; the inputs of a batch are an object with their indexes. Only the values within are encoded.
 */
import { encode } from "moonpack/msgpack";

const RESULT = encode({ result: { data: null } }).slice(0, -1);
/** A result without data: the procedure returned undefined. */
const NOTHING = encode({ result: {} });
const ERROR = encode({ error: null }).slice(0, -1);

/** Puts values that are encoded into an envelope that has their indexes in the place of values. */
export function envelopeBytes(envelope: unknown, values: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const items: unknown[] = Array.isArray(envelope) ? envelope : [envelope];
  const head = Array.isArray(envelope) ? arrayHead(items.length) : new Uint8Array();
  return joined([head, ...items.flatMap((item) => itemParts(item as Item, values))]);
}

interface Item {
  readonly error?: number;
  readonly result?: { readonly data?: number };
}

function itemParts({ error, result }: Item, values: readonly Uint8Array[]): Uint8Array[] {
  if (error !== undefined) return [ERROR, values[error]!];
  return result?.data === undefined ? [NOTHING] : [RESULT, values[result.data]!];
}

/** The body of a batch: inputs that are encoded, by their indexes. */
export function inputsBytes(inputs: readonly (readonly [index: string, bytes: Uint8Array])[]): Uint8Array<ArrayBuffer> {
  return joined([mapHead(inputs.length), ...inputs.flatMap(([index, bytes]) => [encode(index), bytes])]);
}

/** The head of an array: that of an encoded one, without its elements, each of which is a byte. */
function arrayHead(length: number): Uint8Array {
  const bytes = encode(new Array(length).fill(0));
  return bytes.subarray(0, bytes.length - length);
}

/** The head of a map, as of an array: the first byte differs. */
function mapHead(length: number): Uint8Array {
  const head = arrayHead(length).slice();
  // fixarray 90 becomes fixmap 80, array 16 (dc) map 16 (de), array 32 (dd) map 32 (df).
  head[0]! += head.length === 1 ? -0x10 : 2;
  return head;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
