import { fault } from "@moonpack/harness/caught.ts";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { concat, fromHex, toHex } from "@moonpack/harness/hex.ts";
import { DecodeError, decode, encode } from "moonpack";
import { encodeFrame, type FramePrefix } from "moonpack/bytes";
import { type BadFrame, decodeFrames, FrameDecoder, FrameEncoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

const PREFIXES: readonly FramePrefix[] = ["uvar", "u32le", "u32be"];
const payloads = [[], [1], Array.from({ length: 300 }, (_, i) => i), [], [2, 3]].map((p) => new Uint8Array(p));
const framesOf = (prefix: FramePrefix) => concat(...payloads.map((payload) => encodeFrame(payload, { prefix })));

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const value of source) got.push(value);
  return got;
}

/** The error that an async function rejects with, in the form of `fault`. */
async function faultOf(act: () => Promise<unknown>): Promise<Record<string, unknown>> {
  let failure: unknown;
  let isFine = false;
  try {
    await act();
    isFine = true;
  } catch (error) {
    failure = error;
  }
  return fault(() => {
    if (!isFine) throw failure;
  });
}

/** Chunks as a ReadableStream; `cancelled` receives the reason of a cancel. */
function readable<T>(chunks: Iterable<T>, cancelled: unknown[] = []): ReadableStream<T> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream<T>({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel(reason) {
      cancelled.push(reason);
    },
  });
}

describe("decodeFrames", () => {
  test("payloads in order, however the source is cut", async () => {
    for (const prefix of PREFIXES) {
      const bytes = framesOf(prefix);
      for (const size of [1, 3, 100, 5000]) {
        for (const frames of ["copy", "view"] as const) {
          const got = await all(decodeFrames(cutEvery(bytes, size), { prefix, frames }));
          expect(got.map(toHex)).toEqual(payloads.map(toHex));
        }
        const got = await all(decodeFrames(readable(cutEvery(bytes, size)), { prefix }));
        expect(got.map(toHex)).toEqual(payloads.map(toHex));
      }
    }
  });

  test("decode: its results are yielded, null and undefined too", async () => {
    const values = [1, null, { a: [1, 2] }, "x".repeat(500), false];
    const bytes = concat(...values.map((value) => encodeFrame(encode(value))));
    for (const size of [1, 7, 10_000]) {
      expect(await all(decodeFrames(cutEvery(bytes, size), { decode: (frame) => decode(frame) }))).toEqual(values);
    }
    expect(await all(decodeFrames(fromHex("0000"), { decode: () => undefined }))).toEqual([undefined, undefined]);
  });

  test("errors have the offset of the frame's first byte in the stream", async () => {
    const cases: [string, Record<string, unknown>][] = [
      ["010702", { code: "ERR_TRUNCATED", offset: 2, needMore: 2 }],
      ["010780", { code: "ERR_TRUNCATED", offset: 2, needMore: 1 }],
      ["01078000", { code: "ERR_NOT_SHORTEST", offset: 2, needMore: 0 }],
      ["0107ffffffff7f", { code: "ERR_OUT_OF_RANGE", offset: 2, needMore: 0 }],
      ["010765", { code: "ERR_FRAME_TOO_LARGE", offset: 2, needMore: 0 }],
    ];
    for (const [hex, want] of cases) {
      for (const size of [1, 2, 100]) {
        const got: string[] = [];
        const read = async (): Promise<void> => {
          for await (const frame of decodeFrames(cutEvery(fromHex(hex), size), { maxFrameBytes: 100 }))
            got.push(toHex(frame));
        };
        expect(await faultOf(read), hex).toEqual(want);
        expect(got).toEqual(["07"]);
      }
    }
  });

  test("leaving early, an error and the signal cancel the source", async () => {
    const cancelled: unknown[] = [];
    for await (const _ of decodeFrames(readable([fromHex("01070108"), fromHex("0109")], cancelled))) break;
    expect(cancelled.length).toBe(1);
    expect((await faultOf(() => all(decodeFrames(readable([fromHex("8000"), fromHex("00")], cancelled))))).code).toBe(
      "ERR_NOT_SHORTEST",
    );
    expect(cancelled.length).toBe(2);

    const abort = new AbortController();
    const hanging = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(fromHex("0107")),
      cancel: (reason) => void cancelled.push(reason),
    });
    const frames = decodeFrames(hanging, { signal: abort.signal });
    expect([...(await frames.next()).value!]).toEqual([7]);
    setTimeout(() => abort.abort("enough"), 1);
    expect((await faultOf(() => frames.next())).code).toBe("ERR_ABORTED");
    expect(cancelled.length).toBe(3);
    expect((await frames.next()).done).toBe(true);
  });

  test("a signal between two frames of one chunk", async () => {
    const abort = new AbortController();
    const frames = decodeFrames(fromHex("01070108"), { signal: abort.signal });
    await frames.next();
    abort.abort();
    expect((await faultOf(() => frames.next())).code).toBe("ERR_ABORTED");
  });

  test("an error of the source ends the loop", async () => {
    const own = new Error("the disk is gone");
    const failing = (async function* () {
      yield fromHex("0107");
      await Promise.resolve();
      throw own;
    })();
    let failure: unknown;
    try {
      await all(decodeFrames(failing));
    } catch (error) {
      failure = error;
    }
    expect(failure).toBe(own);
  });

  test("invalid arguments are rejected by the call", () => {
    const refused: (() => unknown)[] = [
      () => decodeFrames(5 as unknown as Uint8Array),
      () => decodeFrames([], { prefix: "u8" as FramePrefix }),
      () => decodeFrames([], { decode: 1 as unknown as () => 1 }),
      () => decodeFrames([], { undecodable: "skip" as "throw" }),
      () => decodeFrames([], { signal: {} as AbortSignal }),
      () => new FrameDecoder({ maxFrameBytes: -1 }),
      () => new FrameEncoder({ encode: null as unknown as () => Uint8Array }),
    ];
    for (const act of refused) expect(fault(act), act.toString()).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });
});

describe("a frame with a malformed payload", () => {
  // 01 is valid, c1 is not a valid first byte, 92 01 lacks an element.
  const bytes = concat(...["01", "c1", "9201", "02"].map((hex) => encodeFrame(fromHex(hex))));
  const read = (frame: Uint8Array): unknown => decode(frame);

  test("throw: the error has its offset in the stream", async () => {
    for (const size of [1, 3, 100]) {
      expect(await faultOf(() => all(decodeFrames(cutEvery(bytes, size), { decode: read })))).toEqual({
        code: "ERR_INVALID_BYTE",
        offset: 3,
        needMore: 0,
      });
    }
  });

  test("a function receives the error, and the next frame is read", async () => {
    for (const size of [1, 3, 100]) {
      const told: unknown[] = [];
      const undecodable = (error: unknown, frame: BadFrame) => {
        expect(error).toBeInstanceOf(DecodeError);
        const { code, offset } = error as DecodeError;
        told.push([code, offset, toHex(frame.bytes), frame.offset]);
      };
      expect(await all(decodeFrames(cutEvery(bytes, size), { decode: read, undecodable }))).toEqual([1, 2]);
      expect(told).toEqual([
        ["ERR_INVALID_BYTE", 3, "c1", 3],
        ["ERR_TRUNCATED", 5, "9201", 5],
      ]);
    }
  });

  test("an error of the function ends the stream; without a function, an error of decode does", async () => {
    const own = new TypeError("no such user");
    const throwing = (): never => {
      throw own;
    };
    for (const options of [{ decode: read, undecodable: throwing }, { decode: throwing }]) {
      let failure: unknown;
      try {
        await all(decodeFrames(bytes, options));
      } catch (error) {
        failure = error;
      }
      expect(failure).toBe(own);
    }
  });

  test("errors of the framing itself end the stream", async () => {
    const told: unknown[] = [];
    const frames = decodeFrames(fromHex("01c18000"), { decode: read, undecodable: (error) => told.push(error) });
    expect((await faultOf(() => all(frames))).code).toBe("ERR_NOT_SHORTEST");
    expect(told.length).toBe(1);
  });
});

describe("Web streams", () => {
  test("round trip", async () => {
    for (const prefix of PREFIXES) {
      const written = await all(readable(payloads).pipeThrough(new FrameEncoder({ prefix })));
      expect(toHex(concat(...written))).toBe(toHex(framesOf(prefix)));
      for (const size of [1, 50]) {
        const parts = readable(cutEvery(concat(...written), size));
        const back = await all(parts.pipeThrough(new FrameDecoder({ prefix })));
        expect(back.map(toHex)).toEqual(payloads.map(toHex));
      }
    }
  });

  test("round trip of values", async () => {
    const values = [1, { a: "b" }, [null]];
    const bytes = readable(values).pipeThrough(new FrameEncoder({ encode: (value) => encode(value) }));
    expect(await all(bytes.pipeThrough(new FrameDecoder({ decode: (frame) => decode(frame) })))).toEqual(values);
  });

  test("an end inside a frame and a malformed prefix fail the readable side", async () => {
    const read = (hex: string) => () => all(readable([fromHex(hex)]).pipeThrough(new FrameDecoder()));
    expect(await faultOf(read("01070307"))).toEqual({ code: "ERR_TRUNCATED", offset: 2, needMore: 2 });
    expect(await faultOf(read("01078000"))).toEqual({ code: "ERR_NOT_SHORTEST", offset: 2, needMore: 0 });
  });

  test("a payload above the limit: an error by default, skipped with onError", async () => {
    const chunks = [new Uint8Array(3), new Uint8Array(11), new Uint8Array(2)];
    const write = () => all(readable(chunks).pipeThrough(new FrameEncoder({ maxFrameBytes: 10 })));
    expect(await faultOf(write)).toEqual({ code: "ERR_FRAME_TOO_LARGE" });

    const told: unknown[] = [];
    const encoder = new FrameEncoder({ maxFrameBytes: 10, onError: (_error, chunk) => told.push(chunk) });
    const written = all(encoder.readable);
    const writer = encoder.writable.getWriter();
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
    expect((await written).map((frame) => frame.length)).toEqual([4, 3]);
    expect(told).toEqual([chunks[1]]);
  });
});
