/** The interface of scrapes: their options, and the state of their targets. */
import type { Duration } from "moonpack/bytes";

/** A registry of metrics in this process: prom-client's `Registry`, for example. */
export interface MetricsRegistry {
  /** Returns the metrics as text. */
  metrics(): string | Promise<string>;
  /** The media type of the text. */
  readonly contentType: string;
}

/** A target with labels or headers. */
export interface ScrapeTarget {
  /** A URL of `http:` or `https:`, with its path, or a registry in this process. */
  readonly target: string | URL | MetricsRegistry;
  /** Labels of all its series. `instance` replaces the default: host and port of the URL, or `localhost` for a registry. */
  readonly labels?: { readonly [name: string]: string };
  /** Headers of requests, such as `authorization`. */
  readonly headers?: { readonly [name: string]: string };
}

/** Options of a job of scrapes. */
export interface ScrapeOptions {
  /** The targets. Each must have other labels. */
  readonly targets: Iterable<string | URL | MetricsRegistry | ScrapeTarget>;
  /** The label `job` of all series. Default `scrape`. */
  readonly job?: string;
  /** The time between two scrapes of a target. Default `"15s"`. */
  readonly interval?: Duration;
  /** The longest time of a scrape. Default `"10s"`, or `interval` if that is shorter. */
  readonly timeout?: Duration;
  /** Labels of all series. */
  readonly labels?: { readonly [name: string]: string };
  /**
   * Which label counts if a target's text has one that the job or the target sets, too. False, the default: theirs, and the label of the text
   * gets the prefix `exported_`. True: the label of the text.
   */
  readonly honorLabels?: boolean;
  /** Whether timestamps in the text are kept. False: all samples get the time of the scrape. Default true. */
  readonly honorTimestamps?: boolean;
  /** The largest text in bytes, unpacked. Default 10 MiB. */
  readonly maxBodyBytes?: number;
}

/** The state of a target. Times are in milliseconds. */
export interface TargetState {
  /** The URL; `registry` for a registry in this process. */
  readonly url: string;
  /** The labels that its series get. */
  readonly labels: { readonly [name: string]: string };
  /** Whether the last scrape succeeded; `unknown` before the first. */
  readonly health: "unknown" | "up" | "down";
  /** Why the last scrape, or the write of its samples, failed; empty if it did not. */
  readonly lastError: string;
  /** When the last scrape started; undefined before the first. */
  readonly lastScrape: number | undefined;
  /** How long it took. */
  readonly lastDuration: number;
  /** The number of samples in its text. */
  readonly samples: number;
  /** The number of samples that the store refused since the job started. */
  readonly refused: number;
}

/** A running job. */
export interface ScrapeJob extends AsyncDisposable {
  /** The name of the job. */
  readonly job: string;
  /** The time between two scrapes of a target, in milliseconds. */
  readonly interval: number;
  /** The longest time of a scrape, in milliseconds. */
  readonly timeout: number;
  /** The state of each target, in the order of the options. */
  readonly targets: readonly TargetState[];
  /** Ends the job: running scrapes are aborted, and all series get staleness markers. Resolves when these are written. Never rejects. */
  stop(): Promise<void>;
}
