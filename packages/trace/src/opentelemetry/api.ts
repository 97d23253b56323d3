/** The part of `@opentelemetry/api` that the bridge uses. The user passes it, so that there is one copy of it. */
import { describe, invalidArgument } from "../errors.js";

/** An immutable context of OpenTelemetry. */
export interface OtelContext {
  /** Returns the value of a key; undefined if there is none. */
  getValue(key: symbol): unknown;
  /** Returns a copy of the context with a value. */
  setValue(key: symbol, value: unknown): OtelContext;
}

/** The identity of a span of OpenTelemetry. */
export interface OtelSpanContext {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  /** 16 hexadecimal digits in lower case. */
  readonly spanId: string;
  /** Flags of W3C Trace Context; 1 is sampled. */
  readonly traceFlags: number;
  /** The `tracestate`, if there is one. */
  readonly traceState?: { serialize(): string } | undefined;
}

/** A span of OpenTelemetry. */
export interface OtelSpan {
  /** Returns the identity of the span. */
  spanContext(): OtelSpanContext;
}

/** A context manager of OpenTelemetry. */
export interface OtelContextManager {
  /** Returns the current context. */
  active(): OtelContext;
  /** Calls a function in a context, and returns its result. */
  with<A extends unknown[], R>(context: OtelContext, fn: (...args: A) => R, thisArg?: unknown, ...args: A): R;
  /** Returns a function or an emitter that runs in a context. */
  bind<T>(context: OtelContext, target: T): T;
  /** Begins to manage contexts. */
  enable(): this;
  /** Ends managing contexts. */
  disable(): this;
}

/** The module `@opentelemetry/api`, version 1. */
export interface OpenTelemetryApi {
  /** The context outside of all others. */
  readonly ROOT_CONTEXT: OtelContext;
  /** Returns a new key for values of contexts. */
  createContextKey(description: string): symbol;
  /** Returns a `tracestate`, from its text. */
  createTraceState(text?: string): unknown;
  /** The current context, and its manager. */
  readonly context: {
    active(): OtelContext;
    with<R>(context: OtelContext, fn: () => R): R;
    setGlobalContextManager(manager: never): boolean;
    disable(): void;
  };
  /** Spans of contexts. */
  readonly trace: {
    getSpan(context: never): OtelSpan | undefined;
    setSpanContext(context: never, spanContext: never): OtelContext;
    isSpanContextValid(spanContext: never): boolean;
  };
}

/** Throws `ERR_INVALID_ARGUMENT` unless the argument is the module. */
export function checkApi(api: unknown): void {
  const { context, trace, ...rest } = { ...(api as Partial<OpenTelemetryApi>) };
  const isApi =
    typeof context?.setGlobalContextManager === "function" &&
    typeof trace?.isSpanContextValid === "function" &&
    typeof rest.createContextKey === "function" &&
    typeof rest.createTraceState === "function";
  if (!isApi) throw invalidArgument(`expected the module @opentelemetry/api, not ${describe(api)}`);
}
