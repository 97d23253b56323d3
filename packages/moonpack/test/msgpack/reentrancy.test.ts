/** Extensions and getters that use the encoder or decoder that is calling them. */

import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer, toHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import {
  Decoder,
  decode,
  decodeMulti,
  Encoder,
  Extensions,
  encode,
  encodeInto,
  encodeOwned,
  encodeShared,
  registerExtension,
  unregisterExtension,
} from "moonpack";
import { describe, expect, test } from "vitest";

class Box {
  content: unknown;
  constructor(content: unknown) {
    this.content = content;
  }
}
const nested = (depth: number): unknown =>
  depth === 0
    ? { leaf: [1, "two", null] }
    : { before: "x".repeat(depth), box: new Box([depth, nested(depth - 1)]), after: [1, 2, { three: 3 }] };

/** Returns the value with each Box as a plain object. */
function plain(value: unknown): unknown {
  if (value instanceof Box) return { box: plain(value.content) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  return value;
}

/** Returns an encoder and a decoder whose extension calls all functions of both. */
function selfUsing() {
  const extensions = new Extensions();
  const encoder = new Encoder({ extensions });
  const decoder = new Decoder({ extensions });
  let fail = "";
  extensions.register({
    type: 7,
    class: Box,
    encode: (box) => {
      if (fail === "encode") throw new Error("no");
      encoder.encodeShared({ noise: ["x".repeat(100)] });
      const target = new Uint8Array(1000);
      const end = encoder.encodeInto([box.content], target, 10);
      const bytes = encoder.encode(box.content);
      expect(toHex(target.subarray(11, end))).toBe(toHex(bytes));
      encoder.encodeOwned("noise");
      return bytes;
    },
    decode: (data) => {
      if (fail === "decode") throw new Error("no");
      decoder.decode(encode({ noise: [1, 2, 3] }));
      const content = decoder.decode(data);
      none(differ(plain(decoder.decodeAt(data, 0).value), plain(content)));
      expect([...decoder.decodeMulti(data)].length).toBe(1);
      return new Box(content);
    },
  });
  return { encoder, decoder, setFail: (what: string) => (fail = what) };
}

describe("reentrancy", () => {
  test("an extension that uses its own codec, four levels deep", () => {
    const { encoder, decoder } = selfUsing();
    for (let i = 0; i < 300; i++) {
      const value = nested(i % 5);
      const bytes = encoder.encode(value);
      none(differ(plain(decoder.decode(bytes)), plain(value)));
    }
  });

  test("encodeShared and encodeInto write the same bytes as encode around nested messages", () => {
    const { encoder } = selfUsing();
    const value = nested(3);
    const want = encoder.encode(value);
    none(bytesDiffer(encoder.encodeShared(value), want));
    const target = new Uint8Array(5000);
    const end = encoder.encodeInto(value, target, 3);
    none(bytesDiffer(target.subarray(3, end), want));
  });

  test("an error in the middle of a message, nested or not, does not affect later messages", () => {
    const { encoder, decoder, setFail } = selfUsing();
    const value = nested(4);
    const want = encoder.encode(value);
    for (let i = 0; i < 20; i++) {
      setFail("encode");
      const error = caughtOurs(() => encoder.encode({ list: [1, value] }));
      expect(error.code).toBe("ERR_USER_CODE");
      expect(fault(() => encoder.encode({ list: [1, new Box(() => 1)] })).code).toBe("ERR_USER_CODE");
      setFail("decode");
      expect(fault(() => decoder.decode(want)).code).toBe("ERR_USER_CODE");
      setFail("");
      none(bytesDiffer(encoder.encode(value), want));
      none(differ(plain(decoder.decode(want)), plain(value)));
    }
  });

  test("a nested error has its path and its cause", () => {
    const { encoder } = selfUsing();
    const error = caughtOurs(() => encoder.encode({ a: [new Box({ deep: [Symbol("s")] })] })) as unknown as Error & {
      path: string;
      cause?: unknown;
    };
    expect(error.path).toBe("$.a[0]");
    const { cause } = error as { cause?: { code?: string; path?: string } };
    // The extension first encodes its content inside an array.
    expect([cause?.code, cause?.path]).toEqual(["ERR_UNSUPPORTED_TYPE", "$[0].deep[0]"]);
  });

  test("an extension that uses the package-level functions", () => {
    registerExtension({
      type: 9,
      class: Box,
      encode: (box) => {
        encodeShared(["noise", { a: 1 }]);
        encodeInto("noise", new Uint8Array(50), 5);
        encodeOwned([1, 2, 3]);
        return encode(box.content);
      },
      decode: (data) => new Box(decode(data)),
    });
    try {
      for (let i = 0; i < 100; i++) {
        const value = nested(i % 4);
        none(differ(plain(decode(encode(value))), plain(value)));
        none(bytesDiffer(encodeShared(value), encode(value)));
        none(bytesDiffer(encodeOwned(value), encode(value)));
      }
    } finally {
      unregisterExtension(9);
    }
  });

  test("getters and toMessagePack that encode", () => {
    const encoder = new Encoder();
    class Self {
      toMessagePack(): unknown {
        return { inner: encoder.encode(["inside", { x: 1 }]), shared: Uint8Array.from(encoder.encodeShared({ y: 2 })) };
      }
    }
    const value = {
      a: "before",
      get b() {
        return encoder.encodeShared({ nested: true }).length;
      },
      c: new Self(),
      d: "after",
    };
    for (let i = 0; i < 20; i++) {
      const back = decode<{ a: string; b: number; c: { inner: Uint8Array }; d: string }>(encoder.encode(value));
      expect([back.a, back.b, back.d]).toEqual(["before", 9, "after"]);
      expect(decode(back.c.inner)).toEqual(["inside", { x: 1 }]);
    }
  });

  test("generators of decodeMulti work when abandoned, interleaved and nested", () => {
    const decoder = new Decoder();
    const bytes = new Uint8Array([1, 0x92, 2, 3, 0x81, 0xa1, 0x61, 4, 0xc1]);
    const a = decoder.decodeMulti(bytes);
    const b = decoder.decodeMulti(bytes);
    expect(a.next().value).toBe(1);
    expect(b.next().value).toBe(1);
    expect(decoder.decode(encode("between"))).toBe("between");
    expect(a.next().value).toEqual([2, 3]);
    expect(a.next().value).toEqual({ a: 4 });
    expect(b.next().value).toEqual([2, 3]);
    expect(fault(() => a.next())).toEqual({ code: "ERR_INVALID_BYTE", offset: 8, needMore: 0 });
    b.return();
    const seen: unknown[] = [];
    for (const outer of decodeMulti(bytes.subarray(0, 8)))
      for (const inner of decodeMulti(bytes.subarray(0, 4))) seen.push([outer, inner]);
    expect(seen.length).toBe(6);
  });

  test("an extension that mutates the input affects only its own message", () => {
    const extensions = new Extensions();
    const input = new Uint8Array([0x93, 0xd4, 5, 1, 0xa1, 0x61, 0xa1, 0x62]);
    class Evil {}
    let act: () => void = () => undefined;
    extensions.register({
      type: 5,
      class: Evil,
      encode: () => new Uint8Array(1),
      decode: () => {
        act();
        return new Evil();
      },
    });
    const decoder = new Decoder({ extensions });
    const attempt = (bytes: Uint8Array): void => {
      try {
        decoder.decode(bytes);
      } catch (error) {
        expect((error as { code?: string }).code).toMatch(/^ERR_/);
      }
    };
    const large = new Uint8Array(5000);
    large.set(input);
    act = () => {
      input.fill(0xc1);
      large.fill(0xdd);
    };
    attempt(input.slice());
    attempt(input);
    attempt(large);
    for (const size of [8, 5000]) {
      const bytes = new Uint8Array(size).fill(1);
      bytes.set([0x93, 0xd4, 5, 1, 0xa1, 0x61, 0xa1, 0x62]);
      act = () => void structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      attempt(bytes);
    }
    act = () => undefined;
    expect(decoder.decode(encode([1, "ok"]))).toEqual([1, "ok"]);
  });
});
