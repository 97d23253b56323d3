/** Whole runs on the real clock. Times are not checked. */
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { expect, test } from "vitest";
import { type Context, compare, type LoadOptions, load, type Progress, type Target } from "../src/index.js";

const short: LoadOptions = { operations: 200, warmup: 0, rounds: 2, concurrency: 8, keys: 50 };
const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a function is called with the numbers of operations, from 0 in each round", async () => {
  const seen: number[] = [];
  const result = await load(async function count(n) {
    seen.push(n);
  }, short);
  const once = Array.from({ length: 200 }, (_, n) => n);
  expect(seen).toEqual([...once, ...once]);
  expect(result).toMatchObject({ format: 1, target: "count", interrupted: false, failures: [] });
  expect(result.options).toMatchObject({
    scenario: "get",
    payload: null,
    keys: null,
    operations: 200,
    durationMs: null,
  });
});

test("a target: set up once with its keys and values, loaded, checked, closed", async () => {
  const calls: string[] = [];
  const store = new Map<number, unknown>();
  let context: Context | undefined;
  const target: Target = {
    name: "map",
    async setup(given) {
      calls.push("setup");
      context = given;
      for (let key = 0; key < given.keys; key++) store.set(key, given.value(key));
    },
    async get(key) {
      await immediate();
      return store.get(key);
    },
    async set(key, value) {
      expect(value).toBe(context!.value(key));
      store.set(key, value);
    },
    check: (key, result) => result === context!.value(key),
    async close() {
      calls.push("close");
    },
  };
  const { rounds, summary, options, failures } = await load(target, { ...short, scenario: { gets: 70 }, payload: 10 });
  expect(calls).toEqual(["setup", "close"]);
  expect(context).toMatchObject({ keys: 50, concurrency: 8, timeout: 10_000 });
  expect(options).toMatchObject({ scenario: { gets: 70 }, payload: { bytes: 10 }, keys: 50 });
  expect(failures).toEqual([]);
  expect(rounds).toHaveLength(2);
  for (const round of rounds) {
    expect(round).toMatchObject({
      operations: 200,
      errors: {},
      wrong: 0,
      late: null,
      saturated: false,
      partial: false,
    });
    expect(round.response).toEqual(round.service);
    expect(decodeFromCompressedBase64(round.histograms.response).totalCount).toBe(200);
    expect(round.histograms).toMatchObject({ service: null, late: null });
  }
  expect(summary).toMatchObject({ rounds: 2, operations: 400, errors: {}, wrong: 0 });
});

test("histograms of rounds can be merged: the summary's percentiles cover all rounds", async () => {
  let calls = 0;
  const { rounds, summary } = await load(
    async () => {
      if (++calls > 200) await immediate();
    },
    { ...short, rate: 20_000 },
  );
  for (const name of ["response", "service", "late"] as const) {
    const all = decodeFromCompressedBase64(rounds[0]!.histograms[name]!);
    all.add(decodeFromCompressedBase64(rounds[1]!.histograms[name]!));
    expect(all.totalCount).toBe(400);
    expect(summary![name]!.p99).toBe(Math.min(all.getValueAtPercentile(99), all.maxValue) / 1e6);
    expect(summary![name]!.max).toBe(all.maxValue / 1e6);
  }
});

test("a wrong answer fails the run, also in the warm-up", async () => {
  const wrong: Target = { name: "wrong", get: async () => immediate(), check: () => false };
  const { failures, rounds, summary } = await load(wrong, { ...short, warmup: 5 });
  expect(failures).toEqual([expect.stringMatching(/^\d+ wrong answers? in the warm-up$/), "2 wrong answers"]);
  expect(rounds.map(({ wrong }) => wrong)).toEqual([1, 1]);
  expect(summary!.wrong).toBe(2);
});

test("errors are counted, and the run continues", async () => {
  const { summary, failures } = await load(async (n) => {
    await immediate();
    if (n % 4 === 0) throw Object.assign(new Error("no"), { code: "ENO" });
  }, short);
  expect(summary).toMatchObject({ operations: 300, errors: { ENO: 100 } });
  expect(failures).toEqual([]);
});

test("a warm-up is not measured", async () => {
  let calls = 0;
  const { summary } = await load(async () => void calls++, { ...short, warmup: 20 });
  expect(calls).toBeGreaterThan(400);
  expect(summary!.operations).toBe(400);
});

test.each([
  async () => Promise.reject(new Error("no")),
  () => {
    throw new Error("no");
  },
])("what setup throws rejects, and close is called", async (fail) => {
  let isClosed = false;
  const close = async () => {
    isClosed = true;
  };
  await expect(load({ name: "failing", get: async () => {}, setup: fail, close }, short)).rejects.toThrow("no");
  expect(isClosed).toBe(true);
});

test.each([
  [async () => Promise.reject(new Error("no")), "no"],
  [
    () => {
      throw Object.assign(new Error(""), { code: "ENO" });
    },
    "ENO",
  ],
])("what close throws is a failure of the run, which keeps what was measured", async (close, text) => {
  const { failures, summary } = await load({ name: "failing", get: async () => {}, close }, short);
  expect(failures).toEqual([`the target could not be closed: ${text}`]);
  expect(summary!.operations).toBe(400);
});

test.each([
  "before",
  "while",
])("an interruption: a close that never ends is left after 2 s (%s it closes)", async (when) => {
  const controller = new AbortController();
  const close = () => {
    if (when === "while") controller.abort();
    return new Promise<void>(() => {});
  };
  const get = async () => {
    if (when === "before") controller.abort();
    await immediate();
  };
  const result = await load({ name: "a", get, close }, { ...short, signal: controller.signal });
  expect(result.interrupted).toBe(true);
  expect(result.failures).toEqual(["the target was not closed in time after the interruption"]);
  expect(result.rounds.map(({ partial }) => partial)).toEqual(when === "before" ? [true] : [false, false]);
});

test("a close that never ends is abandoned after the timeout", async () => {
  const close = () => new Promise<void>(() => {});
  const { failures, summary } = await load({ name: "a", get: async () => {}, close }, { ...short, timeout: 50 });
  expect(failures).toEqual(["the target was not closed within 50 ms"]);
  expect(summary!.operations).toBe(400);
});

test("an error whose code cannot be read is counted", async () => {
  const error = Object.defineProperty(new Error("x"), "code", {
    get() {
      throw new Error("a getter");
    },
  });
  const { summary } = await load({ name: "a", get: () => Promise.reject(error) }, short);
  expect(summary!.errors).toEqual({ unknown: 400 });
});

test("compare: targets in turn, in an order that rotates; all set up first, all closed last", async () => {
  const calls: string[] = [];
  const named = (name: string): Target => {
    let last = 0;
    return {
      name,
      setup: async () => void calls.push(`setup ${name}`),
      get: async () => {
        if (last++ % 10 === 0) calls.push(name);
      },
      close: async () => void calls.push(`close ${name}`),
    };
  };
  const options = { operations: 10, concurrency: 1, warmup: 0, rounds: 3 };
  const { targets, ratios, interrupted } = await compare([named("a"), named("b"), named("c")], options);
  expect(calls.join(" ")).toBe("setup a setup b setup c a b c b c a c a b close a close b close c");
  expect(targets.map(({ target }) => target)).toEqual(["a", "b", "c"]);
  expect(interrupted).toBe(false);
  expect(ratios.map(({ target }) => target)).toEqual(["b", "c"]);
  const shares = targets[1]!.rounds.map((round, i) => round.perSecond / targets[0]!.rounds[i]!.perSecond);
  expect(ratios[0]!.perSecond).toEqual({
    median: [...shares].sort((x, y) => x - y)[1],
    low: Math.min(...shares),
    high: Math.max(...shares),
  });
});

test("compare: functions without a name get a number, and equal names are refused", async () => {
  const { targets, ratios } = await compare([async () => {}, async () => {}], short);
  expect(targets.map(({ target }) => target)).toEqual(["function 1", "function 2"]);
  expect(ratios.map(({ target }) => target)).toEqual(["function 2"]);
  const named = () => ({ name: "a", get: async () => {} });
  await expect(compare([named(), named()], short)).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: "two targets have the name a: names must differ",
  });
});

test("compare: a failed setup closes the targets that were set up", async () => {
  const closed: string[] = [];
  const named = (name: string, setup: () => Promise<void>): Target => ({
    name,
    setup,
    get: async () => {},
    close: async () => void closed.push(name),
  });
  const failing = named("b", () => Promise.reject(new Error("no")));
  const targets = [named("a", async () => {}), failing, named("c", async () => {})];
  await expect(compare(targets, short)).rejects.toThrow("no");
  expect(closed).toEqual(["a", "b"]);
});

test("a signal: complete rounds, the partial one, `interrupted`", async () => {
  const controller = new AbortController();
  let round = 0;
  const { interrupted, rounds, summary, notes } = await load(
    async (n) => {
      if (n === 0) round++;
      await immediate();
      if (round === 3 && n === 100) controller.abort();
    },
    { ...short, rounds: 5, signal: controller.signal },
  );
  expect(interrupted).toBe(true);
  expect(rounds.map(({ partial }) => partial)).toEqual([false, false, true]);
  expect(rounds[2]!.operations).toBeGreaterThan(90);
  expect(rounds[2]!.operations).toBeLessThan(120);
  expect(summary).toMatchObject({ rounds: 2, operations: 400 });
  expect(notes).toContain("interrupted: the last round is incomplete and does not count");
});

test("a signal between two rounds: complete rounds stay complete, and a note names the missing rounds", async () => {
  const controller = new AbortController();
  let count = 0;
  const get = async () => {
    // After the last operation of the second round, when no work is left to stop.
    if (++count === 400) setImmediate(() => controller.abort());
  };
  const options = { ...short, concurrency: 1, rounds: 5, signal: controller.signal };
  const { rounds, interrupted, notes } = await load({ name: "a", get }, options);
  expect(interrupted).toBe(true);
  expect(rounds.map(({ partial }) => partial)).toEqual([false, false]);
  expect(notes).toContain("interrupted after 2 of 5 rounds");
});

test.each([
  "warm-up",
  "round",
] as const)("a signal that onProgress gives at the start of a %s ends it", async (phase) => {
  const controller = new AbortController();
  const onProgress = (state: Progress) => {
    if (state.phase === phase) controller.abort();
  };
  const hour = { duration: "1h", warmup: "1h" } as const;
  const options = { ...(phase === "round" ? { ...hour, warmup: 0 } : hour), signal: controller.signal, onProgress };
  const { interrupted, rounds } = await load({ name: "a", get: immediate }, options);
  expect([interrupted, rounds.length]).toEqual([true, phase === "round" ? 1 : 0]);
});

test("an interrupted round on a schedule has the scheduled rate", async () => {
  const controller = new AbortController();
  // When the process is late, several operations start at once, and all of them count.
  let operations = 0;
  const get = async () => {
    if (++operations === 31) controller.abort();
  };
  const { rounds } = await load(get, { rate: 100, duration: "1m", warmup: 0, signal: controller.signal });
  expect(rounds).toEqual([expect.objectContaining({ partial: true, operations })]);
  expect(rounds[0]!.perSecond).toBeLessThanOrEqual(100);
});

test("a wait longer than the maximum of timers does not spin", async () => {
  const controller = new AbortController();
  const warnings: string[] = [];
  const hear = ({ name }: Error) => void warnings.push(name);
  process.on("warning", hear);
  setTimeout(() => controller.abort(), 100);
  const { rounds } = await load(async () => {}, { rate: 1e-8, operations: 2, warmup: 0, signal: controller.signal });
  await immediate();
  process.off("warning", hear);
  expect(rounds).toEqual([expect.objectContaining({ partial: true, operations: 1 })]);
  expect(warnings).toEqual([]);
});

test("a signal: operations in flight are abandoned after 2 s, and the target is closed", async () => {
  const controller = new AbortController();
  let isClosed = false;
  const target: Target = {
    name: "stuck",
    get: (key) => (key >= 0 ? new Promise(() => void setTimeout(() => controller.abort(), 5)) : Promise.resolve()),
    close: async () => {
      isClosed = true;
    },
  };
  const { rounds, interrupted, summary } = await load(target, { ...short, signal: controller.signal });
  expect([interrupted, isClosed]).toEqual([true, true]);
  expect(rounds).toEqual([expect.objectContaining({ partial: true, operations: 0, errors: { ERR_UNFINISHED: 8 } })]);
  expect(summary).toMatchObject({ operations: 0, perSecond: { median: 0, low: 0, high: 0 } });
});

test("a signal before the first round: no rounds, no summary", async () => {
  const calls: string[] = [];
  const target: Target = {
    name: "a",
    setup: async ({ signal }) => void calls.push(`setup ${signal.aborted}`),
    get: async () => void calls.push("get"),
    close: async () => void calls.push("close"),
  };
  const aborted = await load(target, { ...short, signal: AbortSignal.abort() });
  expect(calls).toEqual([]);
  expect(aborted).toMatchObject({
    interrupted: true,
    rounds: [],
    summary: null,
    notes: ["interrupted before the first round"],
  });
  const controller = new AbortController();
  const setup = async ({ signal }: Context) => {
    controller.abort();
    calls.push(`setup ${signal.aborted}`);
    throw new Error("aborted");
  };
  expect(await load({ ...target, setup }, { ...short, signal: controller.signal })).toMatchObject({
    rounds: [],
    interrupted: true,
  });
  expect(calls).toEqual(["setup true", "close"]);
});

test("progress: setup, warm-up and rounds; an exception ends the run and closes the target", async () => {
  const seen: Progress[] = [];
  await load(
    { name: "a", get: immediate },
    { ...short, warmup: 5, onProgress: (progress) => void seen.push(progress) },
  );
  const phases = new Set(seen.map(({ phase, round }) => `${phase} ${round}`));
  expect([...phases]).toEqual(["setup 0", "warm-up 0", "round 1", "round 2"]);
  expect(seen.find(({ phase }) => phase === "round")).toMatchObject({
    target: "a",
    rounds: 2,
    operations: 0,
    errors: 0,
  });
  let isClosed = false;
  const target: Target = {
    name: "a",
    get: immediate,
    close: async () => {
      isClosed = true;
    },
  };
  const onProgress = ({ phase }: Progress) => {
    if (phase === "round") throw new RangeError("enough");
  };
  await expect(load(target, { ...short, onProgress })).rejects.toThrow("enough");
  expect(isClosed).toBe(true);
});

test("a target without iterations of the event loop can still be interrupted", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  const { interrupted } = await load(async () => {}, {
    duration: "1m",
    warmup: 0,
    rounds: 1,
    signal: controller.signal,
  });
  expect(interrupted).toBe(true);
});
