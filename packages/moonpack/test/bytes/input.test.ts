import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { type BytesInput, toBytes } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

const detached = (buffer: ArrayBuffer) => structuredClone(buffer, { transfer: [buffer] });
/** Types of ES2024, which the library does not use. */
interface Resizable extends ArrayBuffer {
  resize(size: number): void;
}
const resizable = (size: number, max: number) =>
  new (ArrayBuffer as unknown as new (size: number, options: { maxByteLength: number }) => Resizable)(size, {
    maxByteLength: max,
  });

describe("toBytes", () => {
  test("a view of any kind becomes a view of the same part of the same memory", () => {
    const buffer = new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]).buffer;
    const whole = new Uint8Array(buffer);
    expect(toBytes(whole)).toBe(whole);
    for (const [view, first, length] of [
      [new Uint8Array(buffer, 3, 5), 3, 5],
      [new Uint8ClampedArray(buffer, 3, 5), 3, 5],
      [new Int8Array(buffer, 1), 1, 15],
      [new Uint16Array(buffer, 2, 3), 2, 6],
      [new Float64Array(buffer, 8, 1), 8, 8],
      [new BigInt64Array(buffer), 0, 16],
      [new DataView(buffer, 5, 2), 5, 2],
      [buffer, 0, 16],
    ] as const) {
      const bytes = toBytes(view as BytesInput);
      expect(bytes.length).toBe(length);
      expect(bytes[0]).toBe(first);
      expect(bytes.buffer).toBe(buffer);
    }
  });

  test("empty inputs are empty", () => {
    for (const input of [
      new Uint8Array(0),
      new ArrayBuffer(0),
      new DataView(new ArrayBuffer(0)),
      new Uint8Array(8).subarray(8),
    ]) {
      expect(toBytes(input).length).toBe(0);
    }
  });

  test("resizable buffers are copied: their owner may shrink them", () => {
    const buffer = resizable(8, 64);
    const view = new Uint8Array(buffer);
    view.set([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const input of [buffer, view, new DataView(buffer), new Uint8Array(buffer, 0, 8)]) {
      const bytes = toBytes(input);
      expect([...bytes]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(bytes.buffer).not.toBe(buffer);
    }
    const fixed = new Uint8Array(buffer, 4, 4);
    const fixedView = new DataView(buffer, 4, 4);
    const kept = toBytes(fixed);
    buffer.resize(2);
    expect([...kept]).toEqual([5, 6, 7, 8]);
    expect([...toBytes(buffer)]).toEqual([1, 2]);
    // Out of bounds now: no bytes or a coded error, never another error.
    let outside = -1;
    try {
      outside = toBytes(fixed).length;
    } catch {
      expect(fault(() => toBytes(fixed))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      outside = 0;
    }
    expect(outside).toBe(0);
    expect(fault(() => toBytes(fixedView))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });

  test("detached buffers are rejected in every form", () => {
    const made: [string, (b: ArrayBuffer) => BytesInput][] = [
      ["ArrayBuffer", (b) => b],
      ["Uint8Array", (b) => new Uint8Array(b)],
      ["part of one", (b) => new Uint8Array(b, 2, 3)],
      ["Float32Array", (b) => new Float32Array(b)],
      ["DataView", (b) => new DataView(b)],
    ];
    for (const [name, make] of made) {
      const buffer = new ArrayBuffer(8);
      const input = make(buffer);
      detached(buffer);
      const error = caughtOurs(() => toBytes(input));
      expect(error.code, name).toBe("ERR_INVALID_ARGUMENT");
      expect(error.message, name).toMatch(/detached/);
    }
  });

  test("optimised code rejects detached buffers too", () => {
    const inputs: BytesInput[] = [];
    for (const n of [0, 1, 4, 100, 5000]) {
      const buffer = new ArrayBuffer(n);
      const growing = resizable(n, n + 9);
      inputs.push(
        buffer,
        new Uint8Array(buffer),
        new DataView(buffer),
        growing,
        new Uint8Array(growing),
        new DataView(growing),
      );
    }
    for (let i = 0; i < share(40_000); i++) for (const input of inputs) toBytes(input);
    for (let i = 0; i < 3; i++) {
      const bytes = Uint8Array.from([1, 2, 3]);
      detached(bytes.buffer);
      expect(fault(() => toBytes(bytes))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
  });

  test("anything else is rejected, with a text that names it", () => {
    const wrong: [unknown, string][] = [
      [undefined, "undefined"],
      [null, "null"],
      ["abc", "string"],
      [5, ""],
      [10n, ""],
      [true, ""],
      [[1, 2, 3], "an array"],
      [{}, "object"],
      [{ byteLength: 3, buffer: new ArrayBuffer(3), byteOffset: 0 }, "object"],
      [Object.create(Uint8Array.prototype) as unknown, "object"],
      [Object.create(ArrayBuffer.prototype) as unknown, "object"],
      [() => 1, "function"],
      [Symbol("s"), "symbol"],
    ];
    for (const [input, shown] of wrong) {
      const error = caughtOurs(() => toBytes(input as BytesInput));
      expect(error.code).toBe("ERR_INVALID_ARGUMENT");
      // An object that imitates an empty buffer may be taken for a detached one.
      expect(error.message).toMatch(/Uint8Array.*ArrayBuffer.*DataView|detached/);
      if (!error.message.includes("detached")) expect(error.message).toMatch(shown);
    }
  });
});

describe.runIf(typeof SharedArrayBuffer !== "undefined")("toBytes and shared memory", () => {
  test("shared memory is copied: another thread may write to it", () => {
    const shared = new SharedArrayBuffer(8);
    const view = new Uint8Array(shared);
    view.set([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const [input, want] of [
      [shared, [1, 2, 3, 4, 5, 6, 7, 8]],
      [view, [1, 2, 3, 4, 5, 6, 7, 8]],
      [view.subarray(2, 4), [3, 4]],
      [new DataView(shared, 6), [7, 8]],
      [new Uint16Array(shared, 0, 1), [1, 2]],
    ] as const) {
      const bytes = toBytes(input as BytesInput);
      expect([...bytes]).toEqual(want);
      expect(bytes.buffer).toBeInstanceOf(ArrayBuffer);
    }
  });
});
