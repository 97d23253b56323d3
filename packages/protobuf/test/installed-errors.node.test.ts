/**
 * Errors of Readers in an installed or attached protobuf.js: the same calls on the original and on ours give errors of the same
 * class with the same text, leave `pos` at the same place and the same values in packed lists.
 */

import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { attach, install, Reader, uninstall, type Writer } from "@moonpack/protobuf";
import * as v7 from "@moonpack/protobufjs-7";
import * as v8 from "@moonpack/protobufjs-8";
import { DecodeError, MoonpackError } from "moonpack/bytes";
import { afterEach, describe, expect, test } from "vitest";
import type { Random } from "./model.ts";

const NUMBERS = ["uint32", "int32", "sint32", "uint64", "int64", "sint64", "bool", "fixed32", "sfixed32", "fixed64"];
const SINGLE = [...NUMBERS, "sfixed64", "float", "double", "string", "stringVerify", "bytes", "tag", "size"];
const PACKED = [...NUMBERS, "sfixed64", "float", "double"].map((name) => `${name}s`);

type AnyReader = Record<string, (...values: unknown[]) => unknown> & { pos: number; len: number };
type Call = readonly [name: string, ...values: unknown[]];

/** The visible effects of a failed call. */
interface Failure {
  readonly kind: string;
  readonly message: string;
  readonly pos: number;
  readonly values?: readonly unknown[];
}

function kindOf(error: unknown): string {
  if (error instanceof RangeError) return "RangeError";
  if (error instanceof TypeError) return "TypeError";
  return error instanceof Error ? "Error" : typeof error;
}

/** Calls a method of a new Reader. Returns the failure, or null if there is none. */
function failureOf(create: (bytes: Uint8Array) => unknown, bytes: Uint8Array, pos: number, len: number, call: Call) {
  const reader = create(bytes) as AnyReader;
  Object.assign(reader, { pos, len });
  const [name, ...rest] = call;
  const values: unknown[] = [7];
  const isPacked = PACKED.includes(name);
  try {
    reader[name]!(...(isPacked ? [values] : rest));
    return null;
  } catch (error) {
    const failure: Failure = { kind: kindOf(error), message: (error as Error).message, pos: reader.pos };
    return { error, failure: isPacked ? { ...failure, values } : failure };
  }
}

/** Bytes in which varints of all lengths, and too long ones, are frequent. */
function randomBytes(random: Random): Uint8Array {
  const bytes: number[] = [];
  for (let parts = random(12); parts > 0; parts--) {
    const kind = random(4);
    if (kind === 0) for (let k = random(12); k > 0; k--) bytes.push(0x80 | random(128));
    else if (kind === 1) for (let k = random(11); k > 0; k--) bytes.push(0xff);
    else if (kind === 2) bytes.push(random(256));
    else bytes.push(random(24));
  }
  return Uint8Array.from(bytes);
}

function randomCall(random: Random): Call {
  const kind = random(10);
  if (kind === 0) return ["skip"];
  if (kind === 1) return ["skip", random(12)];
  if (kind < 4) return ["skipType", random(8), random(6) === 0 ? 101 : random(3), random(5)];
  const names = kind < 7 ? PACKED : SINGLE;
  return [names[random(names.length)]!];
}

const SOURCE = `syntax = "proto3";
message Item { int32 id = 1; string name = 2; sint64 price = 3; repeated double sizes = 4; map<string, Item> parts = 5;
  bytes image = 6; repeated int32 codes = 7; Item next = 8; fixed32 mark = 9; bool sold = 10; float weight = 11; }`;
const ITEM = {
  id: -7,
  name: "héllo",
  sizes: [1.5, 2],
  parts: { a: { id: 1 } },
  image: Uint8Array.of(1, 2, 255),
  codes: [0, 127, 128, -1],
  next: { id: 300, next: { name: "deep", mark: 5 } },
  sold: true,
  weight: 1.5,
};

for (const [version, library] of [
  [7, v7 as unknown as typeof v8],
  [8, v8],
] as const) {
  describe(`protobuf.js ${version}`, () => {
    const { protobuf } = library;
    const Original = protobuf.Reader as unknown as { new (bytes: Uint8Array): object; create(bytes: unknown): object };

    afterEach(() => uninstall(protobuf));

    test("calls on random bytes: class, text, place and values of what the original throws", () => {
      const random = randomSource(81);
      const cases = Array.from({ length: 4000 }, () => {
        const bytes = randomBytes(random);
        const pos = random(bytes.length + 1);
        const len = random(3) === 0 ? pos + random(bytes.length - pos + 1) : bytes.length;
        const call = randomCall(random);
        const isKnown = call[0] in protobuf.Reader.prototype;
        const original = isKnown ? failureOf((given) => new Original(given), bytes, pos, len, call) : null;
        return { bytes, pos, len, call, isKnown, original };
      });
      install(protobuf);
      let compared = 0;
      let others = 0;
      for (const { bytes, pos, len, call, isKnown, original } of cases) {
        for (const create of [Original.create, (given: Uint8Array) => new Original(given)]) {
          const ours = failureOf(create, bytes, pos, len, call);
          const what = `${call} at ${pos} of ${toHex(bytes.subarray(0, len))}`;
          if (original === null) {
            // Version 7 accepts some long varints and other ends of groups, and has no packed readers.
            if (version === 8 && ours !== null) throw new Error(`${what}: ${ours.error}`);
            if (ours !== null && isKnown) expect(ours.error, what).toBeInstanceOf(DecodeError);
            continue;
          }
          if (ours === null) {
            // Version 7 refuses some varints of more than 5 bytes near the end, which 8 accepts.
            if (version === 7 && original.failure.message.includes(" + 10 > ")) continue;
            throw new Error(`${what}: accepted, but the original throws ${original.error}`);
          }
          expect(ours.error, what).toBeInstanceOf(DecodeError);
          compared++;
          if (version === 7 && ours.failure.message !== original.failure.message) {
            // Version 7 reads on after tags and varints that 8 refuses, and fails later.
            expect(ours.failure.message, what).toMatch(/^(index out of range: |illegal tag|invalid)/);
            others++;
          } else expect(ours.failure, what).toEqual(original.failure);
        }
      }
      expect(compared).toBeGreaterThan(version === 7 ? 2000 : 3000);
      expect(others).toBeLessThan(compared / 10);
    });

    test("texts that users match", () => {
      const calls: readonly (readonly [hex: string, Call])[] = [
        ["0102030405060708", ["skip", 9]],
        ["01020304050607", ["fixed32"]],
        ["0102", ["double"]],
        ["05", ["bytes"]],
        ["0561", ["string"]],
        ["80", ["uint32"]],
        ["8080808080", ["int64"]],
        ["ffffffffffffffffffffffff", ["int64"]],
        ["ffffffffffffffffffffffff", ["uint32"]],
        ["ffffffffffffffffffffffff", ["bool"]],
        ["ffffffffff", ["tag"]],
        ["ffffffffff", ["size"]],
        ["00", ["skipType", 6]],
        ["00", ["skipType", 4]],
        ["0000", ["skipType", 3, 0, 1]],
        ["00", ["skipType", 0, 0, 0]],
        ["00", ["skipType", 0, 101, 1]],
        ["14", ["skipType", 3, 0, 1]],
        ["02c328", ["stringVerify"]],
      ];
      const texts = () =>
        calls.map(([hex, call]) => {
          if (!(call[0] in protobuf.Reader.prototype)) return null;
          const bytes = fromHex(hex);
          return failureOf((given) => new Original(given), bytes, 0, bytes.length, call)?.failure ?? null;
        });
      const originals = texts();
      install(protobuf);
      const ours = texts();
      for (const [i, original] of originals.entries()) if (original !== null) expect(ours[i]).toEqual(original);
      const found = ours.map((failure) => failure?.message ?? "");
      for (const text of ["index out of range: 0 + 9 > 8", "invalid varint encoding", "illegal tag: field number 0"]) {
        expect(found).toContain(text);
      }
      expect(found).toContain("invalid wire type 6 at offset 0");
      expect(found).toContain(version === 7 ? "maximum nesting depth exceeded" : "max depth exceeded");
    });

    test("create refuses what is not bytes with the original's text", () => {
      const textOf = (value: unknown) => {
        try {
          return Original.create(value) === undefined;
        } catch (error) {
          return [kindOf(error), (error as Error).message];
        }
      };
      const values = [undefined, null, "text", 5, {}, { length: 3 }];
      const originals = values.map(textOf);
      install(protobuf);
      expect(values.map(textOf)).toEqual(originals);
      expect(originals[2]).toEqual(["Error", "illegal buffer"]);
    });

    test("every prefix and random damage of a message: the original's class and text, and our code", () => {
      const Item = protobuf.parse(SOURCE).root.lookupType("Item");
      const bytes = new Uint8Array(Item.encode(ITEM).finish());
      const random = randomSource(82);
      const inputs = Array.from(bytes, (_, length) => bytes.slice(0, length));
      for (let i = 0; i < 1500; i++) {
        const damaged = bytes.slice();
        for (let k = 1 + random(3); k > 0; k--) damaged[random(damaged.length)] = random(256);
        inputs.push(damaged);
      }
      const decode = (input: Uint8Array) => {
        try {
          Item.decode(input);
          return null;
        } catch (error) {
          return error as Error;
        }
      };
      const originals = inputs.map(decode);
      install(protobuf);
      let same = 0;
      for (const [i, input] of inputs.entries()) {
        const [original, ours] = [originals[i]!, decode(input)];
        const what = toHex(input);
        if (original === null) {
          if (version === 8) expect(ours, what).toBe(null);
          continue;
        }
        expect(ours, what).not.toBe(null);
        if (version === 8 || i < bytes.length) {
          expect([kindOf(ours), ours!.message], what).toEqual([kindOf(original), original.message]);
        } else expect(ours!.message, what).toMatch(/index out of range|illegal tag|invalid|depth/);
        // Decoders throw a few errors themselves, which have no code.
        if (ours instanceof DecodeError) {
          expect(ours.code, what).toMatch(/^ERR_/);
          expect(ours.offset, what).toBeLessThanOrEqual(input.length);
          same++;
        }
      }
      expect(same).toBeGreaterThan(150);
    });

    test("an attached library: our own Readers throw its errors, until uninstall", () => {
      const read = () => {
        try {
          return new Reader(Uint8Array.of(1, 2)).fixed32();
        } catch (error) {
          return error as DecodeError;
        }
      };
      const own = read() as DecodeError;
      expect([kindOf(own), own.message]).toEqual(["Error", "the input ends inside an item (at byte 0, 2 more needed)"]);
      attach(protobuf);
      const attached = read() as DecodeError;
      expect([kindOf(attached), attached.message]).toEqual(["RangeError", "index out of range: 0 + 4 > 2"]);
      expect([attached.code, attached.offset, attached.needMore]).toEqual([own.code, own.offset, own.needMore]);
      uninstall(protobuf);
      expect((read() as DecodeError).message).toBe(own.message);
      expect(attached).toBeInstanceOf(DecodeError);
    });

    test("a Reader's errors are MoonpackErrors, but not instances of classes that extend DecodeError", () => {
      class Derived extends DecodeError {}
      install(protobuf);
      const error = failureOf(Original.create, new Uint8Array(0), 0, 0, ["uint32"])!.error;
      expect(error).toBeInstanceOf(RangeError);
      expect(error).toBeInstanceOf(DecodeError);
      expect(error).toBeInstanceOf(MoonpackError);
      expect(error instanceof Derived).toBe(false);
      expect(new RangeError("another") instanceof DecodeError).toBe(false);
      expect(new Derived("ERR_TRUNCATED", "text", 0)).toBeInstanceOf(DecodeError);
      expect((error as Error).name).toBe("RangeError");
      expect(String(error)).toBe("RangeError: index out of range: 0 + 1 > 0");
    });

    test("bytes that were transferred away: an error of ours, with the original's class", () => {
      install(protobuf);
      const bytes = new Uint8Array([1, 2, 3, 4, 5]);
      const reader = Original.create(bytes) as AnyReader;
      structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      expect(() => reader.fixed32!()).toThrow(RangeError);
      expect(() => reader.fixed32!()).toThrow(/^index out of range: 0 \+ /);
    });

    test("Writers: finishInto without room is a RangeError, malformed base64 has the original's text", () => {
      install(protobuf);
      const writer = protobuf.Writer.create().uint32(1).uint32(2) as unknown as Writer;
      const error = (() => {
        try {
          return writer.finishInto(new Uint8Array(1));
        } catch (thrown) {
          return thrown as MoonpackError;
        }
      })() as MoonpackError;
      expect(error).toBeInstanceOf(RangeError);
      expect(error).toBeInstanceOf(MoonpackError);
      expect([error.code, error.message]).toEqual(["ERR_BUFFER_TOO_SMALL", "offset is out of bounds"]);
      const plain = new protobuf.Writer() as unknown as Writer;
      expect(() => plain.bytes("!!!!")).toThrow(/^invalid encoding$/);
    });
  });
}
