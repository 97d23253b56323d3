/** `blocks()`: random stores against points in Maps, with all matchers; then limits, aborts and wrong arguments. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { RE2JS } from "re2js";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { files, memory } from "../build/drivers/files.js";
import { openSeries } from "../build/index.js";
import type { BlockSelection, LabelMatcher, Series } from "../src/api.ts";
import type { MetricHandle } from "../src/metric/metric.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2023, 10, 14);
const folder = mkdtempSync(join(tmpdir(), "moonpack-select-blocks-"));

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

/** Random integers below a limit. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

interface ModelMetric {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly type: "float" | "int64";
  points: Map<number, number>;
  isForgotten: boolean;
}

const VALUES = ["", "a1", "a2", "b1", "b22", "eu-west:1", "x.y", "é"];
const PATTERNS = [
  ...[
    "",
    "a1",
    "a1|b1",
    "a.*",
    "a.+",
    ".*",
    ".+",
    "a\\d",
    "[ab]\\d+",
    "(a|b)1",
    "x\\.y",
    "x.y",
    "|a1",
    "a1|",
    "(?i:A1)",
    "eu-west:.*",
  ],
  ...["é|a2", ".", "b2{2}", "(a+)+1", "\\pL\\d", "eu\\-west:1", "^a1$", "a(1|2)?"],
];

function randomMatchers(random: (below: number) => number): LabelMatcher[] {
  return Array.from({ length: random(4) }, () => {
    const op = (["=", "!=", "=~", "!~"] as const)[random(4)]!;
    const isPattern = op === "=~" || op === "!~";
    const name = ["__name__", "host", "host", "zone", "absent"][random(5)]!;
    if (name === "__name__" && random(2) === 0) return { name, op, value: isPattern ? "cpu|mem.*" : "cpu" };
    return { name, op, value: isPattern ? PATTERNS[random(PATTERNS.length)]! : VALUES[random(VALUES.length)]! };
  });
}

/** The meaning of a matcher. RE2's syntax is JavaScript's here, but for two patterns. */
function meets({ name, tags }: ModelMetric, { name: label, op, value }: LabelMatcher): boolean {
  const text = label === "__name__" ? name : ((tags as Record<string, string | undefined>)[label] ?? "");
  if (op === "=" || op === "!=") return (text === value) === (op === "=");
  const source = value === "(?i:A1)" ? "[aA]1" : value.replace("\\pL", "\\p{L}").replace("\\-", "-");
  return new RegExp(`^(?:${source})$`, "su").test(text) === (op === "=~");
}

const metricOf = ({ name, tags, type }: ModelMetric) => ({ name, tags, type });

/** Reads blocks as points by id. Throws for wrong offsets, sizes or orders. */
async function read(series: Series, selection: BlockSelection): Promise<Map<number, [number, number][]>> {
  const found = new Map<number, [number, number][]>();
  let last = -1;
  for await (const { metrics, offsets, timestamps, values, length } of series.blocks(selection)) {
    expect([timestamps.length, values.length, offsets.length]).toEqual([length, length, metrics.length + 1]);
    expect([offsets[0], offsets[metrics.length], values instanceof Float64Array]).toEqual([0, length, true]);
    expect(length <= 16_384 && metrics.length <= 4096 && metrics.length > 0).toBe(true);
    metrics.forEach(({ id }, m) => {
      if (m === 0 ? id < last : id <= last) throw new Error(`metric ${id} after ${last}`);
      last = id;
      const points = found.get(id) ?? [];
      found.set(id, points);
      for (let i = offsets[m]!; i < offsets[m + 1]!; i++) points.push([timestamps[i]!, values[i]!]);
    });
  }
  return found;
}

/** A store, and its points in Maps. */
class Checked {
  readonly metrics: ModelMetric[] = [];
  readonly handles = new Map<ModelMetric, MetricHandle>();
  readonly #random: (below: number) => number;
  readonly #path: string;
  now = START + 6 * HOUR;
  series!: Series;

  constructor(seed: number) {
    this.#random = randomOf(seed);
    this.#path = join(folder, `store-${seed}`);
  }

  async open(): Promise<void> {
    this.series = await openSeries({ path: this.#path, driver: files(), retention: "5h", now: () => this.now });
    for (const metric of this.metrics)
      if (!metric.isForgotten) this.handles.set(metric, await this.series.metric(metricOf(metric)));
  }

  async step(): Promise<void> {
    const random = this.#random;
    const chosen = this.metrics[random(Math.max(1, this.metrics.length))];
    const kind = random(20);
    if (kind < 4 || chosen === undefined) await this.#add();
    else if (chosen.isForgotten) return;
    else if (kind < 14) await this.#write(chosen);
    else if (kind < 16) await this.series.flush();
    else if (kind < 18) await this.#delete(chosen);
    else if (kind === 18) {
      await this.series.close();
      await this.open();
    } else if (random(3) === 0) this.now += random(HOUR);
    else await this.series.compact();
  }

  async #add(): Promise<void> {
    const random = this.#random;
    const host = VALUES[random(VALUES.length)]!;
    const zone = VALUES[random(3)]!;
    const metric: ModelMetric = {
      name: ["cpu", "mem", "mem.free"][random(3)]!,
      tags: { ...(host !== "" && { host }), ...(zone !== "" && { zone }), n: String(this.metrics.length) },
      type: random(3) === 0 ? "int64" : "float",
      points: new Map(),
      isForgotten: false,
    };
    this.metrics.push(metric);
    this.handles.set(metric, await this.series.metric(metricOf(metric)));
    await this.#write(metric);
  }

  async #write(metric: ModelMetric): Promise<void> {
    const random = this.#random;
    const n = 1 + random(400);
    const start = this.now - random(6 * HOUR);
    const step = 1 + random(20_000);
    // Also in descending order, and times that are there already.
    const times = Float64Array.from({ length: n }, (_, i) => start + step * (random(9) === 0 ? n - i : i));
    const values = Float64Array.from(times, () => (random(9) === 0 ? Number.NaN : random(1e6)));
    if (metric.type === "int64") {
      const integers = BigInt64Array.from(times, () =>
        random(2) === 0 ? 2n ** 60n + 3n * BigInt(random(1e6)) : -BigInt(random(9)),
      );
      integers.forEach((value, i) => {
        values[i] = Number(value);
      });
      await this.series.writeColumn(this.handles.get(metric)!, times, integers);
    } else await this.series.writeColumn(this.handles.get(metric)!, times, values);
    times.forEach((time, i) => {
      if (time >= this.now - 5 * HOUR) metric.points.set(time, values[i]!);
    });
  }

  async #delete(metric: ModelMetric): Promise<void> {
    const random = this.#random;
    const from = this.now - random(6 * HOUR);
    const to = from + random(HOUR);
    const isWhole = random(4) === 0;
    await this.series.delete({ metric: this.handles.get(metric)!, ...(!isWhole && { from, to }) });
    metric.isForgotten = isWhole;
    for (const time of metric.points.keys()) if (isWhole || (time >= from && time < to)) metric.points.delete(time);
  }

  /** Compares random reads of the store and of a reader beside it. */
  async check(): Promise<void> {
    const random = this.#random;
    const reader = await openSeries({
      path: this.#path,
      driver: files(),
      readOnly: true,
      retention: "5h",
      now: () => this.now,
    });
    for (let i = 0; i < 12; i++) {
      const matchers = randomMatchers(random);
      const from = random(2) === 0 ? undefined : this.now - random(7 * HOUR);
      const to = random(2) === 0 ? undefined : this.now - random(3 * HOUR);
      const selection = { matchers, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      const expected = this.#expected(matchers, from ?? 0, to ?? Number.POSITIVE_INFINITY);
      // Not toEqual, which takes seconds for so many points.
      for (const series of [this.series, reader])
        expect(isDeepStrictEqual(await read(series, selection), expected), JSON.stringify(selection)).toBe(true);
    }
    await reader.close();
  }

  #expected(matchers: readonly LabelMatcher[], from: number, to: number): Map<number, [number, number][]> {
    const expected = new Map<number, [number, number][]>();
    const first = Math.max(from, this.now - 5 * HOUR);
    for (const metric of this.metrics) {
      if (metric.isForgotten || !matchers.every((matcher) => meets(metric, matcher))) continue;
      const points = [...metric.points].filter(([time]) => time >= first && time < to);
      expected.set(
        this.handles.get(metric)!.id,
        points.sort(([a], [b]) => a - b),
      );
    }
    return expected;
  }
}

test.each(Array.from({ length: 5 }, (_, i) => 7001 + i))("a random store, seed %i", async (seed) => {
  const checked = new Checked(seed);
  await checked.open();
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 25; i++) await checked.step();
    await checked.check();
  }
  await checked.series.close();
});

/** A store in memory with metrics `m{i="..", parity=".."}`, sealed or not. */
async function storeOf(count: number, isSealed: boolean): Promise<Series> {
  const series = await openSeries({ driver: memory(), now: () => START });
  const metrics = Array.from({ length: count }, (_, i) => ({
    name: "m",
    tags: { i: String(i), parity: i % 2 ? "odd" : "even" },
  }));
  await series.writeScrape(START - MINUTE, await series.metricSet(metrics), new Float64Array(count).fill(1));
  if (isSealed) await series.flush();
  return series;
}

describe("matchers", () => {
  test.each([true, false])("a value is tested once, not once a metric; sealed: %s", async (isSealed) => {
    const series = await storeOf(5000, isSealed);
    const tested = vi.spyOn(RE2JS.prototype, "testExact");
    const odd = { name: "parity", op: "=~", value: "o(d|x)+" } as const;
    const found = await read(series, {
      matchers: [odd, { name: "parity", op: "!~", value: "e(v|w).*" }, { name: "i", op: "=", value: "7" }],
    });
    expect(found.size).toBe(1);
    // Two values and the empty text, by two expressions.
    expect(tested.mock.calls.length).toBeLessThanOrEqual(6);
    expect(tested.mock.calls.length).toBeGreaterThan(0);
    await series.close();
  });

  test("lists have texts with a backslash at the end", async () => {
    const series = await openSeries({ driver: memory(), now: () => START });
    const texts = ["a\\", "b", "a|b", "a\\|b", ""];
    for (const text of texts)
      await series.write([{ metric: { name: "m", tags: { text } }, timestamp: START, value: 1 }]);
    const found = async (match: object) => {
      const tags: string[] = [];
      for await (const metric of series.metrics(match)) tags.push(metric.tags.text ?? "");
      return tags;
    };
    const matching = (value: string) => found({ matchers: [{ name: "text", op: "=~", value }] });
    expect(await matching("a\\\\|b")).toEqual(["a\\", "b"]);
    expect(await matching("a\\|b|")).toEqual(["a|b", ""]);
    expect(await matching("a\\\\\\|b")).toEqual(["a\\|b"]);
    await series.close();
  });

  test("are options of select, metrics and tagValues too, beside name and tags", async () => {
    const series = await storeOf(40, true);
    await series.metric({ name: "m", tags: { i: "41" } });
    const matchers: LabelMatcher[] = [
      { name: "i", op: "=~", value: "[1-3]?[05]|41" },
      { name: "i", op: "!=", value: "5" },
      { name: "parity", op: "!=", value: "odd" },
    ];
    const ids: string[] = [];
    for await (const { tags } of series.metrics({ name: "m", tags: { i: /\d\d/ }, matchers })) ids.push(tags.i!);
    expect(ids).toEqual(["10", "20", "30", "41"]);
    expect(await series.tagValues("i", { matchers })).toEqual(["0", "10", "20", "30", "41"]);
    await series.metric({ name: "new" });
    expect(await series.tagValues("__name__", { matchers })).toEqual(["m"]);
    expect(await series.tagValues("__name__")).toEqual(["m", "new"]);
    const selected: string[] = [];
    for await (const { metric } of series.select({ matchers, name: { not: "x" } })) selected.push(metric.tags.i!);
    expect(selected).toEqual(["0", "10", "20", "30", "41"]);
    await series.close();
  });

  test("a list of metrics, in its order", async () => {
    const series = await storeOf(10, true);
    const order: string[] = [];
    const metrics = [3, 1, 99].map((i) => ({ name: "m", tags: { i: String(i), parity: "odd" } }));
    for await (const block of series.blocks({ metrics })) order.push(...block.metrics.map(({ tags }) => tags.i!));
    expect(order).toEqual(["3", "1"]);
    await series.close();
  });

  test.each(["(a+)+$", "(a|a)*b", ".*.*.*.*.*x", "(a?){300}a{300}b"])("%s takes linear time", async (value) => {
    const series = await openSeries({ driver: memory(), now: () => START });
    for (let n = 990; n < 1000; n++) await series.metric({ name: "m", tags: { host: `${"a".repeat(n)}!` } });
    const started = performance.now();
    expect((await read(series, { matchers: [{ name: "host", op: "=~", value }] })).size).toBe(0);
    expect((await read(series, { tags: { host: new RegExp(value) } })).size).toBe(0);
    expect(performance.now() - started).toBeLessThan(10_000);
    await series.close();
  });
});

describe("a read", () => {
  test("continues a metric in further blocks", async () => {
    const series = await openSeries({ driver: memory(), now: () => START });
    const metric = await series.metric({ name: "m", type: "int64" });
    const times = Float64Array.from({ length: 40_000 }, (_, i) => START - 40_000 + i);
    await series.writeColumn(
      metric,
      times,
      BigInt64Array.from(times, (time) => BigInt(time)),
    );
    const found = await read(series, {});
    const expected = [...times].map((time) => [time, time]);
    expect(isDeepStrictEqual(found.get(metric.id), expected)).toBe(true);
    await series.close();
  });

  test("has the points of a minute that is sealed meanwhile, and newer ones of the same minute", async () => {
    const series = await openSeries({ path: join(folder, "sealing"), driver: files(), now: () => START });
    const metric = await series.metric({ name: "m" });
    const expected: [number, number][] = [];
    for (let i = 0; i < 20; i++) {
      const sealing = series.flush();
      for (let k = 0; k < 10; k++) {
        const time = START - MINUTE + 50 * expected.length;
        expected.push([time, k]);
        await series.write([{ metric, timestamp: time, value: k }]);
        expect((await read(series, {})).get(metric.id)).toEqual(expected);
      }
      await sealing;
    }
    await series.close();
  });

  test("ends when its signal aborts, within a few milliseconds of work", async () => {
    const series = await storeOf(20_000, false);
    const set = await series.metricSet(
      [...Array(20_000).keys()].map((i) => ({ name: "m", tags: { i: String(i), parity: i % 2 ? "odd" : "even" } })),
    );
    for (let i = 0; i < 20; i++) await series.writeScrape(START - 1000 * i, set, new Float64Array(20_000));
    await series.flush();
    const controller = new AbortController();
    const all = async () => {
      for await (const _ of series.blocks({ signal: controller.signal }));
    };
    // Processor time: other processes do not count.
    const started = process.cpuUsage();
    await all();
    const whole = process.cpuUsage(started).user;
    const timer = setTimeout(() => controller.abort(), 1);
    const again = process.cpuUsage();
    await expect(all()).rejects.toMatchObject({ code: "ERR_ABORTED" });
    expect(process.cpuUsage(again).user).toBeLessThan(whole);
    clearTimeout(timer);
    await expect(all()).rejects.toMatchObject({ code: "ERR_ABORTED" });
    await series.close();
  });

  test("reads no more than it takes, and ends when the store is closed", async () => {
    const series = await storeOf(9000, true);
    const blocks = series.blocks({})[Symbol.asyncIterator]();
    const { value } = await blocks.next();
    expect((value as { length: number }).length).toBeLessThanOrEqual(64);
    await series.close();
    await expect(blocks.next()).rejects.toMatchObject({ code: "ERR_CLOSED" });
    expect(() => series.blocks({})).toThrow(expect.objectContaining({ code: "ERR_CLOSED" }));
  });
});

describe("wrong arguments are ERR_INVALID_ARGUMENT", () => {
  const ok = { name: "a", op: "=", value: "b" };
  test.each<[unknown, string]>([
    [undefined, "a selection must be an object"],
    [{ limit: 5 }, "limit"],
    [{ reverse: true }, "reverse"],
    [{ window: "1m" }, "window"],
    [{ matcher: [] }, "did you mean matchers"],
    [{ signal: 5 }, "signal must be an AbortSignal"],
    [{ from: "x" }, "from must be a time"],
    [{ metrics: [], matchers: [ok] }, "a selection has metrics, or a name, tags and matchers"],
    [{ matchers: ok }, "matchers must be a list of { name, op, value }"],
    [{ matchers: [null] }, "matcher 0 must be an object"],
    [{ matchers: [ok, { ...ok, op: "==" }] }, 'the op of matcher 1 must be "=", "!=", "=~" or "!~"'],
    [{ matchers: [{ ...ok, value: 5 }] }, "matcher 0 needs a name and a value, which are texts"],
    [{ matchers: [{ op: "=", value: "" }] }, "matcher 0 needs a name and a value, which are texts"],
    [{ matchers: [{ ...ok, op: "=~", value: "\ud800" }] }, "matcher 0: error parsing regexp: invalid UTF-8"],
    [{ matchers: [{ ...ok, name: "" }] }, "a tag has an empty key"],
    [{ matchers: [{ ...ok, operator: "=" }] }, "operator"],
    [{ tags: { host: /a+\c/ } }, "is not valid with the flag u"],
  ])("%j", async (selection, text) => {
    const series = await storeOf(1, false);
    try {
      series.blocks(selection as BlockSelection);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
      expect((error as Error).message).toContain(text);
    }
    await series.close();
  });

  test.each([
    ["(", "matcher 0: error parsing regexp: missing closing ): `(`"],
    ["a(?=b)", "matcher 0: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"],
    ["(a{1000}){1000}", "matcher 0: error parsing regexp: invalid repeat count: `{1000}`"],
  ])("the regular expression %s, when the read starts", async (value, message) => {
    const series = await storeOf(1, false);
    const matchers: LabelMatcher[] = [{ name: "host", op: "!~", value }];
    const wrong = { code: "ERR_INVALID_ARGUMENT", message };
    await expect(read(series, { matchers })).rejects.toMatchObject(wrong);
    await expect(series.tagValues("host", { matchers })).rejects.toMatchObject(wrong);
    await expect(series.metrics({ matchers })[Symbol.asyncIterator]().next()).rejects.toMatchObject(wrong);
    // Nothing is read, so nothing fails.
    series.select({ matchers });
    await series.close();
  });
});
