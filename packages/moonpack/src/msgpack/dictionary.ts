import { checkKey, Level } from "./deep.js";
import type { MessageReader } from "./read.js";

/**
 * A map too large for anything but a dictionary: filled as it is read, so that closing it takes no time, and its keys not
 * expected to recur. While it is filled its object has no prototype, so that every key is one like any other and nothing
 * has to be asked of it. With the first key that is no string it becomes a Map.
 */
export class Dictionary extends Level {
  #object = Object.create(null) as Record<string, unknown>;
  #map: Map<unknown, unknown> | null;
  /** The keys in the order in which they came, from the first one on that an object may list before its turn: an integer. */
  #order: string[] | null = null;
  /** The key whose value is being read. */
  pending: unknown;

  /** A map of `n` pairs; `isMap`: always a Map. */
  constructor(n: number, owed: number, isMap: boolean) {
    super([], [], 2 * n, owed);
    this.#map = isMap ? new Map() : null;
  }

  /** Adds a pair; a key that comes again keeps its place and takes the later value. */
  put(key: unknown, value: unknown): void {
    if (this.#map === null) {
      if (typeof key === "string") {
        if (this.#order !== null) this.#order.push(key);
        else if (mayBeInteger(key)) this.#order = [...Object.keys(this.#object), key];
        this.#object[key] = value;
        return;
      }
      this.#map = this.#toMap();
    }
    this.#map.set(key, value);
  }

  #toMap(): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>();
    for (const key of this.#order ?? Object.keys(this.#object)) map.set(key, this.#object[key]);
    this.#order = null;
    this.#object = {};
    return map;
  }

  override add(r: MessageReader, item: unknown): void {
    if (!this.awaitsKey) return this.put(this.pending, item);
    checkKey(r, item, this);
    this.pending = item;
  }

  /** What was read. */
  get value(): unknown {
    return this.#map ?? Object.setPrototypeOf(this.#object, Object.prototype);
  }

  override close(r: MessageReader): unknown {
    r.depth--;
    r.owed = this.owed;
    return this.value;
  }
}

function mayBeInteger(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}
