/**
 * Responses and bodies as bytes. The envelope is the same as in tRPC's JSON: `{ result: { data } }` or `{ error }` for each call, an array for
 * a batch; the inputs of a batch are an object by index. Only the values inside are encoded separately.
 */
import { encode } from "moonpack/msgpack";

const RESULT = encode({ result: { data: null } }).slice(0, -1);
/** A result without data: the procedure returned undefined. */
const NOTHING = encode({ result: {} });
const ERROR = encode({ error: null }).slice(0, -1);

/** Returns the bytes of an envelope whose values are indexes of `values`, the encoded values. */
export function envelopeBytes(envelope: unknown, values: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const items: unknown[] = Array.isArray(envelope) ? envelope : [envelope];
  const head = Array.isArray(envelope) ? arrayHeader(items.length) : new Uint8Array();
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

/** Returns the body of a batch: encoded inputs by index. */
export function inputsBytes(inputs: readonly (readonly [index: string, bytes: Uint8Array])[]): Uint8Array<ArrayBuffer> {
  return joined([mapHeader(inputs.length), ...inputs.flatMap(([index, bytes]) => [encode(index), bytes])]);
}

/** Returns the header of an array: an encoded array without its elements, which are one byte each. */
function arrayHeader(length: number): Uint8Array {
  const bytes = encode(new Array(length).fill(0));
  return bytes.subarray(0, bytes.length - length);
}

/** Returns the header of a map: an array's header with another first byte. */
function mapHeader(length: number): Uint8Array {
  const head = arrayHeader(length).slice();
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
