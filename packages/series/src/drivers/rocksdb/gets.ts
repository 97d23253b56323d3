/**
 * Reads of single keys. Calls that come while the threads are busy are sent together: a message for each key costs both threads
 * more than the read.
 */
import { packList, unpackList } from "./packed.js";

/** Keys of one part of a call: a call of 64 keys is read by two threads. */
const PART_KEYS = 32;
/** Keys of one message, of one call or of several. */
const MESSAGE_KEYS = 128;

/** Who reads: a thread. */
export interface GetTarget {
  /** Whether it should get no more work now. */
  readonly isBusy: boolean;
  /** Is called when it has no more work. */
  onFree: () => void;
  /** Reads packed keys and resolves with packed values. */
  get(column: number, keys: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

type Values = (Uint8Array | undefined)[];

/** A call, or a part of one, that waits for its values. */
interface Part {
  readonly column: number;
  readonly keys: readonly Uint8Array[];
  resolve(values: Values): void;
  reject(error: unknown): void;
}

/** Calls that wait for a thread, in their order. */
export class Gets {
  readonly #targets: readonly GetTarget[];
  #parts: Part[] = [];
  #isScheduled = false;

  /** The first target that is not busy gets the work. */
  constructor(targets: readonly GetTarget[]) {
    this.#targets = targets;
    for (const target of targets) target.onFree = () => this.#send();
  }

  /** The values of keys. */
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
      // Calls of the same moment go together.
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

  /** How many of the first parts go into one message, so that all that are free have work. They have the same column. */
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
      // A damaged block is an error only for those who asked for it.
      if (parts.length === 1) parts[0]!.reject(error);
      else for (const part of parts) await this.#read(target, [part]);
    }
  }
}
