/** Hostile options: getters that count or throw, hidden unknown names, proxies, frozen objects. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Series } from "../src/api.ts";
import { memory } from "../src/drivers/files.ts";
import { openSeries } from "../src/open.ts";
import { readOptions } from "../src/options.ts";

const NOW = 1_700_000_000_000;
const metric = { name: "load" };
let series: Series;
beforeAll(async () => {
  series = await openSeries({ driver: memory(), now: () => NOW });
  await series.write([{ metric, timestamp: NOW, value: 1 }]);
});
afterAll(() => series.close());

/** Each call that takes options, with valid ones. */
const CALLS: [string, (options: never) => unknown, object][] = [
  ["openSeries", readOptions, { driver: memory(), retention: "7d", readOnly: false, undecodable: "skip" }],
  ["query", (query) => series.query(query).toArray(), { metric, from: 0, to: NOW + 1, limit: 5 }],
  ["windows", (query) => series.query(query).toArray(), { metric, window: "1m", aggregate: ["count"], fill: "none" }],
  ["delete", (deletion) => series.delete(deletion), { metric, from: 0, to: 1 }],
  ["retention", (retention) => readOptions({ driver: memory(), retention }), { default: "7d", rules: [] }],
  [
    "a rule",
    (rule) => readOptions({ driver: memory(), retention: { rules: [rule] } }),
    { keep: "7d", name: "load", tags: {} },
  ],
  ["watch", (watching) => series.watch(watching), { maxPoints: 5, name: "load", tags: {}, matchers: [] }],
  ["watch of a list", (watching) => series.watch(watching), { metrics: [metric], maxPoints: 5 }],
  ["tagValues", (match) => series.tagValues("host", match), { name: "load", tags: {} }],
];

test.each(CALLS)("%s reads each option once", async (_, call, valid) => {
  const reads: string[] = [];
  const options = {};
  for (const [name, value] of Object.entries(valid)) {
    const get = (): unknown => {
      reads.push(name);
      return value;
    };
    Object.defineProperty(options, name, { get, enumerable: true });
  }
  await call(options as never);
  expect(reads.sort()).toEqual(Object.keys(valid).sort());
});

test.each(CALLS)("%s passes on the exception of a getter", async (_, call, valid) => {
  for (const name of Object.keys(valid)) {
    const options = Object.defineProperty({ ...valid }, name, {
      get() {
        throw new RangeError(name);
      },
      enumerable: true,
    });
    await expect((async () => call(options as never))()).rejects.toThrow(new RangeError(name));
  }
});

test.each(CALLS)("%s refuses unknown names and suggests one", async (_, call, valid) => {
  const [first] = Object.keys(valid);
  await expect((async () => call({ ...valid, [`${first}s`]: 1 } as never))()).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining(`did you mean ${first}?`),
  });
});

test.each(CALLS)("%s does not change frozen options", async (_, call, valid) => {
  const before = { ...valid };
  await call(Object.freeze(valid) as never);
  expect(valid).toEqual(before);
});
