/**
 * The expected content of a store, as plain Maps. After a crash during a call, a point has several possible states, until the
 * store has been looked at.
 */
import type { Match } from "../../../src/api.ts";
import type { Metric } from "../../../src/metric/metric.ts";
import { METRICS, type Wanted } from "./commands.ts";

/** The value of a point, or undefined where there is none. */
export type State = number | bigint | undefined;

/** A point that was read. */
export interface ModelPoint {
  /** Milliseconds. */
  readonly time: number;
  readonly value: number | bigint;
}

/** A text that is the same for equal states, also for NaN and -0. */
function textOf(state: State): string {
  if (typeof state === "bigint") return `${state}n`;
  return Object.is(state, -0) ? "-0" : String(state);
}

/** States that are right. */
class States {
  readonly #texts: Set<string>;

  constructor(...states: State[]) {
    this.#texts = new Set(states.map(textOf));
  }

  add(state: State): void {
    this.#texts.add(textOf(state));
  }

  has(state: State): boolean {
    return this.#texts.has(textOf(state));
  }

  toString(): string {
    return [...this.#texts].join(" or ");
  }
}

/** One metric. */
export class ModelMetric {
  readonly number: number;
  readonly type: "float" | "int64";
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  isRegistered = false;
  /** By time in milliseconds. */
  readonly points = new Map<number, number | bigint>();
  /** States since the last time at which all was on the medium. */
  #history = new Map<number, States>();
  readonly #registrations = new Set<boolean>([false]);
  /** States that calls without an answer may have brought about. */
  readonly #open = new Map<number, States>();
  readonly #openRegistrations = new Set<boolean>();
  /** Times beyond retention whose state is not known since a crash. */
  readonly unsure = new Set<number>();

  constructor(number: number) {
    this.number = number;
    this.type = number % 7 === 0 ? "int64" : "float";
    this.name = ["cpu", "mem", "disk"][number % 3]!;
    const host = `h${Math.floor(number / 3)}`;
    this.tags = number % 2 === 0 ? { host } : { zone: `z${number % 5}`, host };
  }

  /** As callers give it, with the order of the tags as one likes. */
  ref(isReversed: boolean): Metric {
    const entries = Object.entries(this.tags);
    const tags = Object.fromEntries(isReversed ? entries.reverse() : entries);
    return { name: this.name, tags, type: this.type };
  }

  register(isRegistered: boolean): void {
    this.isRegistered = isRegistered;
    this.#registrations.add(isRegistered);
    this.#openRegistrations.clear();
  }

  /** A call registered it, but promised nothing: none of its points was accepted. */
  registerLoosely(): void {
    if (this.isRegistered) return;
    this.register(true);
    this.#openRegistrations.add(false);
  }

  /** A call without an answer would have done this. */
  mayRegister(isRegistered: boolean): void {
    this.#openRegistrations.add(isRegistered);
    this.#registrations.add(isRegistered);
  }

  set(time: number, state: State): void {
    const history = this.#statesOf(this.#history, time);
    history.add(state);
    if (state === undefined) this.points.delete(time);
    else this.points.set(time, state);
  }

  /** A call without an answer would have set this. */
  maySet(time: number, state: State): void {
    this.#statesOf(this.#open, time).add(state);
    this.#statesOf(this.#history, time).add(state);
  }

  #statesOf(map: Map<number, States>, time: number): States {
    let states = map.get(time);
    if (states === undefined) {
      states = new States(this.points.get(time));
      map.set(time, states);
    }
    return states;
  }

  /** Everything is on the medium. */
  isSynced(): void {
    this.#history.clear();
    this.#registrations.clear();
    this.#registrations.add(this.isRegistered);
  }

  /** Takes over what the store holds. Throws if it is not right. `isPowerLost`: all states since the last sync are right. */
  adopt(
    isRegistered: boolean,
    points: readonly ModelPoint[],
    isPowerLost: boolean,
    isHidden: (time: number) => boolean,
  ): void {
    const may = isPowerLost ? this.#registrations : this.#openRegistrations;
    if (isRegistered !== this.isRegistered && !may.has(isRegistered))
      throw new Error(`metric ${this.number} is ${isRegistered ? "" : "not "}registered`);
    const observed = new Map(points.map(({ time, value }) => [time, value]));
    const states = isPowerLost ? this.#history : this.#open;
    for (const time of new Set([...observed.keys(), ...this.points.keys(), ...states.keys()])) {
      if (isHidden(time) && !observed.has(time)) {
        if (states.has(time) || may.size > 1 || isRegistered !== this.isRegistered) this.unsure.add(time);
        continue;
      }
      const right = states.get(time) ?? new States(this.points.get(time));
      const state = observed.get(time);
      if (!right.has(state))
        throw new Error(`metric ${this.number} at ${time} is ${textOf(state)} instead of ${right}`);
      if (state === undefined) this.points.delete(time);
      else this.points.set(time, state);
    }
    this.isRegistered = isRegistered;
    this.#open.clear();
    this.#openRegistrations.clear();
    this.isSynced();
  }

  /** Points by ascending time, from inclusive, to exclusive. */
  range(from: number, to: number): ModelPoint[] {
    return [...this.points]
      .filter(([time]) => time >= from && time < to)
      .sort(([a], [b]) => a - b)
      .map(([time, value]) => ({ time, value }));
  }
}

/** All metrics. */
export function modelMetrics(): ModelMetric[] {
  return Array.from({ length: METRICS }, (_, number) => new ModelMetric(number));
}

const NAMES: readonly NonNullable<Match["name"]>[] = [
  "cpu",
  ["cpu", "mem"],
  /c.*/,
  { prefix: "d" },
  { not: "cpu" },
  "none",
];
const HOSTS: readonly NonNullable<Match["name"]>[] = [
  "h0",
  ["h1", "h2", "h9"],
  /h[0-3]/,
  { prefix: "h" },
  { not: { prefix: "h1" } },
  "",
  { not: "h2" },
  /.*/,
];

/** The match that a command wants. */
export function matchOf({ name, host }: Wanted): Match {
  return {
    ...(name !== undefined && { name: NAMES[name]! }),
    ...(host !== undefined && { tags: { host: HOSTS[host]! } }),
  };
}

/** The value of a point: floats as they are, int64 of all sizes made of them. */
export function valueFor(metric: ModelMetric, value: number): number | bigint {
  if (metric.type === "float") return value;
  if (Number.isNaN(value)) return -1n;
  if (Math.abs(value) === 2 ** 53 - 1) return value > 0 ? 2n ** 63n - 1n : -(2n ** 63n);
  if (Math.abs(value) > 2 ** 62) return value > 0 ? 2n ** 60n : -(2n ** 60n);
  return BigInt(Math.trunc(value));
}
