/** Two copies of the packages in one process, as `import` and `require` load them: `instanceof` accepts instances of both. */
import { createRequire } from "node:module";
import * as compat from "@moonpack/compat/msgpack-javascript";
import * as pck from "@moonpack/pck";
import * as imported from "moonpack";
import { js } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

const require = createRequire(import.meta.url);
const required = require("moonpack") as typeof imported;
const { js: requiredJs } = require("moonpack/msgpack/features") as { readonly js: unknown };
const otherPck = require("@moonpack/pck") as typeof pck;

const otherCompat = require("@moonpack/compat/msgpack-javascript") as typeof compat;

const BOTH = [
  ["import, require", imported, required, pck, otherPck],
  ["require, import", required, imported, otherPck, pck],
] as const;

const caught = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};

describe.each(BOTH)("%s", (_names, one, other, pckOne, pckOther) => {
  test("they are two copies", () => {
    expect(one.MoonpackError).not.toBe(other.MoonpackError);
    expect(pckOne.Schema).not.toBe(pckOther.Schema);
  });

  test("errors", () => {
    const decoding = caught(() => one.decode(Uint8Array.of(0xc1)));
    const encoding = caught(() => one.encode({ a: () => {} }));
    expect([decoding instanceof other.MoonpackError, decoding instanceof other.DecodeError]).toEqual([true, true]);
    expect(decoding instanceof other.EncodeError).toBe(false);
    expect([encoding instanceof other.EncodeError, encoding instanceof other.DecodeError]).toEqual([true, false]);
  });

  test("a subclass without a brand has only its own instances", () => {
    class Mine extends other.DecodeError {}
    expect(caught(() => one.decode(Uint8Array.of(0xc1))) instanceof Mine).toBe(false);
    expect(new Mine("ERR_INVALID_BYTE", "mine", 0) instanceof one.DecodeError).toBe(true);
  });

  test("Timestamp, Extension", () => {
    const value = { at: new one.Timestamp(1_700_000_000, 1), raw: new one.Extension(7, Uint8Array.of(1)) };
    expect(other.encode(value)).toEqual(one.encode(value));
  });

  test("decoded data pass for no instance", () => {
    const data = one.decode(
      one.encode({ constructor: { brand: 1 }, seconds: 1, nanoseconds: 0, brand: "moonpack.Timestamp" }),
    );
    expect(data instanceof other.Timestamp).toBe(false);
    expect(other.decode(other.encode(data))).toEqual(data);
  });

  test("Extensions and presets belong to their copy, and others say so", () => {
    for (const options of [{ extensions: new one.Extensions() }, { fidelity: one === imported ? js : requiredJs }])
      expect(caught(() => other.encode(1, options as never))).toMatchObject({
        code: "ERR_INVALID_ARGUMENT",
        message: expect.stringContaining("of this copy of moonpack"),
      });
  });

  test("schemas, fields and codecs", () => {
    const Point = pckOne.schema("Point", pckOne.u8("x"));
    const Line = pckOther.schema("Line", pckOther.ref("from", Point as never), pckOne.u8("width") as never);
    const line = { from: { x: 1 }, width: 2 };
    const bytes = pckOther.codec(Line).encode(line as never);
    expect(pckOne.codec(Line as never).decode(bytes)).toEqual(line);
    const codec = pckOne.codec(Point);
    const framed = pckOther.encodeFramed(codec as never, { x: 3 } as never);
    expect(pckOther.decodeFramed(framed, codec as never)).toEqual({ x: 3 });
    expect(pckOther.decodeContainer(pckOther.encodeContainer(codec as never, [{ x: 4 }] as never)).values).toEqual([
      { x: 4 },
    ]);
    expect(pckOther.fingerprint(Point as never)).toEqual(pckOne.fingerprint(Point));
  });
});

describe.each([
  ["import, require", compat, otherCompat],
  ["require, import", otherCompat, compat],
] as const)("compat/msgpack-javascript: %s", (_names, one, other) => {
  test("extension data of the other copy is an extension, and its errors are errors", () => {
    expect([...one.encode(new other.ExtData(1, Uint8Array.of(0)))]).toEqual([0xd4, 1, 0]);
    expect(caught(() => one.decode(Uint8Array.of(0xc1))) instanceof other.DecodeError).toBe(true);
    expect([...one.encode({ type: 1 })]).toEqual([0x81, 0xa4, ...new TextEncoder().encode("type"), 1]);
  });
});
