import { expect, test } from "vitest";
import { compare, type LoadOptions, load, type Target } from "../src/index.js";
import { settingsOf } from "../src/options/options.js";

const both: Target = { name: "both", get: async () => {}, set: async () => {} };
const short: LoadOptions = { operations: 10, warmupMs: 0, rounds: 1 };

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
  [{ operations: 5, durationMs: 5 }, "operations and durationMs exclude each other"],
  [{ durationMs: 0 }, "durationMs must be"],
  [{ warmupMs: -1 }, "warmupMs must be"],
  [{ rounds: 0 }, "rounds must be"],
  [{ keys: 2 ** 24 + 1 }, "keys must be"],
  [{ distribution: "normal" }, "distribution must be"],
  [{ seed: -1 }, "seed must be"],
  [{ timeoutMs: 0 }, "timeoutMs must be"],
  [{ signal: {} }, "signal must be"],
  [{ onProgress: 1 }, "onProgress must be"],
  [{ duration: 5 }, '"duration" is not a known option: did you mean durationMs?'],
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
  [undefined, {}, "a target must be a function, or an object with a name"],
] as const)("a target that lacks something is refused: %#", async (target, options, text) => {
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

test("options are not changed, each is read once, and inherited ones do not count", async () => {
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
  const { options } = await load(both, Object.create({ concurrency: 3 }, Object.getOwnPropertyDescriptors(short)));
  expect(options.concurrency).toBe(64);
});
