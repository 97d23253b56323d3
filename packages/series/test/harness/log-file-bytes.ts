/** Files of a log as the slow implementation writes them. */
import type { LogFileSystem } from "../../src/log/file-system.ts";
import { logPath } from "../../src/log/log-files.ts";
import { encodeLogHead, encodeRecord, type LogRecord } from "../reference/log-record.ts";
import { ForgetfulFileSystem } from "./forgetful-file-system.ts";
import { FOLDER } from "./recovered-log.ts";

/** A record of a point with a small integer takes 40 bytes. */
export const pointRecords = (...values: number[]): LogRecord[] =>
  values.map((value) => ({ points: { ids: [1], times: [1000], floats: [value] } }));
/** The texts of such records. */
export const pointTexts = (...values: number[]) => values.map((value) => `point 1 1000 ${value}`);
/** A record that says what is on the medium. */
export const syncedRecord = (upTo: number): LogRecord => ({ synced: { upTo } });

/** A file and where its records begin. */
export interface LogFileBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The position of each record, and the file's length. */
  readonly starts: readonly number[];
}

/** The file of records that count from `first` on. */
export function logFileBytes(number: number, first: number, records: readonly LogRecord[]): LogFileBytes {
  const parts = [encodeLogHead(number), ...records.map((record, i) => encodeRecord((first + i) % 2 ** 32, record))];
  let at = 0;
  const starts = parts.map((part) => (at += part.length));
  return { bytes: Uint8Array.from(parts.flat()), starts };
}

/** Bytes of which one is changed. */
export function flipped(bytes: Uint8Array, at: number, bits = 0xff): Uint8Array {
  return bytes.map((byte, i) => (i === at ? byte ^ bits : byte));
}

/** Puts a file into the folder of the log, as if it had been there for long. */
export async function putLogFile(fileSystem: LogFileSystem, number: number, bytes: Uint8Array): Promise<void> {
  await fileSystem.makeFolder(FOLDER);
  const file = await fileSystem.open(logPath(FOLDER, number));
  await file.truncate(0);
  await file.write(bytes, 0);
  await file.datasync();
  await file.close();
  await fileSystem.syncFolder(FOLDER);
}

/** Files by their numbers. */
export type LogFiles = readonly (readonly [number: number, bytes: Uint8Array])[];

/** A file system with these files. */
export async function withLogFiles(files: LogFiles): Promise<ForgetfulFileSystem> {
  const fileSystem = new ForgetfulFileSystem();
  for (const [number, bytes] of files) await putLogFile(fileSystem, number, bytes);
  return fileSystem;
}
