/** The suite of time series: its values, the ways to write, the peers, and what would be measured wrongly. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSeries } from "@moonpack/series";
import { afterAll, describe, expect, test } from "vitest";
import type { LimitBar } from "../../src/bars/bar.ts";
import { evaluateBars } from "../../src/bars/evaluate.ts";
import { folderBytes } from "../../src/suites/series/folder.ts";
import { across } from "../../src/suites/series/jobs/across.ts";
import { backfill } from "../../src/suites/series/jobs/backfill.ts";
import { besideReader } from "../../src/suites/series/jobs/beside.ts";
import { blockSizes } from "../../src/suites/series/jobs/block-sizes.ts";
import { fill } from "../../src/suites/series/jobs/fill.ts";
import { fillOpened, open } from "../../src/suites/series/jobs/opening.ts";
import { read } from "../../src/suites/series/jobs/reads.ts";
import { fillHosts, select } from "../../src/suites/series/jobs/select.ts";
import { stall } from "../../src/suites/series/jobs/stall.ts";
import { ways } from "../../src/suites/series/jobs/ways.ts";
import { write } from "../../src/suites/series/jobs/write.ts";
import { loadMetrics, START, TICKS_A_MINUTE, TICKS_AN_HOUR, timeOf } from "../../src/suites/series/load.ts";
import { peers } from "../../src/suites/series/peers/index.ts";
import { checkPoints, peerWork } from "../../src/suites/series/peers/work.ts";
import { findKind, kinds, uniformValue } from "../../src/suites/series/values.ts";
import { weatherSeries } from "../../src/suites/series/weather.ts";

const root = mkdtempSync(join(tmpdir(), "moonpack-series-bench-"));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = () => join(root, `${folders++}`);

/** The values of a kind, tick by tick. */
function valuesOf(id: string, metrics: number, ticks: number): number[][] {
  const next = findKind(id).start(metrics);
  const values = new Float64Array(metrics);
  return Array.from({ length: ticks }, (_, tick) => {
    next(tick, values);
    return [...values];
  });
}

describe("values", () => {
  test.each(kinds.map(({ id }) => id))("%s are the same in every run", (id) => {
    expect(valuesOf(id, 20, 30)).toEqual(valuesOf(id, 20, 30));
  });

  test("uniform integers have the entropy of 1,001 values, and so have their steps from tick to tick", () => {
    const counts = new Map<number, number>();
    const steps = new Set<number>();
    const n = 400_000;
    for (let i = 0; i < n; i++) {
      const value = uniformValue(i % 1000, Math.floor(i / 1000));
      counts.set(value, (counts.get(value) ?? 0) + 1);
      steps.add(value - uniformValue(i % 1000, Math.floor(i / 1000) + 1));
    }
    expect([Math.min(...counts.keys()), Math.max(...counts.keys())]).toEqual([0, 1000]);
    let bits = 0;
    for (const count of counts.values()) bits -= (count / n) * Math.log2(count / n);
    expect(bits).toBeGreaterThan(Math.log2(1001) - 0.01);
    expect(steps.size).toBeGreaterThan(1900);
  });

  test("walks go a few integers up or down, counters never fall, constants stay", () => {
    const steps = (id: string) => {
      const values = valuesOf(id, 50, 40);
      return values.slice(1).flatMap((row, tick) => row.map((value, metric) => value - values[tick]![metric]!));
    };
    const walk = steps("walk");
    expect([Math.min(...walk), Math.max(...walk)]).toEqual([-5, 5]);
    const counters = steps("counters");
    expect(Math.min(...counters)).toBe(0);
    expect(Math.max(...counters)).toBeGreaterThan(50);
    expect(new Set(steps("constant"))).toEqual(new Set([0]));
  });

  test("decimals have two digits behind the point", () => {
    for (const kind of ["decimals", "decimal-walk"])
      for (const value of valuesOf(kind, 50, 20).flat()) expect(Number(value.toFixed(2))).toBe(value);
  });

  test("the weather is 11 series of numbers with at most one decimal", () => {
    const series = weatherSeries();
    expect(series.map(({ length }) => length)).toEqual([...Array(8).fill(1461), 8759, 8759, 8759]);
    for (const value of series.flatMap((each) => [...each])) expect(Number(value.toFixed(1))).toBe(value);
  });
});

describe("jobs", () => {
  const size = { metrics: 40, ticks: TICKS_A_MINUTE + 3 };

  test.each(ways.map(({ id }) => id))("%s writes every point, which is read back", async (way) => {
    const result = await write({ kind: "write", folder: newFolder(), way, durability: "batch", ...size });
    expect(result.pointsPerSecond).toBeGreaterThan(0);
  });

  test("a store has minutes, or hours when they are rolled up", async () => {
    const job = { kind: "fill", store: "rocksdb", values: "uniform", metrics: 160 } as const;
    const minutes = await fill({ ...job, folder: newFolder(), ticks: TICKS_A_MINUTE, rollUp: false });
    expect(minutes.minutes).toBeGreaterThan(1.25);
    expect(minutes.minutes).toBeLessThan(1.6);
    expect(minutes.hours).toBe(0);
    const hours = await fill({ ...job, folder: newFolder(), ticks: TICKS_AN_HOUR, rollUp: true });
    expect(hours.minutes).toBe(0);
    expect(hours.hours).toBeGreaterThan(1.25);
    expect(hours.hours).toBeLessThan(1.35);
    expect(hours.whole).toBeGreaterThan(hours.hours);
  });

  test("sealing and a roll-up cause the stalls", async () => {
    const job = { kind: "stall", durability: "batch", metrics: 40, ticks: 3 * TICKS_A_MINUTE } as const;
    const { longest, call } = await stall({ ...job, folder: newFolder(), pointsPerSecond: 50_000 });
    expect(longest).toBeGreaterThan(0);
    expect(call).toBeGreaterThan(0);
  });

  test("selections find the metrics that they must", async () => {
    const folder = newFolder();
    const size = { store: "files", folder, hosts: 72 } as const;
    await fillHosts({ kind: "fill-hosts", ...size });
    const hits = async (by: "host" | "zone" | "both" | "expression") =>
      (await select({ kind: "select", ...size, by, selections: 3, whole: 2 })).hits;
    expect(await hits("host")).toEqual([100, 100]);
    expect(await hits("zone")).toEqual([200, 100]);
    expect(await hits("both")).toEqual([2, 1]);
    expect(await hits("expression")).toEqual([7, 7]);
  });
});

describe("jobs on files", () => {
  test("all databases find the same across metrics", async () => {
    const size = { kind: "across", metrics: 2000, ticks: 25, rounds: 1 } as const;
    const found = async (store: "files" | "rocksdb" | "duckdb") => {
      const folder = newFolder();
      mkdirSync(folder);
      return (await across({ ...size, store, folder })).found;
    };
    const files = await found("files");
    expect(Object.values(files).every((sum) => sum > 0)).toBe(true);
    expect(await found("rocksdb")).toEqual(files);
    expect(await found("duckdb")).toEqual(files);
  });

  test.each(["files", "rocksdb", "duckdb"] as const)("the history of sensors in %s is complete", async (store) => {
    const folder = newFolder();
    mkdirSync(folder);
    const result = await backfill({ kind: "backfill", store, folder, sensors: 2, days: 3, every: 600_000 });
    expect(result.pointsPerSecond).toBeGreaterThan(0);
  });

  test("constants take less than walks, and hourly values more", async () => {
    const size = { kind: "block-sizes", metrics: 100, ticks: 400, every: 3000 } as const;
    const constant = await blockSizes({ ...size, folder: newFolder(), values: "constant" });
    const walk = await blockSizes({ ...size, folder: newFolder(), values: "walk" });
    const uniform = await blockSizes({ ...size, folder: newFolder(), values: "uniform" });
    expect(constant.blocks).toBeLessThan(walk.blocks);
    expect(walk.blocks).toBeLessThan(uniform.blocks);
    expect(uniform.blocks).toBeLessThan(uniform.whole);
  });

  test("a store is opened and closed", async () => {
    const size = { store: "files", folder: newFolder(), metrics: 100, ticks: 30, every: 3_600_000 } as const;
    await fillOpened({ kind: "fill-opened", ...size });
    for (let i = 0; i < 2; i++) {
      const { open: opened, close } = await open({ kind: "open", ...size });
      expect(Math.min(opened, close)).toBeGreaterThan(0);
    }
  });

  test.each(["memory", "system"] as const)("minutes are read from %s", async (from) => {
    const size = { store: "files", folder: newFolder(), metrics: 40, ticks: TICKS_A_MINUTE * 2 } as const;
    await fill({ kind: "fill", values: "uniform", ...size, rollUp: false });
    const job = { span: TICKS_A_MINUTE, reads: 20, warmUp: 1, rounds: 2, from, seed: 1 };
    expect((await read({ kind: "read", ...size, ...job })).rounds).toHaveLength(2);
  });

  test("a reader detects another value", async () => {
    const folder = newFolder();
    const metrics = 10;
    const start = Date.now() - 60_000;
    const series = await openSeries({ path: folder });
    const set = await series.metricSet(loadMetrics(metrics));
    const write = async (error: number) => {
      for (let tick = 0; tick < 600; tick++) {
        const values = Float64Array.from({ length: metrics }, (_, i) => uniformValue(i, tick) + error);
        await series.writeScrape(start + tick * 100, set, values);
      }
    };
    const job = { kind: "beside-reader", folder, metrics, seconds: 0.3, start, seed: 1 } as const;
    await write(0);
    const { lags } = await besideReader(job);
    expect(lags.length).toBeGreaterThan(0);
    await write(1);
    await expect(besideReader(job)).rejects.toThrow("has another value");
    await series.close();
  });
});

describe("peers", () => {
  const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined;
  const able = peers.filter(({ id }) => id !== "sqlite" || hasSqlite);

  test.each(able.map(({ id }) => id))("%s returns what was written, and its reads are counted", async (peer) => {
    const folder = newFolder();
    const size = { metrics: 20, ticks: 2 * TICKS_A_MINUTE };
    const job = { peer, durability: "sync", ...size, compact: false, readMs: 40 } as const;
    await peerWork({ kind: "check", folder: newFolder(), ...job });
    await peerWork({ kind: "write", folder, ...job });
    const reads = await peerWork({ kind: "read", folder, ...job });
    expect(reads).toEqual({ minute: expect.any(Number), metric: expect.any(Number) });
  });

  test.each<[string, number[], number[]]>([
    ["a point that is missing", [START], [uniformValue(3, 0)]],
    ["another value", [START, timeOf(1)], [uniformValue(3, 0), uniformValue(3, 1) + 1]],
    ["another time", [START, timeOf(1) + 1], [uniformValue(3, 0), uniformValue(3, 1)]],
    ["a point too many", [START, timeOf(1), timeOf(2)], [0, 1, 2].map((tick) => uniformValue(3, tick))],
  ])("%s is detected", (_what, times, values) => {
    const points = { times: Float64Array.from(times), values: Float64Array.from(values) };
    expect(() => checkPoints("peer", 3, 0, 2, points)).toThrow("peer returned other points of metric 3");
  });
});

test("the bytes of a folder include all its files", () => {
  const folder = newFolder();
  mkdirSync(join(folder, "inner"), { recursive: true });
  writeFileSync(join(folder, "a"), Buffer.alloc(100));
  writeFileSync(join(folder, "inner/b"), Buffer.alloc(23));
  expect(folderBytes(folder)).toBe(123);
});

test("a goal that is missed is shown as such, and so is one that was not measured", () => {
  const limit = (row: string): LimitBar => ({
    kind: "limit",
    suite: "series",
    table: "write",
    row,
    column: "peak",
    atMost: 2,
  });
  const table = {
    id: "write",
    title: "Writing",
    text: "",
    unit: "ratio",
    columns: [{ id: "peak", title: "peak" }],
    rows: [
      { id: "met", title: "met", values: { peak: 2 } },
      { id: "missed", title: "missed", values: { peak: 2.5 } },
    ],
  };
  const head = { suite: "series", date: "", quick: false, environment: { node: "", v8: "", platform: "", cpus: 2 } };
  const result = { ...head, versions: {}, tables: [table] };
  const lines = evaluateBars(() => result, ["met", "missed", "absent"].map(limit));
  expect(lines.map(({ wanted, measured, met }) => [wanted, measured, met])).toEqual([
    ["<= 2.00", "2.00", true],
    ["<= 2.00", "2.50", false],
    ["<= 2.00", undefined, false],
  ]);
});
