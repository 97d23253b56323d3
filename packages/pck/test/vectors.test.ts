/** The vectors of PCK, for every engine: values in both directions, errors and their offsets, invalid schemas. */

import { fault } from "@moonpack/harness/caught.ts";
import { each, equal } from "@moonpack/harness/each.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { codec, fingerprint, fromDocument, type SchemaDocument, toDocument } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { check, checkRefused, opener } from "./harness/cases.ts";
import { decodeReference } from "./harness/decode.ts";
import { encodeReference } from "./harness/encode.ts";
import { engines } from "./harness/engines.ts";
import { byteCases, linesOf, refusedCases, schemaCases } from "./harness/files.ts";
import { fingerprintReference } from "./harness/fingerprint.ts";
import { Layout } from "./harness/layout.ts";
import { hexOf } from "./harness/text.ts";

const cases = byteCases("value.jsonl", "rejected.jsonl");
const OWN = ["types", "keys", "modifiers", "layout", "depth", "counts"];
const own = byteCases(...OWN.map((name) => `own/${name}.jsonl`));

for (const engine of engines()) {
  describe(engine.name, () => {
    test("values and errors", () => {
      const open = opener(engine);
      each(cases, (one) => check(one, open(one.doc)));
    });

    test("generated vectors: every type, key, modifier, layout, limit", () => {
      const open = opener(engine);
      each(own, (one) => check(one, open(one.doc)));
    });

    test("generated vectors: invalid values", () => {
      const open = opener(engine);
      each(refusedCases(), (one) => checkRefused(one, open(one.doc)));
    });
  });
}

test("the reference model agrees with the vectors", () => {
  each(cases, (one) => {
    const layout = new Layout(one.doc);
    const got = decodeReference(layout, [...fromHex(one.bytes)]);
    equal(got, one.kind === "rejected" ? { error: one.error } : { value: one.value });
    if (one.kind !== "value") return;
    equal(hexOf(encodeReference(layout, one.value)), one.bytes);
    equal(fingerprintReference(layout), one.fingerprint);
  });
});

test("fingerprints", () => {
  each(linesOf<{ doc: SchemaDocument; fingerprint: string }>("value.jsonl"), ({ doc, fingerprint: hex }) => {
    equal(toHex(fingerprint(doc)), hex);
    equal(toHex(fingerprint(fromDocument(doc))), hex, "fromDocument");
    equal(toHex(fingerprint(toDocument(fromDocument(doc)))), hex, "toDocument");
  });
});

test("valid and invalid schemas, in every function that takes one", () => {
  const documents = schemaCases("schema.jsonl", "own/schema.jsonl");
  each(documents, (one) => {
    const doc = one.doc as SchemaDocument;
    if (one.error === undefined) equal(toHex(fingerprint(doc)), one.fingerprint, one.cause);
    else {
      equal(
        fault(() => fromDocument(doc)),
        one.error,
        one.cause,
      );
      // These take a schema or a document: a value of another type is a wrong argument.
      const isDocument = typeof doc === "object" && doc !== null && !Array.isArray(doc);
      for (const act of [codec, fingerprint, toDocument])
        equal(
          fault(() => act(doc)),
          isDocument ? one.error : { code: "ERR_INVALID_ARGUMENT" },
          one.cause,
        );
    }
  });
  expect(documents.length).toBeGreaterThan(440);
});
