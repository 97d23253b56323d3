/** Targets: objects or functions that can be loaded. */
import { refuseSimilar } from "moonpack/bytes";
import type { Scenario } from "./options/options.js";

/** The settings of a run, for a target's `setup`. */
export interface Context {
  /** The number of keys: operations have keys from 0 to `keys - 1`. */
  readonly keys: number;
  /** Maximum number of operations in flight. */
  readonly concurrency: number;
  /** Milliseconds after which an operation counts as an error. It is then not awaited any more. */
  readonly timeout: number;
  /** Returns the value of a key. `set` is called with it, so `get` and `check` can expect it. */
  value(key: number): unknown;
  /** Aborts when the run is interrupted. */
  readonly signal: AbortSignal;
}

/**
 * An object that is loaded. It must have the functions that the scenario needs: `get`, `set` or both.
 *
 * @example
 * const target: Target = { name: "map", get: (key) => map.get(String(key)) };
 */
export interface Target {
  /** The name in reports, different for each target. */
  readonly name: string;
  /** Connects and fills keys. Called once before the warm-up; never timed. */
  setup?(context: Context): Promise<void>;
  /** Executes a read of a key. An operation that rejects is an error. */
  get?(key: number): Promise<unknown>;
  /** Executes a write of a value to a key. An operation that rejects is an error. */
  set?(key: number, value: unknown): Promise<unknown>;
  /** Returns false if `result` is wrong for the key. Called for one `get` in 1,000. Must be synchronous. */
  check?(key: number, result: unknown): boolean;
  /** False if no operation depends on its key, as for a fixed URL: results then have no keys. Default true. */
  readonly usesKeys?: boolean;
  /** Which operations use values: `"set"` or none (false). Results of other operations have no payload. Default true: all. */
  readonly usesValues?: boolean | "set";
  /** The names of the operations in reports, such as the methods of HTTP. Default: `get` and `set`. */
  readonly operationNames?: OperationNames;
  /** Releases the resources of `setup`. Always called, also after an error. After an interruption it has 2 s. */
  close?(): Promise<void>;
}

/** The names of the operations of a target in reports. */
export interface OperationNames {
  readonly get: string;
  readonly set: string;
}

/** A function that is loaded. It is called with the number of the operation: 0, 1, 2 and so on in each round. */
export type Operation = (n: number) => Promise<unknown>;

/** A target made from a function: its keys are the numbers of operations. */
export interface NumberedTarget extends Target {
  readonly isNumbered: true;
}

/** The names of the functions of {@link Target}. */
const FUNCTIONS = ["setup", "get", "set", "check", "close"];

/**
 * Returns a target; functions are wrapped. `name` is the name of an anonymous function. Throws `ERR_INVALID_ARGUMENT` for a function of
 * the target whose name is similar to one of a target's: other properties may be the target's state.
 */
export function asTarget(target: Target | Operation, name: string): Target | NumberedTarget {
  if (typeof target !== "function") {
    const functions = Object.entries(target ?? {}).filter(([, member]) => typeof member === "function");
    refuseSimilar(Object.fromEntries(functions), FUNCTIONS, "function of a target");
    return target;
  }
  return { name: target.name === "" ? name : target.name, get: target, isNumbered: true } as NumberedTarget;
}

/** True for a target made from a function. */
export function isNumbered(target: Target): target is NumberedTarget {
  return Object.hasOwn(target, "isNumbered");
}

/** Returns what the operations of a scenario use. */
export function usesOf(target: Target, scenario: Scenario): { readonly hasKeys: boolean; readonly hasValues: boolean } {
  if (isNumbered(target)) return { hasKeys: false, hasValues: false };
  const { usesKeys = true, usesValues = true } = target;
  return { hasKeys: usesKeys, hasValues: usesValues === "set" ? scenario !== "get" : usesValues };
}
