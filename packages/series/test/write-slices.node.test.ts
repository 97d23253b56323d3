/**
 * Large calls are divided into slices, between which the event loop continues: bounds are counted, not timed. They keep the promises of small
 * calls: their order, all or nothing for a refused one, and that the caller's objects are its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { files, memory } from "../build/drivers/files.js";
import { Head } from "../build/head/head.js";
import { openSeries } from "../build/index.js";
import { CanonicalForms } from "../build/metric/canonical.js";
import { Registry } from "../build/registry/registry.js";
import type { NewPoint, Series, SeriesOptions } from "../src/api.ts";

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const MANY = 20_000;
/** Metrics, and points, of one iteration of the event loop. */
const METRICS_A_TURN = 512;
const POINTS_A_TURN = 4096;

const folder = mkdtempSync(join(tmpdir(), "moonpack-slices-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.restoreAllMocks());

let stores = 0;
const PLACES: Record<string, (name?: string) => SeriesOptions> = {
  files: (name = String(stores++)) => ({ driver: files(), path: join(folder, name), now: () => NOW }),
  memory: () => ({ driver: memory(), now: () => NOW }),
};

const metric = (i: number) => ({ name: "m", tags: { i: String(i), zone: `z${i % 7}` } });
const metrics = (n: number) => Array.from({ length: n }, (_, i) => metric(i));
const pointsOf = (n: number): NewPoint[] => metrics(n).map((one, i) => ({ metric: one, timestamp: NOW - 1, value: i }));

/** The greatest number of steps in one iteration of the event loop until `work` has ended, for each kind of steps, and the number of turns. */
async function busiestTurn(
  work: () => Promise<unknown>,
): Promise<{ creates: number; forms: number; points: number; turns: number }> {
  const now = { creates: 0, forms: 0, points: 0 };
  const most = { ...now };
  const { create } = Registry.prototype;
  vi.spyOn(Registry.prototype, "create").mockImplementation(function (this: Registry, ref) {
    now.creates++;
    return create.call(this, ref);
  });
  const { of } = CanonicalForms.prototype;
  vi.spyOn(CanonicalForms.prototype, "of").mockImplementation(function (this: CanonicalForms, ref) {
    now.forms++;
    return of.call(this, ref);
  });
  const { addPoints } = Head.prototype;
  vi.spyOn(Head.prototype, "addPoints").mockImplementation(function (this: Head, ...args) {
    now.points += args[2];
    addPoints.apply(this, args);
  });
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    for (const kind of ["creates", "forms", "points"] as const) {
      most[kind] = Math.max(most[kind], now[kind]);
      now[kind] = 0;
    }
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  turn();
  return { ...most, turns };
}

describe.each(Object.entries(PLACES))("%s", (_, place) => {
  test("write of new metrics", async () => {
    const series = await openSeries(place());
    const list = pointsOf(MANY);
    const { creates, forms, points, turns } = await busiestTurn(() => series.write(list));
    expect(creates).toBeGreaterThan(0);
    expect(creates).toBeLessThanOrEqual(METRICS_A_TURN);
    expect(forms).toBeLessThanOrEqual(2 * METRICS_A_TURN);
    expect(points).toBeLessThanOrEqual(POINTS_A_TURN);
    expect(turns).toBeGreaterThan((3 * MANY) / METRICS_A_TURN);
    expect(await series.stats()).toMatchObject({ metrics: MANY, points: MANY, headPoints: MANY });
    expect((await series.last(metric(MANY - 1)))?.value).toBe(MANY - 1);
    await series.close();
  });

  test("metricSet of new metrics, and again of known ones", async () => {
    const series = await openSeries(place());
    for (let i = 0; i < 2; i++) {
      const { creates, forms } = await busiestTurn(async () => {
        expect((await series.metricSet(metrics(MANY))).size).toBe(MANY);
      });
      expect(creates).toBeLessThanOrEqual(METRICS_A_TURN);
      expect(forms).toBeLessThanOrEqual(2 * METRICS_A_TURN);
      vi.restoreAllMocks();
    }
    expect((await series.stats()).metrics).toBe(MANY);
    await series.close();
  });

  test("the first column of 60 days", async () => {
    const series = await openSeries(place());
    const n = 60 * 24 * 60;
    const times = Float64Array.from({ length: n }, (_, i) => NOW - (n - i) * MINUTE);
    const { points, turns } = await busiestTurn(() => series.writeColumn(metric(0), times, times.slice().fill(1)));
    expect(points).toBe(POINTS_A_TURN);
    expect(turns).toBeGreaterThan(n / POINTS_A_TURN);
    expect((await series.stats()).headPoints).toBe(n);
    await series.close();
  });

  test("points of known metrics, of both types", async () => {
    const series = await openSeries(place());
    const float = await series.metric({ name: "f" });
    const int64 = await series.metric({ name: "i", type: "int64" });
    const list = Array.from({ length: MANY }, (_, i) => ({
      metric: i % 2 ? float : int64,
      timestamp: NOW - i,
      value: i,
    }));
    const { points } = await busiestTurn(() => series.write(list));
    expect(points).toBe(POINTS_A_TURN);
    expect((await series.query({ metric: float }).toArray()).length).toBe(MANY / 2);
    expect((await series.query({ metric: int64 }).toArray()).at(-1)).toEqual({ timestamp: NOW, value: 0n });
    await series.close();
  });

  test.each<[string, (list: NewPoint[]) => void, string]>([
    [
      "name",
      (list) => void (list[MANY - 1] = { metric: { name: "" }, timestamp: NOW, value: 1 }),
      "ERR_INVALID_METRIC",
    ],
    [
      "tag",
      (list) => void (list[MANY - 1] = { metric: { name: "a", tags: "x" as never }, timestamp: NOW, value: 1 }),
      "ERR_INVALID_METRIC",
    ],
    [
      "type",
      (list) => void (list[MANY - 1] = { metric: { ...metric(0), type: "int64" }, timestamp: NOW, value: 1 }),
      "ERR_SERIES_TYPE",
    ],
    ["time", (list) => void (list[MANY - 1] = { metric: metric(0), timestamp: -1, value: 1 }), "ERR_OUT_OF_RANGE"],
    ["value", (list) => void (list[MANY - 1] = { metric: metric(0), timestamp: NOW, value: 1n }), "ERR_SERIES_TYPE"],
  ])("a wrong %s at the end leaves no trace", async (_what, spoil, code) => {
    const series = await openSeries(place());
    const list = pointsOf(MANY);
    spoil(list);
    await expect(series.write(list)).rejects.toMatchObject({ code });
    if (code === "ERR_INVALID_METRIC")
      await expect(series.metricSet(list.map((point) => point.metric))).rejects.toMatchObject({ code });
    expect(await series.stats()).toMatchObject({ metrics: 0, points: 0, headPoints: 0 });
    await series.close();
  });

  test("calls take effect in their order, whichever are large", async () => {
    const series = await openSeries(place());
    const at = NOW - 1;
    const list = pointsOf(MANY);
    const calls: Promise<unknown>[] = [
      series.write(list),
      series.delete({ metric: metric(1) }),
      series.delete({ metric: metric(2), from: at, to: at + 1 }),
      series.write([{ metric: metric(3), timestamp: at, value: -3 }]),
      series.write(list.map((point) => ({ ...point, value: 7 })).slice(10)),
      series.writeColumn(metric(4), Float64Array.of(at), Float64Array.of(-4)),
      series.metric(metric(1)),
    ];
    // The caller's objects are its own again.
    for (const point of list) Object.assign(point.metric, { name: "changed" });
    await Promise.all(calls);
    const value = async (i: number) => (await series.last(metric(i)))?.value;
    expect([await value(0), await value(1), await value(2), await value(3), await value(4)]).toEqual([
      0,
      undefined,
      undefined,
      -3,
      -4,
    ]);
    expect([await value(9), await value(10), await value(MANY - 1)]).toEqual([9, 7, 7]);
    expect((await series.stats()).metrics).toBe(MANY + 1);
    await series.close();
  });

  test("a metric that is in a large call twice is registered once, also if it leaves memory between", async () => {
    const series = await openSeries({ ...place(), maxCachedMetrics: 1, maxHeadBytes: 2 ** 20 });
    const list = [...metrics(MANY), ...metrics(MANY)];
    const set = await series.metricSet(list);
    expect(set.size).toBe(2 * MANY);
    expect((await series.stats()).metrics).toBe(MANY);
    const { accepted } = await series.write(list.map((one, i) => ({ metric: one, timestamp: NOW - 1, value: i })));
    expect(accepted).toBe(2 * MANY);
    expect((await series.stats()).metrics).toBe(MANY);
    expect((await series.last(metric(5)))?.value).toBe(MANY + 5);
    await series.close();
  });

  test("a flush during a large call has all its points or none", async () => {
    const series = await openSeries(place());
    const times = Float64Array.from({ length: MANY }, (_, i) => NOW - (MANY - i) * MINUTE);
    const written = series.writeColumn(metric(0), times, times);
    await series.flush();
    expect(await series.stats()).toMatchObject({ headPoints: 0 });
    expect(await written).toEqual({ accepted: MANY, late: 0, refused: 0 });
    expect((await series.query({ metric: metric(0) }).toArray()).length).toBe(MANY);
    await series.close();
  });
});

test("close() waits for a large call; a backup has all its points", async () => {
  const place = PLACES.files!;
  const series = await openSeries(place("closed"));
  const times = Float64Array.from({ length: MANY }, (_, i) => NOW - (MANY - i) * MINUTE);
  const written = series.writeColumn(metric(0), times, times);
  await series.backup(join(folder, "copy"));
  const more = series.writeColumn(metric(1), times, times);
  await series.close();
  expect((await written).accepted + (await more).accepted).toBe(2 * MANY);
  for (const [name, expected] of [
    ["closed", [MANY, MANY]],
    ["copy", [MANY, 0]],
  ] as const) {
    const again: Series = await openSeries(place(name));
    for (let i = 0; i < 2; i++) expect((await again.query({ metric: metric(i) }).toArray()).length).toBe(expected[i]);
    await again.close();
  }
});
