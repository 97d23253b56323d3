// Inputs for the files of @moonpack/series: its vectors, without what checks add.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@moonpack/tools/setup";

function vectorsOf(name) {
  return JSON.parse(readFileSync(join(root, "vectors/series", `${name}.json`), "utf8")).vectors;
}

const hexOf = (bytes) => new Uint8Array(Buffer.from(bytes, "hex"));

/** Valid ones, and those that are damaged. */
function both(name, kind) {
  const damaged = vectorsOf("damaged").filter((vector) => vector.kind === kind);
  return [...vectorsOf(name), ...damaged].map(({ bytes }) => hexOf(bytes)).filter(({ length }) => length < 2048);
}

/** Creates the inputs from which a target starts. */
export const SERIES_SEEDS = {
  /** Pages without their checksum. */
  "series-page": () => both("pages", "page").map((bytes) => bytes.subarray(0, -4)),
  /** Records whole, and from their type on. */
  "series-log": () => {
    const records = both("log", "record");
    return [...records, ...records.map((bytes) => bytes.subarray(12))];
  },
};
