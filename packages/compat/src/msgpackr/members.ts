import { isFarIndex, type KeyFlood, keyFlood, makeSparse, setOwn } from "moonpack/bytes";

/** The members of a map that is being read: of a Map, or of an object until a key is not a string. */
export class Members {
  readonly #object: Record<string, unknown> = {};
  #map: Map<unknown, unknown> | null;
  /** The keys of the object in the order of the input, for the Map that it may become. */
  readonly #keys: string[] = [];
  readonly #flood: KeyFlood | null;

  /** `count`: the members in the header, all of which the input has bytes for. */
  constructor(isMap: boolean, count: number) {
    this.#map = isMap ? new Map() : null;
    this.#flood = keyFlood(count);
  }

  /** True if the members are a Map. */
  get isMap(): boolean {
    return this.#map !== null;
  }

  /** The Map or the object. */
  get value(): object {
    return this.#map ?? this.#object;
  }

  /** Adds a member, whose key is at `offset`; the last of equal keys counts. `ERR_LIMIT_ELEMENTS` for keys chosen to collide. */
  add(key: unknown, value: unknown, offset: number): void {
    if (this.#map === null && typeof key === "string") {
      this.#keys.push(key);
      if (isFarIndex(key)) makeSparse(this.#object);
      setOwn(this.#object, key, value);
      return;
    }
    this.#map ??= new Map(this.#keys.map((each) => [each, this.#object[each]]));
    if (!this.#map.has(key)) this.#flood?.add(key, offset);
    this.#map.set(key, value);
  }
}
