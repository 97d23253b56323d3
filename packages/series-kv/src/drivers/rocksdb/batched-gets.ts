/**
 * Batches reads of single keys. Calls during the work of the threads are sent in one message: a message for each key costs more than the
 * read itself.
 */
import { packList, unpackList } from "./packing.js";

/** Maximum number of keys in one part of a call: two threads read a call of 64 keys. */
const PART_KEYS = 32;
/** Maximum number of keys in a message, from one call or several. */
const MESSAGE_KEYS = 128;

/** A thread that reads. */
export interface GetTarget {
  /** True if the thread should not get more work now. */
  readonly isBusy: boolean;
  /** Called when the thread has finished its work. */
  onFree: () => void;
  /** Reads packed keys and resolves with packed values. */
  get(column: number, keys: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

type Values = (Uint8Array | undefined)[];

/** A call, or a part of a call, that waits for its values. */
interface Part {
  readonly column: number;
  readonly keys: readonly Uint8Array[];
  resolve(values: Values): void;
  reject(error: unknown): void;
}

/** Queues calls for the threads, in order. */
export class Gets {
  readonly #targets: readonly GetTarget[];
  #parts: Part[] = [];
  #isScheduled = false;

  /** Work is given to the first target that is not busy. */
  constructor(targets: readonly GetTarget[]) {
    this.#targets = targets;
    for (const target of targets) target.onFree = () => this.#send();
  }

  /** Returns the values of keys. */
  async get(column: number, keys: readonly Uint8Array[]): Promise<Values> {
    if (keys.length === 0) return [];
    if (keys.length <= PART_KEYS) return await this.#part(column, keys);
    const parts: Promise<Values>[] = [];
    for (let at = 0; at < keys.length; at += PART_KEYS) parts.push(this.#part(column, keys.slice(at, at + PART_KEYS)));
    return (await Promise.all(parts)).flat();
  }

  #part(column: number, keys: readonly Uint8Array[]): Promise<Values> {
    return new Promise((resolve, reject) => {
      this.#parts.push({ column, keys, resolve, reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      // Calls of the same iteration of the event loop are sent together.
      queueMicrotask(() => {
        this.#isScheduled = false;
        this.#send();
      });
    });
  }

  #send(): void {
    while (this.#parts.length > 0) {
      const free = this.#targets.filter(({ isBusy }) => !isBusy);
      if (free.length === 0) return;
      const n = this.#together(free.length);
      void this.#read(free[0]!, this.#parts.splice(0, n));
    }
  }

  /** Returns the number of parts for the next message, so that all free threads get work. The parts have the same column. */
  #together(free: number): number {
    const { column } = this.#parts[0]!;
    const atMost = Math.ceil(this.#parts.length / free);
    let keys = 0;
    let n = 0;
    for (; n < atMost && this.#parts[n]!.column === column; n++) {
      keys += this.#parts[n]!.keys.length;
      if (n > 0 && keys > MESSAGE_KEYS) break;
    }
    return n;
  }

  async #read(target: GetTarget, parts: readonly Part[]): Promise<void> {
    try {
      const keys = parts.length === 1 ? parts[0]!.keys : parts.flatMap((part) => part.keys);
      const values = unpackList(await target.get(parts[0]!.column, packList(keys)));
      let at = 0;
      for (const part of parts) part.resolve(parts.length === 1 ? values : values.slice(at, (at += part.keys.length)));
    } catch (error) {
      // A damaged block fails only the calls that need it.
      if (parts.length === 1) parts[0]!.reject(error);
      else for (const part of parts) await this.#read(target, [part]);
    }
  }
}
