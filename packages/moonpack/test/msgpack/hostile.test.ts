/** Bad input gets a coded error with its offset or path, and nothing else happens: the codec works on. */

import {
  Decoder,
  type DecoderOptions,
  decode,
  decodeAt,
  decodeMulti,
  EncodeError,
  Encoder,
  type EncoderOptions,
  Extension,
  Extensions,
  encode,
  encodeInto,
  Timestamp,
} from "moonpack";
import { describe, expect, test } from "vitest";
import { caughtOurs, fault } from "../harness/caught.ts";
import { none } from "../harness/each.ts";
import { concat, fromHex, toHex } from "../harness/hex.ts";
import { differ } from "../harness/same.ts";

const encoder = new Encoder();
const decoder = new Decoder();
const probe = { ok: [1, "two", { three: 3.5 }], n: null };
const probeBytes = encode(probe);

/** What encoding throws; and that the encoder works on as if nothing had happened. */
function refused(value: unknown, with_: Encoder = encoder): Record<string, unknown> {
  const seen = fault(() => with_.encode(value));
  const { code } = fault(() => encode(value));
  if (with_ === encoder) expect(code).toBe(seen.code);
  expect(toHex(with_.encode(probe))).toBe(toHex(probeBytes));
  return seen;
}

/** The same for decoding. */
function refusedBytes(bytes: Uint8Array, options?: DecoderOptions): Record<string, unknown> {
  const one = options === undefined ? decoder : new Decoder(options);
  const seen = fault(() => one.decode(bytes));
  none(differ(one.decode(probeBytes), probe));
  return seen;
}

const repeat = (hex: string, n: number) => fromHex(hex.repeat(n));
const nestedArrays = (n: number): unknown => {
  let value: unknown = [];
  for (let i = 1; i < n; i++) value = [value];
  return value;
};
const nestedMaps = (n: number): unknown => {
  let value: unknown = {};
  for (let i = 1; i < n; i++) value = { a: value };
  return value;
};
const nestedMapObjects = (n: number): unknown => {
  let value: unknown = new Map();
  for (let i = 1; i < n; i++) value = new Map([[1, value]]);
  return value;
};

describe("what has no MessagePack form", () => {
  class Unregistered {
    x = 1;
  }
  const unsupported: [string, () => unknown][] = [
    ["a function", () => () => 1],
    ["a class", () => Unregistered],
    ["a symbol", () => Symbol("s")],
    ["undefined", () => undefined],
    ["a Set", () => new Set([1])],
    ["a WeakMap", () => new WeakMap()],
    ["a RegExp", () => /x/g],
    ["an Error", () => new Error("e")],
    ["a Promise", () => Promise.resolve(1)],
    ["an instance of an unregistered class", () => new Unregistered()],
    ["an object that inherits from a plain one", () => Object.create({ inherited: 1 }) as unknown],
    ["a boxed number", () => Object(5) as unknown],
    ["a boxed string", () => Object("s") as unknown],
    ["a boxed symbol", () => Object(Symbol("s")) as unknown],
    ["a generator", () => (function* () {})()],
    ["a Map's iterator", () => new Map().entries()],
    ["arguments of a foreign kind: a URL", () => new URL("http://x/")],
    ["an invalid Date", () => new Date(Number.NaN)],
  ];
  for (const [name, make] of unsupported) {
    test(`${name}: ERR_UNSUPPORTED_TYPE, wherever it stands`, () => {
      expect(refused(make())).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$" });
      expect(refused([1, make()])).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[1]" });
      expect(refused(new Map([["k", make()]]))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.k" });
      expect(refused({ a: [0, 0, 0, { cb: [make()] }] })).toEqual({
        code: "ERR_UNSUPPORTED_TYPE",
        path: "$.a[3].cb[0]",
      });
      if (make() !== undefined)
        expect(refused({ "a b": make() })).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: '$["a b"]' });
    });
  }

  test("the error says what it was", () => {
    expect(caughtOurs(() => encode({ a: () => 1 })).message).toMatch(/function/);
    expect(caughtOurs(() => encode([Symbol("s")])).message).toMatch(/symbol/);
    expect(caughtOurs(() => encode(new Set())).message).toMatch(/Set/);
    expect(caughtOurs(() => encode(new Unregistered())).message).toMatch(/Unregistered/);
    expect(caughtOurs(() => encode(new Date(Number.NaN))).message).toMatch(/Date/);
    expect(caughtOurs(() => encode({ a: [undefined] })).message).toMatch(/undefined/);
  });

  test("a property that is undefined is left out, and only that", () => {
    expect(decode(encode({ a: undefined, b: 1, c: undefined }))).toEqual({ b: 1 });
    expect(decode(encode({ a: undefined }))).toEqual({});
    expect(refused([undefined])).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
    expect(refused(new Map([[1, undefined]])).code).toBe("ERR_UNSUPPORTED_TYPE");
    expect(refused(new Map([[undefined, 1]])).code).toBe("ERR_UNSUPPORTED_TYPE");
  });

  test("sparse arrays and holes, quickly whatever the length", () => {
    // biome-ignore lint/suspicious/noSparseArray: holes are the point
    expect(refused([1, , 3])).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[1]" });
    expect(refused(new Array(3))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
    const long: unknown[] = [];
    long.length = 4294967295;
    expect(refused({ long })).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.long[0]" });
  });

  test("bigint beyond 64 bits: ERR_OUT_OF_RANGE", () => {
    for (const n of [2n ** 64n, -(2n ** 63n) - 1n, 2n ** 10_000n, -(2n ** 10_000n)]) {
      expect(refused({ a: [n] })).toEqual({ code: "ERR_OUT_OF_RANGE", path: "$.a[0]" });
    }
    expect(toHex(encode(2n ** 64n - 1n))).toBe("cfffffffffffffffff");
    expect(toHex(encode(-(2n ** 63n)))).toBe("d38000000000000000");
  });
});

describe("nesting and cycles", () => {
  test("512 containers may be open, both ways", () => {
    for (const make of [nestedArrays, nestedMaps, nestedMapObjects]) {
      const bytes = encoder.encode(make(512));
      expect(toHex(encoder.encode(decoder.decode(bytes)))).toBe(toHex(bytes));
      expect(refused(make(513)).code).toBe("ERR_LIMIT_DEPTH");
    }
  });

  test("100,000 nested arrays and maps: ERR_LIMIT_DEPTH both ways", () => {
    for (const make of [nestedArrays, nestedMaps, nestedMapObjects])
      expect(refused(make(100_000)).code).toBe("ERR_LIMIT_DEPTH");
    for (const [unit, offset] of [
      ["91", 512],
      ["81a161", 512 * 3],
      ["8101", 512 * 2],
      ["dc0001", 512 * 3],
      ["df00000001a161", 512 * 7],
    ] as const) {
      const bytes = concat(repeat(unit, 100_000), fromHex("c0"));
      expect(refusedBytes(bytes), unit).toEqual({ code: "ERR_LIMIT_DEPTH", offset, needMore: 0 });
      expect(
        fault(() => decodeAt(bytes, 0)),
        unit,
      ).toEqual({ code: "ERR_LIMIT_DEPTH", offset, needMore: 0 });
    }
    // As keys: of maps in maps.
    expect(refusedBytes(concat(repeat("81", 100_000), repeat("c0", 100_001))).code).toBe("ERR_LIMIT_DEPTH");
  });

  test("the path of what is too deep leads there", () => {
    const error = caughtOurs(() => new Encoder({ maxDepth: 3 }).encode({ a: [{ b: [1] }] })) as EncodeError;
    expect([error.code, error.path]).toEqual(["ERR_LIMIT_DEPTH", "$.a[0].b"]);
  });

  test("maxDepth counts open containers, empty ones too", () => {
    for (const maxDepth of [1, 2, 5, 600, 4096]) {
      for (const make of [nestedArrays, nestedMaps, nestedMapObjects]) {
        const one = new Encoder({ maxDepth });
        const bytes = one.encode(make(maxDepth));
        expect(fault(() => one.encode(make(maxDepth + 1))).code).toBe("ERR_LIMIT_DEPTH");
        for (const codeGeneration of [true, false]) {
          const back = new Decoder({ maxDepth, codeGeneration });
          expect(toHex(one.encode(back.decode(bytes)))).toBe(toHex(bytes));
          if (maxDepth > 1)
            expect(fault(() => new Decoder({ maxDepth: maxDepth - 1 }).decode(bytes)).code).toBe("ERR_LIMIT_DEPTH");
        }
      }
    }
  });

  test("4096 deep with everything in it, and every prefix of it around the place where reading changes its way", () => {
    const one = new Encoder({ maxDepth: 4096 });
    const back = new Decoder({ maxDepth: 4096 });
    let value: unknown = "end";
    for (let i = 0; i < 4000; i++)
      value = i % 3 === 0 ? [i, value, "x"] : i % 3 === 1 ? { k: i, v: value, w: 1.5 } : new Map([[i, value]]);
    const bytes = one.encode(value);
    none(differ(back.decode(bytes), value));
    for (let n = 0; n < bytes.length; n += 97) {
      const { code, needMore } = fault(() => back.decode(bytes.slice(0, n)));
      expect(code).toBe("ERR_TRUNCATED");
      expect(n + Number(needMore)).toBeLessThanOrEqual(bytes.length);
    }
    none(differ(back.decode(bytes), value));
  });

  test("cycles: ERR_CYCLE, long before the depth limit, with the path of the loop", () => {
    const self: Record<string, unknown> = {};
    self.me = self;
    expect(refused(self)).toEqual({ code: "ERR_CYCLE", path: "$.me" });
    const list: unknown[] = [1];
    list.push(list);
    expect(refused(list)).toEqual({ code: "ERR_CYCLE", path: "$[1]" });
    const a: Record<string, unknown> = { x: 1 };
    const b = { list: [0, { a }] };
    a.b = b;
    expect(refused({ deep: a })).toEqual({ code: "ERR_CYCLE", path: "$.deep.b.list[1].a" });
    const map = new Map<unknown, unknown>();
    map.set("m", [map]);
    expect(refused(map)).toEqual({ code: "ERR_CYCLE", path: "$.m[0]" });
    // A long loop, a loop through a class with toMessagePack, and one that only begins deep down.
    const ring: Record<string, unknown>[] = Array.from({ length: 50 }, () => ({}));
    for (const [i, node] of ring.entries()) node.next = ring[(i + 1) % 50];
    expect(refused(ring[0]).code).toBe("ERR_CYCLE");
    const tail: unknown[] = [];
    tail.push(tail);
    let late: unknown = tail;
    for (let i = 0; i < 300; i++) late = [late];
    expect(refused(late).code).toBe("ERR_CYCLE");
    class Loop {
      toMessagePack(): unknown {
        return { again: this };
      }
    }
    expect(["ERR_CYCLE", "ERR_LIMIT_DEPTH"]).toContain(refused(new Loop()).code);
  });

  test("the same object twice is no cycle", () => {
    const shared = { a: [1] };
    const value = { x: shared, y: [shared, shared], z: { shared } };
    none(differ(decoder.decode(encoder.encode(value)), value));
    let tree: unknown = 1;
    for (let i = 0; i < 14; i++) tree = [tree, tree];
    none(differ(decoder.decode(encoder.encode(tree)), tree));
  });
});

describe("names", () => {
  test("__proto__, constructor, toString and the empty key come back as own keys; prototypes stay as they are", () => {
    for (const text of [
      '{"__proto__":{"admin":true}}',
      '{"":1}',
      '{"constructor":7}',
      '{"toString":null}',
      '{"a":1,"__proto__":5,"b":[]}',
      '{"constructor":{"prototype":{"x":1}}}',
    ]) {
      const value = JSON.parse(text) as object;
      for (const options of [{}, { codeGeneration: false }, { strict: true }] satisfies DecoderOptions[]) {
        const one = new Decoder(options);
        // Often enough that every way of reading takes part.
        for (let i = 0; i < 250; i++) {
          const back = one.decode<object>(encode(value));
          expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
          none(differ(back, value), text);
        }
      }
    }
    expect(({} as { admin?: unknown }).admin).toBe(undefined);
    expect(({} as { x?: unknown }).x).toBe(undefined);
  });

  test("no property decides the type: plain objects stay maps", () => {
    for (const value of [
      { toISOString: 1 },
      { byteLength: 3, buffer: 1 },
      { type: 5, data: "x" },
      { seconds: 1, nanoseconds: 2 },
      { length: 2, 0: "a" },
      { _bsontype: "x" },
      { prototype: 1 },
    ]) {
      none(differ(decode(encode(value)), value));
    }
    expect(refused({ constructor: Date })).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.constructor" });
  });

  test("toMessagePack as plain data is data", () => {
    none(differ(decode(encode({ toMessagePack: 5, toJSON: "x" })), { toMessagePack: 5, toJSON: "x" }));
  });

  test("symbol keys and what is not enumerable are not written", () => {
    const value = Object.defineProperty({ a: 1, [Symbol("s")]: 2 }, "hidden", { value: 3, enumerable: false });
    expect(decode(encode(value))).toEqual({ a: 1 });
  });
});

describe("text", () => {
  test("lone surrogates: ERR_INVALID_UTF8 with the path, also in keys; replaced by option", () => {
    for (const bad of ["\ud800", "a\udc00b", "x".repeat(100) + "\ud83d", "日".repeat(5000) + "\udfff"]) {
      expect(refused({ a: [bad] })).toEqual({ code: "ERR_INVALID_UTF8", path: "$.a[0]" });
      expect(refused({ [bad]: 1 }).code).toBe("ERR_INVALID_UTF8");
      expect(refused(new Map([[bad, 1]])).code).toBe("ERR_INVALID_UTF8");
      const replace = new Encoder({ utf8: "replace" });
      expect(decode(replace.encode([bad]))).toEqual([bad.toWellFormed()]);
      expect(decode(replace.encode({ [bad]: 1 }))).toEqual({ [bad.toWellFormed()]: 1 });
    }
  });

  test("malformed UTF-8 is replaced by option, by the WHATWG rules", () => {
    const lossy = new Decoder({ utf8: "replace" });
    for (const hex of ["c328", "ff", "e6", "f09f98", "eda080", "c080", "61ff62"]) {
      const data = fromHex(hex);
      const bytes = concat(new Uint8Array([0xa0 | data.length]), data);
      expect(lossy.decode(bytes)).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(data));
      expect(fault(() => decode(bytes)).code).toBe("ERR_INVALID_UTF8");
    }
  });
});

describe("user code that throws or meddles", () => {
  const boom = new Error("boom");
  const thrower = (): never => {
    throw boom;
  };

  test("a throwing getter: ERR_USER_CODE with cause and path", () => {
    const value = {
      a: [
        {
          get b() {
            return thrower();
          },
        },
      ],
    };
    const error = caughtOurs(() => encoder.encode(value)) as EncodeError;
    expect([error.code, error.path]).toEqual(["ERR_USER_CODE", "$.a[0].b"]);
    expect(error.cause).toBe(boom);
    expect(error.message).toMatch(/boom/);
    expect(refused(value).code).toBe("ERR_USER_CODE");
    const array = Object.defineProperty([1, 2, 3], 1, { get: thrower, enumerable: true });
    expect(refused({ array })).toEqual({ code: "ERR_USER_CODE", path: "$.array[1]" });
  });

  test("whatever user code throws is kept as the cause", () => {
    for (const thrown of [boom, "text", 5, null, undefined, { a: 1 }, new RangeError("Invalid array length")]) {
      const error = caughtOurs(() =>
        encode({
          get x() {
            throw thrown;
          },
        }),
      );
      expect(error.code).toBe("ERR_USER_CODE");
      expect(error.cause).toBe(thrown);
    }
  });

  test("toMessagePack that throws, and one that answers", () => {
    class Money {
      cents = 150;
      toMessagePack(): unknown {
        return { cents: this.cents };
      }
    }
    class Broken {
      toMessagePack(): unknown {
        return thrower();
      }
    }
    expect(decode(encode([new Money()]))).toEqual([{ cents: 150 }]);
    const error = caughtOurs(() => encode({ list: [new Broken()] })) as EncodeError;
    expect([error.code, error.path, error.cause]).toEqual(["ERR_USER_CODE", "$.list[0]", boom]);
    expect(refused([new Broken()]).code).toBe("ERR_USER_CODE");
    class Endless {
      toMessagePack(): unknown {
        return new Endless();
      }
    }
    expect(refused(new Endless()).code).toBe("ERR_LIMIT_DEPTH");
    class Nothing {
      toMessagePack(): unknown {
        return undefined;
      }
    }
    expect(refused(new Nothing()).code).toBe("ERR_UNSUPPORTED_TYPE");
  });

  test("proxies whose traps throw", () => {
    for (const trap of ["ownKeys", "get", "getOwnPropertyDescriptor", "getPrototypeOf", "has"] as const) {
      for (const target of [{ a: 1 }, [1, 2]]) {
        const value = new Proxy(target, { [trap]: thrower });
        try {
          encode({ value });
        } catch (error) {
          expect(error).toBeInstanceOf(EncodeError);
          expect((error as EncodeError).code).toBe("ERR_USER_CODE");
        }
        expect(toHex(encode(probe))).toBe(toHex(probeBytes));
      }
    }
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(refused({ proxy }).code).toBe("ERR_USER_CODE");
  });

  test("a proxy that claims what it is not", () => {
    const many = new Proxy([], { get: (target, key) => (key === "length" ? 3 : Reflect.get(target, key)) });
    const { code } = fault(() => encode(many));
    expect(code).toBe("ERR_UNSUPPORTED_TYPE");
    for (const length of [-1, 1.5, Number.NaN, 2 ** 40, "3", null, {}]) {
      const value = new Proxy([1], {
        get: (target, key): unknown => (key === "length" ? length : Reflect.get(target, key)),
      });
      let bytes: Uint8Array<ArrayBuffer>;
      try {
        bytes = encoder.encode([value, "after"]);
      } catch (error) {
        expect(error).toBeInstanceOf(EncodeError);
        continue;
      }
      expect(Array.isArray(decode(bytes))).toBe(true); // what is written at least reads back
    }
    expect(toHex(encoder.encode(probe))).toBe(toHex(probeBytes));
  });

  test("a getter that changes the object while it is encoded: bytes that read back, or a coded error", () => {
    const meddlers: [string, () => unknown][] = [
      [
        "adds a key",
        () => ({
          get a() {
            (this as Record<string, unknown>).later = 1;
            return 1;
          },
          b: 2,
        }),
      ],
      [
        "adds many keys",
        () => ({
          get a() {
            for (let i = 0; i < 100; i++) (this as Record<string, unknown>)[`k${i}`] = i;
            return 1;
          },
          b: 2,
        }),
      ],
      [
        "deletes the next key",
        () => ({
          get a() {
            delete (this as Record<string, unknown>).b;
            return 1;
          },
          b: 2,
          c: 3,
        }),
      ],
      [
        "deletes itself",
        () => ({
          x: 0,
          get a() {
            delete (this as Record<string, unknown>).a;
            return 1;
          },
          b: 2,
        }),
      ],
      [
        "turns the next one into undefined",
        () => ({
          get a() {
            (this as Record<string, unknown>).b = undefined;
            return 1;
          },
          b: 2,
        }),
      ],
      [
        "answers another type each time",
        () => {
          let i = 0;
          return {
            get a() {
              return [1, "x", null, [2], { y: 1 }][i++ % 5];
            },
            b: 2,
          };
        },
      ],
      [
        "changes its prototype",
        () => ({
          get a() {
            Object.setPrototypeOf(this, Array.prototype);
            return 1;
          },
          b: 2,
        }),
      ],
    ];
    for (const [name, make] of meddlers) {
      for (const one of [encoder, new Encoder({ canonical: true })]) {
        for (let i = 0; i < 5; i++) {
          let bytes: Uint8Array<ArrayBuffer>;
          try {
            bytes = one.encode([make(), "after"]);
          } catch (error) {
            expect(error, name).toBeInstanceOf(EncodeError);
            continue;
          }
          const back = decode<unknown[]>(bytes);
          expect(back.length, name).toBe(2);
          expect(back[1], name).toBe("after");
        }
      }
    }
  });

  test("a getter that changes the array while it is encoded", () => {
    const meddling = (act: (array: unknown[]) => void): unknown[] => {
      const array: unknown[] = [0, 1, 2, 3];
      array[1] = {
        get x() {
          act(array);
          return 1;
        },
      };
      return array;
    };
    const shrinks = meddling((array) => (array.length = 2));
    expect(fault(() => encoder.encode(shrinks))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[2]" });
    expect(decode(encoder.encode(meddling((array) => array.push(7))))).toEqual([0, { x: 1 }, 2, 3]);
    expect(decode(encoder.encode(meddling((array) => (array[3] = "new"))))).toEqual([0, { x: 1 }, 2, "new"]);
    expect(toHex(encoder.encode(probe))).toBe(toHex(probeBytes));
  });

  test("an extension or toMessagePack that changes the Map while it is encoded", () => {
    const map = new Map<unknown, unknown>([
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ]);
    class Meddler {
      toMessagePack(): unknown {
        map.clear();
        map.set("z", 26);
        return 0;
      }
    }
    map.set("a", new Meddler());
    const back = decode<Record<string, unknown>>(encoder.encode([map, "after"]));
    expect(Array.isArray(back) && back[1]).toBe("after");
  });

  test("extensions that throw, or answer what is no bytes", () => {
    class Point {
      x = 1;
    }
    const make = (encodeIt: () => unknown, decodeIt: () => unknown) =>
      new Extensions().register({
        type: 5,
        class: Point,
        encode: encodeIt as () => Uint8Array,
        decode: decodeIt as () => Point,
      });
    const bad = make(thrower, thrower);
    const error = caughtOurs(() => new Encoder({ extensions: bad }).encode({ p: [new Point()] })) as EncodeError;
    expect([error.code, error.path, error.cause]).toEqual(["ERR_USER_CODE", "$.p[0]", boom]);
    const reader = new Decoder({ extensions: bad });
    const bytes = fromHex("9201d40500");
    expect(fault(() => reader.decode(bytes))).toEqual({ code: "ERR_USER_CODE", offset: 2, needMore: 0 });
    expect(caughtOurs(() => reader.decode(bytes)).cause).toBe(boom);
    none(differ(reader.decode(probeBytes), probe));
    for (const answer of [undefined, null, "x", 5, [1], {}, new ArrayBuffer(2)]) {
      const odd = new Encoder({ extensions: make(() => answer, thrower) });
      expect(fault(() => odd.encode([new Point()]))).toEqual({ code: "ERR_USER_CODE", path: "$[0]" });
      expect(toHex(odd.encode(probe))).toBe(toHex(probeBytes));
    }
  });
});

describe("unusual containers", () => {
  test("frozen, sealed and null-prototype objects are plain", () => {
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

  test("typed arrays, DataView and buffers are bin", () => {
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

  test("a detached buffer is refused, in every guise", () => {
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
      // Nobody's code threw: the value is at fault.
      expect(code).not.toBe("ERR_USER_CODE");
    }
  });

  test("decoded binary is a copy, or a view by option", () => {
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

describe("limits by option", () => {
  test("maxBytes", () => {
    const limited = new Encoder({ maxBytes: 100 });
    expect(limited.encode("a".repeat(98)).length).toBe(100);
    expect(fault(() => limited.encode("a".repeat(99)))).toEqual({ code: "ERR_LIMIT_BYTES", path: "$" });
    expect(fault(() => limited.encode(Array.from({ length: 100_000 }, () => "text"))).code).toBe("ERR_LIMIT_BYTES");
    expect(toHex(limited.encode(probe))).toBe(toHex(probeBytes));
    const reader = new Decoder({ maxBytes: 100 });
    expect(reader.decode(encode("a".repeat(98)))).toBe("a".repeat(98));
    expect(fault(() => reader.decode(encode("a".repeat(99)))).code).toBe("ERR_LIMIT_BYTES");
    expect(fault(() => reader.decodeAt(encode("a".repeat(99)), 0)).code).toBe("ERR_LIMIT_BYTES");
    expect(fault(() => reader.decodeAt(encode("a".repeat(98)).subarray(0, 50), 0)).code).toBe("ERR_TRUNCATED");
    expect([...reader.decodeMulti(concat(encode("a".repeat(98)), encode("b".repeat(98))))].length).toBe(2);
  });

  test("int64: 'number' throws where a number would round, 'bigint' is always bigint", () => {
    const number = new Decoder({ int64: "number" });
    const bigint = new Decoder({ int64: "bigint" });
    const cases: [string, number | bigint, bigint][] = [
      ["cf0000000100000000", 4294967296, 4294967296n],
      ["cf001fffffffffffff", Number.MAX_SAFE_INTEGER, 2n ** 53n - 1n],
      ["cf0020000000000000", 2n ** 53n, 2n ** 53n],
      ["cfffffffffffffffff", 2n ** 64n - 1n, 2n ** 64n - 1n],
      ["d3ffe0000000000001", Number.MIN_SAFE_INTEGER, -(2n ** 53n) + 1n],
      ["d3ffe0000000000000", -(2n ** 53n), -(2n ** 53n)],
      ["d37fffffffffffffff", 2n ** 63n - 1n, 2n ** 63n - 1n],
      ["d38000000000000000", -(2n ** 63n), -(2n ** 63n)],
    ];
    for (const [hex, auto, big] of cases) {
      const bytes = fromHex(hex);
      expect(decode(bytes), hex).toBe(auto);
      expect(bigint.decode(bytes), hex).toBe(big);
      if (typeof auto === "number") expect(number.decode(bytes), hex).toBe(auto);
      else
        expect(
          fault(() => number.decode(concat(fromHex("91"), bytes))),
          hex,
        ).toEqual({ code: "ERR_UNSAFE_INTEGER", offset: 1, needMore: 0 });
    }
  });

  test("maps: 'object' refuses other keys at the key, 'map' makes every map a Map", () => {
    expect(fault(() => decode(fromHex("82a161010702"), { maps: "object" }))).toEqual({
      code: "ERR_UNSUPPORTED_TYPE",
      offset: 4,
      needMore: 0,
    });
    none(differ(decode(fromHex("81a16180"), { maps: "map" }), new Map([["a", new Map()]])));
  });

  test("timestamps as asked", () => {
    const whole = fromHex("d6ff00000001");
    const fine = fromHex("d7ff0000000400000000");
    expect(decode(whole, { timestamps: "timestamp" })).toEqual(new Timestamp(1, 0));
    expect(decode(whole, { timestamps: "date" })).toEqual(new Date(1000));
    expect(decode(fine, { timestamps: "date" })).toEqual(new Date(0));
    expect(fault(() => decode(encode(new Timestamp(2n ** 60n, 0)), { timestamps: "date" })).code).toBe(
      "ERR_OUT_OF_RANGE",
    );
  });

  test("unknown extensions are kept by option, and go out as they came", () => {
    const bytes = fromHex("93d405aac7007fd5fe0102");
    const value = decode<Extension[]>(bytes, { unknownExtensions: "keep" });
    none(
      differ(value, [
        new Extension(5, fromHex("aa")),
        new Extension(127, fromHex("")),
        new Extension(-2, fromHex("0102")),
      ]),
    );
    expect(toHex(encode(value))).toBe(toHex(bytes));
    expect(value[0]!.data.buffer.byteLength).toBe(1);
  });

  test("an extension as a map's key: a Map", () => {
    const value = decode<Map<unknown, unknown>>(fromHex("81d40500c0"), { unknownExtensions: "keep" });
    none(differ(value, new Map([[new Extension(5, fromHex("00")), null]])));
    expect(fault(() => decode(fromHex("81d40500c0")))).toEqual({
      code: "ERR_UNKNOWN_EXTENSION",
      offset: 1,
      needMore: 0,
    });
  });
});

describe("calls that make no sense", () => {
  const nonsense: unknown[] = [
    undefined,
    null,
    "a string",
    5,
    5n,
    true,
    [1, 2],
    {},
    () => 1,
    Symbol("s"),
    { length: 1, 0: 0xc0 },
  ];

  test("decoding what is no bytes", () => {
    for (const input of nonsense) {
      for (const way of [
        decode,
        (x: Uint8Array) => decodeAt(x, 0),
        (x: Uint8Array) => [...decodeMulti(x)],
        (x: Uint8Array) => decoder.decode(x),
      ]) {
        expect(fault(() => way(input as Uint8Array))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      }
    }
    none(differ(decoder.decode(probeBytes), probe));
  });

  test("decodeAt outside the bytes", () => {
    for (const offset of [-1, 6, 1.5, Number.NaN, Infinity, "1", undefined, null]) {
      expect(
        fault(() => decodeAt(new Uint8Array(5), offset as number)),
        String(offset),
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(fault(() => decodeAt(new Uint8Array(5), 5))).toEqual({ code: "ERR_TRUNCATED", offset: 5, needMore: 1 });
  });

  test("encodeInto what is no target, or outside it", () => {
    for (const target of nonsense) {
      expect(fault(() => encodeInto(1, target as Uint8Array, 0))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const offset of [-1, 6, 1.5, Number.NaN, Infinity, "1", null]) {
      expect(
        fault(() => encodeInto(1, new Uint8Array(5), offset as number)),
        String(offset),
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    const buffer = new Uint8Array(8);
    structuredClone(buffer.buffer, { transfer: [buffer.buffer] });
    expect(["ERR_INVALID_ARGUMENT", "ERR_BUFFER_TOO_SMALL"]).toContain(fault(() => encodeInto(1, buffer, 0)).code);
  });

  test("options out of range or of the wrong type", () => {
    const wrong: [string, unknown][] = [
      ["maxDepth", 0],
      ["maxDepth", 4097],
      ["maxDepth", 1.5],
      ["maxDepth", "512"],
      ["maxDepth", Number.NaN],
      ["maxDepth", Infinity],
      ["maxBytes", 0],
      ["maxBytes", "1"],
      ["maxBytes", Number.NaN],
      ["utf8", "lax"],
      ["utf8", "toString"],
      ["fidelity", "full"],
      ["extensions", {}],
      ["extensions", []],
      ["extensions", null],
    ];
    const decoderOnly: [string, unknown][] = [
      ["maps", "objects"],
      ["maps", null],
      ["int64", "Bigint"],
      ["timestamps", true],
      ["binary", "slice"],
      ["unknownExtensions", "ignore"],
      ["strict", 1],
      ["strict", "true"],
      ["codeGeneration", "yes"],
      ["maxFrameBytes", 0],
      ["maxBufferedBytes", -1],
    ];
    for (const [name, value] of [...wrong, ...decoderOnly]) {
      const error = caughtOurs(() => new Decoder({ [name]: value } as DecoderOptions));
      expect(error.code, name).toBe("ERR_INVALID_ARGUMENT");
      expect(error.message, name).toMatch(name);
    }
    for (const [name, value] of [...wrong, ["canonical", 1], ["canonical", "no"]] as [string, unknown][]) {
      const error = caughtOurs(() => new Encoder({ [name]: value } as EncoderOptions));
      expect(error.code, name).toBe("ERR_INVALID_ARGUMENT");
      expect(error.message, name).toMatch(name);
    }
    for (const options of [null, 5, "strict", [], true]) {
      expect(fault(() => new Decoder(options as unknown as DecoderOptions))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(fault(() => new Encoder(options as unknown as EncoderOptions))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(fault(() => decode(probeBytes, options as unknown as DecoderOptions))).toEqual({
        code: "ERR_INVALID_ARGUMENT",
      });
      expect(fault(() => encode(1, options as unknown as EncoderOptions))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
  });

  test("Extension and Timestamp that cannot be", () => {
    for (const type of [128, -129, 1.5, Number.NaN, "5", undefined]) {
      expect(fault(() => new Extension(type as number, new Uint8Array(1)))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const data of [undefined, null, "x", [1], new ArrayBuffer(1)]) {
      expect(fault(() => new Extension(1, data as unknown as Uint8Array))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const [seconds, nanoseconds] of [
      [1.5, 0],
      [Number.NaN, 0],
      [2 ** 53, 0],
      [2n ** 63n, 0],
      [-(2n ** 63n) - 1n, 0],
      [0, -1],
      [0, 1e9],
      [0, 0.5],
      ["1", 0],
    ] as [number, number][]) {
      expect(
        fault(() => new Timestamp(seconds, nanoseconds)),
        String(seconds),
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
  });
});
