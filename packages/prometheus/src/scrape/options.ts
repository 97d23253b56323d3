/** Checks the options of scrapes. */
import {
  countOption,
  describe,
  durationOption,
  flagOption,
  invalidArgument,
  isWellFormed,
  ownOption,
  ownOptions,
  recordOf,
  refuseUnknown,
} from "moonpack/bytes";
import { Labels } from "../eval/labels.js";
import type { MetricsRegistry, ScrapeOptions, ScrapeTarget } from "./types.js";

const OPTIONS = ["targets", "job", "interval", "timeout", "labels", "honorLabels", "honorTimestamps", "maxBodyBytes"];
const DAY = 86_400_000;

/** A label of a target's series, or a header. */
export type TextRecord = { readonly [name: string]: string };

/** A checked target. */
export interface Target {
  readonly source: URL | MetricsRegistry;
  readonly labels: TextRecord;
  readonly headers: TextRecord;
}

/** Checked options. Times are in milliseconds. */
export interface ScrapeSettings {
  readonly targets: readonly Target[];
  readonly job: string;
  readonly interval: number;
  readonly timeout: number;
  readonly honorLabels: boolean;
  readonly honorTimestamps: boolean;
  readonly maxBodyBytes: number;
}

/** Throws `ERR_INVALID_ARGUMENT`. */
export function scrapeSettings(options: ScrapeOptions): ScrapeSettings {
  const given = ownOptions<ScrapeOptions>(options);
  refuseUnknown(given, OPTIONS);
  const { job = "scrape" } = given;
  if (typeof job !== "string" || job === "") throw invalidArgument("job must be a text that is not empty");
  const interval = durationOption("interval", given.interval, 15_000, 10, DAY);
  return {
    targets: targetsOf(given.targets, { ...texts("labels", given.labels), job }),
    job,
    interval,
    timeout: durationOption("timeout", given.timeout, Math.min(10_000, interval), 1, interval),
    honorLabels: flagOption("honorLabels", given.honorLabels, false),
    honorTimestamps: flagOption("honorTimestamps", given.honorTimestamps, true),
    maxBodyBytes: countOption("maxBodyBytes", given.maxBodyBytes, 10 * 2 ** 20, 1, 2 ** 30),
  };
}

function targetsOf(given: unknown, labels: TextRecord): Target[] {
  if (
    typeof given !== "object" ||
    given === null ||
    typeof (given as Iterable<unknown>)[Symbol.iterator] !== "function"
  )
    throw invalidArgument(`targets must be iterable, not ${describe(given)}`);
  const targets: Target[] = [];
  const seen = new Set<string>();
  for (const each of given as Iterable<unknown>) {
    const target = targetOf(each, labels);
    const { key } = Labels.of(target.labels);
    if (seen.has(key))
      throw invalidArgument(`two targets have the same labels: ${String(Labels.of(target.labels))}. Give them labels`);
    seen.add(key);
    targets.push(target);
  }
  return targets;
}

function targetOf(given: unknown, labels: TextRecord): Target {
  const isDescribed = typeof given === "object" && given !== null && Object.hasOwn(given, "target");
  const described: ScrapeTarget = ownOptions(isDescribed ? (given as ScrapeTarget) : { target: given as string });
  refuseUnknown(described, ["target", "labels", "headers"], "property of a target");
  const source = sourceOf(described.target);
  const own = texts("labels", described.labels);
  const headers = texts("headers", described.headers);
  if (source instanceof URL) checkHeaders(headers);
  return { source, headers, labels: { instance: instanceOf(source), ...labels, ...own } };
}

function sourceOf(target: unknown): URL | MetricsRegistry {
  if (isRegistry(target)) return target;
  if (typeof target !== "string" && !(target instanceof URL))
    throw invalidArgument(`a target must be a URL or a registry, not ${describe(target)}`);
  const url = URL.canParse(String(target)) ? new URL(target) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw invalidArgument(`${JSON.stringify(String(target))} is not a URL such as http://localhost:9100/metrics`);
  if (url.username !== "" || url.password !== "")
    throw invalidArgument("a target's URL must not have a user: use the header authorization");
  return url;
}

/** Registries are instances of classes. Properties of a polluted Object.prototype do not count. */
function isRegistry(target: unknown): target is MetricsRegistry {
  if (typeof target !== "object" || target === null) return false;
  const { metrics } = target as Partial<MetricsRegistry>;
  return typeof metrics === "function" && metrics !== ownOption(Object.prototype, "metrics");
}

function instanceOf(source: URL | MetricsRegistry): string {
  if (!(source instanceof URL)) return "localhost";
  return source.port === "" ? `${source.host}:${source.protocol === "http:" ? 80 : 443}` : source.host;
}

function checkHeaders(headers: TextRecord): void {
  try {
    new Headers(headers);
  } catch (error) {
    throw invalidArgument(`headers are not valid: ${(error as Error).message}`);
  }
}

function texts(name: string, given: unknown): TextRecord {
  const entries = Object.entries(ownOptions(given as TextRecord | undefined, name));
  for (const [key, text] of entries)
    if (key === "" || key === "__name__" || typeof text !== "string" || !isWellFormed(text) || !isWellFormed(key))
      throw invalidArgument(`${name} must be texts by their names, not ${JSON.stringify(key)}: ${describe(text)}`);
  return recordOf(entries);
}
