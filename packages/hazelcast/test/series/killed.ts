/** A member is killed while 64 writers write into each of two stores. With one backup no acknowledged point is lost. */
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openSeries, type Series } from "@moonpack/series";
import { expect, test } from "vitest";
import { hazelcast } from "../../src/series/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { until } from "../harness/until.ts";
import { seriesClient } from "./clients.ts";

const WRITERS = 64;
/** Rounds of pages that are written before and after the kill. */
const ROUNDS = 5;
const SECOND = 1000;
const HOUR = 3600 * SECOND;

export function killed(clusterOf: () => TestCluster): void {
  test("no acknowledged point is lost, with batch and sync", async () => {
    const cluster = clusterOf();
    const client = await seriesClient(cluster);
    const loads = await Promise.all(
      (["batch", "sync"] as const).map(async (durability) => {
        const path = mkdtempSync(join(tmpdir(), "moonpack-series-"));
        const driver = hazelcast(client, { name: `killed-${randomUUID()}` });
        const open = () => openSeries({ path, driver, durability, rollupAfter: "1h" });
        return new Load(open, await open());
      }),
    );
    for (const load of loads) load.start();
    await until(() => loads.every(({ rounds }) => rounds >= ROUNDS));
    await cluster.untilSafe();
    await cluster.killMember(cluster.ports[0]!);
    const before = loads.map(({ rounds }) => rounds);
    await until(() => loads.every(({ rounds }, i) => rounds >= before[i]! + ROUNDS));
    for (const load of loads) {
      await load.stop();
      expect(await load.check()).toBeGreaterThan(WRITERS * 10);
    }
  }, 240_000);
}

/** The writers of one store, with rounds of sealing. */
class Load {
  /** Successful rounds. */
  rounds = 0;
  readonly #open: () => Promise<Series>;
  readonly #series: Series;
  /** For each writer: the acknowledged points, and all points that were sent. */
  readonly #acknowledged: Map<number, number>[] = Array.from({ length: WRITERS }, () => new Map());
  readonly #sent: Map<number, Set<number>>[] = Array.from({ length: WRITERS }, () => new Map());
  readonly #start = Date.now() - 5 * HOUR;
  #isRunning = false;
  #work: Promise<unknown>[] = [];

  constructor(open: () => Promise<Series>, series: Series) {
    this.#open = open;
    this.#series = series;
  }

  start(): void {
    this.#isRunning = true;
    this.#work = [this.#seal(), ...Array.from({ length: WRITERS }, (_, writer) => this.#write(writer))];
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#work);
    await this.#series.close();
  }

  /** Opens the store again, reads all points from the cluster, and returns their number. */
  async check(): Promise<number> {
    const series = await this.#open();
    let count = 0;
    for (let writer = 0; writer < WRITERS; writer++) {
      const read = new Map<number, number | bigint>();
      for (const { timestamp, value } of await series.query({ metric: metricOf(writer) }).toArray())
        read.set(timestamp, value);
      count += read.size;
      const lost = [...this.#acknowledged[writer]!].filter(
        ([time, value]) => !read.has(time) || (read.get(time) as number) < value,
      );
      expect(lost).toEqual([]);
      const wrong = [...read].filter(([time, value]) => this.#sent[writer]!.get(time)?.has(Number(value)) !== true);
      expect(wrong).toEqual([]);
    }
    await series.close();
    return count;
  }

  /** Repeats timestamps with greater values, so that pages are read, merged and written again. */
  async #write(writer: number): Promise<void> {
    for (let i = 0; this.#isRunning; i++) {
      const timestamp = this.#start + ((i * 7919) % 400) * 37 * SECOND;
      const sent = this.#sent[writer]!.get(timestamp) ?? new Set();
      this.#sent[writer]!.set(timestamp, sent.add(i));
      try {
        await this.#series.write([{ metric: metricOf(writer), timestamp, value: i }]);
        this.#acknowledged[writer]!.set(timestamp, i);
      } catch {
        // It is unknown whether the point was written. A failed round is repeated every second.
        await pause(100);
      }
      await pause(5);
    }
  }

  async #seal(): Promise<void> {
    while (this.#isRunning) {
      try {
        await this.#series.flush();
        if (this.rounds % ROUNDS === 0) await this.#series.compact();
        this.rounds++;
      } catch {
        await pause(100);
      }
    }
  }
}

function metricOf(writer: number) {
  return { name: "load", tags: { writer: String(writer) } };
}
