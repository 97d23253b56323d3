/** The article's server with async functions, behind the profiler. */
import type { RequestListener } from "node:http";
import { requestProfiler } from "@moonpack/trace";
import type { Tracer } from "../tracers.js";
import { withPromises } from "./article.js";

/** The server with a profiler that samples this share of the requests; without one for undefined. */
export function profiled(tracer: Tracer, sampleRate: number | undefined): RequestListener {
  if (sampleRate === undefined) return withPromises(tracer);
  const profiler = requestProfiler({ sampleRate, output: () => undefined });
  return withPromises({
    id: tracer.id,
    middleware: (request, response, next) =>
      tracer.middleware(request, response, () => profiler.middleware(request, response, next)),
  });
}
