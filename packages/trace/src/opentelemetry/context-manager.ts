/** Our storage as OpenTelemetry's context manager. */
import { EventEmitter } from "node:events";
import { type Context, Contexts } from "../context/context.js";
import type { Span } from "../context/span.js";
import type { SpanView } from "../context/span-source.js";
import { currentContext, runIn } from "../context/storage.js";
import { bindTo, Owner } from "../emitters/binding.js";
import { STATE } from "../shared.js";
import type { OtelContext, OtelContextManager } from "./api.js";
import type { SpanViews } from "./span-views.js";

/** The key of OpenTelemetry's context in ours. */
const ENTERED = /* @__PURE__ */ Symbol.for(`${STATE}.opentelemetry`);

/** A context of OpenTelemetry that was entered, and our span at that time. */
interface Entered {
  readonly context: OtelContext;
  readonly span: Span | undefined;
}

type Call = (...args: unknown[]) => unknown;

/**
 * Stores OpenTelemetry's contexts in ours. If none was entered, or a span of ours began later, the active context has our span, unless
 * it has a span of another library.
 */
export class ContextManager implements OtelContextManager {
  readonly #root: OtelContext;
  readonly #views: SpanViews;
  /** The active context for each of ours: the same object while nothing changes. */
  readonly #active = new WeakMap<Context, Entered>();
  #isEnabled = false;

  constructor(root: OtelContext, views: SpanViews) {
    this.#root = root;
    this.#views = views;
  }

  /** False if another one may be registered. */
  get isEnabled(): boolean {
    return this.#isEnabled;
  }

  /** Returns the active span of another library. */
  foreignSpan(): SpanView | undefined {
    const entered = currentContext()?.get(ENTERED) as Entered | undefined;
    return entered === undefined ? undefined : this.#views.foreign(entered.context);
  }

  active(): OtelContext {
    const here = currentContext();
    if (here === undefined) return this.#root;
    const entered = here.get(ENTERED) as Entered | undefined;
    const { span } = here;
    const context = entered?.context ?? this.#root;
    if (span === undefined || span === entered?.span) return context;
    const known = this.#active.get(here);
    if (known?.span === span) return known.context;
    const made = this.#views.foreign(context) === undefined ? this.#views.withOurs(context, span) : context;
    this.#active.set(here, { context: made, span });
    return made;
  }

  with<A extends unknown[], R>(context: OtelContext, fn: (...args: A) => R, thisArg?: unknown, ...args: A): R {
    return runIn(this.#contextWith(context), () => fn.apply(thisArg, args));
  }

  /** Binds functions, and emitters for later listeners. Emitters of a request stay bound to the request. */
  bind<T>(context: OtelContext, target: T): T {
    if (target instanceof EventEmitter) {
      const inner = this.#contextWith(context);
      runIn(inner, () => bindTo(target, new Owner(inner)));
      return target;
    }
    return typeof target === "function" ? (this.#bound(context, target as unknown as Call) as T) : target;
  }

  enable(): this {
    this.#isEnabled = true;
    return this;
  }

  disable(): this {
    this.#isEnabled = false;
    return this;
  }

  #bound(context: OtelContext, target: Call): Call {
    const manager = this;
    const bound = function (this: unknown, ...args: unknown[]): unknown {
      return manager.with(context, target, this, ...args);
    };
    return Object.defineProperty(bound, "length", { value: target.length, configurable: true });
  }

  #contextWith(context: OtelContext): Context {
    const inner = currentContext()?.copy() ?? Contexts.empty();
    inner.set(ENTERED, { context: context ?? this.#root, span: inner.span } satisfies Entered);
    return inner;
  }
}
