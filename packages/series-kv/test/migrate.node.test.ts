/** Migration of a store in a database to a store of files: everything is there, with the same ids, also after kills. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type MigrationProgress, migrate, openSeries, type Series, type SeriesDriver } from "@moonpack/series";
import { classicLevel, rocksdb } from "@moonpack/series-kv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "moonpack-migrate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let paths = 0;
const newPath = () => join(folder, `store${++paths}`);

const WEEK = 604_800_000;
const NOW = 2900 * WEEK + 1000 * 3600;
const METRICS = 40;

async function fill(path: string, driver: SeriesDriver): Promise<void> {
  const series = await openSeries({ path, driver, now: () => NOW });
  const set = await series.metricSet(
    Array.from({ length: METRICS }, (_, i) => ({ name: "m", tags: { i: String(i), long: "x".repeat(900) } })),
  );
  const counter = await series.metric({ name: "n", type: "int64" });
  await series.metric({ name: "without points" });
  // The weeks 2000, 2001, 2890 to 2899; times that metrics share, times of one metric, and special values.
  for (const week of [2000, 2001, ...Array.from({ length: 10 }, (_, i) => 2890 + i)]) {
    for (let i = 0; i < 40; i++) {
      const values = Float64Array.from({ length: METRICS }, (_, k) => week + k + i / 8);
      values[i % METRICS] = [Number.NaN, Infinity, -0, 0.1][i % 4]!;
      await series.writeScrape(week * WEEK + i * 3000, set, values);
    }
    const times = Float64Array.from({ length: 700 }, (_, i) => (week + 1) * WEEK - 1 - 500 * i - (i % 7));
    await series.writeColumn(
      counter,
      times,
      BigInt64Array.from({ length: 700 }, (_, i) => 2n ** 60n + BigInt(week * i)),
    );
  }
  await series.flush();
  await series.delete({ metric: { name: "m", tags: { i: "3", long: "x".repeat(900) } } });
  await series.delete({ metric: counter, from: 2890 * WEEK, to: 2891 * WEEK - 1000 });
  // These are only in the log.
  await series.writeScrape(NOW - 1000, await series.metricSet([{ name: "new" }]), Float64Array.of(7));
  await series.write([{ metric: { name: "m", tags: { i: "3" } }, timestamp: NOW, value: 8 }]);
  await series.close();
}

async function contentOf(series: Series): Promise<string[]> {
  const lines: string[] = [];
  for await (const { metric, points } of series.select({})) {
    lines.push(`${metric.id} ${metric.name} ${JSON.stringify(metric.tags)} ${metric.type}`);
    for await (const { timestamp, value } of points) lines.push(`${timestamp} ${Object.is(value, -0) ? "-0" : value}`);
  }
  return lines;
}

async function contentAt(path: string, driver?: SeriesDriver): Promise<string[]> {
  const series = await openSeries({ path, ...(driver && { driver }), readOnly: true, now: () => NOW });
  try {
    expect(await series.check()).toEqual([]);
    return await contentOf(series);
  } finally {
    await series.close();
  }
}

describe.each([
  ["rocksdb", rocksdb],
  ["classic-level", classicLevel],
] as const)("%s", (name, driver) => {
  const old = newPath();
  let content: string[];
  beforeAll(async () => {
    await fill(old, driver());
    content = await contentAt(old, driver());
  });

  test("all metrics and points, with the same ids, and no id twice later", async () => {
    const to = newPath();
    const progress: MigrationProgress[] = [];
    const result = await migrate({ path: old, driver: driver() }, to, { onProgress: (one) => progress.push(one) });
    expect(result.metrics).toBe(METRICS + 3);
    expect(result.points).toBe(content.length - result.metrics);
    expect(await contentAt(to)).toEqual(content);
    expect(await contentAt(old, driver())).toEqual(content);
    const weeks = progress.flatMap(({ phase, week }) => (phase === "copy" ? [week! / WEEK] : []));
    expect([...new Set(weeks)]).toEqual([2000, 2001, ...Array.from({ length: 10 }, (_, i) => 2890 + i), 2900]);
    expect(progress.at(-1)).toEqual({ phase: "compare", points: result.points });
    // One block for each week.
    expect(readdirSync(join(to, "blocks"))).toHaveLength(13);
    const series = await openSeries({ path: to, now: () => NOW });
    expect((await series.metric({ name: "later" })).id).toBe(METRICS + 4);
    expect(await series.write([{ metric: { name: "later" }, timestamp: NOW + 60_000, value: 1 }])).toMatchObject({
      late: 0,
    });
    await series.close();
    expect(await contentAt(to)).toEqual([...content, `${METRICS + 4} later {} float`, `${NOW + 60_000} 1`]);
  });

  test("a killed migration cannot be opened, and continues", async () => {
    const to = newPath();
    let kills = 0;
    const begun = new Set<string>();
    for (let result = ""; result === ""; ) {
      const program = join(import.meta.dirname, "programs/migrating.mjs");
      const child = spawn(process.execPath, [program, old, to, name], { stdio: ["ignore", "pipe", "inherit"] });
      let text = "";
      const ended = once(child, "exit");
      child.stdout.on("data", (chunk) => {
        text += chunk;
        const lines = text.split("\n").slice(0, -1);
        for (const line of lines) begun.add(line);
        if (lines.at(-1)?.startsWith("{")) result = lines.at(-1)!;
        // Two weeks further each time.
        else if (lines.length > 2) child.kill("SIGKILL");
      });
      const [code, signal] = await ended;
      expect(signal ?? code).toBe(result === "" ? "SIGKILL" : 0);
      if (result !== "") break;
      kills++;
      for (const readOnly of [true, false])
        await expect(openSeries({ path: to, readOnly })).rejects.toMatchObject({
          code: "ERR_SERIES_CORRUPT",
          message: expect.stringContaining("was not finished: migrate again, or delete it"),
        });
      await sleep(10);
    }
    expect(kills).toBeGreaterThan(2);
    expect(await contentAt(to)).toEqual(content);
  });

  test("an aborted migration continues; not if another store was written in between", async () => {
    const to = newPath();
    const changed = newPath();
    cpSync(old, changed, { recursive: true });
    const controller = new AbortController();
    const onProgress = ({ points }: MigrationProgress) => points > 5000 && controller.abort();
    const { signal } = controller;
    await expect(migrate({ path: changed, driver: driver() }, to, { signal, onProgress })).rejects.toMatchObject({
      code: "ERR_ABORTED",
    });
    const series = await openSeries({ path: changed, driver: driver(), now: () => NOW });
    await series.write([{ metric: { name: "new" }, timestamp: 2000 * WEEK, value: 1 }]);
    await series.close();
    await expect(migrate({ path: changed, driver: driver() }, to)).rejects.toMatchObject({
      code: "ERR_SERIES_STORE",
      message: expect.stringContaining("the copy of new differs"),
    });
    await expect(openSeries({ path: to })).rejects.toMatchObject({ code: "ERR_SERIES_CORRUPT" });
    await expect(migrate({ path: old, driver: driver() }, to)).rejects.toMatchObject({
      code: "ERR_SERIES_STORE",
      message: expect.stringContaining(`has an unfinished migration of ${changed}: delete it`),
    });
  });
});

test("arguments that are wrong, and folders that are not new", async () => {
  const [old, to] = [newPath(), newPath()];
  const series = await openSeries({ path: old, driver: classicLevel(), now: () => NOW });
  await series.write([{ metric: { name: "m" }, timestamp: NOW, value: 1 }]);
  await series.close();
  const from = { path: old, driver: classicLevel() };
  for (const act of [
    () => migrate(from, ""),
    () => migrate(from, old),
    () => migrate(from, 5 as never),
    () => migrate(undefined as never, to),
    () => migrate({ ...from, retentoin: 5 } as never, to),
    () => migrate(from, to, { onprogress: () => {} } as never),
    () => migrate(from, to, { signal: {} } as never),
  ])
    await expect(act()).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  await expect(migrate({ path: to, driver: classicLevel() }, newPath())).rejects.toMatchObject({
    code: "ERR_SERIES_STORE",
  });
  expect(existsSync(to)).toBe(false);
  mkdirSync(to);
  writeFileSync(join(to, "mine.txt"), "mine");
  await expect(migrate(from, to)).rejects.toMatchObject({ code: "ERR_SERIES_STORE" });
  expect(readdirSync(to)).toEqual(["mine.txt"]);
  const file = newPath();
  writeFileSync(file, "mine");
  await expect(migrate(from, join(file, "below"))).rejects.toMatchObject({ code: "ERR_SERIES_STORE" });
  // A store of files, too, for example to merge all its blocks; options of the old store do not matter.
  const [copy, again] = [newPath(), newPath()];
  expect(await migrate({ ...from, unit: "s", retention: "1h" }, copy)).toEqual({ metrics: 1, points: 1 });
  expect(await migrate({ path: copy }, again)).toEqual({ metrics: 1, points: 1 });
});
