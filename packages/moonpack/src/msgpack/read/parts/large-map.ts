import { collidingKeys, GrowingKeyFlood } from "../../../bytes/key-flood.js";
import type { MessageReader } from "../message.js";
import { checkKey } from "../stack.js";
import { PartFrame } from "./part-frame.js";

/**
 * A map with more keys than a fast object may have, in a message that arrives in parts or is read in slices. It is filled as it
 * is read, so that closing it takes no time. It starts as a dictionary without a prototype, so that no key is inherited. At the
 * first key that is not a string it becomes a Map.
 */
export class LargeMap extends PartFrame {
  override readonly isLarge = true;
  #object = Object.create(null) as Record<string, unknown>;
  #map: Map<unknown, unknown> | null;
  #flood: GrowingKeyFlood | null = null;
  /** True if its keys were chosen to collide. The error is thrown at the end of the map, as for a whole message. */
  #isRefused = false;
  /** All keys in input order, once one of them may be an integer: objects would list it before other keys. */
  #order: string[] | null = null;
  /** The key whose value is being read. */
  pendingKey: unknown;

  /** A map of `n` pairs; `isMap`: always a Map. */
  constructor(n: number, reserved: number, isMap: boolean) {
    super([], [], 2 * n, reserved);
    this.#map = isMap ? new Map() : null;
  }

  /** Adds the value of the pending key. A repeated key keeps its place and takes the later value. */
  put(value: unknown): void {
    const key = this.pendingKey;
    if (this.#map === null) {
      if (typeof key === "string") {
        if (this.#order !== null) this.#order.push(key);
        else if (startsWithDigit(key)) this.#order = [...Object.keys(this.#object), key];
        this.#object[key] = value;
        return;
      }
      this.#map = this.#toMap();
    }
    if (typeof key !== "string" && (this.#flood ??= new GrowingKeyFlood()).isFull(key, this.#map)) {
      this.#isRefused = true;
      this.#map.clear();
    }
    if (!this.#isRefused) this.#map.set(key, value);
  }

  #toMap(): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>();
    for (const key of this.#order ?? Object.keys(this.#object)) map.set(key, this.#object[key]);
    this.#order = null;
    this.#object = {};
    return map;
  }

  override add(r: MessageReader, item: unknown): void {
    if (!this.awaitsKey) return this.put(item);
    checkKey(r, item, this);
    this.pendingKey = item;
  }

  /** Returns the complete map and counts it. Throws if its keys were chosen to collide. */
  finish(r: MessageReader): unknown {
    if (this.#isRefused) throw collidingKeys(r.pos);
    if (this.#map !== null) {
      r.work.maps++;
      return this.#map;
    }
    r.work.dictionaries++;
    return Object.setPrototypeOf(this.#object, Object.prototype);
  }

  override close(r: MessageReader): unknown {
    r.depth--;
    r.reserved = this.reserved;
    return this.finish(r);
  }
}

function startsWithDigit(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}
