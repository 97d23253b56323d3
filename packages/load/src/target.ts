/** What can be loaded. */

/** What a target's `setup` gets to know of the run. */
export interface Context {
  /** Operations have keys from 0 to `keys - 1`. */
  readonly keys: number;
  /** Operations in flight at most. */
  readonly concurrency: number;
  /** Milliseconds after which an operation counts as an error. Nobody waits for it then. */
  readonly timeoutMs: number;
  /** The value of a key: what `set` is called with, so that `get` and `check` can expect it. */
  value(key: number): unknown;
  /** Aborted when the run is interrupted. */
  readonly signal: AbortSignal;
}

/**
 * What is loaded. `get`, `set` or both must be there, as the scenario needs them.
 *
 * @example
 * const target: Target = { name: "map", get: (key) => map.get(String(key)) };
 */
export interface Target {
  readonly name: string;
  /** Connects and fills keys. Called once before the warm-up; never timed. */
  setup?(context: Context): Promise<void>;
  get?(key: number): Promise<unknown>;
  set?(key: number, value: unknown): Promise<unknown>;
  /** False if `result` is not what `get` must return for the key. Called for one operation in 1,000. It cannot be asynchronous. */
  check?(key: number, result: unknown): boolean;
  /** Releases what `setup` made. Always called, also after an error. After an interruption it has 2 s. */
  close?(): Promise<void>;
}

/** A function as a target. It is called with the number of the operation: 0, 1, 2 and so on in each round. */
export type Operation = (n: number) => Promise<unknown>;

/** A function as a target: its keys are the numbers of operations. */
export interface NumberedTarget extends Target {
  readonly isNumbered: true;
}

/** The target that the caller means. `name` is for a function that has none. */
export function asTarget(target: Target | Operation, name: string): Target | NumberedTarget {
  if (typeof target !== "function") return target;
  return { name: target.name === "" ? name : target.name, get: target, isNumbered: true } as NumberedTarget;
}

/** True for a target made of a function. */
export function isNumbered(target: Target): target is NumberedTarget {
  return Object.hasOwn(target, "isNumbered");
}
