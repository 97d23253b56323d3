/**
 * Writing with a stack on the heap: for containers nested deeper than recursion may go (512 levels), which happens only
 * when `maxDepth` was raised. Slower; the bytes are the same.
 */
import { Failure } from "./failure.js";
import type { MessageWriter } from "./write.js";
import { entriesOf, extensionOf, isPlain } from "./write-other.js";

/** One open container: what is left to write of it. */
class Level {
  readonly holder: object;
  /** Elements, or keys and values in turn. */
  readonly items: readonly unknown[];
  readonly isMap: boolean;
  next = 0;

  constructor(holder: object, items: readonly unknown[], isMap: boolean) {
    this.holder = holder;
    this.items = items;
    this.isMap = isMap;
  }

  /** The key of the item that was taken last. */
  key(): unknown {
    const last = this.next - 1;
    return this.isMap ? this.items[last - (last % 2)] : last;
  }
}

/** Writes an array, a plain object or a Map. */
export function writeDeep(w: MessageWriter, value: object): void {
  const levels = [openLevel(w, value)];
  try {
    for (let top = levels.at(-1); top !== undefined; top = levels.at(-1)) {
      if (top.next === top.items.length) {
        w.close();
        levels.pop();
        continue;
      }
      const item = top.items[top.next++];
      if (isContainer(w, item)) levels.push(openLevel(w, item));
      else w.write(item);
    }
  } catch (error) {
    let failure: unknown = error;
    for (let top = levels.pop(); top !== undefined; top = levels.pop()) failure = Failure.at(failure, top.key(), top.holder);
    throw failure;
  }
}

function isContainer(w: MessageWriter, value: unknown): value is object {
  if (typeof value !== "object" || value === null || extensionOf(w, value) !== undefined) return false;
  return Array.isArray(value) || isPlain(value) || (value instanceof Map && w.settings.js === null);
}

function openLevel(w: MessageWriter, value: object): Level {
  w.open(value);
  w.room(5);
  if (Array.isArray(value)) {
    w.arrayHeader(value.length);
    return new Level(value, Array.from(value), false);
  }
  const entries = value instanceof Map ? [...(value as Map<unknown, unknown>)] : entriesOf(value as Record<string, unknown>, w.settings.js === null);
  w.mapHeader(entries.length);
  return new Level(value, entries.flat(1), true);
}
