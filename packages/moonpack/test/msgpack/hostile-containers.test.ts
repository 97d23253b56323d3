/** Unusual objects and buffers: frozen objects, objects without a prototype, views of every type, detached buffers. */

import { none } from "@moonpack/harness/each.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { refused } from "@moonpack/harness/refused.ts";
import { differ } from "@moonpack/harness/same.ts";
import { decode, encode } from "moonpack";
import { describe, expect, test } from "vitest";

describe("unusual containers", () => {
  test("frozen, sealed and null-prototype objects are plain objects", () => {
    const value = { a: 1, b: [1, 2] };
    const bare = Object.assign(Object.create(null) as object, value);
    for (const one of [
      Object.freeze({ ...value, b: Object.freeze([1, 2]) }),
      Object.seal({ ...value }),
      bare,
      Object.freeze(bare),
    ]) {
      none(differ(decode(encode(one)), value));
    }
    const own = Object.create(null) as object;
    Object.defineProperty(own, "__proto__", { value: 1, enumerable: true });
    expect(toHex(encode(own))).toBe("81a95f5f70726f746f5f5f01");
  });

  test("typed arrays, DataViews and ArrayBuffers are written as bin", () => {
    const buffer = fromHex("0102030405060708").buffer;
    for (const view of [
      buffer,
      new Uint8Array(buffer),
      new Uint8ClampedArray(buffer),
      new Int8Array(buffer),
      new Uint16Array(buffer),
      new Int32Array(buffer),
      new Float32Array(buffer),
      new Float64Array(buffer),
      new BigUint64Array(buffer),
      new DataView(buffer),
    ]) {
      expect(toHex(encode(view)), Object.prototype.toString.call(view)).toBe("c4080102030405060708");
    }
    expect(toHex(encode(new DataView(buffer, 2, 3)))).toBe("c403030405");
    expect(toHex(encode(new Uint16Array(buffer, 4, 1)))).toBe("c4020506");
  });

  test("a detached buffer is rejected in every form", () => {
    for (const make of [
      (b: ArrayBuffer) => b,
      (b: ArrayBuffer) => new Uint8Array(b),
      (b: ArrayBuffer) => new DataView(b),
      (b: ArrayBuffer) => new Float64Array(b),
    ]) {
      const buffer = new ArrayBuffer(8);
      const value = make(buffer);
      structuredClone(buffer, { transfer: [buffer] });
      const { code, path } = refused({ value });
      expect(path).toBe("$.value");
      // The code is not ERR_USER_CODE, since no user code threw.
      expect(code).not.toBe("ERR_USER_CODE");
    }
  });

  test("decoded binary is a copy by default, and a view by option", () => {
    const bytes = fromHex("c403010203");
    const big = encode(new Uint8Array(5000).fill(7));
    for (const input of [bytes, big]) {
      const copy = decode<Uint8Array>(input);
      const view = decode<Uint8Array>(input, { binary: "view" });
      expect(copy.buffer.byteLength).toBe(copy.length);
      expect(view.buffer).toBe(input.buffer);
      const before = copy[0];
      input.fill(0xee, input.length - copy.length);
      expect(copy[0]).toBe(before);
      expect(view[0]).toBe(0xee);
    }
  });
});
