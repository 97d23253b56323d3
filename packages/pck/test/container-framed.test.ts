/** Framed messages: the vectors, and messages of other schemas. */

import { fault } from "@moonpack/harness/caught.ts";
import { each, equal } from "@moonpack/harness/each.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { codec, decodeFramed, encodeFramed, fingerprint, omitNull, resolve, schema, u8, utf8 } from "@moonpack/pck";
import { expect, test } from "vitest";
import { casesOf, outcomeOf } from "./container-cases.ts";

const cases = casesOf("framed");
const Old = schema(utf8("v"));
const New = schema(utf8("v"), omitNull(u8("w")));

test("the vectors: one schema, two schemas that fit, two that do not", () => {
  expect(cases.length).toBe(33);
  each(cases, ({ doc, writer, bytes, expected }) => {
    const options = writer === undefined ? {} : { resolver: () => resolve(writer, doc) };
    equal(
      outcomeOf(doc, () => [decodeFramed(bytes, doc, options)]),
      expected,
    );
    if (!("values" in expected) || writer !== undefined) return;
    equal(toHex(encodeFramed(doc, codec(doc).fromJSON(expected.values[0]) as never)), toHex(bytes));
  });
});

test("a schema, its codec and its document give the same results", () => {
  const codecOfOld = codec(Old);
  const bytes = encodeFramed(Old, { v: "ab" });
  expect(toHex(bytes)).toBe("741ca0bca7d6254f026162");
  expect(encodeFramed(codecOfOld, { v: "ab" })).toEqual(bytes);
  expect(decodeFramed(bytes, codecOfOld)).toEqual({ v: "ab" });
  expect(decodeFramed(bytes, Old)).toEqual({ v: "ab" });
});

test("the resolver is called only for another fingerprint, with a copy of it, and its decoder reads the message", () => {
  const bytes = encodeFramed(Old, { v: "ab" });
  const asked: string[] = [];
  const old = resolve(Old, New);
  const resolver = (print: Uint8Array) => {
    asked.push(toHex(print));
    print.fill(0);
    return old;
  };
  expect(decodeFramed(bytes, New, { resolver })).toEqual({ v: "ab", w: null });
  expect(decodeFramed(encodeFramed(New, { v: "c", w: 1 }), New, { resolver })).toEqual({ v: "c", w: 1 });
  expect(asked).toEqual([toHex(fingerprint(Old))]);
  expect(toHex(bytes)).toBe("741ca0bca7d6254f026162");
  const malformed = bytes.slice();
  malformed[9] = 0xff;
  expect(fault(() => decodeFramed(malformed, New, { resolver }))).toEqual({
    code: "ERR_INVALID_UTF8",
    offset: 8,
    needMore: 0,
  });
});

test("a resolver that returns nothing is like no resolver", () => {
  const bytes = encodeFramed(Old, { v: "ab" });
  for (const options of [undefined, {}, { resolver: () => undefined }, { resolver: () => null }]) {
    expect(fault(() => decodeFramed(bytes, New, options))).toEqual({ code: "ERR_FINGERPRINT", offset: 0, needMore: 0 });
  }
  expect(fault(() => decodeFramed(bytes, New, { resolver: 1 as never }))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
});

test("an invalid value has its path, and the next value can be written", () => {
  expect(fault(() => encodeFramed(Old, { v: 1 as never }))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.v" });
  expect(toHex(encodeFramed(Old, { v: "" }))).toBe("741ca0bca7d6254f00");
});

test("a getter may frame a message of the same schema", () => {
  const inner: string[] = [];
  const value = {
    get v() {
      inner.push(toHex(encodeFramed(Old, { v: "inner" })));
      return "outer";
    },
  };
  expect(decodeFramed(encodeFramed(Old, value), Old)).toEqual({ v: "outer" });
  expect(inner).toEqual(["741ca0bca7d6254f05696e6e6572"]);
});
