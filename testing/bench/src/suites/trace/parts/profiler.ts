import type { Part } from "./part.js";
import { serverTable } from "./servers.js";

/** Requests in flight: nearly always, one is sampled. */
const CONNECTIONS = 100;

const RACERS = [
  { id: "off", title: "no profiler", sampleRate: undefined },
  { id: "rate-0", title: "`sampleRate: 0`", sampleRate: 0 },
  { id: "rate-1", title: "`sampleRate: 0.01`, the default", sampleRate: 0.01 },
] as const;

/** The cost of requestProfiler for all requests. */
export const profilerPart: Part = {
  id: "profiler",
  async run(scale) {
    const table = {
      id: "profiler",
      title: "requestProfiler",
      short: "profiler",
      text: `The timer and the file with async functions behind \`@moonpack/trace\`, ${CONNECTIONS} requests in flight. Loss: to the same without the profiler.`,
      racers: RACERS.map(({ id, title, sampleRate }) => ({
        id,
        title,
        job: { kind: "profiled", tracer: "moonpack", sampleRate } as const,
      })),
      columns: ["loss", "processor"] as const,
      executable: process.execPath,
      path: "/",
      connections: CONNECTIONS,
    };
    return [await serverTable(table, scale)];
  },
};
