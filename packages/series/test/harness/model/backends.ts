/** Stores that a model is run on, and what is left of them after a crash. */
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { memory } from "../../../build/drivers/index.js";
import { openSeries } from "../../../build/index.js";
import { openWith } from "../../../build/open.js";
import { readOptions } from "../../../build/options.js";
import type { Series, SeriesOptions } from "../../../src/api.ts";
import type { Driver } from "../../../src/drivers/driver.ts";
import { ForgetfulFileSystem } from "../forgetful-file-system.ts";
import { KeptMemory } from "../kept-memory.ts";
import { TestDriver } from "../test-driver.ts";
import { copyLog, copyQuiet, halted } from "./crash.ts";

/** How many turns of the event loop a call of the driver waits. */
export type Delay = () => number;

/** A place where a store is, or was. */
export interface Backend {
  /** False where all is lost with the store. */
  readonly keeps: boolean;
  /** False where a loss of power cannot be simulated. */
  readonly losesPower: boolean;
  open(options: SeriesOptions, delay: Delay): Promise<Series>;
  /** Returns the state for the next process after a kill at this moment. */
  kill(): Promise<Backend>;
  /** Returns the state for the next process after a power failure at this moment. */
  powerLoss(chance: () => number): Backend;
  /** Opens a backup that was made in a folder. */
  openBackup(path: string, options: SeriesOptions): Promise<Series>;
}

export function waits(driver: TestDriver, delay: Delay): TestDriver {
  driver.before = async () => {
    for (let n = delay(); n > 0; n--) await nextTurn();
  };
  return driver;
}

/** `memory()`: no log, and all is lost with the store. */
export class MemoryBackend implements Backend {
  readonly keeps = false;
  readonly losesPower = false;

  async open(options: SeriesOptions, delay: Delay): Promise<Series> {
    return await openSeries({ ...options, driver: waits(new TestDriver(memory()), delay) });
  }

  async kill(): Promise<Backend> {
    return new MemoryBackend();
  }

  powerLoss(): never {
    throw new Error("a loss of power is not simulated here");
  }

  async openBackup(): Promise<Series> {
    throw new Error("a database in memory has no backup");
  }
}

/** Log and database in memory, of test layers that know what is on the medium. `path` is a folder that exists, for `owner.json`. */
export class KeptBackend implements Backend {
  readonly keeps = true;
  readonly losesPower = true;
  readonly #path: string;
  readonly #files: ForgetfulFileSystem;
  readonly #databases: KeptMemory;

  constructor(path: string, files = new ForgetfulFileSystem(), databases = new KeptMemory()) {
    this.#path = path;
    this.#files = files;
    this.#databases = databases;
  }

  async open(options: SeriesOptions, delay: Delay): Promise<Series> {
    const driver = waits(new TestDriver(this.#databases.driver()), delay);
    return await openWith(readOptions({ ...options, path: this.#path, driver }), this.#files);
  }

  async kill(): Promise<Backend> {
    return new KeptBackend(this.#path, this.#files.afterKill(), this.#databases.afterKill());
  }

  powerLoss(chance: () => number): Backend {
    return new KeptBackend(this.#path, this.#files.afterPowerLoss(chance), this.#databases.afterPowerLoss(chance));
  }

  async openBackup(path: string, options: SeriesOptions): Promise<Series> {
    const driver = this.#databases.driver();
    return await openWith(readOptions({ ...options, path, driver }), this.#files);
  }
}

/** A folder with a database of a real driver. A crash is a copy of the folder while no call of the driver is running. */
export class FolderBackend implements Backend {
  readonly keeps = true;
  readonly losesPower = false;
  readonly #folder: string;
  readonly #make: () => Driver;
  readonly #number: number;
  readonly #counter: { last: number };
  #driver: TestDriver | undefined;

  constructor(folder: string, make: () => Driver, counter = { last: 0 }) {
    this.#folder = folder;
    this.#make = make;
    this.#counter = counter;
    this.#number = ++counter.last;
  }

  get #path(): string {
    return join(this.#folder, `store${this.#number}`);
  }

  async open(options: SeriesOptions, delay: Delay): Promise<Series> {
    this.#driver = waits(new TestDriver(this.#make()), delay);
    return await openSeries({ ...options, path: this.#path, driver: this.#driver });
  }

  async kill(): Promise<Backend> {
    const next = new FolderBackend(this.#folder, this.#make, this.#counter);
    const goOn = await halted(this.#driver!);
    await copyQuiet(join(this.#path, "kv"), join(next.#path, "kv"));
    await copyLog(this.#path, next.#path);
    goOn();
    return next;
  }

  powerLoss(): never {
    throw new Error("a loss of power is not simulated here");
  }

  async openBackup(path: string, options: SeriesOptions): Promise<Series> {
    return await openSeries({ ...options, path, driver: this.#make() });
  }
}
