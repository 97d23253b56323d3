/** Recovery of logs that the slow implementation wrote: whole ones, and ones with an unfinished end. */
import { ByteWriter } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { logPath } from "../src/log/log-files.ts";
import { RecordWriter, valueKind } from "../src/log/record-writer.ts";
import { recoverLog } from "../src/log/recovery.ts";
import { Values64 } from "../src/page/values.ts";
import { FailingFileSystem } from "./harness/failing-file-system.ts";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { EntryList } from "./harness/log-entries.ts";
import {
  flipped,
  type LogFiles,
  logFileBytes,
  pointRecords,
  pointTexts,
  syncedRecord,
  withLogFiles,
} from "./harness/log-file-bytes.ts";
import { FOLDER, recovered } from "./harness/recovered-log.ts";
import type { LogRecord } from "./reference/log-record.ts";

describe("whole logs", () => {
  test("a folder that does not exist is an empty log", async () => {
    const found = await recovered(new ForgetfulFileSystem(), 3);
    expect(found).toMatchObject({ nextFile: 3, nextRecord: 0, lastSynced: undefined, texts: [] });
    expect(found.recovery).toEqual({ files: 0, records: 0, points: 0, tornBytes: 0, skippedBytes: 0 });
  });

  test("files are read in order, and their numbers are reported first", async () => {
    const define = { id: 4, type: "int64", name: "a", tags: [] } as const;
    const two: LogRecord = { points: { ids: [4, 9], times: [5, 6], int64s: [7n, -8n] } };
    const fileSystem = await withLogFiles([
      [
        7,
        logFileBytes(7, 102, [syncedRecord(101), { delete: { id: 4, from: 1, to: 9 } }, { forget: { id: 4 } }]).bytes,
      ],
      [5, logFileBytes(5, 100, [{ define }, two]).bytes],
      [6, logFileBytes(6, 102, []).bytes],
    ]);
    const found = await recovered(fileSystem, 5);
    expect(found.texts).toEqual(["define 4 int64 016100", "point 4 5 7n", "point 9 6 -8n", "delete 4 1 9", "forget 4"]);
    expect(found.files).toEqual([
      [5, 0],
      [6, 3],
      [7, 3],
    ]);
    expect(found).toMatchObject({ nextFile: 8, nextRecord: 105, lastSynced: 101, warnings: [] });
    expect(found.recovery).toEqual({ files: 3, records: 5, points: 2, tornBytes: 0, skippedBytes: 0 });
  });

  test("numbers of records wrap", async () => {
    const { bytes } = logFileBytes(1, 2 ** 32 - 2, pointRecords(1, 2, 3));
    const next = logFileBytes(2, 1, pointRecords(4));
    const found = await recovered(
      await withLogFiles([
        [1, bytes],
        [2, next.bytes],
      ]),
      1,
    );
    expect(found).toMatchObject({ texts: pointTexts(1, 2, 3, 4), nextRecord: 2 });
  });

  test("files before the first are deleted, unless the store is read-only; other names stay", async () => {
    const files: LogFiles = [1, 2, 3].map((number) => [
      number,
      logFileBytes(number, number, pointRecords(number)).bytes,
    ]);
    const fileSystem = await withLogFiles(files);
    await (await fileSystem.open(`${FOLDER}/notes.txt`)).close();
    expect(await recovered(fileSystem, 3, { readOnly: true })).toMatchObject({ texts: pointTexts(3), nextFile: 4 });
    expect(await fileSystem.list(FOLDER)).toHaveLength(4);
    expect(await recovered(fileSystem, 3)).toMatchObject({ texts: pointTexts(3), nextFile: 4, nextRecord: 4 });
    expect((await fileSystem.list(FOLDER)).toSorted()).toEqual(["0000000003.log", "notes.txt"]);
    // As after a crash between the store's batch and the deletion.
    expect(await recovered(fileSystem, 4)).toMatchObject({ texts: [], nextFile: 4, nextRecord: 0 });
    expect(await fileSystem.list(FOLDER)).toEqual(["notes.txt"]);
  });
});

describe("an unfinished end", () => {
  const records = [...pointRecords(1, 2, 3), { points: { ids: [1, 5], times: [1, 2], floats: [0.5, 1] } } as LogRecord];
  const all = [...pointTexts(1, 2, 3), "point 1 1 0.5", "point 5 2 1"];
  const file = logFileBytes(2, 40, records);
  const before = logFileBytes(1, 39, pointRecords(0)).bytes;
  /** Texts of the first records. */
  const upTo = (count: number) => [...pointTexts(0), ...(count === 4 ? all : all.slice(0, count))];

  async function expectTorn(bytes: Uint8Array, whole: number): Promise<void> {
    const length = file.starts[whole]!;
    const torn = bytes.length - length;
    const fileSystem = await withLogFiles([
      [1, before],
      [2, bytes],
    ]);
    const expected = { texts: upTo(whole), nextFile: 3, nextRecord: 40 + whole, warnings: [] };
    const readOnly = await recovered(fileSystem, 1, { readOnly: true });
    expect(readOnly).toMatchObject({ ...expected, recovery: { tornBytes: torn, records: 1 + whole } });
    expect(await fileSystem.size(logPath(FOLDER, 2))).toBe(bytes.length);
    expect(await recovered(fileSystem, 1)).toMatchObject({ ...expected, recovery: { tornBytes: torn } });
    // It is cut off, also on the medium.
    const again = fileSystem.afterPowerLoss();
    expect(await again.size(logPath(FOLDER, 2))).toBe(length);
    expect(await recovered(again, 1)).toMatchObject({ ...expected, recovery: { tornBytes: 0 } });
  }

  test("a log that is cut at any byte of its last two records keeps the records before", async () => {
    for (let length = file.starts[2]!; length <= file.bytes.length; length++) {
      await expectTorn(file.bytes.subarray(0, length), length < file.starts[3]! ? 2 : length < file.starts[4]! ? 3 : 4);
    }
  });

  test("a log whose last record is changed in any byte keeps the records before", async () => {
    for (let at = file.starts[3]!; at < file.bytes.length; at++) {
      for (const bits of [0xff, 1]) await expectTorn(flipped(file.bytes, at, bits), 3);
    }
  });

  test("records after an invalid one are cut off too, if nothing says that they came to the medium", async () => {
    await expectTorn(flipped(file.bytes, file.starts[1]! + 20), 1);
    const { bytes, starts } = logFileBytes(2, 40, [
      ...pointRecords(1),
      syncedRecord(40),
      ...pointRecords(2, 3),
      syncedRecord(41),
      ...pointRecords(4),
    ]);
    const found = await recovered(await withLogFiles([[2, flipped(bytes, starts[2]! + 20)]]), 2);
    expect(found.texts).toEqual(pointTexts(1));
    expect(found).toMatchObject({ nextRecord: 42, lastSynced: 40 });
  });

  test("the first record of the log may be the invalid one", async () => {
    const { bytes, starts } = logFileBytes(2, 40, pointRecords(1, 2));
    const found = await recovered(await withLogFiles([[2, flipped(bytes, starts[0]!)]]), 2);
    expect(found).toMatchObject({ texts: [], nextFile: 3, recovery: { tornBytes: bytes.length - 32 } });
  });

  test("a last file without a whole head is empty, and its number is used again", async () => {
    const heads = Array.from({ length: 32 }, (_, length) => file.bytes.subarray(0, length));
    for (const bytes of [...heads, new Uint8Array(32), new Uint8Array(100)]) {
      const fileSystem = await withLogFiles([
        [1, before],
        [2, bytes],
      ]);
      const expected = { texts: pointTexts(0), nextFile: 2, nextRecord: 40, recovery: { tornBytes: bytes.length } };
      expect(await recovered(fileSystem, 1, { readOnly: true })).toMatchObject(expected);
      expect(await fileSystem.list(FOLDER)).toHaveLength(2);
      expect(await recovered(fileSystem, 1)).toMatchObject(expected);
      expect(await fileSystem.afterPowerLoss().list(FOLDER)).toEqual(["0000000001.log"]);
    }
  });
});

test("the last file is brought to the medium, as its process may have been killed before it did", async () => {
  const fileSystem = new ForgetfulFileSystem();
  await fileSystem.makeFolder(FOLDER);
  const file = await fileSystem.open(logPath(FOLDER, 1));
  await file.write(logFileBytes(1, 1, pointRecords(1, 2)).bytes, 0);
  expect(await recovered(fileSystem.afterPowerLoss())).toMatchObject({ texts: [] });
  expect(await recovered(fileSystem, 1, { readOnly: true })).toMatchObject({ texts: pointTexts(1, 2) });
  expect(await recovered(fileSystem.afterPowerLoss())).toMatchObject({ texts: [] });
  expect(await recovered(fileSystem)).toMatchObject({ texts: pointTexts(1, 2) });
  expect(await recovered(fileSystem.afterPowerLoss())).toMatchObject({ texts: pointTexts(1, 2) });
});

test("errors of the file system have codes", async () => {
  const fileSystem = new FailingFileSystem(
    await withLogFiles([[1, logFileBytes(1, 1, pointRecords(1)).bytes.subarray(0, 50)]]),
  );
  const cases = [
    ["list", "EIO", "ERR_SERIES_STORE"],
    ["read", "EACCES", "ERR_SERIES_READ_ONLY"],
    ["truncate", "EROFS", "ERR_SERIES_READ_ONLY"],
    ["datasync", "ENOSPC", "ERR_SERIES_FULL"],
  ] as const;
  for (const [call, code, expected] of cases) {
    fileSystem.failing.clear();
    fileSystem.failing.set(call, code);
    await expect(recoverLog(fileSystem, FOLDER, 1, new EntryList())).rejects.toMatchObject({
      code: expected,
      cause: { code },
    });
  }
  expect(fileSystem.journal.at(-1)).toBe("close 0000000001.log");
});

test("reading a large log does not block the event loop", async () => {
  const count = 1_000_000;
  const fileSystem = await withLogFiles([[1, largeFile(count)]]);
  let turns = 0;
  let isReading = true;
  let sinceTurn = 0;
  let most = 0;
  const turn = () => {
    turns++;
    sinceTurn = 0;
    if (isReading) setImmediate(turn);
  };
  setImmediate(turn);
  const visitor = new EntryList();
  visitor.points = (n) => {
    sinceTurn += n;
    most = Math.max(most, sinceTurn);
  };
  const { recovery } = await recoverLog(fileSystem, FOLDER, 1, visitor);
  isReading = false;
  expect(recovery).toMatchObject({ points: count, records: Math.ceil(count / 65_536) });
  expect(turns).toBeGreaterThan(4);
  // A slice of work ends after at most 131,072 points and one record more; two slices may lie between two turns of ours.
  expect(most).toBeLessThanOrEqual(2 * (131_072 + 65_536));
});

/** A file of consecutive points, by the fast writer: the slow one takes too long. */
function largeFile(count: number): Uint8Array {
  const out = new ByteWriter();
  out.raw(logFileBytes(1, 1, []).bytes);
  const writer = new RecordWriter(out, 1);
  const values = new Values64(count);
  for (let i = 0; i < count; i++) values.floats[i] = i % 1000;
  for (let done = 0; done < count; done += 65_536) {
    const n = Math.min(65_536, count - done);
    writer.points(n, done, 1000, values, valueKind(values, done, n, false), done);
  }
  return out.written();
}
