/**
 * Reading with a stack on the heap: containers nested deeper than recursion may go (512 levels, only when `maxDepth` was
 * raised), and maps that options check (`strict`, `maps`). Slower, and as strict as the recursive way.
 */
import { DecodeError } from "../bytes/errors.js";
import { buildMap, buildObject } from "./objects.js";
import type { MessageReader } from "./read.js";

/** An open container: what `read` answers for one while the reader is `flat`. */
export class Level {
  /** Null for an array. */
  readonly keys: unknown[] | null;
  /** Elements, or values of a map. */
  readonly values: unknown[] = [];
  /** The keys of a strict map. */
  readonly seen = new Set<unknown>();
  /** The bytes of those that are objects: strict reading allows one form of each. */
  readonly seenBytes = new Set<string>();
  /** What the enclosing containers owe after this one, as its items see it. */
  readonly owed: number;
  /** Items still to come; a pair is two. */
  left: number;

  constructor(isMap: boolean, left: number, owed: number) {
    this.keys = isMap ? [] : null;
    this.left = left;
    this.owed = owed;
  }

  /** The finished container. */
  close(r: MessageReader): unknown {
    const { keys, values } = this;
    r.depth--;
    r.owed = this.owed;
    if (keys === null) return values;
    const isObject = r.settings.maps !== "map" && keys.every((key) => typeof key === "string");
    return isObject ? buildObject(keys, 0, values, 0, keys.length, null, true) : buildMap(keys, values, 0, keys.length);
  }
}

/** Reads the container whose header begins at `start`. */
export function readDeep(r: MessageReader, start: number): unknown {
  const levels: Level[] = [];
  r.pos = start;
  for (;;) {
    const pos = r.pos;
    let level = levels.at(-1);
    if (level !== undefined) r.owed = level.owed + level.left - 1;
    r.flat = true;
    let value = r.read();
    r.flat = false;
    if (value instanceof Level) {
      if (value.left > 0) {
        levels.push(value);
        continue;
      }
      value = value.close(r);
    }
    for (; level !== undefined; level = levels.at(-1)) {
      if (level.keys !== null && level.left % 2 === 0) {
        checkKey(r, value, pos, level);
        level.keys.push(value);
      } else level.values.push(value);
      if (--level.left > 0) break;
      levels.pop();
      value = level.close(r);
    }
    if (level === undefined) return value;
  }
}

/** Refuses a key that the options do not allow. Its bytes begin at `pos` and end where the reader is. */
function checkKey(r: MessageReader, key: unknown, pos: number, { seen, seenBytes }: Level): void {
  if (r.settings.maps === "object" && typeof key !== "string") {
    throw new DecodeError("ERR_UNSUPPORTED_TYPE", "a key that is no string", pos);
  }
  if (!r.strict) return;
  const isObject = typeof key === "object" && key !== null;
  const set: Set<unknown> = isObject ? seenBytes : seen;
  if (set.size === set.add(isObject ? r.src.subarray(pos, r.pos).join() : key).size) {
    throw new DecodeError("ERR_DUPLICATE_KEY", "a key comes twice", pos);
  }
}
