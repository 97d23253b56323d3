/**
 * Writing one message in slices, so that the event loop can run in between. Only streams use it (sliced.ts).
 *
 * The same recursion as for a whole message writes each slice. `MessageWriter.pauseAt` is the position at which the slice
 * ends. A value that begins after it throws PAUSE. Each open container catches PAUSE, records its place in `Pauses`,
 * innermost first, and rethrows it. The next slice resumes the recorded containers, so nothing is written twice.
 *
 * PAUSE is an exception because containers catch errors anyway, to add their keys to the path: a message that is written
 * whole pays nothing for it. The alternative, to write every container with the stack of stack.ts, takes 1.7 times the time
 * for 20,000 records, and twice the time for 20,000 short arrays.
 */
import { Failure } from "../../bytes/failure.js";
import { PAUSE } from "./failure.js";
import type { MessageWriter } from "./message.js";
import { type OpenContainer, stackFailure, writeStack } from "./stack.js";

/** Objects with more keys than this are not copied to entries first: their values are read as they are written. */
const LARGE_OBJECT_KEYS = 1000;

/** A container, or a stack of containers, that a pause interrupts. */
export interface Paused {
  /** Writes the rest. If it throws PAUSE again, it has recorded its new place and stays in the list. */
  resume(w: MessageWriter): void;
  /** Adds the path of its current item to an error. */
  withPath(error: unknown): unknown;
}

type PlainObject = Record<string, unknown>;

/** Records the containers that a pause interrupts. Each method returns PAUSE, which the caller rethrows. */
export class Pauses {
  readonly #writer: MessageWriter;
  /** The containers interrupted so far, innermost first. */
  readonly paused: Paused[] = [];

  constructor(writer: MessageWriter) {
    this.#writer = writer;
  }

  /** True if the pause came before the current item. Otherwise the item itself was interrupted and is recorded. */
  get isBeforeItem(): boolean {
    return this.paused.length === 0;
  }

  #record(paused: Paused): typeof PAUSE {
    this.paused.push(paused);
    return PAUSE;
  }

  /** Records an array of `n` elements at element `i`. */
  array(array: readonly unknown[], i: number, n: number): typeof PAUSE {
    return this.#record(new PausedArray(array, this.isBeforeItem ? i : i + 1, n));
  }

  /** Records an object that is written from its entries, at entry `i`, which begins at `at`. */
  entries(object: PlainObject, entries: readonly [string, unknown][], i: number, at: number): typeof PAUSE {
    const keys = entries.map(([key]) => key);
    const values = entries.map(([, value]) => value);
    const paused = new PausedObject(object, keys, values, i + 1);
    if (this.isBeforeItem) paused.stepBack(this.#writer.pos > at);
    return this.#record(paused);
  }

  /** Records an object with many keys, to be written in slices from its first member. False for an object with few. */
  isLarge(object: PlainObject): boolean {
    const keys = Object.keys(object);
    if (keys.length <= LARGE_OBJECT_KEYS) return false;
    const w = this.#writer;
    const paused = new PausedObject(object, keys, null, 0);
    const header = keys.length < 0x10000 ? 3 : 5;
    paused.reserveHeader(w.pos, header);
    w.pos += header;
    this.#record(paused);
    return true;
  }

  /** Records the containers of a stack. */
  stack(stack: OpenContainer[]): typeof PAUSE {
    if (this.isBeforeItem) stack.at(-1)!.next--;
    return this.#record(new PausedStack(stack));
  }

  /** Records the result of a `toMessagePack`. */
  replacement(value: unknown): typeof PAUSE {
    return this.#record(new PausedReplacement(value, !this.isBeforeItem));
  }
}

class PausedArray implements Paused {
  readonly #array: readonly unknown[];
  readonly #count: number;
  #next: number;

  constructor(array: readonly unknown[], next: number, count: number) {
    this.#array = array;
    this.#next = next;
    this.#count = count;
  }

  resume(w: MessageWriter): void {
    const array = this.#array;
    try {
      while (this.#next < this.#count) {
        const i = this.#next++;
        const value = array[i];
        if (value === undefined) w.element(array, i);
        else w.write(value);
      }
    } catch (error) {
      if (error === PAUSE && w.pauses!.isBeforeItem) this.#next--;
      throw error;
    }
    w.close();
  }

  withPath(error: unknown): unknown {
    return Failure.at(error, this.#next - 1, this.#array);
  }
}

class PausedObject implements Paused {
  readonly #object: PlainObject;
  readonly #keys: readonly string[];
  /** Null when values are read as they are written; the header is then written at the end. */
  readonly #values: readonly unknown[] | null;
  #next: number;
  #start = 0;
  #header = 0;
  #members = 0;
  /** True if the key of the next member is already written. */
  #hasKey = false;

  constructor(object: PlainObject, keys: readonly string[], values: readonly unknown[] | null, next: number) {
    this.#object = object;
    this.#keys = keys;
    this.#values = values;
    this.#next = next;
  }

  /** Reserves `header` bytes at `start` for the header, which is written at the end. */
  reserveHeader(start: number, header: number): void {
    this.#start = start;
    this.#header = header;
  }

  /** Returns to a member whose value is not begun. `hasKey`: its key is already written. */
  stepBack(hasKey: boolean): void {
    this.#next--;
    this.#hasKey = hasKey;
  }

  resume(w: MessageWriter): void {
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
          if (at > w.pauseAt) throw PAUSE;
          w.room(0);
          w.string(key);
          this.#members++;
        }
        w.write(value);
      }
    } catch (error) {
      if (error === PAUSE && w.pauses!.isBeforeItem) this.stepBack(hasKey || w.pos > at);
      throw error;
    }
    if (this.#values === null) w.closeHeader(this.#start, this.#header, this.#members);
    w.close();
  }

  withPath(error: unknown): unknown {
    return Failure.at(error, this.#keys[this.#next - 1], this.#object);
  }
}

class PausedStack implements Paused {
  readonly #stack: OpenContainer[];

  constructor(stack: OpenContainer[]) {
    this.#stack = stack;
  }

  resume(w: MessageWriter): void {
    try {
      writeStack(w, this.#stack);
    } catch (error) {
      if (error === PAUSE) w.pauses!.paused.pop(); // this object stands for the same stack
      throw error;
    }
  }

  withPath(error: unknown): unknown {
    return stackFailure(error, this.#stack);
  }
}

class PausedReplacement implements Paused {
  readonly #value: unknown;
  #isBegun: boolean;

  constructor(value: unknown, isBegun: boolean) {
    this.#value = value;
    this.#isBegun = isBegun;
  }

  resume(w: MessageWriter): void {
    if (!this.#isBegun) {
      this.#isBegun = true;
      try {
        w.write(this.#value);
      } catch (error) {
        if (error === PAUSE && w.pauses!.isBeforeItem) this.#isBegun = false;
        throw error;
      }
    }
    w.close();
  }

  withPath(error: unknown): unknown {
    return error;
  }
}
