/** Lines of pino with the id of the request, by its mixin. */
import { id, pinoMixin, runWithId } from "@moonpack/trace";
import rTracer from "cls-rtracer";
import { pino } from "pino";
import type { Contestant } from "../../../measure/interleave.js";

/** Loggers whose lines go nowhere; `keep` gets them while they are checked. */
function loggers(write: (line: string) => void): Record<string, () => void> {
  const destination = { write };
  const plain = pino({}, destination);
  const ours = pino({ mixin: pinoMixin({ traceId: false, spanId: false }) }, destination);
  const all = pino({ mixin: pinoMixin() }, destination);
  const theirs = pino({ mixin: () => ({ requestId: rTracer.id() }) }, destination);
  return {
    none: () => plain.info("saved"),
    "by-hand": () => plain.info({ requestId: id() }, "saved"),
    moonpack: () => ours.info("saved"),
    "moonpack-all": () => all.info("saved"),
    rtracer: () => theirs.info("saved"),
  };
}

/** Calls `work` in a request of both libraries with this id. */
export function inRequest<T>(requestId: string, work: () => T): T {
  return runWithId(() => rTracer.runWithId(work, requestId) as T, requestId);
}

/** The loggers: to be called {@link inRequest}. */
export function lineWriters(): Contestant[] {
  return Object.entries(loggers(() => undefined)).map(([name, write]) => ({
    id: name,
    bytes: 200,
    prepare: (count) => Array.from({ length: count }, () => undefined),
    call: write,
  }));
}

/** Throws unless each line has the id, and only the logger without ids has none. */
export function checkLinesOf(requestId: string): void {
  let line = "";
  const writers = loggers((text) => {
    line = text;
  });
  for (const [name, write] of Object.entries(writers)) {
    write();
    const found = (JSON.parse(line) as { requestId?: unknown }).requestId;
    if (found !== (name === "none" ? undefined : requestId)) throw new Error(`${name}: ${line}`);
  }
}
