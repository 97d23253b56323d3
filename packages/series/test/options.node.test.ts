/** Options of a store: defaults, every option's valid and invalid values, unknown names. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { SeriesOptions } from "../src/api.ts";
import { memory } from "../src/drivers/files.ts";
import { readOptions } from "../src/options.ts";

const MIB = 2 ** 20;
const refused = (message: string) => expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message });

test("only a path is needed", () => {
  const { driver, onWarning, now, ...rest } = readOptions({ path: "./metrics" });
  expect(rest).toEqual({
    // Absolute: the working folder may change later.
    path: resolve("metrics"),
    unitMs: 1,
    durability: "batch",
    syncEvery: 1000,
    retention: Number.POSITIVE_INFINITY,
    grace: 10_000,
    rollupAfter: 7_200_000,
    maxAhead: 86_400_000,
    maxHeadBytes: 256 * MIB,
    maxLogBytes: 16 * MIB,
    maxCacheBytes: 64 * MIB,
    maxCachedMetrics: 1_000_000,
    compactBytesPerSecond: 32 * MIB,
    readOnly: false,
    migrate: false,
    undecodable: "throw",
  });
  expect(driver.name).toBe("files");
  expect(onWarning({ kind: "retry", message: "" })).toBeUndefined();
  expect(Math.abs(now() - Date.now())).toBeLessThan(1000);
});

test("all options are taken over, durations in milliseconds", () => {
  const driver = memory();
  const onWarning = () => {};
  const now = () => 5;
  const options: SeriesOptions = {
    driver,
    unit: "s",
    durability: "sync",
    syncEvery: "250ms",
    retention: "52w",
    grace: 0,
    rollupAfter: "90m",
    maxAhead: "1.5h",
    maxHeadBytes: MIB,
    maxLogBytes: 2 * MIB,
    maxCacheBytes: 0,
    maxCachedMetrics: 1,
    compactBytesPerSecond: 3 * MIB,
    readOnly: true,
    migrate: false,
    undecodable: "skip",
    onWarning,
    now,
  };
  const settings = readOptions(Object.freeze(options));
  expect(settings).toEqual({
    path: undefined,
    driver,
    unitMs: 1000,
    durability: "sync",
    syncEvery: 250,
    retention: 52 * 604_800_000,
    grace: 0,
    rollupAfter: 5_400_000,
    maxAhead: 5_400_000,
    maxHeadBytes: MIB,
    maxLogBytes: 2 * MIB,
    maxCacheBytes: 0,
    maxCachedMetrics: 1,
    compactBytesPerSecond: 3 * MIB,
    readOnly: true,
    migrate: false,
    undecodable: "skip",
    // Not the user's function itself: its errors stop nothing.
    onWarning: expect.any(Function),
    now,
  });
  expect(Object.isFrozen(settings)).toBe(true);
  expect(readOptions({ path: "x", rollupAfter: false }).rollupAfter).toBe(Number.POSITIVE_INFINITY);
  expect(readOptions({ path: "x", unit: undefined, grace: undefined }).grace).toBe(10_000);
});

test("own properties only are read, each once", () => {
  expect(() => readOptions(Object.create({ path: "./metrics" }))).toThrow(
    refused("path is missing: it is the folder of the store"),
  );
  let reads = 0;
  const options = {
    get path() {
      return reads++ === 0 ? "first" : 5;
    },
  };
  expect(readOptions(options).path).toBe(resolve("first"));
  expect(reads).toBe(1);
});

test.each<[string, unknown, string]>([
  ["path", 5, "path must be the name of a folder"],
  ["path", "", "path must be the name of a folder"],
  ["path", "a\0b", "path must be the name of a folder"],
  ["driver", "rocksdb", "driver must be files(), memory(), or a driver of another package, such as rocksdb()"],
  ["driver", null, "driver must be files(), memory(), or a driver of another package, such as rocksdb()"],
  ["driver", { name: "x" }, "driver must be files(), memory(), or a driver of another package, such as rocksdb()"],
  ["unit", "us", 'unit must be "ms" or "s"'],
  ["durability", "all", 'durability must be "batch" or "sync" or "none"'],
  ["syncEvery", 0, "syncEvery must be at least 1 ms"],
  ["syncEvery", "2d", "syncEvery must be at most 86400000 ms"],
  ["retention", 0, "retention must be at least 1 ms"],
  ["grace", -1, "grace must be a finite number of milliseconds from 0 up, not -1"],
  ["rollupAfter", true, 'rollupAfter must be milliseconds, or a text with a unit: ms, s, m, h, d or w, as in "90s"'],
  ["maxAhead", "x", 'maxAhead must be milliseconds, or a text with a unit: ms, s, m, h, d or w, as in "90s"'],
  ["maxHeadBytes", 100, "maxHeadBytes must be an integer from 65536 to 9007199254740991"],
  ["maxLogBytes", Number.POSITIVE_INFINITY, "maxLogBytes must be an integer from 65536 to 9007199254740991"],
  ["maxCacheBytes", 0.5, "maxCacheBytes must be an integer from 0 to 9007199254740991"],
  ["compactBytesPerSecond", 0, "compactBytesPerSecond must be an integer from 65536 to 9007199254740991"],
  ["maxCachedMetrics", "5", "maxCachedMetrics must be an integer from 1 to 9007199254740991"],
  ["readOnly", 1, "readOnly must be false or true"],
  ["migrate", null, "migrate must be false or true"],
  ["undecodable", "ignore", 'undecodable must be "throw" or "skip"'],
  ["onWarning", "log", "onWarning must be a function"],
  ["now", 5, "now must be a function"],
])("%s: %j is refused", (name, value, message) => {
  expect(() => readOptions({ path: "./metrics", [name]: value })).toThrow(refused(message));
});

test("options that contradict each other are refused", () => {
  expect(() => readOptions({ path: "x", readOnly: true, migrate: true })).toThrow(
    refused("migrate rewrites the store, so it cannot be combined with readOnly"),
  );
});

test("a call without options misses the path", () => {
  expect(() => readOptions(undefined)).toThrow(refused("path is missing: it is the folder of the store"));
});

test.each([[null], ["./metrics"], [["./metrics"]], [5]])("%j is not an options object", (options) => {
  expect(() => readOptions(options)).toThrow(refused("options must be an object"));
});

test.each([
  ["retension", ": did you mean retention?"],
  ["readonly", ": did you mean readOnly?"],
  ["maxHeadByte", ": did you mean maxHeadBytes?"],
  ["unti", ": did you mean unit?"],
  ["compression", ""],
  ["__proto__", ""],
  ["x".repeat(1000), ""],
])("the unknown option %s is refused", (name, hint) => {
  const options: object = Object.defineProperty({ path: "x" }, name, { value: undefined, enumerable: true });
  expect(() => readOptions(options)).toThrow(refused(`${JSON.stringify(name)} is not a known option${hint}`));
});
