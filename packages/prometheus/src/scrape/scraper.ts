/** Scrapes one target: its samples, staleness markers for series that it does not have any more, and its own health. */
import type { Series } from "@moonpack/series";
import { describe, MoonpackError, printable } from "moonpack/bytes";
import type { MetadataMap } from "../store/metadata.js";
import { writeSamples } from "../store/sample-writer.js";
import { type MetricsParser, metricsParser } from "../text/parser.js";
import type { MetricSample, MetricType } from "../text/types.js";
import type { ScrapeSettings, Target } from "./options.js";
import { readRegistry, readUrl } from "./read-text.js";
import { SampleBatch } from "./sample-batch.js";
import { type ScrapedSeries, SeriesCache, scrapedSeries } from "./scraped-series.js";
import type { TargetState } from "./types.js";

/** The state of a target between scrapes. */
export class Scraper {
  readonly #series: Series;
  readonly #metadata: MetadataMap;
  readonly #settings: ScrapeSettings;
  readonly #target: Target;
  readonly #cache: SeriesCache;
  readonly #health: readonly [up: ScrapedSeries, duration: ScrapedSeries, samples: ScrapedSeries];
  /** The series of the last scrape, by their keys. A series with timestamps in the text gets no markers, as in Prometheus. */
  #live: ReadonlyMap<string, ScrapedSeries> = new Map();
  /** The call of a registry that did not end within the timeout. */
  #hanging: Promise<void> | undefined;
  #state: TargetState;

  constructor(series: Series, metadata: MetadataMap, settings: ScrapeSettings, target: Target) {
    const { source, labels } = target;
    this.#series = series;
    this.#metadata = metadata;
    this.#settings = settings;
    this.#target = target;
    this.#cache = new SeriesCache(labels, settings.honorLabels);
    this.#health = [
      scrapedSeries("up", labels),
      scrapedSeries("scrape_duration_seconds", labels),
      scrapedSeries("scrape_samples_scraped", labels),
    ];
    this.#state = {
      url: source instanceof URL ? source.href : "registry",
      labels,
      health: "unknown",
      lastError: "",
      lastScrape: undefined,
      lastDuration: 0,
      samples: 0,
      refused: 0,
    };
  }

  get state(): TargetState {
    return this.#state;
  }

  /** Scrapes the target, with `at` as the time of its samples. Never rejects. `signal` ends it without a result. */
  async scrape(at: number, signal: AbortSignal): Promise<void> {
    const started = performance.now();
    const scrape = new Scrape(at, this.#cache, this.#metadata, this.#settings.honorTimestamps);
    let failure: string | undefined;
    try {
      await this.#read(scrape, signal);
      scrape.finish();
    } catch (error) {
      if (signal.aborted) return this.#cache.end(false);
      failure = textOf(error);
    }
    const isUp = failure === undefined;
    this.#cache.end(isUp);
    const duration = performance.now() - started;
    const { batch, live, samples } = isUp ? scrape : new Scrape(at, this.#cache, this.#metadata, false);
    for (const [key, series] of this.#live) if (!live.has(key)) batch.end(series, at);
    const [up, took, scraped] = this.#health;
    batch.add(up, at, isUp ? 1 : 0);
    batch.add(took, at, duration / 1000);
    batch.add(scraped, at, samples);
    const health = isUp ? "up" : "down";
    const state = { health, lastError: failure ?? "", lastScrape: at, lastDuration: duration, samples } as const;
    if (await this.#write(batch, state)) this.#live = live;
  }

  /** Ends all series of the target. Never rejects. */
  async end(): Promise<void> {
    const { lastScrape } = this.#state;
    if (lastScrape === undefined) return;
    const at = Math.max(Date.now(), lastScrape + 1);
    const batch = new SampleBatch();
    for (const series of [...this.#live.values(), ...this.#health]) batch.end(series, at);
    await this.#write(batch, this.#state);
  }

  /** Writes samples, then sets the state: whoever reads it finds the samples in the store. */
  async #write(batch: SampleBatch, state: Partial<TargetState> & Pick<TargetState, "lastError">): Promise<boolean> {
    try {
      const { refused, first } = await writeSamples(this.#series, batch.columns);
      const lastError = state.lastError || (first === undefined ? "" : textOf(first));
      this.#state = { ...this.#state, ...state, lastError, refused: this.#state.refused + refused };
      return true;
    } catch (error) {
      this.#state = { ...this.#state, ...state, lastError: `the samples were not written: ${textOf(error)}` };
      return false;
    }
  }

  async #read(scrape: Scrape, signal: AbortSignal): Promise<void> {
    const { timeout, maxBodyBytes } = this.#settings;
    const { source, headers } = this.#target;
    if (this.#hanging !== undefined)
      throw new MoonpackError("ERR_ABORTED", "an earlier call of metrics() has not ended");
    const controller = new AbortController();
    const abort = () => controller.abort(signal.reason);
    const late = new MoonpackError("ERR_ABORTED", `the scrape took longer than ${timeout} ms`);
    const timer = setTimeout(() => controller.abort(late), timeout);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    try {
      if (source instanceof URL) await readUrl(source, headers, maxBodyBytes, timeout, controller.signal, scrape);
      else await this.#untilAborted(readRegistry(source, maxBodyBytes, controller.signal, scrape), controller.signal);
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  /** A call of a registry cannot be aborted. The next one waits until it has ended. */
  async #untilAborted(call: Promise<void>, signal: AbortSignal): Promise<void> {
    const ended = () => {
      this.#hanging = undefined;
    };
    this.#hanging = call.then(ended, ended);
    await Promise.race([
      call,
      new Promise<never>((_, reject) => {
        if (signal.aborted) reject(signal.reason as Error);
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      }),
    ]);
    await this.#hanging;
  }
}

/** One scrape: receives the text. */
class Scrape {
  readonly batch = new SampleBatch();
  readonly live = new Map<string, ScrapedSeries>();
  samples = 0;
  readonly #at: number;
  readonly #cache: SeriesCache;
  readonly #metadata: MetadataMap;
  readonly #honorTimestamps: boolean;
  /** The last time of each series. */
  readonly #times = new Map<string, number>();
  #parser: MetricsParser | undefined;
  #type: MetricType | undefined;

  constructor(at: number, cache: SeriesCache, metadata: MetadataMap, honorTimestamps: boolean) {
    this.#at = at;
    this.#cache = cache;
    this.#metadata = metadata;
    this.#honorTimestamps = honorTimestamps;
  }

  start(format: "prometheus" | "openmetrics"): void {
    this.#parser = metricsParser({
      format,
      onSample: (sample, text) => this.#sample(sample, text),
      onMetadata: (line) => {
        this.#type = line.type ?? this.#type;
        this.#metadata.add(line);
      },
    });
  }

  write(bytes: Uint8Array): void {
    this.#parser!.write(bytes);
  }

  /** Ends the text. Throws if it is not complete. */
  finish(): void {
    this.samples = this.#parser!.end().samples;
  }

  #sample(sample: MetricSample, text: string): void {
    const series = this.#cache.of(sample, text, this.#type);
    const given = this.#honorTimestamps ? sample.timestamp : undefined;
    const timestamp = given === undefined ? this.#at : Math.trunc(given);
    // Of two samples of a series and a time the first one counts, as in Prometheus.
    if (this.#times.get(series.key) === timestamp) return;
    this.#times.set(series.key, timestamp);
    if (given === undefined) this.live.set(series.key, series);
    this.batch.add(series, timestamp, sample.value);
  }
}

/** The text of an error: a registry may throw any value, null and undefined too. */
function textOf(error: unknown): string {
  const { message, cause } = (error ?? {}) as Partial<Error>;
  const why = cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
  const text = [message, error].find((one) => typeof one === "string") ?? describe(error);
  return printable(`${text}${why}`).slice(0, 1000);
}
