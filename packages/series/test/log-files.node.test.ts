/** Files of a log: how they are started, left and removed. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Log } from "../src/log/log.ts";
import { LogBuffer } from "../src/log/log-buffer.ts";
import { logPath } from "../src/log/log-files.ts";
import { Values64 } from "../src/page/values.ts";
import { FailingFileSystem } from "./harness/failing-file-system.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { append, type Entry } from "./harness/log-entries.ts";
import { logFileBytes, putLogFile } from "./harness/log-file-bytes.ts";
import {
  closeCall,
  createCalls,
  FOLDER,
  fileName,
  RECORD,
  record,
  recovered,
  settle,
  startLog,
  syncCall,
  texts,
  writeCall,
  written,
} from "./harness/started-log.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const options = { durability: "batch", syncEvery: 1000, nextFile: 1, nextRecord: 0 } as const;

describe("starting", () => {
  test("creates a new file, which is synced with its name", async () => {
    const { startCalls, log, fileSystem } = await startLog({ nextFile: 7 });
    expect(startCalls).toEqual(["makeFolder log", "list log", ...createCalls(7)]);
    expect(log).toMatchObject({ file: 7, size: 32, unwrittenBytes: 0, failure: undefined });
    const after = fileSystem.inner.afterPowerLoss();
    expect(await recovered(after, 7)).toMatchObject({ nextFile: 8, recovery: { files: 1, records: 0 } });
  });

  test("starts after older files, and refuses to overwrite one", async () => {
    const fileSystem = new ForgetfulFileSystem();
    const { bytes } = logFileBytes(4, 0, []);
    await putLogFile(fileSystem, 4, bytes);
    for (const nextFile of [3, 4]) {
      await expect(Log.start(fileSystem, FOLDER, { ...options, nextFile })).rejects.toMatchObject({
        code: "ERR_SERIES_LOG",
        place: { file: logPath(FOLDER, 4) },
      });
    }
    const log = await Log.start(fileSystem, FOLDER, { ...options, nextFile: 5 });
    expect(log.size).toBe(64);
    expect([...(await fileSystem.read(logPath(FOLDER, 4)))]).toEqual([...bytes]);
  });

  test("fails with a code", async () => {
    const fileSystem = new FailingFileSystem(new ForgetfulFileSystem());
    for (const [call, code] of [
      ["makeFolder", "EACCES"],
      ["write", "EROFS"],
    ] as const) {
      fileSystem.failing.set(call, code);
      const started = Log.start(fileSystem, FOLDER, options);
      await expect(started).rejects.toMatchObject({ code: "ERR_SERIES_READ_ONLY", cause: { code } });
      fileSystem.failing.clear();
    }
    expect(fileSystem.journal.at(-1)).toBe(closeCall(1));
  });
});

describe("a new file", () => {
  test("comes after the old one is on the medium", async () => {
    const { log, journal, fileSystem } = await startLog();
    append(log, record(1));
    log.rotate();
    expect(log.file).toBe(2);
    await written(log, 2);
    expect(journal).toEqual([
      writeCall(1, 32, RECORD),
      syncCall(1),
      ...createCalls(2),
      closeCall(1),
      writeCall(2, 32, RECORD),
    ]);
    expect(log.size).toBe(2 * (32 + RECORD));
    expect((await recovered(fileSystem.inner)).files).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  test("is created without records for it, but not after a file without records", async () => {
    const { log, journal } = await startLog();
    log.rotate();
    expect(log.file).toBe(1);
    append(log, record(1));
    await log.sync();
    log.rotate();
    log.rotate();
    expect(log.file).toBe(2);
    await log.committed();
    log.rotate();
    await settle();
    expect(log.file).toBe(2);
    expect(journal).toEqual([writeCall(1, 32, RECORD), syncCall(1), ...createCalls(2), closeCall(1)]);
  });

  test("comes for each of several rotations in one group", async () => {
    const { log, fileSystem } = await startLog({ durability: "sync" });
    for (const value of [1, 2, 3, 4]) {
      append(log, record(value));
      log.rotate();
    }
    await log.committed();
    const found = await recovered(fileSystem.inner.afterPowerLoss());
    expect(found).toMatchObject({ nextFile: 6, nextRecord: 4, texts: texts(1, 2, 3, 4) });
    expect(found.files.map(([file]) => file)).toEqual([1, 2, 3, 4, 5]);
  });

  test("states only its own records as synced, so its first record may be torn", async () => {
    const long: Entry = {
      ids: Array.from({ length: 200 }, (_, i) => i * 3),
      times: new Array(200).fill(5),
      values: new Array(200).fill(0.5),
    };
    const { log, fileSystem } = await startLog();
    append(log, record(1));
    await log.sync();
    log.rotate();
    append(log, long);
    await log.committed();
    append(log, long);
    await log.committed();
    await log.removeBefore(2);
    expect(await recovered(fileSystem.inner.afterKill(), 2)).toMatchObject({ lastSynced: undefined, nextRecord: 3 });
    // The power fails, and of the parts that were not synced only the later ones survive.
    for (let lost = 1; lost <= 12; lost++) {
      let asked = 0;
      const after = fileSystem.inner.afterPowerLoss(() => (asked++ < lost ? 1 : 0));
      expect((await recovered(after, 2)).texts.length % 200).toBe(0);
    }
  });
});

describe("removal", () => {
  test("files go when they are written, the current one stays", async () => {
    const { log, journal, fileSystem } = await startLog();
    for (const value of [1, 2]) {
      append(log, record(value));
      log.rotate();
    }
    append(log, record(3));
    await log.removeBefore(2);
    expect(await fileSystem.list(FOLDER)).toEqual([fileName(2), fileName(3)]);
    expect(log.size).toBe(2 * (32 + RECORD));
    append(log, record(4));
    log.rotate();
    // Of file 4 nothing is there yet.
    await log.removeBefore(99);
    expect(await fileSystem.list(FOLDER)).toEqual([fileName(4)]);
    expect(log).toMatchObject({ file: 4, size: 32 });
    expect(journal.filter((call) => call.startsWith("unlink"))).toEqual([1, 2, 3].map((n) => `unlink ${fileName(n)}`));
  });

  test("a file that was started after the call stays, whatever the call asks for", async () => {
    const { log, fileSystem } = await startLog();
    append(log, record(1));
    log.rotate();
    const removed = log.removeBefore(99);
    append(log, record(2));
    log.rotate();
    await removed;
    await log.committed();
    expect((await recovered(fileSystem.inner, 2)).texts).toEqual(texts(2));
  });

  test("one that fails is an error, and can be repeated", async () => {
    const { log, fileSystem } = await startLog();
    append(log, record(1));
    log.rotate();
    fileSystem.failing.set("unlink", "EIO");
    await expect(log.removeBefore(2)).rejects.toMatchObject({ code: "ERR_SERIES_STORE", cause: { code: "EIO" } });
    fileSystem.failing.clear();
    await log.removeBefore(2);
    expect(await fileSystem.list(FOLDER)).toEqual([fileName(2)]);
    await written(log, 2);
    expect((await recovered(fileSystem.inner, 2)).texts).toEqual(texts(2));
  });
});

test("a file that is full is left before the next call, not within a call; memory is used again", () => {
  const buffer = new LogBuffer(1, 0);
  const values = new Values64(2 ** 20);
  values.floats.fill(0.5);
  const files: number[] = [];
  for (let i = 0; i < 20; i++) {
    const { file } = buffer;
    buffer.points(2 ** 20, 0, 0, values, 0, false, 0);
    // As it is read before a call, it is never too high.
    expect(file).toBeLessThanOrEqual(buffer.file);
    files.push(buffer.file);
    for (const { segment, to } of buffer.unwrittenParts(file)) buffer.wrote(segment, to);
    const last = buffer.segments.at(-1)!;
    buffer.release(last.file, last.end);
    expect(buffer.unwritten).toBe(0);
    expect(buffer.segments).toEqual([last]);
    expect(last.out.pos).toBe(0);
  }
  expect(files).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3]);
});
