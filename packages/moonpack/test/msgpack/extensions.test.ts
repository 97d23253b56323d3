import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { fromHex, toHex } from "@moonpack/harness/hex.ts";
import {
  Decoder,
  decode,
  Encoder,
  Extension,
  type ExtensionDefinition,
  Extensions,
  encode,
  registerExtension,
  Timestamp,
  unregisterExtension,
} from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, expect, test } from "vitest";

class Point {
  x: number;
  y: number;
  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}
class Point3 extends Point {
  z = 0;
}
const point: ExtensionDefinition<Point> = {
  type: 1,
  class: Point,
  encode: (p) => new Uint8Array([p.x, p.y]),
  decode: (b) => new Point(b[0]!, b[1]!),
};

describe("extensions", () => {
  test("an instance survives a round trip, alone and inside other values", () => {
    const extensions = new Extensions().register(point);
    const encoder = new Encoder({ extensions });
    const decoder = new Decoder({ extensions });
    expect(toHex(encoder.encode(new Point(3, 4)))).toBe("d5010304");
    const back = decoder.decode<{ a: Point[]; m: Map<number, Point> }>(
      encoder.encode({ a: [new Point(1, 2)], m: new Map([[1, new Point(5, 6)]]) }),
    );
    expect(back.a[0]).toBeInstanceOf(Point);
    expect(back.a[0]!.y).toBe(2);
    expect(back.m.get(1)).toEqual(new Point(5, 6));
    expect(fault(() => encode(new Point(1, 2))).code).toBe("ERR_UNSUPPORTED_TYPE"); // registered in one set only
    expect(fault(() => decode(fromHex("d5010304"))).code).toBe("ERR_UNKNOWN_EXTENSION");
    expect(caughtOurs(() => decode(fromHex("d5720304"), { engine: complete })).message).toContain("msgpackr");
    expect(caughtOurs(() => decode(fromHex("d5010304"))).message).not.toContain("msgpackr");
  });

  test("subclasses use the nearest registered class", () => {
    const extensions = new Extensions().register(point);
    const p = new Point3(1, 2);
    expect(toHex(new Encoder({ extensions }).encode(p))).toBe("d5010102");
    extensions.register({ type: 2, class: Point3, encode: () => new Uint8Array(3), decode: () => new Point3(0, 0) });
    expect(toHex(new Encoder({ extensions }).encode(p))).toBe("c70302000000");
    expect(toHex(new Encoder({ extensions }).encode(new Point(1, 2)))).toBe("d5010102");
  });

  test("codecs use later changes of their set; unregister returns whether the type was registered", () => {
    const extensions = new Extensions();
    const encoder = new Encoder({ extensions });
    expect(fault(() => encoder.encode(new Point(1, 2))).code).toBe("ERR_UNSUPPORTED_TYPE");
    extensions.register(point);
    expect(toHex(encoder.encode(new Point(1, 2)))).toBe("d5010102");
    expect(extensions.unregister(1)).toBe(true);
    expect(extensions.unregister(1)).toBe(false);
    expect(fault(() => encoder.encode(new Point(1, 2))).code).toBe("ERR_UNSUPPORTED_TYPE");
    extensions.register(point); // the type and the class are free again
    expect(toHex(encoder.encode(new Point(1, 2)))).toBe("d5010102");
  });

  test("registerExtension applies to the package-level functions and to codecs without a set", () => {
    registerExtension(point);
    try {
      expect(decode(encode([new Point(1, 2)]))).toEqual([new Point(1, 2)]);
      expect(toHex(new Encoder().encode(new Point(1, 2)))).toBe("d5010102");
      expect(fault(() => new Encoder({ extensions: new Extensions() }).encode(new Point(1, 2))).code).toBe(
        "ERR_UNSUPPORTED_TYPE",
      );
    } finally {
      expect(unregisterExtension(1)).toBe(true);
    }
    expect(unregisterExtension(1)).toBe(false);
    expect(fault(() => encode(new Point(1, 2))).code).toBe("ERR_UNSUPPORTED_TYPE");
  });

  test("rejects an invalid type, a type or class in use, a built-in class, an invalid definition", () => {
    const extensions = new Extensions().register(point);
    for (const type of [-1, -128, 128, 1.5, Number.NaN, Infinity, "5", undefined, null, 5n]) {
      expect(
        fault(() => extensions.register({ ...point, class: Point3, type: type as number })),
        String(type),
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(caughtOurs(() => extensions.register({ ...point, class: Point3 })).message).toMatch(/type 1 is registered/);
    expect(caughtOurs(() => extensions.register({ ...point, type: 2 })).message).toMatch(`${Point.name} is registered`);
    for (const owner of [Object, Array, Map, Date, Uint8Array, ArrayBuffer, DataView, Timestamp, Extension]) {
      expect(
        fault(() => extensions.register({ ...point, type: 9, class: owner as unknown as typeof Point })),
        owner.name,
      ).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    for (const bad of [
      undefined,
      null,
      5,
      {},
      { type: 9 },
      { ...point, type: 9, class: undefined },
      { ...point, type: 9, class: {} },
      { ...point, type: 9, class: () => 1 },
      { ...point, type: 9, class: Point3, encode: undefined },
      { ...point, type: 9, class: Point3, decode: "x" },
    ]) {
      expect(fault(() => extensions.register(bad as typeof point))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(extensions.unregister(9)).toBe(false); // rejected definitions are not registered
  });

  test("type 0 and 127, and data of every length", () => {
    class Blob {
      data: Uint8Array;
      constructor(data: Uint8Array) {
        this.data = data;
      }
    }
    for (const type of [0, 127]) {
      const extensions = new Extensions().register({
        type,
        class: Blob,
        encode: (b) => b.data,
        decode: (data) => new Blob(data),
      });
      const encoder = new Encoder({ extensions });
      const decoder = new Decoder({ extensions });
      for (const n of [0, 1, 2, 3, 4, 8, 15, 16, 17, 255, 256, 65_535, 65_536]) {
        const data = new Uint8Array(n).fill(n);
        const back = decoder.decode<Blob>(encoder.encode(new Blob(data)));
        expect(toHex(back.data) === toHex(data)).toBe(true);
        expect(back.data.buffer.byteLength).toBe(n); // a separate copy
      }
    }
  });

  test("changes to a definition after its registration have no effect", () => {
    const own = { ...point };
    const extensions = new Extensions().register(own);
    own.encode = () => new Uint8Array(9);
    expect(toHex(new Encoder({ extensions }).encode(new Point(1, 2)))).toBe("d5010102");
  });

  test("an Extension value encodes as itself", () => {
    expect(toHex(encode(new Extension(5, fromHex("010203"))))).toBe("c70305010203");
    expect(toHex(encode(new Extension(-2, fromHex("01"))))).toBe("d4fe01");
  });
});
