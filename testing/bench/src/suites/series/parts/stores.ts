/** Stores that several parts read, made when first used. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { runScript } from "../../../measure/child.js";
import { progress } from "../../../progress.js";
import type { DriverName } from "../jobs/drivers.js";
import type { FillJob, Sizes } from "../jobs/fill.js";
import { TICKS_A_MINUTE, TICKS_AN_HOUR } from "../load.js";
import type { Scale } from "../scale.js";

/** A store on disk. */
export interface Stored {
  readonly store: DriverName;
  readonly folder: string;
  readonly metrics: number;
  readonly ticks: number;
  readonly sizes: Sizes;
}

/** The content of a store. */
type StoredSize = Pick<FillJob, "metrics" | "ticks" | "rollUp">;

const CHILD = new URL("../child.js", import.meta.url);

/** The stores of a run: all with uniform integers. */
export class Stores {
  readonly #folder: string;
  readonly #scale: Scale;
  readonly #made = new Map<string, Promise<Stored>>();

  constructor(folder: string, scale: Scale) {
    this.#folder = folder;
    this.#scale = scale;
  }

  /** The article's load over minutes. */
  minutes(): Promise<Stored> {
    const { metrics, storeMinutes } = this.#scale;
    return this.#get("minutes", { metrics, ticks: storeMinutes * TICKS_A_MINUTE, rollUp: false });
  }

  /** The article's load over minutes, in a store of files. */
  files(): Promise<Stored> {
    const { metrics, storeMinutes } = this.#scale;
    return this.#get("files", { metrics, ticks: storeMinutes * TICKS_A_MINUTE, rollUp: false }, "files");
  }

  /** Fewer metrics over hours, which are rolled up. */
  hours(): Promise<Stored> {
    const { hourMetrics, hours } = this.#scale;
    return this.#get("hours", { metrics: hourMetrics, ticks: hours * TICKS_AN_HOUR, rollUp: true });
  }

  /** A few metrics over a day, which is rolled up. */
  day(): Promise<Stored> {
    const { dayMetrics, dayHours } = this.#scale;
    return this.#get("day", { metrics: dayMetrics, ticks: dayHours * TICKS_AN_HOUR, rollUp: true });
  }

  #get(name: string, size: StoredSize, store: DriverName = "rocksdb"): Promise<Stored> {
    let made = this.#made.get(name);
    if (made === undefined) {
      made = this.#make(name, size, store);
      this.#made.set(name, made);
    }
    return made;
  }

  async #make(name: string, size: StoredSize, store: DriverName): Promise<Stored> {
    progress(`series: a store of ${name}, ${size.metrics * size.ticks} points`);
    const folder = mkdtempSync(join(this.#folder, `${name}-`));
    const job: FillJob = { kind: "fill", store, folder, values: "uniform", ...size };
    return { store, folder, ...size, sizes: await runScript<Sizes>(CHILD, [JSON.stringify(job)]) };
  }
}
