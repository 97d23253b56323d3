import { runInNewContext } from "node:vm";
import { fault } from "@moonpack/harness/caught.ts";
import { type BytesInput, copyOwned, Slab, toBytes } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

const foreign = (code: string) => runInNewContext(code) as BytesInput;

describe("inputs that only exist in Node", () => {
  test("buffers and views of another realm", () => {
    for (const code of [
      "new Uint8Array([1, 2, 3])",
      "new Uint8Array([1, 2, 3]).buffer",
      "new DataView(new Uint8Array([1, 2, 3]).buffer)",
      "new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4)",
      "(b => (new Uint8Array(b).set([1, 2, 3]), b))(new SharedArrayBuffer(3))",
      "(b => (new Uint8Array(b).set([1, 2, 3]), b))(new ArrayBuffer(3, { maxByteLength: 9 }))",
    ]) {
      const bytes = toBytes(foreign(code));
      expect([...bytes], code).toEqual([1, 2, 3]);
      expect(bytes, code).toBeInstanceOf(Uint8Array);
    }
  });

  test("resizable and shared memory of another realm is copied too", () => {
    for (const code of ["new ArrayBuffer(4, { maxByteLength: 9 })", "new SharedArrayBuffer(4)"]) {
      const buffer = foreign(code) as ArrayBuffer;
      for (const input of [buffer, new Uint8Array(buffer), new DataView(buffer)]) {
        const bytes = toBytes(input);
        expect(bytes.buffer, code).not.toBe(buffer);
        new Uint8Array(buffer).fill(9);
        expect([...bytes], code).toEqual([0, 0, 0, 0]);
        new Uint8Array(buffer).fill(0);
      }
    }
  });

  test("a detached buffer of another realm is rejected", () => {
    const buffer = foreign("new ArrayBuffer(8)") as ArrayBuffer;
    const view = new DataView(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    for (const input of [buffer, view]) expect(fault(() => toBytes(input))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });

  test("Buffers are Uint8Arrays", () => {
    expect([...toBytes(Buffer.from([1, 2, 3]))]).toEqual([1, 2, 3]);
  });

  test("Buffer's own slice is a view: copies must not use it", () => {
    const shared = Buffer.from(new SharedArrayBuffer(100));
    const copy = toBytes(shared);
    shared[0] = 7;
    expect(copy[0]).toBe(0);
    expect(copy.buffer).toBeInstanceOf(ArrayBuffer);
    for (const size of [10, 100, 3000]) {
      const source = Buffer.alloc(5000);
      const owned = copyOwned(source, 1, 1 + size);
      const cut = new Slab().copy(source, 1, 1 + size);
      source.fill(9);
      expect(owned.every((byte) => byte === 0)).toBe(true);
      expect(cut.every((byte) => byte === 0)).toBe(true);
      expect(Object.getPrototypeOf(owned)).toBe(Uint8Array.prototype);
      expect(Object.getPrototypeOf(cut)).toBe(Uint8Array.prototype);
    }
  });
});
