/** Random histories of logs, that end well, by a kill or by a power cut at any call of the file system, against plain lists. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Log } from "../src/log/log.ts";
import { type RecoveredLog, recoverLog } from "../src/log/recovery.ts";
import { FailingFileSystem } from "./harness/failing-file-system.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { append, type Entry, EntryList, textsOf } from "./harness/log-entries.ts";

const folder = "/store/log";

const id = fc.nat({ max: 2 ** 31 - 1 });
const time = fc.nat({ max: 2e12 });
const many = <T>(n: number, each: fc.Arbitrary<T>) => fc.array(each, { minLength: n, maxLength: n });
const points: fc.Arbitrary<Entry> = fc.integer({ min: 1, max: 60 }).chain(
  (n) =>
    fc.record({
      ids: fc.oneof(
        many(n, id),
        id.map((first) => Array.from({ length: n }, (_, i) => first + i)),
      ),
      times: fc.oneof(
        many(n, time),
        time.map((one) => new Array<number>(n).fill(one)),
      ),
      values: fc.oneof<[fc.Arbitrary<number[]>, fc.Arbitrary<number[]>, fc.Arbitrary<bigint[]>]>(
        many(n, fc.integer({ min: -40_000, max: 40_000 })),
        many(n, fc.double()),
        many(n, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      ),
    }) as fc.Arbitrary<Entry>,
);
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { arbitrary: points, weight: 4 },
  fc.record({
    define: id,
    type: fc.constantFrom<"float" | "int64">("float", "int64"),
    canonical: fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 60 }),
  }),
  fc.record({ delete: id, from: time, to: time }),
  fc.record({ forget: id }),
);

type Step = Entry | "commit" | "sync" | "rotate" | "remove" | "turn" | "reopen";
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: entry, weight: 6 },
  fc.constantFrom<Step>("commit", "sync", "rotate", "remove", "turn", "reopen"),
);
const durability = fc.constantFrom<"sync" | "batch">("sync", "batch");

/** A log, and the list of all appended entries. */
class History {
  fileSystem: FailingFileSystem<ForgetfulFileSystem>;
  log!: Log;
  readonly texts: string[] = [];
  /** How many texts were acknowledged, and how many are on the medium for sure. */
  acknowledged = 0;
  synced = 0;
  /** The notes of a store: the first file that it needs, and the number of texts in earlier files. */
  first = 1;
  before = 0;
  /** How many texts were appended before each rotation, by the number of the file after it. */
  readonly #cuts = new Map<number, number>();
  readonly #durability: "sync" | "batch";

  constructor(durability: "sync" | "batch", fileSystem = new ForgetfulFileSystem()) {
    this.#durability = durability;
    this.fileSystem = new FailingFileSystem(fileSystem);
  }

  async open(nextFile: number, nextRecord: number): Promise<void> {
    this.log = await Log.start(this.fileSystem, folder, {
      durability: this.#durability,
      // Often enough that syncs come at any time, also by themselves.
      syncEvery: 0,
      nextFile,
      nextRecord,
    });
    this.#cuts.set(nextFile, this.texts.length);
  }

  #isAcknowledged(count: number): void {
    this.acknowledged = Math.max(this.acknowledged, count);
    if (this.#durability === "sync") this.#isSynced(count);
  }

  #isSynced(count: number): void {
    this.synced = Math.max(this.synced, count);
  }

  /** Begins what a step says; resolves when it is done. */
  async run(one: Step): Promise<void> {
    const { log, texts } = this;
    const { length } = texts;
    if (typeof one !== "string") {
      append(log, one);
      texts.push(...textsOf(one));
    } else if (one === "commit") await log.committed().then(() => this.#isAcknowledged(length));
    else if (one === "sync") await log.sync().then(() => this.#isSynced(length));
    else if (one === "rotate") {
      const { file } = log;
      log.rotate();
      if (log.file > file) this.#cuts.set(log.file, length);
    } else if (one === "remove") {
      this.first = log.file;
      this.before = this.#cuts.get(log.file)!;
      await log.removeBefore(log.file);
    } else if (one === "turn") await new Promise((resolve) => setTimeout(resolve, 1));
    else {
      await log.close();
      this.#isAcknowledged(length);
      this.#isSynced(length);
      const { nextFile, nextRecord } = await recoverLog(this.fileSystem, folder, this.first, new EntryList());
      await this.open(nextFile, nextRecord);
    }
  }
}

test("what is recovered is what was written", async () => {
  await fc.assert(
    fc.asyncProperty(
      durability,
      fc.constantFrom(0, 2 ** 32 - 5),
      fc.array(step, { maxLength: 40 }),
      async (durability, nextRecord, steps) => {
        const history = new History(durability);
        await history.open(1, nextRecord);
        for (const one of steps) await history.run(one);
        await history.log.close();
        const list = new EntryList();
        const { recovery } = await recoverLog(history.fileSystem, folder, history.first, list);
        expect(list.texts).toEqual(history.texts.slice(history.before));
        expect(recovery).toMatchObject({ tornBytes: 0, skippedBytes: 0 });
      },
    ),
    { numRuns: 300 },
  );
});

/** The state at the time of the crash. */
interface Crash {
  readonly killed: ForgetfulFileSystem;
  readonly powerless: ForgetfulFileSystem;
  readonly acknowledged: number;
  readonly synced: number;
  readonly first: number;
  readonly before: number;
}

/** Runs a history without waiting for each step, and crashes it before a call of the file system. */
async function crashAt(
  call: number,
  durability: "sync" | "batch",
  steps: readonly Step[],
  chance?: () => number,
): Promise<{ history: History; crashed: Crash }> {
  const history = new History(durability);
  let crashed: Crash | undefined;
  let calls = 0;
  const take = () => {
    const { acknowledged, synced, first, before } = history;
    const { inner } = history.fileSystem;
    const killed = inner.afterKill();
    crashed ??= { killed, powerless: inner.afterPowerLoss(chance), acknowledged, synced, first, before };
  };
  await history.open(1, 0);
  history.fileSystem.hold = () => {
    if (calls++ === call) take();
    return undefined;
  };
  const pending: Promise<void>[] = [];
  for (const one of steps) {
    const running = history.run(one);
    if (one === "turn" || one === "reopen") await running;
    else pending.push(running);
  }
  await Promise.all(pending);
  await history.log.close();
  take();
  return { history, crashed: crashed! };
}

/** The log after a crash, and after more of it was appended, synced, and the power cut. */
async function expectPrefix(
  { history, crashed }: Awaited<ReturnType<typeof crashAt>>,
  fileSystem: ForgetfulFileSystem,
  least: number,
): Promise<RecoveredLog> {
  const list = new EntryList();
  const found = await recoverLog(fileSystem, folder, crashed.first, list);
  expect(list.texts).toEqual(history.texts.slice(crashed.before, crashed.before + list.texts.length));
  expect(crashed.before + list.texts.length).toBeGreaterThanOrEqual(least);
  const next = new History("sync", fileSystem);
  await next.open(found.nextFile, found.nextRecord);
  await next.run({ forget: 77 });
  await next.run("commit");
  const again = new EntryList();
  await recoverLog(next.fileSystem.inner.afterPowerLoss(), folder, crashed.first, again);
  expect(again.texts).toEqual([...list.texts, "forget 77"]);
  await next.log.close();
  return found;
}

test("after a kill everything that was acknowledged is there, and nothing that was never written", async () => {
  await fc.assert(
    fc.asyncProperty(
      durability,
      fc.nat({ max: 60 }),
      fc.array(step, { maxLength: 40 }),
      async (durability, call, steps) => {
        const run = await crashAt(call, durability, steps);
        await expectPrefix(run, run.crashed.killed, run.crashed.acknowledged);
      },
    ),
    { numRuns: 300 },
  );
});

test("after a power cut everything that was synced is there, whatever else survives", async () => {
  await fc.assert(
    fc.asyncProperty(
      durability,
      fc.nat({ max: 60 }),
      fc.array(step, { maxLength: 40 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      async (durability, call, steps, chances) => {
        const chance = () => chances.next().value;
        const run = await crashAt(call, durability, steps, chance);
        await expectPrefix(run, run.crashed.powerless, run.crashed.synced);
      },
    ),
    { numRuns: 300 },
  );
});

test("what the log says is on the medium is there after a power cut without luck", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 60 }), fc.array(step, { maxLength: 40 }), async (call, steps) => {
      const run = await crashAt(call, "batch", steps);
      const { lastSynced } = await expectPrefix(run, run.crashed.killed, run.crashed.acknowledged);
      const { nextRecord } = await expectPrefix(run, run.crashed.powerless, run.crashed.synced);
      if (lastSynced !== undefined) expect(nextRecord).toBeGreaterThan(lastSynced);
    }),
    { numRuns: 200 },
  );
});
