import { isFarIndex, makeSparse, setOwn } from "moonpack/bytes";

/** An open container: the items read so far, and the number of items left. */
export class Level {
  /** The map that is being filled, or null. */
  readonly #object: Record<string, unknown> | null;
  /** The array that is being filled, or null. */
  readonly #array: unknown[] | null;
  /** Elements or pairs left, including the one that is being read. */
  #left: number;
  /** In a map: a key would have made a mostly empty array; see sparse.ts. */
  #isSparse = false;
  /** In a map: the key of the next value. */
  #key = "";
  /** True if the next item is a key of a map. */
  isKeyNext: boolean;
  /** Offset of its header. */
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

  /** Sets the key of the next value. */
  addKey(key: string): void {
    if (!this.#isSparse && isFarIndex(key)) {
      makeSparse(this.#object!);
      this.#isSparse = true;
    }
    this.#key = key;
    this.isKeyNext = false;
  }

  /** Adds an element, or the value of the last key. Returns true when the container is complete. */
  add(value: unknown): boolean {
    if (this.#array !== null) this.#array.push(value);
    else {
      setOwn(this.#object!, this.#key, value);
      this.isKeyNext = true;
    }
    return --this.#left === 0;
  }
}
