/**
 * Reading with a stack on the heap: containers nested deeper than recursion may go (256 levels, see read.ts), maps that
 * options check (`strict`, `maps`), and messages that come in parts (resume.ts). Slower, and as strict as the recursive
 * way.
 */
import { DecodeError } from "../bytes/errors.js";
import { buildDictionary, buildMap, buildObject, isInherited, MAX_UNPREPARED_KEYS } from "./objects.js";
import type { OpenKeys } from "./open-keys.js";
import type { MessageReader } from "./read.js";

/** Stands for a message that is not complete yet; no value is the same. */
export const OPEN: unique symbol = Symbol("open");

/** Answered where the end of the input cuts an item that may go on in a later part; the reader stands at it. */
export const CUT: unique symbol = Symbol("cut");

/** Bytes that become text at once: arguments of one call. */
const PIECE = 4096;

/** An open container: what `read` answers for one while the reader is `flat`. */
export class Level {
  /** Null for an array. */
  readonly keys: unknown[] | null;
  /** Elements, or values of a map. */
  readonly values: unknown[];
  /** What the enclosing containers owe after this one, as its items see it. */
  readonly owed: number;
  /** Items still to come; a pair is two. */
  left: number;
  /** A key may be one that Object.prototype has; see objects.ts. */
  careful = false;
  /** Where the shape of a map is noted, see `MessageReader.gather`. */
  slot = -1;
  /** The keys of a strict map, and the bytes of those that are objects: strict reading allows one form of each. */
  seen: Set<unknown> | null = null;
  seenBytes: Set<string> | null = null;
  /** Where in the input the key being read begins; negative in input that is gone by now. */
  keyFrom = 0;
  /** Its bytes before `keyTo` are in input that is gone; `gone` ends with them. */
  keyTo = 0;
  gone: OpenKeys | null = null;

  constructor(keys: unknown[] | null, values: unknown[], left: number, owed: number) {
    this.keys = keys;
    this.values = values;
    this.left = left;
    this.owed = owed;
  }

  /** The next item is a key. */
  get awaitsKey(): boolean {
    return this.keys !== null && this.left % 2 === 0;
  }

  /** Puts an item where it belongs. A key that the options do not allow is refused; its bytes end where the reader is. */
  add(r: MessageReader, item: unknown): void {
    if (this.awaitsKey) {
      if (r.checksMaps) checkKey(r, item, this);
      if (r.careful) this.careful = true;
      this.keys!.push(item);
    } else this.values.push(item);
  }

  /** The finished container. */
  close(r: MessageReader): unknown {
    const { keys, values } = this;
    r.depth--;
    r.owed = this.owed;
    if (keys === null) return values;
    const n = keys.length;
    const isObject = r.settings.maps !== "map" && keys.every((key) => typeof key === "string");
    if (!isObject) return buildMap(keys, values, 0, n);
    const isSmall = n <= MAX_UNPREPARED_KEYS;
    if (!isSmall && !r.records.takes(keys, 0, n)) return buildDictionary(keys, 0, values, n);
    return buildObject(keys, 0, values, 0, n, isSmall, this.careful);
  }

  /** The error as it leaves this container, or CUT. */
  failed(_r: MessageReader, error: unknown): unknown {
    return error;
  }
}

/** Reads the container whose header begins at `start`. */
export function readDeep(r: MessageReader, start: number): unknown {
  const levels: Level[] = [];
  r.pos = start;
  try {
    for (;;) {
      const level = levels.at(-1);
      if (level !== undefined) expectItem(r, level);
      r.flat = true;
      const item = readItem(r, level);
      r.flat = false;
      if (item === CUT) break;
      const value = accept(r, levels, item);
      if (value !== OPEN) return value;
    }
  } catch (error) {
    r.flat = false;
    throw failedIn(r, levels, error);
  }
  const failure = failedIn(r, levels, CUT);
  if (failure !== CUT) throw failure;
  for (let i = levels.length - 1; i >= 0; i--) r.keep(levels[i]!);
  return CUT;
}

function failedIn(r: MessageReader, levels: readonly Level[], error: unknown): unknown {
  let failure = error;
  for (let i = levels.length - 1; i >= 0; i--) failure = levels[i]!.failed(r, failure);
  return failure;
}

/** Prepares the reader for an item of `level`. */
export function expectItem(r: MessageReader, level: Level): void {
  r.owed = level.owed + level.left - 1;
  if (!r.checksMaps || !level.awaitsKey) return;
  level.keyFrom = level.keyTo = r.pos;
}

/** Reads an item of `level`; most keys are known. */
export function readItem(r: MessageReader, level: Level | undefined): unknown {
  if (level === undefined || !level.awaitsKey || r.pos >= r.end) return r.read();
  const token = r.src[r.pos]!;
  if (token > 0xa0 && token < 0xc0) return r.key(token & 31, r.pos);
  const key = r.read();
  if (typeof key === "string" && isInherited(key)) r.careful = true;
  return key;
}

/** Puts an item where it belongs, and each container that it completes. Answers the outermost one, or OPEN. */
export function accept(r: MessageReader, levels: Level[], item: unknown): unknown {
  let value = item;
  if (value instanceof Level) {
    if (value.left > 0) {
      levels.push(value);
      return OPEN;
    }
    value = value.close(r);
  }
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    level.add(r, value);
    if (--level.left > 0) return OPEN;
    levels.pop();
    value = level.close(r);
  }
  return value;
}

/** Refuses a key that the options do not allow. */
export function checkKey(r: MessageReader, key: unknown, level: Level): void {
  if (r.settings.maps === "object" && typeof key !== "string") {
    throw new DecodeError("ERR_UNSUPPORTED_TYPE", "a key that is no string", level.keyFrom);
  }
  if (!r.strict) return;
  const isNew =
    typeof key === "object" && key !== null
      ? add((level.seenBytes ??= new Set()), keyText(r, level))
      : add((level.seen ??= new Set()), key);
  if (!isNew) throw new DecodeError("ERR_DUPLICATE_KEY", "a key comes twice", level.keyFrom);
}

function add<T>(set: Set<T>, item: T): boolean {
  return set.size < set.add(item).size;
}

/** The bytes of the key that is complete. */
function keyText(r: MessageReader, { keyFrom, keyTo, gone }: Level): string {
  return (keyFrom < keyTo ? gone!.text(keyTo - keyFrom) : "") + bytesText(r.src, keyTo, r.pos);
}

/** Bytes as a string, a unit each. */
export function bytesText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at += PIECE) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(at + PIECE, to)) as unknown as number[]);
  }
  return text;
}
