/** Starts a job that scrapes targets. */
import type { Series } from "@moonpack/series";
import { xxHash64 } from "../eval/hash.js";
import { Labels } from "../eval/labels.js";
import type { MetadataMap } from "../store/metadata.js";
import { scrapeSettings } from "./options.js";
import { Scraper } from "./scraper.js";
import type { ScrapeJob, ScrapeOptions } from "./types.js";

/** A scrape that starts at most this much late has the time at which it was due: regular times take less space. */
const TOLERANCE = 3;
/** Timers may fire up to a millisecond early. */
const EARLY = 1;

/**
 * Starts to scrape targets, each at its own moment of the interval, and writes the samples to a store. Throws `ERR_INVALID_ARGUMENT`.
 * Failures of targets and of the store are in the state of the targets; the next scrape is another attempt. `onStop` is called when the job
 * has ended.
 */
export function startScrapes(
  series: Series,
  metadata: MetadataMap,
  options: ScrapeOptions,
  onStop: (job: ScrapeJob) => void = () => undefined,
): ScrapeJob {
  const settings = scrapeSettings(options);
  const { job, interval, timeout } = settings;
  const controller = new AbortController();
  const scrapers = settings.targets.map((target) => new Scraper(series, metadata, settings, target));
  const loops = scrapers.map((scraper) => run(scraper, interval, controller.signal));
  const stop = async (): Promise<void> => {
    controller.abort();
    await Promise.all(loops);
    onStop(scrapes);
  };
  const scrapes: ScrapeJob = {
    job,
    interval,
    timeout,
    get targets() {
      return scrapers.map(({ state }) => state);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
  return scrapes;
}

/** Scrapes one target until the signal is aborted. */
async function run(scraper: Scraper, interval: number, signal: AbortSignal): Promise<void> {
  const hash = xxHash64(new TextEncoder().encode(Labels.of(scraper.state.labels).key));
  const offset = Number(hash % BigInt(Math.ceil(interval)));
  let due = Number.NEGATIVE_INFINITY;
  for (;;) {
    const now = Date.now();
    // A clock that was set back makes no pause.
    const after = due - now < interval ? Math.max(due, now) : now;
    due = (Math.floor((after - offset) / interval) + 1) * interval + offset;
    await sleep(due - now + EARLY, signal);
    if (signal.aborted) break;
    const started = Date.now();
    const late = started - due;
    await scraper.scrape(late >= 0 && late <= TOLERANCE ? Math.floor(due) : started, signal);
    if (signal.aborted) break;
  }
  await scraper.end();
}

/** Resolves after a time, or when the signal is aborted. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
