/** Replays the log into the head and the registry (docs/series-format.md, "Recovery"). */
import type { Head } from "./head/head.js";
import type { RecoveryVisitor } from "./log/recovery.js";
import type { MetricType } from "./metric/metric.js";
import { PagePoints } from "./page/page.js";
import type { Values64 } from "./page/values.js";
import type { OpenedStore } from "./read/sealed-store.js";
import type { Registry } from "./registry/registry.js";
import { END_OF_TIME } from "./write/staging.js";

/** A metric that was forgotten, and the log file with the record. */
export interface Forgotten {
  readonly id: number;
  readonly file: number;
}

/** Applies the records of a log in order. */
export class LogReplay implements RecoveryVisitor {
  readonly #head: Head;
  readonly #registry: Registry;
  readonly #store: Pick<OpenedStore, "addDelete">;
  readonly #scratch = new PagePoints();
  #file = 0;
  readonly forgotten: Forgotten[] = [];

  constructor(head: Head, registry: Registry, store: Pick<OpenedStore, "addDelete">) {
    this.#head = head;
    this.#registry = registry;
    this.#store = store;
  }

  file(number: number): void {
    this.#file = number;
  }

  define(id: number, type: MetricType, canonical: Uint8Array): void {
    this.#registry.recover(id, type, canonical);
  }

  points(n: number, ids: Uint32Array, times: Float64Array, values: Values64, areInt64: boolean): void {
    let isOneTime = true;
    let greatest = 0;
    for (let i = 0; i < n; i++) {
      if (times[i] !== times[0]) isOneTime = false;
      if (ids[i]! > greatest) greatest = ids[i]!;
    }
    // Their definitions may have been damaged and skipped.
    this.#registry.keepFree(greatest);
    if (isOneTime) this.#head.addScrape(times[0]!, ids, n, values, 0, areInt64, this.#file);
    else this.#head.addPoints(ids, times, n, values, areInt64, this.#file);
  }

  delete(id: number, from: number, to: number): void {
    this.#registry.keepFree(id);
    this.#head.remove(id, from, to, this.#scratch);
    this.#store.addDelete({ id, from, to, file: this.#file });
  }

  forget(id: number): void {
    this.#registry.keepFree(id);
    this.#head.remove(id, 0, END_OF_TIME, this.#scratch);
    this.forgotten.push({ id, file: this.#file });
  }

  synced(): void {}
}
