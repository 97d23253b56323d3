import { openBrowser } from "@moonpack/tools/portable/browsers";
import { findRuntime } from "@moonpack/tools/runtimes";

/** A browser that has opened the page. */
export interface DrivenPage<Job, Result> {
  /** Does a job in a new worker of the page. */
  run(job: Job): Promise<Result>;
  close(): Promise<void>;
}

/** A browser that is installed. */
export interface Browser {
  readonly id: BrowserName;
  readonly title: string;
  readonly version: string;
  /** Starts the browser with a page whose jobs and results have these types. */
  open<Job, Result>(url: string): Promise<DrivenPage<Job, Result>>;
}

/** The browsers that can be driven. */
export const BROWSERS = ["chromium", "firefox"] as const;
/** One of the browsers. */
export type BrowserName = (typeof BROWSERS)[number];

/** The function that a page offers to its driver. */
export interface Drivable<Job, Result> {
  moonpackRun?: (job: Job) => Promise<Result>;
}

/** Finds a browser. If it is not installed, the error names the command that installs it. */
export async function findBrowser(id: BrowserName): Promise<Browser> {
  const found = await findRuntime(id);
  if (found === undefined) throw new RangeError(`${id} is not installed: node scripts/runtimes.mjs ${id}`);
  const { executable, version } = found;
  const title = { chromium: "Chromium", firefox: "Firefox" }[id];
  return { id, title: `${title} ${version}`, version, open: (url) => open(id, executable, url) };
}

async function open<Job, Result>(id: BrowserName, executable: string, url: string): Promise<DrivenPage<Job, Result>> {
  const troubles: string[] = [];
  const { page, gone, close } = await openBrowser(id, executable, url, (trouble) => troubles.push(trouble));
  try {
    await Promise.race([page.waitForFunction("globalThis.moonpackRun !== undefined"), gone]);
  } catch (error) {
    await close();
    throw new Error(`${id}: the page did not start\n${[error, ...troubles].join("\n")}`);
  }
  // The function passed to `evaluate` runs in the page.
  const act = (job: Job) => (globalThis as Drivable<Job, Result>).moonpackRun!(job);
  return { run: (job) => Promise.race([page.evaluate(act, job), gone]), close };
}
