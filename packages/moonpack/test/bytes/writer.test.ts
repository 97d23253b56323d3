import { fault } from "@moonpack/harness/caught.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { ByteWriter } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

const written = (act: (w: ByteWriter) => void): string => {
  const writer = new ByteWriter(1); // grows at the first write
  act(writer);
  return toHex(writer.written());
};

describe("ByteWriter", () => {
  test("every fixed-size write, both orders", () => {
    expect(written((w) => w.u8(0x1ff))).toBe("ff");
    expect(written((w) => w.u16(0x0102))).toBe("0102");
    expect(written((w) => w.u16(0x0102, true))).toBe("0201");
    expect(written((w) => w.u32(0xfffefdfc))).toBe("fffefdfc");
    expect(written((w) => w.u32(0xfffefdfc, true))).toBe("fcfdfeff");
    expect(written((w) => w.u64(0x05060708, 0x01020304))).toBe("0102030405060708");
    expect(written((w) => w.u64(0x05060708, 0x01020304, true))).toBe("0807060504030201");
    expect(written((w) => w.f32(1.5))).toBe("3fc00000");
    expect(written((w) => w.f32(1.5, true))).toBe("0000c03f");
    expect(written((w) => w.f64(-2))).toBe("c000000000000000");
    expect(written((w) => w.f64(-2, true))).toBe("00000000000000c0");
    expect(written((w) => w.raw(new Uint8Array([1, 2, 3])))).toBe("010203");
    expect(written((w) => w.raw(new Uint8Array(0)))).toBe("");
    expect(written((w) => w.utf8("aé日😀"))).toBe("61c3a9e697a5f09f9880");
    expect(written((w) => w.utf8(""))).toBe("");
  });

  test("a lone surrogate is a coded error, and nothing is written", () => {
    for (const text of [
      "\ud800",
      "abc\udc00",
      "日".repeat(100) + "\ud800",
      "a".repeat(5000) + "\ud800",
      "é".repeat(5000) + "\udfff",
    ]) {
      const writer = new ByteWriter();
      writer.u8(7);
      expect(fault(() => writer.utf8(text))).toEqual({ code: "ERR_INVALID_UTF8", path: "$" });
      expect(toHex(writer.written())).toBe("07");
      writer.u8(8);
      expect(toHex(writer.written())).toBe("0708");
    }
  });

  test("written bytes survive every growth", () => {
    const writer = new ByteWriter(1);
    for (let i = 0; i < 100_000; i++) writer.u32(i);
    const out = writer.written();
    const view = new DataView(out.buffer, out.byteOffset, out.length);
    expect(out.length).toBe(400_000);
    let wrong = 0;
    for (let i = 0; i < 100_000; i++) if (view.getUint32(i * 4) !== i) wrong++;
    expect(wrong).toBe(0);
  });

  test("growth copies less than the final buffer, so writing is linear", () => {
    const ways: [string, (w: ByteWriter) => void][] = [
      ["u8", (w) => w.u8(1)],
      ["u64", (w) => w.u64(1, 2)],
      ["uvar32", (w) => w.uvar32(300)],
      ["raw 100", (w) => w.raw(new Uint8Array(100))],
      ["utf8", (w) => w.utf8("héllo wörld")],
    ];
    for (const [name, write] of ways) {
      for (const total of [10_000, 160_000, 2_560_000]) {
        const writer = new ByteWriter();
        while (writer.pos < total) write(writer);
        expect(writer.copied, `${name}, ${total}`).toBeLessThan(writer.bytes.length);
        expect(writer.bytes.length, `${name}, ${total}`).toBeLessThan(2 * writer.pos + 8192);
        expect(writer.growths, `${name}, ${total}`).toBeLessThanOrEqual(Math.ceil(Math.log2(total / 8192)) + 1);
      }
    }
  });

  test("one large write grows once", () => {
    const writer = new ByteWriter();
    writer.u8(1);
    writer.raw(new Uint8Array(1_000_000));
    expect(writer.growths).toBe(1);
    expect(writer.copied).toBe(1);
  });

  test("reset keeps memory for the next message, but not a huge one's", () => {
    const writer = new ByteWriter();
    writer.raw(new Uint8Array(100_000));
    const kept = writer.bytes;
    writer.reset();
    expect(writer.pos).toBe(0);
    expect(writer.bytes).toBe(kept);
    writer.raw(new Uint8Array(20_000_000));
    writer.reset();
    expect(writer.bytes.length).toBeLessThan(5_000_000);
    writer.u32(1);
    expect(toHex(writer.written())).toBe("00000001");
  });

  test("a transferred result does not break the writer", () => {
    const writer = new ByteWriter();
    writer.utf8("hello");
    const view = writer.written();
    structuredClone(view.buffer, { transfer: [view.buffer] });
    writer.reset();
    writer.utf8("world");
    expect(toHex(writer.written())).toBe("776f726c64");
  });

  test("writing on after the memory was transferred away is an error, not zeros", () => {
    const writer = new ByteWriter();
    writer.utf8("hello");
    const view = writer.written();
    structuredClone(view.buffer, { transfer: [view.buffer] });
    expect(fault(() => writer.utf8("world"))).toEqual({ code: "ERR_CLOSED" });
    writer.reset();
    writer.u8(1);
    expect(toHex(writer.written())).toBe("01");
  });

  test("maxBytes: exactly as many are a message, one more is an error", () => {
    const over: [string, (w: ByteWriter) => void][] = [
      ["u8", (w) => w.u8(1)],
      ["u16", (w) => w.u16(1)],
      ["u32", (w) => w.u32(1)],
      ["u64", (w) => w.u64(1, 1)],
      ["f64", (w) => w.f64(1)],
      ["uvar32", (w) => w.uvar32(2 ** 32 - 1)],
      ["raw", (w) => w.raw(new Uint8Array(100))],
      ["utf8", (w) => w.utf8("日".repeat(100))],
    ];
    for (const limit of [1000, 100_000]) {
      for (const [name, write] of over) {
        const writer = new ByteWriter(16, limit);
        writer.raw(new Uint8Array(limit));
        expect(writer.written().length, name).toBe(limit);
        expect(
          fault(() => {
            write(writer);
            writer.written();
          }),
          name,
        ).toEqual({ code: "ERR_LIMIT_BYTES" });
        writer.reset();
        write(writer);
        expect(writer.written().length, name).toBeGreaterThan(0);
      }
    }
    // Text reserves three bytes a code unit; the limit applies to the written bytes.
    const writer = new ByteWriter(16, 1000);
    writer.utf8("a".repeat(1000));
    expect(writer.written().length).toBe(1000);
  });

  test("maxBytes bounds memory too", () => {
    const writer = new ByteWriter(16, 10_000);
    expect(
      fault(() => {
        for (let i = 0; i < 10_000_000; i++) writer.u64(1, 1);
      }),
    ).toEqual({ code: "ERR_LIMIT_BYTES" });
    expect(writer.bytes.length).toBeLessThan(100_000);
    expect(fault(() => writer.raw(new Uint8Array(1_000_000)))).toEqual({ code: "ERR_LIMIT_BYTES" });
    expect(writer.bytes.length).toBeLessThan(100_000);
  });

  test("more memory than available is a coded error", () => {
    const writer = new ByteWriter();
    writer.u8(1);
    expect(fault(() => writer.reserve(2 ** 52))).toEqual({ code: "ERR_LIMIT_BYTES" });
    expect(toHex(writer.written())).toBe("01");
  });

  test("an invalid initial size is rejected", () => {
    for (const size of [0, -1, 1.5, Number.NaN, Infinity]) {
      expect(fault(() => new ByteWriter(size))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(fault(() => new ByteWriter(2 ** 52))).toEqual({ code: "ERR_LIMIT_BYTES" });
    expect(fault(() => new ByteWriter(16, Number.NaN))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });
});
