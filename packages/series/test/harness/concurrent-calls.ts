/** Hundreds of calls at a time, while minutes are sealed, points merged and deletes applied: reads see every acknowledged point. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { SHARE } from "@moonpack/tools/share";
import { expect } from "vitest";
import type { MetricHandle, Series } from "../../src/index.ts";
import { randomFrom } from "../reference/vectors/random.ts";

const HOUR = 3_600_000;
/** Shortly before a week ends. */
export const START = 2801 * 168 * HOUR - HOUR;

const CLIENTS = 40;
const MOST_WRITES = Math.max(40, Math.floor(300 * SHARE));
/** Rounds that there are at least while points are written: one less, since the last part of them may come first. */
export const ROUNDS = SHARE < 1 ? 2 : 8;
/** Points of one metric lie this far apart: 20 hours in all, and rounds and roll-up are always due. */
const STEP = Math.floor((20 * HOUR) / 300);

/** A metric that is written by one client: value i at time i, in order, with some written again later. */
class Client {
  readonly handle: MetricHandle;
  /** Points that are acknowledged, and those that were begun. */
  acknowledged = 0;
  begun = 0;
  /** Points before this are deleted, or may be. */
  deleted = 0;
  mayBeDeleted = 0;

  constructor(handle: MetricHandle) {
    this.handle = handle;
  }
}

const timeOf = (i: number) => START + i * STEP;

/**
 * Values are the number of the point, plus a half when it was written again. All from `first` to `least` must be there. Those before
 * may have been deleted while they were read.
 */
function checkRead(values: readonly number[], first: number, least: number, most: number, what: string): void {
  let next = first;
  let last = -1;
  for (const value of values) {
    const i = Math.floor(value);
    if (i <= last || i >= most) throw new Error(`${what}: point ${i} after ${last}, of ${most}`);
    last = i;
    if (i < first) continue;
    if (i !== next && next < least) throw new Error(`${what}: point ${i} where ${next} is expected`);
    next = i + 1;
  }
  if (next < least) throw new Error(`${what}: points from ${next} to ${least} are missing`);
}

/** Runs hundreds of calls at a time, and checks each read. `clock` is the store's; `writes`: points of each client. */
export async function runConcurrently(
  series: Series,
  clock: { now: number },
  seed: number,
  writes = MOST_WRITES,
): Promise<{ reads: number }> {
  const random = randomFrom(seed);
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, i) => {
      return new Client(await series.metric({ name: "m", tags: { client: String(i), half: i % 2 === 0 ? "a" : "b" } }));
    }),
  );
  let isWriting = true;
  let reads = 0;
  let rounds = 0;

  const write = async (client: Client, number: number) => {
    while (client.begun < writes) {
      for (let n = random(60); n > 0; n--) await nextTurn();
      // A round takes the database's time, however fast iterations of the event loop are.
      while (client.begun * ROUNDS > writes * (rounds + 1)) await nextTurn();
      const n = Math.min(1 + random(4), writes - client.begun);
      const from = client.begun;
      client.begun += n;
      clock.now = Math.max(clock.now, timeOf(client.begun));
      await series.write(
        Array.from({ length: n }, (_, i) => ({ metric: client.handle, timestamp: timeOf(from + i), value: from + i })),
      );
      client.acknowledged = client.begun;
      // Late: the minute is already in a page, perhaps in an hour page.
      if (random(4) === 0) {
        const i = client.deleted + random(client.acknowledged - client.deleted);
        await series.write([{ metric: client.handle, timestamp: timeOf(i), value: i + 0.5 }]);
        const [point] = await series.query({ metric: client.handle, from: timeOf(i), to: timeOf(i) + 1 }).toArray();
        if (point?.value !== i + 0.5)
          throw new Error(`client ${number}: point ${i} is ${point?.value} after it was written again`);
      }
      if (random(40) === 0) {
        client.mayBeDeleted = client.deleted + random(client.acknowledged - client.deleted);
        await series.delete({ metric: client.handle, to: timeOf(client.mayBeDeleted) });
        client.deleted = client.mayBeDeleted;
      }
    }
  };

  const read = async () => {
    while (isWriting) {
      const client = clients[random(CLIENTS)]!;
      const { acknowledged } = client;
      const metric = client.handle;
      reads++;
      const kind = random(5);
      if (kind < 2) {
        const points = await series.query({ metric, reverse: kind === 1 }).toArray();
        if (kind === 1) points.reverse();
        checkRead(
          points.map(({ value }) => Number(value)),
          client.mayBeDeleted,
          acknowledged,
          client.begun,
          `client ${metric.id}`,
        );
      } else if (kind === 2) {
        let count = 0;
        for (const row of await series.query({ metric, window: "1h", aggregate: ["count"] }).toArray())
          count += Number(row.count);
        if (count < acknowledged - client.mayBeDeleted || count > client.begun)
          throw new Error(`client ${metric.id}: windows count ${count}`);
      } else if (kind === 3) {
        const point = await series.last(metric);
        const i = Math.floor(Number(point?.value ?? -1));
        if (acknowledged > client.mayBeDeleted && (i < acknowledged - 1 || i >= client.begun))
          throw new Error(`client ${metric.id}: the last point is ${i} of ${acknowledged}`);
      } else {
        const before = clients.map((one) => one.acknowledged);
        let found = 0;
        for await (const { metric: one, points } of series.select({ tags: { half: "a" } })) {
          found++;
          const list = await points.toArray();
          const other = clients[one.id]!;
          checkRead(
            list.map(({ value }) => Number(value)),
            other.mayBeDeleted,
            before[one.id]!,
            other.begun,
            `selected ${one.id}`,
          );
        }
        if (found !== CLIENTS / 2) throw new Error(`${found} metrics are selected`);
      }
      await nextTurn();
    }
  };

  const maintain = async () => {
    while (isWriting) {
      for (let i = 0; i < 100; i++) await nextTurn();
      const call = random(3);
      if (call === 0) await series.compact();
      else if (call === 1) await series.flush();
      else await series.check();
      ({ rounds } = await series.stats());
    }
  };

  const writing = Promise.all(clients.map(write)).finally(() => {
    isWriting = false;
  });
  await Promise.all([writing, ...Array.from({ length: 60 }, read), maintain()]);
  for (const client of clients) {
    const values = (await series.query({ metric: client.handle }).toArray()).map(({ value }) => Number(value));
    checkRead(values, client.deleted, writes, writes, `client ${client.handle.id} at the end`);
    expect(values).toHaveLength(writes - client.deleted);
  }
  return { reads };
}
