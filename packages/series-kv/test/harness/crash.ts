/** A crash: what is on disk is copied while no call of the driver is running. */
import { copyFile, cp, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { TestDriver } from "./test-driver.ts";

/** Waits until no call of a driver is running, and delays later ones. Returns a function that resumes them. */
export async function halted(driver: TestDriver): Promise<() => void> {
  const { before } = driver;
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  driver.before = async (call) => {
    await before(call);
    await gate;
  };
  // Calls that passed the gate before, by some microtasks.
  do await nextTurn();
  while (driver.running > 0);
  return release;
}

/** Copies the log of a store while it is being written. */
export async function copyLog(from: string, to: string): Promise<void> {
  await mkdir(join(to, "log"));
  for (const name of await readdir(join(from, "log")))
    await copyFile(join(from, "log", name), join(to, "log", name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
}

/**
 * Copies a folder of a key-value store as it stood at one moment. Such a store removes and renames files in the background:
 * a copy during which the list of files changed is thrown away and made again.
 */
export async function copyQuiet(from: string, to: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const before = await files(from);
    let failure: unknown;
    await cp(from, to, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      failure = error;
    });
    if (failure === undefined && (await files(from)) === before) return;
    if (tries === 100) throw new Error(`${from} changed during each of ${tries} copies`, { cause: failure });
    await rm(to, { recursive: true, force: true });
  }
}

/** The names and sizes of a folder's files, in one text. */
async function files(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const sizes = names.map(async (name) => `${name} ${(await stat(join(folder, name)).catch(() => undefined))?.size}`);
  return (await Promise.all(sizes)).join("\n");
}
