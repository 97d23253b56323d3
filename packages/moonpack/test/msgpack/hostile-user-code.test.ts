/** Errors of user code get a path. If user code changes values during a call, the bytes are still valid. */

import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { encoder, probe, probeBytes, refused } from "@moonpack/harness/refused.ts";
import { differ } from "@moonpack/harness/same.ts";
import { Decoder, decode, EncodeError, Encoder, Extensions, encode } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

describe("user code that throws or changes values", () => {
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

  test("the cause is the value that user code throws, of any type", () => {
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

  test("toMessagePack that throws, and toMessagePack that returns", () => {
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

  test("a proxy that imitates another type", () => {
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
      expect(Array.isArray(decode(bytes))).toBe(true); // the bytes are valid
    }
    expect(toHex(encoder.encode(probe))).toBe(toHex(probeBytes));
  });

  test("a getter that changes the object while it is encoded: valid bytes, or a coded error", () => {
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
        "sets the next value to undefined",
        () => ({
          get a() {
            (this as Record<string, unknown>).b = undefined;
            return 1;
          },
          b: 2,
        }),
      ],
      [
        "returns a different type each time",
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
      for (const one of [encoder, new Encoder({ canonical: true, engine: complete })]) {
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

  test("extensions that throw, or do not return bytes", () => {
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
