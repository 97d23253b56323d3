/** A log whose file system fails: calls reject with the cause, no record is lost or written twice, and the log recovers by itself. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Deferred } from "../src/log/group.ts";
import { logPath } from "../src/log/log-files.ts";
import type { Call } from "./harness/failing-file-system.ts";
import { append } from "./harness/log-entries.ts";
import {
  closeCall,
  createCalls,
  FOLDER,
  pass,
  RETRY,
  record,
  recovered,
  settle,
  startLog,
  texts,
  written,
} from "./harness/started-log.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("disk full", () => {
  const full = { code: "ERR_SERIES_FULL", cause: { code: "ENOSPC" } };

  test.each(["sync", "batch"] as const)("%s: calls fail until there is space, nothing is lost", async (durability) => {
    const { fileSystem, log, events } = await startLog({ durability });
    await written(log, 1);
    const gate = new Deferred();
    fileSystem.hold = (call) => (call === "write" ? gate.promise : undefined);
    const calls = [written(log, 2)];
    await settle();
    // Of the group that gathers while the write fails.
    calls.push(written(log, 3), written(log, 4));
    fileSystem.space = 10;
    gate.resolve();
    for (const call of calls) await expect(call).rejects.toMatchObject(full);
    expect(log.failure).toMatchObject(full);
    expect(() => log.assertWritable()).toThrow(log.failure);
    for (const late of [log.committed(), log.sync()]) await expect(late).rejects.toMatchObject(full);
    // Later records are not appended at all.
    const { unwrittenBytes } = log;
    for (const entry of [record(5), { forget: 1 }, { delete: 1, from: 0, to: 9 }])
      expect(() => append(log, entry)).toThrow(log.failure);
    expect(() => log.define(1, "float", new Uint8Array(5))).toThrow(log.failure);
    expect(log.unwrittenBytes).toBe(unwrittenBytes);
    await pass(RETRY);
    await pass(RETRY);
    expect(log.failure).toMatchObject(full);
    expect(events).toEqual(["ERR_SERIES_FULL"]);
    fileSystem.space = 2000;
    await pass(RETRY - 1);
    expect(log.failure).toMatchObject(full);
    await pass(1);
    expect(log.failure).toBeUndefined();
    expect(events).toEqual(["ERR_SERIES_FULL", "recovered"]);
    expect(log.unwrittenBytes).toBe(0);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2, 3, 4));
    await written(log, 6);
    await log.close();
    expect(await recovered(fileSystem.inner)).toMatchObject({
      texts: texts(1, 2, 3, 4, 6),
      recovery: { tornBytes: 0, skippedBytes: 0 },
    });
  });

  test("what a failed write left is cut off before the next try", async () => {
    const { fileSystem, log } = await startLog();
    await written(log, 1);
    fileSystem.space = 30;
    await expect(written(log, 2)).rejects.toMatchObject(full);
    expect(await fileSystem.size(logPath(FOLDER, 1))).toBe(72 + 30);
    fileSystem.failing.set("write", "EIO");
    await pass(RETRY);
    expect(await fileSystem.size(logPath(FOLDER, 1))).toBe(72);
    expect(log.failure).toMatchObject({ code: "ERR_SERIES_STORE", cause: { code: "EIO" } });
  });

  test("old files can be removed while writes fail, which makes space", async () => {
    const { fileSystem, log } = await startLog();
    await written(log, 1);
    log.rotate();
    await written(log, 2);
    fileSystem.space = 0;
    await expect(written(log, 3)).rejects.toMatchObject(full);
    await log.removeBefore(2);
    expect(fileSystem.space).toBe(72);
    await pass(RETRY);
    expect(log.failure).toBeUndefined();
    expect((await recovered(fileSystem.inner.afterPowerLoss(), 2)).texts).toEqual(texts(2, 3));
  });

  test("calls that wait for memory resume, and get the failure", async () => {
    const { fileSystem, log } = await startLog();
    fileSystem.failing.set("write", "EDQUOT");
    const call = written(log, 1);
    const below = log.belowLimit(1);
    expect(below).toBeInstanceOf(Promise);
    await below;
    await expect(call).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
    expect(log.belowLimit(1)).toBeUndefined();
    expect(() => log.assertWritable()).toThrow(log.failure);
  });
});

describe("a new file", () => {
  const calls: readonly Call[] = ["open", "truncate", "write", "datasync", "syncFolder"];
  test.each(calls)("%s fails", async (call) => {
    const { fileSystem, log } = await startLog();
    await written(log, 1);
    log.rotate();
    fileSystem.failing.set(call, "ENOSPC");
    await expect(written(log, 2)).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
    expect(log.file).toBe(2);
    log.rotate();
    expect(log.file).toBe(3);
    await pass(RETRY);
    // A crash now: the file that was not finished is none.
    expect(await recovered(fileSystem.inner.afterKill())).toMatchObject({ nextRecord: 1, texts: texts(1) });
    fileSystem.failing.clear();
    await pass(RETRY);
    await written(log, 3);
    await log.close();
    const found = await recovered(fileSystem.inner.afterPowerLoss());
    expect(found.texts).toEqual(texts(1, 2, 3));
    expect(found.files.map(([file]) => file)).toEqual([1, 2, 3]);
  });

  test("a rotation during the last try is not forgotten", async () => {
    const { fileSystem, log, journal } = await startLog();
    fileSystem.failing.set("write", "EIO");
    await expect(written(log, 1)).rejects.toMatchObject({ code: "ERR_SERIES_STORE" });
    fileSystem.failing.clear();
    const gate = new Deferred();
    fileSystem.hold = (call) => (call === "datasync" ? gate.promise : undefined);
    await pass(RETRY);
    log.rotate();
    gate.resolve();
    await settle();
    expect(log.failure).toBeUndefined();
    expect(journal.slice(-6)).toEqual([...createCalls(2), closeCall(1)]);
  });

  test("a failure to close an old file is ignored: the file is synced", async () => {
    const { fileSystem, log } = await startLog();
    await written(log, 1);
    log.rotate();
    fileSystem.failing.set("close", "EIO");
    await written(log, 2);
    await log.close();
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1, 2));
  });
});

describe("closing", () => {
  test("in failure it tries once more", async () => {
    const { fileSystem, log, events } = await startLog();
    fileSystem.failing.set("write", "ENOSPC");
    await expect(written(log, 1)).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
    fileSystem.failing.clear();
    await log.close();
    expect(events).toEqual(["ERR_SERIES_FULL", "recovered"]);
    expect((await recovered(fileSystem.inner.afterPowerLoss())).texts).toEqual(texts(1));
  });

  test("what it cannot write is an error, and nothing is tried later", async () => {
    const { fileSystem, log, journal } = await startLog();
    append(log, record(1));
    fileSystem.failing.set("datasync", "EROFS");
    await expect(log.close()).rejects.toMatchObject({ code: "ERR_SERIES_READ_ONLY", cause: { code: "EROFS" } });
    expect(journal.at(-1)).toBe(closeCall(1));
    const { length } = journal;
    await pass(5 * RETRY);
    expect(journal).toHaveLength(length);
  });
});
