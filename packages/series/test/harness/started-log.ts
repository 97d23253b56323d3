/** A log on a file system that forgets and fails, and what tests of it share. Time stands still: see {@link pass}. */
import { vi } from "vitest";
import { Log, type LogOptions } from "../../src/log/log.ts";
import { FailingFileSystem } from "./failing-file-system.ts";
import { ForgetfulFileSystem } from "./forgetful-file-system.ts";
import { append, type Entry, textsOf } from "./log-entries.ts";
import { FOLDER } from "./recovered-log.ts";

export { FOLDER, recovered } from "./recovered-log.ts";

export const SYNC_EVERY = 100;

/** A record of one point. */
export const record = (value: number): Entry => ({ ids: [1], times: [5], values: [value] });
export const texts = (...values: number[]) => values.flatMap((value) => textsOf(record(value)));
/** Bytes of such a record, and of one that says what is on the medium. */
export const RECORD = 40;
export const SYNCED = 24;

/** Starts a log. `events` are its failures and recoveries; `journal` has the calls after the start, `startCalls` those before. */
export async function startLog(options: Partial<LogOptions> = {}) {
  const fileSystem = new FailingFileSystem(new ForgetfulFileSystem());
  // As systems do: after a failed sync, what could not be written counts as written.
  fileSystem.onFailedSync = (path) => fileSystem.inner.forget(path);
  const events: string[] = [];
  const log = await Log.start(fileSystem, FOLDER, {
    durability: "batch",
    syncEvery: SYNC_EVERY,
    nextFile: 1,
    nextRecord: 0,
    onFailure: ({ code }) => events.push(code),
    onRecovered: () => events.push("recovered"),
    ...options,
  });
  const startCalls = fileSystem.journal.splice(0);
  return { fileSystem, log, events, startCalls, journal: fileSystem.journal };
}

/** Appends a record and waits for it. The promise may be left alone. */
export function written(log: Log, value: number): Promise<void> {
  append(log, record(value));
  const committed = log.committed();
  committed.catch(() => {});
  return committed;
}

/** Runs all pending work that does not wait for timers. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Advances vitest's fake timers, and runs all pending work. */
export async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await settle();
}

/** The time to the next try after a failure. */
export const RETRY = 1000;

/** Names of files and calls, as in a journal. */
export const fileName = (file: number) => `${String(file).padStart(10, "0")}.log`;
export const writeCall = (file: number, from: number, length: number) =>
  `write ${fileName(file)} ${from}..${from + length}`;
export const syncCall = (file: number) => `datasync ${fileName(file)}`;
export const closeCall = (file: number) => `close ${fileName(file)}`;
export const createCalls = (file: number) => [
  `open ${fileName(file)}`,
  `truncate ${fileName(file)} 0`,
  writeCall(file, 0, 32),
  syncCall(file),
  "syncFolder log",
];
