/** Frames that a decoder reads, instead of a function. */
import { caughtAsync } from "@moonpack/harness/caught.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { Decoder, encode, type MoonpackError } from "moonpack";
import { encodeFrame } from "moonpack/bytes";
import { Picker } from "moonpack/pick";
import { decodeFrames, FrameDecoder } from "moonpack/stream";
import { expect, test } from "vitest";

const values = [{ id: 1, rest: [1, 2] }, { id: 2 }, { other: 3 }];
const bytes = concat(...values.map((value) => encodeFrame(encode(value))));
const sizes = values.map((value) => encode(value).length);
const ids = [{ id: 1 }, { id: 2 }, { id: undefined }];
const picker = new Picker({ id: "/id" });

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const value of source) got.push(value);
  return got;
}

const code = async (act: () => Promise<unknown>): Promise<unknown> => ((await caughtAsync(act)) as MoonpackError).code;

test("a Picker, as the option decode and instead of options", async () => {
  expect(await all(decodeFrames([bytes], { decode: picker }))).toEqual(ids);
  expect(await all(decodeFrames([bytes], picker))).toEqual(ids);
  const wide = concat(...values.map((value) => encodeFrame(encode(value), { prefix: "u32be" })));
  expect(await all(decodeFrames([wide], { decode: picker, prefix: "u32be" }))).toEqual(ids);
  const stream = (options: ConstructorParameters<typeof FrameDecoder<{ id: unknown }>>[0]) =>
    new Blob([bytes]).stream().pipeThrough(new FrameDecoder(options));
  expect(await all(stream({ decode: picker }) as unknown as AsyncIterable<unknown>)).toEqual(ids);
  expect(await all(stream(picker) as unknown as AsyncIterable<unknown>)).toEqual(ids);
});

test("any object with the method; options stay options", async () => {
  expect(await all(decodeFrames([bytes], new Decoder()))).toEqual(values);
  expect(await all(decodeFrames([bytes], { decode: { decode: (frame) => frame.length } }))).toEqual(sizes);
  expect(await all(decodeFrames([bytes], { decode: (frame) => frame.length }))).toEqual(sizes);
  class Options {
    readonly maxFrameBytes = 5;
  }
  expect(await code(() => all(decodeFrames([bytes], new Options())))).toBe("ERR_FRAME_TOO_LARGE");
});

test("errors have their offset in the stream, and a bad frame may be skipped", async () => {
  const damaged = bytes.slice();
  damaged[19] = 0xc1;
  expect(await caughtAsync(() => all(decodeFrames([damaged], picker)))).toMatchObject({
    code: "ERR_INVALID_BYTE",
    offset: 19,
  });
  const offsets: number[] = [];
  const undecodable = (_: unknown, frame: { readonly offset: number }): void => void offsets.push(frame.offset);
  expect(await all(decodeFrames([damaged], { decode: picker, undecodable }))).toEqual([ids[0], ids[2]]);
  expect(offsets).toEqual([15]);
});

test("a polluted Object.prototype is no decoder", async () => {
  const object = Object.prototype as { decode?: unknown };
  object.decode = () => "polluted";
  try {
    expect((await all(decodeFrames([bytes]))).map((frame) => frame.length)).toEqual(sizes);
    expect((await all(decodeFrames([bytes], { maxFrameBytes: 100 }))).map((frame) => frame.length)).toEqual(sizes);
    expect(await all(decodeFrames([bytes], picker))).toEqual(ids);
  } finally {
    delete object.decode;
  }
});

test("anything else is refused", async () => {
  for (const decode of [5, null, {}, "decode", []])
    expect(await code(() => all(decodeFrames([bytes], { decode: decode as never })))).toBe("ERR_INVALID_ARGUMENT");
});
