/** The expected content of a store after its writer was killed: for each point the possible values. */
import type { Series } from "../../../src/api.ts";
import { LANES, METRICS, metricOf, operationOf } from "../../programs/operations.mjs";

/** A value, or undefined for a missing point. */
type State = number | undefined;

/** The points of all lanes, with all their states that are right. */
export class Lanes {
  /** The next operation of each lane. */
  readonly next = new Array<number>(LANES).fill(0);
  /** By lane and metric: states by time. */
  readonly #points = Array.from({ length: LANES }, () =>
    Array.from({ length: METRICS }, () => new Map<number, Set<State>>()),
  );

  /** The process was killed when this was the last operation that each lane had acknowledged. */
  killed(done: readonly number[]): void {
    for (let lane = 0; lane < LANES; lane++) {
      for (; this.next[lane]! <= done[lane]!; this.next[lane]!++) this.#apply(lane, this.next[lane]!, true);
      // The next one may have begun.
      this.#apply(lane, this.next[lane]!, false);
      this.next[lane]!++;
    }
  }

  #apply(lane: number, number: number, isCertain: boolean): void {
    const operation = operationOf(lane, number);
    const set = (metric: number, time: number, state: State) => {
      const points = this.#points[lane]![metric]!;
      if (isCertain) points.set(time, new Set([state]));
      else points.set(time, (points.get(time) ?? new Set([undefined])).add(state));
    };
    if ("points" in operation) for (const { metric, time, value } of operation.points) set(metric, time, value);
    else if ("metric" in operation) {
      const { metric } = operation;
      const [from, to] = operation.kind === "delete" ? [operation.from, operation.to] : [0, Number.POSITIVE_INFINITY];
      for (const time of this.#points[lane]![metric]!.keys())
        if (time >= from && time < to) set(metric, time, undefined);
    }
  }

  /** Compares a store with all points, and takes over its states. Returns how many points it has. */
  async check(series: Series): Promise<number> {
    let total = 0;
    for (let lane = 0; lane < LANES; lane++)
      for (let metric = 0; metric < METRICS; metric++) {
        const points = this.#points[lane]![metric]!;
        const read = new Map<number, number>();
        for await (const { timestamps, values, length } of series.query({ metric: metricOf(lane, metric) }).batches())
          for (let i = 0; i < length; i++) read.set(timestamps[i]!, Number(values[i]!));
        total += read.size;
        for (const time of new Set([...points.keys(), ...read.keys()])) {
          const right = points.get(time) ?? new Set([undefined]);
          const state = read.get(time);
          if (!right.has(state))
            throw new Error(`lane ${lane}, metric ${metric} at ${time} is ${state}, not ${[...right].join(" or ")}`);
          if (state === undefined) points.delete(time);
          else points.set(time, new Set([state]));
        }
      }
    return total;
  }
}
