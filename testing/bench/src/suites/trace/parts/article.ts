import type { NumberColumn, NumberRow, NumberTable } from "../../../report/numbers.js";
import { spreadRow } from "../../../report/spread-row.js";
import { TRACERS, type TracerId } from "../tracers.js";
import { nodesOf, type Part } from "./part.js";
import { type Column, serverTable } from "./servers.js";

const KINDS = { callbacks: "callbacks", promises: "async functions" } as const;

const IDS = Object.keys(TRACERS) as TracerId[];

/** Columns of the table of other versions, each with its row and column in the table of one version. */
const OF_VERSION: readonly (NumberColumn & { readonly racer: TracerId; readonly column: Column })[] = [
  ...IDS.filter((racer) => racer !== "none").map((racer) => {
    return { id: racer, title: `loss, ${TRACERS[racer]}, %`, racer, column: "loss" } as const;
  }),
  { id: "overBare", title: "ours, points over bare", racer: "moonpack", column: "overBare" },
  { id: "ours", title: "ours to cls-rtracer", racer: "rtracer", column: "ours" },
];

/** The article's server: whole tables for the newest version of Node, a row for each other one. */
export const articlePart: Part = {
  id: "article",
  async run(scale) {
    const tables: NumberTable[] = [];
    const rows: NumberRow[] = [];
    const nodes = await nodesOf(scale);
    for (const node of nodes) {
      const { version, executable } = node;
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
        const measured = await serverTable(table, scale);
        if (node === nodes.at(-1)) tables.push(measured);
        else rows.push(versionRow(measured, `${KINDS[kind]}, Node ${version}`));
      }
    }
    return rows.length === 0 ? tables : [...tables, versionsTable(rows)];
  },
};

function versionsTable(rows: readonly NumberRow[]): NumberTable {
  return {
    id: "versions",
    title: "A timer and a file, other versions of Node",
    text: "Figures as above.",
    unit: "ratio",
    columns: OF_VERSION.map(({ id, title }) => ({ id, title })),
    rows,
  };
}

/** The figures of one version, from its table of servers, as a row. */
export function versionRow({ id, rows }: NumberTable, title: string): NumberRow {
  const cells = OF_VERSION.map(({ id: name, racer, column }) => {
    const { values, spreads } = rows.find((row) => row.id === racer)!;
    const [low, high] = spreads![column]!;
    return [name, { median: values[column]!, low, high }] as const;
  });
  return spreadRow(id, title, Object.fromEntries(cells));
}
