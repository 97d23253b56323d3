/** `limit`, `reverse` and `fill` of windows in stores, how much they read, and the types of rows. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, test, vi } from "vitest";
import type { Aggregate, Series, Values, WindowQuery, WindowRow } from "../src/api.ts";
import { Block } from "../src/blocks/block.ts";
import { memory } from "../src/drivers/files.ts";
import type { MetricHandle } from "../src/metric/metric.ts";
import { openSeries } from "../src/open.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2024, 3, 10);
const DAYS = 30;
const START = NOW - DAYS * DAY;
const folder = mkdtempSync(join(tmpdir(), "moonpack-order-"));
const now = () => NOW;
let series: Series;
let dense: MetricHandle;

/** A point a minute, in a block of each day; the last hour is not sealed. */
beforeAll(async () => {
  series = await openSeries({ path: join(folder, "store"), now });
  dense = await series.metric({ name: "dense" });
  const minutes = DAY / MINUTE;
  const times = Float64Array.from({ length: DAYS * minutes }, (_, i) => START + i * MINUTE);
  for (let day = 0; day < DAYS; day++) {
    const part = times.subarray(day * minutes, (day + 1) * minutes - (day === DAYS - 1 ? 60 : 0));
    await series.writeColumn(
      dense,
      part,
      part.map((time) => Math.sin(time)),
    );
    await series.flush();
  }
  const last = times.subarray(-60);
  await series.writeColumn(
    dense,
    last,
    last.map((time) => Math.sin(time)),
  );
});

afterAll(async () => {
  await series.close();
  rmSync(folder, { recursive: true });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts the chunks that a read decodes. */
async function chunksOf<Row>(read: () => Promise<Row[]>): Promise<{ rows: Row[]; chunks: number }> {
  const decode = vi.spyOn(Block.prototype, "decode");
  const rows = await read();
  const chunks = decode.mock.calls.length;
  decode.mockRestore();
  return { rows, chunks };
}

describe("reads", () => {
  const aggregate = ["avg", "p50", "increase"] as const;
  const query = () => ({ metric: dense, window: "1h", aggregate }) as const;

  test("the newest windows, without the others", async () => {
    const all = await chunksOf(() => series.query(query()).toArray());
    expect(all.rows).toHaveLength(DAYS * 24);
    const reversed = await chunksOf(() => series.query({ ...query(), reverse: true }).toArray());
    expect(reversed.rows).toEqual(all.rows.reverse());
    // A chunk at the edge of a slice is decoded for both of its slices.
    expect(reversed.chunks).toBeLessThan(1.3 * all.chunks + 12);
    for (const limit of [0, 1, 2, 5, 24]) {
      const some = await chunksOf(() => series.query({ ...query(), reverse: true, limit }).toArray());
      expect(some.rows).toEqual(all.rows.slice(0, limit));
      // The last hour is in memory.
      expect(some.chunks).toBeLessThanOrEqual(limit <= 1 ? limit : 12);
    }
    expect(all.chunks).toBeGreaterThan(80);
  });

  test("no more than a loop that ends early takes", async () => {
    const loop = await chunksOf(async () => {
      for await (const row of series.query({ ...query(), reverse: true, to: NOW - 5 * DAY })) return [row];
      return [];
    });
    expect(loop.rows[0]!.start).toBe(NOW - 5 * DAY - HOUR);
    const many = await chunksOf(() => series.query(query()).toArray());
    expect(loop.chunks).toBeLessThan(many.chunks / 2);
  });

  test("the first windows, without the others", async () => {
    const some = await chunksOf(() => series.query({ ...query(), limit: 3 }).toArray());
    expect(some.rows.map(({ start }) => start)).toEqual([0, 1, 2].map((i) => START + i * HOUR));
    expect(some.chunks).toBeLessThanOrEqual(3);
  });

  test("batches of a selection, too", async () => {
    const some = await chunksOf(async () => {
      const rows: number[] = [];
      for await (const { starts, length } of series
        .select({ name: "dense", window: "1h", aggregate, reverse: true, limit: 4 })
        .batches())
        rows.push(...starts.subarray(0, length));
      return rows;
    });
    expect(some.rows).toEqual([1, 2, 3, 4].map((i) => NOW - i * HOUR));
    expect(some.chunks).toBeLessThanOrEqual(8);
  });
});

test("a read in reverse order ends when its signal aborts", async () => {
  const controller = new AbortController();
  const rows = series.query({
    metric: dense,
    window: "1m",
    aggregate: ["p50"],
    reverse: true,
    signal: controller.signal,
  });
  const batches = rows.batches()[Symbol.asyncIterator]();
  await batches.next();
  controller.abort();
  await expect(
    (async () => {
      while (!(await batches.next()).done);
    })(),
  ).rejects.toMatchObject({ code: "ERR_ABORTED" });
});

describe("sparse points", () => {
  let sparse: Series;
  let metric: MetricHandle;
  let counter: MetricHandle;

  beforeAll(async () => {
    sparse = await openSeries({ driver: memory(), now });
    metric = await sparse.metric({ name: "sparse" });
    counter = await sparse.metric({ name: "counter", type: "int64" });
    const at = [0, 1, 50, 51, 52, 500, 501, 700].map((hour) => START + hour * HOUR + 5 * MINUTE);
    await sparse.writeColumn(
      metric,
      Float64Array.from(at),
      Float64Array.from(at, (_, i) => i * i),
    );
    await sparse.writeColumn(
      counter,
      Float64Array.from(at),
      BigInt64Array.from(at, (_, i) => 2n ** 60n + BigInt(i * i)),
    );
  });

  afterAll(async () => {
    await sparse.close();
  });

  test("in reverse order are the same rows", async () => {
    const time = fc.option(fc.integer({ min: -3, max: 720 }), { nil: undefined });
    const queries = fc.record({
      ends: fc.tuple(time, time),
      window: fc.constantFrom("1h", "7h", "1d", "1w", "1mo", "2d"),
      timeZone: fc.constantFrom("Europe/Berlin", "Australia/Lord_Howe", "UTC"),
      fill: fc.constantFrom("none", "null", "previous", "linear"),
      aggregate: fc.uniqueArray(fc.constantFrom("avg", "last", "rate", "count"), { minLength: 1 }),
      limit: fc.option(fc.nat(40), { nil: undefined }),
      isInt64: fc.boolean(),
    });
    const property = fc.asyncProperty(queries, async ({ ends: [from, to], limit, isInt64, ...rest }) => {
      const query = {
        ...rest,
        ...(from !== undefined && { from: START + from * HOUR }),
        ...(to !== undefined && { to: START + to * HOUR }),
        metric: isInt64 ? counter : metric,
      } as WindowQuery;
      const all = await sparse.query(query).toArray();
      const most = limit === undefined ? {} : { limit };
      expect(await sparse.query({ ...query, ...most, reverse: true }).toArray()).toEqual(
        [...all].reverse().slice(0, limit),
      );
      expect(await sparse.query({ ...query, ...most }).toArray()).toEqual(all.slice(0, limit));
    });
    await fc.assert(property, { numRuns: 400, seed: 38 });
  });

  test("on a line: floats, rounded integers, and null where one side is missing", async () => {
    const day = { from: START + 49 * HOUR, to: START + 53 * HOUR, window: "30m", fill: "linear" } as const;
    const rows = await sparse.query({ ...day, metric, aggregate: ["last", "count", "increase"] }).toArray();
    expect(rows.map(({ last, count, increase }) => [last, count, increase])).toEqual([
      [null, null, null],
      [null, null, null],
      [4, 1, 3],
      [6.5, 1, 4],
      [9, 1, 5],
      [12.5, 1, 6],
      [16, 1, 7],
      [null, null, null],
    ]);
    const exact = await sparse.query({ ...day, metric: counter, aggregate: ["last"] }).toArray();
    expect(exact.map(({ last }) => last && (last as bigint) - 2n ** 60n)).toEqual([
      null,
      null,
      4n,
      7n,
      9n,
      13n,
      16n,
      null,
    ]);
  });

  test("more filled windows than the limit are refused, before they are read", async () => {
    const query = { metric, window: "1s", aggregate: ["avg"], fill: "null" } as const;
    await expect(sparse.query(query).toArray()).rejects.toMatchObject({
      name: "SeriesError",
      code: "ERR_SERIES_LIMIT",
      message:
        "fill would add more than 1000000 windows of a metric: choose a shorter range, longer windows or a limit",
    });
    await expect(sparse.query({ ...query, from: 0, reverse: true }).toArray()).rejects.toMatchObject({
      code: "ERR_SERIES_LIMIT",
    });
    const zoned = sparse.query({ ...query, window: "1ms", timeZone: "Asia/Tokyo" });
    await expect(zoned.toArray()).rejects.toMatchObject({ code: "ERR_SERIES_LIMIT" });
    expect(await sparse.query({ ...query, from: 0, limit: 3 }).toArray()).toEqual(
      [0, 1000, 2000].map((start) => ({ start, avg: null })),
    );
    const nothing = sparse.query({ ...query, metric: { name: "none" }, from: 0, to: NOW });
    await expect(nothing.toArray()).rejects.toMatchObject({ code: "ERR_SERIES_LIMIT" });
  });

  test("times without a zone are in the zone of the windows", async () => {
    const options = { metric, window: "1d", aggregate: ["count"], fill: "null", timeZone: "Europe/Berlin" } as const;
    const rows = await sparse.query({ ...options, from: "2024-03-30", to: "2024-04-02T00:00:00" }).toArray();
    expect(rows.map(({ start }) => new Date(start).toISOString())).toEqual([
      "2024-03-29T23:00:00.000Z",
      "2024-03-30T23:00:00.000Z",
      "2024-03-31T22:00:00.000Z",
    ]);
    const utc = await sparse.query({ ...options, from: "2024-03-30T00:00Z", to: "2024-03-30T01:00+01:00" }).toArray();
    expect(utc).toEqual([]);
    // 2:30 does not exist on that day: it is the moment of the change.
    const skipped = await sparse
      .query({ ...options, window: "1h", from: "2024-03-31T02:30", to: "2024-03-31T03:30" })
      .toArray();
    expect(skipped.map(({ start }) => new Date(start).toISOString())).toEqual(["2024-03-31T01:00:00.000Z"]);
  });

  test.each<[object, string]>([
    [{ timezone: "UTC" }, "did you mean timeZone"],
    [{ revers: true }, "did you mean reverse"],
    [{ reverse: 1 }, "reverse must be"],
    [{ limit: 1.5 }, "limit must be"],
    [{ fill: null }, 'fill must be "none" or "null" or "previous" or "linear"'],
    [{ timeZone: "Europe/Berln" }, "did you mean Europe/Berlin"],
  ])("%j is refused, in queries and selections", (options, text) => {
    const query = { window: "1h", aggregate: ["avg"], ...options } as never;
    for (const act of [() => sparse.query({ ...(query as WindowQuery), metric }), () => sparse.select(query)]) {
      expect(act).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
      expect(act).toThrow(text);
    }
  });

  test("a time zone without a window is refused", () => {
    expect(() => sparse.query({ metric, timeZone: "UTC" } as never)).toThrow("fill, origin and timeZone need a window");
  });
});

test("a read-only store has the same windows", async () => {
  const reader = await openSeries({ path: join(folder, "store"), readOnly: true, now });
  const query = {
    metric: { name: "dense" },
    window: "1d",
    timeZone: "Asia/Kolkata",
    aggregate: ["avg", "max"],
  } as const;
  for (const order of [{}, { reverse: true, limit: 3 }, { fill: "linear", from: START - 3 * DAY, to: NOW }] as const) {
    const rows = await reader.query({ ...query, ...order }).toArray();
    expect(rows.length).toBeGreaterThan(2);
    expect(rows).toEqual(await series.query({ ...query, ...order }).toArray());
  }
  await reader.close();
});

test("seconds are the unit of starts, also in a zone", async () => {
  const seconds = await openSeries({ driver: memory(), unit: "s", now });
  await seconds.write([{ metric: { name: "a" }, timestamp: START / 1000, value: 1 }]);
  const rows = await seconds
    .query({ metric: { name: "a" }, window: "1d", timeZone: "Asia/Tokyo", aggregate: ["avg"] })
    .toArray();
  expect(rows).toEqual([{ start: (START - 9 * HOUR) / 1000, avg: 1 }]);
  await seconds.close();
});

describe("types", () => {
  const metric = { name: "a" };

  test("rows have the aggregates of the query", () => {
    const check = async (store: Series) => {
      for await (const row of store.query({ metric, window: "1h", aggregate: ["avg", "count", "max", "rate"] })) {
        expectTypeOf(row.start).toEqualTypeOf<number>();
        expectTypeOf(row.avg).toEqualTypeOf<number>();
        expectTypeOf(row.count).toEqualTypeOf<number>();
        expectTypeOf(row.max).toEqualTypeOf<number | bigint>();
        expectTypeOf(row.rate).toEqualTypeOf<number | null>();
        expectTypeOf(row).not.toHaveProperty("min");
      }
      const filled = store.query({ metric, window: "1d", timeZone: "UTC", aggregate: ["avg", "p99.9"], fill: "null" });
      for await (const row of filled) {
        expectTypeOf(row.avg).toEqualTypeOf<number | null>();
        expectTypeOf(row["p99.9"]).toEqualTypeOf<number | null>();
      }
      const none = await store.query({ metric, window: "1d", aggregate: ["avg"], fill: "none" }).toArray();
      expectTypeOf(none[0]!.avg).toEqualTypeOf<number>();
      for await (const { columns, nulls } of filled.batches()) {
        expectTypeOf(columns.avg).toEqualTypeOf<Float64Array>();
        expectTypeOf(nulls["p99.9"]).toEqualTypeOf<Uint8Array>();
      }
      for await (const { points } of store.select({ name: "a", window: "1h", aggregate: ["last", "sum"] }))
        for await (const { last, sum } of points) {
          expectTypeOf(last).toEqualTypeOf<number | bigint>();
          expectTypeOf(sum).toEqualTypeOf<number>();
        }
      for await (const { columns } of store.select({ name: "a", window: "1h", aggregate: ["last", "sum"] }).batches()) {
        expectTypeOf(columns.last).toEqualTypeOf<Values>();
        expectTypeOf(columns.sum).toEqualTypeOf<Float64Array>();
      }
    };
    expect(check).toBeTypeOf("function");
  });

  test("rows of a list that is not known have optional aggregates", () => {
    const check = async (store: Series, aggregate: readonly Aggregate[], query: WindowQuery) => {
      for await (const row of store.query({ metric, window: "1h", aggregate })) {
        expectTypeOf(row.avg).toEqualTypeOf<number | undefined>();
        expectTypeOf(row.min).toEqualTypeOf<number | bigint | undefined>();
      }
      for await (const row of store.query(query)) expectTypeOf(row).toEqualTypeOf<WindowRow>();
      for await (const point of store.query({ metric })) expectTypeOf(point.value).toEqualTypeOf<number | bigint>();
    };
    expect(check).toBeTypeOf("function");
  });

  test("wrong options are errors", () => {
    const check = (store: Series) => [
      // @ts-expect-error a misspelled option
      store.query({ metric, window: "1h", aggregate: ["avg"], fil: "null" }),
      // @ts-expect-error an unknown aggregate
      store.query({ metric, window: "1h", aggregate: ["mean"] }),
      // @ts-expect-error an unknown unit
      store.query({ metric, window: "1q", aggregate: ["avg"] }),
      // @ts-expect-error an unknown fill
      store.select({ window: "1mo", timeZone: "UTC", aggregate: ["avg"], fill: "zero" }),
    ];
    expect(check).toBeTypeOf("function");
  });
});
