/** Bytes that end before a Reader's `len`, and lists of values that are not bytes. */

import { fault } from "@moonpack/harness/caught.ts";
import { Reader, Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";

const READS: readonly [string, (reader: Reader) => unknown][] = [
  ["uint32", (reader) => reader.uint32()],
  ["int32", (reader) => reader.int32()],
  ["sint32", (reader) => reader.sint32()],
  ["bool", (reader) => reader.bool()],
  ["uint64", (reader) => reader.uint64()],
  ["int64", (reader) => reader.int64()],
  ["sint64", (reader) => reader.sint64()],
  ["fixed32", (reader) => reader.fixed32()],
  ["fixed64", (reader) => reader.fixed64()],
  ["float", (reader) => reader.float()],
  ["double", (reader) => reader.double()],
  ["string", (reader) => reader.string()],
  ["bytes", (reader) => reader.bytes()],
  ["tag", (reader) => reader.tag()],
  ["skip", (reader) => reader.skip()],
  ["skipType", (reader) => reader.skipType(2)],
  ["int32s", (reader) => reader.int32s()],
  ["doubles", (reader) => reader.doubles()],
];

/** The code and offset of the error of `act`. Other tests check `needMore`. */
function codeAndOffset(act: () => unknown): Record<string, unknown> {
  const { code, offset } = fault(act);
  return { code, offset };
}

describe("a Reader does not read past the end", () => {
  for (const [name, read] of READS) {
    test(`${name} of bytes that were transferred`, () => {
      const bytes = new Uint8Array(20).fill(1);
      const reader = new Reader(bytes);
      reader.pos = 1;
      structuredClone(bytes, { transfer: [bytes.buffer] });
      expect(codeAndOffset(() => read(reader))).toEqual({ code: "ERR_TRUNCATED", offset: 1 });
      expect(reader.pos).toBe(1);
    });

    test(`${name} after len was set beyond the bytes`, () => {
      const reader = new Reader(new Uint8Array([1, 2, 3]));
      reader.len = 40;
      reader.pos = 3;
      expect(codeAndOffset(() => read(reader))).toEqual({ code: "ERR_TRUNCATED", offset: 3 });
    });
  }

  test("text that is shorter than its length", () => {
    const reader = new Reader(new Uint8Array([9, 65, 66]));
    reader.len = 40;
    expect(fault(() => reader.string())).toEqual({ code: "ERR_TRUNCATED", offset: 0, needMore: 7 });
  });
});

describe("strict bytes", () => {
  test("values that are not bytes throw", () => {
    for (const list of [[300], [-1], [1.5], ["x"], [null], new Uint16Array([256])]) {
      for (const write of [(w: Writer) => w.bytes(list as number[]), (w: Writer) => w.raw(list as number[])]) {
        expect(fault(() => write(new Writer({ strict: true }))).code).toBe("ERR_OUT_OF_RANGE");
        expect(write(new Writer()).finish().length).toBeGreaterThan(0);
      }
    }
  });

  test("lists of bytes are written", () => {
    const strict = new Writer({ strict: true });
    expect([
      ...strict
        .bytes([0, 255])
        .raw(new Uint16Array([7]))
        .finish(),
    ]).toEqual([2, 0, 255, 7]);
  });
});
