/**
 * Reading with a stack on the heap instead of recursion: containers deeper than MAX_RECURSION levels (message.ts), maps that
 * the options check (`strict`, `maps`), and messages that arrive in parts (parts/). Slower than recursion; accepts and refuses
 * the same input.
 */
import { HEAVY_ELEMENTS } from "../../bytes/elements.js";
import { DecodeError } from "../../bytes/errors.js";
import { collidingKeys, GrowingKeyFlood } from "../../bytes/key-flood.js";
import { MAX_NESTED_KEYS, nestedKeys } from "../../bytes/limits.js";
import { containerHeader, headerSize, isContainer, numberAt } from "./formats.js";
import { INCOMPLETE } from "./incomplete.js";
import type { MessageReader } from "./message.js";
import { finishMap, isInherited } from "./objects.js";
import { checkLength } from "./strict.js";

/** Returned while the outermost value of a stack is not complete. */
export const PENDING: unique symbol = /* @__PURE__ */ Symbol("pending");

/** The most bytes that one call converts to text. */
const TEXT_BYTES = 4096;

/** An open container on the stack, with the items read so far. */
export class Frame {
  /** Null for an array. */
  readonly keys: unknown[] | null;
  /** Elements of an array, or values of a map. */
  readonly values: unknown[];
  /** The number of missing items; a pair counts two. */
  left: number;
  /** `MessageReader.reserved` outside of this container. */
  readonly reserved: number;
  /** True for a map whose keys are not expected to recur: they stay out of the key table. */
  readonly isLarge: boolean = false;
  /** Strict: the keys so far; a key that is an object is stored as its bytes, since strict reading allows only one form of it. */
  seen: Set<unknown> | null = null;
  seenFlood: GrowingKeyFlood | null = null;
  seenBytes: Set<string> | null = null;
  /** Strict: the number of keys that this container is nested in. */
  keyDepth = 0;
  /** Offset of the current key. */
  keyStart = 0;

  constructor(keys: unknown[] | null, values: unknown[], left: number, reserved: number) {
    this.keys = keys;
    this.values = values;
    this.left = left;
    this.reserved = reserved;
  }

  /** True if the next item is a key. */
  get awaitsKey(): boolean {
    return this.keys !== null && this.left % 2 === 0;
  }

  /** Notes that a key starts at `pos`. */
  beginKey(pos: number): void {
    this.keyStart = pos;
  }

  /** The bytes of the key that has just been read, one code unit each. */
  keyBytes(r: MessageReader): string {
    return bytesText(r.src, this.keyStart, r.pos);
  }

  /** Adds an item as key or value. Throws if the options do not allow the key. */
  add(r: MessageReader, item: unknown): void {
    if (this.awaitsKey) {
      checkKey(r, item, this);
      this.keys!.push(item);
    } else this.values.push(item);
  }

  /** Returns the complete container. */
  close(r: MessageReader): unknown {
    const { keys, values } = this;
    r.depth--;
    r.reserved = this.reserved;
    if (keys === null) return values;
    const isObject = r.settings.maps !== "map" && keys.every((key) => typeof key === "string");
    return finishMap(r, keys, values, 0, keys.length, isObject);
  }
}

/**
 * Reads the container whose header is at `start`. `frames` is empty; it holds the open containers if a PartReader returns
 * INCOMPLETE.
 */
export function readOnStack(r: MessageReader, start: number, frames: Frame[]): unknown {
  r.pos = start;
  for (;;) {
    const frame = frames.at(-1);
    if (frame !== undefined) beginItem(r, frame);
    const value = place(r, frames, readItem(r, frame));
    if (value !== PENDING) return value;
  }
}

/** Prepares the reader for the next item of `frame`. */
export function beginItem(r: MessageReader, frame: Frame): void {
  r.reserved = frame.reserved + frame.left - 1;
  if (frame.awaitsKey) frame.beginKey(r.pos);
}

/** Reads the next item of `frame`. A container is only opened: its frame is returned. */
export function readItem(r: MessageReader, frame: Frame | undefined): unknown {
  const { pos } = r;
  if (pos < r.end && isContainer(r.src[pos]!)) return openFrame(r, r.src[pos]!, pos);
  return readWholeItem(r, frame);
}

/** Reads the next item of `frame`, a container by recursion. */
export function readWholeItem(r: MessageReader, frame: Frame | undefined): unknown {
  if (frame === undefined || !frame.awaitsKey) return r.read();
  const { pos } = r;
  const token = pos < r.end ? r.src[pos]! : 0;
  if (token > 0xa0 && token < 0xc0 && !frame.isLarge) return r.key(token & 31, pos);
  const key = r.read();
  if (typeof key === "string" && isInherited(key)) r.stack.hasInheritedKey = true;
  return key;
}

function openFrame(r: MessageReader, token: number, start: number): unknown {
  const isMap = token < 0x90 || token > 0xdd;
  const header = headerSize(r.src, start);
  const missing = start + header - r.end;
  if (missing > 0) return r.incomplete(start, missing);
  const n = header === 1 ? token & 15 : numberAt(r.src, r.view, token, start + 1);
  if (r.settings.strict) checkLength(r, start, n);
  const reserved = r.open(n, isMap ? 2 * n : n, start, header);
  if (isMap && r.settings.maps === "map")
    r.countElements(r.settings.maxElements > 0 ? HEAVY_ELEMENTS - 1 : HEAVY_ELEMENTS, start);
  return r.newFrame(isMap, n, reserved);
}

/**
 * Adds an item to the innermost frame and closes each frame that it completes. Returns the outermost value, PENDING while that
 * is not complete, or the item itself if it is INCOMPLETE.
 */
export function place(r: MessageReader, frames: Frame[], item: unknown): unknown {
  if (item === INCOMPLETE) return item;
  let value = item;
  let frame = frames.at(-1);
  if (value instanceof Frame) {
    if (value.left > 0) {
      if (r.settings.strict) checkKeyNesting(r, frame, value);
      frames.push(value);
      return PENDING;
    }
    value = value.close(r);
  }
  for (; frame !== undefined; frame = frames.at(-1)) {
    frame.add(r, value);
    if (--frame.left > 0) return PENDING;
    frames.pop();
    value = frame.close(r);
  }
  return value;
}

/** Refuses a map that is nested in too many keys, before its first key is read. */
function checkKeyNesting(r: MessageReader, outer: Frame | undefined, frame: Frame): void {
  if (outer === undefined) return;
  frame.keyDepth = outer.keyDepth + (outer.awaitsKey ? 1 : 0);
  if (frame.keys === null || frame.keyDepth <= MAX_NESTED_KEYS) return;
  // Strict: its header is the shortest one.
  throw new DecodeError("ERR_LIMIT_DEPTH", nestedKeys("strict"), r.pos - containerHeader(frame.left / 2));
}

/** Refuses a key that the options do not allow. */
export function checkKey(r: MessageReader, key: unknown, frame: Frame): void {
  if (r.settings.maps === "object" && typeof key !== "string") {
    throw new DecodeError("ERR_UNSUPPORTED_TYPE", "a key is not a string", frame.keyStart);
  }
  if (!r.settings.strict) return;
  let isNew: boolean;
  if (typeof key === "object" && key !== null) isNew = addNew((frame.seenBytes ??= new Set()), frame.keyBytes(r));
  else {
    const seen = (frame.seen ??= new Set());
    if (typeof key !== "string" && (frame.seenFlood ??= new GrowingKeyFlood()).isFull(key, seen))
      throw collidingKeys(frame.keyStart);
    isNew = addNew(seen, key);
  }
  if (!isNew) throw new DecodeError("ERR_DUPLICATE_KEY", "duplicate key", frame.keyStart);
}

/** Adds an item to a set. Returns false if the set already had it. */
function addNew<T>(set: Set<T>, item: T): boolean {
  return set.size < set.add(item).size;
}

/** Bytes as a string, one code unit each. */
export function bytesText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at += TEXT_BYTES) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(at + TEXT_BYTES, to)) as unknown as number[]);
  }
  return text;
}
