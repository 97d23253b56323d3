/**
 * Writing one message in slices: by the same recursion as without, until a value begins behind the slice's end. There the
 * writer throws PAUSE; the containers that are open keep where they are on its way out, innermost first (`Pausing`), and
 * the next slice goes on from there. Nothing is written twice.
 */
import { Failure, PAUSE } from "./failure.js";
import type { KnownKey } from "./known-keys.js";
import type { MessageWriter } from "./write.js";
import { type WriteLevel, writeOpen } from "./write-levels.js";

/** Objects of more keys are not gathered first: their values are read as they are written. */
const LARGE_KEYS = 1000;

/** What a pause leaves open: a container, or several in one another. */
export interface Open {
  /** Writes what is left of it. Throws PAUSE again, then it has kept where it is. */
  goOn(w: MessageWriter): void;
  /** The error of its current item as it leaves it. */
  failed(error: unknown): unknown;
}

type PlainObject = Record<string, unknown>;

/** Keeps what a pause leaves open. */
export class Pausing {
  readonly #writer: MessageWriter;
  /** What the pause under way has left open, innermost first. */
  readonly open: Open[] = [];

  constructor(writer: MessageWriter) {
    this.#writer = writer;
  }

  /** The pause came before an item was begun; otherwise it came within, and the item is open itself. */
  get isBetween(): boolean {
    return this.open.length === 0;
  }

  #keep(open: Open): typeof PAUSE {
    this.open.push(open);
    return PAUSE;
  }

  /** An array of `n` elements at element `i`. */
  array(array: readonly unknown[], i: number, n: number, under: KnownKey): typeof PAUSE {
    return this.#keep(new OpenArray(array, this.isBetween ? i : i + 1, n, under));
  }

  /** An object at `key`, whose pair begins at `at`; room for its header was left at `start`, and `n` pairs are begun. */
  object(
    object: PlainObject,
    key: string,
    at: number,
    start: number,
    header: number,
    n: number,
    first: KnownKey | null,
  ): typeof PAUSE {
    const keys = Object.keys(object);
    const open = new OpenObject(object, keys, null, keys.indexOf(key) + 1);
    open.leaveHeader(start, header, n, first);
    if (this.isBetween) open.stepBack(this.#writer.pos > at);
    return this.#keep(open);
  }

  /** An object whose pairs were gathered, at pair `i`, which begins at `at`. */
  entries(object: PlainObject, entries: readonly [string, unknown][], i: number, at: number): typeof PAUSE {
    const keys = entries.map(([key]) => key);
    const values = entries.map(([, value]) => value);
    const open = new OpenObject(object, keys, values, i + 1);
    if (this.isBetween) open.stepBack(this.#writer.pos > at);
    return this.#keep(open);
  }

  /** Opens an object by itself, if it is too large to gather its pairs. */
  isLarge(object: PlainObject): boolean {
    const keys = Object.keys(object);
    if (keys.length <= LARGE_KEYS) return false;
    const w = this.#writer;
    const open = new OpenObject(object, keys, null, 0);
    const header = keys.length < 0x10000 ? 3 : 5;
    open.leaveHeader(w.pos, header, 0, null);
    w.pos += header;
    this.#keep(open);
    return true;
  }

  /** Containers that have a stack of their own. */
  levels(levels: WriteLevel[]): typeof PAUSE {
    if (this.isBetween) levels.at(-1)!.next--;
    return this.#keep(new OpenLevels(levels));
  }

  /** What an instance has put in its place. */
  replacement(value: unknown): typeof PAUSE {
    return this.#keep(new OpenReplacement(value, !this.isBetween));
  }
}

class OpenArray implements Open {
  readonly #array: readonly unknown[];
  readonly #count: number;
  readonly #under: KnownKey;
  #next: number;

  constructor(array: readonly unknown[], next: number, count: number, under: KnownKey) {
    this.#array = array;
    this.#next = next;
    this.#count = count;
    this.#under = under;
  }

  goOn(w: MessageWriter): void {
    const array = this.#array;
    try {
      while (this.#next < this.#count) {
        const i = this.#next++;
        const value = array[i];
        w.under = this.#under;
        if (value === undefined) w.element(array, i);
        else w.write(value);
      }
    } catch (error) {
      if (error === PAUSE && w.pausing!.isBetween) this.#next--;
      throw error;
    }
    w.close();
  }

  failed(error: unknown): unknown {
    return Failure.at(error, this.#next - 1, this.#array);
  }
}

class OpenObject implements Open {
  readonly #object: PlainObject;
  readonly #keys: readonly string[];
  /** Null where values are read as they are written, and pairs counted. */
  readonly #values: readonly unknown[] | null;
  #next: number;
  #start = 0;
  #header = 0;
  #pairs = 0;
  /** The next pair's key is written. */
  #hasKey = false;
  #first: KnownKey | null = null;

  constructor(object: PlainObject, keys: readonly string[], values: readonly unknown[] | null, next: number) {
    this.#object = object;
    this.#keys = keys;
    this.#values = values;
    this.#next = next;
  }

  /** Its header is still to be written. */
  leaveHeader(start: number, header: number, pairs: number, first: KnownKey | null): void {
    this.#start = start;
    this.#header = header;
    this.#pairs = pairs;
    this.#first = first;
  }

  /** The value at hand was not begun; `hasKey`: its key is written. */
  stepBack(hasKey: boolean): void {
    this.#next--;
    this.#hasKey = hasKey;
  }

  goOn(w: MessageWriter): void {
    const keys = this.#keys;
    let at = w.pos;
    let hasKey = false;
    try {
      while (this.#next < keys.length) {
        const i = this.#next++;
        const key = keys[i]!;
        hasKey = this.#hasKey;
        this.#hasKey = false;
        at = w.pos;
        const value = this.#values === null ? this.#object[key] : this.#values[i];
        if (!hasKey) {
          if (value === undefined && w.dropsUndefined) continue;
          w.ready();
          w.string(key);
          this.#pairs++;
        }
        w.under = (keys.length < LARGE_KEYS ? w.keys.find(key) : null) ?? w.keys.root;
        w.write(value);
      }
    } catch (error) {
      if (error === PAUSE && w.pausing!.isBetween) this.stepBack(hasKey || w.pos > at);
      throw error;
    }
    if (this.#values === null) w.closeHeader(this.#start, this.#header, this.#pairs, this.#first);
    w.close();
  }

  failed(error: unknown): unknown {
    return Failure.at(error, this.#keys[this.#next - 1], this.#object);
  }
}

class OpenLevels implements Open {
  readonly #levels: WriteLevel[];

  constructor(levels: WriteLevel[]) {
    this.#levels = levels;
  }

  goOn(w: MessageWriter): void {
    try {
      writeOpen(w, this.#levels);
    } catch (error) {
      if (error === PAUSE) w.pausing!.open.pop(); // the same levels again
      throw error;
    }
  }

  failed(error: unknown): unknown {
    let failure = error;
    for (let level = this.#levels.pop(); level !== undefined; level = this.#levels.pop()) {
      failure = Failure.at(failure, level.key(), level.holder);
    }
    return failure;
  }
}

class OpenReplacement implements Open {
  readonly #value: unknown;
  #isBegun: boolean;

  constructor(value: unknown, isBegun: boolean) {
    this.#value = value;
    this.#isBegun = isBegun;
  }

  goOn(w: MessageWriter): void {
    if (!this.#isBegun) {
      this.#isBegun = true;
      try {
        w.write(this.#value);
      } catch (error) {
        if (error === PAUSE && w.pausing!.isBetween) this.#isBegun = false;
        throw error;
      }
    }
    w.close();
  }

  failed(error: unknown): unknown {
    return error;
  }
}
