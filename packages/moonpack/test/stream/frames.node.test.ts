/** Frames in Node streams. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { encodeFrame } from "moonpack/bytes";
import { decodeFrames, FrameDecoder, FrameEncoder } from "moonpack/stream";
import { expect, test } from "vitest";

const payloads = [Buffer.from("one"), Buffer.from(""), Buffer.from("three".repeat(1000))];
const bytes = Buffer.concat(payloads.map((payload) => encodeFrame(payload)));

/** `pipeline` takes objects with a readable and a writable side; its types do not declare it. */
function asDuplex(transform: { readonly readable: unknown; readonly writable: unknown }): NodeJS.ReadWriteStream {
  return transform as unknown as NodeJS.ReadWriteStream;
}

test("pipeline takes both transforms", async () => {
  const got: Buffer[] = [];
  await pipeline(
    Readable.from(payloads, { objectMode: true }),
    asDuplex(new FrameEncoder<Uint8Array>()),
    asDuplex(new FrameDecoder()),
    async (frames: AsyncIterable<string | Buffer>) => {
      for await (const frame of frames) got.push(Buffer.from(frame as Uint8Array));
    },
  );
  expect(got).toEqual(payloads);
});

test("an error of the frames fails the pipeline", async () => {
  const run = pipeline(
    Readable.from([bytes.subarray(0, 10)]),
    asDuplex(new FrameDecoder()),
    async (frames: AsyncIterable<string | Buffer>) => {
      for await (const _ of frames);
    },
  );
  await expect(run).rejects.toMatchObject({ code: "ERR_TRUNCATED", offset: 5 });
});

test("decodeFrames reads a Readable; leaving the loop destroys it", async () => {
  const source = Readable.from([bytes.subarray(0, 4), bytes.subarray(4)]);
  for await (const frame of decodeFrames(source)) {
    expect(Buffer.from(frame)).toEqual(payloads[0]);
    break;
  }
  expect(source.destroyed).toBe(true);
});
