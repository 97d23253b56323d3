import { setOwn } from "../../msgpack/objects.js";

/** An open container: what there is of it, and how much is still to come. */
export class Level {
  /** The map that is being filled, or null. */
  readonly #object: Record<string, unknown> | null;
  /** The array that is being filled, or null. */
  readonly #array: unknown[] | null;
  /** Elements or pairs still to come, the one being read included. */
  #left: number;
  /** Of a map: the key whose value is read next. */
  #key = "";
  /** Of a map: a key is read next. */
  isKeyNext: boolean;
  /** Where its header begins. */
  readonly start: number;

  constructor(isMap: boolean, left: number, start: number) {
    this.#object = isMap ? {} : null;
    this.#array = isMap ? null : [];
    this.#left = left;
    this.isKeyNext = isMap;
    this.start = start;
  }

  /** The array or the map. */
  get value(): unknown {
    return this.#array ?? this.#object;
  }

  /** Takes the key whose value comes next. */
  addKey(key: string): void {
    this.#key = key;
    this.isKeyNext = false;
  }

  /** Takes an element, or the value of the last key; true when the container is complete. */
  add(value: unknown): boolean {
    if (this.#array !== null) this.#array.push(value);
    else {
      setOwn(this.#object!, this.#key, value);
      this.isKeyNext = true;
    }
    return --this.#left === 0;
  }
}
