/** The options `maxElements` and `absent`: limits of elements, and shared empty values. */

import { fault } from "@moonpack/harness/caught.ts";
import type { AnySchema, CodecOptions } from "@moonpack/pck";
import * as pck from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { describe, expect, test } from "vitest";
import { ELEMENT_CASES, Tagged } from "./harness/element-cases.ts";

const { array, bytes, codec, map, omitEmpty, REF, schema, U8, UTF8, u8 } = pck;

function decoding(one: AnySchema, options: CodecOptions): (input: Uint8Array) => unknown {
  const made = codec<unknown, never>(one, options);
  return (input) => made.decode(input);
}

describe("maxElements", () => {
  for (const [name, one, input, elements, offset] of ELEMENT_CASES) {
    test(name, () => {
      const message = Uint8Array.from(input);
      for (const generation of [false, codeGeneration] as const) {
        const enough = decoding(one, { maxElements: elements, codeGeneration: generation });
        expect(enough(message)).toEqual(codec<unknown, never>(one).decode(message));
        enough(message); // each message anew
        const tooFew = decoding(one, { maxElements: elements - 1 || 1, codeGeneration: generation });
        if (elements === 1) continue;
        const error = fault(() => tooFew(message));
        expect([error.code, error.offset]).toEqual(["ERR_LIMIT_ELEMENTS", offset]);
      }
      const resolver = pck.resolve(one, one, { maxElements: elements });
      expect(resolver.decode(message)).toEqual(codec<unknown, never>(one).decode(message));
      if (elements > 1) {
        const error = fault(() => pck.resolve(one, one, { maxElements: elements - 1 }).decode(message));
        expect([error.code, error.offset]).toEqual(["ERR_LIMIT_ELEMENTS", offset]);
      }
    });
  }

  test("fields that a reader adds to an older struct count at each struct", () => {
    const Old = schema("Item", [u8("id")]);
    const New = schema("Item", [u8("id"), omitEmpty(array("tags", UTF8)), pck.withDefault(array("more", U8), [1, 2])]);
    const before = schema("List", [array("v", REF(Old))]);
    const after = schema("List", [array("v", REF(New))]);
    // 2 for the root and its list, 2 for the items, 1 + 3 for the fields added to each
    const message = Uint8Array.of(2, 7, 8);
    const read = (maxElements: number) => pck.resolve(before, after, { maxElements }).decode(message);
    expect(read(12)).toEqual({
      v: [
        { id: 7, tags: [], more: [1, 2] },
        { id: 8, tags: [], more: [1, 2] },
      ],
    });
    expect(fault(() => read(11))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", offset: 2 });
    expect(fault(() => read(7))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", offset: 1 });
  });

  test("default: two for each byte, plus 2^20", () => {
    const one = schema("Many", [array("v", REF(Tagged))]);
    const made = codec(one);
    // n structs of 6 elements in n + 3 bytes, and 2 of the root
    const most = Math.floor((2 ** 20 + 2 * 3 - 2) / 4);
    const message = (n: number) => {
      const input = new Uint8Array(3 + n);
      input.set([(n & 127) | 128, ((n >> 7) & 127) | 128, n >> 14]);
      return input;
    };
    expect((made.decode(message(most)) as { v: unknown[] }).v.length).toBe(most);
    expect(fault(() => made.decode(message(most + 1)))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", offset: 0 });
  });

  test("toJSON is not limited, fromJSON is", () => {
    const made = codec(Tagged, { maxElements: 6 });
    const json = { tags: ["a", "b"], names: [] };
    expect(fault(() => made.fromJSON(json)).code).toBe("ERR_LIMIT_ELEMENTS");
    expect(made.toJSON({ tags: ["a", "b"], names: new Map() })).toEqual(json);
  });
});

describe("absent: shared", () => {
  const Wide = schema("Wide", [
    omitEmpty(array("list", UTF8)),
    omitEmpty(array("numbers", U8)),
    omitEmpty(map("map", UTF8, U8)),
    omitEmpty(bytes("bytes")),
  ]);

  test("absent lists, maps and bytes are the same frozen empty values each time, and count nothing", () => {
    for (const generation of [false, codeGeneration] as const) {
      for (const options of [{}, { typedArrays: true }, { maps: "object" }] as const) {
        const made = codec(Wide, { ...options, absent: "shared", codeGeneration: generation, maxElements: 1 });
        const own = codec(Wide, options).decode(Uint8Array.of(0));
        const first = made.decode(Uint8Array.of(0));
        const second = made.decode(Uint8Array.of(0));
        for (const name of ["list", "numbers", "map", "bytes"] as const) {
          expect(first[name]).toBe(second[name]);
          expect(Object.isFrozen(first[name])).toBe(true);
          expect(Object.keys(first[name])).toEqual(Object.keys(own[name]));
        }
        expect(() => (first.list as string[]).push("x")).toThrow();
        if (first.map instanceof Map) {
          const shared: Map<string, number> = first.map;
          expect(fault(() => shared.set("a", 1)).code).toBe("ERR_INVALID_ARGUMENT");
          expect([shared.size, shared.delete("a"), [...shared].length]).toEqual([0, false, 0]);
        }
        expect(made.encode(first)).toEqual(Uint8Array.of(0));
      }
    }
  });

  test("a present value is not shared", () => {
    const made = codec(Wide, { absent: "shared", codeGeneration });
    const value = { list: ["a"], numbers: [1], map: new Map([["k", 2]]), bytes: Uint8Array.of(3) };
    const read = made.decode(made.encode(value));
    expect(read).toEqual(value);
    read.list.push("b");
    read.map.set("l", 1);
    expect(made.decode(made.encode(value))).toEqual(value);
  });
});
