/** Ownership of memory: results, targets, views, inputs of every kind, transferred buffers. */

import { fault } from "@moonpack/harness/caught.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { transferAway } from "@moonpack/harness/transfer.ts";
import * as pck from "@moonpack/pck";
import { codec } from "@moonpack/pck";
import { describe, expect, test } from "vitest";

const Data = pck.schema("Data", pck.bytes("b"), pck.utf8("t"));
const SIZES = [0, 1, 30, 60, 61, 62, 63, 100, 1000, 2040, 2047, 2048, 2049, 5000, 70_000];
const of = (size: number, fill = 7) => ({ b: new Uint8Array(size).fill(fill), t: "é" });

for (const codeGeneration of [true, false]) {
  describe(`code generation ${codeGeneration ? "on" : "off"}`, () => {
    test("encode: the result is never written again", () => {
      const data = codec(Data, { codeGeneration });
      const kept = SIZES.map((size) => {
        const bytes = data.encode(of(size));
        return { bytes, hex: toHex(bytes) };
      });
      for (const size of SIZES) {
        data.encode(of(size, 9));
        data.encodeShared(of(size, 9));
        data.encodeOwned(of(size, 9));
        data.encodeInto(of(size, 9), new Uint8Array(80_000));
      }
      for (const { bytes, hex } of kept) expect(toHex(bytes)).toBe(hex);
    });

    test("encodeOwned: the result owns its buffer, whatever its size", () => {
      const data = codec(Data, { codeGeneration });
      for (const size of SIZES) {
        const bytes = data.encodeOwned(of(size));
        expect(bytes.buffer.byteLength).toBe(bytes.length);
        expect(toHex(bytes)).toBe(toHex(data.encode(of(size))));
      }
    });

    test("encodeShared: valid until the next call, which reuses the memory", () => {
      const data = codec(Data, { codeGeneration });
      data.encodeShared(of(200));
      const first = data.encodeShared(of(100));
      const hex = toHex(first);
      expect(hex).toBe(toHex(codec(Data).encode(of(100))));
      expect(data.encodeShared(of(100, 9)).buffer).toBe(first.buffer);
      expect(toHex(first)).not.toBe(hex);
    });

    test("encodeInto: other bytes do not change; too little room changes nothing", () => {
      const data = codec(Data, { codeGeneration });
      const want = data.encode(of(10));
      const target = new Uint8Array(40).fill(0xee);
      expect(data.encodeInto(of(10), target, 5)).toBe(5 + want.length);
      expect(toHex(target)).toBe("ee".repeat(5) + toHex(want) + "ee".repeat(35 - want.length));
      const before = toHex(target);
      for (const offset of [40 - want.length + 1, 39, 40]) {
        expect(fault(() => data.encodeInto(of(10), target, offset)).code).toBe("ERR_BUFFER_TOO_SMALL");
        expect(toHex(target)).toBe(before);
      }
      expect(data.encodeInto(of(10), target, 40 - want.length)).toBe(40);
      for (const offset of [-1, 0.5, 41, Number.NaN, "1", null]) {
        expect(fault(() => data.encodeInto(of(1), target, offset as number)).code).toBe("ERR_INVALID_ARGUMENT");
      }
      for (const no of [null, [], new ArrayBuffer(9), new DataView(new ArrayBuffer(9)), new Uint16Array(9)]) {
        expect(fault(() => data.encodeInto(of(1), no as never)).code).toBe("ERR_INVALID_ARGUMENT");
      }
    });

    test("encodeInto a target that is part of the value", () => {
      const data = codec(Data, { codeGeneration });
      const target = new Uint8Array(20).fill(5);
      const want = toHex(data.encode({ b: target.slice(0, 10), t: "x" }));
      data.encodeInto({ b: target.subarray(0, 10), t: "x" }, target, 0);
      expect(toHex(target.subarray(0, 13))).toBe(want);
    });

    test("the codec works after results were transferred", () => {
      const data = codec(Data, { codeGeneration });
      for (const verb of ["encode", "encodeOwned", "encodeShared"] as const) {
        for (const size of [10, 100, 1000, 5000]) {
          const want = toHex(codec(Data).encode(of(size)));
          const bytes = data[verb](of(size));
          // Only a cut of a slab may be kept.
          if (!transferAway(bytes)) expect([verb, toHex(bytes)]).toEqual(["encode", want]);
          for (const again of ["encode", "encodeOwned", "encodeShared"] as const) {
            expect(toHex(data[again](of(size)))).toBe(want);
          }
        }
      }
    });

    test("size", () => {
      const data = codec(Data, { codeGeneration });
      for (const size of SIZES) expect(data.size(of(size))).toBe(data.encode(of(size)).length);
    });

    test("decode: every kind of input, at any offset", () => {
      const data = codec(Data, { codeGeneration });
      const bytes = data.encodeOwned(of(9));
      const roomy = new Uint8Array(bytes.length + 10);
      roomy.set(bytes, 5);
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
      shared.set(bytes);
      const inputs = [
        bytes,
        bytes.buffer,
        roomy.subarray(5, 5 + bytes.length),
        new DataView(roomy.buffer, 5, bytes.length),
        new Int8Array(bytes.buffer),
        shared,
        shared.buffer,
      ];
      for (const input of inputs) expect(data.decode(input)).toEqual(of(9));
    });

    test("bytes are copies; views are of the input, but never of shared memory", () => {
      const bytes = codec(Data).encodeOwned(of(9));
      const copy = codec(Data, { codeGeneration }).decode(bytes).b;
      expect(copy.buffer).not.toBe(bytes.buffer);
      const view = codec(Data, { codeGeneration, binary: "view" }).decode(bytes).b;
      expect(view.buffer).toBe(bytes.buffer);
      expect(view.constructor).toBe(Uint8Array);
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
      shared.set(bytes);
      const apart = codec(Data, { codeGeneration, binary: "view" }).decode(shared).b;
      expect(apart.buffer).toBeInstanceOf(ArrayBuffer);
    });

    test("bytes of a class that overrides `length`: all bytes are read", () => {
      class Lying extends Uint8Array<ArrayBuffer> {
        lie = 0;
        override get length(): number {
          return this.lie;
        }
      }
      const data = codec(Data, { codeGeneration });
      for (const size of [2, 9, 70, 5000]) {
        data.decode(data.encode(of(3000, 1)));
        const bytes = new Lying(data.encodeOwned(of(size)).buffer);
        for (bytes.lie of [0, 1, 5, 20, bytes.byteLength + 9, 100_000]) expect(data.decode(bytes)).toEqual(of(size));
      }
    });

    test("detached buffers, and values that are not bytes", () => {
      const data = codec(Data, { codeGeneration });
      const gone = data.encodeOwned(of(9));
      structuredClone(gone.buffer, { transfer: [gone.buffer] });
      for (const input of [gone, gone.buffer, "text", null, undefined, 5, [1], {}, new Map()]) {
        expect(fault(() => data.decode(input as never)).code).toBe("ERR_INVALID_ARGUMENT");
      }
      expect(fault(() => data.encode({ b: gone, t: "" }))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.b" });
    });
  });
}
