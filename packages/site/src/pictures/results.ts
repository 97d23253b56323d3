// Charts of committed results of benchmarks: the same figures as in the tables.
import { bars, type Group } from "./bars.ts";
import { figureOf, missing, type Table, tableOf } from "./tables.ts";

/** Speed in the mix of a service, once the process is warm and at its begin: `direction` is `decode` or `encode`. */
export function serviceChart(direction: "decode" | "encode"): string {
  const table = tableOf("service", direction);
  const { columns } = table;
  return bars({
    id: `service-${direction}`,
    title: `${direction === "decode" ? "Decoding" : "Encoding"}: how many times as fast as each other library`,
    groups: columns.map(({ id, title }) => ({
      name: `than ${title}`,
      values: [figureOf(table, "steady", id), figureOf(table, "first", id)],
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
