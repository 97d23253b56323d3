/** Guarantees of the stream functions: the owner of memory, when a source is closed, and the work and memory of a stream. */

import * as moonpack from "@moonpack/compat/msgpack-javascript";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import { concat, fromHex } from "@moonpack/harness/hex.ts";
import { describe, expect, it, vi } from "vitest";
import { face } from "./libraries.ts";
import { collect, READINGS, read, streamOf } from "./msgpack-javascript-chunks.ts";

/** A source that logs its calls. */
function watched(chunks: readonly Uint8Array[], ending?: Error) {
  const log: string[] = [];
  let i = 0;
  const source: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => source,
    next: async () => {
      log.push("next");
      if (i < chunks.length) return { done: false, value: chunks[i++]! };
      if (ending !== undefined) throw ending;
      return { done: true, value: undefined };
    },
    return: async () => {
      log.push("return");
      return { done: true, value: undefined };
    },
  };
  return { log, source };
}

/** A ReadableStream of the chunks, and whether it was cancelled; with `isBare` it has no async iterator. */
function readable(chunks: readonly Uint8Array[], isBare: boolean) {
  const left = [...chunks];
  const state = { cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel() {
      state.cancelled = true;
    },
  });
  const source: unknown = isBare ? { getReader: () => stream.getReader() } : stream;
  return { state, stream, source };
}

describe("a chunk may be reused once the next one is requested", () => {
  it.each([1, 2, 7, 64, 5000])("in chunks of %d bytes", async (size) => {
    const value = ["text", new Uint8Array(300).fill(7), { key: "é".repeat(50), d: new Date(5) }, new Uint8Array(3)];
    const bytes = concat(face.encode(value), Uint8Array.of(0xc7, 2, 9, 1, 2), face.encode(value));
    async function* reused() {
      const memory = new Uint8Array(size);
      for (const part of cutEvery(bytes, size)) {
        memory.set(part);
        yield memory.subarray(0, part.length);
        memory.fill(0xc1);
      }
    }
    for (const options of [{}, { rawStrings: true }, { keyDecoder: null }]) {
      const { values, error } = await collect(face.decodeMultiStream(reused(), options));
      expect(error).toBe(undefined);
      expect(values).toEqual([...face.decodeMulti(bytes, options)]);
    }
  });

  it("long binary that was collected is not copied again, and takes no more memory than it has bytes", async () => {
    const bytes = face.encode(new Uint8Array(100_000).fill(5));
    const [value] = (await read(face, "decodeAsync", cutEvery(bytes, 1000))).values as [Uint8Array];
    expect(value.length).toBe(100_000);
    expect(value.buffer.byteLength).toBeLessThan(100_010);
  });

  it("a chunk that is transferred too early is an error", async () => {
    const chunk = fromHex("010203");
    const values = face.decodeMultiStream(streamOf([chunk]));
    await values.next();
    structuredClone(chunk, { transfer: [chunk.buffer] });
    expect((await collect(values)).error).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
  });

  it("extension data keep the alignment of their message", async () => {
    const extensionCodec = new moonpack.ExtensionCodec();
    extensionCodec.register({
      type: 1,
      encode: (value) =>
        value instanceof Float64Array
          ? (pos: number) => {
              const data = new Uint8Array(1 + ((-pos - 1) & 7) + value.byteLength);
              data[0] = data.length - value.byteLength;
              data.set(new Uint8Array(value.buffer), data[0]);
              return data;
            }
          : null,
      decode: (data) => new Float64Array(data.buffer, data.byteOffset + data[0]!, (data.length - data[0]!) / 8),
    });
    const value = ["a", new Float64Array([1.5]), "bcd", new Float64Array([2.5, -1])];
    const bytes = face.encode(value, { extensionCodec });
    const odd = concat(Uint8Array.of(1), bytes);
    for (const size of [1, 5, 1000]) {
      const options = { extensionCodec };
      expect((await read(face, "decodeAsync", cutEvery(bytes, size), options)).values).toEqual([value]);
      expect((await read(face, "decodeArrayStream", cutEvery(bytes, size), options)).values).toEqual(value);
      expect((await read(face, "decodeMultiStream", cutEvery(odd, size), options)).values).toEqual([1, value]);
    }
  });
});

describe("sources are closed", () => {
  it("at an early break, and they are not read ahead", async () => {
    for (const reading of ["decodeArrayStream", "decodeMultiStream"] as const) {
      const { log, source } = watched([fromHex("9301"), fromHex("02"), fromHex("03")]);
      for await (const value of face[reading](source)) {
        void value;
        break;
      }
      expect(log).toEqual(reading === "decodeArrayStream" ? ["next", "return"] : ["next", "next", "next", "return"]);
    }
  });

  it("at an invalid value, an extra byte, a length beyond the limit: no further chunk is read", async () => {
    const endings = ["c1", "9100", "dbffffffff", "c6ffffffff", "c9ffffffff01", "d9ff", "a5"];
    for (const ending of endings.map(fromHex)) {
      for (const reading of READINGS) {
        const chunks = [concat(Uint8Array.of(0x91), ending.subarray(0, 1)), ending.subarray(1), fromHex("00")];
        const { log, source } = watched(chunks);
        const options = { maxStrLength: 4, maxBinLength: 4, maxExtLength: 4 };
        const { error } = await collect(face[reading](source, options));
        if (reading === "decodeMultiStream" && ending[0] === 0x91) expect(error).toBe(undefined);
        else {
          expect(error).toBeInstanceOf(moonpack.DecodeError);
          expect(log.at(-1)).toBe("return");
          expect(log.length).toBeLessThan(5);
        }
      }
    }
  });

  it("an error of the source ends the loop, after the values before it", async () => {
    const mine = new RangeError("mine");
    const { log, source } = watched([fromHex("0102a3")], mine);
    expect(await collect(face.decodeMultiStream(source))).toEqual({ values: [1, 2], error: mine });
    expect(log).toEqual(["next", "next"]);
  });

  it.each([false, true])("a ReadableStream is cancelled and unlocked (bare: %s)", async (isBare) => {
    const whole = readable([fromHex("9301"), fromHex("0203")], isBare);
    expect(await collect(face.decodeAsync(whole.source))).toEqual({ values: [[1, 2, 3]] });
    expect([whole.state.cancelled, whole.stream.locked]).toEqual([false, false]);
    const left = readable([fromHex("9301"), fromHex("0203")], isBare);
    for await (const value of face.decodeArrayStream(left.source)) if (value === 1) break;
    expect([left.state.cancelled, left.stream.locked]).toEqual([true, false]);
    const broken = readable([fromHex("c1"), fromHex("00")], isBare);
    expect((await collect(face.decodeAsync(broken.source))).error).toMatchObject({ code: "ERR_INVALID_BYTE" });
    expect([broken.state.cancelled, broken.stream.locked]).toEqual([true, false]);
    const mine = new Error("mine");
    const failing = new ReadableStream({ start: (controller) => controller.error(mine) });
    const source = isBare ? { getReader: () => failing.getReader() } : failing;
    expect((await collect(face.decodeMultiStream(source))).error).toBe(mine);
  });

  it("values that are not sources, and chunks that are not bytes, are errors", async () => {
    for (const source of [null, undefined, 5, "abc", {}]) {
      const fault = { code: "ERR_INVALID_ARGUMENT" };
      await expect(face.decodeAsync(source)).rejects.toMatchObject(fault);
      expect(() => face.decodeMultiStream(source)).toThrow(expect.objectContaining(fault));
      expect(() => new moonpack.Decoder().decodeArrayStream(source as never)).toThrow(expect.objectContaining(fault));
    }
    for (const chunk of [null, undefined, 5, "abc", {}]) {
      const { values, error } = await read(face, "decodeMultiStream", [[1], chunk, [2]]);
      expect(values).toEqual([1]);
      expect(error).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
    }
    expect(await collect(face.decodeMultiStream([[1], [2]]))).toEqual({ values: [1, 2] });
  });
});

describe("work and memory", () => {
  it.each([1, 7, 1000])("the bytes moved for a long item are linear, in chunks of %d bytes", async (size) => {
    const length = isWhole ? 300_000 : 50_000;
    for (const value of ["x".repeat(length), new Uint8Array(length), { ["k".repeat(length)]: 1 }]) {
      const bytes = face.encode(value);
      const chunks = cutEvery(bytes, size);
      let moved = 0;
      const { set } = Uint8Array.prototype;
      const spy = vi.spyOn(Uint8Array.prototype, "set").mockImplementation(function (this: Uint8Array, from, at) {
        moved += from.length;
        set.call(this, from, at);
      });
      const { values } = await read(face, "decodeAsync", chunks).finally(() => spy.mockRestore());
      expect(values).toEqual([value]);
      expect(moved).toBeLessThan(4 * bytes.length);
    }
  });

  it(`${isWhole ? "a megabyte" : "a fifth of a megabyte"} in chunks of one byte`, async () => {
    const half = isWhole ? 500_000 : 100_000;
    const value = ["y".repeat(half), ...new Array<number>(half).fill(1)];
    const { values } = await read(face, "decodeAsync", cutEvery(face.encode(value), 1));
    expect(values).toEqual([value]);
  });

  it("the array of decodeArrayStream counts for maxDepth, not for maxArrayLength", async () => {
    const bytes = fromHex("939101029103");
    expect((await read(face, "decodeArrayStream", [bytes], { maxArrayLength: 1 })).values).toEqual([[1], 2, [3]]);
    expect((await read(face, "decodeArrayStream", [bytes], { maxDepth: 2 })).values).toEqual([[1], 2, [3]]);
    expect((await read(face, "decodeArrayStream", [bytes], { maxDepth: 1 })).error).toMatchObject({
      code: "ERR_LIMIT_DEPTH",
      offset: 1,
    });
  });

  it("a Decoder reads several streams at once, and stays usable after an error", async () => {
    const decoder = new moonpack.Decoder({ mapKeyConverter: String });
    const bytes = fromHex("9281c001a26162");
    const first = decoder.decodeStream(streamOf(cutEvery(bytes, 1)) as AsyncIterable<Uint8Array>);
    const second = decoder.decodeArrayStream(streamOf(cutEvery(bytes, 1)) as AsyncIterable<Uint8Array>);
    expect((await second.next()).value).toEqual({ null: 1 });
    expect((await first.next()).value).toEqual([{ null: 1 }, "ab"]);
    expect(decoder.decode(bytes)).toEqual([{ null: 1 }, "ab"]);
    await expect(decoder.decodeAsync(streamOf([[0xc1]]) as AsyncIterable<number[]>)).rejects.toThrow();
    expect((await second.next()).value).toBe("ab");
    expect([(await first.next()).done, (await second.next()).done]).toEqual([true, true]);
  });
});
