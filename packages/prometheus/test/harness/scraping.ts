/** A target over HTTP, a store and what scrapes it, for one test. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { memory, openSeries, type Series, type SeriesOptions } from "@moonpack/series";
import { scrapeSettings } from "../../src/scrape/options.ts";
import { Scraper } from "../../src/scrape/scraper.ts";
import { startScrapes } from "../../src/scrape/start.ts";
import type { ScrapeJob, ScrapeOptions, TargetState } from "../../src/scrape/types.ts";
import { MetadataMap } from "../../src/store/metadata.ts";
import { storedContent } from "./stored-content.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A target that is scraped by hand: at `START`, a second later, and so on. */
export interface ScrapedTarget {
  readonly scrape: (signal?: AbortSignal) => Promise<TargetState>;
  readonly end: () => Promise<void>;
}

export interface Scraping {
  readonly store: Series;
  readonly metadata: MetadataMap;
  /** The address of the target. */
  readonly url: string;
  /** The label `instance` of the target. */
  readonly instance: string;
  /** How the target answers. */
  answer: Answer;
  /** Returns the only target of a job that is scraped by hand. */
  target(options?: Partial<ScrapeOptions>): ScrapedTarget;
  /** Starts a job. */
  start(options: Partial<ScrapeOptions>): ScrapeJob;
  /** The points of a series of the target: the time since `START`, and the value or `stale`. */
  points(name: string, job?: string): Promise<(readonly [number, number | "stale"])[]>;
}

export const START = Date.now() - 600_000;

/** Answers with a text. */
export function serving(text: string, type = "text/plain; version=0.0.4"): Answer {
  return (_, response) => response.setHeader("content-type", type).end(text);
}

export async function scraping(run: (given: Scraping) => Promise<void>, options: SeriesOptions = {}): Promise<void> {
  const store = await openSeries({ driver: memory(), ...options });
  const metadata = new MetadataMap();
  const jobs: ScrapeJob[] = [];
  const server = createServer((request, response) => given.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const instance = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const given: Scraping = {
    store,
    metadata,
    url: `http://${instance}/metrics`,
    instance,
    answer: serving("a 1\n"),
    target(some) {
      const settings = scrapeSettings({ targets: [given.url], ...some });
      const scraper = new Scraper(store, metadata, settings, settings.targets[0]!);
      let at = START - 1000;
      return {
        async scrape(signal = new AbortController().signal) {
          at += 1000;
          await scraper.scrape(at, signal);
          return scraper.state;
        },
        end: () => scraper.end(),
      };
    },
    start(some) {
      const job = startScrapes(store, metadata, { targets: [given.url], ...some }, () => {});
      jobs.push(job);
      return job;
    },
    async points(name, job = "scrape") {
      const content = await storedContent(store, START);
      return content[`{__name__="${name}", instance="${instance}", job="${job}"}`] ?? [];
    },
  };
  try {
    await run(given);
  } finally {
    for (const job of jobs) await job.stop();
    await store.close();
    server.closeAllConnections();
    server.close();
  }
}

/** Waits for a condition. */
export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within 30 s: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
