/** Reading an hour of a metric: 60 pages through the driver, and 1,200 keys of a point each. */
import { hazelcast } from "@moonpack/hazelcast/series";
import { type MetricHandle, openSeries, type Series } from "@moonpack/series";
import type { Client, IMap } from "hazelcast-client";
import { median } from "simple-statistics";
import { Random } from "../../../workloads/random.js";
import { checkPoints, readRange } from "../../series/check.js";
import { drive } from "../../series/drive.js";
import { MINUTE, NodeSets, SimulatedClock, TICKS_A_MINUTE, TICKS_AN_HOUR, timeOf } from "../../series/load.js";
import { findKind, uniformValue } from "../../series/values.js";
import type { Place } from "../cluster.js";
import { destroyMaps, pointKey, withClient } from "./store.js";

/** The points to read. */
export interface SeriesReadJob {
  readonly kind: "series-read";
  readonly place: Place;
  readonly metrics: number;
  readonly reads: number;
  readonly rounds: number;
}

/** Of each round: points a second with several reads in flight, and the median milliseconds of one read alone. */
export interface SeriesReadResult {
  readonly points: Readonly<Record<"series" | "keys", readonly number[]>>;
  readonly hour: Readonly<Record<"series" | "keys", readonly number[]>>;
  readonly minute: Readonly<Record<"series" | "keys", readonly number[]>>;
  /** Calls of maps for an hour, and for a minute: the most that any read took. */
  readonly calls: { readonly hour: number; readonly minute: number };
}

const IN_FLIGHT = 8;
/** Metrics whose points are a key each. */
const KEY_METRICS = 16;
const NAME = "bench-read";
const KEYS = "bench-read-keys";

/** Reads `ticks` ticks of a metric, and checks them. */
type Read = (metric: number, from: number, ticks: number) => Promise<unknown>;

/** Writes an hour, opens the store anew and reads. */
export async function seriesRead(job: SeriesReadJob): Promise<SeriesReadResult> {
  return await withClient(job.place, async (client, path) => {
    const clock = new SimulatedClock();
    const counter = { calls: 0 };
    const options = {
      path,
      driver: hazelcast(counted(client, counter), { name: NAME }),
      now: clock.now,
      rollupAfter: false,
    } as const;
    {
      await using series = await openSeries(options);
      await writeHour(await NodeSets.register(series, job.metrics), clock, job.metrics);
      await series.flush();
    }
    const keys = await client.getMap<string, number>(KEYS);
    await writeKeys(keys);
    const series = await openSeries(options);
    try {
      const handles = (await NodeSets.register(series, job.metrics)).sets.flatMap((set) => set.metrics);
      // Finds which pages there are: until then reads ask for more than there is.
      await series.compact();
      await checkPoints(series, handles[0]!, 0, 0, TICKS_AN_HOUR);
      return await readAll(series, handles, keys, job, counter);
    } finally {
      await series.close();
      await destroyMaps(client, NAME);
    }
  });
}

async function readAll(
  series: Series,
  handles: readonly MetricHandle[],
  keys: IMap<string, number>,
  { reads, rounds }: SeriesReadJob,
  counter: { calls: number },
): Promise<SeriesReadResult> {
  const ways: Readonly<Record<"series" | "keys", Read>> = {
    series: (metric, from, ticks) => readRange(series, handles[metric]!, metric, from, from + ticks),
    keys: (metric, from, ticks) => readKeys(keys, metric % KEY_METRICS, from, ticks),
  };
  const result = {
    points: { series: [] as number[], keys: [] as number[] },
    hour: { series: [] as number[], keys: [] as number[] },
    minute: { series: [] as number[], keys: [] as number[] },
    calls: { hour: 0, minute: 0 },
  };
  const random = new Random(1);
  const metric = () => random.integer(0, handles.length - 1);
  const minute = () => random.integer(0, TICKS_AN_HOUR / TICKS_A_MINUTE - 1) * TICKS_A_MINUTE;
  // The first round is warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const id of random.shuffle(["series", "keys"] as const)) {
      const read = ways[id];
      const milliseconds = await drive(IN_FLIGHT, reads, () => read(metric(), 0, TICKS_AN_HOUR));
      const hours = await alone(reads, () => read(metric(), 0, TICKS_AN_HOUR), counter);
      const minutes = await alone(reads, () => read(metric(), minute(), TICKS_A_MINUTE), counter);
      if (id === "series") {
        result.calls.hour = Math.max(result.calls.hour, hours.calls);
        result.calls.minute = Math.max(result.calls.minute, minutes.calls);
      }
      if (round === 0) continue;
      result.points[id].push((reads * TICKS_AN_HOUR * 1000) / milliseconds);
      result.hour[id].push(hours.milliseconds);
      result.minute[id].push(minutes.milliseconds);
    }
  }
  return result;
}

/** One read after the other: the median of their milliseconds, and the most calls of maps that one took. */
async function alone(reads: number, read: () => Promise<unknown>, counter: { calls: number }) {
  const times: number[] = [];
  let calls = 0;
  for (let i = 0; i < reads; i++) {
    counter.calls = 0;
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
    calls = Math.max(calls, counter.calls);
  }
  return { milliseconds: median(times), calls };
}

async function writeHour(nodes: NodeSets, clock: SimulatedClock, metrics: number): Promise<void> {
  const fill = findKind("uniform").start(metrics);
  const values = new Float64Array(metrics);
  for (let tick = 0; tick < TICKS_AN_HOUR; tick++) {
    clock.time = timeOf(tick);
    fill(tick, values);
    await nodes.write(clock.time, values);
  }
  clock.time = timeOf(TICKS_AN_HOUR) + MINUTE;
}

async function writeKeys(map: IMap<string, number>): Promise<void> {
  for (let metric = 0; metric < KEY_METRICS; metric++)
    await map.setAll(
      Array.from({ length: TICKS_AN_HOUR }, (_, tick): [string, number] => [
        pointKey(metric, timeOf(tick)),
        uniformValue(metric, tick),
      ]),
    );
}

async function readKeys(map: IMap<string, number>, metric: number, from: number, ticks: number): Promise<void> {
  const keys = Array.from({ length: ticks }, (_, i) => pointKey(metric, timeOf(from + i)));
  const found = new Map(await map.getAll(keys));
  const last = found.get(keys.at(-1)!);
  if (found.size !== ticks || last !== uniformValue(metric, from + ticks - 1))
    throw new Error(`metric ${metric} has other keys`);
}

/** A client that counts the calls of its maps. */
function counted(client: Client, counter: { calls: number }): Client {
  const getMap = async (name: string) => {
    const map = await client.getMap(name);
    return withCalls(map, (call) => {
      counter.calls++;
      return call();
    });
  };
  return new Proxy(client, {
    get(target, name) {
      if (name === "getMap") return getMap;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function withCalls<T extends object>(object: T, call: (run: () => unknown) => unknown): T {
  return new Proxy(object, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => call(() => Reflect.apply(member, target, args));
    },
  });
}
