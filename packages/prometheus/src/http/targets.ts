/** The route of scraped targets. */
import { formatDuration } from "../parse/format-number.js";
import type { ScrapeJob, TargetState } from "../scrape/types.js";
import type { Reply } from "./messages.js";
import type { Parameters } from "./parameters.js";

/** Answers with the targets of all jobs. None is dropped. */
export function targets(jobs: Iterable<ScrapeJob>, parameters: Parameters): Reply {
  const activeTargets =
    parameters.text("state") === "dropped"
      ? []
      : [...jobs].flatMap((job) => job.targets.map((target) => activeTarget(job, target)));
  return { data: { activeTargets, droppedTargets: [], droppedTargetCounts: {} } };
}

function activeTarget(
  { job, interval, timeout }: ScrapeJob,
  { url, labels, health, lastError, lastScrape, lastDuration }: TargetState,
): object {
  return {
    discoveredLabels: {},
    labels,
    scrapePool: job,
    scrapeUrl: url,
    globalUrl: url,
    lastError,
    // Go's time of nothing.
    lastScrape: lastScrape === undefined ? "0001-01-01T00:00:00Z" : new Date(lastScrape).toISOString(),
    lastScrapeDuration: lastDuration / 1000,
    health,
    scrapeInterval: formatDuration(interval),
    scrapeTimeout: formatDuration(timeout),
  };
}
