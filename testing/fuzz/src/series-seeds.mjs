// Inputs for the files of @moonpack/series: its vectors, without what checks add.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { root } from "@moonpack/tools/setup";

/** Bytes before the first page of a names file. */
const NAMES_HEAD = 16;

function vectorsOf(name) {
  return JSON.parse(readFileSync(join(root, "vectors/series", `${name}.json`), "utf8")).vectors;
}

const hexOf = (bytes) => new Uint8Array(Buffer.from(bytes, "hex"));

/** Valid ones, and those that are damaged. */
function both(name, kind) {
  const damaged = vectorsOf("damaged").filter((vector) => vector.kind === kind);
  return [...vectorsOf(name), ...damaged].map(({ bytes }) => hexOf(bytes)).filter(({ length }) => length < 2048);
}

/** The end of a block or a names file: its footer or directory. */
function endOf(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const offset = Number(view.getBigUint64(file.length - 16, true));
  return { offset, end: file.subarray(offset, offset + view.getUint32(file.length - 8, true)) };
}

const part = (number, bytes) => Uint8Array.of(number, ...bytes);

/** The parts of files: a number, then the part without what checks add. */
function filesOf() {
  const short = (name) =>
    vectorsOf(name)
      .map(({ bytes }) => hexOf(bytes))
      .filter(({ length }) => length < 2048);
  const seeds = [];
  for (const file of short("blocks")) {
    const { offset, end } = endOf(file);
    seeds.push(part(0, end));
    const start = Buffer.from(file).indexOf("mipg");
    seeds.push(part(1, file.subarray(start + 8, offset - 4)));
  }
  for (const file of short("names")) {
    seeds.push(part(2, endOf(file).end), part(3, firstPageOf(file)));
  }
  return seeds;
}

/** The first page of forms, without its checksum: it ends where its checksum matches. */
function firstPageOf(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  for (let end = NAMES_HEAD + 1; ; end++)
    if (crc32(file.subarray(NAMES_HEAD, end)) === view.getUint32(end, true)) return file.subarray(NAMES_HEAD, end);
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
  "series-block": filesOf,
};
