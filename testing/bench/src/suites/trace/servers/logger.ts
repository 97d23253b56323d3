/** The logger of the applications: pino, whose lines have the request's id. */
import type { IncomingMessage } from "node:http";
import { type Logger, pino } from "pino";
import type { Tracer, TracerId } from "../tracers.js";

/** Writes a line for a request. */
export type Log = (request: IncomingMessage, key: string, text: string) => void;

/** Lines go nowhere, or to a function. */
export async function makeLog(id: TracerId, tracer: Tracer, keep?: (line: string) => void): Promise<Log> {
  const destination = keep === undefined ? pino.destination("/dev/null") : { write: keep };
  if (id === "none") {
    const logger = pino({}, destination);
    return (request, key, text) => logger.info({ requestId: tracer.id(request), key }, text);
  }
  const logger: Logger = pino({ mixin: await mixinOf(id, tracer) }, destination);
  return (_request, key, text) => logger.info({ key }, text);
}

async function mixinOf(id: TracerId, tracer: Tracer): Promise<() => Record<string, unknown>> {
  // Only the id, as the others have it.
  if (id === "moonpack") return (await import("@moonpack/trace")).pinoMixin({ traceId: false, spanId: false });
  return () => ({ requestId: tracer.id({} as IncomingMessage) });
}
