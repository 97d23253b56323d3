/** Reads the extensions of `fidelity: "js"`. types.ts describes their data, write.ts writes them. */
import { checkContainerSize } from "../../bytes/elements.js";
import { DecodeError } from "../../bytes/errors.js";
import { keyFlood } from "../../bytes/key-flood.js";
import { type BaseReader, MAX_RECURSION } from "../read/base.js";
import { headerSize, isExtension, numberAt } from "../read/formats.js";
import type { MessageReader } from "../read/message.js";
import { beginItem, Frame, PENDING, place, readItem } from "../read/stack.js";
import { checkLength } from "../read/strict.js";
import {
  JS_BIGINT,
  JS_ERROR,
  JS_MAP,
  JS_REGEXP,
  JS_SET,
  JS_TYPED_ARRAY,
  JS_UNDEFINED,
  lowByteFirst,
  TYPED_ARRAYS,
} from "./types.js";

const ERRORS = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

/** Reads an extension of the preset: its header is at `start`, its data are `from..to`. All bytes are present. */
export function readJsExtension(r: BaseReader, type: number, start: number, from: number, to: number): unknown {
  if (r.depth >= MAX_RECURSION && r.readNested !== undefined) return r.readNested(start);
  const frame = new ExtensionFrame(r, type, start, from, to);
  r.reserved = 0;
  try {
    frame.values.push(r.read());
  } catch (error) {
    throw frame.errorOutside(error);
  }
  return frame.close(r);
}

/** As readOnStack (stack.ts); extensions of the preset are frames too, so that they do not recurse. */
export function readOnStackWithExtensions(r: MessageReader, start: number, frames: Frame[]): unknown {
  r.pos = start;
  try {
    for (;;) {
      const frame = frames.at(-1);
      if (frame !== undefined) beginItem(r, frame);
      const value = place(r, frames, openExtension(r) ?? readItem(r, frame));
      if (value !== PENDING) return value;
    }
  } catch (error) {
    throw frames.reduceRight((inner, frame) => {
      return frame instanceof ExtensionFrame ? frame.errorOutside(inner) : inner;
    }, error);
  }
}

/** Opens the extension at the reader's position; null unless it is a complete extension of the preset. */
function openExtension(r: MessageReader): Frame | null {
  const { src, view, pos, end } = r;
  if (pos >= end || !isExtension(src[pos]!)) return null;
  const from = pos + headerSize(src, pos);
  if (from > end) return null;
  const n = numberAt(src, view, src[pos]!, pos + 1);
  if (from + n > end) return null;
  const type = view.getInt8(from - 1);
  if (type < JS_UNDEFINED || type > JS_BIGINT) return null;
  if (r.settings.strict) checkLength(r, pos, n);
  return new ExtensionFrame(r, type, pos, from, from + n);
}

/** The frame of an extension. Its data are one value. The frame does not count for the depth; the array inside it does. */
class ExtensionFrame extends Frame {
  readonly #reader: BaseReader;
  readonly #type: number;
  readonly #start: number;
  /** `MessageReader.reserved` where the extension is. */
  readonly #outerReserved: number;
  /** `MessageReader.end` where the extension is. */
  readonly #outerEnd: number;
  /** `PartReader.suspended` where the extension is. Its data are complete: inside, an early end is an error. */
  readonly #outerSuspended: unknown[] | null | undefined;

  constructor(r: BaseReader, type: number, start: number, from: number, to: number) {
    // Its items may use all the data: nothing is reserved for the enclosing containers.
    super(null, [], 1, 0);
    if (type === JS_REGEXP && !r.settings.js!.regExps) {
      throw new DecodeError("ERR_UNSUPPORTED_TYPE", 'a RegExp, which only fidelity "js+regexp" reads', start);
    }
    this.#type = type;
    this.#start = start;
    this.#outerReserved = r.reserved;
    this.#outerEnd = r.end;
    this.#reader = r;
    this.#outerSuspended = r.suspended;
    r.suspended &&= null;
    r.pos = from;
    r.end = to;
  }

  #leave(): void {
    this.#reader.end = this.#outerEnd;
    if (this.#outerSuspended) this.#reader.suspended = this.#outerSuspended;
  }

  /** The data end too early, not the input: more input would not help. */
  errorOutside(error: unknown): unknown {
    this.#leave();
    const isShort = error instanceof DecodeError && error.code === "ERR_TRUNCATED";
    return isShort ? new DecodeError("ERR_INVALID_BYTE", "an extension's data end inside an item", this.#start) : error;
  }

  override close(r: BaseReader): unknown {
    const { pos, end } = r;
    this.#leave();
    if (pos !== end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes after an extension's value", pos);
    r.reserved = this.#outerReserved;
    if (this.#type === JS_SET) checkKeys(this.values[0], 1, this.#start, r.pos);
    else if (this.#type === JS_MAP) checkKeys(this.values[0], 2, this.#start, r.pos);
    try {
      return fromParts(this.#type, this.values[0], r.settings.strict);
    } catch (cause) {
      throw new DecodeError("ERR_INVALID_BYTE", `malformed data in extension ${this.#type}`, this.#start, 0, cause);
    }
  }
}

/** Builds the value from its parts. Throws any error for parts that the encoder does not write. */
function fromParts(type: number, parts: unknown, strict: boolean): unknown {
  if (!Array.isArray(parts)) throw new TypeError("not an array");
  const [first, second, third, fourth] = parts as unknown[];
  switch (type) {
    case JS_UNDEFINED:
      expect(parts.length === 0);
      return undefined;
    case JS_SET: {
      const set = new Set<unknown>(parts);
      expect(!strict || set.size === parts.length);
      return set;
    }
    case JS_MAP: {
      expect(parts.length % 2 === 0);
      const map = new Map<unknown, unknown>();
      for (let i = 0; i < parts.length; i += 2) map.set(parts[i], parts[i + 1]);
      expect(!strict || 2 * map.size === parts.length);
      return map;
    }
    case JS_REGEXP:
      expect(parts.length === 2 && typeof first === "string" && typeof second === "string");
      return new RegExp(first as string, second as string);
    case JS_ERROR: {
      expect(parts.length === 4 && typeof first === "string" && typeof second === "string");
      expect(third === null || typeof third === "string");
      return toError(first as string, second as string, third as string | null, fourth);
    }
    case JS_TYPED_ARRAY:
      expect(
        parts.length === 2 && typeof first === "number" && first < TYPED_ARRAYS.length && second instanceof Uint8Array,
      );
      return toTypedArray(TYPED_ARRAYS[first as number]!, second as Uint8Array<ArrayBuffer>);
    default: {
      expect(parts.length === 2 && typeof first === "boolean" && /^[0-9a-f]+$/.test(second as string));
      const magnitude = BigInt(`0x${second as string}`);
      return first === true ? -magnitude : magnitude;
    }
  }
}

/** Refuses too many keys, and keys that were chosen to collide. Every `step`th part is a key. */
function checkKeys(parts: unknown, step: number, start: number, end: number): void {
  if (!Array.isArray(parts)) return;
  checkContainerSize(Math.floor(parts.length / step), true, start);
  const flood = keyFlood(parts.length / step);
  if (flood === null) return;
  const keys = parts as readonly unknown[];
  for (let i = 0; i < keys.length; i += step) flood.add(keys[i], end);
}

function expect(holds: boolean): void {
  if (!holds) throw new TypeError("not what the encoder writes");
}

function toError(name: string, message: string, stack: string | null, cause: unknown): Error {
  const Known = ERRORS.find((type) => type.name === name) ?? Error;
  const error = withoutStack(() => new Known(message, cause === null ? undefined : { cause }));
  const hidden = { configurable: true, writable: true };
  if (error.name !== name) Object.defineProperty(error, "name", { value: name, ...hidden });
  Object.defineProperty(error, "stack", { value: stack ?? undefined, ...hidden });
  return error;
}

/** Creates an error whose stack is not captured: it would be replaced, and takes 2 us and more. */
function withoutStack<T>(create: () => T): T {
  const limit: unknown = Error.stackTraceLimit; // only some engines have it, and it may be frozen
  if (typeof limit !== "number" || !Reflect.set(Error, "stackTraceLimit", 0)) return create();
  try {
    return create();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function toTypedArray(type: (typeof TYPED_ARRAYS)[number], bytes: Uint8Array<ArrayBuffer>): unknown {
  const copy = new Uint8Array(bytes);
  if (type === ArrayBuffer) return copy.buffer;
  const array = new (type as new (buffer: ArrayBuffer) => ArrayBufferView & { BYTES_PER_ELEMENT?: number })(
    copy.buffer,
  );
  lowByteFirst(copy, array.BYTES_PER_ELEMENT ?? 1);
  return array;
}
