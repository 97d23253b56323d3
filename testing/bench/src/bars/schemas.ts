import type { FloorBar } from "./bar.js";

function floor(table: string, row: string, column: string, atLeast: number): FloorBar {
  return { kind: "floor", suite: "schemas", table, row, column, atLeast };
}

const SCHEMA_ORDERS = ["turns", "zipf"];
const OPERATIONS = ["encode", "decode"];
const VERSIONS = [8, 7];

/** The share of a schema's speed that is left in the company of 29 others. */
const IN_COMPANY = 0.8;

/** Promises for processes with many schemas: PCK against itself alone, Protobuf against the plain library. */
export const schemasBars: readonly FloorBar[] = [
  ...SCHEMA_ORDERS.flatMap((row) =>
    OPERATIONS.flatMap((operation) =>
      ["", "-closures"].map((engine) => floor("pck", row, `${operation}${engine}`, IN_COMPANY)),
    ),
  ),
  ...SCHEMA_ORDERS.flatMap((row) =>
    VERSIONS.flatMap((version) => [
      floor("protobuf", row, `encode-${version}`, 1),
      floor("protobuf", row, `decode-${version}`, 1.1),
    ]),
  ),
  ...VERSIONS.flatMap((version) => [
    floor("protobuf", "submessages", `encode-${version}`, 1.1),
    floor("protobuf", "submessages", `decode-${version}`, 1),
    ...OPERATIONS.map((operation) => floor("protobuf-types", "least", `${operation}-${version}`, 1)),
  ]),
];
