import { DecodeError, isFarIndex } from "moonpack/bytes";

/** The first ids are one byte, 0x40 to 0x5f; shared ones from here on are two. */
const ONE_BYTE_IDS = 32;
/** The bytes of definitions that a sequence may keep, each key counted as `KEY_BYTES` and its characters. */
const MAX_KEPT_BYTES = 2 ** 26;
const KEY_BYTES = 32;

/** The keys of a record, in the order of its values. */
export class Structure {
  readonly keys: readonly string[];
  /** True if V8 would keep the values in a mostly empty array: see `makeSparse`. */
  readonly isSparse: boolean;
  readonly bytes: number;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.isSparse = keys.some(isFarIndex);
    this.bytes = keys.reduce((sum, key) => sum + KEY_BYTES + key.length, 0);
  }
}

/** Structures by the second byte of their ids. */
type Seconds = Map<number, Structure>;

/** The structures that ids stand for: shared ones, and those that messages define. A definition hides a shared structure. */
export class Structures {
  readonly #shared: readonly (Structure | undefined)[] | undefined;
  /** By the first byte of the id. Undefined before the first definition. */
  #defined: Map<number, Structure | Seconds> | undefined;
  readonly #isSequence: boolean;
  #bytes = 0;

  constructor(shared: readonly (Structure | undefined)[] | undefined, isSequence: boolean) {
    this.#shared = shared;
    this.#isSequence = isSequence;
  }

  /** True if bytes from 0x40 to 0x7f are ids. Otherwise they are integers, as msgpackr writes them without records. */
  get areIds(): boolean {
    return this.#isSequence || this.#shared !== undefined || this.#defined !== undefined;
  }

  /** True if a second byte belongs to an id that begins with `first`. */
  hasSecond(first: number): boolean {
    const defined = this.#defined?.get(first);
    if (defined !== undefined) return defined instanceof Map;
    return first >= 0x40 + ONE_BYTE_IDS && this.#shared !== undefined && this.#shared.length > ONE_BYTE_IDS;
  }

  /** Returns the structure of an id, if there is one. `second` is undefined for an id of one byte. */
  find(first: number, second: number | undefined): Structure | undefined {
    const defined = this.#defined?.get(first);
    if (second === undefined) return defined instanceof Structure ? defined : this.#shared?.[first - 0x40];
    const own = defined instanceof Map ? defined.get(second) : undefined;
    return own ?? this.#shared?.[ONE_BYTE_IDS + (second << 5) + (first & 31)];
  }

  /** Defines an id, or gives it another structure. `ERR_LIMIT_ELEMENTS` at `offset` if a sequence would keep too much. */
  define(first: number, second: number | undefined, structure: Structure, offset: number): void {
    this.#defined ??= new Map();
    const known = this.#defined.get(first);
    if (second === undefined) {
      if (known instanceof Map) for (const each of known.values()) this.#bytes -= each.bytes;
      else this.#bytes -= known?.bytes ?? 0;
      this.#defined.set(first, structure);
    } else {
      const seconds: Seconds = known instanceof Map ? known : new Map();
      this.#bytes -= (known instanceof Map ? seconds.get(second) : known)?.bytes ?? 0;
      this.#defined.set(first, seconds.set(second, structure));
    }
    this.#bytes += structure.bytes;
    if (this.#isSequence && this.#bytes > MAX_KEPT_BYTES)
      throw new DecodeError("ERR_LIMIT_ELEMENTS", "sequential: more definitions than a sequence may keep", offset);
  }
}
