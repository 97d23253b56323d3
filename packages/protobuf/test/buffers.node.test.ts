/** Node's Buffers as input, as values and as targets. Bytes that are read from a Buffer are Buffers, as in protobuf.js. */

import { configure, Reader, Writer } from "@moonpack/protobuf";
import { BufferWriter } from "@moonpack/protobuf/node";
import { describe, expect, test } from "vitest";
import { Long, originals } from "./protobufjs.ts";

const pooled = Buffer.from("--\x07\x04textend").subarray(2);

describe("Buffers", () => {
  test("bytes() and raw() return a Buffer over a Buffer, a Uint8Array over a Uint8Array", () => {
    for (const length of [0, 1, 300]) {
      const bytes = new Writer().bytes(new Uint8Array(length).fill(5)).finish();
      for (const input of [Buffer.from(bytes), bytes]) {
        const reader = new Reader(input);
        const given = reader.bytes();
        expect(Buffer.isBuffer(given)).toBe(Buffer.isBuffer(input));
        expect(given.length).toBe(length);
        expect(given.buffer).toBe(input.buffer);
        expect(Buffer.isBuffer(reader.raw(0, 1))).toBe(Buffer.isBuffer(input));
        for (const { Reader: Original, version } of originals) {
          if (version === 7 && length === 0) continue; // a Buffer always
          expect(Original.create(input).bytes().constructor).toBe(given.constructor);
        }
      }
    }
  });

  test("a Buffer from Node's pool is read from its own first byte", () => {
    const reader = Reader.create(pooled);
    expect([reader.uint32(), reader.string(), reader.raw(6, 9).toString()]).toEqual([7, "text", "end"]);
    const numbers = Buffer.from(`--${"\x01\x02\x03\x04".repeat(40)}`, "latin1").subarray(2);
    const many = new Reader(numbers);
    const [first, ...others] = Array.from({ length: 20 }, () => many.double());
    for (const other of others) expect(other).toBe(first);
  });

  test("Buffers as values and as targets", () => {
    const want = "0474657874656e64";
    expect(
      Buffer.from(new Writer().bytes(pooled.subarray(2, 6)).raw(pooled.subarray(6)).finish()).toString("hex"),
    ).toBe(want);
    const target = Buffer.alloc(10, 1);
    expect(new Writer().bytes(pooled.subarray(2, 6)).raw(pooled.subarray(6)).finishInto(target, 1)).toBe(target);
    expect(target.toString("hex")).toBe(`01${want}01`);
    expect(Buffer.isBuffer(new Writer().string("x").finish())).toBe(false);
  });

  test("BufferWriter returns Buffers that are not written to again; finish(true) returns a view", () => {
    for (const length of [0, 5, 3000, 100_000]) {
      const text = "x".repeat(length);
      const writer = BufferWriter.create().string(text);
      const want = Buffer.from(new Writer().string(text).finish());
      const [first, second] = [writer.finish(), writer.finish()];
      for (const result of [first, second]) {
        expect(Buffer.isBuffer(result)).toBe(true);
        expect(result.equals(want)).toBe(true);
      }
      first.fill(0);
      expect(second.equals(want)).toBe(true);
      expect(writer.finish().equals(want)).toBe(true);
      const view = writer.finish(true);
      expect(Buffer.isBuffer(view) && view.equals(want)).toBe(true);
      expect(Buffer.isBuffer(writer.finishInto(Buffer.alloc(length + 5)))).toBe(true);
    }
    expect(BufferWriter.alloc(3).length).toBe(3);
    expect(new BufferWriter({ strict: true }).finish().length).toBe(0);
  });

  test("npm `long` as value and as result", () => {
    configure({ Long });
    try {
      for (const value of [
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        Long.fromString("123456789012345678"),
        Long.NEG_ONE,
        Long.UZERO,
        Long.MAX_UNSIGNED_VALUE,
      ]) {
        const reader = new Reader(
          new Writer().int64(value).uint64(value).sint64(value).fixed64(value).sfixed64(value).finish(),
        );
        for (const name of ["int64", "uint64", "sint64", "fixed64", "sfixed64"] as const) {
          const isUnsigned = name === "uint64" || name === "fixed64";
          expect(reader[name](), name).toEqual(isUnsigned ? value.toUnsigned() : value.toSigned());
        }
      }
    } finally {
      configure({ Long: null });
    }
  });
});
