/** The table of the README: speed in a service, and the size in a page. */
import type { NumberRow, NumbersResult } from "./numbers.js";
import { formatCount, formatRatio, table } from "./table.js";

/** The columns of speed: table and row of the result, and the title here. */
const SPEEDS = [
  ["decode", "steady", "decode"],
  ["encode", "steady", "encode"],
  ["decode", "first", "decode, at the start"],
  ["encode", "first", "encode, at the start"],
] as const;

/** The bundle of each library with both directions; msgpackr's native part is not for pages, JSON is built in. */
const BUNDLES: Readonly<Record<string, string>> = {
  "msgpackr-js": "msgpackr-both",
  "json-pack": "json-pack-both",
  "msgpack-javascript": "msgpack-javascript-both",
};

/** The tables with the class of messages in which each library is the furthest ahead of us. */
const WORST = [
  ["decode-classes", "decoding"],
  ["encode-classes", "encoding"],
] as const;

/** Our speed as a multiple of each other library's, the sizes of bundles, and where we lose most. */
export function readmeCosts(service: NumbersResult, size: NumbersResult): string {
  const columns = service.tables.find(({ id }) => id === "decode")?.columns ?? [];
  const speeds = SPEEDS.map(([tableId, rowId]) => rowOf(service, tableId, rowId)?.values);
  const gzip = (id: string | undefined) => {
    const bytes = size.tables.flatMap(({ rows }) => rows).find((row) => row.id === id)?.values.gzip;
    return bytes === undefined ? "" : `${formatCount(bytes)} B`;
  };
  const worst = WORST.flatMap(([tableId, verb]) => {
    const values = rowOf(service, tableId, "worst")?.values;
    if (values === undefined) return [];
    const [rival] = [...columns].sort((a, b) => (values[a.id] ?? Number.NaN) - (values[b.id] ?? Number.NaN));
    return rival === undefined ? [] : [`${verb} ${formatRatio(values[rival.id] ?? Number.NaN)} (${rival.title})`];
  });
  return [
    table(
      ["our speed as a multiple of", ...SPEEDS.map(([, , title]) => title), "in a page, gzip"],
      [
        ...columns.map(({ id, title }) => [
          title,
          ...speeds.map((values) => (values?.[id] === undefined ? "" : formatRatio(values[id]))),
          gzip(BUNDLES[id]),
        ]),
        [
          "moonpack itself",
          ...speeds.map((values) => (values === undefined ? "" : formatRatio(1))),
          gzip("moonpack-both"),
        ],
      ],
    ),
    ...(worst.length === 0 ? [] : ["", `Below 1, we are slower. Our worst class of messages: ${worst.join(", ")}.`]),
  ].join("\n");
}

function rowOf(result: NumbersResult, tableId: string, rowId: string): NumberRow | undefined {
  return result.tables.find(({ id }) => id === tableId)?.rows.find(({ id }) => id === rowId);
}
