/** Values of another realm, and bytes in shared, pooled, resizable or detached memory. */
import { runInNewContext } from "node:vm";
import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { vectors } from "@moonpack/harness/vectors.ts";
import { Decoder, decode, decodeAt, encode, encodeInto } from "moonpack";
import { describe, expect, test } from "vitest";

describe("values and inputs of another realm", () => {
  test("plain objects, arrays, Dates and views of another realm encode like values of this realm", () => {
    const here = { a: [1, { b: "x" }], d: new Date(1000), u: new Uint8Array([1, 2]), n: null };
    const there = runInNewContext(
      `({ a: [1, { b: "x" }], d: new Date(1000), u: new Uint8Array([1, 2]), n: null })`,
    ) as object;
    expect(toHex(encode(there))).toBe(toHex(encode(here)));
    none(differ(decode(encode(there)), here));
    expect(toHex(encode(runInNewContext("Object.create(null)")))).toBe("80");
    for (const code of ["new ArrayBuffer(2)", "new DataView(new ArrayBuffer(2))", "new Uint16Array(1)"]) {
      expect(toHex(encode(runInNewContext(code))), code).toBe("c4020000");
    }
  });

  test("a Map of another realm is written as a map or rejected, never as an empty object", () => {
    const map: unknown = runInNewContext("new Map([[1, 2]])");
    let bytes: Uint8Array;
    try {
      bytes = encode([map]);
    } catch {
      expect(fault(() => encode([map]))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
      return;
    }
    expect(toHex(bytes)).toBe("91810102");
  });

  test("unsupported types of another realm are rejected too", () => {
    for (const code of [
      "() => 1",
      "Symbol('s')",
      "new Set([1])",
      "/x/",
      "new (class A {})",
      "new Date(NaN)",
      "Object.create({ a: 1 })",
    ]) {
      expect(
        fault(() => encode([runInNewContext(code)])),
        code,
      ).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
    }
  });

  test("every vector from Buffers, shared memory, resizable buffers and views of another realm", () => {
    const decoder = new Decoder({ unknownExtensions: "keep" });
    const viewing = new Decoder({ unknownExtensions: "keep", binary: "view" });
    const foreign = runInNewContext("(list) => new Uint8Array(list)") as (list: Uint8Array) => Uint8Array;
    const Resizable = ArrayBuffer as unknown as new (size: number, options: { maxByteLength: number }) => ArrayBuffer;
    for (const { name, bytes, value } of vectors.filter((v) => v.bytes.length < 70_000)) {
      const shared = new SharedArrayBuffer(bytes.length);
      new Uint8Array(shared).set(bytes);
      const resizable = new Resizable(bytes.length, { maxByteLength: bytes.length + 100 });
      new Uint8Array(resizable).set(bytes);
      for (const input of [
        Buffer.from(bytes),
        shared,
        new Uint8Array(shared),
        resizable,
        new DataView(resizable),
        foreign(bytes),
      ]) {
        for (const one of bytes.length < 3000 ? [decoder, viewing] : [decoder])
          none(differ(one.decode(input), value()), name);
      }
    }
    expect(Object.getPrototypeOf(decode(Buffer.from([0xc4, 1, 7])))).toBe(Uint8Array.prototype);
    expect(Object.getPrototypeOf(decode(Buffer.from([0xc4, 1, 7]), { binary: "view" }))).toBe(Uint8Array.prototype);
  });

  test("binary decoded from a Buffer is a copy with a separate buffer, not a view of the pool or the input", () => {
    for (const size of [3, 40, 100, 3000]) {
      const message = Buffer.from(encode([new Uint8Array(size).fill(7), "x".repeat(size)]));
      const [copy] = decode<[Uint8Array]>(message);
      message.fill(0);
      expect(copy.every((byte) => byte === 7)).toBe(true);
      expect(copy.buffer.byteLength).toBe(size);
    }
  });

  test("encodeInto a Buffer; decoding a detached input", () => {
    const target = Buffer.alloc(20);
    expect(encodeInto({ a: 1 }, target, 5)).toBe(9);
    expect(target.toString("hex", 5, 9)).toBe("81a16101");
    const bytes = fromHex("93010203");
    const kept = new Uint8Array(bytes);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    expect(fault(() => decode(bytes))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(fault(() => decodeAt(bytes, 0))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(decode(kept)).toEqual([1, 2, 3]);
  });
});
