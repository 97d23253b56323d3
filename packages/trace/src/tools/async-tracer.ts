/** A tool for debugging: prints the events of all asynchronous resources of the process, a line for each. */
import { type AsyncHook, createHook, executionAsyncId } from "node:async_hooks";
import { currentContext } from "../context/storage.js";
import { optionsObject, refuseUnknown } from "../options.js";
import { BoundedMap } from "./bounded-map.js";
import { disableHook } from "./disable-hook.js";
import { countOption, outputOption, textsOption } from "./options.js";
import { LineOutput, type ToolOutput } from "./output.js";
import { jsonId, jsonText, microsecondsSince } from "./text.js";

/** Options of {@link asyncTracer}. */
export interface AsyncTracerOptions {
  /** The types of resources that are traced, such as `"Timeout"` and `"PROMISE"`. Default: all. */
  readonly types?: readonly string[];
  /** The output of the lines. Default 2, the standard error output. */
  readonly output?: ToolOutput;
  /** The most resources that are traced at the same time. The oldest is dropped for a new one, and a line `dropped` counts them. Default 100,000. */
  readonly maxResources?: number;
}

/**
 * Traces the asynchronous resources that begin before `stop()`. Each event is a line of JSON: `t`, microseconds from the start; `e`,
 * which is init, before, after, destroy, promiseResolve or dropped; `id`; `type`. An init also has `trigger` and `exec` (async ids),
 * `class` and, within a request, `req`: its id. It slows the process: do not use it in production. Throws `ERR_INVALID_ARGUMENT`
 * for invalid options, and the error of opening the output.
 *
 * @example
 * const tracer = asyncTracer({ types: ["Timeout"], output: "timers.ndjson" });
 * setTimeout(() => tracer.stop(), 10);
 */
export function asyncTracer(options?: AsyncTracerOptions): { stop(): void } {
  const given = optionsObject(options);
  refuseUnknown(given, ["types", "output", "maxResources"]);
  const types = textsOption(given, "types");
  const maxResources = countOption(given, "maxResources", 1e5);
  const tracer = new AsyncTracer(types && new Set(types), outputOption(given) ?? 2, maxResources);
  return { stop: () => tracer.stop() };
}

/** The type of a request for random bytes: the bytes may be for the request's id itself. */
const RANDOM = "RANDOMBYTESREQUEST";

class AsyncTracer {
  readonly #start = performance.now();
  readonly #types: ReadonlySet<string> | undefined;
  readonly #output: LineOutput;
  /** The JSON of the types of resources whose lines are written. */
  readonly #resources: BoundedMap<string>;
  /** Resources that the user's output function began, directly or not: their lines would call it again. */
  readonly #hidden: BoundedMap<true>;
  readonly #hook: AsyncHook;
  #dropped = 0;
  #isReadingId = false;
  #isStopped = false;

  constructor(types: ReadonlySet<string> | undefined, output: ToolOutput, maxResources: number) {
    this.#types = types;
    this.#resources = new BoundedMap(maxResources);
    this.#hidden = new BoundedMap(maxResources);
    // Made before the hook is enabled, which would see its timer.
    this.#output = new LineOutput(output, () => this.#reportDropped());
    this.#hook = createHook({
      init: (id, type, trigger, resource) => this.#init(id, type, trigger, resource),
      before: (id) => this.#event("before", id),
      after: (id) => this.#event("after", id),
      promiseResolve: (id) => this.#event("promiseResolve", id),
      destroy: (id) => {
        this.#event("destroy", id);
        this.#resources.delete(id);
        this.#hidden.delete(id);
      },
    }).enable();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    disableHook(this.#hook);
    this.#output.close();
  }

  #init(id: number, type: string, trigger: number, resource: object): void {
    const execution = executionAsyncId();
    if (this.#isReadingId || this.#output.isWriting || this.#hidden.get(execution) !== undefined) {
      this.#hidden.add(id, true);
      return;
    }
    if (this.#types !== undefined && !this.#types.has(type)) return;
    const json = jsonText(type);
    if (this.#resources.add(id, json)) this.#dropped++;
    const request = type === RANDOM ? undefined : this.#requestId();
    const end = request === undefined ? "}" : `,"req":${request}}`;
    const place = `"trigger":${trigger},"exec":${execution},"class":${jsonText(classNameOf(resource))}`;
    this.#output.line(`{"t":${microsecondsSince(this.#start)},"e":"init","id":${id},"type":${json},${place}${end}`);
  }

  /** May generate the id; the random bytes for it are an asynchronous resource too. */
  #requestId(): string | undefined {
    this.#isReadingId = true;
    try {
      return jsonId(currentContext()?.id);
    } finally {
      this.#isReadingId = false;
    }
  }

  #event(event: string, id: number): void {
    const type = this.#resources.get(id);
    if (type === undefined) return;
    this.#output.line(`{"t":${microsecondsSince(this.#start)},"e":"${event}","id":${id},"type":${type}}`);
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return;
    this.#output.line(`{"t":${microsecondsSince(this.#start)},"e":"dropped","n":${this.#dropped}}`);
    this.#dropped = 0;
  }
}

/** Returns the name of a resource's class. Resources may be the user's objects, and an error in a hook would end the process. */
function classNameOf(resource: object): string {
  try {
    const name: unknown = resource.constructor.name;
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
}
