/** Rounds on a virtual clock: the measurements depend on the schedule only. */
import { expect, test } from "vitest";
import type { Latencies } from "../src/measure/histogram.js";
import { Meter } from "../src/measure/meter.js";
import { roundResult } from "../src/measure/round-result.js";
import { Round, type RoundPlan } from "../src/run/round.js";
import type { Target } from "../src/target.js";
import { VirtualClock } from "./virtual-clock.js";

const OVERHEAD = { cpuMicros: 0, utilisation: 0, loopDelayMs: 0, gcMs: 0 };

interface Ran {
  readonly round: Round;
  readonly meter: Meter;
}

async function ran(clock: VirtualClock, target: Target, plan: Partial<RoundPlan>): Promise<Ran> {
  const workers = plan.workers ?? 4;
  const meter = new Meter(target, workers, plan.rate !== undefined);
  const round = new Round(
    {
      target,
      sequence: undefined,
      values: [],
      workers,
      rate: undefined,
      operations: undefined,
      durationMs: 1000,
      timeoutMs: 1e6,
      ...plan,
    },
    clock,
    meter,
  );
  await clock.run(round.run());
  return { round, meter };
}

function figures({ round, meter }: Ran, scheduledMs?: number) {
  return roundResult(meter, { start: round.start, scheduledMs, overhead: OVERHEAD, partial: false });
}

/** Expects a time within the precision of an HDR histogram with three digits. */
function expectTime(measured: number, expected: number): void {
  expect(measured).toBeGreaterThanOrEqual(expected * 0.999);
  expect(measured).toBeLessThanOrEqual(expected * 1.001 + 1e-6);
}

/** A percentile, computed from all times. */
function percentile(times: readonly number[], percent: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100 - 1e-6) - 1)]!;
}

function expectPercentiles(latencies: Latencies, times: readonly number[]): void {
  expect(latencies.count).toBe(times.length);
  for (const percent of [1, 10, 50, 75, 89, 90, 91, 95, 99, 99.5, 99.9, 99.99, 100])
    expectTime(latencies.at(percent), percentile(times, percent));
}

/** A target that takes 1 ms, but pauses from `from` to `to`: operations that would end in the pause end 1 ms after it. */
function pausing(clock: VirtualClock, from: number, to: number): Target {
  return {
    name: "pausing",
    get: () => {
      const now = clock.now();
      return clock.wait(now + 1 > from && now < to ? to + 1 - now : 1);
    },
  };
}

test("a pause counts for every operation that was due during it, in every percentile", async () => {
  const clock = new VirtualClock();
  // More workers than operations in the pause: each operation starts when it is due.
  const { meter } = await ran(clock, pausing(clock, 1000, 1500), { workers: 600, rate: 1000, durationMs: 5000 });
  const expected = Array.from({ length: 5000 }, (_, due) => (due + 1 > 1000 && due < 1500 ? 1501 - due : 1));
  expectPercentiles(meter.response!, expected);
  expectPercentiles(meter.service, expected);
  expect(meter.late!.at(100)).toBe(0);
  // A tenth of the operations was due in the pause, the first one half a second before its end.
  expectTime(meter.response!.at(99), 451);
});

test("with few workers, operations start late: this counts as response time, not as service time", async () => {
  const clock = new VirtualClock();
  const workers = 8;
  const { meter } = await ran(clock, pausing(clock, 1000, 1500), { workers, rate: 2000, durationMs: 3000 });
  // The expected times: an operation starts when it is due, or when a worker is free, whichever is later.
  const free = new Array<number>(workers).fill(0);
  const [response, service, late]: number[][] = [[], [], []];
  for (let n = 0; n < 6000; n++) {
    const due = n / 2;
    const worker = free.indexOf(Math.min(...free));
    const begun = Math.max(due, free[worker]!);
    const ended = begun + 1 > 1000 && begun < 1500 ? 1501 : begun + 1;
    free[worker] = ended;
    response!.push(ended - due);
    service!.push(ended - begun);
    late!.push(begun - due);
  }
  expectPercentiles(meter.response!, response!);
  expectPercentiles(meter.service, service!);
  expect(percentile(response!, 90)).toBeGreaterThan(200);
  expect(percentile(service!, 99.8)).toBe(1);
  for (const percent of [50, 90, 99, 100]) expectTime(meter.late!.at(percent), percentile(late!, percent));
});

test("without a schedule, the same pause shows in one operation per worker only", async () => {
  const clock = new VirtualClock();
  const { meter, round } = await ran(clock, pausing(clock, 1000, 1500), { workers: 4, durationMs: 5000 });
  expect(meter.operations).toBe(4 * 4500);
  expect(meter.service.at(99.97)).toBeCloseTo(1, 2);
  expectTime(meter.service.at(99.98), 501);
  expect(figures({ round, meter }).perSecond).toBeCloseTo((4 * 4500) / 5, 1);
});

test("each worker starts its next operation at once", async () => {
  const clock = new VirtualClock();
  let inFlight = 0;
  const seen: number[] = [];
  const keys: number[] = [];
  const target: Target = {
    name: "counting",
    get: async (key) => {
      keys.push(key);
      seen.push(++inFlight);
      await clock.wait(3);
      inFlight--;
    },
  };
  const { meter, round } = await ran(clock, target, { workers: 5, operations: 23 });
  expect(Math.max(...seen)).toBe(5);
  expect(seen.slice(4).every((count) => count > 0)).toBe(true);
  expect(keys).toEqual(Array.from({ length: 23 }, (_, i) => i));
  expect(meter.operations).toBe(23);
  expect(figures({ round, meter })).toMatchObject({ operations: 23, seconds: 0.015 });
  // 3 workers have done five operations in 15 ms, two of them four in 12 ms.
  expect(figures({ round, meter }).perSecond).toBeCloseTo(5000 / 3, 5);
});

test("the sequence determines which keys are read and written; writes use the values of the keys", async () => {
  const clock = new VirtualClock();
  const calls: unknown[] = [];
  const target: Target = {
    name: "both",
    get: async (key) => void calls.push(["get", key]),
    set: async (key, value) => void calls.push(["set", key, value]),
  };
  const sequence = Int32Array.of(0, ~0, 3, ~5);
  await ran(clock, target, { sequence, values: ["a", "b"], workers: 1, operations: 6 });
  expect(calls).toEqual([
    ["get", 0],
    ["set", 0, "a"],
    ["get", 3],
    ["set", 5, "b"],
    ["get", 0],
    ["set", 0, "a"],
  ]);
});

test("a schedule that cannot be met: a grace period, `saturated`, and errors for operations that never started", async () => {
  const clock = new VirtualClock();
  const slow: Target = { name: "slow", get: () => clock.wait(1) };
  // 1,000 operations per second are possible, 1,500 are scheduled: the last one is due after 2 s and starts after 3 s.
  const behind = await ran(clock, slow, { workers: 1, rate: 1500, durationMs: 2000 });
  expect(behind.meter.operations).toBe(3000);
  expect(figures(behind, 2000)).toMatchObject({ saturated: true, seconds: 3, perSecond: 1000 });
  expectTime(behind.meter.response!.at(100), 3000 - 2999 / 1.5);
  // 10,000 are scheduled: none starts after 4 s.
  const hopeless = await ran(clock, slow, { workers: 1, rate: 10_000, durationMs: 2000 });
  expect(hopeless.meter.operations).toBe(4000);
  expect(hopeless.meter.errors.counts).toEqual({ ERR_NOT_STARTED: 16_000 });
  expect(figures(hopeless, 2000).saturated).toBe(true);
});

test("a schedule that is met is not saturated, even if its last operations are slow", async () => {
  const clock = new VirtualClock();
  const run = await ran(
    clock,
    { name: "slow", get: () => clock.wait(90) },
    { workers: 100, rate: 1000, durationMs: 500 },
  );
  expect(figures(run, 500)).toMatchObject({ operations: 500, saturated: false });
});

test("errors are counted by code and not in percentiles; the worker continues", async () => {
  const clock = new VirtualClock();
  const failures: (() => unknown)[] = [
    () => Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })),
    () => {
      throw new TypeError("at once");
    },
    () => Promise.reject("a text"),
    () => Promise.reject(Object.assign(new Error("number"), { code: 7 })),
  ];
  const target: Target = {
    name: "failing",
    get: async (n) => {
      await clock.wait(n % 2 === 0 ? 1 : 1000);
      if (n % 2 === 1) await failures[((n - 1) / 2) % 4]!();
    },
  };
  const { meter } = await ran(clock, target, { workers: 2, operations: 40 });
  expect(meter.operations).toBe(20);
  expect(meter.errors.counts).toEqual({ ECONNREFUSED: 5, TypeError: 5, unknown: 5, "7": 5 });
  expect(meter.service.count).toBe(20);
  expectTime(meter.service.at(100), 1);
});

test("a target that always throws synchronously does not block the end of the round", async () => {
  const clock = new VirtualClock();
  const throwing: Target = {
    name: "throwing",
    get: (n) => {
      if (n % 1000 === 999) clock.nextIteration(() => {});
      throw new RangeError("no");
    },
  };
  const { meter } = await ran(clock, throwing, { workers: 3, operations: 5000 });
  expect(meter.errors.counts).toEqual({ RangeError: 5000 });
});

test("a timed-out operation is an error and frees its worker; its later result is ignored", async () => {
  const clock = new VirtualClock();
  const target: Target = {
    name: "stuck",
    get: (n) => (n === 3 ? clock.wait(400) : n === 5 ? new Promise(() => {}) : clock.wait(10)),
  };
  const { meter } = await ran(clock, target, { workers: 2, durationMs: 1000, timeoutMs: 200 });
  expect(meter.errors.counts).toEqual({ ERR_TIMEOUT: 2 });
  expectTime(meter.service.at(100), 10);
  // Timeouts are checked every 20 ms: both operations occupied a worker for 210 to 230 ms.
  expect(meter.operations).toBeGreaterThanOrEqual(2 * 100 - 2 * 23);
  expect(meter.operations).toBeLessThanOrEqual(2 * 100 - 2 * 20);
});

test("a worker that waits for a due time does not time out", async () => {
  const clock = new VirtualClock();
  const { meter } = await ran(
    clock,
    { name: "rare", get: () => clock.wait(1) },
    { workers: 3, rate: 1, operations: 5, timeoutMs: 100 },
  );
  expect(meter.errors.counts).toEqual({});
  expect(meter.operations).toBe(5);
});

test("wrong answers are counted, of one get in 1,000; a check that throws is a wrong answer", async () => {
  const clock = new VirtualClock();
  const checked: number[] = [];
  const target: Target = {
    name: "wrong",
    get: async (key) => key,
    check: (key, result) => {
      checked.push(key);
      if (key === 2000) throw new Error("no");
      return result === key && key !== 1000;
    },
  };
  const { meter } = await ran(clock, target, { workers: 1, operations: 3500 });
  expect(checked).toEqual([0, 1000, 2000, 3000]);
  expect(meter.wrong).toBe(2);
});

test("the time of a check does not count for operations", async () => {
  const clock = new VirtualClock();
  let checking = 0;
  const now = clock.now.bind(clock);
  clock.now = () => now() + checking;
  const target: Target = {
    name: "checked",
    get: () => clock.wait(1),
    check: () => {
      checking += 50;
      return true;
    },
  };
  const { meter } = await ran(clock, target, { workers: 1, operations: 2500 });
  expect(checking).toBe(150);
  expectTime(meter.service.at(100), 1);
});

test.each([undefined, 100])("a check that returns a promise is refused (rate %j)", async (rate) => {
  const clock = new VirtualClock();
  let calls = 0;
  const target = {
    name: "later",
    get: () => {
      calls++;
      return clock.wait(1);
    },
    check: () => Promise.reject(new Error("no")),
  } as unknown as Target;
  await expect(ran(clock, target, { workers: 3, rate, operations: 50 })).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: "check of later must return true or false, not a promise",
  });
  expect(calls).toBeLessThan(10);
});

test("the throughput of an interrupted round on a schedule counts the schedule so far", async () => {
  const clock = new VirtualClock();
  const target: Target = { name: "a", get: () => clock.wait(1) };
  const meter = new Meter(target, 64, true);
  const plan = { target, sequence: undefined, values: [], workers: 64, rate: 10, operations: undefined };
  const round = new Round({ ...plan, durationMs: 60_000, timeoutMs: 1e6 }, clock, meter);
  clock.at(1950, () => round.stop());
  await clock.run(round.run());
  expect([meter.operations, round.isIncomplete, round.plannedMs]).toEqual([20, true, 60_000]);
  const { perSecond } = roundResult(meter, { start: 0, scheduledMs: 2000, overhead: OVERHEAD, partial: true });
  expect(perSecond).toBe(10);
});

test("a round is incomplete only if operations were skipped", async () => {
  const stopped = async (at: number, plan: Partial<RoundPlan>) => {
    const clock = new VirtualClock();
    const target: Target = { name: "a", get: () => clock.wait(10) };
    const whole = { target, sequence: undefined, values: [], workers: 2, rate: undefined, operations: undefined };
    const round = new Round({ ...whole, durationMs: 95, timeoutMs: 1e6, ...plan }, clock);
    clock.at(at, () => round.stop());
    await clock.run(round.run());
    return round.isIncomplete;
  };
  // The last operations are in flight from 90 to 100 ms; the last operation of the schedule (100/s) is due at 90 ms.
  expect(await stopped(85, {})).toBe(true);
  expect(await stopped(97, {})).toBe(false);
  expect(await stopped(85, { operations: 20 })).toBe(true);
  expect(await stopped(95, { operations: 20 })).toBe(false);
  expect(await stopped(85, { rate: 100 })).toBe(true);
  expect(await stopped(95, { rate: 100 })).toBe(false);
});

test.each([undefined, 100])("stop: operations in flight end, and no others start (rate %j)", async (rate) => {
  const clock = new VirtualClock();
  const meter = new Meter({ name: "a" }, 2, rate !== undefined);
  let started = 0;
  const target: Target = {
    name: "a",
    get: () => {
      started++;
      return clock.wait(10);
    },
  };
  const plan = {
    target,
    sequence: undefined,
    values: [],
    workers: 2,
    rate,
    operations: undefined,
    durationMs: 1000,
    timeoutMs: 1e6,
  };
  const round = new Round(plan, clock, meter);
  clock.at(95, () => round.stop());
  await clock.run(round.run());
  expect(clock.now()).toBe(100);
  expect(meter.operations).toBe(started);
  expect(started).toBe(rate === undefined ? 20 : 10);
});

test("abandon: operations in flight are not awaited, and count as errors", async () => {
  const clock = new VirtualClock();
  const target: Target = { name: "stuck", get: (n) => (n < 4 ? clock.wait(10) : new Promise(() => {})) };
  const meter = new Meter(target, 2, false);
  const round = new Round(
    {
      target,
      sequence: undefined,
      values: [],
      workers: 2,
      rate: undefined,
      operations: undefined,
      durationMs: 1e6,
      timeoutMs: 1e6,
    },
    clock,
    meter,
  );
  clock.at(50, () => round.abandon());
  await clock.run(round.run());
  expect([clock.now(), meter.operations, meter.errors.counts]).toEqual([50, 4, { ERR_UNFINISHED: 2 }]);
});

test("an interrupted round shows that the target had stopped answering", async () => {
  const clock = new VirtualClock();
  const target: Target = { name: "stuck", get: (n) => (n < 200 ? clock.wait(1) : new Promise(() => {})) };
  const meter = new Meter(target, 64, true);
  const plan = { target, sequence: undefined, values: [], workers: 64, rate: 1000, operations: undefined };
  const round = new Round({ ...plan, durationMs: 30_000, timeoutMs: 1e6 }, clock, meter);
  clock.at(3000.5, () => round.stop());
  clock.at(5000, () => round.abandon());
  await clock.run(round.run());
  // Operation 3,000 was due at 3,000 ms.
  expect([meter.operations, meter.errors.counts]).toEqual([200, { ERR_NOT_STARTED: 3001 - 264, ERR_UNFINISHED: 64 }]);
});

test("operations that end without an iteration of the event loop wait for one every 10 ms", async () => {
  const clock = new VirtualClock();
  // Each operation advances the time by a microsecond.
  let steps = 0;
  const iterations: number[] = [];
  clock.now = () => steps / 1000;
  clock.nextIteration = (callback) => {
    iterations.push(clock.now());
    clock.at(0, callback);
  };
  const { meter } = await ran(
    clock,
    { name: "fast", get: async () => void steps++ },
    { workers: 2, operations: 100_000 },
  );
  expect(meter.operations).toBe(100_000);
  // An iteration is scheduled after 5 ms, and workers wait for it from 10 ms on.
  expect(iterations.length).toBe(10);
  for (const [i, time] of iterations.entries()) expect(time).toBeCloseTo(10 * i + 5, 1);
});
