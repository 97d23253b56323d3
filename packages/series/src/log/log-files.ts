/** The names and headers of log files (docs/series-format.md, section 6). */
import { join } from "node:path";
import { storeError } from "../drivers/store-error.js";
import type { LogFileSystem } from "./file-system.js";

/** Bytes of a file's head. Its first record follows. */
export const HEAD_BYTES = 32;
/** "moonlog1" */
const MAGIC = [0x6d, 0x6f, 0x6f, 0x6e, 0x6c, 0x6f, 0x67, 0x31] as const;
const FORMAT = 1;

/** Returns the path of a log file. */
export function logPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(10, "0")}.log`);
}

/** Returns the numbers of log files among the names in the folder, ascending. */
export function logNumbers(names: readonly string[]): number[] {
  return names
    .filter((name) => /^\d{10}\.log$/.test(name))
    .map((name) => Number(name.slice(0, 10)))
    .sort((a, b) => a - b);
}

/** Deletes all files of a log, the oldest first. */
export async function removeLog(fileSystem: LogFileSystem, folder: string): Promise<void> {
  try {
    const numbers = logNumbers(await fileSystem.list(folder));
    if (numbers.length === 0) return;
    for (const number of numbers) await fileSystem.unlink(logPath(folder, number));
    await fileSystem.syncFolder(folder);
  } catch (error) {
    throw storeError(error, "the log");
  }
}

/** Returns the header of a file. */
export function logHead(number: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(HEAD_BYTES);
  head.set(MAGIC);
  const view = new DataView(head.buffer);
  view.setUint32(8, number, true);
  view.setUint32(12, FORMAT, true);
  return head;
}

/** True if a file starts with its header. */
export function hasHead(file: Uint8Array, number: number): boolean {
  return file.length >= HEAD_BYTES && logHead(number).every((byte, i) => byte === file[i]);
}

/**
 * True if a file was created, but its header was never synced: it is shorter than a header, or all zeros. The header is synced first, so the
 * file has no records.
 */
export function isHeadless(file: Uint8Array): boolean {
  return file.length < HEAD_BYTES || file.every((byte) => byte === 0);
}
