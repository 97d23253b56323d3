/**
 * Reading with a stack on the heap: for containers nested deeper than recursion may go (512 levels), which happens only
 * when `maxDepth` was raised. Slower, and as strict as the recursive way.
 */
import { truncated } from "../bytes/input.js";
import type { MessageReader } from "./read.js";
import { readCount } from "./scalars.js";
import { buildMap, buildObject } from "./shapes.js";

/** One open container. */
class Level {
  readonly isMap: boolean;
  /** Items still to come, the one being read included; a pair is two. */
  left: number;
  /** What the enclosing containers owe after this one. */
  readonly owed: number;
  /** Elements, or values of a map. */
  readonly values: unknown[] = [];
  readonly keys: unknown[] = [];
  readonly seen: Set<unknown> | null;
  /** Where the item being read begins. */
  start = 0;

  constructor(isMap: boolean, items: number, owed: number, seen: Set<unknown> | null) {
    this.isMap = isMap;
    this.left = items;
    this.owed = owed;
    this.seen = seen;
  }

  add(r: MessageReader, value: unknown): void {
    if (this.isMap && this.left % 2 === 0) {
      r.checkKey(value, this.start, this.seen);
      this.keys.push(value);
    } else this.values.push(value);
    this.left--;
  }

  finish(r: MessageReader): unknown {
    if (!this.isMap) return this.values;
    const { maps } = r.settings;
    const n = this.keys.length;
    const asMap = maps === "map" || this.keys.some((key) => typeof key !== "string");
    return asMap ? buildMap(this.keys, this.values, 0, n) : buildObject(this.keys, 0, this.values, 0, n, null);
  }
}

/** Reads the container whose header begins at `start`. */
export function readDeep(r: MessageReader, start: number): unknown {
  const levels: Level[] = [];
  r.pos = start;
  for (;;) {
    const top = levels.at(-1);
    if (top !== undefined) {
      top.start = r.pos;
      r.owed = top.owed + top.left - 1;
    }
    let value: unknown;
    if (r.pos >= r.end) throw truncated(r.pos, 1);
    const level = openLevel(r, r.src[r.pos]!);
    if (level === null) value = r.read();
    else if (level.left > 0) {
      levels.push(level);
      continue;
    } else value = close(r, level);
    for (let parent = levels.at(-1); ; parent = levels.at(-1)) {
      if (parent === undefined) return value;
      parent.add(r, value);
      if (parent.left > 0) break;
      levels.pop();
      value = close(r, parent);
    }
  }
}

function close(r: MessageReader, level: Level): unknown {
  r.depth--;
  r.owed = level.owed;
  return level.finish(r);
}

/** Opens the container that the token at `pos` begins; null when it begins none. */
function openLevel(r: MessageReader, token: number): Level | null {
  const start = r.pos;
  const isMap = (token & 0xf0) === 0x80 || token === 0xde || token === 0xdf;
  let n = token & 15;
  let header = 1;
  if (token >= 0xdc && token <= 0xdf) {
    header = token % 2 === 0 ? 3 : 5;
    n = readCount(r, token, start);
  } else if ((token & 0xe0) !== 0x80) return null;
  const items = isMap ? 2 * n : n;
  const owed = r.open(n, items, start, header);
  return new Level(isMap, items, owed, r.strict && isMap ? new Set() : null);
}
