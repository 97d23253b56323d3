/** Hostile options: getters that count or throw, hidden unknown names, proxies, frozen and inherited options. */
import { expect, test } from "vitest";
import {
  compare,
  fromJson,
  type LoadOptions,
  load,
  type Target,
  toJson,
  toMarkdown,
  toReport,
  toSvg,
} from "../src/index.js";
import { settingsOf } from "../src/options/options.js";
import { hazelcastMap, http, seriesStore, tcpEcho } from "../src/targets/index.js";

const refused = (text: string): object =>
  expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining(text) });
const both: Target = { name: "both", get: async () => {}, set: async () => {} };
const short: LoadOptions = { operations: 10, warmup: 0, rounds: 1 };
/** Each function that takes options, with valid ones. */
const CALLS: [string, (options: never) => unknown, object][] = [
  ["load", settingsOf, { ...short, scenario: { gets: 50 }, payload: [1, 2], timeout: "5s" }],
  ["http", http, { url: "http://a/", connections: 2, headers: {} }],
  ["tcpEcho", tcpEcho, { port: 7000, host: "127.0.0.1", gather: false }],
  ["hazelcastMap", hazelcastMap, { map: "a", members: ["a:1"], overwrite: true }],
  ["seriesStore", seriesStore, { path: "a", durability: "sync" }],
];

test.each(CALLS)("%s reads each option once", (_, call, valid) => {
  const reads: string[] = [];
  const options = {};
  for (const [name, value] of Object.entries(valid)) {
    const get = (): unknown => {
      reads.push(name);
      return value;
    };
    Object.defineProperty(options, name, { get, enumerable: true });
  }
  call(options as never);
  expect(reads.sort()).toEqual(Object.keys(valid).sort());
});

test.each(CALLS)("%s passes on the exception of a getter", (_, call, valid) => {
  for (const name of Object.keys(valid)) {
    const options = Object.defineProperty({ ...valid }, name, {
      get() {
        throw new RangeError(name);
      },
    });
    expect(() => call(options as never)).toThrow(new RangeError(name));
  }
});

test.each(CALLS)("%s refuses unknown names and suggests one", (_, call, valid) => {
  const [first] = Object.keys(valid);
  expect(() => call({ ...valid, [`${first}s`]: 1 } as never)).toThrow(
    expect.objectContaining({
      code: "ERR_INVALID_ARGUMENT",
      message: expect.stringContaining(`did you mean ${first}?`),
    }),
  );
});

test("a function whose name is similar to one of a target's is refused; other properties are state", async () => {
  const text = '"chek" is not a known function of a target: did you mean check?';
  for (const run of [(target: Target) => load(target, short), (target: Target) => compare([both, target], short)])
    await expect(run({ ...both, name: "other", chek: () => true } as Target)).rejects.toThrow(refused(text));
  const { summary } = await load({ ...both, gets: 0, sets: new Map(), closed: false, reset: () => 1 } as Target, short);
  expect(summary?.operations).toBe(10);
});

test.each(["setup", "check", "close"])("%s of a target is a function, if it is there", async (name) => {
  for (const wrong of [5, "x", null, {}, true]) {
    const target = { ...both, [name]: wrong } as never;
    await expect(load(target, short)).rejects.toThrow(refused(`${name} of the target both must be a function`));
  }
  expect((await load({ ...both, [name]: undefined } as never, short)).failures).toEqual([]);
});

test.each([undefined, null, 5, "x", [], {}])("%j is neither a target nor a result", async (wrong) => {
  await expect(load(wrong as never, short)).rejects.toThrow(refused(""));
  await expect(compare([both, wrong as never], short)).rejects.toThrow(refused(""));
  for (const report of [toJson, fromJson, toReport, toMarkdown, toSvg])
    expect(() => report(wrong as never)).toThrow(refused(""));
});

test("options are not changed, and a proxy sees one read of each", async () => {
  const given = Object.freeze({
    ...short,
    scenario: Object.freeze({ gets: 50 }),
    payload: Object.freeze([1, 2]) as readonly number[],
  });
  await load(both, given);
  const reads: string[] = [];
  const watched = new Proxy(
    { ...short },
    {
      get(target, name) {
        reads.push(String(name));
        return Reflect.get(target, name);
      },
    },
  );
  await load(both, watched);
  expect(new Set(reads).size).toBe(reads.length);
});

test("inherited options are ignored", async () => {
  const { options } = await load(both, Object.create({ concurrency: 3 }, Object.getOwnPropertyDescriptors(short)));
  expect(options.concurrency).toBe(64);
});

const NOT_TEXTS = [5, true, null, ["a"], {}, () => "a"];
const NOT_FUNCTIONS = [5, "x", null, {}, true];
const HTTP = { url: "http://a/" };
/** Each target, its other options, an option, and values that are refused. */
const VALUES: [string, (options: never) => unknown, object, string, unknown[]][] = [
  ["http", http, HTTP, "method", NOT_TEXTS],
  ["http", http, HTTP, "setMethod", NOT_TEXTS],
  ["http", http, HTTP, "name", NOT_TEXTS],
  ["http", http, HTTP, "check", NOT_FUNCTIONS],
  ["http", http, HTTP, "codec", NOT_FUNCTIONS],
  ["http", http, HTTP, "headers", [5, "x", null, [], ["a", "b"], { a: 5 }, new Headers({ a: "b" }), new Map()]],
  ["tcpEcho", tcpEcho, { port: 1 }, "host", NOT_TEXTS],
  ["tcpEcho", tcpEcho, { port: 1 }, "gather", [5, 0, "false", null, {}]],
  ["tcpEcho", tcpEcho, { port: 1 }, "name", NOT_TEXTS],
  ["hazelcastMap", hazelcastMap, {}, "map", NOT_TEXTS],
  ["hazelcastMap", hazelcastMap, {}, "clusterName", NOT_TEXTS],
  ["hazelcastMap", hazelcastMap, {}, "members", [5, "a:1", null, [], [5], {}]],
  ["hazelcastMap", hazelcastMap, {}, "client", [5, "x", null, {}, { getMap: 1 }]],
  ["hazelcastMap", hazelcastMap, {}, "name", NOT_TEXTS],
  ["seriesStore", seriesStore, {}, "path", NOT_TEXTS],
  ["seriesStore", seriesStore, {}, "series", [5, "x", null, {}, { metric: () => 1 }]],
  ["seriesStore", seriesStore, { path: "a" }, "durability", [5, "x", null, "Sync", true]],
  ["seriesStore", seriesStore, { path: "a" }, "name", NOT_TEXTS],
];

test.each(VALUES)("%s checks values before the run: %#", (_, call, others, name, values) => {
  for (const value of values)
    expect(() => call({ ...others, [name]: value } as never)).toThrow(refused(`${name} must be`));
});
