import { fault } from "@moonpack/harness/caught.ts";
import { concat, fromHex, toHex } from "@moonpack/harness/hex.ts";
import fc from "fast-check";
import {
  ByteReader,
  ByteWriter,
  putUvar32,
  putUvar64,
  unzigzag32,
  unzigzag64High,
  unzigzag64Low,
  uvar32Size,
  uvar64Size,
  zigzag32,
  zigzag64High,
  zigzag64Low,
} from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import file from "../../../../vectors/bytes/varints.json" with { type: "json" };

type Type = "uvar32" | "ivar32" | "uvar64" | "ivar64";
interface Case {
  readonly name: string;
  readonly type: Type;
  readonly bytes: string;
  readonly value?: string;
  readonly code?: string;
  readonly needMore?: number;
}
const cases = file.vectors as readonly Case[];
const good = cases.filter((c) => c.value !== undefined);
const bad = cases.filter((c) => c.code !== undefined);

const low = (n: bigint) => Number(BigInt.asUintN(32, n));
const high = (n: bigint) => Number(BigInt.asUintN(32, n >> 32n));

function read(reader: ByteReader, type: Type): bigint {
  if (type === "uvar32") return BigInt(reader.uvar32());
  if (type === "ivar32") return BigInt(reader.ivar32());
  if (type === "uvar64") {
    const lo = reader.uvar64();
    return (BigInt(reader.high) << 32n) | BigInt(lo);
  }
  const lo = reader.ivar64();
  return (BigInt(reader.high) << 32n) | BigInt(lo);
}

function write(writer: ByteWriter, type: Type, n: bigint): void {
  if (type === "uvar32") writer.uvar32(Number(n));
  else if (type === "ivar32") writer.ivar32(Number(n));
  else if (type === "uvar64") writer.uvar64(low(n), high(n));
  else writer.ivar64(low(n), high(n));
}

/** LEB128 with BigInt: slow, but as it is defined. */
function leb(n: bigint): number[] {
  const out: number[] = [];
  for (; n > 127n; n >>= 7n) out.push(Number(n & 127n) | 128);
  return [...out, Number(n)];
}

describe("varint vectors", () => {
  test(`${good.length} numbers are written and read`, () => {
    for (const { name, type, bytes, value } of good) {
      const n = BigInt(value!);
      const writer = new ByteWriter();
      write(writer, type, n);
      expect(toHex(writer.written()), name).toBe(bytes);
      const reader = new ByteReader(fromHex(bytes));
      expect(read(reader, type), name).toBe(n);
      expect(reader.pos, name).toBe(reader.end);
    }
  });

  test("64-bit words are returned as documented: low and unsigned high as uint32, signed high as int32", () => {
    for (const { name, type, bytes } of good) {
      if (!type.endsWith("64")) continue;
      const reader = new ByteReader(fromHex(bytes));
      const lo = type === "uvar64" ? reader.uvar64() : reader.ivar64();
      expect(lo === lo >>> 0, name).toBe(true);
      expect(type === "uvar64" ? reader.high === reader.high >>> 0 : reader.high === (reader.high | 0), name).toBe(
        true,
      );
    }
  });

  test("signed words may be passed as int32 or uint32", () => {
    for (const n of [-1n, -(2n ** 63n), 2n ** 63n - 1n, -5_000_000_000n, 5_000_000_000n]) {
      const a = new ByteWriter();
      a.ivar64(low(n), high(n));
      const b = new ByteWriter();
      b.ivar64(low(n) | 0, high(n) | 0);
      expect(toHex(b.written())).toBe(toHex(a.written()));
    }
  });

  test("sizes equal the number of bytes written", () => {
    for (const { type, bytes, value } of good) {
      const n = BigInt(value!);
      if (type === "uvar32") expect(uvar32Size(Number(n))).toBe(bytes.length / 2);
      if (type === "uvar64") expect(uvar64Size(low(n), high(n))).toBe(bytes.length / 2);
    }
  });

  for (const { name, type, bytes, code, needMore } of bad) {
    test(`rejected: ${name}`, () => {
      const reader = new ByteReader(fromHex(bytes));
      expect(fault(() => read(reader, type))).toEqual({ code, offset: 0, needMore });
      expect(reader.pos).toBe(0);
    });
  }

  test("every strict prefix is truncated, at the varint's first byte", () => {
    for (const { name, type, bytes } of good) {
      const whole = fromHex("2a2a" + bytes);
      for (let end = 2; end < whole.length; end++) {
        const reader = new ByteReader(whole.slice(0, end), 2);
        expect(
          fault(() => read(reader, type)),
          name,
        ).toEqual({ code: "ERR_TRUNCATED", offset: 2, needMore: 1 });
      }
    }
  });
});

describe("varint properties, against BigInt", () => {
  const uint64 = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.nat(64).map((bits) => (1n << BigInt(bits)) - 1n),
  );

  test("uint64", () => {
    fc.assert(
      fc.property(uint64, (n) => {
        const b = new Uint8Array(16).fill(0xee);
        const end = putUvar64(b, 3, low(n), high(n));
        expect([...b.subarray(3, end)]).toEqual(leb(n));
        expect(uvar64Size(low(n), high(n))).toBe(end - 3);
        expect([...b.subarray(0, 3), ...b.subarray(end)].every((x) => x === 0xee)).toBe(true);
        expect(read(new ByteReader(b, 3), "uvar64")).toBe(n);
      }),
      { numRuns: 3000 },
    );
  });

  test("uint32", () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(), fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.nat(2 ** 14)), (n) => {
        const b = new Uint8Array(8).fill(0xee);
        const end = putUvar32(b, 1, n);
        expect([...b.subarray(1, end)]).toEqual(leb(BigInt(n)));
        expect(uvar32Size(n)).toBe(end - 1);
        expect(b[0] === 0xee && b.subarray(end).every((x) => x === 0xee)).toBe(true);
        expect(new ByteReader(b, 1).uvar32()).toBe(n);
      }),
      { numRuns: 3000 },
    );
  });

  test("zigzag of 32 bits", () => {
    fc.assert(
      fc.property(fc.integer(), (n) => {
        const want = n >= 0 ? BigInt(n) * 2n : BigInt(n) * -2n - 1n;
        expect(BigInt(zigzag32(n))).toBe(want);
        expect(unzigzag32(zigzag32(n))).toBe(n);
      }),
      { numRuns: 3000 },
    );
  });

  test("zigzag of 64 bits", () => {
    fc.assert(
      fc.property(uint64, (raw) => {
        const n = BigInt.asIntN(64, raw);
        const z = n >= 0n ? n * 2n : n * -2n - 1n;
        const lo = zigzag64Low(low(n), high(n));
        const hi = zigzag64High(low(n), high(n));
        expect([lo, hi]).toEqual([low(z), high(z)]);
        expect([unzigzag64Low(lo, hi), unzigzag64High(lo, hi)]).toEqual([low(n), high(n) | 0]);
      }),
      { numRuns: 3000 },
    );
  });

  test("a sequence of all four reads back in order", () => {
    const item = fc.oneof(
      fc.tuple(fc.constant<Type>("uvar32"), fc.bigInt({ min: 0n, max: 2n ** 32n - 1n })),
      fc.tuple(fc.constant<Type>("ivar32"), fc.bigInt({ min: -(2n ** 31n), max: 2n ** 31n - 1n })),
      fc.tuple(fc.constant<Type>("uvar64"), uint64),
      fc.tuple(
        fc.constant<Type>("ivar64"),
        uint64.map((n) => BigInt.asIntN(64, n)),
      ),
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 40 }), (items) => {
        const writer = new ByteWriter(1);
        for (const [type, n] of items) write(writer, type, n);
        const reader = new ByteReader(writer.written());
        for (const [type, n] of items) expect(read(reader, type)).toBe(n);
        expect(reader.pos).toBe(reader.end);
      }),
    );
  });

  test("any bytes are the only form of a number, or a coded error", () => {
    const codes = new Set(["ERR_TRUNCATED", "ERR_OUT_OF_RANGE", "ERR_NOT_SHORTEST"]);
    const leans = fc.array(fc.oneof(fc.integer({ min: 0x80, max: 0xff }), fc.nat(255)), { maxLength: 12 });
    fc.assert(
      fc.property(leans, fc.constantFrom<Type>("uvar32", "ivar32", "uvar64", "ivar64"), (list, type) => {
        const bytes = new Uint8Array(list);
        const reader = new ByteReader(bytes);
        let n: bigint;
        try {
          n = read(reader, type);
        } catch {
          expect(codes.has(String(fault(() => read(new ByteReader(bytes), type)).code))).toBe(true);
          return;
        }
        const writer = new ByteWriter();
        write(writer, type, n);
        expect(toHex(writer.written())).toBe(toHex(bytes.subarray(0, reader.pos)));
      }),
      { numRuns: 5000 },
    );
  });

  test("a varint does not change the bytes before it", () => {
    const b = concat(fromHex("ffff"), fromHex("ac02"), fromHex("ffff"));
    const reader = new ByteReader(b, 2);
    expect(reader.uvar32()).toBe(300);
    expect(reader.pos).toBe(4);
  });
});
