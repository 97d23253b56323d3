/** Frames in Node's streams. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { encodeFrame } from "moonpack/bytes";
import { decodeFrames, FrameDecoder, FrameEncoder } from "moonpack/stream";
import { expect, test } from "vitest";

const payloads = [Buffer.from("one"), Buffer.from(""), Buffer.from("three".repeat(1000))];
const bytes = Buffer.concat(payloads.map((payload) => encodeFrame(payload)));

test("pipeline takes both transforms", async () => {
  const got: Buffer[] = [];
  await pipeline(
    Readable.from(payloads, { objectMode: true }),
    new FrameEncoder<Uint8Array>(),
    new FrameDecoder(),
    async (frames: AsyncIterable<Uint8Array>) => {
      for await (const frame of frames) got.push(Buffer.from(frame));
    },
  );
  expect(got).toEqual(payloads);
});

test("an error of the frames fails the pipeline", async () => {
  const run = pipeline(Readable.from([bytes.subarray(0, 10)]), new FrameDecoder(), async (frames) => {
    for await (const _ of frames as AsyncIterable<Uint8Array>);
  });
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
