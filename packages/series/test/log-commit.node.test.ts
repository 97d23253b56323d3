/** Group commit: what is written and synced when, and in which order calls are settled. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Deferred } from "../src/log/group.ts";
import { Values64 } from "../src/page/values.ts";
import { append } from "./harness/log-entries.ts";
import {
  closeCall,
  pass,
  RECORD,
  record,
  recovered,
  SYNC_EVERY,
  SYNCED,
  settle,
  startLog,
  syncCall,
  texts,
  writeCall,
  written,
} from "./harness/started-log.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("groups", () => {
  test("all that one iteration of the event loop appends is one write, with one promise", async () => {
    const { log, journal } = await startLog();
    append(log, record(1));
    const first = log.committed();
    append(log, record(2));
    await Promise.resolve();
    append(log, record(3));
    expect(log.committed()).toBe(first);
    expect(log.unwrittenBytes).toBe(3 * RECORD);
    expect(journal).toEqual([]);
    await first;
    expect(journal).toEqual([writeCall(1, 32, 3 * RECORD)]);
    expect(log).toMatchObject({ unwrittenBytes: 0, size: 32 + 3 * RECORD });
  });

  test("what is appended during a write is the next group; groups are settled in order", async () => {
    const { log, journal, fileSystem } = await startLog();
    const gate = new Deferred();
    fileSystem.hold = (call) => (call === "write" ? gate.promise : undefined);
    const order: number[] = [];
    const first = written(log, 1).then(() => order.push(1));
    await settle();
    // Nothing new was appended: this call waits for the group that is being written.
    void log.committed().then(() => order.push(2));
    append(log, record(2));
    const second = written(log, 3).then(() => order.push(3));
    await settle();
    expect(journal).toEqual([writeCall(1, 32, RECORD)]);
    expect(order).toEqual([]);
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual([1, 2, 3]);
    expect(journal).toEqual([writeCall(1, 32, RECORD), writeCall(1, 32 + RECORD, 2 * RECORD)]);
    expect((await recovered(fileSystem.inner)).texts).toEqual(texts(1, 2, 3));
  });

  test("calls that a settled group resumes are one group", async () => {
    const { log, journal } = await startLog();
    const caller = async () => {
      for (let i = 0; i < 3; i++) await written(log, i);
    };
    await Promise.all(Array.from({ length: 10 }, caller));
    expect(journal).toEqual([0, 1, 2].map((i) => writeCall(1, 32 + i * 10 * RECORD, 10 * RECORD)));
  });

  test("nothing to commit, nothing to wait for", async () => {
    const { log, journal } = await startLog();
    expect(log.committed()).toBe(log.committed());
    await log.committed();
    await log.sync();
    log.points(0, 1, 1, new Values64(0), 0, false);
    await log.committed();
    expect(journal).toEqual([]);
  });

  test("points of any number, as lists or not, are split into records", async () => {
    const { log, fileSystem } = await startLog();
    const n = 150_000;
    const times = Float64Array.from({ length: n }, (_, i) => 1000 + i);
    const ids = Uint32Array.from({ length: n }, (_, i) => (i * 7) % 1000);
    const values = new Values64(n);
    for (let i = 0; i < n; i++) values.floats[i] = i % 70_000 === 0 ? i + 0.5 : i;
    log.points(n, 5, 77, values, 0, false);
    log.points(n - 10, ids, times, values, 5, false, 10);
    log.points(n, 9, times, values, 0, true);
    await log.committed();
    const list: string[] = [];
    for (let i = 0; i < n; i++) list.push(`point ${5 + i} 77 ${values.floats[i]}`);
    for (let i = 0; i < n - 10; i++) list.push(`point ${ids[10 + i]} ${times[10 + i]} ${values.floats[5 + i]}`);
    const ints = new BigInt64Array(values.words.buffer);
    for (let i = 0; i < n; i++) list.push(`point ${9 + i} ${times[i]} ${ints[i]}n`);
    const found = await recovered(fileSystem.inner);
    expect(found.recovery.records).toBe(9);
    expect(found.texts.length).toBe(list.length);
    expect(found.texts.findIndex((text, i) => text !== list[i])).toBe(-1);
  });

  test("calls can wait until less is unwritten", async () => {
    const { log } = await startLog();
    append(log, record(1));
    expect(log.belowLimit(RECORD + 1)).toBeUndefined();
    const below = log.belowLimit(RECORD);
    expect(log.belowLimit(RECORD)).toBe(below);
    await Promise.all([below, log.belowLimit(1)]);
    expect(log.unwrittenBytes).toBe(0);
    expect(log.belowLimit(1)).toBeUndefined();
  });
});

describe("sync", () => {
  test("a call resolves after fdatasync, and the next group says so", async () => {
    const { log, journal, fileSystem } = await startLog({ durability: "sync" });
    const gate = new Deferred();
    fileSystem.hold = (call) => (call === "datasync" ? gate.promise : undefined);
    let isCommitted = false;
    const committed = written(log, 1).then(() => (isCommitted = true));
    await settle();
    expect(journal).toEqual([writeCall(1, 32, RECORD), syncCall(1)]);
    expect(isCommitted).toBe(false);
    expect(log.unwrittenBytes).toBe(0);
    gate.resolve();
    await committed;
    await written(log, 2);
    expect(journal.slice(2)).toEqual([writeCall(1, 32 + RECORD, RECORD + SYNCED), syncCall(1)]);
    expect(await recovered(fileSystem.inner)).toMatchObject({ lastSynced: 0, nextRecord: 3 });
  });
});

describe("batch", () => {
  test("a call resolves after the write; the sync follows by time, once", async () => {
    const { log, journal, fileSystem } = await startLog();
    await written(log, 1);
    await written(log, 2);
    await pass(SYNC_EVERY - 1);
    expect(journal).toEqual([writeCall(1, 32, RECORD), writeCall(1, 72, RECORD)]);
    await pass(1);
    expect(journal.splice(0, 3).at(-1)).toBe(syncCall(1));
    await pass(5 * SYNC_EVERY);
    expect(journal).toEqual([]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
    // The next group says what is on the medium, and is synced in its turn.
    await written(log, 3);
    await pass(SYNC_EVERY);
    expect(journal).toEqual([writeCall(1, 112, RECORD + SYNCED), syncCall(1)]);
    expect(await recovered(fileSystem.inner.afterPowerLoss())).toMatchObject({ lastSynced: 1, nextRecord: 4 });
  });

  test("groups are written during a sync, and synced after it", async () => {
    const { log, journal, fileSystem } = await startLog();
    await written(log, 1);
    const gate = new Deferred();
    fileSystem.hold = (call) => (call === "datasync" ? gate.promise : undefined);
    await pass(SYNC_EVERY);
    await written(log, 2);
    expect(journal).toEqual([writeCall(1, 32, RECORD), syncCall(1), writeCall(1, 72, RECORD)]);
    // The time for a next sync comes while the first one is still under way.
    await pass(SYNC_EVERY);
    expect(journal).toHaveLength(3);
    gate.resolve();
    await pass(SYNC_EVERY);
    expect(journal.slice(3)).toEqual([syncCall(1)]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
  });

  test("sync() resolves when what was appended is on the medium", async () => {
    const { log, journal, fileSystem } = await startLog();
    append(log, record(1));
    await log.sync();
    expect(journal).toEqual([writeCall(1, 32, RECORD), syncCall(1)]);
    await log.sync();
    await written(log, 2);
    const syncs = [log.sync(), log.sync()];
    expect(syncs[0]).toBe(syncs[1]);
    await Promise.all(syncs);
    expect(journal.slice(2)).toEqual([writeCall(1, 72, RECORD + SYNCED), syncCall(1)]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
  });

  test("sync() is not content with a sync that began before", async () => {
    const { log, journal, fileSystem } = await startLog();
    await written(log, 1);
    const gate = new Deferred();
    fileSystem.hold = (call) => (call === "datasync" ? gate.promise : undefined);
    await pass(SYNC_EVERY);
    append(log, record(2));
    const synced = log.sync();
    await settle();
    expect(journal).toEqual([writeCall(1, 32, RECORD), syncCall(1), writeCall(1, 72, RECORD)]);
    gate.resolve();
    await synced;
    expect(journal.slice(3)).toEqual([syncCall(1)]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
  });

  test("much that is not yet on the medium is synced early, and above a bound writing waits", async () => {
    const { log, journal, fileSystem } = await startLog();
    const values = new Values64(65_536);
    values.floats.fill(0.1);
    const write = (count: number) => {
      for (let i = 0; i < count; i++) log.points(65_536, 0, i, values, 0, false);
      return log.committed();
    };
    // A call is a little more than 512 KiB.
    await write(15);
    await settle();
    expect(journal).not.toContain(syncCall(1));
    let gate = new Deferred();
    fileSystem.hold = (call) => (call === "datasync" ? gate.promise : undefined);
    for (let i = 0; i < 5; i++) await write(2);
    const syncs = () => journal.filter((call) => call === syncCall(1)).length;
    expect(syncs()).toBe(1);
    gate.resolve();
    await settle();
    // Of the 12 MiB, 4 were appended after the sync had started: they do not cause another sync at once.
    expect(syncs()).toBe(1);
    gate = new Deferred();
    await write(10);
    await write(10);
    let isWritten = false;
    const more = write(10).then(() => (isWritten = true));
    await settle();
    expect(isWritten).toBe(false);
    gate.resolve();
    await more;
    expect(syncs()).toBe(3);
  });
});

test("close brings everything to the medium, then nothing can be appended", async () => {
  const { log, journal, fileSystem } = await startLog();
  await written(log, 1);
  const committed = written(log, 2);
  const closed = log.close();
  const isClosed = expect.objectContaining({ code: "ERR_CLOSED" });
  expect(() => append(log, record(3))).toThrow(isClosed);
  await Promise.all([committed, closed, log.close()]);
  const calls = [writeCall(1, 32, RECORD), writeCall(1, 72, RECORD), syncCall(1), closeCall(1)];
  expect(journal).toEqual(calls);
  log.rotate();
  await Promise.all([log.committed(), log.sync(), pass(5000)]);
  expect(() => log.assertWritable()).toThrow(isClosed);
  expect(journal).toEqual(calls);
  expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
});
