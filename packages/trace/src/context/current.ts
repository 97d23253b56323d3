/** The functions of applications: reading the current context, and running code in a context. */
import { describe, invalidArgument } from "../errors.js";
import { isThenable } from "../promises.js";
import { type Context, Contexts } from "./context.js";
import { currentContext, runIn } from "./storage.js";

/**
 * Returns the id of the current request; undefined outside.
 *
 * @example
 * console.log(`[request-id:${id()}] saved`);
 */
export function id(): unknown {
  return currentContext()?.id;
}

/**
 * Returns the value of a key in the current context; undefined outside.
 *
 * @example
 * set("user", user.name);
 * get("user");
 */
export function get(key: unknown): unknown {
  return currentContext()?.get(key);
}

/** Sets a value in the current context, and for contexts that begin within it later. Returns false outside. */
export function set(key: unknown, value: unknown): boolean {
  const here = currentContext();
  here?.set(key, value);
  return here !== undefined;
}

/** Returns the current context, for {@link runWithContext}; undefined outside. */
export function context(): Context | undefined {
  return currentContext();
}

/** Calls `fn` in a context from {@link context}, or outside of any for undefined. Returns its result. */
export function runWithContext<T>(here: Context | undefined, fn: () => T): T {
  if (here !== undefined && !(here instanceof Contexts))
    throw invalidArgument(`expected a context or undefined, not ${describe(here)}`);
  return runIn(here, functionOf(fn));
}

/**
 * Calls `fn` in a new context with this id, or with a new UUID for undefined. Returns its result. Within a request, the new context
 * inherits the trace and the values. Throws `ERR_INVALID_ARGUMENT` for a promise as the id: await it first.
 *
 * @example
 * runWithId(() => importFile(path), `import-${path}`);
 */
export function runWithId<T>(fn: () => T, id?: unknown): T {
  if (isThenable(id)) throw invalidArgument("the id is a promise: await it first");
  functionOf(fn);
  const inner = currentContext()?.nested() ?? Contexts.root();
  if (id !== undefined) inner.requestId = id;
  return runIn(inner, fn);
}

/**
 * Calls `fn` in a new span of the current trace, with the same id. Returns its result. Outside of a context it begins one, with a new id
 * and a new trace.
 *
 * @example
 * await runWithSpan(async () => {
 *   console.log(spanId(), parentSpanId());
 * });
 */
export function runWithSpan<T>(fn: () => T): T {
  functionOf(fn);
  return runIn(currentContext()?.nestedSpan() ?? Contexts.root(), fn);
}

function functionOf<T>(fn: () => T): () => T {
  if (typeof fn !== "function") throw invalidArgument(`expected a function, not ${describe(fn)}`);
  return fn;
}
