/** Copied points of a call that waits for its metrics. Types, and all but the first metrics, are checked later, all else now. */
import type { MetricRef } from "../api.js";
import type { Registry } from "../registry/registry.js";
import { CallRefs } from "./call-refs.js";
import { checkNumber, milliseconds } from "./staging.js";

/** Points, in columns. */
export class DeferredPoints {
  readonly #unit: number;
  readonly refs: CallRefs;
  readonly times: number[] = [];
  readonly values: (number | bigint)[] = [];
  /** The index of each point in the caller's list. */
  readonly indices: number[] = [];

  constructor(registry: Registry, unit: number) {
    this.refs = new CallRefs(registry);
    this.#unit = unit;
  }

  get length(): number {
    return this.times.length;
  }

  /** Throws for an invalid metric, if it is one of the first, an invalid time, and a value that is not a number. */
  add(ref: MetricRef, timestamp: number, value: number | bigint, index: number): void {
    this.refs.add(ref);
    this.times.push(milliseconds(timestamp, this.#unit));
    checkNumber(value, ref);
    this.values.push(value);
    this.indices.push(index);
  }
}
