/** The extensions of `fidelity: "js"`, reading; types.ts says what their data are, write.ts writes them. */
import { DecodeError } from "../../bytes/errors.js";
import { Level, readDeep } from "../deep.js";
import { buildMap } from "../objects.js";
import { MAX_RECURSION, type MessageReader } from "../read.js";
import { NOT_MINE } from "./support.js";
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

/** The value of an extension of `fidelity: "js"`; its data are `from..to`, which the caller has checked. */
export function readJsExtension(r: MessageReader, type: number, start: number, from: number, to: number): unknown {
  if (type < JS_UNDEFINED || type > JS_BIGINT) return NOT_MINE;
  if (r.depth >= MAX_RECURSION && !r.flat) return readDeep(r, start);
  const level = new ExtensionLevel(r, type, start, from, to);
  if (r.flat) return level;
  r.owed = 0;
  level.values.push(r.read());
  return level.close(r);
}

/** The one value that the data of an extension are. It adds no depth: the array that it holds does. */
class ExtensionLevel extends Level {
  readonly #type: number;
  readonly #start: number;
  readonly #outerEnd: number;
  readonly #outerOwed: number;

  constructor(r: MessageReader, type: number, start: number, from: number, to: number) {
    // Its items may take all of the data, whatever the containers around it owe.
    super(false, 1, 0);
    this.#type = type;
    this.#start = start;
    this.#outerEnd = r.end;
    this.#outerOwed = r.owed;
    r.pos = from;
    r.end = to;
  }

  override close(r: MessageReader): unknown {
    if (r.pos !== r.end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes after an extension's value", r.pos);
    r.end = this.#outerEnd;
    r.owed = this.#outerOwed;
    try {
      return fromParts(this.#type, this.values[0] as unknown[]);
    } catch (cause) {
      throw new DecodeError("ERR_INVALID_BYTE", `malformed data in extension ${this.#type}`, this.#start, 0, cause);
    }
  }
}

/** Throws whatever it likes for parts that are not what they should be. */
function fromParts(type: number, parts: unknown[]): unknown {
  if (!Array.isArray(parts) || (type === JS_MAP && parts.length % 2 !== 0))
    throw new TypeError("no array, or half a pair");
  const [first, second, third, fourth] = parts as unknown[];
  if ((type === JS_REGEXP || type === JS_ERROR || type === JS_BIGINT) && typeof second !== "string")
    throw new TypeError("no text");
  switch (type) {
    case JS_UNDEFINED:
      return undefined;
    case JS_SET:
      return new Set(parts);
    case JS_MAP: {
      const half = parts.length / 2;
      return buildMap(
        parts.filter((_, i) => i % 2 === 0),
        parts.filter((_, i) => i % 2 === 1),
        0,
        half,
      );
    }
    case JS_REGEXP:
      return new RegExp(first as string, second as string);
    case JS_ERROR: {
      const Known = ERRORS.find(({ name }) => name === first) ?? Error;
      const error = new Known(second as string, fourth === null ? undefined : { cause: fourth });
      if (error.name !== first)
        Object.defineProperty(error, "name", { value: first, configurable: true, writable: true });
      error.stack = third as string;
      return error;
    }
    case JS_TYPED_ARRAY:
      return toTypedArray(TYPED_ARRAYS[first as number]!, second as Uint8Array<ArrayBuffer>);
    default: {
      const magnitude = BigInt(`0x${second as string}`);
      return first === true ? -magnitude : magnitude;
    }
  }
}

function toTypedArray(type: (typeof TYPED_ARRAYS)[number], bytes: Uint8Array<ArrayBuffer>): unknown {
  const copy = bytes.slice();
  if (type === ArrayBuffer) return copy.buffer;
  const array = new (type as new (buffer: ArrayBuffer) => ArrayBufferView & { BYTES_PER_ELEMENT?: number })(
    copy.buffer,
  );
  lowByteFirst(copy, array.BYTES_PER_ELEMENT ?? 1);
  return array;
}
