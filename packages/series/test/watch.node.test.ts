/** `watch()`: what each loop yields against the writes, its limits, and how it ends. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { MetricRef, NewPoint, Series, SeriesOptions, WatchedBatch, Watching } from "../src/api.ts";
import { files, memory } from "../src/drivers/files.ts";
import { openWith } from "../src/open.ts";
import { readOptions } from "../src/options.ts";
import { FailingFileSystem } from "./harness/failing-file-system.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { randomFrom } from "./reference/vectors/random.ts";

const NOW = 1_700_000_000_000;

async function open(options: Partial<SeriesOptions> = {}) {
  const disk = new FailingFileSystem(new ForgetfulFileSystem());
  const settings = readOptions({ path: "/store", driver: files(), now: () => NOW, ...options });
  return { disk, series: await openWith(settings, disk) };
}

const inMemory = (options: Partial<SeriesOptions> = {}): Promise<Series> =>
  openWith(readOptions({ driver: memory(), now: () => NOW, ...options }), new ForgetfulFileSystem());

const iteratorOf = (series: Series, watching?: Watching): AsyncIterator<WatchedBatch, undefined> =>
  series.watch(watching)[Symbol.asyncIterator]();

/** Starts a loop, and returns all its batches when it ends. */
function collect(series: Series, watching?: Watching): Promise<WatchedBatch[]> {
  const batches: WatchedBatch[] = [];
  return (async () => {
    for await (const batch of series.watch(watching)) batches.push(batch);
    return batches;
  })();
}

const textOf = ({ metric, timestamp, value }: NewPoint) =>
  `${metric.name} ${JSON.stringify(metric.tags ?? {})} ${timestamp} ${typeof value} ${value}`;
const textsOf = (batches: readonly WatchedBatch[]) => batches.flatMap(({ points }) => points.map(textOf));
const load = (host: string): MetricRef => ({ name: "load", tags: { host } });

describe.each(["files", "memory"])("random writes to %s", (driver) => {
  test.each([
    1, 2, 3, 4,
  ])("seed %i: each loop yields the points of its metrics, in the order of writes", async (seed) => {
    const random = randomFrom(seed);
    const maxCachedMetrics = seed % 2 === 0 ? 2 : 1000;
    const options = { unit: seed === 3 ? "s" : "ms", maxCachedMetrics } as const;
    const series = driver === "files" ? (await open(options)).series : await inMemory(options);
    const now = options.unit === "s" ? NOW / 1000 : NOW;
    const written: NewPoint[] = [];
    const watchings: [Watching | undefined, (metric: MetricRef) => boolean][] = [
      [undefined, () => true],
      [{ name: "load" }, ({ name }) => name === "load"],
      [
        { matchers: [{ name: "host", op: "=~", value: "a[0-4]|b[5-9]" }] },
        ({ tags }) => /^(a[0-4]|b[5-9])$/.test(tags?.host ?? ""),
      ],
      [
        { metrics: [load("a1"), { name: "count", tags: { host: "b2" } }] },
        ({ name, tags }) => `${name}${tags?.host}` === "loada1" || `${name}${tags?.host}` === "countb2",
      ],
      [{ tags: { host: { not: /a./ } } }, ({ tags }) => !/^a.$/.test(tags?.host ?? "")],
    ];
    const loops = watchings.map(([watching]) => collect(series, watching));
    const calls: Promise<unknown>[] = [];
    const metric = (type: "float" | "int64"): MetricRef => ({
      name: type === "float" ? "load" : "count",
      tags: { host: `${"ab"[random(2)]}${random(10)}` },
      type,
    });
    const untyped = ({ name, tags }: MetricRef): MetricRef => ({ name, tags: tags! });
    for (let call = 0; call < 40; call++) {
      const kind = random(4);
      if (kind === 0) {
        const points = Array.from({ length: 1 + random(20) }, () => {
          const type = random(2) === 0 ? "float" : "int64";
          const value = type === "float" ? random(100) / 4 : BigInt(random(1000)) << 50n;
          return { metric: metric(type), timestamp: now - random(100_000), value };
        });
        written.push(...points.filter(({ value }) => typeof value === "number"));
        written.push(...points.filter(({ value }) => typeof value === "bigint"));
        calls.push(series.write(points));
      } else if (kind === 1) {
        const one = metric("int64");
        const times = Float64Array.from({ length: 1 + random(9000) }, (_, i) => now - 20_000 + i);
        const values = BigInt64Array.from(times, (time) => BigInt(time));
        times.forEach((timestamp, i) => {
          written.push({ metric: one, timestamp, value: values[i]! });
        });
        calls.push(series.writeColumn(one, times, values));
      } else if (kind === 2) {
        const set = await series.metricSet(Array.from({ length: 5 }, () => metric("float")));
        const values = Float64Array.from({ length: 5 }, () => (random(3) === 0 ? Number.NaN : random(50)));
        set.metrics.forEach((one, i) => {
          if (!Number.isNaN(values[i])) written.push({ metric: untyped(one), timestamp: now, value: values[i]! });
        });
        calls.push(series.writeScrape(now, set, values, { skipNaN: true }));
        values.fill(-1);
      } else if (random(3) === 0) {
        await Promise.all(calls);
        await series.flush();
      } else await nextTurn();
    }
    await Promise.all(calls);
    await series.close();
    for (const [i, [, matches]] of watchings.entries()) {
      const batches = await loops[i]!;
      const dropped = batches.reduce((sum, batch) => sum + batch.dropped, 0);
      const all = written.filter((point) => matches(point.metric)).map(textOf);
      const got = textsOf(batches);
      expect(got.length + dropped).toBe(all.length);
      if (dropped === 0) expect(got).toEqual(all);
      expect(batches.every(({ points }) => points.length <= 4096)).toBe(true);
    }
  });
});

describe("a slow loop", () => {
  test("loses the oldest points, and each batch has their number", async () => {
    const series = await inMemory();
    const iterator = iteratorOf(series, { maxPoints: 10 });
    const first = iterator.next();
    const write = (from: number, n: number) =>
      series.writeColumn(
        load("a"),
        Float64Array.from({ length: n }, (_, i) => from + i),
        new Float64Array(n),
      );
    await write(0, 3);
    expect((await first).value).toMatchObject({
      dropped: 0,
      points: [{ timestamp: 0 }, { timestamp: 1 }, { timestamp: 2 }],
    });
    await write(100, 7);
    await write(200, 8);
    await write(300, 0);
    await nextTurn();
    const { points, dropped } = (await iterator.next()).value!;
    expect(dropped).toBe(5);
    expect(points.map(({ timestamp }) => timestamp)).toEqual([105, 106, 200, 201, 202, 203, 204, 205, 206, 207]);
    await write(400, 1);
    expect((await iterator.next()).value).toMatchObject({ dropped: 0, points: [{ timestamp: 400, value: 0 }] });
    await series.close();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("writes do not wait for it, and points beyond the memory of copies are counted by metric", async () => {
    const { series, disk } = await open({ maxLogBytes: 2 ** 30 });
    await series.metricSet([load("a"), load("b")]);
    const a = collect(series, { tags: { host: "a" } });
    const b = iteratorOf(series, { tags: { host: "b" }, maxPoints: 2 ** 21 });
    const first = b.next();
    let release!: () => void;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    disk.hold = (call) => (call === "write" ? gate : undefined);
    const n = 400_000;
    const times = Float64Array.from({ length: n }, (_, i) => NOW - n + i);
    const calls = ["a", "b", "b", "b"].map((host) => series.writeColumn(load(host), times, times));
    for (let i = 0; i < 1000; i++) await nextTurn();
    release();
    await Promise.all(calls);
    let got = (await first).value!.points.length;
    const closed = series.close();
    let dropped = 0;
    for (let next = await b.next(); next.value !== undefined; next = await b.next()) {
      got += next.value.points.length;
      dropped += next.value.dropped;
    }
    await closed;
    expect(got + dropped).toBe(3 * n);
    expect(dropped).toBeGreaterThan(0);
    const batches = await a;
    expect(textsOf(batches).length + batches.reduce((sum, batch) => sum + batch.dropped, 0)).toBe(n);
  });
});

describe("points are yielded", () => {
  test.each(["sync", "batch"] as const)("with %s after the write is acknowledged", async (durability) => {
    const { series, disk } = await open({ durability });
    const metric = await series.metric(load("a"));
    let release!: () => void;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    disk.hold = (call) => (call === (durability === "sync" ? "datasync" : "write") ? gate : undefined);
    const events: string[] = [];
    const next = iteratorOf(series)
      .next()
      .then(() => events.push("yielded"));
    const write = series.write([{ metric, timestamp: NOW, value: 1 }]).then(() => events.push("acknowledged"));
    for (let i = 0; i < 100; i++) await nextTurn();
    expect(events).toEqual([]);
    release();
    await Promise.all([next, write]);
    expect(events.toSorted()).toEqual(["acknowledged", "yielded"]);
    await series.close();
  });

  test("not if the write fails; the next ones are", async () => {
    const { series, disk } = await open();
    const metric = await series.metric(load("a"));
    const batches = collect(series);
    disk.space = 0;
    await expect(series.write([{ metric, timestamp: NOW, value: 1 }])).rejects.toMatchObject({
      code: "ERR_SERIES_FULL",
    });
    disk.space = Number.POSITIVE_INFINITY;
    for (let isWritten = false; !isWritten; await nextTurn())
      isWritten = await series.write([{ metric, timestamp: NOW, value: 2 }]).then(
        () => true,
        () => false,
      );
    await series.close();
    expect(textsOf(await batches)).toEqual([textOf({ metric: load("a"), timestamp: NOW, value: 2 })]);
  });

  test("not if they are refused", async () => {
    const series = await inMemory({ retention: "1h" });
    const batches = collect(series);
    const points = [NOW - 7_200_000, NOW, NOW + 2 * 86_400_000].map((timestamp) => ({
      metric: load("a"),
      timestamp,
      value: 1,
    }));
    await series.write(points);
    for (const timestamp of [0, NOW])
      await series.writeScrape(timestamp, await series.metricSet([load("b")]), Float64Array.of(5));
    await series.close();
    expect(textsOf(await batches)).toEqual([
      textOf(points[1]!),
      textOf({ metric: load("b"), timestamp: NOW, value: 5 }),
    ]);
  });

  test("from the first step of a loop on, and to a loop that started before the write", async () => {
    const { series, disk } = await open();
    const watched = series.watch();
    await series.write([{ metric: load("a"), timestamp: NOW, value: 1 }]);
    const early = collect(series);
    let release!: () => void;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    disk.hold = (call) => (call === "write" ? gate : undefined);
    const write = series.write([{ metric: load("a"), timestamp: NOW, value: 2 }]);
    const late: AsyncIterator<WatchedBatch, undefined> = watched[Symbol.asyncIterator]();
    const next = late.next();
    release();
    await write;
    await series.write([{ metric: load("a"), timestamp: NOW, value: 3 }]);
    expect((await next).value!.points.map(({ value }) => value)).toEqual([3]);
    await series.close();
    expect((await early).flatMap(({ points }) => points.map(({ value }) => value))).toEqual([2, 3]);
  });

  test("after a metric was forgotten and written again", async () => {
    const series = await inMemory();
    const batches = collect(series, { metrics: [load("a")] });
    for (let i = 0; i < 20; i++) {
      const write = series.write([{ metric: load("a"), timestamp: NOW, value: i }]);
      // Before and after the loop has looked up the metric.
      if (i % 2 === 0) await write;
      for (let n = i % 5; n > 0; n--) await nextTurn();
      await series.delete({ metric: load("a") });
    }
    await series.close();
    expect((await batches).flatMap(({ points }) => points.map(({ value }) => value))).toEqual(
      Array.from({ length: 20 }, (_, i) => i),
    );
  });
});

test.each(["sync", "batch"] as const)("%s: a crash takes no point that was yielded", async (durability) => {
  let seen = 0;
  for (let seed = 0; seed < 60; seed++) {
    const random = randomFrom(seed);
    const { series, disk } = await open({ durability });
    const turns = (call: string) => (call === "write" || call === "datasync" ? random(4) : 0);
    disk.hold = async (call) => {
      for (let n = turns(call); n > 0; n--) await nextTurn();
    };
    const yielded: number[] = [];
    const loop = (async () => {
      for await (const { points } of series.watch({ name: "load" }))
        yielded.push(...points.map(({ timestamp }) => timestamp));
    })();
    const calls: Promise<unknown>[] = [];
    for (let i = 0; i < 1 + random(40); i++) {
      calls.push(series.write([{ metric: load("ab"[random(2)]!), timestamp: NOW + i, value: i }]));
      if (random(4) === 0) calls.push(series.flush());
      for (let n = random(3); n > 0; n--) await nextTurn();
    }
    const after = durability === "sync" ? disk.inner.afterPowerLoss(() => random(2)) : disk.inner.afterKill();
    const atCrash = [...yielded];
    seen += atCrash.length;
    await Promise.all(calls);
    await series.close();
    await loop;
    const next = await openWith(readOptions({ path: "/store", now: () => NOW }), after);
    const times: number[] = [];
    for await (const { timestamps } of next.select({ name: "load" }).batches()) times.push(...timestamps);
    expect(times).toEqual(expect.arrayContaining(atCrash));
    await next.close();
  }
  expect(seen).toBeGreaterThan(100);
});

describe("a loop ends", () => {
  test("with ERR_ABORTED when its signal aborts, and others continue", async () => {
    const series = await inMemory();
    const controller = new AbortController();
    const loop = collect(series, { signal: controller.signal });
    const other = collect(series);
    await series.write([{ metric: load("a"), timestamp: NOW, value: 1 }]);
    controller.abort(new Error("enough"));
    await expect(loop).rejects.toMatchObject({ code: "ERR_ABORTED", cause: { message: "enough" } });
    await expect(collect(series, { signal: controller.signal })).rejects.toMatchObject({ code: "ERR_ABORTED" });
    await series.write([{ metric: load("a"), timestamp: NOW, value: 2 }]);
    await series.close();
    expect(textsOf(await other).length).toBe(2);
  });

  test("when it is left, also during a step", async () => {
    const series = await inMemory();
    const iterator = iteratorOf(series);
    const steps = [iterator.next(), iterator.next()];
    expect(await iterator.return!()).toEqual({ done: true, value: undefined });
    for (const step of [...steps, iterator.next()]) expect(await step).toEqual({ done: true, value: undefined });
    const left = (async () => {
      for await (const { points } of series.watch()) return points.length;
      return 0;
    })();
    for (let i = 0; i < 3; i++) await series.write([{ metric: load("a"), timestamp: NOW, value: 1 }]);
    expect(await left).toBe(1);
    await series.close();
  });

  test("when the store is closed", async () => {
    const series = await inMemory();
    const watched = series.watch();
    const loop = collect(series);
    const write = series.write([{ metric: load("a"), timestamp: NOW, value: 1 }]);
    await series.close();
    await write;
    expect(textsOf(await loop).length).toBe(1);
    await expect(watched[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "ERR_CLOSED" });
    expect(() => series.watch()).toThrow("the store is closed");
  });

  test("with ERR_SERIES_TYPE for a listed metric of another type", async () => {
    const series = await inMemory();
    const loop = collect(series, { metrics: [{ ...load("a"), type: "int64" }] });
    await series.write([{ metric: load("a"), timestamp: NOW, value: 1 }]);
    await expect(loop).rejects.toMatchObject({ code: "ERR_SERIES_TYPE" });
    await series.close();
  });

  test("with ERR_INVALID_ARGUMENT for a regular expression with a wrong syntax", async () => {
    const series = await inMemory();
    const loop = collect(series, { matchers: [{ name: "host", op: "=~", value: "(" }] });
    await series.write([{ metric: load("a"), timestamp: NOW, value: 1 }]);
    await expect(loop).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
    // Without a write, too.
    const quiet = iteratorOf(series, { matchers: [{ name: "host", op: "=~", value: "(" }] });
    await expect(quiet.next()).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
    await series.close();
  });
});

test.each([
  [5, "ERR_INVALID_ARGUMENT"],
  [null, "ERR_INVALID_ARGUMENT"],
  [{ maxPoints: 0 }, "ERR_INVALID_ARGUMENT"],
  [{ maxPoints: Number.POSITIVE_INFINITY }, "ERR_INVALID_ARGUMENT"],
  [{ signal: {} }, "ERR_INVALID_ARGUMENT"],
  [{ metrics: 5 }, "ERR_INVALID_ARGUMENT"],
  [{ metrics: [{ name: "a" }], name: "a" }, "ERR_INVALID_ARGUMENT"],
  [{ metrics: [{ name: "" }] }, "ERR_INVALID_METRIC"],
  [{ from: 0 }, "ERR_INVALID_ARGUMENT"],
  [{ matchers: [{ name: "a", op: "==", value: "" }] }, "ERR_INVALID_ARGUMENT"],
])("watch(%j) is %s", async (watching, code) => {
  const series = await inMemory();
  expect(() => series.watch(watching as never)).toThrow(expect.objectContaining({ code }));
  await series.close();
});

test("a store that is open for reading cannot be watched", async () => {
  const { series, disk } = await open();
  await series.write([{ metric: load("a"), timestamp: NOW, value: 1 }]);
  const settings = readOptions({ path: "/store", driver: files(), now: () => NOW, readOnly: true });
  const reader = await openWith(settings, disk);
  expect(() => reader.watch()).toThrow(expect.objectContaining({ code: "ERR_SERIES_READ_ONLY" }));
  await reader.close();
  await series.close();
});
