/** Cycles and too much depth throw coded errors, not a stack overflow. Deep and repeated values are valid. */

import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { stride } from "@moonpack/harness/effort.ts";
import { concat, fromHex, toHex } from "@moonpack/harness/hex.ts";
import { decoder, encoder, refused, refusedBytes } from "@moonpack/harness/refused.ts";
import { differ } from "@moonpack/harness/same.ts";
import { Decoder, decodeAt, type EncodeError, Encoder } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

const repeat = (hex: string, n: number) => fromHex(hex.repeat(n));
const nestedArrays = (n: number): unknown => {
  let value: unknown = [];
  for (let i = 1; i < n; i++) value = [value];
  return value;
};
const nestedMaps = (n: number): unknown => {
  let value: unknown = {};
  for (let i = 1; i < n; i++) value = { a: value };
  return value;
};
const nestedMapObjects = (n: number): unknown => {
  let value: unknown = new Map();
  for (let i = 1; i < n; i++) value = new Map([[1, value]]);
  return value;
};

describe("nesting and cycles", () => {
  test("by default 512 open containers are allowed, for encoding and decoding", () => {
    for (const make of [nestedArrays, nestedMaps, nestedMapObjects]) {
      const bytes = encoder.encode(make(512));
      expect(toHex(encoder.encode(decoder.decode(bytes)))).toBe(toHex(bytes));
      expect(refused(make(513)).code).toBe("ERR_LIMIT_DEPTH");
    }
  });

  test("100,000 nested arrays and maps: ERR_LIMIT_DEPTH in both directions", () => {
    for (const make of [nestedArrays, nestedMaps, nestedMapObjects])
      expect(refused(make(100_000)).code).toBe("ERR_LIMIT_DEPTH");
    for (const [unit, offset] of [
      ["91", 512],
      ["81a161", 512 * 3],
      ["8101", 512 * 2],
      ["dc0001", 512 * 3],
      ["df00000001a161", 512 * 7],
    ] as const) {
      const bytes = concat(repeat(unit, 100_000), fromHex("c0"));
      expect(refusedBytes(bytes), unit).toEqual({ code: "ERR_LIMIT_DEPTH", offset, needMore: 0 });
      expect(
        fault(() => decodeAt(bytes, 0)),
        unit,
      ).toEqual({ code: "ERR_LIMIT_DEPTH", offset, needMore: 0 });
    }
    // Maps nested as keys.
    expect(refusedBytes(concat(repeat("81", 100_000), repeat("c0", 100_001))).code).toBe("ERR_LIMIT_DEPTH");
  });

  test("ERR_LIMIT_DEPTH has the path of the value that is too deep", () => {
    const error = caughtOurs(() => new Encoder({ maxDepth: 3 }).encode({ a: [{ b: [1] }] })) as EncodeError;
    expect([error.code, error.path]).toEqual(["ERR_LIMIT_DEPTH", "$.a[0].b"]);
  });

  test("maxDepth counts open containers, empty ones included", () => {
    // In pages the small classes recurse, up to the end of the call stack.
    const engine = complete;
    for (const maxDepth of [1, 2, 5, 600, 4096]) {
      for (const make of [nestedArrays, nestedMaps, nestedMapObjects]) {
        const one = new Encoder({ maxDepth, engine });
        const bytes = one.encode(make(maxDepth));
        expect(fault(() => one.encode(make(maxDepth + 1))).code).toBe("ERR_LIMIT_DEPTH");
        for (const codeGeneration of [true, false]) {
          const back = new Decoder({ maxDepth, codeGeneration, engine });
          expect(toHex(one.encode(back.decode(bytes)))).toBe(toHex(bytes));
          if (maxDepth > 1)
            expect(fault(() => new Decoder({ maxDepth: maxDepth - 1, engine }).decode(bytes)).code).toBe(
              "ERR_LIMIT_DEPTH",
            );
        }
      }
    }
  });

  test("4,000 levels of all container types, whole and truncated at many offsets", () => {
    const one = new Encoder({ maxDepth: 4096, engine: complete });
    const back = new Decoder({ maxDepth: 4096, engine: complete });
    let value: unknown = "end";
    for (let i = 0; i < 4000; i++)
      value = i % 3 === 0 ? [i, value, "x"] : i % 3 === 1 ? { k: i, v: value, w: 1.5 } : new Map([[i, value]]);
    const bytes = one.encode(value);
    none(differ(back.decode(bytes), value));
    for (let n = 0; n < bytes.length; n += stride(97)) {
      const { code, needMore } = fault(() => back.decode(bytes.slice(0, n)));
      expect(code).toBe("ERR_TRUNCATED");
      expect(n + Number(needMore)).toBeLessThanOrEqual(bytes.length);
    }
    none(differ(back.decode(bytes), value));
  });

  test("cycles: ERR_CYCLE, long before the depth limit, with the path of the cycle", () => {
    const self: Record<string, unknown> = {};
    self.me = self;
    expect(refused(self)).toEqual({ code: "ERR_CYCLE", path: "$.me" });
    const list: unknown[] = [1];
    list.push(list);
    expect(refused(list)).toEqual({ code: "ERR_CYCLE", path: "$[1]" });
    const a: Record<string, unknown> = { x: 1 };
    const b = { list: [0, { a }] };
    a.b = b;
    expect(refused({ deep: a })).toEqual({ code: "ERR_CYCLE", path: "$.deep.b.list[1].a" });
    const map = new Map<unknown, unknown>();
    map.set("m", [map]);
    expect(refused(map)).toEqual({ code: "ERR_CYCLE", path: "$.m[0]" });
    // A long cycle, a cycle that begins at a deep level, and a cycle through toMessagePack.
    const ring: Record<string, unknown>[] = Array.from({ length: 50 }, () => ({}));
    for (const [i, node] of ring.entries()) node.next = ring[(i + 1) % 50];
    expect(refused(ring[0]).code).toBe("ERR_CYCLE");
    const tail: unknown[] = [];
    tail.push(tail);
    let late: unknown = tail;
    for (let i = 0; i < 300; i++) late = [late];
    expect(refused(late).code).toBe("ERR_CYCLE");
    class Loop {
      toMessagePack(): unknown {
        return { again: this };
      }
    }
    expect(["ERR_CYCLE", "ERR_LIMIT_DEPTH"]).toContain(refused(new Loop()).code);
  });

  test("an object that occurs twice is not a cycle", () => {
    const shared = { a: [1] };
    const value = { x: shared, y: [shared, shared], z: { shared } };
    none(differ(decoder.decode(encoder.encode(value)), value));
    let tree: unknown = 1;
    for (let i = 0; i < 14; i++) tree = [tree, tree];
    none(differ(decoder.decode(encoder.encode(tree)), tree));
  });
});
