/** What codecs of values have in common. */

/** Writes and reads the values of one kind: the result of `framed`, a codec of `@moonpack/pck`, or anything with these two methods. */
export interface ValueCodec<Out = unknown, In = never> {
  encode(value: In): Uint8Array;
  decode(bytes: Uint8Array): Out;
}

/** A codec whose bytes can be told from JSON: MessagePack, or the result of `framed`. */
export interface DistinctCodec<Out = unknown, In = never> extends ValueCodec<Out, In> {
  /** Are these bytes text that this codec never writes? */
  isForeignText(bytes: Uint8Array): boolean;
  /** The value of what JSON.parse returned. Throws if it does not fit. */
  ofJSON(json: unknown): Out;
}

/** Can the codec tell its bytes from JSON? */
export function isDistinct(codec: ValueCodec): codec is DistinctCodec {
  const { isForeignText, ofJSON } = codec as Partial<DistinctCodec>;
  return typeof isForeignText === "function" && typeof ofJSON === "function";
}

/**
 * Is it text that begins with ASCII, as JSON and numbers do? A character of ASCII is an integer in MessagePack, alone in its message: longer
 * text is never MessagePack.
 */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes[0]! >= 0x80) return false;
  if (bytes.some((byte) => byte < 0x20 && byte !== TAB && byte !== LF && byte !== CR)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
