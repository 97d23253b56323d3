/**
 * Long work gives the event loop its turns. The clock of these tests moves 5 ms at each reading, so that each slice of work that is
 * counted is a turn: turns are counted, never timed.
 */
import { type EvaluateOptions, evaluate, Labels, parseQuery, type SeriesSource } from "@moonpack/prometheus";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace } from "../../src/eval/pace.ts";
import { unpackSnappyInSlices } from "../../src/remote-write/snappy.ts";

const SERIES = 20_000;
let turns = 0;

beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 5));
  const real = globalThis.setImmediate;
  turns = 0;
  vi.spyOn(globalThis, "setImmediate").mockImplementation(((next: () => void) => {
    turns++;
    return real(next);
  }) as typeof setImmediate);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Many series of one sample. Their order is not that of their labels. */
const many: SeriesSource = {
  async *select() {
    for (let i = 0; i < SERIES; i++) {
      const instance = `host-${(i * 7919) % SERIES}`;
      const labels = Labels.of({ __name__: "x", instance, job: `job-${i % 10}`, le: String(i % 5) });
      yield { labels, timestamps: Float64Array.of(0), values: Float64Array.of((i * 31) % 977) };
    }
  },
};

/** Returns the turns of a query. */
async function turnsOf(query: string, source = many, options: Partial<EvaluateOptions> = {}): Promise<number> {
  const expression = parseQuery(query);
  turns = 0;
  await evaluate(expression, { query, source, start: 0, timeout: Number.MAX_SAFE_INTEGER, ...options });
  return turns;
}

test.each([
  ["sort(x)", 100],
  ['sort_by_label(x, "instance")', 100],
  ["topk(10000, x)", 60],
  [`label_join(x, "a", "-"${', "job"'.repeat(50)})`, 1000],
  ['label_replace(x, "a", "$1", "instance", "(.*)")', 10_000],
  [`x${" or x".repeat(3)}`, 300],
  ["histogram_quantile(0.9, x)", 30],
  ["x * x", 100],
])("%s of many series", async (query, least) => {
  // Besides those of reading the series.
  const other = await turnsOf("x");
  expect((await turnsOf(query)) - other).toBeGreaterThan(least);
});

test("the series of a range query are sorted in slices", async () => {
  expect(await turnsOf("x", many, { end: 10, step: 10 })).toBeGreaterThan((await turnsOf("x")) + 100);
});

test.each([
  "hour(vector(time()))",
  "vector(time()) ^ 0.5",
  "vector(time() ^ 0.5)",
  "clamp_max(vector(time()), 5)",
  `vector(${"(1 + ".repeat(30)}time()${")".repeat(30)})`,
])("the steps of a subquery: %s", async (query) => {
  // A turn for each 32,768 steps at least.
  const steps = 1_000_000;
  expect(await turnsOf(`count_over_time((${query})[${steps}s:1s])`)).toBeGreaterThan(steps / 32_768);
});

test("nested scalars have a turn each", async () => {
  const nested = (depth: number) =>
    `count_over_time(vector(${"(1 + ".repeat(depth)}time()${")".repeat(depth)})[100000s:1s])`;
  expect((await turnsOf(nested(40))) - (await turnsOf(nested(10)))).toBeGreaterThanOrEqual(30);
});

test("each expression of label_replace that is compiled", async () => {
  let query = "vector(1)";
  for (let i = 0; i < 50; i++) query = `label_replace(${query}, "a${i}", "b", "c", "(.*)${i}")`;
  expect(await turnsOf(query)).toBeGreaterThanOrEqual(50);
});

test("a long request of remote write", async () => {
  // A literal of one byte, then copies of 64 bytes each.
  const copies = 200_000;
  const size = 1 + 64 * copies;
  const declared = [size & 0x7f | 0x80, (size >> 7) & 0x7f | 0x80, (size >> 14) & 0x7f | 0x80, size >> 21]; // biome-ignore format: bytes of a varint
  const packed = new Uint8Array(declared.length + 2 + 3 * copies);
  packed.set([...declared, 0, 7]);
  for (let at = declared.length + 2; at < packed.length; at += 3) packed.set([(63 << 2) | 2, 1, 0], at);
  const raw = await unpackSnappyInSlices(packed, size, new Pace(undefined, Number.MAX_SAFE_INTEGER));
  expect([raw.length, raw.every((byte) => byte === 7)]).toEqual([size, true]);
  expect(turns).toBeGreaterThan(10);
});

test("a sort in slices has the order of a sort at once, and keeps the order of equal items", async () => {
  const pace = new Pace(undefined, Number.MAX_SAFE_INTEGER);
  for (const count of [0, 1, 2, 255, 256, 257, 1000, 5000]) {
    const items = Array.from({ length: count }, (_, i) => ({ key: (i * 7919) % 61, i }));
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
    expect(await pace.sort(items, compare)).toEqual([...items].sort(compare));
  }
});
