/** The article's load, written through the driver, and as a key a point. All ways in turns, each round in another order. */
import { join } from "node:path";
import { hazelcast } from "@moonpack/hazelcast/series";
import { openSeries } from "@moonpack/series";
import type { Client } from "hazelcast-client";
import { Random } from "../../../workloads/random.js";
import { checkSome } from "../../series/check.js";
import { drive } from "../../series/drive.js";
import { NODES, NodeSets, SimulatedClock, TICKS_A_MINUTE, timeOf } from "../../series/load.js";
import { findKind, uniformValue } from "../../series/values.js";
import type { Place } from "../cluster.js";
import { destroyMaps, pointKey, withClient } from "./store.js";

/** The points to write. */
export interface SeriesWriteJob {
  readonly kind: "series-write";
  readonly place: Place;
  readonly rounds: number;
  readonly metrics: number;
  readonly minutes: number;
  /** Points of a round that are a key each: by `set`, and by `setAll`. */
  readonly keyPoints: number;
  readonly keysPoints: number;
}

/** Points a second, round by round. */
export type SeriesWriteResult = Readonly<Record<WriteWay, readonly number[]>>;
type WriteWay = "series" | "new" | "set" | "setAll";

/** `new`: series whose metrics are new to the cluster, too. */
const WAYS: readonly WriteWay[] = ["series", "set", "new", "setAll"];
const IN_FLIGHT = 64;
/** Metrics, or points, that are read back. */
const CHECKED = 50;

/** Writes, then reads some of it back. */
export async function seriesWrite(job: SeriesWriteJob): Promise<SeriesWriteResult> {
  return await withClient(job.place, async (client, folder) => {
    const rates: Record<WriteWay, number[]> = { series: [], new: [], set: [], setAll: [] };
    const orders = new Random(1);
    // The first round is warm-up.
    for (let round = 0; round <= job.rounds; round++) {
      for (const way of orders.shuffle(WAYS)) {
        const name = `bench-${way}-${round}`;
        const rate =
          way === "series" || way === "new"
            ? await writeSeries(client, name, join(folder, name), way === "new", job)
            : await writeKeys(client, name, way, job);
        await destroyMaps(client, name);
        if (round > 0) rates[way].push(rate);
      }
    }
    return rates;
  });
}

async function writeSeries(
  client: Client,
  name: string,
  path: string,
  isNew: boolean,
  { metrics, minutes }: SeriesWriteJob,
): Promise<number> {
  const clock = new SimulatedClock();
  await using series = await openSeries({ path, driver: hazelcast(client, { name }), now: clock.now });
  const nodes = await NodeSets.register(series, metrics);
  if (!isNew) await series.flush();
  const fill = findKind("uniform").start(metrics);
  const values = new Float64Array(metrics);
  const ticks = minutes * TICKS_A_MINUTE;
  const start = performance.now();
  for (let tick = 0; tick < ticks; tick++) {
    clock.time = timeOf(tick);
    fill(tick, values);
    await nodes.write(clock.time, values);
  }
  // Until here points are in the log of this machine; now they are on the cluster.
  await series.flush();
  const seconds = (performance.now() - start) / 1000;
  const { points } = await series.stats();
  if (points !== metrics * ticks) throw new Error(`${points} points were accepted instead of ${metrics * ticks}`);
  const handles = nodes.sets.flatMap((set) => set.metrics);
  await checkSome(series, handles, ticks, Math.min(CHECKED, metrics));
  return points / seconds;
}

async function writeKeys(client: Client, name: string, way: "set" | "setAll", job: SeriesWriteJob): Promise<number> {
  const { metrics } = job;
  const map = await client.getMap<string, number>(name);
  const pointOf = (n: number): [key: string, value: number] => {
    const [metric, tick] = [n % metrics, Math.floor(n / metrics)];
    return [pointKey(metric, timeOf(tick)), uniformValue(metric, tick)];
  };
  const points = way === "set" ? job.keyPoints : job.keysPoints;
  // `setAll` writes the points of one report of a node.
  const each = way === "set" ? 1 : metrics / NODES;
  const calls = Math.ceil(points / each);
  const milliseconds =
    way === "set"
      ? await drive(IN_FLIGHT, calls, (n) => map.set(...pointOf(n)))
      : await drive(NODES, calls, (n) => map.setAll(Array.from({ length: each }, (_, i) => pointOf(n * each + i))));
  const some = Array.from({ length: CHECKED }, (_, i) => pointOf(Math.floor((i * points) / CHECKED)));
  const read = new Map(await map.getAll(some.map(([key]) => key)));
  if (!some.every(([key, value]) => read.get(key) === value)) throw new Error(`${way} has other points`);
  return ((calls * each) / milliseconds) * 1000;
}
