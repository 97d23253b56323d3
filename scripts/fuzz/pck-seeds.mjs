// Inputs for PCK. One byte says which of the schemas it is for; two schemas are texts before the message, a line each.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup.mjs";

/** The lines of a file of vectors. */
function linesOf(name) {
  const text = readFileSync(join(root, "vectors/pck", name), "utf8").trimEnd();
  return text.split("\n").map((line) => JSON.parse(line));
}

const hexOf = (bytes) => new Uint8Array(Buffer.from(bytes, "hex"));

/** Different schemas, as many as a byte can tell; the same ones each time. */
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

/** Makes the inputs that a target begins with. */
export const SEEDS = {
  pck: () => messages().map(({ place, bytes }) => Uint8Array.of(place, ...bytes)),
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
