/** The format of msgpackr in vectors, options, limits and hostile bytes. Tests against msgpackr are in original.node.test.ts. */
import { Decoder, type DecoderOptions, decode, decodeMulti, type StructuresInput } from "@moonpack/compat/msgpackr";
import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { collidingKeys } from "@moonpack/harness/colliding-keys.ts";
import { each } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { concat, fromHex, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { transferAway } from "@moonpack/harness/transfer.ts";
import * as moonpack from "moonpack";
import { describe, expect, test } from "vitest";
import { comparable, randomValues } from "./values.ts";

const read = (hex: string, options?: DecoderOptions): unknown => decode(fromHex(hex.replaceAll(" ", "")), options);

function codeOf(act: () => unknown): unknown {
  try {
    act();
    return "a value";
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

const refused = (hex: string, options?: DecoderOptions): unknown[] => {
  const { code, offset } = fault(() => read(hex, options));
  return [code, offset];
};
const AB = [["a", "b"]];
const FORTY = Array.from({ length: 40 }, (_, i) => [`k${i}`]);
const TRUSTED = { trusted: true };

/** Written by msgpackr 2.1.3. */
const VECTORS: readonly [name: string, hex: string, options: DecoderOptions, value: unknown][] = [
  ["a record", "d4724092a161a1620102", {}, { a: 1, b: 2 }],
  ["records of one structure", "92d4724091a161014002", {}, [{ a: 1 }, { a: 2 }]],
  ["nested structures", "d4724091a161d4724191a16201", {}, { a: { b: 1 } }],
  ["integers beside records", "93cc40cc7fd4724091a161cc64", {}, [64, 127, { a: 100 }]],
  ["integers without records", "9340417f", {}, [64, 65, 127]],
  ["an empty record", "92d472409040", {}, [{}, {}]],
  ["an id that is defined again", "93d4724091a16101d4724091a162024003", {}, [{ a: 1 }, { b: 2 }, { b: 3 }]],
  ["a shared structure", "400102", { structures: AB }, { a: 1, b: 2 }],
  ["a shared structure of two bytes", "600205", { structures: [...FORTY, ...FORTY, ...FORTY, ...AB] }, { k16: 5 }],
  ["the first of two bytes", "600005", { structures: FORTY }, { k32: 5 }],
  [
    "a definition hides shared ones",
    "93d4726091a161056006 4007",
    { structures: FORTY },
    [{ a: 5 }, { a: 6 }, { k0: 7 }],
  ],
  [
    "a definition of two bytes",
    "94d572640291a17a01640202d572650291a179014304",
    { structures: FORTY },
    [{ z: 1 }, { z: 2 }, { y: 1 }, { k3: 4 }],
  ],
  ["undefined", "d4724091a161d40000", {}, { a: undefined }],
  ["timestamps", "92d6ff00000000d7ff003d090000000000", {}, [new Date(0), new Date(1)]],
  [
    "a large bigint",
    "92d84200000010000000000000000000000000d842fffffff0000000000000000000000000",
    {},
    [2n ** 100n, -(2n ** 100n)],
  ],
  ["a float of 32 bits", "ca3f8ccccd", {}, Math.fround(1.1)],
  ["a float of 32 bits, rounded", "ca3f8ccccd", { float32: "decimal" }, 1.1],
  [
    "a bundle",
    "d4724091d66200000008c10bc109a0b46c6f6e676b65796e616d656c6f6e6776616c7565",
    {},
    { longkeyname: "longvalue" },
  ],
  [
    "a bundle with other characters",
    "94d6620000000cc106c1fbc1fbc1fbbc6772c3b6c39f65e4b889e59b9be4ba94e585ade4b88361626364c3a9a66f6e6574776f",
    {},
    ["onetwo", "größe", "三四五六七", "abcdé"],
  ],
  ["a Set", "d47300920102", {}, new Set([1, 2])],
  [
    "typed arrays",
    "93c70574070000803fc70374030100c70374110000",
    {},
    [new Float32Array([1]), new Int16Array([1]), new DataView(new ArrayBuffer(2))],
  ],
  ["a RegExp", "d4780092a4615c7370a26769", TRUSTED, /a\sp/gi],
  ["shared references", "9291d66900000001d4724091a17a01d67000000001", TRUSTED, [[{ z: 1 }], { z: 1 }]],
  [
    "maps with other keys",
    "82010281a16102c3",
    {},
    new Map<unknown, unknown>([
      [1, 2],
      [{ a: 2 }, true],
    ]),
  ],
];

describe("messages", () => {
  test.each(VECTORS)("%s", (_, hex, options, value) => {
    expect(comparable(read(hex, options))).toEqual(comparable(value));
  });

  test("every prefix is ERR_TRUNCATED, and a byte more ERR_TRAILING_BYTES", () => {
    each(
      VECTORS.map(([name, hex, options]) => ({ name, bytes: fromHex(hex.replaceAll(" ", "")), options })),
      ({ bytes, options }) => {
        for (let cut = 0; cut < bytes.length; cut++)
          expect(fault(() => decode(bytes.subarray(0, cut), options)).code).toBe("ERR_TRUNCATED");
        const { code, offset } = fault(() => decode(concat(bytes, fromHex("c0")), options));
        expect([code, offset]).toEqual(["ERR_TRAILING_BYTES", bytes.length]);
      },
    );
  });

  test("encode of moonpack writes plain maps", () => {
    const value = read("92d4724092a161a16201024003d4724191a16304");
    expect(toHex(moonpack.encode(value))).toBe("9282a16101a1620282a16103a16281a16304");
    expect(moonpack.decode(moonpack.encode(value))).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: { c: 4 } },
    ]);
  });

  test("reads messages without records as decode does, and damaged ones", () => {
    const next = randomValues(7, { plain: true });
    const random = randomSource(8);
    for (let i = 0; i < share(2000); i++) {
      const bytes = moonpack.encode([next()]);
      for (let n = random(4); n > 0; n--) bytes[random(bytes.length)] = random(0xc1);
      const [ours, theirs] = [decode, moonpack.decode].map((reads) => {
        try {
          return [reads(bytes)];
        } catch (error) {
          return (error as moonpack.DecodeError).code;
        }
      });
      const problem =
        Array.isArray(ours) && Array.isArray(theirs)
          ? differ(ours, theirs)
          : ours === theirs
            ? null
            : `${ours} ${theirs}`;
      if (problem !== null) throw new Error(`${toHex(bytes)}: ${problem}`);
    }
  });

  test("definitions hold for one message, and with `sequential` for later ones", () => {
    const [first, second] = [fromHex("d4724091a16101"), fromHex("4002")];
    const decoder = new Decoder({ sequential: true });
    expect([decoder.decode(first), decoder.decode(second)]).toEqual([{ a: 1 }, { a: 2 }]);
    expect([...decodeMulti(concat(first, second), { sequential: true })]).toEqual([{ a: 1 }, { a: 2 }]);
    expect([...decodeMulti(concat(first, second))]).toEqual([{ a: 1 }, 64, 2]);
    expect(refused("40", { sequential: true })).toEqual(["ERR_UNKNOWN_INDEX", 0]);
  });

  test("references are identical, and may be cycles", () => {
    const object = read("d66900000001d4724092a161a473656c6601d67000000001", TRUSTED) as { self: unknown };
    expect(object.self).toBe(object);
    const array = read("d669000000019201d67000000001", TRUSTED) as unknown[];
    expect(array[1]).toBe(array);
    const set = read("d66900000001d4730091d67000000001", TRUSTED) as Set<unknown>;
    expect([...set][0]).toBe(set);
    const map = read("d6690000000181d6700000000101", TRUSTED) as Map<unknown, unknown>;
    expect(map.get(map)).toBe(1);
    const members = read("d6690000000181a16dd67000000001", TRUSTED) as { m: unknown };
    expect(members.m).toBe(members);
    expect(caughtOurs(() => moonpack.encode(object)).code).toBe("ERR_CYCLE");
  });

  test("errors", () => {
    const known = read("d4650093a9547970654572726f72a179d40000") as Error;
    expect([known instanceof TypeError, known.message, "cause" in known, known.stack]).toEqual([
      true,
      "y",
      false,
      "TypeError: y",
    ]);
    const other = read("d4650093a6437573746f6da16d05") as Error;
    expect([other instanceof Error, other.name, other.message, other.cause]).toEqual([true, "Custom", "m", 5]);
  });

  test("the caller's extensions, which may use the decoder", () => {
    class Money {
      readonly parts: unknown;
      constructor(parts: unknown) {
        this.parts = parts;
      }
    }
    const decoder: Decoder = new Decoder({
      structures: AB,
      extensions: new moonpack.Extensions().register({
        class: Money,
        type: 11,
        encode: () => new Uint8Array(0),
        decode: (data) => new Money(decoder.decode(data)),
      }),
    });
    const value = decoder.decode<Money[]>(fromHex("92c7030b400102400304"));
    expect([value[0] instanceof Money, value[0]!.parts, value[1]]).toEqual([true, { a: 1, b: 2 }, { a: 3, b: 4 }]);
    expect(refused("d50b0102")).toEqual(["ERR_UNKNOWN_EXTENSION", 0]);
    expect(read("d50b0102", { unknownExtensions: "keep" })).toBeInstanceOf(moonpack.Extension);
  });

  test("an input that an extension transfers away", () => {
    class Thief {}
    const bytes = fromHex("92d40b000102");
    const extensions = new moonpack.Extensions().register({
      class: Thief,
      type: 11,
      encode: () => bytes,
      decode: () => {
        transferAway(bytes);
        return new Thief();
      },
    });
    expect(caughtOurs(() => decode(bytes, { extensions })).code).toBe("ERR_INVALID_ARGUMENT");
  });
});

describe("options", () => {
  test("structures as an array, as bytes, and with gaps", () => {
    const bytes = moonpack.encode([["a", "b"], null, ["c"]]);
    for (const structures of [
      bytes,
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      [["a", "b"], undefined, ["c"]],
    ])
      expect(read("92 400102 4203", { structures: structures as StructuresInput })).toEqual([{ a: 1, b: 2 }, { c: 3 }]);
    expect(refused("9141", { structures: bytes })).toEqual(["ERR_UNKNOWN_INDEX", 1]);
    expect(refused("9143", { structures: bytes })).toEqual(["ERR_UNKNOWN_INDEX", 1]);
    const given = [["a"]];
    const decoder = new Decoder({ structures: given });
    given[0]![0] = "changed";
    expect(decoder.decode(fromHex("4001"))).toEqual({ a: 1 });
  });

  test.each([
    [5, "expected bytes"],
    ["x", "expected bytes"],
    [{}, "expected bytes"],
    [moonpack.encode({ a: 1 }), "must be an array of arrays of keys, not"],
    [moonpack.encode({ named: [], typed: [[0]] }), "randomAccessStructure"],
    [new Uint8Array([0x91]), "the input ends"],
    [[["a", 1]], "structures[0] must be an array of strings"],
    [["ab"], "structures[0] must be an array of strings"],
  ])("structures that are %o", (structures, text) => {
    const { code, message } = caughtOurs(() => new Decoder({ structures: structures as StructuresInput }));
    expect(code).toBe("ERR_INVALID_ARGUMENT");
    expect(message).toContain(text);
  });

  test.each([
    [{ structure: [] }, "did you mean structures?"],
    [{ sequential: 1 }, "sequential must be"],
    [{ trusted: "yes" }, "trusted must be"],
    [{ float32: true }, "float32 must be"],
    [{ binary: "buffer" }, "binary must be"],
    [{ int64: "string" }, "int64 must be"],
    [{ maxDepth: 0 }, "maxDepth must be"],
    [{ maxDepth: 1025 }, "maxDepth must be"],
    [{ timestamps: "x" }, "timestamps must be"],
    [{ useRecords: true }, "useRecords"],
    [5, "options must be an object"],
  ])("the options %o", (options, text) => {
    const { code, message } = caughtOurs(() => new Decoder(options as DecoderOptions));
    expect(code).toBe("ERR_INVALID_ARGUMENT");
    expect(message).toContain(text);
  });

  test("binary, integers, maps, text and timestamps as decode reads them", () => {
    const bytes = fromHex("c40107");
    expect(decode<Uint8Array>(bytes).buffer === bytes.buffer).toBe(false);
    expect(decode<Uint8Array>(bytes, { binary: "view" }).buffer === bytes.buffer).toBe(true);
    expect(read("cf0000000000000001", { int64: "bigint" })).toBe(1n);
    expect(refused("d37fffffffffffffff", { int64: "number" })).toEqual(["ERR_UNSAFE_INTEGER", 0]);
    expect(read("81a16101", { maps: "map" })).toEqual(new Map([["a", 1]]));
    expect(refused("810101", { maps: "object" })).toEqual(["ERR_UNSUPPORTED_TYPE", 1]);
    expect(refused("a1ff")).toEqual(["ERR_INVALID_UTF8", 0]);
    expect(read("a1ff", { utf8: "replace" })).toBe("\ufffd");
    expect(read("d6ff00000000", { timestamps: "timestamp" })).toBeInstanceOf(moonpack.Timestamp);
  });
});

describe("hostile bytes", () => {
  test.each([
    ["an id without a structure", "92d4724091a1610141", {}, "ERR_UNKNOWN_INDEX", 8],
    ["an id of two bytes without a structure", "916108", { structures: FORTY }, "ERR_UNKNOWN_INDEX", 1],
    ["a definition of 2^32 keys", "d47240ddffffffff", {}, "ERR_TRUNCATED", 3],
    ["a definition of an id outside of the range", "d4723f91a16101", {}, "ERR_INVALID_BYTE", 0],
    ["a definition of two bytes in the range of one", "d572400091a16101", {}, "ERR_INVALID_BYTE", 0],
    ["a definition of four bytes", "d6724000000091a16101", {}, "ERR_INVALID_BYTE", 0],
    ["a definition without keys", "d47240c0", {}, "ERR_INVALID_BYTE", 0],
    ["a definition whose keys are numbers", "d47240910101", {}, "ERR_UNSUPPORTED_TYPE", 0],
    [
      "a record that needs more bytes than there are",
      "40010203",
      { structures: [["a", "b", "c", "d"]] },
      "ERR_TRUNCATED",
      0,
    ],
    ["a reference without the option", "92d669000000019001", {}, "ERR_UNSUPPORTED_TYPE", 1],
    ["a reference forward", "92d67000000001d669000000019101", TRUSTED, "ERR_INVALID_BYTE", 1],
    ["a number that no message has", "d669ffffffff90", TRUSTED, "ERR_INVALID_BYTE", 0],
    ["two numbers of one object", "d66900000001d6690000000290", TRUSTED, "ERR_INVALID_BYTE", 6],
    ["a cause that is its Error", "d66900000001d4650093a54572726f72a171d67000000001", TRUSTED, "ERR_INVALID_BYTE", 18],
    [
      "a map that became a Map after it was referred to",
      "d6690000000182a161d670000000010102",
      TRUSTED,
      "ERR_UNSUPPORTED_TYPE",
      15,
    ],
    ["a RegExp without the option", "d4780092a161a0", {}, "ERR_UNSUPPORTED_TYPE", 0],
    ["a RegExp that does not compile", "d4780092a128a0", TRUSTED, "ERR_INVALID_BYTE", 0],
    ["a RegExp of numbers", "d47800920102", TRUSTED, "ERR_INVALID_BYTE", 0],
    ["an Error without a message", "d4650091a161", {}, "ERR_INVALID_BYTE", 0],
    ["a Set that is not an array", "d4730001", {}, "ERR_INVALID_BYTE", 0],
    ["a typed array with half an element", "c70274030100", {}, "ERR_INVALID_BYTE", 0],
    ["a typed array of an unknown kind", "d4747f", {}, "ERR_UNKNOWN_EXTENSION", 0],
    ["a typed array without a kind", "c70074", {}, "ERR_INVALID_BYTE", 0],
    ["a bigint without bytes", "c70042", {}, "ERR_INVALID_BYTE", 0],
    ["a string of a bundle without one", "c105", {}, "ERR_INVALID_BYTE", 0],
    ["a bundle in the bundle's own bytes", "d66200000000c105a0a568656c6c6f", {}, "ERR_INVALID_BYTE", 0],
    ["a bundle beyond the input", "d662ffffffffc105a0a568656c6c6f", {}, "ERR_TRUNCATED", 0],
    ["a string beyond its bundle", "d66200000006c106a0a568656c6c6f", {}, "ERR_INVALID_BYTE", 6],
    ["a bundle that is not used up", "d66200000006c104a0a568656c6c6f", {}, "ERR_INVALID_BYTE", 0],
    ["items that end after a bundle begins", "92d66200000006c105a0a568656c6c6f", {}, "ERR_INVALID_BYTE", 0],
    ["a bundle whose texts are numbers", "d66200000006c1050000", {}, "ERR_INVALID_BYTE", 0],
    ["a bundle before another one", "d6620000000bc706620000000da0a0c706620000000da0a0c0", {}, "ERR_INVALID_BYTE", 0],
    ["0xc1 after 0xc1", "d66200000006c1c1a0a0", {}, "ERR_INVALID_BYTE", 6],
  ] as const)("%s", (_, hex, options, code, offset) => {
    expect(refused(hex, options)).toEqual([code, offset]);
  });

  test("names of Object.prototype are own properties", () => {
    for (const key of ["__proto__", "constructor", "toString"]) {
      const text = toHex(moonpack.encode(key));
      for (const [hex, options] of [
        [`d4724091${text}81${text}01`, {}],
        [`4081${text}01`, { structures: [[key]] }],
        [`4081${text}01`, { structures: moonpack.encode([[key]]) }],
      ] as [string, DecoderOptions][]) {
        const value = read(hex, options) as Record<string, unknown>;
        expect(Object.getPrototypeOf(value) === Object.prototype).toBe(true);
        expect(Object.keys(value)).toEqual([key]);
        expect(Object.getOwnPropertyDescriptor(Object.getOwnPropertyDescriptor(value, key)!.value, key)!.value).toBe(1);
      }
    }
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });

  test("depth: containers, records, definitions, Sets", () => {
    const deep = (head: string, n: number, last = "c0"): string => head.repeat(n) + last;
    for (const head of ["91", "81a161", "d4724091a161", "d4730091", "40"]) {
      const options = { structures: [["a"]] };
      expect(read(deep(head, 512), options)).toBeDefined();
      // Workers of browsers have a smaller call stack.
      expect(["a value", "ERR_LIMIT_DEPTH"]).toContain(
        codeOf(() => read(deep(head, 1024), { ...options, maxDepth: 1024 })),
      );
      expect(refused(deep(head, 513), options)[0]).toBe("ERR_LIMIT_DEPTH");
      expect(refused(deep(head, 200_000), options)[0]).toBe("ERR_LIMIT_DEPTH");
      expect(refused(deep(head, 4), { ...options, maxDepth: 3 })[0]).toBe("ERR_LIMIT_DEPTH");
    }
  });

  test("elements: fields of records, Sets, Maps and typed arrays count", () => {
    const structures = [Array.from({ length: 1000 }, (_, i) => `k${i}`)];
    const record = `40${"c0".repeat(1000)}`;
    expect(refused(record, { structures, maxElements: 999 })).toEqual(["ERR_LIMIT_ELEMENTS", 0]);
    expect(Object.keys(read(record, { structures, maxElements: 1000 }) as object)).toHaveLength(1000);
    for (const item of ["d4730090", "c7017401", "d4650092a0a0"])
      expect(refused(`dc0100${item.repeat(256)}`, { maxElements: 300 })[0]).toBe("ERR_LIMIT_ELEMENTS");
    expect(refused(`dc0100${"80".repeat(256)}`, { maxElements: 300, maps: "map" })[0]).toBe("ERR_LIMIT_ELEMENTS");
    expect(read(`dc0100${"80".repeat(256)}`, { maxElements: 300 })).toHaveLength(256);
  });

  test("maxBytes, for each message of several", () => {
    expect(read("d4724091a16101", { maxBytes: 7 })).toEqual({ a: 1 });
    expect(refused("d4724091a16101", { maxBytes: 6 })).toEqual(["ERR_LIMIT_BYTES", 0]);
    const two = decodeMulti(fromHex("a16191a26162"), { maxBytes: 3 });
    expect(two.next().value).toBe("a");
    const { code, offset } = fault(() => two.next());
    expect([code, offset]).toEqual(["ERR_LIMIT_BYTES", 2]);
  });

  test("keys that collide in a Map and in a Set", () => {
    const keys = collidingKeys(200, (i) => 2 ** 33 + i);
    const items = keys.map((key) => toHex(moonpack.encode(key)));
    expect(refused(`de00c8${items.map((item) => `${item}c0`).join("")}`)[0]).toBe("ERR_LIMIT_ELEMENTS");
    expect(refused(`d47300dc00c8${items.join("")}`)[0]).toBe("ERR_LIMIT_ELEMENTS");
  });

  test("a bigint of a megabyte", () => {
    const bytes = new Uint8Array(2 ** 20 + 6).fill(0x7f);
    bytes.set([0xc9, 0, 0x10, 0, 0, 0x42]);
    expect(fault(() => decode(bytes)).code).toBe("ERR_OUT_OF_RANGE");
  });

  test("a sequence keeps a bounded amount of definitions", () => {
    const decoder = new Decoder({ sequential: true });
    const key = "k".repeat(2 ** 20);
    const keys = moonpack.encode([key]);
    const define = (second: number): unknown =>
      decoder.decode(concat(fromHex("d57260"), new Uint8Array([second]), keys, fromHex("c0")));
    for (let i = 0; i < 200; i++) define(7);
    for (let i = 0; i < 62; i++) define(i);
    expect(fault(() => [define(100), define(101)]).code).toBe("ERR_LIMIT_ELEMENTS");
  });

  test("trailing bytes say that structures may be missing", () => {
    expect(caughtOurs(() => read("400102")).message).toContain("structures are missing");
    expect(caughtOurs(() => read("200168656c6c6f")).message).toContain("randomAccessStructure");
    expect(caughtOurs(() => read("c0c0")).message).not.toContain("may be");
  });

  test("random bytes, and changed bytes of every vector: a value or a coded error", () => {
    const random = randomSource(9);
    for (let i = 0; i < share(6000); i++) {
      const [, hex, options] = VECTORS[random(VECTORS.length)]!;
      const bytes = fromHex(hex.replaceAll(" ", ""));
      for (let n = random(i % 4 === 0 ? 30 : 3); n >= 0; n--) bytes[random(bytes.length)] = random(256);
      try {
        decode(bytes, { ...options, sequential: i % 3 === 0 });
      } catch (error) {
        if (!(error instanceof moonpack.DecodeError)) throw new Error(`${toHex(bytes)}: ${String(error)}`);
      }
    }
  });
});
