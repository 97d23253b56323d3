/** Helpers for tests of drivers: folders, separate file systems, and processes. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Store } from "../build/drivers/driver.js";
import { classicLevel, rocksdb } from "../build/index.js";

export { run } from "@moonpack/series/test/harness/run.ts";

/** The drivers that have files. */
export const ON_DISK = [
  { name: "rocksdb", make: rocksdb },
  { name: "classicLevel", make: classicLevel },
] as const;

/** The module that exports them, for other processes. */
export const DRIVERS = new URL("../build/index.js", import.meta.url).href;

/** Returns a function for paths in a folder that is removed after the tests of the file. */
export function temporaryPaths(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-driver-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let n = 0;
  return (name) => join(folder, `${name}-${n++}`);
}

/** Whether this process may mount file systems. In CI it must: a test is not passed over there. */
export function mayMount(path: string): boolean {
  if (process.env.CI) return true;
  try {
    mountSmall(path, "1m");
    unmount(path);
    return true;
  } catch {
    return false;
  }
}

/** Mounts a file system in memory of this size at a folder. */
export function mountSmall(path: string, size: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path], { stdio: "pipe" });
}

/** Makes a folder read-only, for root too. */
export function mountReadOnly(path: string): void {
  execFileSync("mount", ["--bind", path, path], { stdio: "pipe" });
  execFileSync("mount", ["-o", "remount,ro,bind", path], { stdio: "pipe" });
}

/** Ends a mount. */
export function unmount(path: string): void {
  execFileSync("umount", ["-l", path], { stdio: "pipe" });
}

/** A key of eight digits. */
export function digits(n: number): Uint8Array {
  return Buffer.from(String(n).padStart(8, "0"));
}

/** How many entries a column has. */
export async function countOf(store: Store, column: number): Promise<number> {
  let n = 0;
  for await (const piece of store.range(column, Buffer.alloc(0), Buffer.alloc(16, 255))) n += piece.length;
  return n;
}

/** The code with which a call fails. */
export async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return await call.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );
}
