/**
 * Reads one whole message by recursion over its containers. This is the decoder's hot file. It is long because its methods
 * call each other on the hot path; rare formats (other.ts), deep or checked containers (stack.ts) and messages that arrive in
 * parts (parts/part-reader.ts, a subclass) are elsewhere.
 *
 * Invariant: a map of up to 507 pairs becomes an object while it is read (`fill`, `smallMap`, generated readers), as long as
 * `simpleKey` accepts its keys. Otherwise its keys and values move to two stacks (`readPairs`) and wait there until it is known
 * whether the map becomes an object or a Map. See also base.ts.
 */

import { checkContainerSize } from "../../bytes/elements.js";
import { invalidArgument } from "../../bytes/errors.js";
import { BaseReader, MAX_RECURSION, NO_TOKEN } from "./base.js";
import { INCOMPLETE } from "./incomplete.js";
import { GrowingKeyTable, hashOfKey } from "./key-table.js";
import { MapStack } from "./map-stack.js";
import {
  emptyObject,
  finishMap,
  isInherited,
  MAX_ALWAYS_FAST_KEYS,
  MAX_FAST_KEYS,
  MAX_LITERAL_KEYS,
} from "./objects.js";
import { ReusePolicy } from "./reuse-policy.js";
import type { DecoderSettings, ShapeReading } from "./settings.js";
import { Frame, readOnStack } from "./stack.js";
import { checkForm, checkTimestamp } from "./strict.js";

/** The type of msgpackr's records, which only msgpackr reads. */
const MSGPACKR_RECORDS = 114;

/** The complete reader, used on servers, and by streams on every runtime. */
export class MessageReader extends BaseReader {
  /** True if an option checks maps or changes how they are read: stack.ts reads them. */
  readonly checksMaps: boolean;
  override readonly stack = new MapStack();
  readonly reuse = new ReusePolicy();
  readonly shapes: ShapeReading | null;

  /** `inParts`: the input may end inside a message; only PartReader sets it. */
  constructor(settings: DecoderSettings, inParts = false) {
    super(settings, inParts, new GrowingKeyTable());
    this.checksMaps = settings.strict || settings.maps !== "auto";
    const { shapes } = settings;
    this.shapes = shapes && shapes(inParts);
    if (shapes !== null && typeof this.shapes?.readMap !== "function")
      throw invalidArgument("codeGeneration must be a boolean, or codeGeneration of moonpack/msgpack/features");
  }

  override longKey(pos: number): string | null {
    const key = super.longKey(pos);
    if (key !== null) this.keyTable.hash = hashOfKey(key);
    return key;
  }

  override hintOf(type: number): string {
    return type === MSGPACKR_RECORDS ? ": a record of msgpackr: @moonpack/compat/msgpackr reads it" : "";
  }

  override checkForm(token: number, n: number, pos: number): void {
    checkForm(this.view, token, n, pos);
  }

  override checkTimestamp(size: number, nanoseconds: number, high: number, start: number): void {
    checkTimestamp(size, nanoseconds, high, start);
  }

  /** Creates the stack frame of a container that has been opened. */
  newFrame(isMap: boolean, n: number, reserved: number): Frame {
    return new Frame(isMap ? [] : null, [], isMap ? 2 * n : n, reserved);
  }

  override readNested(start: number): unknown {
    return (this.settings.js?.readOnStack ?? readOnStack)(this, start, []);
  }

  override readMap(n: number, start: number, header: number): unknown {
    if (this.checksMaps || this.depth >= MAX_RECURSION) return this.readNested(start);
    const reserved = this.open(n, 2 * n, start, header);
    const { shapes } = this;
    let map: unknown;
    if (n > MAX_FAST_KEYS) map = this.readDictionary(n, reserved);
    else if (shapes !== null && n > 0) map = shapes.readMap(this, n, reserved);
    else map = n <= MAX_LITERAL_KEYS ? this.smallMap(n, reserved) : this.readObject(n, reserved);
    this.depth--;
    this.reserved = reserved;
    return map;
  }

  /** Reads a map of up to 507 pairs without a generated reader. */
  readObject(n: number, reserved: number): unknown {
    if (n > MAX_ALWAYS_FAST_KEYS && !this.reuse.fills) return this.readPairs(n, 0, reserved);
    return this.fill(emptyObject(n), n, n, n, reserved);
  }

  /**
   * Reads the last `left` of `n` pairs into the object. In a process with hundreds of shapes this is faster than a comparison with
   * an expected shape, and much faster than the stacks (docs/performance-notes.md). Falls back to the stacks at the first key that
   * `simpleKey` refuses. `hash`: the hash of the keys so far.
   */
  fill(object: Record<string, unknown>, n: number, left: number, hash: number, reserved: number): unknown {
    const { src, view, end, keyTable } = this;
    const { keepsClasses } = this.settings;
    for (let i = left; i > 0; i--) {
      // Inlined from `simpleKey` and `element`: while this code is cold, calls are most of its time.
      const pos = this.pos;
      const size = src[pos]! - 0x9f; // of a fixstr with its header
      const next = pos + size;
      let key: string | null = null;
      if (size > 1 && size < 33 && next < end && (src[pos + 1]! < 0x30 || src[pos + 1]! > 0x39)) {
        key = keyTable.find(src, view, pos, size);
        if (key !== null) this.pos = next;
        else key = this.newKey(size - 1, pos);
      } else key = this.longKey(pos);
      if (key === null) return this.resume(object, i, reserved);
      hash = Math.imul(hash ^ keyTable.hash, 0x9e3779b1);
      hash ^= hash >>> 15;
      const at = this.pos;
      const token = at < end ? src[at]! : NO_TOKEN;
      let value: unknown = token;
      if (token < 0x80) this.pos = at + 1;
      else {
        if (token >= 0xa0 && token < 0xc0) value = this.readString(token & 31, at, 1);
        else {
          this.reserved = reserved + 2 * i - 2;
          value = this.read();
        }
        if (typeof value === "symbol" && value === INCOMPLETE)
          return this.suspendObject!(object, key, 2 * i - 1, reserved);
      }
      if (keepsClasses && typeof value === "number") object[key] = null;
      object[key] = value;
    }
    this.work.plain++;
    if (n > MAX_ALWAYS_FAST_KEYS) this.reuse.settle(n, hash);
    this.shapes?.count(object, n, hash);
    return object;
  }

  /**
   * Reads pairs `from..n` of a map onto the stacks, which already hold the pairs before them, and returns the object or Map.
   */
  readPairs(n: number, from: number, reserved: number): unknown {
    const { stack } = this;
    const { keys, values, top: base } = stack;
    let areStrings = true;
    for (let i = from; i < n; i++) {
      const at = base + i;
      const after = reserved + 2 * (n - 1 - i);
      const pos = this.pos;
      const token = pos < this.end ? this.src[pos]! : 0;
      let key: unknown;
      stack.top = at;
      // As in readDictionary: a dictionary's keys stay out of the key table, and do not count as inherited.
      if (token > 0xa0 && token < 0xc0 && n <= MAX_FAST_KEYS) key = this.key(token & 31, pos);
      else {
        this.reserved = after + 1;
        key = this.read();
        stack.hasLargeKeys = true;
        if (typeof key !== "string") areStrings = false;
        else if (n <= MAX_FAST_KEYS && isInherited(key)) stack.hasInheritedKey = true;
      }
      if (typeof key === "symbol" && key === INCOMPLETE) return this.suspendMap!(base, i, i, 2 * (n - i), reserved);
      keys[at] = key;
      stack.top = at + 1;
      const value = this.element(after);
      if (typeof value === "symbol" && value === INCOMPLETE)
        return this.suspendMap!(base, i + 1, i, 2 * (n - i) - 1, reserved);
      values[at] = value;
    }
    stack.top = base;
    return finishMap(this, keys, values, base, n, areStrings);
  }

  /**
   * Only a PartReader has it. Keeps a map with the complete pairs of `object`; the value of `key` is interrupted. `left`: the missing
   * items; a pair counts two.
   */
  suspendObject?(object: Record<string, unknown>, key: string, left: number, reserved: number): unknown;

  /** Only a PartReader has it. Moves an interrupted map from the stacks, from `base` on, to a frame. `keys`, `values`: their numbers. */
  suspendMap?(base: number, keys: number, values: number, left: number, reserved: number): unknown;

  /** Moves the pairs of `object` onto the stacks and reads the remaining `left` pairs. Repeated keys are already merged. */
  override resume(object: Record<string, unknown>, left: number, reserved: number, isDictionary = false): unknown {
    const { stack } = this;
    const { top } = stack;
    const keys = Object.keys(object);
    for (let i = 0; i < keys.length; i++) {
      stack.keys[top + i] = keys[i];
      stack.values[top + i] = object[keys[i]!];
    }
    if (isDictionary) {
      // The keys read so far have not been checked.
      stack.hasLargeKeys = stack.hasInheritedKey = true;
      // The stacks are lists too, with the pairs of all open maps.
      checkContainerSize(top + keys.length + left, false, this.pos);
    }
    return this.readPairs(keys.length + left, keys.length, reserved);
  }

  /** Reads the key of `n` bytes, 1 to 31, whose header is at `pos`. */
  key(n: number, pos: number): unknown {
    const next = pos + n + 1;
    if (next > this.end) return this.incomplete(pos, next - this.end);
    const known = this.keyTable.find(this.src, this.view, pos, n + 1);
    if (known !== null) {
      this.pos = next;
      return known;
    }
    const key = this.newKey(n, pos);
    if (key !== null) return key;
    this.stack.hasInheritedKey = true;
    return this.readString(n, pos, 1);
  }
}
