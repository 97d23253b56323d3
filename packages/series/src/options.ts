/** The options of a store: checks them and applies defaults. Reads only own properties, each once. */
import { resolve } from "node:path";
import {
  choiceOption,
  countOption,
  durationOption,
  invalidArgument,
  optionsObject,
  ownOption,
  refuseUnknown,
} from "moonpack/bytes";
import type { Durability, SeriesOptions, SeriesWarning } from "./api.js";
import type { SeriesDriver } from "./drivers/driver.js";
import { type FilesDriver, files, isFilesDriver } from "./drivers/files.js";
import { type CheckedRules, readRetention } from "./retention/rules.js";
import { readSummarize, type SummaryDefinition } from "./summarize/definitions.js";

/** Checked options. Durations are milliseconds. */
export interface Settings {
  /** An absolute path: the working folder may change while the store is open. Undefined with `memory()`. */
  readonly path: string | undefined;
  /** The driver that opens the sealed points. */
  readonly driver: FilesDriver | SeriesDriver;
  /** The unit of timestamps in calls, in milliseconds. */
  readonly unitMs: 1 | 1000;
  /** The moment when a write resolves. */
  readonly durability: Durability;
  /** Time between two syncs of the log with durability `batch`. */
  readonly syncEvery: number;
  /** The longest retention of any metric. Infinity when points are kept for ever. */
  readonly retention: number;
  /**
   * The retention of metrics; undefined if it is the same for all.
   *
   * @internal
   */
  readonly retentionRules: CheckedRules | undefined;
  /** Time after a minute before it is sealed. */
  readonly grace: number;
  /**
   * The windows to keep; undefined: those that the store has kept so far.
   *
   * @internal
   */
  readonly summarize: readonly SummaryDefinition[] | undefined;
  /** Infinity when hours are not rolled up. */
  readonly rollupAfter: number;
  /** Points further ahead of the clock are refused. */
  readonly maxAhead: number;
  /** Maximum bytes of points in memory. */
  readonly maxHeadBytes: number;
  /** Maximum bytes of the log. */
  readonly maxLogBytes: number;
  /** Maximum bytes of the cache. */
  readonly maxCacheBytes: number;
  /** Maximum number of metrics in memory. */
  readonly maxCachedMetrics: number;
  /** Maximum bytes that a compaction writes in a second. */
  readonly compactBytesPerSecond: number;
  /** True if the store is open for reading. */
  readonly readOnly: boolean;
  /** True if a store of an older version is rewritten. */
  readonly migrate: boolean;
  /** Handling of damaged data. */
  readonly undecodable: "throw" | "skip";
  /** Never throws. */
  readonly onWarning: (warning: SeriesWarning) => void;
  /** The clock: milliseconds since 1970. */
  readonly now: () => number;
}

const MIB = 2 ** 20;
/** The minimum of useful buffer sizes. */
const MIN_BUFFER = 65_536;
const DAY = 86_400_000;

/** Checks the options of {@link SeriesOptions} and applies defaults. Throws `ERR_INVALID_ARGUMENT` for an invalid or unknown one. */
export function readOptions(options: unknown): Settings {
  const given = optionsObject(options);
  refuseUnknown(given, Object.keys(OPTION_NAMES));
  const option = (name: keyof SeriesOptions) => ownOption(given, name);
  const rollupAfter = option("rollupAfter");
  const duration = (name: keyof SeriesOptions, fallback: number, least: number, most = Infinity) =>
    durationOption(name, option(name), fallback, least, most);
  const count = (name: keyof SeriesOptions, fallback: number, least: number) =>
    countOption(name, option(name), fallback, least, Number.MAX_SAFE_INTEGER);

  const settings: Settings = {
    path: pathOption(option("path")),
    driver: driverOption(option("driver")),
    unitMs: choiceOption("unit", option("unit"), ["ms", "s"]) === "s" ? 1000 : 1,
    durability: choiceOption("durability", option("durability"), ["batch", "sync", "none"]),
    // The longest delay of a timer is 24 days.
    syncEvery: duration("syncEvery", 1000, 1, DAY),
    ...readRetention(option("retention")),
    grace: duration("grace", 10_000, 0),
    summarize: readSummarize(option("summarize")),
    rollupAfter: rollupAfter === false ? Infinity : durationOption("rollupAfter", rollupAfter, 7_200_000, 0),
    maxAhead: duration("maxAhead", DAY, 0),
    maxHeadBytes: count("maxHeadBytes", 256 * MIB, MIN_BUFFER),
    maxLogBytes: count("maxLogBytes", 16 * MIB, MIN_BUFFER),
    maxCacheBytes: count("maxCacheBytes", 64 * MIB, 0),
    maxCachedMetrics: count("maxCachedMetrics", 1_000_000, 1),
    compactBytesPerSecond: count("compactBytesPerSecond", 32 * MIB, MIN_BUFFER),
    readOnly: choiceOption("readOnly", option("readOnly"), [false, true]),
    migrate: choiceOption("migrate", option("migrate"), [false, true]),
    undecodable: choiceOption("undecodable", option("undecodable"), ["throw", "skip"]),
    onWarning: withErrorsCaught(functionOption("onWarning", option("onWarning"), () => {})),
    now: functionOption("now", option("now"), () => Date.now()),
  };
  if (settings.path === undefined && settings.driver.name === "files")
    throw invalidArgument("path is missing: it is the folder of the store");
  if (settings.path !== undefined && isFilesDriver(settings.driver) && settings.driver.name === "memory")
    throw invalidArgument("memory() does not use a folder: open it without a path");
  if (settings.summarize !== undefined && !isFilesDriver(settings.driver))
    throw invalidArgument(`summarize needs files() or memory(): ${settings.driver.name} cannot keep summaries`);
  if (settings.readOnly && settings.migrate)
    throw invalidArgument("migrate rewrites the store, so it cannot be combined with readOnly");
  return Object.freeze(settings);
}

/** All options: the compiler reports a missing one. */
const OPTION_NAMES: Readonly<Record<keyof SeriesOptions, true>> = {
  path: true,
  driver: true,
  unit: true,
  durability: true,
  syncEvery: true,
  retention: true,
  grace: true,
  summarize: true,
  rollupAfter: true,
  maxAhead: true,
  maxHeadBytes: true,
  maxLogBytes: true,
  maxCacheBytes: true,
  maxCachedMetrics: true,
  compactBytesPerSecond: true,
  readOnly: true,
  migrate: true,
  undecodable: true,
  onWarning: true,
  now: true,
};

function functionOption<F>(name: string, value: unknown, fallback: F): F {
  if (value === undefined) return fallback;
  if (typeof value === "function") return value as F;
  throw invalidArgument(`${name} must be a function`);
}

/**
 * Wraps a user's `onWarning`, so that its exceptions do not interrupt background work. They become Node process warnings.
 */
function withErrorsCaught(onWarning: (warning: SeriesWarning) => unknown): (warning: SeriesWarning) => void {
  return (warning) => {
    const failed = (error: unknown) => {
      const text = `onWarning threw ${String(error)}; the warning was: ${warning.message}`;
      process.emitWarning(text, "SeriesWarning");
    };
    try {
      // onWarning may be asynchronous.
      Promise.resolve(onWarning(warning)).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

function pathOption(value: unknown): string | undefined {
  return value === undefined ? undefined : checkedPath(value);
}

/** Returns the absolute path of a folder. Throws `ERR_INVALID_ARGUMENT` for anything but a path. */
export function checkedPath(value: unknown): string {
  if (typeof value === "string" && value !== "" && !value.includes("\0")) return resolve(value);
  throw invalidArgument("path must be the name of a folder");
}

function driverOption(value: unknown): FilesDriver | SeriesDriver {
  if (value === undefined) return files();
  const { name, openStore } = typeof value === "object" && value !== null ? (value as Partial<SeriesDriver>) : {};
  if (typeof openStore === "function" && typeof name === "string") return value as SeriesDriver;
  if (openStore === undefined && (name === "files" || name === "memory")) return value as FilesDriver;
  throw invalidArgument("driver must be files(), memory(), or a driver of another package, such as rocksdb()");
}
