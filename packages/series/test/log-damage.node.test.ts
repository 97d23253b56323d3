/** Damaged logs: refused with the place, or passed over. */
import { crc32 } from "node:zlib";
import { DecodeError } from "moonpack/bytes";
import { expect, test } from "vitest";
import { logPath } from "../src/log/log-files.ts";
import { recoverLog } from "../src/log/recovery.ts";
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

/** Checks that files are refused with a place, and what is found when damage is skipped. */
async function expectDamage(
  files: LogFiles,
  first: number,
  place: { readonly file: number; readonly offset: number },
  skipping: { readonly texts: readonly string[]; readonly skippedBytes: number; readonly warnings?: number },
): Promise<void> {
  const fileSystem = await withLogFiles(files);
  const file = logPath(FOLDER, place.file);
  await expect(recovered(fileSystem, first)).rejects.toMatchObject({
    code: "ERR_SERIES_LOG",
    place: { file, offset: place.offset },
    message: expect.stringContaining(`(${file}, byte ${place.offset})`),
  });
  const found = await recovered(fileSystem, first, { undecodable: "skip" });
  expect(found.texts).toEqual(skipping.texts);
  expect(found.recovery.skippedBytes).toBe(skipping.skippedBytes);
  expect(found.warnings).toHaveLength(skipping.warnings ?? 1);
  expect(found.warnings[0]).toMatchObject({ kind: "corrupt", cause: { place: { file, offset: place.offset } } });
}

test("a record of the last file that came to the medium", async () => {
  const { bytes, starts } = logFileBytes(3, 8, [...pointRecords(1, 2, 3), syncedRecord(9), ...pointRecords(4)]);
  for (let at = starts[1]!; at < starts[2]!; at++) {
    await expectDamage(
      [[3, flipped(bytes, at)]],
      3,
      { file: 3, offset: starts[1]! },
      { texts: pointTexts(1, 3, 4), skippedBytes: starts[2]! - starts[1]! },
    );
  }
});

test("numbers in what came to the medium wrap, too", async () => {
  const { bytes, starts } = logFileBytes(3, 2 ** 32 - 2, [...pointRecords(1, 2, 3), syncedRecord(0)]);
  const files: LogFiles = [[3, flipped(bytes, starts[1]!)]];
  await expectDamage(files, 3, { file: 3, offset: starts[1]! }, { texts: pointTexts(1, 3), skippedBytes: 40 });
  const early = logFileBytes(3, 2 ** 32 - 2, [...pointRecords(1, 2, 3), syncedRecord(2 ** 32 - 2)]);
  expect(await recovered(await withLogFiles([[3, flipped(early.bytes, early.starts[1]!)]]), 3)).toMatchObject({
    texts: pointTexts(1),
  });
});

test("the first record of the log, if a later one came to the medium", async () => {
  const { bytes, starts } = logFileBytes(3, 8, [...pointRecords(1, 2), syncedRecord(8), ...pointRecords(3)]);
  const skipping = { texts: pointTexts(2, 3), skippedBytes: 40 };
  await expectDamage([[3, flipped(bytes, 32)]], 3, { file: 3, offset: starts[0]! }, skipping);
});

test("an invalid record in a file that is not the last, or an end that is missing there", async () => {
  const first = logFileBytes(1, 1, pointRecords(1, 2));
  const last: LogFiles[number] = [2, logFileBytes(2, 3, pointRecords(3)).bytes];
  const [, second, end] = first.starts as [number, number, number];
  for (let at = second; at < end; at++) {
    const skipping = { texts: pointTexts(1, 3), skippedBytes: end - second };
    await expectDamage([[1, flipped(first.bytes, at)], last], 1, { file: 1, offset: second }, skipping);
    if (at === second) continue;
    const cut = first.bytes.subarray(0, at);
    const cutting = { texts: pointTexts(1, 3), skippedBytes: at - second };
    await expectDamage([[1, cut], last], 1, { file: 1, offset: second }, cutting);
  }
  const shorter: LogFiles[number] = [1, first.bytes.subarray(0, second)];
  await expectDamage([shorter, last], 1, { file: 2, offset: 32 }, { texts: pointTexts(1, 3), skippedBytes: 0 });
});

test("a missing file", async () => {
  const files = [1, 2, 3, 4].map((n): LogFiles[number] => [n, logFileBytes(n, n, pointRecords(n)).bytes]);
  const without = (...numbers: number[]) => files.filter(([number]) => !numbers.includes(number));
  await expectDamage(without(2), 1, { file: 2, offset: 0 }, { texts: pointTexts(1, 3, 4), skippedBytes: 0 });
  await expectDamage(without(2, 3), 1, { file: 2, offset: 0 }, { texts: pointTexts(1, 4), skippedBytes: 0 });
  await expectDamage(without(1), 1, { file: 1, offset: 0 }, { texts: pointTexts(2, 3, 4), skippedBytes: 0 });
});

test("a wrong head, with or without records", async () => {
  const one = logFileBytes(1, 1, pointRecords(1));
  const two = logFileBytes(2, 2, pointRecords(2)).bytes;
  for (let at = 0; at < 32; at++) {
    const wrong = flipped(one.bytes, at, 1);
    const place = { file: 1, offset: 0 };
    await expectDamage([[1, wrong]], 1, place, { texts: pointTexts(1), skippedBytes: 32 });
    await expectDamage([[1, wrong.subarray(0, 32)]], 1, place, { texts: [], skippedBytes: 32 });
    const both: LogFiles = [
      [1, wrong],
      [2, two],
    ];
    await expectDamage(both, 1, place, { texts: pointTexts(1, 2), skippedBytes: 32 });
  }
  // Of a file that is not the last, a part of the head is damage.
  const cut: LogFiles = [
    [1, one.bytes.subarray(0, 20)],
    [2, two],
  ];
  await expectDamage(cut, 1, { file: 1, offset: 0 }, { texts: pointTexts(2), skippedBytes: 20 });
  const other: LogFiles = [[1, logFileBytes(2, 1, pointRecords(1)).bytes]];
  await expectDamage(other, 1, { file: 1, offset: 0 }, { texts: pointTexts(1), skippedBytes: 32 });
});

test("records that are missing, or there twice", async () => {
  const one = logFileBytes(1, 1, pointRecords(1, 2));
  const [head, second] = one.starts as [number, number];
  const withoutFirst = new Uint8Array([
    ...one.bytes.subarray(0, head),
    ...logFileBytes(1, 5, pointRecords(3)).bytes.slice(32),
  ]);
  const both = new Uint8Array([...one.bytes, ...withoutFirst.subarray(32)]);
  await expectDamage(
    [[1, both]],
    1,
    { file: 1, offset: one.bytes.length },
    { texts: pointTexts(1, 2, 3), skippedBytes: 0 },
  );
  const twice = new Uint8Array([...one.bytes, ...one.bytes.subarray(head, second)]);
  await expectDamage(
    [[1, twice]],
    1,
    { file: 1, offset: one.bytes.length },
    { texts: pointTexts(1, 2), skippedBytes: 40 },
  );
});

test("several damaged parts are each reported", async () => {
  const { bytes, starts } = logFileBytes(1, 1, [...pointRecords(1, 2, 3, 4, 5), syncedRecord(5)]);
  const damaged = flipped(flipped(bytes, starts[1]!), starts[3]! + 20);
  const skipping = { texts: pointTexts(1, 3, 5), skippedBytes: 80, warnings: 2 };
  await expectDamage([[1, damaged]], 1, { file: 1, offset: starts[1]! }, skipping);
});

test("a record with the right checksum, but a metric of no known type", async () => {
  const define: LogRecord = { define: { id: 1, type: "float", name: "a", tags: [] } };
  const { bytes, starts } = logFileBytes(1, 1, [define, ...pointRecords(1)]);
  const at = starts[0]!;
  bytes[at + 20] = 2;
  new DataView(bytes.buffer).setUint32(at + 4, crc32(bytes.subarray(at + 8, at + 27)), true);
  await expectDamage([[1, bytes]], 1, { file: 1, offset: at }, { texts: pointTexts(1), skippedBytes: starts[1]! - at });
});

test("a record that its visitor cannot read; other errors of the visitor are its own", async () => {
  const fileSystem = await withLogFiles([[1, logFileBytes(1, 1, pointRecords(1)).bytes]]);
  const visitor = new EntryList();
  visitor.points = () => {
    throw new DecodeError("ERR_INVALID_BYTE", "no", 0);
  };
  await expect(recoverLog(fileSystem, FOLDER, 1, visitor)).rejects.toMatchObject({ code: "ERR_SERIES_LOG" });
  visitor.points = () => {
    throw new RangeError("mine");
  };
  await expect(recoverLog(fileSystem, FOLDER, 1, visitor, { undecodable: "skip" })).rejects.toThrow(RangeError);
});

test("zeros and small numbers are searched in a time that grows with their length", async () => {
  const { bytes, starts } = logFileBytes(1, 1, [...pointRecords(1, 2), syncedRecord(2)]);
  // As lengths, most of these numbers stand for long records.
  const noise = new Uint8Array(Int32Array.from({ length: 2 ** 18 }, (_, i) => (i * 7919) % 1_000_000).buffer);
  const damaged = new Uint8Array([...bytes.subarray(0, starts[1]), ...noise, ...bytes.subarray(starts[2])]);
  const skipping = { texts: pointTexts(1), skippedBytes: noise.length, warnings: 1 };
  await expectDamage([[1, damaged]], 1, { file: 1, offset: starts[1]! }, skipping);
});
