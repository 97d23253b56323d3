import { fault } from "@moonpack/harness/caught.ts";
import { cutAt, cutEvery } from "@moonpack/harness/cuts.ts";
import { share, stride } from "@moonpack/harness/effort.ts";
import { concat, fromHex, toHex } from "@moonpack/harness/hex.ts";
import { readBytes } from "@moonpack/harness/parts.ts";
import fc from "fast-check";
import {
  ByteWriter,
  encodeFrame,
  type FramePrefix,
  FrameSplitter,
  type FrameSplitterOptions,
  MoonpackError,
  readFrames,
  writeFrame,
} from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import file from "../../../../vectors/bytes/frames.json" with { type: "json" };

const PREFIXES: readonly FramePrefix[] = ["uvar", "u32le", "u32be"];

/** Frames as hex, then the code, offset and missing bytes of the error, if there is one. */
type Outcome = readonly unknown[];

function outcome(frames: () => Iterable<Uint8Array>): Outcome {
  const got: unknown[] = [];
  try {
    for (const frame of frames()) got.push(toHex(frame));
  } catch (error) {
    const { code, offset, needMore } = error as MoonpackError & { offset: number; needMore: number };
    if (!(error instanceof MoonpackError)) throw error;
    got.push(`${code} at ${offset}, ${needMore} missing`);
  }
  return got;
}

const whole = (bytes: Uint8Array, { frames: _, ...options }: FrameSplitterOptions) =>
  outcome(() => readFrames(bytes, options));

/** The outcome for the parts. Each part is overwritten as soon as it is the caller's again. */
function inParts(parts: Iterable<Uint8Array>, options: FrameSplitterOptions): Outcome {
  return outcome(function* () {
    const splitter = new FrameSplitter(options);
    for (const part of parts) {
      const own = part.slice();
      yield* splitter.push(own);
      if (options.frames !== "view") own.fill(0xee);
    }
    splitter.end();
  });
}

function framed(payloads: readonly Uint8Array[], prefix: FramePrefix): Uint8Array<ArrayBuffer> {
  return concat(...payloads.map((payload) => encodeFrame(payload, { prefix })));
}

describe("a stream in parts has the same frames as the whole", () => {
  const vectors = file.vectors.map((v) => ({
    name: v.name,
    prefix: v.prefix as FramePrefix,
    bytes: readBytes(v.bytes),
    payload: readBytes(v.payload),
  }));

  test.each(vectors)("vector: $name", ({ prefix, bytes, payload }) => {
    const sizes = [1, 2, 3, 4, 5, 6, 7, 64, 1000, 4096, bytes.length].filter(
      (size) => bytes.length / size < share(10_000),
    );
    for (const frames of ["copy", "view"] as const) {
      for (const size of sizes) {
        const got = inParts(cutEvery(concat(bytes, bytes), size), { prefix, frames });
        expect(got, `${frames}, by ${size}`).toEqual([toHex(payload), toHex(payload)]);
      }
    }
    for (let end = 1; end < Math.min(bytes.length, 300); end += stride(1)) {
      const short = bytes.subarray(0, end);
      expect(inParts(cutEvery(short, 3), { prefix }), `${end} bytes`).toEqual(whole(short, { prefix }));
    }
  });

  test("cut at every byte, and at every two", () => {
    const payloads = [[], [1], [], Array.from({ length: 130 }, (_, i) => i), [9, 9]].map((p) => new Uint8Array(p));
    for (const prefix of PREFIXES) {
      const bytes = framed(payloads, prefix);
      for (const size of [bytes.length, bytes.length - 1, bytes.length - 3]) {
        const input = bytes.subarray(0, size);
        const all = whole(input, { prefix });
        for (let i = 0; i <= size; i++) {
          for (let j = i; j <= size; j += stride(7)) {
            expect(inParts(cutAt(input, [i, j]), { prefix }), `${prefix} cut at ${i} and ${j}`).toEqual(all);
          }
        }
      }
    }
  });

  test("any payloads in any parts, complete or truncated, with any limit", () => {
    const limit = fc.oneof(fc.constant(300), fc.nat(300));
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom(...PREFIXES),
        fc.constantFrom("copy", "view"),
        limit,
        fc.nat(20),
        (payloads, places, prefix, frames, maxFrameBytes, missing) => {
          const bytes = framed(payloads, prefix);
          const input = bytes.subarray(0, Math.max(0, bytes.length - (missing > 10 ? 0 : missing)));
          const cuts = places.map((place) => place % (input.length + 1)).sort((a, b) => a - b);
          const options: FrameSplitterOptions = { prefix, maxFrameBytes, frames };
          expect(inParts(cutAt(input, cuts), options)).toEqual(whole(input, options));
        },
      ),
    );
  });

  test("any bytes in any parts", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom(...PREFIXES),
        fc.integer({ min: 1, max: 9 }),
        (bytes, prefix, size) => {
          const options: FrameSplitterOptions = { prefix, maxFrameBytes: 1000 };
          expect(inParts(cutEvery(bytes, size), options)).toEqual(whole(bytes, options));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("prefixes that no writer produces are rejected wherever the chunks end", () => {
    for (const hex of ["8000", "80808000", "8080808000", "8080808010", "ffffffff7f", "ffffffffff01"]) {
      const bytes = fromHex(`0107${hex}0000`);
      const all = whole(bytes, {});
      expect(all.length).toBe(2);
      for (let i = 0; i <= bytes.length; i++) expect(inParts(cutAt(bytes, [i]), {}), hex).toEqual(all);
      expect(inParts(cutEvery(bytes, 1), {}), hex).toEqual(all);
    }
  });

  test("chunks that wait are read in order", () => {
    const bytes = framed([new Uint8Array([1, 2, 3]), new Uint8Array(0), new Uint8Array(40).fill(7)], "u32be");
    for (const frames of ["copy", "view"] as const) {
      const splitter = new FrameSplitter({ prefix: "u32be", frames });
      for (const part of cutEvery(bytes, 1)) {
        const own = part.slice();
        splitter.push(own);
      }
      expect(splitter.left).toBe(bytes.length);
      expect([...splitter].map(toHex)).toEqual(["010203", "", "07".repeat(40)]);
      expect(splitter.left).toBe(0);
      expect(splitter.offset).toBe(bytes.length);
      splitter.end();
    }
  });
});

describe("memory", () => {
  test("view: a frame within a chunk is a view of it; copy: never, also not for a Buffer", () => {
    const bytes = framed([new Uint8Array(100).fill(1), new Uint8Array(3000).fill(2)], "uvar");
    const views = [...new FrameSplitter({ frames: "view" }).push(bytes)];
    expect(views.every((frame) => frame.buffer === bytes.buffer)).toBe(true);
    const copies = [...new FrameSplitter().push(bytes)];
    expect(copies.every((frame) => frame.buffer !== bytes.buffer)).toBe(true);
    expect(copies.map((frame) => frame.byteLength === frame.buffer.byteLength)).toEqual([true, true]);
  });

  test("a frame that spans chunks has its own memory", () => {
    const bytes = framed([new Uint8Array(10_000).fill(1)], "uvar");
    const splitter = new FrameSplitter({ frames: "view" });
    const frames = cutEvery(bytes, 999).flatMap((part) => [...splitter.push(part)]);
    expect(frames.length).toBe(1);
    expect(frames[0]!.buffer === bytes.buffer).toBe(false);
    expect(frames[0]!.buffer.byteLength).toBe(10_000);
  });

  test("a declared length takes no memory before its bytes arrive", () => {
    const splitters = Array.from(
      { length: 2000 },
      () => new FrameSplitter({ prefix: "u32be", maxFrameBytes: 2 ** 32 - 1 }),
    );
    for (const splitter of splitters) {
      expect([...splitter.push(fromHex("fffffffe00"))].length).toBe(0);
      expect(splitter.buffered).toBe(1);
    }
    expect(fault(() => splitters[0]!.end())).toEqual({ code: "ERR_TRUNCATED", offset: 0, needMore: 2 ** 32 - 3 });
  });

  test("a chunk that is transferred away before it is read is an error", () => {
    const chunk = framed([new Uint8Array(5)], "uvar");
    const splitter = new FrameSplitter().push(chunk);
    structuredClone(chunk.buffer, { transfer: [chunk.buffer] });
    expect(fault(() => splitter.next())).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });
});

describe("limits and ends", () => {
  test("maxFrameBytes is checked before the payload is buffered, and closes the splitter", () => {
    const splitter = new FrameSplitter({ maxFrameBytes: 10 });
    expect([...splitter.push(fromHex("0107"))].map(toHex)).toEqual(["07"]);
    expect(fault(() => [...splitter.push(fromHex("0b0000"))])).toEqual({
      code: "ERR_FRAME_TOO_LARGE",
      offset: 2,
      needMore: 0,
    });
    expect(splitter.buffered).toBe(0);
    expect(splitter.closed).toBe(true);
    expect(splitter.next()).toBe(null);
    expect(fault(() => splitter.push(fromHex("00")))).toEqual({ code: "ERR_CLOSED" });
    splitter.end();
  });

  test("the default limit is 64 MiB", () => {
    const open = (hex: string) => () => [...new FrameSplitter({ prefix: "u32be" }).push(fromHex(hex))];
    expect(fault(open("04000001")).code).toBe("ERR_FRAME_TOO_LARGE");
    expect(open("04000000")()).toEqual([]);
  });

  test("offsets beyond 4 GB", () => {
    const size = 64 * 1024 * 1024;
    const writer = new ByteWriter(size + 4);
    writeFrame(writer, new Uint8Array(size), { prefix: "u32le" });
    const chunk = writer.written();
    const splitter = new FrameSplitter({ prefix: "u32le", frames: "view" });
    for (let i = 0; i < 70; i++) for (const frame of splitter.push(chunk)) expect(frame.length).toBe(size);
    const at = 70 * chunk.length;
    expect(at).toBeGreaterThan(2 ** 32);
    expect(splitter.offset).toBe(at);
    expect(splitter.payloadAt).toBe(at - size);
    expect([...splitter.push(fromHex("0100"))]).toEqual([]);
    expect(fault(() => splitter.end())).toEqual({ code: "ERR_TRUNCATED", offset: at, needMore: 2 });
  });

  test("the end between two frames is valid, and nothing can follow it", () => {
    const splitter = new FrameSplitter();
    splitter.end();
    splitter.end();
    expect(fault(() => splitter.push(new Uint8Array(1)))).toEqual({ code: "ERR_CLOSED" });
  });

  test("invalid arguments", () => {
    const refused: (() => unknown)[] = [
      () => new FrameSplitter({ prefix: "u16" as FramePrefix }),
      () => new FrameSplitter({ frames: "none" as "copy" }),
      () => new FrameSplitter({ maxFrameBytes: -1 }),
      () => new FrameSplitter(null as unknown as undefined),
      () => new FrameSplitter().push("abc" as unknown as Uint8Array),
      () => encodeFrame("abc" as unknown as Uint8Array),
    ];
    for (const act of refused) expect(fault(act), act.toString()).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(fault(() => encodeFrame(new Uint8Array(11), { maxFrameBytes: 10 }))).toEqual({
      code: "ERR_FRAME_TOO_LARGE",
    });
  });
});
