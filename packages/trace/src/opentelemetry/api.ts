/** The part of `@opentelemetry/api` that the bridge uses. The user passes it, so that there is one copy of it. */
import { describe, invalidArgument } from "../errors.js";

/** An immutable context of OpenTelemetry. */
export interface OtelContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OtelContext;
}

/** The identity of a span of OpenTelemetry. */
export interface OtelSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly traceState?: { serialize(): string } | undefined;
}

/** A span of OpenTelemetry. */
export interface OtelSpan {
  spanContext(): OtelSpanContext;
}

/** A context manager of OpenTelemetry. */
export interface OtelContextManager {
  active(): OtelContext;
  with<A extends unknown[], R>(context: OtelContext, fn: (...args: A) => R, thisArg?: unknown, ...args: A): R;
  bind<T>(context: OtelContext, target: T): T;
  enable(): this;
  disable(): this;
}

/** The module `@opentelemetry/api`, version 1. */
export interface OpenTelemetryApi {
  readonly ROOT_CONTEXT: OtelContext;
  createContextKey(description: string): symbol;
  createTraceState(text?: string): unknown;
  readonly context: {
    active(): OtelContext;
    with<R>(context: OtelContext, fn: () => R): R;
    setGlobalContextManager(manager: never): boolean;
    disable(): void;
  };
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
