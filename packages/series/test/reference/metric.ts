/** Metrics: their canonical form, and their two entries in the column `metrics`. */
import { type Bytes, type Cursor, fixedBE, textOf, utf8 } from "./bytes.ts";
import { readUvar, uvar } from "./varint.ts";

export interface Metric {
  readonly name: string;
  /** Keys are unique. An empty value means that the tag is absent. */
  readonly tags: readonly (readonly [key: string, value: string])[];
}

/** The number of a type on disk is its position. */
export const TYPES = ["float", "int64"] as const;
export type MetricType = (typeof TYPES)[number];

export function encodeMetric({ name, tags }: Metric): number[] {
  const present = tags.filter(([, value]) => value !== "").sort(([a], [b]) => compareBytes(utf8(a), utf8(b)));
  return [...text(name), ...uvar(present.length), ...present.flatMap(([key, value]) => [...text(key), ...text(value)])];
}

function text(value: string): number[] {
  const bytes = utf8(value);
  return [...uvar(bytes.length), ...bytes];
}

function compareBytes(a: Bytes, b: Bytes): number {
  const i = a.findIndex((byte, at) => byte !== b[at]);
  // Equal up to the end of `a`: the shorter one is first.
  if (i < 0) return a.length - b.length;
  return i < b.length ? a[i]! - b[i]! : 1;
}

export function decodeMetric(cursor: Cursor): Metric {
  const readText = () => textOf(cursor.take(Number(readUvar(cursor))));
  const name = readText();
  const tags: [string, string][] = [];
  for (let left = readUvar(cursor); left > 0n; left--) tags.push([readText(), readText()]);
  return { name, tags };
}

/** Keys and values of the column `metrics`: from the canonical form to the id, and back. */
export function metricEntries(metric: Metric, id: number, type: MetricType): [key: number[], value: number[]][] {
  const canonical = encodeMetric(metric);
  const typeByte = TYPES.indexOf(type);
  return [
    [
      [1, ...canonical],
      [...fixedBE(id, 4), typeByte],
    ],
    [
      [2, ...fixedBE(id, 4)],
      [typeByte, ...canonical],
    ],
  ];
}
