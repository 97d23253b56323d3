/**
 * The data of a request: its id, its place in a trace, its values. A context copies the data of the outer one and has no link to it. So
 * a job that restarts itself, each time in a new context, does not retain all earlier contexts.
 */
import { uuidv4 } from "../ids/uuidv4.js";
import { shared } from "../shared.js";
import { RANDOM, SAMPLED, Span } from "./span.js";

/** An id that is generated when it is read. */
const NOT_GENERATED: unknown = { not: "generated" };

/** The default flags of a new trace. */
const NEW_TRACE = SAMPLED | RANDOM;

/** Instead of flags: a context without a trace. */
const NO_TRACE = -1;

/**
 * The context of a request, or one within it. All have one hidden class. Returned by {@link context}.
 *
 * @example
 * const here = context();
 * queue.push(() => runWithContext(here, work));
 */
class Context {
  /** @internal The id, {@link NOT_GENERATED}, or undefined: the factory has not returned, or it is a context without an id. */
  requestId: unknown;
  /** @internal Undefined until it is read. */
  ownSpan: Span | undefined;
  /** @internal The flags of a trace that begins here, or {@link NO_TRACE}. */
  newTraceFlags: number;
  /** @internal The request's first context, made by a middleware: listeners that are added outside of the request run in it. */
  request: Context | undefined;
  /** @internal Undefined without values. */
  values: Map<unknown, unknown> | undefined;
  /** @internal True if another context has the same map: it is copied before a change. */
  isShared: boolean;

  /** @internal Use {@link Context.root}, {@link Context.empty}, {@link Context.nested}. */
  constructor(
    requestId: unknown,
    span: Span | undefined,
    newTraceFlags: number,
    request: Context | undefined,
    values: Map<unknown, unknown> | undefined,
  ) {
    this.requestId = requestId;
    this.ownSpan = span;
    this.newTraceFlags = newTraceFlags;
    this.request = request;
    this.values = values;
    this.isShared = values !== undefined;
  }

  /** @internal Returns a context without an id and a trace: outside of requests, such as for a context of OpenTelemetry. */
  static empty(): Context {
    return new Context(undefined, undefined, NO_TRACE, undefined, undefined);
  }

  /** @internal Returns a context outside of any other. Its id and its trace are generated when they are first read. */
  static root(): Context {
    return new Context(NOT_GENERATED, undefined, NEW_TRACE, undefined, undefined);
  }

  /**
   * @internal Turns a context of {@link Context.empty} into the context of a request: for a framework that cannot run a request's code
   * inside a function. Values that were set stay.
   */
  become(other: Context): void {
    this.requestId = other.requestId;
    this.ownSpan = other.ownSpan;
    this.newTraceFlags = other.newTraceFlags;
    this.request = this;
    if (other.values !== undefined) {
      this.values = new Map([...other.values, ...(this.values ?? [])]);
      this.isShared = false;
    }
  }

  /** @internal Begins a new trace. */
  startTrace(isSampled: boolean): void {
    this.ownSpan = undefined;
    this.newTraceFlags = isSampled ? NEW_TRACE : RANDOM;
  }

  /**
   * @internal Returns a context within this one with the same data: for a value that only some code sees. Generates the id and the span
   * if needed, so that both contexts have the same.
   */
  copy(): Context {
    const { values } = this;
    if (values !== undefined) this.isShared = true;
    return new Context(this.id, this.span, this.newTraceFlags, this.request, values);
  }

  /** @internal Returns a context within this one: with its request, span and values, and a new id. */
  nested(): Context {
    const { values } = this;
    if (values !== undefined) this.isShared = true;
    const { span } = this;
    return new Context(NOT_GENERATED, span, span?.flags ?? NEW_TRACE, this.request, values);
  }

  /** @internal Returns a context within this one with the same id and a new span. */
  nestedSpan(): Context {
    const inner = this.copy();
    inner.ownSpan = inner.ownSpan === undefined ? Span.ofNewTrace(NEW_TRACE) : inner.ownSpan.child();
    return inner;
  }

  /** @internal The span, generated if needed; undefined in a context without a trace. */
  get span(): Span | undefined {
    const span = this.ownSpan;
    if (span !== undefined || this.newTraceFlags === NO_TRACE) return span;
    return (this.ownSpan = Span.ofNewTrace(this.newTraceFlags));
  }

  /** The request's id. Undefined until the user's factory has returned. */
  get id(): unknown {
    const id = this.requestId;
    return id === NOT_GENERATED ? (this.requestId = uuidv4()) : id;
  }

  /** The trace's id: 32 hexadecimal digits. */
  get traceId(): string | undefined {
    return this.span?.traceId;
  }

  /** The span's id: 16 hexadecimal digits. */
  get spanId(): string | undefined {
    return this.span?.spanId;
  }

  /** The id of the parent span; undefined if the trace begins here. */
  get parentSpanId(): string | undefined {
    return this.span?.parentSpanId;
  }

  /** Returns the value of a key, set here or in an outer context before this one began. */
  get(key: unknown): unknown {
    return this.values?.get(key);
  }

  /** Sets a value, for this context and for contexts that begin within it later. Outer contexts do not change. */
  set(key: unknown, value: unknown): void {
    let { values } = this;
    if (values === undefined || this.isShared) {
      this.values = values = new Map(values);
      this.isShared = false;
    }
    values.set(key, value);
  }
}

export type { Context };

/** The class of all contexts of a process. */
export const Contexts: typeof Context = /* @__PURE__ */ shared("Context", () => Context);
