import type { Ready } from "./candidates.js";
import { asReceived } from "./inputs.js";

/**
 * Checks the output and the values of all candidates; throws at the first difference. protobuf.js and moonpack must agree in every byte
 * and every field. The other libraries have their own messages and may write less. For these, the same values must be readable
 * from their output, and writable from what they have read.
 */
export function verify(all: readonly Ready[]): void {
  const [reference] = all;
  const bytes = asReceived(reference!.codec.encode(reference!.message));
  const values = reference!.codec.decode(bytes);
  const check = (isRight: boolean, { candidate }: Ready, verb: string) => {
    if (!isRight) throw new Error(`${candidate.id} ${verb} other values than ${reference!.candidate.id}`);
  };
  for (const each of all.slice(1)) {
    const { codec, message, candidate } = each;
    const written = codec.encode(message);
    const read = codec.decode(bytes);
    if (candidate.prepare === undefined) {
      check(sameValue(written, bytes), each, "writes");
      check(sameValue(read, values), each, "reads");
    } else {
      check(sameValue(reference!.codec.decode(asReceived(written)), values), each, "writes");
      check(sameValue(reference!.codec.decode(asReceived(codec.encode(read))), values), each, "reads");
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** True if two messages have the same fields, including those with default values, which are on the prototypes. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (one instanceof Uint8Array) return other instanceof Uint8Array && sameBytes(one, other);
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => sameValue(item, other[index]));
  }
  return holds(one as Fields, other as Fields) && holds(other as Fields, one as Fields, Object.keys(one));
}

/** True if `other` has the same values as `one`, except where they are known to be equal. */
function holds(one: Fields, other: Fields, known: readonly string[] = []): boolean {
  return Object.keys(one).every((key) => known.includes(key) || (key in other && sameValue(one[key], other[key])));
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
