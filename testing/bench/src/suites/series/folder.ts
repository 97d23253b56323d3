/** The files of a store: their bytes, and the system's cache of them. */
import { execFileSync } from "node:child_process";
import {
  closeSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { rocksdb } from "@moonpack/series-kv";
import { median } from "simple-statistics";

/** The files in a folder and in those below it. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path) : [path];
  });
}

/** Bytes of all files of a folder. */
export function folderBytes(folder: string): number {
  return filesOf(folder).reduce((bytes, file) => bytes + statSync(file).size, 0);
}

/** Bytes of the pages of a store that is closed, without their keys. */
export interface PageBytes {
  readonly minutes: number;
  readonly hours: number;
}

/** The columns of a store (docs/series-format.md, section 1). */
const COLUMNS = ["meta", "metrics", "index", "minutes", "hours"];
/** Greater than every key of a page. */
const END = new Uint8Array(9).fill(255);

/** Reads all pages of a store that is closed. */
export async function pageBytes(folder: string): Promise<PageBytes> {
  const store = await rocksdb().open(join(folder, "kv"), { columns: COLUMNS, readOnly: true, maxCacheBytes: 0 });
  try {
    const sum = async (column: string) => {
      let bytes = 0;
      for await (const piece of store.range(COLUMNS.indexOf(column), new Uint8Array(0), END))
        for (const [, page] of piece) bytes += page.length;
      return bytes;
    };
    return { minutes: await sum("minutes"), hours: await sum("hours") };
  } finally {
    await store.close();
  }
}

/**
 * Removes the files of a folder from the system's cache, with the function posix_fadvise, which GNU `dd` calls. Returns false where
 * `dd` lacks that flag. A cache below the system, for example of a virtual machine's host, is out of reach.
 */
export function dropCache(folder: string): boolean {
  try {
    for (const file of filesOf(folder))
      execFileSync("dd", [`of=${file}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

/** Reads the files of a folder, so that the system's cache has them. */
export function fillCache(folder: string): void {
  // In one memory: the garbage of whole files would be collected while reads are timed.
  const bytes = new Uint8Array(2 ** 20);
  for (const path of filesOf(folder)) {
    const file = openSync(path, "r");
    while (readSync(file, bytes) > 0);
    closeSync(file);
  }
}

/** Bytes that this process has read from disks, with its threads; undefined where the system does not report them. */
export function bytesFromDisk(): number | undefined {
  return counterOf("/proc/self/io", /^read_bytes: (\d+)/m);
}

/** Peak resident memory of this process in bytes; undefined where the system does not report it. */
export function peakMemory(): number | undefined {
  const kilobytes = counterOf("/proc/self/status", /^VmHWM:\s+(\d+)/m);
  return kilobytes === undefined ? undefined : kilobytes * 1024;
}

function counterOf(file: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(file, "utf8"));
    return found === null ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}

/** Milliseconds in which the disk of a folder has 4 KB on the medium: the median of some. */
export function syncMilliseconds(folder: string): number {
  const path = join(folder, "sync");
  const file = openSync(path, "w");
  const block = Buffer.alloc(4096);
  const times = Array.from({ length: 25 }, () => {
    const start = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  rmSync(path);
  return median(times);
}
