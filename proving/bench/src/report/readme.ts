/** The tables of the README's first screen. */
import { losses, ratio, ratioToBestRival } from "../race/query.js";
import type { RaceResult } from "../race/race.js";
import type { Operation } from "../types.js";
import type { NumbersResult } from "./numbers.js";
import { formatCount, formatRatio, table } from "./table.js";

const PLAYERS = ["moonpack", "msgpackr", "json-pack", "msgpack-javascript", "json"];

/** What a service does all day, both ways. */
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

/** Two usual rows, then our worst one in each direction, and how many we lose. */
export function readmeSpeed(result: RaceResult): string {
  const rows = [...ROWS, worst(result, "decode"), worst(result, "encode")];
  const titles = new Map(result.workloads.map(({ id, title }) => [id, title]));
  const names = new Map(result.players.map(({ id, title }) => [id, title]));
  const cells = result.workloads.length * result.players.filter(({ ours }) => !ours).length;
  const lost = (operation: Operation): string => `${losses(result, operation, "moonpack").length} of ${cells}`;
  return [
    table(
      [`speed, msgpackr = 1`, ...PLAYERS.map((id) => names.get(id) ?? id)],
      rows.map(([operation, workload], i) => [
        `${operation}, ${titles.get(workload)}${i < ROWS.length ? "" : " (our worst row)"}`,
        ...PLAYERS.map((id) => formatRatio(ratio(result, operation, workload, id) ?? Number.NaN)),
      ]),
    ),
    "",
    `Bigger is faster; below 15 % is noise (Node ${result.environment.node}${result.quick ? ", a quick, rough run" : ""}). ` +
      `Other libraries are faster in ${lost("decode")} decoding and ${lost("encode")} encoding comparisons: ` +
      "[which, and by how much](docs/benchmarks/msgpack.md#where-others-win).",
    "",
  ].join("\n");
}

/** The workload in which we are furthest behind, or least ahead of, the best standard codec. */
function worst(result: RaceResult, operation: Operation): readonly [Operation, string] {
  const standing = ({ id }: { readonly id: string }): number =>
    ratioToBestRival(result, operation, id, "moonpack") ?? Number.POSITIVE_INFINITY;
  const [first] = [...result.workloads].sort((a, b) => standing(a) - standing(b));
  return [operation, first!.id];
}

/** Rows of the mix: table and row of the result, and the title here. */
const SERVICE_ROWS = [
  ["decode", "steady", "decode"],
  ["decode", "first", "decode, the first 4,000 messages"],
  ["decode-classes", "worst", "decode, our worst class of messages"],
  ["decode-interpreted", "steady", "decode, no generated code"],
  ["encode", "steady", "encode"],
  ["encode", "first", "encode, the first 4,000 messages"],
  ["encode-classes", "worst", "encode, our worst class of messages"],
] as const;

/** Our speed in a process that meets many kinds of messages, as a multiple of each other library's. */
export function readmeService(result: NumbersResult): string {
  const columns = result.tables.find(({ id }) => id === "decode")?.columns ?? [];
  return table(
    ["our speed as a multiple of", ...columns.map(({ title }) => title)],
    SERVICE_ROWS.flatMap(([id, rowId, title]) => {
      const row = result.tables.find((one) => one.id === id)?.rows.find((one) => one.id === rowId);
      if (row === undefined) return [];
      return [[title, ...columns.map((column) => formatRatio(row.values[column.id] ?? Number.NaN))]];
    }),
  );
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
