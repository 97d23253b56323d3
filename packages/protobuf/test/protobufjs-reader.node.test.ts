/** Every member of protobuf.js's Reader on random bytes: the same values, `pos` and failures as in 8.8. */

import { none } from "@moonpack/harness/each.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { configure, Reader, Writer } from "@moonpack/protobuf";
import { DecodeError } from "moonpack/bytes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INTEGERS64, NUMBERS, type Random, randomCall } from "./model.ts";
import { Long, originals, protobuf8 } from "./protobufjs.ts";

beforeAll(() => configure({ Long }));
afterAll(() => configure({ Long: null }));

const VALUES = [...NUMBERS, ...INTEGERS64, "bool", "string", "stringVerify", "bytes", "tag", "size"] as const;
const PACKED = [...NUMBERS, ...INTEGERS64, "bool"].map((name) => `${name}s`);

function call(reader: Reader, name: string, ...values: unknown[]): unknown {
  return (reader as unknown as Record<string, (...values: unknown[]) => unknown>)[name]!(...values);
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

function outcome(reader: Reader, name: string, ...values: unknown[]): Outcome {
  try {
    const value = call(reader, name, ...values);
    return { value: value === reader ? "this" : value };
  } catch (error) {
    return { error };
  }
}

/** Calls the method of both on the same bytes. Returns false if both throw. */
function compare(theirs: Reader, ours: Reader, name: string, ...values: unknown[]): boolean {
  const start = ours.pos;
  const want = outcome(theirs, name, ...values);
  const got = outcome(ours, name, ...values);
  const what = `${name}(${values}) at ${start} of ${toHex(ours.buf.subarray(0, 60))}`;
  if ("error" in want) {
    if (!("error" in got)) throw new Error(`${what}: accepted, against ${want.error}`);
    if (!(got.error instanceof DecodeError)) throw new Error(`${what}: not ours: ${got.error}`);
    const { offset, needMore, code } = got.error;
    if (!(offset >= start && offset <= ours.buf.length)) throw new Error(`${what}: offset ${offset}`);
    if (needMore > 0 && code !== "ERR_TRUNCATED") throw new Error(`${what}: needMore ${needMore} of ${code}`);
    return false;
  }
  if ("error" in got) throw new Error(`${what}: refused: ${got.error}`);
  none(differ(got.value, want.value), what);
  if (ours.pos !== theirs.pos || ours.len !== theirs.len)
    throw new Error(`${what}: ends at ${ours.pos}, not ${theirs.pos}`);
  return true;
}

/** Bytes in which varints of every length, and too long ones, are frequent. */
function noise(random: Random, length: number): Uint8Array {
  const bytes: number[] = [];
  while (bytes.length < length) {
    const kind = random(5);
    if (kind === 0) for (let k = random(12); k > 0; k--) bytes.push(0x80 | random(128));
    else if (kind === 1) bytes.push(random(256));
    else if (kind === 2) bytes.push(random(16));
    else if (kind === 3) for (let k = random(11); k > 0; k--) bytes.push(0xff);
    else bytes.push(...Buffer.from(["text", "é", "日本", "😀", "\ufeff", "\0"][random(6)]!));
  }
  return Uint8Array.from(bytes.slice(0, length));
}

describe("values", () => {
  test("every method at any place of random bytes, with any end", () => {
    const random = randomSource(61);
    let accepted = 0;
    let refused = 0;
    for (let i = 0; i < 500; i++) {
      const bytes = noise(random, random(40));
      for (const name of [...VALUES, ...PACKED]) {
        const pos = random(bytes.length + 1);
        const len = random(3) === 0 ? pos + random(bytes.length - pos + 1) : bytes.length;
        const [theirs, ours] = [new protobuf8.Reader(bytes), new Reader(bytes)];
        for (const reader of [theirs, ours]) Object.assign(reader, { pos, len });
        if (compare(theirs, ours, name)) accepted++;
        else refused++;
      }
    }
    expect(Math.min(accepted, refused)).toBeGreaterThan(3000);
  });

  test("call after call, until one throws", () => {
    const random = randomSource(62);
    for (let i = 0; i < 1500; i++) {
      const bytes = noise(random, random(200));
      const [theirs, ours] = [new protobuf8.Reader(bytes), new Reader(bytes)];
      for (let k = 0; k < 40; k++) {
        const kind = random(12);
        if (kind === 0) {
          if (!compare(theirs, ours, "skip")) break;
        } else if (kind === 1) {
          if (!compare(theirs, ours, "skip", random(8))) break;
        } else if (kind < 4) {
          const field = random(3) === 0 ? [0, random(3)] : [];
          if (!compare(theirs, ours, "skipType", random(8), ...field)) break;
        } else if (!compare(theirs, ours, [...VALUES, ...PACKED][random(VALUES.length + PACKED.length)]!)) break;
      }
    }
  });

  test("packed items of a Writer, appended to given lists", () => {
    const random = randomSource(63);
    for (let i = 0; i < 200; i++) {
      for (const name of PACKED) {
        const single = name.slice(0, -1) as (typeof NUMBERS)[number];
        const writer = new Writer().fork();
        for (let k = random(30) === 0 ? 300 : random(12); k > 0; k--)
          writer[single](random(2) === 0 ? random(300) : random(2 ** 32) - 2 ** 31);
        const bytes = writer.ldelim().finish();
        const [theirs, ours] = [new protobuf8.Reader(bytes), new Reader(bytes)];
        const [first, second]: unknown[][] = [
          [1, 2],
          [1, 2],
        ];
        compare(theirs, ours, name);
        [theirs.pos, ours.pos] = [0, 0];
        none(differ(call(ours, name, second), call(theirs, name, first)), name);
        expect(first!.length).toBe(second!.length);
      }
    }
  });

  test("floats and doubles of random bits, few and many", () => {
    const random = randomSource(64);
    const bytes = Uint8Array.from({ length: 1600 }, () => random(256));
    for (const name of ["float", "double", "fixed32", "sfixed32", "fixed64", "sfixed64"]) {
      const [theirs, ours] = [new protobuf8.Reader(bytes), new Reader(bytes)];
      while (compare(theirs, ours, name));
      expect(ours.pos).toBe(1600);
    }
  });

  test("text with every kind of malformed UTF-8", () => {
    const parts = [
      "61",
      "c3a9",
      "e697a5",
      "f09f9880",
      "c3",
      "e697",
      "f09f98",
      "80",
      "ff",
      "c0af",
      "eda080",
      "f4908080",
      "efbbbf",
      "edb080",
      "f8888080",
    ];
    const random = randomSource(65);
    for (let i = 0; i < 3000; i++) {
      let hex = "";
      for (let k = random(20) === 0 ? 80 : random(12); k > 0; k--)
        hex += random(2) === 0 ? "61" : parts[random(parts.length)]!;
      const bytes = new Writer().bytes(Buffer.from(hex, "hex")).finish();
      for (const name of ["string", "stringVerify"]) compare(new protobuf8.Reader(bytes), new Reader(bytes), name);
    }
  });
});

describe("members", () => {
  test("skipType skips everything that a Writer writes, nested groups too", () => {
    const random = randomSource(66);
    const level = (writer: Writer, depth: number): Writer => {
      for (let k = random(4); k > 0; k--) {
        const id = 1 + random(3000);
        const kind = random(depth === 0 ? 4 : 5);
        if (kind === 0) writer.uint32(id << 3).int64(random(2 ** 32));
        else if (kind === 1) writer.uint32((id << 3) | 1).double(1);
        else if (kind === 2) writer.uint32((id << 3) | 2).bytes(randomCall(random).bytes);
        else if (kind === 3) writer.uint32((id << 3) | 5).float(1);
        else level(writer.uint32((id << 3) | 3), depth - 1).uint32((id << 3) | 4);
      }
      return writer;
    };
    for (let i = 0; i < 300; i++) {
      const bytes = level(new Writer(), 5).finish();
      const [theirs, ours] = [new protobuf8.Reader(bytes), new Reader(bytes)];
      while (ours.pos < ours.len) {
        const tag = ours.tag();
        expect(theirs.tag()).toBe(tag);
        const more = random(2) === 0 ? [0, tag >>> 3] : [];
        if (!compare(theirs, ours, "skipType", tag & 7, ...more)) throw new Error("refused");
      }
    }
  });

  test("groups of 100 levels are skipped, of 101 throw; `depth` counts", () => {
    for (const levels of [1, 50, 99, 100, 101, 102, 5000]) {
      const bytes = new Uint8Array(2 * levels).fill(0x0b, 0, levels).fill(0x0c, levels);
      for (const depth of [0, 1, 50, 99, 100, 101]) {
        const [theirs, ours] = [new protobuf8.Reader(bytes), new Reader(bytes)];
        for (const reader of [theirs, ours]) reader.tag();
        compare(theirs, ours, "skipType", 3, depth, 1);
      }
    }
  });

  test("raw returns a view of any part", () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    const [theirs, ours] = [new protobuf8.Reader(bytes), new Reader(bytes)];
    for (const [start, end] of [
      [0, 4],
      [1, 3],
      [2, 2],
      [3, 9],
      [4, 4],
    ])
      compare(theirs, ours, "raw", start, end);
    expect(ours.raw(1, 3).buffer === bytes.buffer).toBe(true);
  });

  test("create accepts bytes, Buffers and arrays of numbers", () => {
    for (const given of [Uint8Array.of(5, 1, 2, 3), Buffer.from([5, 1]), [3, 1, 2, 300], []]) {
      const [theirs, ours] = [protobuf8.Reader.create(given), Reader.create(given)];
      expect([...ours.buf]).toEqual([...theirs.buf]);
      expect([ours.pos, ours.len]).toEqual([theirs.pos, theirs.len]);
      expect(Buffer.isBuffer(ours.raw(0, 1))).toBe(Buffer.isBuffer(theirs.raw(0, 1)));
    }
  });

  test("no public member of the originals is missing", () => {
    const inner = ["view", "constructor", "_slice"];
    const statics = [
      "length",
      "name",
      "prototype",
      "arguments",
      "caller",
      "_configure",
      "recursionLimit",
      "discardUnknown",
    ];
    for (const { Reader: Original } of originals) {
      const theirs = new Original(new Uint8Array(1));
      const members = [...Object.keys(theirs), ...Object.getOwnPropertyNames(Original.prototype)];
      const ours = new Reader(new Uint8Array(1));
      expect(members.filter((name) => !(name in ours) && !inner.includes(name))).toEqual([]);
      expect(
        Object.getOwnPropertyNames(Original).filter((name) => !(name in Reader) && !statics.includes(name)),
      ).toEqual([]);
    }
  });
});
