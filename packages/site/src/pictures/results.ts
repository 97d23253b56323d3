// Charts of committed results of benchmarks: the same figures as in the tables.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../repository.ts";
import { bars, type Group } from "./bars.ts";

/** A table of results, as testing/bench writes it. */
interface Table {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
  readonly rows: readonly {
    readonly id: string;
    readonly title: string;
    readonly values: Readonly<Record<string, number>>;
  }[];
}

/** Speed in the mix of a service, once the process is warm and at its begin: `direction` is `decode` or `encode`. */
export function serviceChart(direction: "decode" | "encode"): string {
  const { columns, rows } = tableOf("service", direction);
  const valueAt = (row: string, column: string) =>
    rows.find(({ id }) => id === row)?.values[column] ?? missing(row, column);
  return bars({
    id: `service-${direction}`,
    title: `${direction === "decode" ? "Decoding" : "Encoding"}: how many times as fast as each other library`,
    groups: columns.map(({ id, title }) => ({
      name: `than ${title}`,
      values: [valueAt("steady", id), valueAt("first", id)],
      isOurs: true,
    })),
    format: (value) => `${value.toFixed(2)}×`,
    legend: ["steady", "the first 4,000 messages"],
    mark: { value: 1, meaning: "as fast" },
  });
}

/** Bundles for browsers. */
export function sizeChart(): string {
  const { rows } = tableOf("size", "bundles");
  const shown = [
    "moonpack-decode",
    "moonpack-both",
    "msgpackr-both",
    "json-pack-both",
    "msgpack-javascript-both",
    "notepack-both",
  ];
  return bars({
    id: "sizes",
    title: "Bundle for browsers, minified + gzip",
    groups: shown.map((id) => groupOf(rows, id, ["gzip"])),
    format: (bytes) => `${(bytes / 1000).toFixed(1)} kB`,
  });
}

/** Memory that kept messages hold. */
export function memoryChart(): string {
  const { rows } = tableOf("memory", "results");
  const shown = ["moonpack", "msgpackr", "json-pack", "msgpack-javascript", "notepack", "cbor-x", "json", "v8"];
  return bars({
    id: "memory",
    title: "Memory held by a kept message of 11 bytes",
    groups: shown.map((id) => groupOf(rows, id, ["among", "alone"])),
    format: (bytes) => `${Math.round(bytes).toLocaleString("en")} B`,
    legend: ["kept among others that are dropped", "all are kept"],
  });
}

function groupOf(rows: Table["rows"], id: string, columns: readonly string[]): Group {
  const { title, values } = rows.find((row) => row.id === id) ?? missing(id, "title");
  return {
    name: title.replaceAll("`", ""),
    values: columns.map((column) => values[column] ?? missing(id, column)),
    isOurs: id.startsWith("moonpack"),
  };
}

function tableOf(suite: string, id: string): Table {
  const path = `testing/bench/results/${suite}.json`;
  const { tables } = JSON.parse(readFileSync(join(root, path), "utf8")) as { tables: readonly Table[] };
  return tables.find((table) => table.id === id) ?? missing(path, id);
}

function missing(where: string, what: string): never {
  throw new Error(`The results of the benchmarks lack ${what} in ${where}, which a picture shows.`);
}
