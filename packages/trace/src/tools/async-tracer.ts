/** A tool for debugging: prints what `async_hooks` tells of every asynchronous resource of the process, a line an event. */
import { type AsyncHook, createHook, executionAsyncId } from "node:async_hooks";
import { currentContext } from "../context/storage.js";
import { Kept } from "./kept.js";
import { countOption, optionReader, outputOption, textsOption } from "./options.js";
import { LineOutput, type ToolOutput } from "./output.js";
import { switchOff } from "./switch-off.js";
import { jsonId, jsonText, microsecondsSince } from "./text.js";

/** Options of {@link asyncTracer}. */
export interface AsyncTracerOptions {
  /** The types of resources that are traced, such as `"Timeout"` and `"PROMISE"`. Default: all. */
  types?: readonly string[];
  /** Where the lines go. Default 2, the standard error output. */
  output?: ToolOutput;
  /** How many resources are remembered. For more, the oldest is forgotten, and a line `dropped` counts them. Default 100,000. */
  maxKept?: number;
}

/**
 * Traces all asynchronous resources that are made from now on until `stop()`. Each event is a line of JSON: `t`, microseconds from
 * the start; `e`, which is init, before, after, destroy, promiseResolve or dropped; `id`; `type`. An init also has `trigger` and
 * `exec` (async ids), `class` and, within a request, `req`: its id. It slows the process; it is not for production.
 *
 * @example
 * const tracer = asyncTracer({ types: ["Timeout"], output: "timers.ndjson" });
 * setTimeout(() => tracer.stop(), 10);
 */
export function asyncTracer(options?: AsyncTracerOptions): { stop(): void } {
  const read = optionReader(options);
  const types = textsOption(read, "types");
  const maxKept = countOption(read, "maxKept", 1e5);
  const tracer = new AsyncTracer(types && new Set(types), outputOption(read) ?? 2, maxKept);
  return { stop: () => tracer.stop() };
}

/** The type of what fetches random bytes: it may be fetching those of the request's id right now. */
const RANDOM = "RANDOMBYTESREQUEST";

class AsyncTracer {
  readonly #start = performance.now();
  readonly #types: ReadonlySet<string> | undefined;
  readonly #output: LineOutput;
  /** The JSON of the types of resources whose lines are written. */
  readonly #kept: Kept<string>;
  /** Resources that the user's output function began, and what these began: their lines would call it again. */
  readonly #hidden: Kept<true>;
  readonly #hook: AsyncHook;
  #dropped = 0;
  #isAsking = false;
  #isStopped = false;

  constructor(types: ReadonlySet<string> | undefined, output: ToolOutput, maxKept: number) {
    this.#types = types;
    this.#kept = new Kept(maxKept);
    this.#hidden = new Kept(maxKept);
    // Its timer is made before the hook sees any.
    this.#output = new LineOutput(output, () => this.#tellDropped());
    this.#hook = createHook({
      init: (id, type, trigger, resource) => this.#init(id, type, trigger, resource),
      before: (id) => this.#event("before", id),
      after: (id) => this.#event("after", id),
      promiseResolve: (id) => this.#event("promiseResolve", id),
      destroy: (id) => {
        this.#event("destroy", id);
        this.#kept.delete(id);
        this.#hidden.delete(id);
      },
    }).enable();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    switchOff(this.#hook);
    this.#output.close();
  }

  #init(id: number, type: string, trigger: number, resource: object): void {
    const execution = executionAsyncId();
    if (this.#isAsking || this.#output.isWriting || this.#hidden.get(execution) !== undefined) {
      this.#hidden.add(id, true);
      return;
    }
    if (this.#types !== undefined && !this.#types.has(type)) return;
    const json = jsonText(type);
    if (this.#kept.add(id, json)) this.#dropped++;
    const request = type === RANDOM ? undefined : this.#requestId();
    const end = request === undefined ? "}" : `,"req":${request}}`;
    const place = `"trigger":${trigger},"exec":${execution},"class":${jsonText(classOf(resource))}`;
    this.#output.line(`{"t":${microsecondsSince(this.#start)},"e":"init","id":${id},"type":${json},${place}${end}`);
  }

  /** Makes the id if nobody has asked for it yet; the random bytes for it are an asynchronous resource, too. */
  #requestId(): string | undefined {
    this.#isAsking = true;
    try {
      return jsonId(currentContext()?.id);
    } finally {
      this.#isAsking = false;
    }
  }

  #event(event: string, id: number): void {
    const type = this.#kept.get(id);
    if (type === undefined) return;
    this.#output.line(`{"t":${microsecondsSince(this.#start)},"e":"${event}","id":${id},"type":${type}}`);
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#output.line(`{"t":${microsecondsSince(this.#start)},"e":"dropped","n":${this.#dropped}}`);
    this.#dropped = 0;
  }
}

/** The name of a resource's class. Resources may be objects of users; an error in a hook would end the process. */
function classOf(resource: object): string {
  try {
    const name: unknown = resource.constructor.name;
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
}
