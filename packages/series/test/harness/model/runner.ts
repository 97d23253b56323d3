/** Runs commands on a store and on the model, and compares them. */
import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  Aggregate,
  MetricRef,
  MetricSet,
  Series,
  SeriesOptions,
  WindowRow,
  WriteResult,
} from "../../../src/api.ts";
import type { MetricHandle } from "../../../src/metric/metric.ts";
import { type Random, randomFrom } from "../../reference/vectors/random.ts";
import { matching } from "../matching.ts";
import { naive } from "../naive-windows.ts";
import { compareBatches } from "../select-batches.ts";
import type { Backend } from "./backends.ts";
import type { Asked, Command, Config, Wanted, When, WriteCommand } from "./commands.ts";
import { type ModelMetric, type ModelPoint, matchOf, modelMetrics, valueFor } from "./model.ts";
import { expectRows } from "./windows.ts";

const HOUR = 3_600_000;
/** Some hours after a new week of the format begins: reads look at each hour of a week that has pages. */
const START = 2800 * 168 * HOUR + 7 * HOUR + 317_000;
const AGGREGATES: readonly Aggregate[] = [
  "min",
  "max",
  "sum",
  "avg",
  "count",
  "first",
  "last",
  "increase",
  "rate",
  "p50",
];

/** The aggregates that summaries may have. */
const KEPT: readonly Aggregate[] = ["min", "max", "sum", "avg", "count", "first", "last"];

/** A change of one point, or of a metric's registration. */
interface Change {
  readonly metric: ModelMetric;
  /** Loosely: it is registered for now, but a crash may undo that. */
  readonly registered?: boolean | "loosely";
  readonly time?: number;
  readonly value?: number | bigint | undefined;
}

/** A command that was begun. */
interface Begun {
  readonly changes: readonly Change[];
  /** Resolves when the store has answered, and the answer was right. */
  readonly done: Promise<void>;
  isDone: boolean;
}

/** Runs one list of commands. */
export class ModelRun {
  readonly #config: Config;
  readonly #folder: string;
  readonly #random: Random;
  readonly #metrics = modelMetrics();
  #backend: Backend;
  #series!: Series;
  #now = START;
  #backups = 0;
  #warnings: string[] = [];
  /** Handles that were ever given out, and sets by their metrics. Handles stay in use when their store is closed. */
  readonly #handles: (MetricHandle | undefined)[] = [];
  #sets = new Map<string, MetricSet>();
  /** The remains of killed stores. */
  readonly #rests: Promise<unknown>[] = [];

  constructor(backend: Backend, config: Config, folder: string) {
    this.#backend = backend;
    const { summarize: _, ...others } = config;
    this.#config = backend.summarizes ? config : others;
    this.#folder = folder;
    this.#random = randomFrom(config.seed ^ 0x5eed);
  }

  /** Throws at the first difference. `at` is called with the number of each command. */
  async run(commands: readonly Command[], at: (i: number) => void): Promise<void> {
    await this.#open();
    try {
      for (const [i, command] of commands.entries()) {
        at(i);
        await this.#run(command);
        if (this.#warnings.length > 0) throw new Error(`warnings: ${this.#warnings.join("; ")}`);
      }
      at(commands.length);
      await this.#verify();
      if (this.#backend.keeps) await this.#reopen();
    } finally {
      await this.#series.close().catch(() => {});
      await Promise.all(this.#rests);
    }
  }

  get #options(): SeriesOptions {
    const { unit, durability, retention, keepMem, rollupAfter, grace, maxAhead, maxHeadBytes, maxCachedMetrics } =
      this.#config;
    const { summarize } = this.#config;
    return {
      ...(summarize !== undefined && {
        summarize: summarize.map(({ window, keep }) => ({ window, keep, aggregate: KEPT as never })),
      }),
      unit,
      durability,
      ...(keepMem === undefined && retention !== undefined && { retention }),
      ...(keepMem !== undefined && {
        retention: {
          default: retention ?? "forever",
          rules: [
            { matchers: [{ name: "zone", op: "=~", value: "z[1]" }], keep: "forever" },
            { name: "mem", keep: keepMem },
          ],
        },
      }),
      rollupAfter,
      grace,
      maxAhead,
      maxHeadBytes,
      maxCachedMetrics,
      syncEvery: 5,
      now: () => this.#now,
      onWarning: ({ message }) => this.#warnings.push(message),
    };
  }

  async #open(options: SeriesOptions = {}): Promise<void> {
    const { delay } = this.#config;
    this.#sets = new Map();
    this.#warnings = [];
    this.#series = await this.#backend.open({ ...this.#options, ...options }, () =>
      delay === 0 ? 0 : this.#random(delay + 1),
    );
  }

  async #run(command: Command): Promise<void> {
    switch (command.do) {
      case "advance":
        this.#now += command.by;
        return;
      case "query":
        return await this.#query(this.#metrics[command.metric]!, command.ask);
      case "last":
        return await this.#last(this.#metrics[command.metric]!);
      case "select":
        return await this.#select(command.match, command.ask);
      case "metrics":
        return await this.#listMetrics(command.match);
      case "tagValues":
        return await this.#tagValues(command.match);
      case "register":
        return await this.#register(this.#metrics[command.metric]!);
      case "backup":
        return await this.#backup();
      case "turns":
        for (let i = 0; i < command.n; i++) await nextTurn();
        return;
      case "burst":
        return await this.#burst(command);
      case "reopen":
        return await this.#reopen();
      case "kill":
        return await this.#kill([], command.readOnly);
      case "powerLoss":
        return await this.#losePower([]);
      default: {
        const begun = this.#begin(command);
        await begun.done;
        this.#apply(begun.changes);
        if (command.do === "flush") for (const metric of this.#metrics) metric.isSynced();
      }
    }
  }

  // Times: the model has milliseconds, the store its unit.

  get #unit(): number {
    return this.#config.unit === "s" ? 1000 : 1;
  }

  #time({ offset, grid }: When): number {
    const step = Math.max(grid, this.#unit);
    return Math.max(0, Math.floor((this.#now + offset) / step) * step);
  }

  /** The first time of a metric that is not beyond its retention. */
  #oldest({ name, tags }: ModelMetric): number {
    const { retention = Number.POSITIVE_INFINITY, keepMem } = this.#config;
    if (keepMem === undefined) return this.#now - retention;
    return this.#now - (tags.zone === "z1" ? Number.POSITIVE_INFINITY : name === "mem" ? keepMem : retention);
  }

  // Writing.

  /** A metric as callers may give it. */
  #ref(metric: ModelMetric, by: "handle" | "object"): MetricRef {
    return (by === "handle" ? this.#handles[metric.number] : undefined) ?? metric.ref(this.#random(2) === 0);
  }

  /** Calls the store. The changes are those that the call makes at once. */
  #begin(command: WriteCommand): Begun {
    const changes: Change[] = [];
    const done = this.#call(command, changes);
    const begun: Begun = { changes, done, isDone: false };
    done.then(
      () => (begun.isDone = true),
      () => undefined,
    );
    return begun;
  }

  async #call(command: WriteCommand, changes: Change[]): Promise<void> {
    switch (command.do) {
      case "write": {
        const points = command.points.map(({ metric, at, value }) => {
          const one = this.#metrics[metric]!;
          return { metric: one, time: this.#time(at), value: valueFor(one, value) };
        });
        const expected = this.#written(changes, points);
        const result = await this.#series.write(
          points.map(({ metric, time, value }) => ({
            metric: this.#ref(metric, command.by),
            timestamp: time / this.#unit,
            value:
              typeof value === "bigint" && Number.isSafeInteger(Number(value)) && value % 2n === 0n
                ? Number(value)
                : value,
          })),
        );
        return checkResult(result, expected);
      }
      case "scrape":
        return await this.#scrape(command, changes);
      case "column": {
        const metric = this.#metrics[command.metric]!;
        const first = this.#time(command.from);
        const step = command.step === 0 ? 0 : Math.max(command.step, this.#unit);
        const times = command.values.map((_, i) => first - i * step).filter((time) => time >= 0);
        if (!command.reverse) times.reverse();
        const points = times.map((time, i) => ({ metric, time, value: valueFor(metric, command.values[i]!) }));
        const expected = this.#written(changes, points);
        const ref = this.#ref(metric, "handle");
        const timestamps = Float64Array.from(times, (time) => time / this.#unit);
        const values = arrayOf(
          metric,
          points.map(({ value }) => value),
        );
        const result = this.#series.writeColumn(ref, timestamps, values);
        // The caller may use its arrays again.
        timestamps.fill(0);
        new Uint8Array(values.buffer).fill(0x55);
        return checkResult(await result, expected);
      }
      case "delete":
        return await this.#delete(command, changes);
      case "forget": {
        const metric = this.#metrics[command.metric]!;
        changes.push({ metric, registered: false });
        for (const time of metric.points.keys()) changes.push({ metric, time });
        return await this.#series.delete({ metric: this.#ref(metric, "handle") });
      }
      case "flush":
        return await this.#series.flush();
      default:
        return await this.#series.compact();
    }
  }

  /** The changes of written points, and the result that a call should have. */
  #written(
    changes: Change[],
    points: readonly { metric: ModelMetric; time: number; value: number | bigint }[],
  ): Omit<WriteResult, "late"> {
    const isRefused = ({ metric, time }: (typeof points)[number]) =>
      time < this.#oldest(metric) || time > this.#now + this.#config.maxAhead;
    const firstRefused = points.findIndex(isRefused);
    const all = points.filter((point) => !isRefused(point));
    const accepted = all.length;
    for (const { metric } of points) changes.push({ metric, registered: accepted === 0 ? "loosely" : true });
    changes.push(...all);
    const refused = points.length - accepted;
    return { accepted, refused, ...(firstRefused >= 0 && { firstRefused }) };
  }

  async #scrape(command: WriteCommand & { do: "scrape" }, changes: Change[]): Promise<void> {
    const { type } = this.#metrics[command.metrics[0]!]!;
    const points = command.metrics
      .map((number, i) => ({ metric: this.#metrics[number]!, value: command.values[i]! }))
      .filter(({ metric }) => metric.type === type)
      .map(({ metric, value }) => ({ metric, value: valueFor(metric, value), time: this.#time(command.at) }));
    const isLeftOut = (value: number | bigint) => command.skipNaN && typeof value === "number" && Number.isNaN(value);
    const written = points.filter(({ value }) => !isLeftOut(value));
    const { firstRefused, ...counts } = this.#written(changes, written);
    // The index is that of the caller's array.
    const expected = {
      ...counts,
      ...(firstRefused !== undefined && { firstRefused: points.indexOf(written[firstRefused]!) }),
    };
    for (const { metric } of points) changes.push({ metric, registered: true });
    const key = points.map(({ metric }) => metric.number).join();
    const refs = points.map(({ metric }) => this.#ref(metric, "object"));
    // The store may be abandoned during the write.
    const [series, sets] = [this.#series, this.#sets];
    const set = sets.get(key) ?? (await series.metricSet(refs));
    sets.set(key, set);
    const values = arrayOf(
      points[0]!.metric,
      points.map(({ value }) => value),
    );
    const time = points[0]!.time / this.#unit;
    const result = series.writeScrape(time, set, values, { skipNaN: command.skipNaN });
    new Uint8Array(values.buffer).fill(0x55);
    checkResult(await result, expected);
  }

  async #delete({ metric: number, from, to }: WriteCommand & { do: "delete" }, changes: Change[]): Promise<void> {
    const metric = this.#metrics[number]!;
    const start = from && this.#time(from);
    const end = to && this.#time(to);
    for (const { time } of metric.range(start ?? 0, end ?? Number.POSITIVE_INFINITY)) changes.push({ metric, time });
    const isRefused = [start, end].some((edge) => edge !== undefined && this.#isInKeptWindow(metric, edge));
    try {
      await this.#series.delete({
        metric: this.#ref(metric, "handle"),
        ...(start !== undefined && { from: start / this.#unit }),
        ...(end !== undefined && { to: end / this.#unit }),
      });
    } catch (error) {
      if (!isRefused || (error as { code?: unknown }).code !== "ERR_INVALID_ARGUMENT") throw error;
      changes.length = 0;
    }
  }

  /** True if a time may be within a window whose points are beyond retention: its parts cannot be deleted. */
  #isInKeptWindow(metric: ModelMetric, time: number): boolean {
    const { summarize = [] } = this.#config;
    return summarize.some(({ window }) => time % window !== 0 && time - (time % window) < this.#oldest(metric));
  }

  #apply(changes: readonly Change[]): void {
    for (const { metric, registered, time, value } of changes) {
      if (registered === "loosely") metric.registerLoosely();
      else if (registered !== undefined) metric.register(registered);
      if (time !== undefined) metric.set(time, value);
    }
  }

  #mayApply(changes: readonly Change[]): void {
    for (const { metric, registered, time, value } of changes) {
      if (registered !== undefined) metric.mayRegister(registered !== false);
      if (time !== undefined) metric.maySet(time, value);
    }
  }

  async #register(metric: ModelMetric): Promise<void> {
    const handle = await this.#series.metric(metric.ref(true));
    deepEqual({ ...handle.tags }, metric.tags);
    this.#handles[metric.number] = handle;
    metric.register(true);
  }

  // Crashes.

  async #burst({ commands, turns, end }: Extract<Command, { do: "burst" }>): Promise<void> {
    const begun = commands.map((command) => this.#begin(command));
    for (const { done } of begun) done.catch(() => undefined);
    for (let i = 0; i < turns; i++) await nextTurn();
    if (end === "kill" && this.#backend.keeps) return await this.#kill(begun, false);
    if (end === "powerLoss" && this.#backend.losesPower) return await this.#losePower(begun);
    if (end === "close" && this.#backend.keeps) return await this.#reopen(begun);
    for (const { done, changes } of begun) {
      await done;
      this.#apply(changes);
    }
  }

  async #reopen(begun: readonly Begun[] = []): Promise<void> {
    if (!this.#backend.keeps) return;
    await this.#series.close();
    for (const { changes, done } of begun) {
      try {
        await done;
        this.#apply(changes);
      } catch (error) {
        if ((error as { code?: unknown }).code !== "ERR_CLOSED") throw error;
        this.#mayApply(changes);
      }
    }
    await this.#open();
    await this.#adopt(false);
  }

  async #kill(begun: readonly Begun[], readOnly: boolean): Promise<void> {
    if (!this.#backend.keeps) return;
    this.#settle(begun);
    const next = await this.#backend.kill();
    this.#abandon(begun);
    this.#backend = next;
    if (readOnly) {
      await this.#open({ readOnly: true });
      await this.#adopt(false);
      await this.#series.close();
    }
    await this.#open();
    await this.#adopt(false);
  }

  async #losePower(begun: readonly Begun[]): Promise<void> {
    if (!this.#backend.losesPower) return;
    this.#settle(begun);
    const next = this.#backend.powerLoss(() => this.#random(2 ** 20) / 2 ** 20);
    this.#abandon(begun);
    this.#backend = next;
    await this.#open();
    await this.#adopt(this.#config.durability === "batch");
  }

  /** Calls that were answered have been made; others may have been. */
  #settle(begun: readonly Begun[]): void {
    for (const { changes, isDone } of begun) {
      if (isDone) this.#apply(changes);
      else this.#mayApply(changes);
    }
  }

  #abandon(begun: readonly Begun[]): void {
    const series = this.#series;
    this.#rests.push(Promise.allSettled([...begun.map(({ done }) => done), series.close()]));
  }

  // Reading.

  #expected(metric: ModelMetric, from = 0, to = Number.POSITIVE_INFINITY): ModelPoint[] {
    return metric.range(Math.max(from, this.#oldest(metric)), to);
  }

  async #points(series: Series, metric: ModelMetric): Promise<ModelPoint[]> {
    // Nothing is later; and a store that was just opened asks for each minute.
    const to = Math.ceil((this.#now + 31 * HOUR) / this.#unit);
    const rows = await series.query({ metric: metric.ref(true), to }).toArray();
    return rows.map(({ timestamp, value }) => ({ time: timestamp * this.#unit, value }));
  }

  /** All points and metrics are right. */
  async #verify(series = this.#series): Promise<void> {
    for (const metric of this.#metrics) {
      comparePoints(await this.#points(series, metric), this.#expected(metric), `metric ${metric.number}`);
    }
    await this.#listMetrics({}, series);
  }

  /** Takes over what a crash has left, if it is right. */
  async #adopt(isPowerLost: boolean): Promise<void> {
    const registered = new Set<string>();
    for await (const { name, tags } of this.#series.metrics()) registered.add(keyOf(name, tags));
    for (const metric of this.#metrics) {
      const points = await this.#points(this.#series, metric);
      const isRegistered = registered.has(keyOf(metric.name, metric.tags));
      metric.adopt(isRegistered, points, isPowerLost, (time) => time < this.#oldest(metric));
    }
  }

  /** The queries that are made for one: with kept summaries a second one, which they may answer. */
  #asked(ask: Asked): readonly Asked[] {
    const isKept = this.#config.summarize !== undefined && ask.window !== undefined;
    return isKept ? [ask, { ...ask, isKept, origin: 0 }] : [ask];
  }

  async #query(metric: ModelMetric, ask: Asked): Promise<void> {
    for (const one of this.#asked(ask)) await this.#queryOnce(metric, one);
  }

  async #queryOnce(metric: ModelMetric, ask: Asked): Promise<void> {
    const rows = this.#series.query({ metric: this.#ref(metric, "handle"), ...this.#request(ask) } as never);
    await this.#compare(metric, ask, rows);
  }

  /** The options of a query. */
  #request(ask: Asked): object {
    const { reverse, limit, window, origin, fill } = ask;
    const { from, to } = this.#rangeOf(ask);
    return {
      ...(from !== undefined && { from: from / this.#unit }),
      ...(to !== undefined && { to: to / this.#unit }),
      ...(reverse !== undefined && { reverse }),
      ...(limit !== undefined && { limit }),
      ...(window !== undefined && { window, origin, fill, aggregate: ask.isKept ? KEPT : AGGREGATES }),
    };
  }

  /** The range of a query, in milliseconds. */
  #rangeOf({ from, to, isKept }: Asked): { from: number | undefined; to: number | undefined } {
    const longest = Math.max(...(this.#config.summarize ?? []).map(({ window }) => window));
    const timeOf = (when: When | undefined) => {
      const time = when && this.#time(when);
      return time === undefined || !isKept ? time : time - (time % longest);
    };
    return { from: timeOf(from), to: timeOf(to) };
  }

  /** The first time whose points a query has. Summaries that it can use have points beyond retention, too. */
  #first(metric: ModelMetric, { window, isKept }: Asked): number {
    const oldest = this.#oldest(metric);
    if (!isKept) return oldest;
    const { summarize = [] } = this.#config;
    const usable = summarize.filter((kept) => window! % kept.window === 0);
    return Math.min(oldest, ...usable.map((kept) => Math.ceil((this.#now - kept.keep) / kept.window) * kept.window));
  }

  async #compare(metric: ModelMetric, ask: Asked, rows: { toArray(): Promise<unknown[]> }): Promise<void> {
    const what = `metric ${metric.number} for ${JSON.stringify(ask)}`;
    const { from, to } = this.#rangeOf(ask);
    const actual = await rows.toArray();
    const first = this.#first(metric, ask);
    for (const time of metric.unsure) if (time >= first && time < this.#oldest(metric)) return;
    const points = metric.range(Math.max(from ?? 0, first), to ?? Number.POSITIVE_INFINITY);
    if (ask.window !== undefined) {
      const before = this.#expected(metric, 0, from ?? 0).findLast(({ value }) => !Number.isNaN(value))?.value;
      // A metric that is not there is one of floats.
      const isInt64 = metric.isRegistered && metric.type === "int64";
      const { window, origin = 0, fill = "none", reverse = false, limit = Number.POSITIVE_INFINITY } = ask;
      const unitMs = this.#unit as 1 | 1000;
      const choice = { window, origin, fill, reverse, limit, aggregate: ask.isKept ? KEPT : AGGREGATES };
      const test = { ...choice, from, to, before, points, isInt64, unitMs };
      return expectRows(actual as WindowRow[], naive(test), points, what);
    }
    if (ask.reverse) points.reverse();
    const expected = points.slice(0, ask.limit);
    const read = (actual as { timestamp: number; value: number | bigint }[]).map(({ timestamp, value }) => ({
      time: timestamp * this.#unit,
      value,
    }));
    comparePoints(read, expected, what);
  }

  async #last(metric: ModelMetric): Promise<void> {
    const point = await this.#series.last(this.#ref(metric, "object"));
    const actual = point === undefined ? [] : [{ time: point.timestamp * this.#unit, value: point.value }];
    comparePoints(actual, this.#expected(metric).slice(-1), `last of metric ${metric.number}`);
  }

  /** Registered metrics that match. */
  #matching(wanted: Wanted): ModelMetric[] {
    const all = this.#metrics.filter(({ isRegistered }) => isRegistered);
    const matched = matching(
      all.map(({ number: id, name, tags }) => ({ id, name, tags })),
      matchOf(wanted),
    );
    return matched.map(({ id }) => this.#metrics[id]!);
  }

  async #select(wanted: Wanted, ask: Asked): Promise<void> {
    for (const one of this.#asked(ask)) await this.#selectOnce(wanted, one);
  }

  async #selectOnce(wanted: Wanted, ask: Asked): Promise<void> {
    const found: string[] = [];
    let last = -1;
    const selection = { ...matchOf(wanted), ...this.#request(ask) };
    for await (const { metric, points } of this.#series.select(selection)) {
      if (metric.id <= last) throw new Error(`metric ${metric.id} after ${last}`);
      last = metric.id;
      const key = keyOf(metric.name, metric.tags);
      found.push(key);
      const one = this.#metrics.find(({ name, tags }) => keyOf(name, tags) === key)!;
      await this.#compare(one, ask, points);
    }
    const expected = this.#matching(wanted).map(({ name, tags }) => keyOf(name, tags));
    deepEqual(found.sort(), expected.sort(), "select");
    await compareBatches(this.#series, selection);
  }

  async #listMetrics(wanted: Wanted, series = this.#series): Promise<void> {
    const found: string[] = [];
    let last = -1;
    for await (const { id, name, tags } of series.metrics(matchOf(wanted))) {
      if (id <= last) throw new Error(`metric ${id} after ${last}`);
      last = id;
      found.push(keyOf(name, tags));
    }
    const expected = this.#matching(wanted).map(({ name, tags }) => keyOf(name, tags));
    deepEqual(found.sort(), expected.sort(), "metrics");
  }

  async #tagValues(wanted: Wanted | undefined): Promise<void> {
    for (const key of ["host", "zone"]) {
      const found = await this.#series.tagValues(key, wanted && matchOf(wanted));
      const metrics = this.#matching(wanted ?? {});
      const values = metrics.flatMap(({ tags }) => (tags[key] === undefined ? [] : [tags[key]]));
      deepEqual(found, [...new Set(values)].sort(), `values of ${key}`);
    }
  }

  async #backup(): Promise<void> {
    if (!this.#backend.keeps) return;
    const path = join(this.#folder, `backup${++this.#backups}`);
    await this.#series.backup(path);
    const copy = await this.#backend.openBackup(path, this.#options);
    try {
      await this.#verify(copy);
    } finally {
      await copy.close();
    }
  }
}

function keyOf(name: string, tags: Readonly<Record<string, string>>): string {
  return JSON.stringify([name, Object.entries(tags).sort()]);
}

function arrayOf(metric: ModelMetric, values: readonly (number | bigint)[]): Float64Array | BigInt64Array {
  return metric.type === "float"
    ? Float64Array.from(values as readonly number[])
    : BigInt64Array.from(values as readonly bigint[]);
}

function checkResult({ late, ...result }: WriteResult, expected: Omit<WriteResult, "late">): void {
  deepEqual(result, expected);
  if (late < 0 || late > result.accepted) throw new Error(`${late} of ${result.accepted} points are late`);
}

function comparePoints(actual: readonly ModelPoint[], expected: readonly ModelPoint[], what: string): void {
  for (let i = 0; i < Math.max(actual.length, expected.length); i++) {
    const [a, e] = [actual[i], expected[i]];
    if (a?.time === e?.time && Object.is(a?.value, e?.value)) continue;
    const text = (one: ModelPoint | undefined) => (one ? `${one.time}: ${String(one.value)}` : "nothing");
    throw new Error(
      `${what}: point ${i} of ${actual.length} is ${text(a)} instead of ${text(e)} (${expected.length} expected; hour ${Math.floor((e ?? a)!.time / HOUR)})`,
    );
  }
}
