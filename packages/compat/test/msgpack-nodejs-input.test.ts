/** Decoding of the replacement for msgpack-nodejs: rules, invalid input, extensions. For the marks see msgpack-nodejs.test.ts. */

import { decode, type EncodableValue, encode, registerExtension } from "@moonpack/compat/msgpack-nodejs";
import { fault } from "@moonpack/harness/caught.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import { ERROR_CODES } from "moonpack/bytes";
import { describe, expect, it } from "vitest";

const hex = (value: EncodableValue) => toHex(encode(value));
const round = (value: EncodableValue) => decode<unknown>(encode(value));

describe("decoding rules", () => {
  it("as before: 32-bit integers and floats as numbers, 64-bit as numbers when safe", () => {
    const table: [string, unknown][] = [
      ["ceffffffff", 4294967295],
      ["d280000000", -2147483648],
      ["ca3f800000", 1],
      ["cb3ff8000000000000", 1.5],
      ["cf0000000000000005", 5],
      ["cf001fffffffffffff", Number.MAX_SAFE_INTEGER],
      ["cf0020000000000000", 2n ** 53n],
      ["d3ffffffffffffffff", -1],
      ["d3ffe0000000000000", -(2n ** 53n)],
    ];
    for (const [bytes, value] of table) expect(decode(fromHex(bytes))).toBe(value);
  });

  it("better: int64 above 2^53 keeps its value", () =>
    expect(decode(fromHex("d37fffffffffffffff"))).toBe(2n ** 63n - 1n));

  it("better: binary is a copy, always a plain Uint8Array", () => {
    const bytes = fromHex("c40101");
    const value = decode<Uint8Array>(bytes);
    bytes[2] = 9;
    expect([...value]).toEqual([1]);
  });

  it("as before: later duplicates win, objects are plain", () => {
    const value = decode<object>(fromHex("82a16101a16102"));
    expect(value).toEqual({ a: 2 });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it("as before: nanoseconds are truncated; better: a second or more of them is an error", () => {
    expect(decode(fromHex("d7ff0000000400000001"))).toEqual(new Date(1000));
    expect(decode(fromHex("c70cff3b9ac9ffffffffffffffffff"))).toEqual(new Date(-1));
    expect(fault(() => decode(fromHex("d7fffffffffc00000001"))).code).toBe("ERR_OUT_OF_RANGE");
    expect(fault(() => decode(fromHex("c70cff000000007f00000000000000"))).code).toBe("ERR_OUT_OF_RANGE");
  });

  it("as before: a year long before 1970", () => {
    const date = new Date(Date.UTC(-2600, 0, 1));
    expect(round(date)).toEqual(date);
  });

  it("better: malformed UTF-8 becomes U+FFFD at every length, a byte order mark stays", () => {
    for (const n of [0, 250]) {
      const bytes = encode("a".repeat(n) + "bcd");
      bytes.set([0xc0, 0x80, 0x80], bytes.length - 3); // overlong, and a stray continuation
      expect(decode(bytes)).toBe("a".repeat(n) + "\ufffd\ufffd\ufffd");
      expect(round("\ufeff" + "a".repeat(n))).toBe("\ufeff" + "a".repeat(n));
    }
  });
});

describe("invalid input is a coded error; the original returns undefined or a wrong value", () => {
  const broken: [string, keyof typeof ERROR_CODES][] = [
    ["", "ERR_TRUNCATED"],
    ["c1", "ERR_INVALID_BYTE"],
    ["ce0001", "ERR_TRUNCATED"],
    ["d40501", "ERR_UNKNOWN_EXTENSION"],
    ["c702ff0102", "ERR_OUT_OF_RANGE"],
    ["930102", "ERR_TRUNCATED"],
    ["92930102", "ERR_TRUNCATED"],
    ["a56162", "ERR_TRUNCATED"],
    ["c4050102", "ERR_TRUNCATED"],
    ["c70501ff", "ERR_TRUNCATED"],
    ["0102", "ERR_TRAILING_BYTES"],
    ["9001", "ERR_TRAILING_BYTES"],
    ["91019102", "ERR_TRAILING_BYTES"],
    ["80a16101", "ERR_TRAILING_BYTES"],
    ["dd01ffffff", "ERR_TRUNCATED"],
    ["ddffffffff", "ERR_TRUNCATED"],
    ["dfffffffff", "ERR_TRUNCATED"],
    ["dcffff".repeat(24_000), "ERR_TRUNCATED"],
  ];
  it.each(broken.map(([bytes, code]) => [bytes.slice(0, 40), code, bytes] as const))("%s", (_, code, bytes) => {
    expect(fault(() => decode(fromHex(bytes))).code).toBe(code);
    expect(ERROR_CODES).toHaveProperty(code);
  });

  it("the empty key and `__proto__` are keys like any other", () => {
    expect(round({ "": 1 })).toEqual({ "": 1 });
    const value = round(JSON.parse('{"__proto__":{"admin":true}}')) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(value.admin).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

class Person {
  name: string;
  constructor(name: string) {
    this.name = name;
  }
}
class Meeting {
  host: Person;
  guests: Person[];
  constructor(host: Person, guests: Person[]) {
    this.host = host;
    this.guests = guests;
  }
}
class Room extends Meeting {}

describe("extensions", () => {
  it("as before: the documented example, whose functions call encode and decode", () => {
    registerExtension<Meeting>({
      type: 1,
      objConstructor: Meeting,
      encode: ({ host, guests }) => encode({ host: host.name, guests: guests.map((guest) => guest.name) }),
      decode(bytes) {
        const { host, guests } = decode<{ host: string; guests: string[] }>(bytes);
        return new Meeting(
          new Person(host),
          guests.map((name) => new Person(name)),
        );
      },
    });
    const meeting = new Meeting(new Person("Ann"), [new Person("Bob"), new Person("Zoë")]);
    const value = round({ first: meeting, more: [meeting] }) as { first: Meeting; more: Meeting[] };
    expect(value).toEqual({ first: meeting, more: [meeting] });
    expect(value.first).toBeInstanceOf(Meeting);
    expect(value.first.guests[1]).toBeInstanceOf(Person);
  });

  it("better: an instance of a subclass uses its parent's extension; the original drops it", () => {
    expect(round(new Room(new Person("Ann"), []))).toEqual(new Meeting(new Person("Ann"), []));
  });

  it("as before: every length of data", () => {
    class Blob {
      size: number;
      constructor(size: number) {
        this.size = size;
      }
    }
    registerExtension<Blob>({
      type: 2,
      objConstructor: Blob,
      encode: (blob) => new Uint8Array(blob.size),
      decode: (bytes) => new Blob(bytes.length),
    });
    const heads = [1, 2, 4, 8, 16, 0, 3, 255, 256, 65536].map((size) => {
      expect(round(new Blob(size))).toEqual(new Blob(size));
      return hex(new Blob(size)).slice(0, 2);
    });
    expect(heads.join(" ")).toBe("d4 d5 d6 d7 d8 c7 c7 c7 c8 c9");
  });

  it("as before: invalid registrations are rejected; better: types that are not integers too", () => {
    const make = (type: number, objConstructor: abstract new () => object = class {}) => ({
      type,
      objConstructor,
      encode: () => new Uint8Array(1),
      decode: () => ({}),
    });
    for (const type of [-1, 128, 1.5, Number.NaN, 1]) {
      expect(fault(() => registerExtension(make(type))).code).toBe("ERR_INVALID_ARGUMENT");
    }
    for (const taken of [Object, Array, Map, Date, Uint8Array, Meeting]) {
      expect(fault(() => registerExtension(make(50, taken as never))).code).toBe("ERR_INVALID_ARGUMENT");
    }
  });

  it("better: an error of an extension is the cause, and the next call works", () => {
    class Broken {}
    const mine = new Error("mine");
    const fail = () => {
      throw mine;
    };
    registerExtension<Broken>({ type: 3, objConstructor: Broken, encode: fail, decode: fail });
    expect(fault(() => encode([new Broken()]))).toEqual({ code: "ERR_USER_CODE", path: "$[0]" });
    expect(fault(() => decode(fromHex("d40300")))).toMatchObject({ code: "ERR_USER_CODE", offset: 0 });
    expect(round([1])).toEqual([1]);
  });
});
