import { fault } from "@moonpack/harness/caught.ts";
import { bytesWithLength } from "@moonpack/harness/false-length.ts";
import { bytesDiffer, concat, fromHex, toHex } from "@moonpack/harness/hex.ts";
import { readBytes } from "@moonpack/harness/parts.ts";
import fc from "fast-check";
import { ByteWriter, encodeFrame, type FramePrefix, readFrame, readFrames, writeFrame } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import file from "../../../../vectors/bytes/frames.json" with { type: "json" };

const PREFIXES: readonly FramePrefix[] = ["uvar", "u32le", "u32be"];
const cases = file.vectors.map((v) => ({
  name: v.name,
  prefix: v.prefix as FramePrefix,
  bytes: readBytes(v.bytes),
  payload: readBytes(v.payload),
}));

describe("frames", () => {
  for (const { name, prefix, bytes, payload } of cases) {
    test(`vector: ${name}`, () => {
      const writer = new ByteWriter(1);
      writeFrame(writer, payload, { prefix });
      expect(bytesDiffer(writer.written(), bytes)).toBe(null);
      const frame = readFrame(bytes, 0, { prefix });
      expect(frame).toEqual({ start: bytes.length - payload.length, end: bytes.length });
    });
  }

  test("uvar is the default", () => {
    const writer = new ByteWriter();
    writeFrame(writer, new Uint8Array(300));
    expect(toHex(writer.written().subarray(0, 2))).toBe("ac02");
    expect(readFrame(writer.written())).toEqual({ start: 2, end: 302 });
  });

  test("a writer that is not a ByteWriter is a wrong argument", () => {
    for (const writer of [5, null, undefined, {}, new Uint8Array(9)] as never[]) {
      expect(fault(() => writeFrame(writer, new Uint8Array(3)))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
      expect(() => writeFrame(writer, new Uint8Array(3))).toThrow("writer must be a ByteWriter");
    }
  });

  test("every strict prefix of a frame reports the missing bytes, at the frame's first byte", () => {
    for (const { name, prefix, bytes, payload } of cases) {
      if (bytes.length > 1000) continue;
      const header = bytes.length - payload.length;
      for (const before of [0, 3]) {
        const all = concat(new Uint8Array(before), bytes);
        for (let end = before; end < all.length; end++) {
          const have = end - before;
          const needMore = have >= header ? bytes.length - have : prefix === "uvar" ? 1 : 4 - have;
          expect(
            fault(() => readFrame(all.slice(0, end), before, { prefix })),
            `${name}, ${have} bytes`,
          ).toEqual({ code: "ERR_TRUNCATED", offset: before, needMore });
        }
      }
    }
  });

  test("any payloads are read in order, as views", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }),
        fc.constantFrom(...PREFIXES),
        (payloads, prefix) => {
          const writer = new ByteWriter(1);
          for (const payload of payloads) writeFrame(writer, payload, { prefix });
          const bytes = writer.written();
          const back = [...readFrames(bytes, { prefix })];
          expect(back.map(toHex)).toEqual(payloads.map(toHex));
          expect(back.every((frame) => frame.buffer === bytes.buffer)).toBe(true);
          let offset = 0;
          for (const payload of payloads) {
            const { start, end } = readFrame(bytes, offset, { prefix });
            expect(end - start).toBe(payload.length);
            offset = end;
          }
          expect(offset).toBe(bytes.length);
        },
      ),
    );
  });

  test("readFrames returns the complete frames before it throws for a truncated one", () => {
    const writer = new ByteWriter();
    for (const n of [1, 2, 3]) writeFrame(writer, new Uint8Array(n).fill(n));
    const frames = readFrames(writer.written().slice(0, -1));
    expect([...frames.next().value!]).toEqual([1]);
    expect([...frames.next().value!]).toEqual([2, 2]);
    expect(fault(() => frames.next())).toEqual({ code: "ERR_TRUNCATED", offset: 5, needMore: 1 });
  });

  test("maxFrameBytes is checked before the payload", () => {
    const headers: Record<FramePrefix, string> = { uvar: "e907", u32le: "e9030000", u32be: "000003e9" };
    for (const prefix of PREFIXES) {
      const header = fromHex(headers[prefix]);
      const options = { prefix, maxFrameBytes: 1000 };
      for (const bytes of [header, concat(header, new Uint8Array(1001))]) {
        expect(fault(() => readFrame(bytes, 0, options))).toEqual({
          code: "ERR_FRAME_TOO_LARGE",
          offset: 0,
          needMore: 0,
        });
      }
      expect(readFrame(concat(header, new Uint8Array(1001)), 0, { prefix, maxFrameBytes: 1001 }).end).toBe(
        header.length + 1001,
      );
      const writer = new ByteWriter();
      expect(fault(() => writeFrame(writer, new Uint8Array(1001), options))).toEqual({ code: "ERR_FRAME_TOO_LARGE" });
      expect(writer.pos).toBe(0);
      writeFrame(writer, new Uint8Array(1000), options);
      expect(readFrame(writer.written(), 0, options).end).toBe(header.length + 1000);
    }
  });

  test("the default limit is 64 MiB", () => {
    expect(fault(() => readFrame(fromHex("04000001"), 0, { prefix: "u32be" })).code).toBe("ERR_FRAME_TOO_LARGE");
    expect(fault(() => readFrame(fromHex("04000000"), 0, { prefix: "u32be" }))).toEqual({
      code: "ERR_TRUNCATED",
      offset: 0,
      needMore: 64 * 1024 * 1024,
    });
  });

  test("a length of more than 32 bits, or not in its shortest form", () => {
    expect(fault(() => readFrame(fromHex("8080808010")))).toEqual({ code: "ERR_OUT_OF_RANGE", offset: 0, needMore: 0 });
    expect(fault(() => readFrame(fromHex("8000")))).toEqual({ code: "ERR_NOT_SHORTEST", offset: 0, needMore: 0 });
  });

  test("an empty input has no frames", () => {
    expect([...readFrames(new Uint8Array(0))]).toEqual([]);
    expect(fault(() => readFrame(new Uint8Array(0)))).toEqual({ code: "ERR_TRUNCATED", offset: 0, needMore: 1 });
  });

  test("invalid arguments", () => {
    const bytes = fromHex("0107");
    const refused: (() => unknown)[] = [
      () => readFrame(bytes, -1),
      () => readFrame(bytes, 3),
      () => readFrame(bytes, 0.5),
      () => readFrame(bytes, Number.NaN),
      () => readFrame("0107" as unknown as Uint8Array),
      () => readFrame(null as unknown as Uint8Array),
      () => readFrame([1, 7] as unknown as Uint8Array),
      () => [...readFrames(undefined as unknown as Uint8Array)],
      () => [...readFrames("0107" as unknown as Uint8Array)],
      () => writeFrame(new ByteWriter(), null as unknown as Uint8Array),
      () => writeFrame(new ByteWriter(), "abc" as unknown as Uint8Array),
      () => writeFrame(new ByteWriter(), [1] as unknown as Uint8Array),
      () => readFrame(bytes, 0, { prefix: "u16" as FramePrefix }),
      () => readFrame(bytes, 0, { maxFrameBytes: -1 }),
      () => readFrame(bytes, 0, { maxFrameBytes: 1.5 }),
      () => readFrame(bytes, 0, null as unknown as undefined),
      () => writeFrame(new ByteWriter(), bytes, { prefix: "toString" as FramePrefix }),
    ];
    for (const act of refused) expect(fault(act), act.toString()).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });

  test("an ArrayBuffer, a DataView and a view inside a larger buffer are bytes too", () => {
    const bytes = fromHex("0301020301ff");
    for (const input of [bytes.buffer, new DataView(bytes.buffer)]) {
      expect(readFrame(input, 4)).toEqual({ start: 5, end: 6 });
      expect(fault(() => readFrame(input, 5)).code).toBe("ERR_TRUNCATED");
    }
    expect(readFrame(bytes.subarray(4))).toEqual({ start: 1, end: 2 });
    expect(fault(() => readFrame(bytes.subarray(0, 3)))).toEqual({ code: "ERR_TRUNCATED", offset: 0, needMore: 1 });
  });
});

describe("changes during a call", () => {
  test("readFrames reads its options once, and an input that was transferred away is an error", () => {
    const writer = new ByteWriter();
    for (const payload of [[1], [2, 3], [4]]) writeFrame(writer, new Uint8Array(payload), { prefix: "u32be" });
    const bytes = writer.written().slice();
    const options: { prefix: FramePrefix } = { prefix: "u32be" };
    const frames = readFrames(bytes, options);
    expect(toHex(frames.next().value as Uint8Array)).toBe("01");
    options.prefix = "uvar";
    expect(toHex(frames.next().value as Uint8Array)).toBe("0203");
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    expect(fault(() => frames.next()).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("a payload whose class overrides length is written completely", () => {
    for (const length of [0, 2, 40, 1.5]) {
      const payload = bytesWithLength(length);
      const writer = new ByteWriter();
      writer.raw(new Uint8Array(100).fill(9));
      writer.reset();
      writer.raw(payload);
      writeFrame(writer, payload);
      expect(toHex(writer.written())).toBe("01020303010203");
      expect(toHex(encodeFrame(payload))).toBe("03010203");
    }
  });
});
