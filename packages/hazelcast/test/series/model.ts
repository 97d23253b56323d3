/** The model test of the embedded drivers, on a cluster. */
import { createHash, randomUUID } from "node:crypto";
import { cp } from "node:fs/promises";
import { join, relative } from "node:path";
import { openSeries, type Series, type SeriesOptions } from "@moonpack/series";
import type { Backend, Delay } from "@moonpack/series/test/harness/model/backends.ts";
import { checkModel } from "@moonpack/series/test/harness/model/check.ts";
import { kv, type SeriesDatabase } from "@moonpack/series-kv";
import { waits } from "@moonpack/series-kv/test/harness/backends.ts";
import { copyLog, halted } from "@moonpack/series-kv/test/harness/crash.ts";
import { TestDriver } from "@moonpack/series-kv/test/harness/test-driver.ts";
import { SHARE } from "@moonpack/tools/share";
import type { Client } from "hazelcast-client";
import { afterEach, beforeAll, test } from "vitest";
import { hazelcast } from "../../src/series/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { destroy, seriesClient } from "./clients.ts";

/** Runs of the model, and commands of each. */
const RUNS = SHARE < 1 ? 1 : 6;
const COMMANDS = SHARE < 1 ? 25 : 40;
const COLUMNS = ["meta", "metrics", "index", "minutes", "hours"];

export function model(clusterOf: () => TestCluster): void {
  let client: Client;
  const base = `model-${randomUUID()}`;
  beforeAll(async () => {
    client = await seriesClient(clusterOf());
  });
  afterEach(() => destroy(client, base));

  test("random calls against plain Maps: crashes, reopening, backups, roll-up, retention", async () => {
    const backend = (folder: string) => new ClusterBackend(client, base, folder);
    await checkModel({ seed: 3000, runs: RUNS, length: COMMANDS, backend });
  });
}

/** A store on the cluster with its log in a folder. A crash is a copy of both while no call of the driver is running. */
class ClusterBackend implements Backend {
  readonly keeps = true;
  readonly losesPower = false;
  readonly summarizes = false;
  readonly #client: Client;
  readonly #base: string;
  readonly #folder: string;
  readonly #counter: { last: number };
  readonly #path: string;
  #driver: TestDriver | undefined;

  constructor(client: Client, base: string, folder: string, counter = { last: 0 }) {
    this.#client = client;
    this.#base = base;
    this.#folder = folder;
    this.#counter = counter;
    this.#path = join(folder, `store${++counter.last}`);
  }

  async open(options: SeriesOptions, delay: Delay): Promise<Series> {
    this.#driver = waits(new TestDriver(this.#make()), delay);
    return await openSeries({ ...options, path: this.#path, driver: this.#driver });
  }

  async kill(): Promise<Backend> {
    const next = new ClusterBackend(this.#client, this.#base, this.#folder, this.#counter);
    const goOn = await halted(this.#driver!);
    await this.#copyTo(next);
    goOn();
    return next;
  }

  powerLoss(): never {
    throw new Error("a loss of power is not simulated here");
  }

  async openBackup(path: string, options: SeriesOptions): Promise<Series> {
    return await openSeries({ ...options, path, driver: this.#make() });
  }

  /** Each folder has a separate store, also for backups: a driver has one store only. */
  #make(): SeriesDatabase {
    return kv({
      name: "hazelcast",
      open: (path, options) => hazelcast(this.#client, { name: this.#nameOf(path!) }).open(path, options),
    });
  }

  #nameOf(path: string): string {
    const hash = createHash("sha256").update(`${this.#folder} ${relative(this.#folder, path)}`);
    return `${this.#base}.${hash.digest("hex").slice(0, 16)}`;
  }

  async #copyTo(next: ClusterBackend): Promise<void> {
    const [from, to] = [this.#nameOf(join(this.#path, "kv")), next.#nameOf(join(next.#path, "kv"))];
    for (const column of COLUMNS) {
      const source = await this.#client.getMap(`${from}.${column}`);
      await (await this.#client.getMap(`${to}.${column}`)).setAll(await source.entrySet());
    }
    const control = await this.#client.getMap(`${from}:store`);
    await (await this.#client.getMap(`${to}:store`)).set("identity", await control.get("identity"));
    await cp(join(this.#path, "kv"), join(next.#path, "kv"), { recursive: true });
    await copyLog(this.#path, next.#path);
  }
}
