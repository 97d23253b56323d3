/** Values that change after their first check. The encoder checks the value again when it writes it. */

import { fault } from "@moonpack/harness/caught.ts";
import { classWithLength } from "@moonpack/harness/false-length.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { refused } from "@moonpack/harness/refused.ts";
import { Decoder, decode, Encoder, Extension, Extensions, encode, Timestamp } from "moonpack";
import { complete, js, jsRegExp } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

/** Defines properties on the value that its constructor would reject, and returns the value. */
function changed<T extends object>(value: T, properties: Record<string, unknown>): T {
  return Object.assign(value, properties);
}

describe("Timestamps that changed", () => {
  test.each([
    ["nanoseconds", -1],
    ["nanoseconds", 2e9],
    ["nanoseconds", 0.5],
    ["nanoseconds", "5"],
    ["nanoseconds", undefined],
    ["seconds", 2 ** 60],
    ["seconds", 2n ** 63n],
    ["seconds", 0.5],
    ["seconds", "5"],
    ["seconds", null],
  ] as const)("%s set to %s: rejected with its path", (name, value) => {
    const time = changed(new Timestamp(1, 1), { [name]: value });
    expect(refused([time])).toEqual({ code: "ERR_OUT_OF_RANGE", path: "$[0]" });
  });

  test("a changed but valid Timestamp is written in its canonical form", () => {
    const forms: [Record<string, unknown>, Timestamp][] = [
      [{ seconds: 5 }, new Timestamp(5, 1)],
      [{ seconds: 5n }, new Timestamp(5, 1)],
      [{ seconds: -0, nanoseconds: 0 }, new Timestamp(0)],
      [{ seconds: 5n, nanoseconds: 0 }, new Timestamp(5)],
      [{ seconds: -(2n ** 63n) }, new Timestamp(-(2n ** 63n), 1)],
    ];
    for (const [properties, same] of forms) {
      expect(toHex(encode(changed(new Timestamp(1, 1), properties)))).toBe(toHex(encode(same)));
    }
  });

  test("a subclass whose getters return another value each time", () => {
    const answers: unknown[] = [];
    class Odd extends Timestamp {}
    for (const name of ["seconds", "nanoseconds"]) {
      const get = () => answers.shift();
      Object.defineProperty(Odd.prototype, name, { get, set: () => undefined });
    }
    const encoder = new Encoder();
    const write = (...given: unknown[]) => {
      answers.splice(0, answers.length, ...given);
      return encoder.encode(new Odd(1, 1));
    };
    expect(toHex(write(7, 0, "never", "asked"))).toBe(toHex(encode(new Timestamp(7))));
    expect(fault(() => write(7, -1)).code).toBe("ERR_OUT_OF_RANGE");
    expect(fault(() => write(2 ** 60, 1)).code).toBe("ERR_OUT_OF_RANGE");
  });
});

describe("Extensions that changed", () => {
  test.each([
    [{ type: 300 }],
    [{ type: 1.5 }],
    [{ type: "1" }],
    [{ data: { length: 3 } }],
    [{ data: [1, 2] }],
  ] as const)("%j are rejected with their path", (properties) => {
    const extension = changed(new Extension(1, new Uint8Array(2)), properties);
    expect(refused({ a: extension })).toEqual({ code: "ERR_OUT_OF_RANGE", path: "$.a" });
  });

  test("a subclass whose getters return another value each time", () => {
    const answers: unknown[] = [300, new Uint8Array(1)];
    class Odd extends Extension {}
    Object.defineProperty(Odd.prototype, "type", { get: () => answers.shift(), set: () => undefined });
    Object.defineProperty(Odd.prototype, "data", { get: () => new Uint8Array(1), set: () => undefined });
    const odd = new Odd(1, new Uint8Array(1));
    expect(fault(() => encode(odd)).code).toBe("ERR_OUT_OF_RANGE");
    answers.splice(0, answers.length, 7, 300);
    expect(toHex(encode(odd))).toBe("d40700");
  });

  test("an Extension refers to its data: encode writes the current bytes, and throws if the buffer is detached", () => {
    const data = new Uint8Array([1, 2]);
    const extension = new Extension(5, data);
    data[0] = 9;
    expect(toHex(encode(extension))).toBe("d5050902");
    structuredClone(data.buffer, { transfer: [data.buffer] });
    expect(refused([extension])).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
  });

  test("data whose class overrides length is written completely", () => {
    const before = new Encoder();
    before.encode("something of an earlier message, which must stay private".repeat(4));
    for (const length of [0, 2, 40, 1.5]) {
      const Liar = classWithLength(length);
      expect(toHex(before.encode([new Extension(5, new Liar(Uint8Array.of(1, 2, 3).buffer)), 7]))).toBe(
        "92c7030501020307",
      );
      const extensions = new Extensions().register({
        type: 5,
        class: Liar,
        encode: (value) => value,
        decode: (bytes) => new Liar(bytes.slice().buffer),
      });
      expect(toHex(encode(new Liar(Uint8Array.of(1, 2, 3).buffer), { extensions }))).toBe("c70305010203");
    }
  });
});

describe("sets of extensions", () => {
  class Point {
    x = 0;
  }
  const point = { type: 1, class: Point, encode: () => new Uint8Array(1), decode: () => new Point() };

  test("a definition that is changed after its registration", () => {
    const mine = { ...point };
    const extensions = new Extensions().register(mine);
    mine.type = 300;
    mine.encode = () => null as never;
    expect(toHex(encode(new Point(), { extensions }))).toBe("d40100");
  });

  test("a class whose prototype was replaced before it is unregistered", () => {
    function Old(this: object) {}
    const old = Reflect.construct(Old, []) as object;
    const extensions = new Extensions().register({ ...point, class: Old as never });
    expect(toHex(encode(old, { extensions }))).toBe("d40100");
    Old.prototype = {};
    expect(extensions.unregister(1)).toBe(true);
    expect(fault(() => encode(old, { extensions })).code).toBe("ERR_UNSUPPORTED_TYPE");
  });

  test("only `register` adds a definition", () => {
    const extensions = new Extensions().register(point);
    const seen = new Set<unknown>();
    const reach = (value: unknown): void => {
      if (typeof value !== "object" || value === null || seen.has(value)) return;
      seen.add(value);
      for (const name of Reflect.ownKeys(value)) reach((value as Record<PropertyKey, unknown>)[name]);
    };
    reach(extensions);
    expect(seen.size).toBe(1); // neither the set's internal Map nor an entry is reachable
  });

  test("types of a preset that are registered after the codec was created", () => {
    const extensions = new Extensions();
    const options = { extensions, fidelity: js } as const;
    const encoder = new Encoder(options);
    const decoder = new Decoder(options);
    extensions.register({ ...point, type: 97 });
    expect(fault(() => encoder.encode([new Point()]))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
    expect(decoder.decode(encoder.encode(new Set([1])))).toEqual(new Set([1]));
  });
});

describe("options that change", () => {
  test("a nested message is written with the options read at the start", () => {
    let asked = 0;
    const options = {
      get canonical() {
        return asked++ === 0;
      },
      engine: complete,
    };
    const encoder = new Encoder(options);
    const bytes: Uint8Array[] = [];
    encoder.encode({
      get a() {
        bytes.push(encoder.encode({ b: 1, a: 2 }));
        return 1;
      },
    });
    expect(toHex(bytes[0]!)).toBe("82a16102a16201");
    expect(asked).toBe(1);
  });

  test("a shared preset cannot be changed", () => {
    for (const name of ["read", "toParts"] as const) {
      expect(Reflect.set(js, name, () => undefined)).toBe(false);
    }
  });
});

describe("containers that misreport their contents", () => {
  test.each([["standard"], ["js"]] as const)("a Map whose iterator returns non-pairs, fidelity %s", (name) => {
    class Odd extends Map<unknown, unknown> {
      override *[Symbol.iterator](): MapIterator<[unknown, unknown]> {
        yield [1, 2, 3] as never;
        yield [4] as never;
      }
    }
    const fidelity = name === "js" ? js : name;
    const write = () => encode(new Odd(), { fidelity });
    if (name === "js")
      expect(decode(write(), { fidelity })).toEqual(
        new Map([
          [1, 2],
          [4, undefined],
        ]),
      );
    else expect(fault(write).code).toBe("ERR_UNSUPPORTED_TYPE"); // the second entry has no value
  });

  test.each([[1.5], [-1], [2 ** 32]])("an array with a length of %d, in every mode", (length) => {
    const odd = new Proxy([1, 2, 3], { get: (array, key) => (key === "length" ? length : Reflect.get(array, key)) });
    for (const options of [{}, { canonical: true, engine: complete }, { fidelity: js }] as const) {
      expect(fault(() => encode([odd], options)).code).toBe("ERR_OUT_OF_RANGE");
    }
    expect(fault(() => encode(new Set([odd]), { fidelity: js })).code).toBe("ERR_OUT_OF_RANGE");
  });

  test("an Error whose stack, and a RegExp whose source, is not a string", () => {
    const error = changed(new Error("x"), { stack: 5 });
    expect(decode(encode(error, { fidelity: js }), { fidelity: js })).toBeInstanceOf(Error);
    const pattern = Object.defineProperties(/a/g, { source: { value: 5 }, flags: { value: "no" } });
    const fidelity = jsRegExp;
    expect(String(decode(encode(pattern, { fidelity }), { fidelity }))).toBe("/a/g");
  });
});
