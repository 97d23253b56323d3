/** The rows of UPGRADING.md on streams; see msgpack-javascript-differences.node.test.ts. */

import { concat, fromHex } from "@moonpack/harness/hex.ts";
import { expect } from "vitest";
import { face, type Library, original } from "./libraries.ts";
import { collect, read } from "./msgpack-javascript-chunks.ts";

/** Chunks given as hex. */
function hexes(...chunks: string[]): Uint8Array[] {
  return chunks.map(fromHex);
}

/** A source that counts its calls. */
function counted(...chunks: string[]) {
  const state = { asked: 0 };
  async function* source() {
    for (const chunk of hexes(...chunks)) {
      state.asked++;
      yield chunk;
    }
  }
  return { state, source: source() };
}

export const STREAM_DIFFERENCES: Record<string, () => Promise<void>> = {
  "A stream that ends inside a value, or before the end of the array": async () => {
    for (const [reading, chunks, values] of [
      ["decodeMultiStream", hexes("01a36162"), [1]],
      ["decodeMultiStream", hexes("0192", "01"), [1]],
      ["decodeArrayStream", hexes("930102"), [1, 2]],
      ["decodeArrayStream", [], []],
    ] as const) {
      expect(await read(original, reading, chunks)).toEqual({ values });
      const ours = await read(face, reading, chunks);
      expect(ours.values).toEqual(values);
      expect(ours.error).toMatchObject({ code: "ERR_TRUNCATED" });
    }
    expect((await read(face, "decodeMultiStream", hexes("01a3", "6162"))).error).toMatchObject({
      offset: 1,
      needMore: 1,
    });
  },
  "Bytes after the array of `decodeArrayStream`": async () => {
    expect(await read(original, "decodeArrayStream", hexes("92010203"))).toEqual({ values: [1, 2] }); // lost
    expect(await read(original, "decodeArrayStream", hexes("900102"))).toEqual({ values: [1, 2] }); // elements of none
    const fault = { code: "ERR_TRAILING_BYTES" };
    expect(await read(face, "decodeArrayStream", hexes("92010203"))).toMatchObject({ values: [1, 2], error: fault });
    expect(await read(face, "decodeArrayStream", hexes("900102"))).toMatchObject({ values: [], error: fault });
    for (const library of [original, face]) {
      expect((await read(library, "decodeArrayStream", hexes("920102", "03"))).error).toBeInstanceOf(RangeError);
    }
  },
  "`decodeArrayStream` of other values": async () => {
    for (const hex of ["050102", "810102"]) {
      expect(await read(original, "decodeArrayStream", hexes(hex))).toEqual({ values: [1, 2] });
      const fault = { code: "ERR_UNSUPPORTED_TYPE", offset: 0 };
      expect(await read(face, "decodeArrayStream", hexes(hex))).toMatchObject({ values: [], error: fault });
    }
  },
  "`decodeArrayStream` with a cut array header, or an empty chunk before it": async () => {
    for (const chunks of [hexes("dc", "00020102"), hexes("dc00", "020102"), hexes("", "920102")]) {
      expect((await read(original, "decodeArrayStream", chunks)).error).toBeInstanceOf(RangeError);
      expect(await read(face, "decodeArrayStream", chunks)).toEqual({ values: [1, 2] });
    }
  },
  "An empty chunk after the end": async () => {
    for (const reading of ["decodeAsync", "decodeArrayStream"] as const) {
      const chunks = hexes("9107", "");
      expect((await read(original, reading, chunks)).error).toBeInstanceOf(RangeError);
      expect(await read(face, reading, chunks)).toEqual({ values: [reading === "decodeAsync" ? [7] : 7] });
    }
  },
  "Bytes after the value of `decodeAsync`": async () => {
    const [theirs, ours] = [counted("0102", "03", "04"), counted("0102", "03", "04")];
    expect((await collect(original.decodeAsync(theirs.source))).error).toBeInstanceOf(RangeError);
    expect(theirs.state.asked).toBe(2); // noticed at the next chunk, or at the end
    expect((await collect(face.decodeAsync(ours.source))).error).toMatchObject({
      code: "ERR_TRAILING_BYTES",
      offset: 1,
    });
    expect(ours.state.asked).toBe(1);
  },
  "RangeErrors of the caller's code in a stream": async () => {
    const reading = (library: Library) => {
      const extensionCodec = new library.ExtensionCodec();
      const decode = () => {
        throw new RangeError("mine");
      };
      extensionCodec.register({ type: 1, encode: () => null, decode });
      return read(library, "decodeMultiStream", hexes("01d40105", "070102"), { extensionCodec });
    };
    // The original takes the error for the end of a chunk, and reads the next bytes as data of another extension.
    expect(await reading(original)).toEqual({ values: [1, new original.ExtData(7, Uint8Array.of(1)), 2] });
    const ours = await reading(face);
    expect(ours.values).toEqual([1]);
    expect((ours.error as Error).message).toBe("mine");
  },
  "A source that reuses the memory of a chunk": async () => {
    async function* reused() {
      const memory = fromHex("c40107a361");
      yield memory;
      memory.fill(0x62, 0, 2);
      memory.fill(0x7a, 2);
      yield memory.subarray(0, 2);
    }
    expect((await collect(original.decodeMultiStream(reused()))).values[0]).toEqual(Uint8Array.of(0x7a));
    expect(await collect(face.decodeMultiStream(reused()))).toEqual({ values: [Uint8Array.of(7), "abb"] });
  },
  "Binary and extension data from a stream": async () => {
    const chunk = concat(face.encode(Uint8Array.of(1, 2)), fromHex("d40105"));
    const [theirs, ours] = await Promise.all([
      read(original, "decodeMultiStream", [chunk]),
      read(face, "decodeMultiStream", [chunk]),
    ]);
    const memory = ({ values }: { values: unknown[] }) =>
      (values as [Uint8Array, { data: Uint8Array }]).map((value) => ("data" in value ? value.data : value).buffer);
    expect(memory(theirs)).toEqual([chunk.buffer, chunk.buffer]);
    for (const buffer of memory(ours)) expect(buffer).not.toBe(chunk.buffer);
  },
  "Leaving a ReadableStream without an async iterator": async () => {
    for (const library of [original, face]) {
      let cancelled = false;
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue(Uint8Array.of(1)),
        cancel: () => {
          cancelled = true;
        },
      });
      for await (const _ of library.decodeMultiStream({ getReader: () => stream.getReader() })) break;
      expect(cancelled).toBe(library === face);
    }
  },
};
