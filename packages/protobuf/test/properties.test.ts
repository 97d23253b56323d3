/** Every written value is read back by the method of the same name, also with strict. Shorter input throws. */

import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { type Int64Value, Reader, Writer } from "@moonpack/protobuf";
import fc from "fast-check";
import { DecodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

/** A value, how it is written and how it is read back. */
interface Item {
  readonly value: unknown;
  write(writer: Writer): unknown;
  read(reader: Reader): unknown;
}

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "grapheme", minLength: 100, maxLength: 400 }),
);

function item<Value>(
  values: fc.Arbitrary<Value>,
  write: (writer: Writer, value: Value) => unknown,
  read: (reader: Reader) => unknown,
): fc.Arbitrary<Item> {
  return values.map((value) => ({ value, write: (writer) => write(writer, value), read }));
}

/** A method and its packed form. */
function both<Value>(
  values: fc.Arbitrary<Value>,
  write: [(writer: Writer, value: Value) => unknown, (writer: Writer, values: Value[]) => unknown],
  read: [(reader: Reader) => unknown, (reader: Reader) => unknown],
): fc.Arbitrary<Item> {
  return fc.oneof(item(values, write[0], read[0]), item(fc.array(values, { maxLength: 40 }), write[1], read[1]));
}

const anyItem: fc.Arbitrary<Item> = fc.oneof(
  both(uint32, [(w, v) => w.uint32(v), (w, v) => w.uint32s(v)], [(r) => r.uint32(), (r) => r.uint32s()]),
  both(int32, [(w, v) => w.int32(v), (w, v) => w.int32s(v)], [(r) => r.int32(), (r) => r.int32s()]),
  both(int32, [(w, v) => w.sint32(v), (w, v) => w.sint32s(v)], [(r) => r.sint32(), (r) => r.sint32s()]),
  both(uint32, [(w, v) => w.fixed32(v), (w, v) => w.fixed32s(v)], [(r) => r.fixed32(), (r) => r.fixed32s()]),
  both(int32, [(w, v) => w.sfixed32(v), (w, v) => w.sfixed32s(v)], [(r) => r.sfixed32(), (r) => r.sfixed32s()]),
  both(uint64, [(w, v) => w.uint64(v), (w, v) => w.uint64s(v)], [(r) => r.uint64(), (r) => r.uint64s()]),
  both(int64, [(w, v) => w.int64(v), (w, v) => w.int64s(v)], [(r) => r.int64(), (r) => r.int64s()]),
  both(int64, [(w, v) => w.sint64(v), (w, v) => w.sint64s(v)], [(r) => r.sint64(), (r) => r.sint64s()]),
  both(uint64, [(w, v) => w.fixed64(v), (w, v) => w.fixed64s(v)], [(r) => r.fixed64(), (r) => r.fixed64s()]),
  both(int64, [(w, v) => w.sfixed64(v), (w, v) => w.sfixed64s(v)], [(r) => r.sfixed64(), (r) => r.sfixed64s()]),
  both(fc.boolean(), [(w, v) => w.bool(v), (w, v) => w.bools(v)], [(r) => r.bool(), (r) => r.bools()]),
  both(fc.float(), [(w, v) => w.float(v), (w, v) => w.floats(v)], [(r) => r.float(), (r) => r.floats()]),
  both(fc.double(), [(w, v) => w.double(v), (w, v) => w.doubles(v)], [(r) => r.double(), (r) => r.doubles()]),
  item(
    text,
    (w, v) => w.string(v),
    (r) => r.string(),
  ),
  item(
    text,
    (w, v) => w.string(v),
    (r) => r.stringVerify(),
  ),
  item(
    fc.uint8Array({ maxLength: 300 }),
    (w, v) => w.bytes(v),
    (r) => Uint8Array.from(r.bytes()),
  ),
);

const items = fc.array(anyItem, { maxLength: 20 });
const runs = { seed: 91, numRuns: 300 };

function written(list: readonly Item[], writer: Writer): Writer {
  for (const one of list) one.write(writer);
  return writer;
}

describe("round trips", () => {
  test("random values one after the other, strict or not", () => {
    fc.assert(
      fc.property(items, (list) => {
        const bytes = written(list, new Writer()).finish();
        none(bytesDiffer(written(list, new Writer({ strict: true })).finish(), bytes), "strict");
        for (const strict of [false, true]) {
          const reader = new Reader(bytes, { strict, int64: "bigint" });
          for (const one of list) none(differ(one.read(reader), one.value));
          expect(reader.pos).toBe(bytes.length);
        }
      }),
      runs,
    );
  });

  test("nested messages, whose end is set as `len`", () => {
    fc.assert(
      fc.property(fc.array(items, { maxLength: 6 }), (levels) => {
        const writer = new Writer();
        for (const list of levels) written(list, writer).fork();
        for (const list of levels) written(list, writer.ldelim());
        const reader = new Reader(writer.finish(), { int64: "bigint" });
        const ends: number[] = [];
        for (const list of levels) {
          for (const one of list) none(differ(one.read(reader), one.value));
          ends.push(reader.len);
          reader.len = reader.size() + reader.pos;
        }
        for (const list of levels) {
          expect(reader.pos).toBe(reader.len);
          reader.len = ends.pop()!;
          for (const one of list) none(differ(one.read(reader), one.value));
        }
        expect(reader.pos).toBe(reader.buf.length);
      }),
      runs,
    );
  });

  test("every strict prefix throws ERR_TRUNCATED at the value that it cuts", () => {
    fc.assert(
      fc.property(anyItem, (one) => {
        const bytes = written([one], new Writer()).finish();
        for (let end = 0; end < bytes.length; end++) {
          let seen: unknown;
          try {
            seen = one.read(new Reader(bytes.subarray(0, end)));
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
            const { code, offset } = error as DecodeError;
            expect([code, offset <= end]).toEqual(["ERR_TRUNCATED", true]);
            continue;
          }
          throw new Error(`accepted ${end} of ${bytes.length}: ${String(seen)}`);
        }
      }),
      runs,
    );
  });

  test("all forms of a 64-bit integer write the same bytes", () => {
    fc.assert(
      fc.property(int64, (value) => {
        const words = { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)) };
        const forms = [value, String(value), words, ...(Number.isSafeInteger(Number(value)) ? [Number(value)] : [])];
        for (const name of ["int64", "uint64", "sint64", "fixed64", "sfixed64"] as const) {
          const [first, ...others] = forms.map((form) => new Writer()[name](form).finish());
          for (const other of others) none(bytesDiffer(other, first!), name);
        }
        const back: Int64Value = new Reader(new Writer().sint64(value).finish(), { int64: "bigint" }).sint64();
        expect(back).toBe(value);
      }),
      runs,
    );
  });
});
