import type { NumberTable } from "../../../report/numbers.js";
import { TRACERS, type TracerId } from "../tracers.js";
import { nodesOf, type Part } from "./part.js";
import { serverTable } from "./servers.js";

const KINDS = { callbacks: "callbacks", promises: "async functions" } as const;

const IDS = Object.keys(TRACERS) as TracerId[];

/** The article's server in several versions of Node. */
export const articlePart: Part = {
  id: "article",
  async run(scale) {
    const tables: NumberTable[] = [];
    for (const { version, executable } of await nodesOf(scale)) {
      const major = Number.parseInt(version, 10);
      for (const kind of ["callbacks", "promises"] as const) {
        const table = {
          id: `${kind}-${major}`,
          title: `A timer and a file, ${KINDS[kind]}, Node ${version}`,
          short: `${KINDS[kind]}, Node ${major}`,
          text:
            "Loss: how many requests a second fewer the server's processor time allows than without tracing, in %. Ours to it: our processor time " +
            "for a request as a multiple of this one's; below 1 we are faster. µs: processor time of the whole process for a request. Medians of rounds, of these the median over processes with the " +
            "least and the greatest. The loss by the clock compares requests/s; client and server share the processor.",
          racers: IDS.map((id) => ({ id, title: TRACERS[id], job: { kind, tracer: id } })),
          columns: ["loss", "ours", "overBare", "processor", "clock", "rate"] as const,
          executable,
          path: "/",
          connections: 20,
        };
        tables.push(await serverTable(table, scale));
      }
    }
    return tables;
  },
};
