/** Stores in databases that a model is run on, and what is left of them after a crash. */
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Series, SeriesOptions } from "@moonpack/series";
import { ForgetfulFileSystem } from "@moonpack/series/test/harness/forgetful-file-system.ts";
import type { Backend, Delay } from "@moonpack/series/test/harness/model/backends.ts";
import { openSeries } from "../../../series/build/index.js";
import { openWith } from "../../../series/build/open.js";
import { readOptions } from "../../../series/build/options.js";
import { memoryDatabase, type SeriesDatabase } from "../../build/index.js";
import { copyLog, copyQuiet, halted } from "./crash.ts";
import { KeptMemory } from "./kept-memory.ts";
import { TestDriver } from "./test-driver.ts";

/** Each call of the driver waits for some iterations of the event loop. */
export function waits(driver: TestDriver, delay: Delay): TestDriver {
  driver.before = async () => {
    for (let n = delay(); n > 0; n--) await nextTurn();
  };
  return driver;
}

/** `memoryDatabase()`: no log, and all is lost with the store. */
export class MemoryBackend implements Backend {
  readonly keeps = false;
  readonly losesPower = false;
  readonly summarizes = false;

  async open(options: SeriesOptions, delay: Delay): Promise<Series> {
    return await openSeries({ ...options, driver: waits(new TestDriver(memoryDatabase()), delay) });
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
  readonly summarizes = false;
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
  readonly summarizes = false;
  readonly #folder: string;
  readonly #make: () => SeriesDatabase;
  readonly #number: number;
  readonly #counter: { last: number };
  #driver: TestDriver | undefined;

  constructor(folder: string, make: () => SeriesDatabase, counter = { last: 0 }) {
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
