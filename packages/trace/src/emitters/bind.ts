/** Binds functions and emitters to the current context. */
import { AsyncResource } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import { describe, invalidArgument } from "../errors.js";
import { bindTo } from "./binding.js";
import { RESOURCE } from "./wrapper.js";

type Call = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Returns a function that runs `fn` in the current context, and with the current state of every other AsyncLocalStorage. `this`, the
 * arguments, the result and `length` do not change. Throws `ERR_INVALID_ARGUMENT` unless `fn` is a function.
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
 * Makes later listeners of an emitter run in the context that they were added in: for emitters that requests share. Returns the
 * emitter. Throws `ERR_INVALID_ARGUMENT` unless it is one.
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
