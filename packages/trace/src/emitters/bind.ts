/** Functions and emitters that are bound to the place where they are handed over. */
import { AsyncResource } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import { describe, invalidArgument } from "../errors.js";
import { bindTo } from "./binding.js";
import { RESOURCE } from "./wrapper.js";

type Call = (this: unknown, ...args: unknown[]) => unknown;

/**
 * A function that runs `fn` in the context of here, and with every other AsyncLocalStorage as it is here. `this`, the arguments,
 * the result and `length` are those of `fn`.
 *
 * @example
 * pool.acquire(bind((connection) => console.log(id())));
 */
export function bind<F extends (...args: never[]) => unknown>(fn: F): F {
  if (typeof fn !== "function") throw invalidArgument(`expected a function, not ${describe(fn)}`);
  const resource = new AsyncResource(RESOURCE);
  const bound = function (this: unknown, ...args: unknown[]): unknown {
    return resource.runInAsyncScope(fn as unknown as Call, this, ...args);
  };
  if (fn.length !== 0) Object.defineProperty(bound, "length", { value: fn.length, configurable: true });
  return bound as unknown as F;
}

/**
 * Makes the listeners of an emitter that requests share run where they were added. Listeners that are there already stay as they
 * are. Returns the emitter.
 *
 * @example
 * const queue = bindEmitter(new EventEmitter());
 */
export function bindEmitter<E extends EventEmitter>(emitter: E): E {
  if (typeof (emitter as Partial<EventEmitter> | undefined)?.on !== "function")
    throw invalidArgument(`expected an EventEmitter, not ${describe(emitter)}`);
  bindTo(emitter, undefined);
  return emitter;
}
