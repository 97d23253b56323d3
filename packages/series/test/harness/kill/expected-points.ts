/** The expected content of a store after its writer was killed: for each point the possible values. */
import type { MetricRef, Series } from "../../../src/api.ts";
import { CLIENTS, METRICS, metricOf, operationOf } from "../../programs/operations.mjs";

/** A value, or undefined for a missing point. */
type State = number | undefined;

/** The points of all clients, with all their states that are right. */
export class ExpectedPoints {
  /** The next operation of each client. */
  readonly next = new Array<number>(CLIENTS).fill(0);
  /** By client and metric: states by time. */
  readonly #points = Array.from({ length: CLIENTS }, () =>
    Array.from({ length: METRICS }, () => new Map<number, Set<State>>()),
  );

  /** The process was killed when this was the last operation that each client had acknowledged. */
  killed(done: readonly number[]): void {
    for (let client = 0; client < CLIENTS; client++) {
      for (; this.next[client]! <= done[client]!; this.next[client]!++) this.#apply(client, this.next[client]!, true);
      // The next one may have begun.
      this.#apply(client, this.next[client]!, false);
      this.next[client]!++;
    }
  }

  #apply(client: number, number: number, isCertain: boolean): void {
    const operation = operationOf(client, number);
    const set = (metric: number, time: number, state: State) => {
      const points = this.#points[client]![metric]!;
      if (isCertain) points.set(time, new Set([state]));
      else points.set(time, (points.get(time) ?? new Set([undefined])).add(state));
    };
    if ("points" in operation) for (const { metric, time, value } of operation.points) set(metric, time, value);
    else if ("metric" in operation) {
      const { metric } = operation;
      const [from, to] = operation.kind === "delete" ? [operation.from, operation.to] : [0, Number.POSITIVE_INFINITY];
      for (const time of this.#points[client]![metric]!.keys())
        if (time >= from && time < to) set(metric, time, undefined);
    }
  }

  /** Compares a store with all points, and takes over its states. Returns how many points it has. */
  async check(series: Series): Promise<number> {
    let total = 0;
    for (let client = 0; client < CLIENTS; client++)
      for (let metric = 0; metric < METRICS; metric++) {
        const points = this.#points[client]![metric]!;
        const read = new Map<number, number>();
        for await (const { timestamps, values, length } of series.query({ metric: metricOf(client, metric) }).batches())
          for (let i = 0; i < length; i++) read.set(timestamps[i]!, Number(values[i]!));
        total += read.size;
        await checkWindows(series, metricOf(client, metric), read);
        for (const time of new Set([...points.keys(), ...read.keys()])) {
          const right = points.get(time) ?? new Set([undefined]);
          const state = read.get(time);
          if (!right.has(state))
            throw new Error(
              `client ${client}, metric ${metric} at ${time} is ${state}, not ${[...right].join(" or ")}`,
            );
          if (state === undefined) points.delete(time);
          else points.set(time, new Set([state]));
        }
      }
    return total;
  }
}

const WINDOW = 10 * 60_000;

/** Compares windows, which a store with kept summaries reads from them, with the points of a metric. */
async function checkWindows(series: Series, metric: MetricRef, points: ReadonlyMap<number, number>): Promise<void> {
  const expected = new Map<number, { count: number; sum: number; max: number; last: number }>();
  for (const [time, value] of [...points].sort(([a], [b]) => a - b)) {
    const start = Math.floor(time / WINDOW) * WINDOW;
    const { count, sum, max } = expected.get(start) ?? { count: 0, sum: 0, max: value };
    expected.set(start, { count: count + 1, sum: sum + value, max: Math.max(max, value), last: value });
  }
  const rows = await series.query({ metric, window: WINDOW, aggregate: ["count", "sum", "max", "last"] }).toArray();
  const found = rows.map(({ start, count, sum, max, last }) => [start, count, Number(sum), Number(max), Number(last)]);
  const right = [...expected].map(([start, { count, sum, max, last }]) => [start, count, sum, max, last]);
  if (JSON.stringify(found) !== JSON.stringify(right))
    throw new Error(`windows of ${JSON.stringify(metric)} are ${JSON.stringify(found)}, not ${JSON.stringify(right)}`);
}
