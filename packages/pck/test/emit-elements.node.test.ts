/** Emitted code counts elements as codecs do. Every limit is part of the emitted text, so each one is emitted here. */

import { fault } from "@moonpack/harness/caught.ts";
import { array, codec, omitEmpty, REF, resolve, schema, toDocument, U8, UTF8, u8, withDefault } from "@moonpack/pck";
import { emit } from "@moonpack/pck/emit";
import { describe, expect, test } from "vitest";
import { ELEMENT_CASES } from "./harness/element-cases.ts";
import { emittedEngine, load } from "./harness/emitted.ts";

describe("emitted code", () => {
  for (const [name, one, input, elements, offset] of ELEMENT_CASES) {
    test(name, async () => {
      const message = Uint8Array.from(input);
      const document = toDocument(one);
      const enough = await emittedEngine({ target: "ts", runtime: "beside", maxElements: elements }, [
        document as never,
      ]);
      expect(enough.open(document as never).decode(message)).toEqual(codec<unknown, never>(one).decode(message));
      if (elements === 1) return;
      const tooFew = await emittedEngine({ target: "js", maxElements: elements - 1 }, [document as never]);
      const error = fault(() => tooFew.open(document as never).decode(message));
      expect([error.code, error.offset]).toEqual(["ERR_LIMIT_ELEMENTS", offset]);
    });
  }

  test("bytes of an older schema count as in resolve", () => {
    const before = schema("List", [array("v", REF(schema("Item", [u8("id")])))]);
    const Item = schema("Item", [u8("id"), omitEmpty(array("tags", UTF8)), withDefault(array("more", U8), [1, 2])]);
    const after = schema("List", [array("v", REF(Item))]);
    const message = Uint8Array.of(2, 7, 8);
    for (let maxElements = 1; maxElements <= 12; maxElements++) {
      const files = emit(after, { target: "js", maxElements, older: { V1: before } });
      const decode = load(files)["decodeListFromV1"] as (input: Uint8Array) => unknown;
      const resolver = resolve(before, after, { maxElements });
      if (maxElements === 12) expect(decode(message)).toEqual(resolver.decode(message));
      else expect(fault(() => decode(message))).toEqual(fault(() => resolver.decode(message)));
    }
  });

  test("shared absent values count as in codecs", () => {
    const Tags = schema("Tags", [omitEmpty(array("tags", UTF8))]);
    const decode = load(emit(Tags, { target: "js", absent: "shared" }))["decodeTags"] as (input: Uint8Array) => {
      tags: string[];
    };
    expect(decode(Uint8Array.of(0)).tags).toBe(decode(Uint8Array.of(0)).tags);
    expect(Object.isFrozen(decode(Uint8Array.of(0)).tags)).toBe(true);
  });
});
