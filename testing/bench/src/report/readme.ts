/** The tables of the README's first screen. */
import { type Loss, losses, ratio } from "../race/query.js";
import type { RaceResult } from "../race/race.js";
import type { Operation } from "../types.js";
import type { NumbersResult } from "./numbers.js";
import { formatCount, formatRatio, table } from "./table.js";

const CANDIDATES = ["moonpack", "msgpackr", "json-pack", "msgpack-javascript", "json"];

/** Encoding and decoding of a service's messages. */
const ROWS: readonly (readonly [Operation, string])[] = [
  ["decode", "service-300"],
  ["encode", "service-300"],
];

const SIZES = [
  "moonpack-decode",
  "moonpack-both",
  "msgpackr-decode",
  "msgpackr-both",
  "json-pack-both",
  "msgpack-javascript-both",
];

/** Two usual rows, then the largest loss in each direction, and how many we lose. */
export function readmeSpeed(result: RaceResult): string {
  const titles = new Map(result.workloads.map(({ id, title }) => [id, title]));
  const names = new Map(result.candidates.map(({ id, title }) => [id, title]));
  const cells = result.workloads.length * result.candidates.filter(({ ours }) => !ours).length;
  const decoding = losses(result, "decode", "moonpack");
  const encoding = losses(result, "encode", "moonpack");
  const row = (operation: Operation, workload: string, note = ""): string[] => [
    `${operation}, ${titles.get(workload)}${note}`,
    ...CANDIDATES.map((id) => formatRatio(ratio(result, operation, workload, id) ?? Number.NaN)),
  ];
  // The winner may be a candidate without a column, so the label names it.
  const worst = (lost: readonly Loss[]): string[][] =>
    largest(lost).map(({ operation, workload, rival, factor }) =>
      row(operation, workload, ` (our worst: ${names.get(rival)} is ${formatRatio(factor)} times as fast)`),
    );
  return [
    table(
      ["speed, msgpackr = 1", ...CANDIDATES.map((id) => names.get(id) ?? id)],
      [...ROWS.map(([operation, workload]) => row(operation, workload)), ...worst(decoding), ...worst(encoding)],
    ),
    "",
    `Bigger is faster; below 15 % is noise (Node ${result.environment.node}${result.quick ? ", a quick, rough run" : ""}). ` +
      `Other libraries are faster in ${decoding.length} of ${cells} decoding and ${encoding.length} of ${cells} encoding comparisons: ` +
      "[which, and by how much](docs/benchmarks/msgpack.md#where-others-win).",
  ].join("\n");
}

/** The loss with the largest factor, in any format; undefined without losses. */
function largest(lost: readonly Loss[]): readonly Loss[] {
  return [...lost].sort((a, b) => b.factor - a.factor).slice(0, 1);
}

/** Rows of the mix: table and row of the result, and the title here. */
const SERVICE_ROWS = [
  ["decode", "steady", "decode"],
  ["decode", "first", "decode, the first 4,000 messages"],
  ["encode", "steady", "encode"],
  ["encode", "first", "encode, the first 4,000 messages"],
] as const;

/** The tables with the class of messages in which each library is the furthest ahead of us. */
const SERVICE_WORST = [
  ["decode-classes", "decoding"],
  ["encode-classes", "encoding"],
] as const;

/** Our speed in a process that meets many kinds of messages, as a multiple of each other library's, and where we lose most. */
export function readmeService(result: NumbersResult): string {
  const columns = result.tables.find(({ id }) => id === "decode")?.columns ?? [];
  const valuesOf = (tableId: string, rowId: string) =>
    result.tables.find(({ id }) => id === tableId)?.rows.find(({ id }) => id === rowId)?.values;
  const worst = SERVICE_WORST.flatMap(([id, verb]) => {
    const values = valuesOf(id, "worst");
    if (values === undefined) return [];
    const [rival] = [...columns].sort((a, b) => (values[a.id] ?? Number.NaN) - (values[b.id] ?? Number.NaN));
    return rival === undefined ? [] : [`${verb} ${formatRatio(values[rival.id] ?? Number.NaN)} (${rival.title})`];
  });
  return [
    table(
      ["our speed as a multiple of", ...columns.map(({ title }) => title)],
      SERVICE_ROWS.flatMap(([id, rowId, title]) => {
        const values = valuesOf(id, rowId);
        if (values === undefined) return [];
        return [[title, ...columns.map((column) => formatRatio(values[column.id] ?? Number.NaN))]];
      }),
    ),
    ...(worst.length === 0 ? [] : ["", `Below 1, we are slower. Our worst class of messages: ${worst.join(", ")}.`]),
  ].join("\n");
}

/** Bundles of ours and of others, minified and compressed. */
export function readmeSizes(result: NumbersResult): string {
  const rows = result.tables.flatMap((one) => one.rows);
  return table(
    ["bundle for browsers", "minified + gzip"],
    SIZES.flatMap((id) => {
      const row = rows.find((one) => one.id === id);
      return row === undefined ? [] : [[row.title, `${formatCount(row.values.gzip!)} B`]];
    }),
  );
}
