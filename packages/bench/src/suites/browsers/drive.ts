import type { Answer, Job } from "./job.js";

/** A browser with the page in it. */
export interface DrivenPage {
  /** Measures a row in a worker of the page. */
  run(job: Job): Promise<Answer>;
  close(): Promise<void>;
}

/** A browser that is installed. */
export interface Browser {
  readonly id: BrowserName;
  readonly title: string;
  readonly version: string;
  open(url: string): Promise<DrivenPage>;
}

/** Those that are driven. */
export const BROWSERS = ["chromium", "firefox"] as const;
/** One of them. */
export type BrowserName = (typeof BROWSERS)[number];

/** What is used of the drivers' pages. */
interface Page {
  evaluate<Result>(act: (job: Job) => Promise<Result>, job: Job): Promise<Result>;
  waitForFunction(expression: string): Promise<unknown>;
}

interface Opened {
  readonly page: Page;
  /** Rejects when the page or the browser is gone. */
  readonly gone: Promise<never>;
  close(): Promise<void>;
}

interface Runtimes {
  findRuntime(name: string): Promise<{ executable: string; version: string } | undefined>;
}

interface Opener {
  openBrowser(name: string, executable: string, url: string, trouble: (text: string) => void): Promise<Opened>;
}

/** What the page offers to whoever drives it. */
export interface Drivable {
  moonpackRun?: (job: Job) => Promise<Answer>;
}

const SCRIPTS = new URL("../../../../../scripts/", import.meta.url);

/** Finds a browser; throws, with how to get it, where it is not installed. */
export async function findBrowser(id: BrowserName): Promise<Browser> {
  const { findRuntime } = (await import(new URL("runtimes.mjs", SCRIPTS).href)) as Runtimes;
  const found = await findRuntime(id);
  if (found === undefined) throw new RangeError(`${id} is not installed: node scripts/runtimes.mjs ${id}`);
  const { executable, version } = found;
  const title = { chromium: "Chromium", firefox: "Firefox" }[id];
  return { id, title: `${title} ${version}`, version, open: (url) => open(id, executable, url) };
}

async function open(id: BrowserName, executable: string, url: string): Promise<DrivenPage> {
  const { openBrowser } = (await import(new URL("test-runtimes/browsers.mjs", SCRIPTS).href)) as Opener;
  const troubles: string[] = [];
  const { page, gone, close } = await openBrowser(id, executable, url, (trouble) => troubles.push(trouble));
  try {
    await Promise.race([page.waitForFunction("globalThis.moonpackRun !== undefined"), gone]);
  } catch (error) {
    await close();
    throw new Error(`${id}: the page did not start\n${[error, ...troubles].join("\n")}`);
  }
  // What is given to `evaluate` runs in the page.
  const act = (job: Job) => (globalThis as Drivable).moonpackRun!(job);
  return { run: (job) => Promise.race([page.evaluate(act, job), gone]), close };
}
