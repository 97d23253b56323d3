/** The extensions of `fidelity: "js"`, reading; types.ts says what their data are, write.ts writes them. */
import { DecodeError } from "../../bytes/errors.js";
import { CUT, Level, readDeep } from "../deep.js";
import { MAX_RECURSION, type MessageReader } from "../read.js";
import {
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

/** The value of an extension of `fidelity: "js"`; its data are `from..to`, which the caller has checked. */
export function readJsExtension(r: MessageReader, type: number, start: number, from: number, to: number): unknown {
  if (r.depth >= MAX_RECURSION && !r.flat) return readDeep(r, start);
  const level = new ExtensionLevel(r, type, start, from, to);
  if (r.flat) return level;
  r.owed = 0;
  let value: unknown;
  try {
    value = r.read();
  } catch (error) {
    throw level.failed(r, error);
  }
  if (value === CUT) throw level.failed(r, CUT);
  level.values.push(value);
  return level.close(r);
}

/** The one value that the data of an extension are. It adds no depth: the array that it holds does. */
class ExtensionLevel extends Level {
  readonly #type: number;
  readonly #start: number;
  readonly #outerEnd: number;
  readonly #outerOwed: number;
  readonly #outerMayCome: number;
  readonly #outerComes: boolean;

  constructor(r: MessageReader, type: number, start: number, from: number, to: number) {
    // Its items may take all of the data, whatever the containers around it owe.
    super(null, [], 1, 0);
    this.#type = type;
    this.#start = start;
    this.#outerEnd = r.end;
    this.#outerOwed = r.owed;
    this.#outerMayCome = r.mayCome;
    this.#outerComes = r.comes;
    r.pos = from;
    r.end = to;
    // Nothing follows the data that could belong to them, in a stream neither.
    r.mayCome = 0;
    r.comes = true;
  }

  #leave(r: MessageReader): void {
    r.end = this.#outerEnd;
    r.mayCome = this.#outerMayCome;
    r.comes = this.#outerComes;
  }

  /** The input has these bytes: it is the data that end too early, and more input will not help. */
  override failed(r: MessageReader, error: unknown): unknown {
    this.#leave(r);
    const isShort = error === CUT || (error instanceof DecodeError && error.code === "ERR_TRUNCATED");
    return isShort ? new DecodeError("ERR_INVALID_BYTE", "an extension's data end inside an item", this.#start) : error;
  }

  override close(r: MessageReader): unknown {
    if (r.pos !== r.end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes after an extension's value", r.pos);
    this.#leave(r);
    r.owed = this.#outerOwed;
    try {
      return fromParts(this.#type, this.values[0], r.strict);
    } catch (cause) {
      throw new DecodeError("ERR_INVALID_BYTE", `malformed data in extension ${this.#type}`, this.#start, 0, cause);
    }
  }
}

/** Throws whatever it likes for parts that the encoder would not have written. */
function fromParts(type: number, parts: unknown, strict: boolean): unknown {
  if (!Array.isArray(parts)) throw new TypeError("no array");
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

function expect(holds: boolean): void {
  if (!holds) throw new TypeError("not what the encoder writes");
}

function toError(name: string, message: string, stack: string | null, cause: unknown): Error {
  const Known = ERRORS.find((type) => type.name === name) ?? Error;
  const error = new Known(message, cause === null ? undefined : { cause });
  const hidden = { configurable: true, writable: true };
  if (error.name !== name) Object.defineProperty(error, "name", { value: name, ...hidden });
  Object.defineProperty(error, "stack", { value: stack ?? undefined, ...hidden });
  return error;
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
