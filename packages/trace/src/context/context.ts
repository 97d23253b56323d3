/**
 * What follows a request: its id, its place in a trace, its values. A context has no link to the outer one: it starts with
 * what that has. So a job that starts itself again, each time in a context of its own, does not keep all earlier ones.
 */
import { uuidv4 } from "../ids/uuidv4.js";
import { RANDOM, SAMPLED, Span } from "./span.js";

/** An id that nobody has asked for yet. */
const NOT_GENERATED: unknown = { not: "generated" };

/** The flags of a new trace, unless an option says otherwise. */
const NEW_TRACE = SAMPLED | RANDOM;

/** Instead of flags: a context without a trace. */
const NO_TRACE = -1;

/**
 * A request's context, or one within it. All have one hidden class. Made by {@link context}.
 *
 * @example
 * const here = context();
 * queue.push(() => runWithContext(here, work));
 */
export class Context {
  /** @internal The id, {@link NOT_GENERATED}, or undefined: a factory still decides, or it is a context without id. */
  requestId: unknown;
  /** @internal Undefined: none yet. */
  ownSpan: Span | undefined;
  /** @internal The flags of a trace that begins here, or {@link NO_TRACE}. */
  newTraceFlags: number;
  /** @internal The request's own context, which a middleware made: what listeners that are added elsewhere run in. */
  request: Context | undefined;
  /** @internal Undefined: none yet. */
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

  /** @internal A context with no id and no trace: for what is not a request, such as a context of OpenTelemetry. */
  static empty(): Context {
    return new Context(undefined, undefined, NO_TRACE, undefined, undefined);
  }

  /** @internal A context that belongs to no other. Its id and its trace are made when they are first asked for. */
  static root(): Context {
    return new Context(NOT_GENERATED, undefined, NEW_TRACE, undefined, undefined);
  }

  /**
   * @internal Makes this one, of {@link Context.empty}, the context of a request: for a framework that gives no way to run a
   * request's code inside of another one. Values that are set already stay.
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

  /** @internal A new trace begins here. */
  startTrace(isSampled: boolean): void {
    this.ownSpan = undefined;
    this.newTraceFlags = isSampled ? NEW_TRACE : RANDOM;
  }

  /**
   * @internal A context within this one with everything that it has: for a value more that only some code is to see. Id and
   * span are made if there are none yet, so that both have the same.
   */
  copy(): Context {
    const { values } = this;
    if (values !== undefined) this.isShared = true;
    return new Context(this.id, this.span, this.newTraceFlags, this.request, values);
  }

  /** @internal A context within this one: of its request, with its span and its values, and an id of its own. */
  nested(): Context {
    const { values } = this;
    if (values !== undefined) this.isShared = true;
    const { span } = this;
    return new Context(NOT_GENERATED, span, span?.flags ?? NEW_TRACE, this.request, values);
  }

  /** @internal A context within this one with the same id, for a new span. */
  nestedSpan(): Context {
    const inner = this.copy();
    inner.ownSpan = inner.ownSpan === undefined ? Span.ofNewTrace(NEW_TRACE) : inner.ownSpan.child();
    return inner;
  }

  /** @internal The span, made if there is none; undefined in a context without a trace. */
  get span(): Span | undefined {
    const span = this.ownSpan;
    if (span !== undefined || this.newTraceFlags === NO_TRACE) return span;
    return (this.ownSpan = Span.ofNewTrace(this.newTraceFlags));
  }

  /** The request's id. Undefined while the user's factory decides. */
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

  /** The id of the span that this one belongs to; undefined if the trace begins here. */
  get parentSpanId(): string | undefined {
    return this.span?.parentSpanId;
  }

  /** The value of a key, set here or in an outer context before this one began. */
  get(key: unknown): unknown {
    return this.values?.get(key);
  }

  /** Sets a value, for this context and those that begin within it later. Outer contexts do not change. */
  set(key: unknown, value: unknown): void {
    let { values } = this;
    if (values === undefined || this.isShared) {
      this.values = values = new Map(values);
      this.isShared = false;
    }
    values.set(key, value);
  }
}
