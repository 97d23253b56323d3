/**
 * Reads messages whose input may end anywhere: in parts (resumable.ts) and in slices (sliced.ts). It reads the present bytes by the
 * same recursion as a whole message. Where the input ends inside an item, each method returns INCOMPLETE, and each open container
 * keeps its items as a frame (`suspend`). resume-containers.ts resumes these frames with the next part.
 *
 * It overrides the methods of MessageReader that hold items of a container while they read the next one, and shares the others.
 */
import { DecodeError } from "../../../bytes/errors.js";
import { truncated } from "../../../bytes/input.js";
import { NO_TOKEN } from "../base.js";
import { INCOMPLETE } from "../incomplete.js";
import { MessageReader } from "../message.js";
import { MAX_FAST_KEYS } from "../objects.js";
import type { DecoderSettings } from "../settings.js";
import { type Frame, readOnStack } from "../stack.js";
import { LargeMap } from "./large-map.js";
import { PartFrame } from "./part-frame.js";

export class PartReader extends MessageReader {
  /**
   * The containers that the end of the input has interrupted, innermost first. Null: the input is a whole message, and an early
   * end is an error. So it is null inside an extension of `fidelity: "js"`, whose data are complete.
   */
  override suspended: PartFrame[] | null = null;
  /** Bytes that may follow the end of the input. */
  bytesToCome = 0;
  /** True if exactly `bytesToCome` bytes follow; otherwise at most as many. */
  endIsKnown = false;
  /** True if the items of the outermost container are returned one by one: their number is then not limited. */
  streamsItems = false;

  constructor(settings: DecoderSettings) {
    super(settings, true);
  }

  override incomplete(start: number, missing: number, isDeclared = false): unknown {
    if (this.suspended === null) return super.incomplete(start, missing);
    if (!isDeclared) {
      this.pos = start;
      return INCOMPLETE;
    }
    if (missing <= this.bytesToCome) return null;
    if (this.endIsKnown) throw truncated(start, missing - this.bytesToCome);
    throw new DecodeError("ERR_LIMIT_ELEMENTS", "more elements than maxBytes allows", start);
  }

  override checkSize(n: number, isMap: boolean, start: number): void {
    if (!this.streamsItems || this.depth > 1) super.checkSize(n, isMap, start);
  }

  override newFrame(isMap: boolean, n: number, reserved: number): PartFrame {
    if (isMap && n > MAX_FAST_KEYS) return new LargeMap(n, reserved, this.settings.maps === "map");
    return new PartFrame(isMap ? [] : null, [], isMap ? 2 * n : n, reserved);
  }

  override readNested(start: number): unknown {
    const frames: Frame[] = [];
    const value = (this.settings.js?.readOnStack ?? readOnStack)(this, start, frames);
    if (value !== INCOMPLETE) return value;
    // Extensions are complete when they are opened, so all frames are arrays and maps.
    for (let i = frames.length - 1; i >= 0; i--) this.keep(frames[i] as PartFrame);
    return INCOMPLETE;
  }

  /**
   * Keeps a container that the end of the input has interrupted, with its items so far, and returns INCOMPLETE. `left`: the
   * missing items; a pair counts two. `reserved`: as in `readPairs`.
   */
  suspend(keys: unknown[] | null, values: unknown[], left: number, reserved: number): unknown {
    return this.keep(new PartFrame(keys, values, left, reserved));
  }

  /** Keeps a frame that has been interrupted, possibly not for the first time. */
  keep(frame: PartFrame): unknown {
    this.suspended!.push(frame);
    return INCOMPLETE;
  }

  override shortArray(n: number, reserved: number): unknown {
    const first = this.element(reserved + n - 1);
    if (first === INCOMPLETE) return this.suspend(null, [], n, reserved);
    if (n === 1) return [first];
    const second = this.element(reserved + n - 2);
    if (second === INCOMPLETE) return this.suspend(null, [first], n - 1, reserved);
    if (n === 2) return [first, second];
    const third = this.element(reserved + n - 3);
    if (third === INCOMPLETE) return this.suspend(null, [first, second], n - 2, reserved);
    if (n === 3) return [first, second, third];
    const fourth = this.element(reserved);
    if (fourth === INCOMPLETE) return this.suspend(null, [first, second, third], 1, reserved);
    return [first, second, third, fourth];
  }

  /**
   * As in BaseReader. Adds to a new array, or to one that already has some elements. The loop is repeated here: if one loop served both,
   * lists of numbers in whole messages would take 4 to 12 % longer.
   */
  override elements(n: number, reserved: number, present: unknown[] | null = null): unknown {
    const { src, view } = this;
    const end = this.settings.strict ? 0 : this.end;
    const array: unknown[] = present !== null ? present : (src[this.pos]! & 0xfe) === 0xca ? [] : [];
    for (let left = n - 1; left >= 0; left--) {
      const pos = this.pos;
      const token = pos + 9 <= end ? src[pos]! : NO_TOKEN;
      if (token < 0x80) {
        this.pos = pos + 1;
        array.push(token);
        continue;
      }
      switch (token) {
        case 0xcb:
          this.pos = pos + 9;
          array.push(view.getFloat64(pos + 1));
          break;
        case 0xcc:
          this.pos = pos + 2;
          array.push(src[pos + 1]!);
          break;
        case 0xcd:
          this.pos = pos + 3;
          array.push(view.getUint16(pos + 1));
          break;
        case 0xce:
          this.pos = pos + 5;
          array.push(view.getUint32(pos + 1));
          break;
        case 0xd1:
          this.pos = pos + 3;
          array.push(view.getInt16(pos + 1));
          break;
        default: {
          this.reserved = reserved + left;
          const item = this.read();
          if (item === INCOMPLETE) return this.suspend(null, array, left + 1, reserved);
          array.push(item);
        }
      }
    }
    return array;
  }

  /** Moves an interrupted map from the stacks, from `base` on, to a frame. `keys`, `values`: their numbers. */
  override suspendMap(base: number, keys: number, values: number, left: number, reserved: number): unknown {
    const { stack } = this;
    stack.top = base;
    const present = stack.values.slice(base, base + values);
    stack.values.fill(undefined, base, base + values);
    return this.suspend(stack.keys.slice(base, base + keys), present, left, reserved);
  }

  override readDictionary(n: number, reserved: number): unknown {
    const map = new LargeMap(n, reserved, false);
    return this.readLargeMap(map) === INCOMPLETE ? INCOMPLETE : map.finish(this);
  }

  /** As in BaseReader. It is repeated here: with these tests, whole messages of objects of two numbers would take 8 % longer. */
  override smallMap(n: number, reserved: number): unknown {
    const object: Record<string, unknown> = {};
    const { keepsClasses } = this.settings;
    const after = reserved + 2 * n;
    if (n > 0) {
      const first = this.simpleKey();
      if (first === null) return this.resume(object, n, reserved);
      const value = this.element(after - 2);
      if (value === INCOMPLETE) return this.suspendObject(object, first, 2 * n - 1, reserved);
      if (keepsClasses && typeof value === "number") object[first] = null;
      object[first] = value;
    }
    if (n > 1) {
      const second = this.simpleKey();
      if (second === null) return this.resume(object, n - 1, reserved);
      const value = this.element(after - 4);
      if (value === INCOMPLETE) return this.suspendObject(object, second, 2 * n - 3, reserved);
      if (keepsClasses && typeof value === "number") object[second] = null;
      object[second] = value;
    }
    if (n > 2) {
      const third = this.simpleKey();
      if (third === null) return this.resume(object, n - 2, reserved);
      const value = this.element(after - 6);
      if (value === INCOMPLETE) return this.suspendObject(object, third, 2 * n - 5, reserved);
      if (keepsClasses && typeof value === "number") object[third] = null;
      object[third] = value;
    }
    if (n > 3) {
      const fourth = this.simpleKey();
      if (fourth === null) return this.resume(object, 1, reserved);
      const value = this.element(reserved);
      if (value === INCOMPLETE) return this.suspendObject(object, fourth, 1, reserved);
      if (keepsClasses && typeof value === "number") object[fourth] = null;
      object[fourth] = value;
    }
    this.work.plain++;
    return object;
  }

  /** Keeps a map with the complete pairs of `object`; the value of `key` is interrupted. */
  override suspendObject(object: Record<string, unknown>, key: string, left: number, reserved: number): unknown {
    return this.suspend([...Object.keys(object), key], Object.values(object), left, reserved);
  }

  /** Reads the rest of a large map and returns it. */
  readLargeMap(map: LargeMap): unknown {
    const { reserved } = map;
    while (map.left > 0) {
      if (map.left % 2 === 0) {
        this.reserved = reserved + map.left - 1;
        const key = this.read();
        if (key === INCOMPLETE) return this.keep(map);
        map.pendingKey = key;
        map.left--;
      }
      const value = this.element(reserved + map.left - 1);
      if (value === INCOMPLETE) return this.keep(map);
      map.put(value);
      map.left--;
    }
    return map;
  }
}
