import { expect, test } from "vitest";
import { compare, type LoadOptions, load, type Target } from "../src/index.js";
import { settingsOf } from "../src/options/options.js";

const both: Target = { name: "both", get: async () => {}, set: async () => {} };
const short: LoadOptions = { operations: 10, warmup: 0, rounds: 1 };

test("durations are milliseconds or texts with a unit", () => {
  const { durationMs, warmupMs, timeoutMs } = settingsOf({ duration: "1.5s", warmup: 20, timeout: "0.5001s" });
  expect([durationMs, warmupMs, timeoutMs]).toEqual([1500, 20, 501]);
});

test("defaults", () => {
  expect(settingsOf(undefined)).toMatchObject({
    scenario: undefined,
    payload: { bytes: 1024 },
    concurrency: 64,
    rate: undefined,
    operations: undefined,
    durationMs: 10_000,
    warmupMs: 3000,
    rounds: 5,
    keys: 10_000,
    distribution: "uniform",
    seed: 1,
    timeoutMs: 10_000,
  });
});

test.each([
  [{ scenario: "mixed" }, "scenario must be"],
  [{ scenario: { gets: 101 } }, "scenario must be"],
  [{ scenario: {} }, "scenario must be"],
  [{ payload: -1 }, "payload must be"],
  [{ payload: 1.5 }, "payload must be"],
  [{ payload: [] }, "payload must be"],
  [{ payload: "1k" }, "payload must be"],
  [{ concurrency: 0 }, "concurrency must be an integer from 1 to 65536"],
  [{ concurrency: NaN }, "concurrency must be"],
  [{ rate: 0 }, "rate must be"],
  [{ rate: Infinity }, "rate must be"],
  [{ rate: "5" }, "rate must be"],
  [{ operations: 0 }, "operations must be"],
  [{ operations: 5, duration: 5 }, "operations and duration exclude each other"],
  [{ duration: 0 }, "duration must be at least 1 ms"],
  [{ duration: "2d" }, "duration must be at most"],
  [{ duration: "5 s" }, "duration must be milliseconds, or a text with a unit"],
  [{ warmup: -1 }, "warmup must be"],
  [{ rounds: 0 }, "rounds must be"],
  [{ keys: 2 ** 24 + 1 }, "keys must be"],
  [{ distribution: "normal" }, "distribution must be"],
  [{ seed: -1 }, "seed must be"],
  [{ timeout: 0 }, "timeout must be at least 1 ms"],
  [{ signal: {} }, "signal must be"],
  [{ onProgress: 1 }, "onProgress must be"],
  [{ durationMs: 5 }, '"durationMs" is not a known option: did you mean duration?'],
  [{ concurency: 5 }, '"concurency" is not a known option: did you mean concurrency?'],
  [[], "options must be an object"],
  [null, "options must be an object"],
] as const)("%j is refused", async (options, text) => {
  await expect(load(both, options as LoadOptions)).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining(text),
  });
});

test.each([
  [{ name: "a" }, {}, "the target a has no function get"],
  [{ name: "a", get: async () => {} }, { scenario: "set" }, "the target a has no function set"],
  [{ name: "a", get: async () => {} }, { scenario: { gets: 50 } }, "the target a has no function set"],
  [{ get: async () => {} }, {}, "a target must be a function, or an object with a name"],
  [
    { name: "a", get: async () => {}, operationNames: { get: "GET" } },
    {},
    "operationNames of the target a must be { get, set }, both texts",
  ],
  [undefined, {}, "a target must be a function, or an object with a name"],
] as const)("a target without the needed functions is refused: %#", async (target, options, text) => {
  await expect(load(target as unknown as Target, options as LoadOptions)).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining(text),
  });
});

test("compare needs two targets", async () => {
  await expect(compare([both])).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});

test("a target with only set is written to", async () => {
  const { options } = await load({ name: "sink", set: async () => {} }, short);
  expect(options.scenario).toBe("set");
});
