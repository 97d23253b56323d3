/** Vectors of names files of version 2. */
import { hexOf } from "../bytes.ts";
import { encodeNames, type NamedMetric } from "../names.ts";
import type { Vector } from "./notation.ts";
import { listOf } from "./random.ts";

function vector(name: string, metrics: readonly NamedMetric[], file = 1): Vector {
  return { name, file, metrics, bytes: hexOf(encodeNames(file, metrics)) };
}

const metric = (id: number, name: string, tags: NamedMetric["tags"] = [], type: NamedMetric["type"] = "float") => ({
  id,
  name,
  type,
  tags,
});

export function namesVectors(): Vector[] {
  return [
    vector("one metric", [metric(0, "cpu")]),
    vector("both types, and tags that metrics share", [
      metric(0, "cpu", [["host", "a1"]]),
      metric(1, "cpu", [["host", "a2"]]),
      metric(3, "requests", [["host", "a1"]], "int64"),
    ]),
    vector(
      "forms are sorted by bytes, ids are those of registration",
      [metric(5, "b"), metric(6, "aa"), metric(7, "a")],
      9,
    ),
    vector("ids of two chunks have two entries of a tag", [metric(4095, "a"), metric(4096, "a", [["k", "v"]])]),
    vector(
      "65 metrics have two pages of forms",
      listOf(65, (i) => metric(i, "m", [["i", String(i)]])),
    ),
    vector(
      "1,025 metrics have two pages of ids",
      listOf(1025, (i) => metric(2 * i, `m${i}`)),
    ),
  ];
}
