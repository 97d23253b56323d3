/** The interface of codecs. */

/** Writes and reads values: the result of `framed`, a codec of `@moonpack/pck`, or any object with these two methods. */
export interface ValueCodec<Out = unknown, In = never> {
  /** Returns the bytes of a value. Throws for an unsupported one. */
  encode(value: In): Uint8Array;
  /** Returns the value of bytes. Throws for invalid ones. */
  decode(bytes: Uint8Array): Out;
}

/** A codec whose bytes differ from JSON: MessagePack, or the result of `framed`. */
export interface DistinctCodec<Out = unknown, In = never> extends ValueCodec<Out, In> {
  /** Returns true for text that this codec never writes. */
  isForeignText(bytes: Uint8Array): boolean;
  /** Returns the value of parsed JSON. Throws if it is invalid. */
  ofJSON(json: unknown): Out;
}

/** Returns true for a codec whose bytes differ from JSON and other text. */
export function differsFromText(codec: ValueCodec): codec is DistinctCodec {
  const { isForeignText, ofJSON } = codec as Partial<DistinctCodec>;
  return typeof isForeignText === "function" && typeof ofJSON === "function";
}

/**
 * Returns true for UTF-8 text that begins with ASCII, such as JSON and numbers. In MessagePack an ASCII character is a complete integer, so
 * longer text is never one message.
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
