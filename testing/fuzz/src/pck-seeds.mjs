// Inputs for PCK. The first byte chooses the schema; two schemas are given as texts before the message, one per line.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@moonpack/tools/setup";

/** The lines of a vector file. */
function linesOf(name) {
  const text = readFileSync(join(root, "vectors/pck", name), "utf8").trimEnd();
  return text.split("\n").map((line) => JSON.parse(line));
}

const hexOf = (bytes) => new Uint8Array(Buffer.from(bytes, "hex"));

/** Different schemas, as many as a byte can choose from; always the same. */
export function documents() {
  const texts = new Set(linesOf("value.jsonl").map(({ doc }) => JSON.stringify(doc)));
  return [...texts].slice(0, 256).map((text) => JSON.parse(text));
}

function messages() {
  const places = new Map(documents().map((doc, i) => [JSON.stringify(doc), i]));
  const cases = [...linesOf("value.jsonl"), ...linesOf("rejected.jsonl")];
  return cases.flatMap(({ doc, bytes, fingerprint }) => {
    const place = places.get(JSON.stringify(doc));
    return place === undefined ? [] : [{ place, bytes: hexOf(bytes), fingerprint }];
  });
}

/** Creates the inputs from which a target starts. */
export const SEEDS = {
  pck: () => messages().map(({ place, bytes }) => Uint8Array.of(place, ...bytes)),
  "pck-pick": () => messages().map(({ place, bytes }, i) => Uint8Array.of(place, i, ...bytes)),
  "pck-framed": () =>
    messages()
      .filter(({ fingerprint }) => fingerprint !== undefined)
      .map(({ place, bytes, fingerprint }) => Uint8Array.of(place, ...hexOf(fingerprint), ...bytes)),
  "pck-document": () => {
    const docs = [...linesOf("schema.jsonl"), ...linesOf("own/schema.jsonl"), ...linesOf("value.jsonl")].map(
      (one) => one.doc,
    );
    return docs.map((doc) => new TextEncoder().encode(JSON.stringify(doc))).filter((bytes) => bytes.length < 2048);
  },
  "pck-resolve": () =>
    linesOf("resolve.jsonl")
      .filter((_, i) => i % 8 === 0)
      .map(({ writer, reader, bytes = "00" }) => {
        const text = new TextEncoder().encode(`${JSON.stringify(writer)}\n${JSON.stringify(reader)}\n`);
        return Uint8Array.of(...text, ...hexOf(bytes));
      })
      .filter((bytes) => bytes.length < 2048),
};
