/** Lists of numbers of every length and size: the borders of loops that read and write several numbers at once. */

import { fault } from "@moonpack/harness/caught.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import * as pck from "@moonpack/pck";
import { codec } from "@moonpack/pck";
import { describe, expect, test } from "vitest";

const COUNTS = [0, 1, 3, 4, 5, 23, 24, 25, 127, 128, 1023, 1024, 1025, 2047, 2049, 5000];
const { U8, U16, U32, I8, I16, I32, U64, I64, F32, F64, UVAR, IVAR } = pck;

/** A type, an independent encoder of it, and a number of every size. */
interface Kind {
  readonly type: pck.Type;
  readonly bytes: (value: number) => readonly number[];
  readonly value: (random: (below: number) => number) => number;
}

function fixed(size: number, put: (view: DataView, value: never) => void): (value: number) => readonly number[] {
  return (value) => {
    const view = new DataView(new ArrayBuffer(size));
    put(view, value as never);
    return [...new Uint8Array(view.buffer)];
  };
}

function leb(value: number): readonly number[] {
  const rest = Math.floor(value / 128);
  return rest === 0 ? [value] : [(value % 128) + 128, ...leb(rest)];
}

/** Numbers of all sizes, including the limits. */
function unsigned(bits: number) {
  return (random: (below: number) => number) => {
    const top = 2 ** (1 + random(bits));
    return random(4) === 0 ? top - 1 : random(top);
  };
}

function signed(bits: number) {
  const magnitude = unsigned(bits - 1);
  return (random: (below: number) => number) => (random(2) === 0 ? magnitude(random) : -magnitude(random) - 1);
}

const KINDS: Readonly<Record<string, Kind>> = {
  u8: { type: U8, bytes: fixed(1, (v, x) => v.setUint8(0, x)), value: unsigned(8) },
  i8: { type: I8, bytes: fixed(1, (v, x) => v.setInt8(0, x)), value: signed(8) },
  u16: { type: U16, bytes: fixed(2, (v, x) => v.setUint16(0, x, true)), value: unsigned(16) },
  i16: { type: I16, bytes: fixed(2, (v, x) => v.setInt16(0, x, true)), value: signed(16) },
  u32: { type: U32, bytes: fixed(4, (v, x) => v.setUint32(0, x, true)), value: unsigned(32) },
  i32: { type: I32, bytes: fixed(4, (v, x) => v.setInt32(0, x, true)), value: signed(32) },
  f32: { type: F32, bytes: fixed(4, (v, x) => v.setFloat32(0, x, true)), value: (random) => random(1e6) / 64 - 999 },
  f64: { type: F64, bytes: fixed(8, (v, x) => v.setFloat64(0, x, true)), value: (random) => random(1e9) / 7 - 1e6 },
  uvar: { type: UVAR, bytes: leb, value: unsigned(32) },
  ivar: { type: IVAR, bytes: (x) => leb(x < 0 ? -2 * x - 1 : 2 * x), value: signed(32) },
};

for (const codeGeneration of [true, false]) {
  const listOf = (type: pck.Type, length?: number, options: pck.CodecOptions = {}) =>
    codec(pck.schema(pck.array("v", type, length)), { codeGeneration, ...options }) as unknown as pck.Codec<
      { v: ArrayLike<unknown> },
      { v: ArrayLike<unknown> }
    >;

  describe(`code generation ${codeGeneration ? "on" : "off"}`, () => {
    for (const [name, { type, bytes, value }] of Object.entries(KINDS)) {
      test(name, () => {
        const random = randomSource(name.charCodeAt(0) + name.length);
        const lists = listOf(type);
        for (const count of COUNTS) {
          const v = Array.from({ length: count }, () => value(random));
          const unsized = v.flatMap(bytes);
          const whole = [...leb(count), ...unsized];
          expect([...lists.encode({ v })]).toEqual(whole);
          expect(lists.decode(Uint8Array.from(whole)).v).toEqual(v);
          if (count === 0) continue;
          const sized = listOf(type, count);
          expect([...sized.encode({ v })]).toEqual(unsized);
          expect(sized.decode(Uint8Array.from(unsized)).v).toEqual(v);
          // The last one is truncated. If all have their least size, the count alone is already too large.
          const last = unsized.length - bytes(v[count - 1]!).length;
          const cut = { code: "ERR_TRUNCATED", offset: last, needMore: 1 };
          expect(fault(() => sized.decode(Uint8Array.from(unsized.slice(0, -1))))).toEqual(cut);
          const seen = fault(() => lists.decode(Uint8Array.from(whole.slice(0, -1))));
          if (seen.code !== "ERR_LIMIT_ELEMENTS") expect(seen).toEqual({ ...cut, offset: last + leb(count).length });
        }
      });

      test(`${name}: a wrong element`, () => {
        const random = randomSource(7);
        const lists = listOf(type);
        for (const at of [0, 1, 30, 31, 1023, 1024, 1998, 1999]) {
          for (const [wrong, code] of [
            ["1", "ERR_UNSUPPORTED_TYPE"],
            [1n, "ERR_UNSUPPORTED_TYPE"],
            [undefined, "ERR_UNSUPPORTED_TYPE"],
            [{ valueOf: () => 1 }, "ERR_UNSUPPORTED_TYPE"],
            ...(name === "f64" ? [] : [[1e300, "ERR_OUT_OF_RANGE"] as const]),
          ] as const) {
            const v = Array.from({ length: 2000 }, (): unknown => value(random));
            v[at] = wrong;
            expect(fault(() => lists.encode({ v }))).toEqual({ code, path: `$.v[${at}]` });
          }
        }
      });
    }

    test("an element whose getter throws has its index, and is read once", () => {
      for (const type of [U8, U32, I32, F32, F64, UVAR, IVAR]) {
        for (const at of [0, 1, 2, 3, 5, 1026, 1027]) {
          const v = Array.from({ length: 1030 }, (_, i) => i % 100);
          let asked = 0;
          Object.defineProperty(v, at, {
            enumerable: true,
            get() {
              asked++;
              throw new RangeError("mine");
            },
          });
          const seen = fault(() => listOf(type).encode({ v }));
          expect(seen).toEqual({ code: "ERR_USER_CODE", path: `$.v[${at}]` });
          expect(asked).toBe(1);
        }
      }
    });

    test("NaN, infinities, -0 and rounded doubles among others", () => {
      const odd = [Number.NaN, Infinity, -Infinity, -0, 0.1, 1e-320, 16777217];
      for (const [type, size] of [
        [F32, 4],
        [F64, 8],
      ] as const) {
        for (const first of odd) {
          for (const second of odd) {
            for (const at of [0, 2, 3, 6]) {
              const v = Array.from({ length: 9 }, (_, i) => i + 0.5);
              v[at] = first;
              v[at + 2] = second;
              const bytes = listOf(type, 9).encode({ v });
              const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
              const seen = v.map((_, i) => (size === 4 ? view.getFloat32(4 * i, true) : view.getFloat64(8 * i, true)));
              expect(seen).toEqual(size === 4 ? v.map(Math.fround) : v);
              expect(listOf(type, 9).decode(bytes).v).toEqual(seen);
            }
          }
        }
      }
    });

    test("invalid varints among valid ones of every size", () => {
      const random = randomSource(3);
      const lists = listOf(UVAR);
      for (const [bad, code] of [
        [[0x80, 0], "ERR_NOT_SHORTEST"],
        [[0xff, 0x80, 0], "ERR_NOT_SHORTEST"],
        [[0x80, 0x80, 0x80, 0], "ERR_NOT_SHORTEST"],
        [[0xff, 0xff, 0xff, 0xff, 0], "ERR_NOT_SHORTEST"],
        [[0x80, 0x80, 0x80, 0x80, 0x10], "ERR_OUT_OF_RANGE"],
        [[0xff, 0xff, 0xff, 0xff, 0xff], "ERR_OUT_OF_RANGE"],
      ] as const) {
        for (const [before, after] of [
          [0, 0],
          [0, 40],
          [1, 1],
          [40, 0],
          [41, 1],
          [42, 3],
          [43, 60],
        ] as const) {
          const some = (n: number) => Array.from({ length: n }, () => leb(unsigned(32)(random))).flat();
          const head = [...leb(before + 1 + after), ...some(before)];
          const message = Uint8Array.from([...head, ...bad, ...some(after)]);
          expect(fault(() => lists.decode(message))).toEqual({ code, offset: head.length, needMore: 0 });
        }
      }
    });

    test("varints that are read together: each number of each size, and one that is not the shortest at each place", () => {
      const lists = listOf(UVAR);
      const random = randomSource(5);
      const mixed = (n: number) =>
        Array.from({ length: n }, () => Math.floor(2 ** ((unsigned(32)(random) % 290) / 10)));
      for (const length of [24, 25, 26, 27, 60, 1027, 1028, 1029, 2060]) {
        const list = mixed(length);
        expect(lists.decode(Uint8Array.from([...leb(length), ...list.flatMap(leb)]))).toEqual({ v: list });
      }
      for (let before = 30; before < 42; before++) {
        const list = mixed(60);
        const head = [...leb(60), ...list.slice(0, before).flatMap(leb)];
        const message = Uint8Array.from([...head, 0x81, 0, ...list.slice(before + 1).flatMap(leb)]);
        expect(fault(() => lists.decode(message))).toMatchObject({ code: "ERR_NOT_SHORTEST", offset: head.length });
      }
    });

    test("small numbers, then a large one: nothing is lost when V8 converts the list to doubles", () => {
      for (const [type, large] of [
        [U32, 2 ** 32 - 1],
        [UVAR, 2 ** 32 - 1],
        [I32, -(2 ** 31)],
        [IVAR, -(2 ** 31)],
      ] as const) {
        for (const at of [0, 1, 50, 99]) {
          const lists = listOf(type);
          const v = Array.from({ length: 100 }, (_, i) => (i === at ? large : i));
          expect(lists.decode(lists.encode({ v })).v).toEqual(v);
        }
      }
    });

    test("typed arrays: any alignment, own buffers of the exact size", () => {
      for (const [type, Class] of [
        [U8, Uint8Array],
        [U16, Uint16Array],
        [I32, Int32Array],
        [F32, Float32Array],
        [F64, Float64Array],
        [U64, BigUint64Array],
        [I64, BigInt64Array],
      ] as const) {
        const lists = listOf(type, undefined, { typedArrays: true });
        const plain = listOf(type);
        for (const count of [0, 1, 5, 200]) {
          const one = (i: number) => (Class === BigUint64Array || Class === BigInt64Array ? BigInt(i) : i % 100);
          const v = Array.from({ length: count }, (_, i) => one(i));
          const bytes = plain.encode({ v });
          const seen = lists.decode(bytes).v;
          expect(seen).toBeInstanceOf(Class);
          expect((seen as Uint8Array).buffer.byteLength).toBe(count * Class.BYTES_PER_ELEMENT);
          expect([...(seen as unknown as unknown[])]).toEqual(v);
          expect([...plain.encode({ v: seen })]).toEqual([...bytes]);
        }
      }
    });
  });
}
