/**
 * The lock of a writing process: a file that the process creates, and renews every second. Another process takes over the lock of a process
 * that has ended: at once if it ran on this host, otherwise after ten seconds without renewal.
 */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { storeError } from "../drivers/store-error.js";
import { SeriesError } from "../errors.js";

const RENEW = 1000;
/** The lock of another host expires after this time without renewal. */
const STALE = 10_000;

/** The holder of a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  readonly random: string;
}

/** A lock that this process holds. */
export class WriterLock {
  readonly #path: string;
  readonly #text: string;
  readonly #timer: NodeJS.Timeout;

  /** @internal */
  constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    this.#timer = setInterval(() => {
      const now = new Date();
      // A failure is ignored: processes of this host check whether this one runs, and those of other hosts wait ten seconds.
      utimes(path, now, now).catch(() => undefined);
    }, RENEW).unref();
  }

  /** Takes the lock of a store. Throws `ERR_SERIES_LOCKED` while another process holds it. */
  static async take(folder: string): Promise<WriterLock> {
    const path = join(folder, "lock");
    const holder: Holder = {
      pid: process.pid,
      host: hostname(),
      since: new Date().toISOString(),
      random: randomBytes(8).toString("hex"),
    };
    const text = `${JSON.stringify(holder)}\n`;
    try {
      while (!(await make(path, text))) await removeStale(path, holder.random);
    } catch (error) {
      throw storeError(error, "the lock of the store");
    }
    return new WriterLock(path, text);
  }

  /** Throws `ERR_SERIES_LOCKED` if another process has taken over the lock, because this one seemed to have ended. */
  async check(): Promise<void> {
    const text = await readFile(this.#path, "utf8").catch(() => "");
    if (text !== this.#text)
      throw new SeriesError(
        "ERR_SERIES_LOCKED",
        "another process has taken the store over; nothing is written any more",
      );
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const text = await readFile(this.#path, "utf8").catch(() => "");
    if (text === this.#text) await rm(this.#path, { force: true });
  }
}

/** Creates the lock. Returns false if it exists. */
async function make(path: string, text: string): Promise<boolean> {
  // A link makes the lock visible together with its content, because other processes may read it at once.
  const temporary = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await link(temporary, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    return await makeWithoutLinks(path, text);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Does the same as {@link make} on a file system without links. */
async function makeWithoutLinks(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, "wx");
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a process that has ended. Throws `ERR_SERIES_LOCKED` if it is held. */
async function removeStale(path: string, random: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  if (!(await isStale(path, text))) throw locked(text);
  // Two processes may do this at once, so only the lock that was read is removed.
  const aside = `${path}.${random}.stale`;
  await rename(path, aside).catch(() => undefined);
  const moved = await readFile(aside, "utf8").catch(() => undefined);
  if (moved !== undefined && moved !== text) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function isStale(path: string, text: string): Promise<boolean> {
  const holder = holderOf(text);
  if (holder?.host === hostname()) return !isRunning(holder.pid);
  const before = await stat(path).catch(() => undefined);
  if (before === undefined) return true;
  // Clocks of two hosts differ, so an old time alone proves nothing. The lock is stale if its time stays the same during the sleep.
  if (Date.now() - before.mtimeMs < STALE) return false;
  await sleep(3 * RENEW);
  const after = await stat(path).catch(() => undefined);
  return after === undefined || after.mtimeMs === before.mtimeMs;
}

function holderOf(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs, as another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function locked(text: string): SeriesError {
  const holder = holderOf(text);
  const who =
    holder === undefined ? "another process" : `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  return new SeriesError("ERR_SERIES_LOCKED", `the store is open in ${who}`);
}
