/** Messages of 1 MB without a list in them, of which paths make millions of lists. */
import type { SchemaDocument } from "@moonpack/pck";

const NAMES = Array.from({ length: 20 }, (_, i) => `f${i}`);

/** Rows whose lists are all absent; rows of such rows; and lists of fixed length, which take no count. */
export const document = {
  pck: 1,
  root: "Root",
  structs: {
    Root: {
      fields: [
        { name: "rows", type: { array: { ref: "Row" } }, omit: ["empty"] },
        { name: "tables", type: { array: { array: { ref: "Row" } } }, omit: ["empty"] },
        { name: "pairs", type: { array: { array: { array: "u8", length: 1 }, length: 1 } }, omit: ["empty"] },
      ],
    },
    Row: { fields: NAMES.map((name) => ({ name, type: { array: "u8" }, omit: ["empty"] })) },
  },
} as unknown as SchemaDocument;

/** Twenty paths into each of the lists. */
export const paths: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap((name) => [
    [`rows_${name}`, `rows.*.${name}.*`],
    [`tables_${name}`, `tables.*.*.${name}.*`],
    [`pairs_${name}`, "pairs.*.*.*"],
  ]),
);

/** The messages. */
export const messages: readonly Uint8Array[] = [
  // 333,333 rows of 3 bytes; 100 tables of 3,333 rows; 1,000,000 pairs.
  Uint8Array.from([1, ...uvar(333_333), ...new Uint8Array(999_999)]),
  Uint8Array.from([2, 100, ...Array.from({ length: 100 }, () => [...uvar(3333), ...new Uint8Array(9999)]).flat()]),
  Uint8Array.from([4, ...uvar(1_000_000), ...new Uint8Array(1_000_000)]),
];

/** Which of them are refused at the first count, which is at 1. */
export const firstCounts: readonly boolean[] = [true, false, true];

function uvar(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uvar(value >>> 7)];
}
