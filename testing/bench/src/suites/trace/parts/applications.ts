import type { NumberTable } from "../../../report/numbers.js";
import { TRACERS, type TracerId } from "../tracers.js";
import type { Part } from "./part.js";
import { serverTable } from "./servers.js";

const KINDS = { express: "Express 5", fastify: "Fastify 5" } as const;

const IDS: readonly TracerId[] = ["none", "bare", "moonpack", "rtracer"];

/** Applications of frameworks that write lines with the id. */
export const applicationsPart: Part = {
  id: "applications",
  async run(scale) {
    const tables: NumberTable[] = [];
    for (const kind of ["express", "fastify"] as const) {
      const table = {
        id: kind,
        title: `${KINDS[kind]} with pino`,
        short: KINDS[kind],
        text:
          "A request writes two lines with its id, and waits for a timer between them. Without tracing, the id is passed along. With Fastify, the plugins of both libraries are used. " +
          "Figures as above.",
        racers: IDS.map((id) => ({ id, title: TRACERS[id], job: { kind, tracer: id } })),
        columns: ["loss", "ours", "processor", "rate"] as const,
        executable: process.execPath,
        path: "/items/some",
        connections: 20,
      };
      tables.push(await serverTable(table, scale));
    }
    return tables;
  },
};
