/** The middleware for Koa 1, whose middlewares are generators that `co` runs: each step runs inside the context. */
import type { Context } from "../context/context.js";
import { runIn, switchOn } from "../context/storage.js";
import { openRequest } from "../inbound/open-request.js";
import { readOptions, type TraceOptions } from "../inbound/options.js";
import { isThenable } from "../promises.js";
import { enterKoa } from "./koa.js";
import type { KoaContextLike, KoaRequestLike } from "./koa-errors.js";

/** A generator for `co`, which awaits the values that it yields. */
type Steps = Generator<unknown, unknown, unknown>;

/** A middleware of Koa 1. */
export type KoaV1Middleware = (
  this: KoaContextLike,
  next: Generator<unknown, unknown, unknown>,
) => Generator<unknown, unknown, unknown>;

/**
 * Returns a middleware for Koa 1. The factory gets `this.request`. Throws `ERR_INVALID_ARGUMENT` for invalid options.
 *
 * @example
 * app.use(koaV1Middleware({ echoHeader: true }));
 */
export function koaV1Middleware<Request = KoaRequestLike>(options?: TraceOptions<Request>): KoaV1Middleware {
  const settings = readOptions(options);
  if (!settings.enabled)
    return function* (this: KoaContextLike, next): Steps {
      return yield* next;
    };
  switchOn();
  return function* (this: KoaContextLike, next): Steps {
    const opened = openRequest(settings, this.request, this.req);
    const context = (isThenable(opened) ? yield opened : opened) as Context;
    runIn(context, enterKoa, settings, context, this);
    return yield* stepped(context, this, next);
  };
}

/** Runs the steps of a generator inside a context. */
function* stepped(context: Context, ctx: KoaContextLike, steps: Steps): Steps {
  let step = runIn(context, () => steps.next());
  while (step.done !== true) {
    let answer: unknown;
    let error: unknown;
    let hasFailed = false;
    try {
      answer = yield inside(context, ctx, step.value);
    } catch (thrown) {
      error = thrown;
      hasFailed = true;
    }
    step = runIn(context, () => (hasFailed ? steps.throw(error) : steps.next(answer)));
  }
  return step.value;
}

/** Wraps a yielded value, so that `co` runs its code inside the context: thunks, generators, and lists and objects of them. */
function inside(context: Context, ctx: KoaContextLike, value: unknown): unknown {
  if (isThenable(value)) return value;
  if (isGenerator(value)) return stepped(context, ctx, value);
  if (typeof value === "function") {
    if (isGeneratorFunction(value))
      return stepped(
        context,
        ctx,
        runIn(context, () => Reflect.apply(value, ctx, []) as Steps),
      );
    return function (this: unknown, ...args: unknown[]): unknown {
      return runIn(context, () => Reflect.apply(value, this, args) as unknown);
    };
  }
  if (Array.isArray(value)) return value.map((each) => inside(context, ctx, each));
  if (typeof value !== "object" || value === null || value.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inside(context, ctx, each)]));
}

function isGenerator(value: unknown): value is Steps {
  const { next, throw: fail } = (value ?? {}) as Partial<Steps>;
  return typeof next === "function" && typeof fail === "function";
}

/** True for generator functions, also compiled by `regenerator`, as in `co`. */
// biome-ignore lint/complexity/noBannedTypes: users yield any function
function isGeneratorFunction(value: Function): boolean {
  const kind: { readonly name?: unknown; readonly displayName?: unknown; readonly prototype?: unknown } =
    value.constructor;
  if (kind.name === "GeneratorFunction" || kind.displayName === "GeneratorFunction") return true;
  return isGenerator(kind.prototype);
}
