/**
 * A store that is killed, or loses power, at every call of its driver and of its file system: through a history with rounds of several
 * batches, roll-up, deletes, a metric that is forgotten, log shortening, a backup and closing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Series } from "@moonpack/series";
import { FailingFileSystem } from "@moonpack/series/test/harness/failing-file-system.ts";
import { ForgetfulFileSystem } from "@moonpack/series/test/harness/forgetful-file-system.ts";
import { randomFrom } from "@moonpack/series/test/reference/vectors/random.ts";
import { SHARE } from "@moonpack/tools/share";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWith } from "../../series/build/open.js";
import { readOptions } from "../../series/build/options.js";
import { KeptMemory } from "./harness/kept-memory.ts";
import { TestDriver } from "./harness/test-driver.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = 2800 * 168 * HOUR + 7 * HOUR;
const METRICS = 56;
/** Number of points of a metric in a minute: a round then needs several batches. */
const POINTS = 800;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "moonpack-crash-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Points by ascending time. */
interface Points {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** The points of each metric; undefined for one that is not registered. */
type Contents = readonly (Points | undefined)[];

/** A step of the history: what it calls, and what the store holds afterwards. */
interface Step {
  readonly name: string;
  run(series: Series): Promise<unknown>;
  after(before: Contents): Contents;
}

/** The state after a crash, and the two possible contents. */
interface Crash {
  readonly where: string;
  readonly files: ForgetfulFileSystem;
  readonly databases: KeptMemory;
  readonly contents: readonly [Contents, Contents];
  readonly now: number;
}

const ref = (i: number) => ({ name: "m", tags: { i: String(i) } });

/** Changes the points of one metric. */
function changed(contents: Contents, metric: number, change: (points: Map<number, number>) => void): Contents {
  const points = mapOf(contents[metric]);
  change(points);
  const sorted = [...points].sort(([a], [b]) => a - b);
  return contents.map((one, i) =>
    i === metric
      ? { times: Float64Array.from(sorted, ([t]) => t), values: Float64Array.from(sorted, ([, v]) => v) }
      : one,
  );
}

function mapOf(points: Points | undefined): Map<number, number> {
  return new Map([...(points?.times ?? [])].map((time, i) => [time, points!.values[i]!]));
}

function areEqual(a: Points | undefined, b: Points | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    Buffer.compare(bytesOf(a.times), bytesOf(b.times)) === 0 &&
    Buffer.compare(bytesOf(a.values), bytesOf(b.values)) === 0
  );
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

const random = randomFrom(20);
const noise = Array.from({ length: METRICS * POINTS }, () => random(2 ** 30) / 3);

/** The clock, and the history. */
function history(): { clock: { now: number }; steps: Step[] } {
  const clock = { now: START + 30_000 };
  const column = (metric: number, from: number, n: number, gap: number, shift: number): Step => {
    const times = Float64Array.from({ length: n }, (_, i) => from + i * gap);
    const values = Float64Array.from({ length: n }, (_, i) => noise[(metric * POINTS + i + shift) % noise.length]!);
    return {
      name: `column of ${metric}`,
      run: (series) => series.writeColumn(ref(metric), times, values),
      after: (before) =>
        changed(before, metric, (points) => {
          for (const [i, time] of times.entries()) points.set(time, values[i]!);
        }),
    };
  };
  const columns = (from: number, shift: number): Step => {
    const all = Array.from({ length: METRICS }, (_, metric) => column(metric, from, POINTS, 60, shift));
    return {
      name: "columns",
      run: (series) => Promise.all(all.map(({ run }) => run(series))),
      after: (before) => all.reduce((contents, { after }) => after(contents), before),
    };
  };
  const remove = (metric: number, from: number, to: number): Step => ({
    name: `delete of ${metric}`,
    run: (series) => series.delete({ metric: ref(metric), from, to }),
    after: (before) =>
      changed(before, metric, (points) => {
        for (const time of points.keys()) if (time >= from && time < to) points.delete(time);
      }),
  });
  const forget = (metric: number): Step => ({
    name: `${metric} forgotten`,
    run: (series) => series.delete({ metric: ref(metric) }),
    after: (before) => before.map((one, i) => (i === metric ? undefined : one)),
  });
  const later = (by: number): Step => ({
    name: "clock",
    run: async () => (clock.now += by),
    after: (before) => before,
  });
  const work = (name: string, run: (series: Series) => Promise<unknown>): Step => ({ name, run, after: (b) => b });
  const flush = work("flush", (series) => series.flush());
  const compact = work("compact", (series) => series.compact());
  return {
    clock,
    steps: [
      columns(START, 0),
      later(MINUTE),
      columns(START + MINUTE, 7),
      flush,
      remove(3, START + 10_000, START + MINUTE + 5000),
      column(5, START + 600, 20, 1200, 3),
      forget(7),
      column(7, START + 2 * MINUTE, 3, 1000, 1),
      // Due by the clock: rounds come by themselves from here on.
      later(2 * MINUTE),
      column(8, START + 3 * MINUTE, 50, 60, 2),
      column(9, START + 3 * MINUTE, 50, 60, 2),
      work("turns", async () => {
        for (let i = 0; i < 200; i++) await new Promise(setImmediate);
      }),
      later(4 * HOUR),
      compact,
      column(5, START + 4000, 20, 1200, 3),
      remove(9, START, START + 30_000),
      column(9, START + 10_000, 20, 100, 4),
      flush,
      compact,
      forget(11),
      work("backup", (series) => series.backup(join(folder, `backup${Math.random()}`))),
      column(12, START + 5 * HOUR, 5, 1000, 5),
      work("close", (series) => series.close()),
    ],
  };
}

/** Runs the history, and collects what a crash would leave at each call that changes something. */
async function crashes(durability: "sync" | "batch"): Promise<Crash[]> {
  const files = new FailingFileSystem(new ForgetfulFileSystem());
  const databases = new KeptMemory();
  const driver = new TestDriver(databases.driver());
  const { clock, steps } = history();
  const list: Crash[] = [];
  let name = "open";
  let contents: [Contents, Contents] = [new Array(METRICS).fill(undefined), new Array(METRICS).fill(undefined)];
  const crash = (what: string) => {
    list.push({
      where: `${name}: ${what}`,
      files: files.inner.afterKill(),
      databases: databases.afterKill(),
      contents,
      now: clock.now,
    });
  };
  files.hold = (call, file) => {
    if (call !== "read" && call !== "list" && call !== "size") crash(`before ${call} of ${file}`);
    return undefined;
  };
  driver.before = ({ kind }) => {
    if (kind === "batch" || kind === "deleteRange") crash(`before a ${kind}`);
  };
  driver.after = ({ kind }) => {
    if (kind === "batch" || kind === "deleteRange") crash(`after a ${kind}`);
  };
  const options = { path: folder, driver, durability, grace: 0, now: () => clock.now } as const;
  const series = await openWith(readOptions(options), files);
  for (const step of steps) {
    name = step.name;
    contents = [contents[0], step.after(contents[0])];
    await step.run(series);
    contents = [contents[1], contents[1]];
  }
  return list;
}

/** The points of all metrics; undefined for those that are not registered. */
async function contentsOf(series: Series): Promise<Contents> {
  const registered = new Set<string>();
  for await (const { tags } of series.metrics()) registered.add(tags.i!);
  const contents: (Points | undefined)[] = [];
  for (let i = 0; i < METRICS; i++) {
    const times: number[] = [];
    const values: number[] = [];
    for await (const batch of series.query({ metric: ref(i) }).batches()) {
      for (const time of batch.timestamps) times.push(time);
      for (const value of batch.values) values.push(value as number);
    }
    if (!registered.has(String(i))) expect(times).toEqual([]);
    const points = { times: Float64Array.from(times), values: Float64Array.from(values) };
    contents.push(registered.has(String(i)) ? points : undefined);
  }
  return contents;
}

/** Throws unless all points and metrics match one of the contents. */
function checkContents(actual: Contents, [before, after]: Crash["contents"]): void {
  for (let metric = 0; metric < METRICS; metric++) {
    const [a, b, c] = [actual[metric], before[metric], after[metric]];
    if (areEqual(a, b) || areEqual(a, c)) continue;
    if ((a === undefined) !== (b === undefined) && (a === undefined) !== (c === undefined))
      throw new Error(`metric ${metric} is ${a === undefined ? "not " : ""}registered`);
    // A call of several records is not atomic.
    const [read, old, next] = [mapOf(a), mapOf(b), mapOf(c)];
    for (const time of new Set([...read.keys(), ...old.keys(), ...next.keys()])) {
      const value = read.get(time);
      if (value === old.get(time) || value === next.get(time)) continue;
      throw new Error(`metric ${metric} at ${time - START} is ${value}, not ${old.get(time)} or ${next.get(time)}`);
    }
  }
}

/** Opens what a crash left, checks it, and works with it. */
async function check(where: string, crash: Crash, durability: "sync" | "batch"): Promise<void> {
  const { contents, now } = crash;
  const databases = crash.databases.afterKill();
  const files = crash.files.afterKill();
  const open = (readOnly: boolean) =>
    openWith(
      readOptions({ path: folder, driver: databases.driver(), durability, grace: 0, readOnly, now: () => now }),
      files,
    );
  try {
    let series = await open(false);
    const found = await contentsOf(series);
    checkContents(found, contents);
    // A delete now is final, whatever pages the crash has left.
    for (const metric of [1, 20, 33]) {
      await series.delete({ metric: ref(metric), from: 0 });
      await series.write([{ metric: ref(metric), timestamp: START + 30_000, value: 1 }]);
    }
    const one = { times: Float64Array.of(START + 30_000), values: Float64Array.of(1) };
    const expected = found.map((points, i) => ([1, 20, 33].includes(i) ? one : points));
    checkContents(await contentsOf(series), [expected, expected]);
    await series.close();
    series = await open(true);
    checkContents(await contentsOf(series), [expected, expected]);
    await series.close();
  } catch (error) {
    throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
  }
}

describe.each(["sync", "batch"] as const)("durability %s", (durability) => {
  let all: Crash[];
  beforeAll(async () => {
    all = await crashes(durability);
  });
  const some = () => all.filter((_, i) => i % Math.ceil(1 / SHARE) === 0);

  test("the history has crashes of all kinds", () => {
    const names = new Set(all.map(({ where }) => where.split(" ")[0]));
    expect([...names]).toEqual(
      expect.arrayContaining(["open:", "columns:", "column", "flush:", "delete", "7", "compact:", "backup:"]),
    );
    // Rounds take several batches: their pages are partly there.
    const ofRounds = all.filter(({ where }) => /^(columns|flush): after a batch/.test(where));
    expect(ofRounds.length).toBeGreaterThan(4);
    expect(all.some(({ where }) => where.includes("unlink"))).toBe(true);
  });

  test("after a kill everything acknowledged is there, and nothing else", async () => {
    for (const crash of some()) await check(crash.where, crash, durability);
  });

  if (durability === "sync")
    test("after a loss of power everything acknowledged is there, and nothing else", async () => {
      const chance = randomFrom(7);
      for (const [i, crash] of some().entries()) {
        const files = crash.files.afterPowerLoss(i % 2 === 0 ? undefined : () => chance(2 ** 20) / 2 ** 20);
        const databases = crash.databases.afterPowerLoss(() => (i % 4 < 2 ? 0 : chance(2 ** 20) / 2 ** 20));
        await check(`${crash.where}, power lost`, { ...crash, files, databases }, durability);
      }
    });
});
