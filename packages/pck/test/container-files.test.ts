/** Containers from files: every later version must read them, as they are and as values of a later schema. */

import { cutEvery } from "@moonpack/harness/cuts.ts";
import { bytesOf, namesIn, textOf } from "@moonpack/harness/files.ts";
import { concat, toHex } from "@moonpack/harness/hex.ts";
import { codec, decodeContainer, encodeContainer, fingerprint, type SchemaDocument } from "@moonpack/pck";
import { readContainer } from "@moonpack/pck/stream";
import { encodeFrame } from "moonpack/bytes";
import { expect, test } from "vitest";
import { encodeReference } from "./harness/encode.ts";
import { Layout } from "./harness/layout.ts";
import type { Json } from "./harness/shape.ts";

/** The expected content of a container, written by hand. */
interface Said {
  readonly document: SchemaDocument;
  readonly fingerprint: string;
  readonly values: readonly Json[];
  readonly later?: { readonly reader: SchemaDocument; readonly values: readonly Json[] };
}

const FOLDER = "vectors/pck/containers/";
const names = namesIn(FOLDER)
  .filter((name) => name.endsWith(".pck"))
  .map((name) => name.slice(0, -4));

/** Returns the JSON form of values of a document's schema. */
function jsonOf(document: SchemaDocument, values: readonly unknown[]): unknown[] {
  const form = codec(document);
  return values.map((value) => form.toJSON(value as never));
}

test("there are enough files", () => expect(names.length).toBeGreaterThanOrEqual(6));

test.each(names)("%s", async (name) => {
  const bytes = bytesOf(`${FOLDER}${name}.pck`);
  const said = JSON.parse(textOf(`${FOLDER}${name}.json`)) as Said;
  const { document, schema, values } = decodeContainer(bytes);
  expect(document).toEqual(said.document);
  expect(toHex(fingerprint(schema))).toBe(said.fingerprint);
  expect(jsonOf(document, values)).toEqual(said.values);
  const layout = new Layout(said.document);
  const frames = said.values.map((value) => encodeFrame(Uint8Array.from(encodeReference(layout, value))));
  const head = bytes.subarray(0, bytes.length - concat(...frames).length);
  expect(toHex(concat(head, ...frames)), "by the reference model").toBe(toHex(bytes));
  expect(jsonOf(document, decodeContainer(encodeContainer(schema, values as never[])).values)).toEqual(said.values);
  const { reader, values: later } = said.later ?? { reader: said.document, values: said.values };
  expect(jsonOf(reader, decodeContainer(bytes, { reader }).values)).toEqual(later);
  const streamed: unknown[] = [];
  for await (const value of readContainer(cutEvery(bytes, 5), { reader })) streamed.push(value);
  expect(jsonOf(reader, streamed)).toEqual(later);
});
