/** Picking from streams: the same values for any chunks. */
import { caughtAsync } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { encode, type MoonpackError } from "moonpack";
import { Picker } from "moonpack/pick";
import { decodeStream } from "moonpack/stream";
import { expect, test } from "vitest";
import { document } from "./documents.ts";

/** Chunks whose memory is overwritten when the next one is requested. */
async function* chunks(bytes: Uint8Array, size: (at: number) => number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const chunk = bytes.slice(at, at + size(at));
    at += chunk.length;
    yield chunk;
    chunk.fill(0xc1);
  }
}

const code = async (act: () => Promise<unknown>): Promise<unknown> => ((await caughtAsync(act)) as MoonpackError).code;

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

test("random documents in chunks of all sizes", async () => {
  const picker = new Picker(["/a", "/items/*/id", "/0/1", ""]);
  for (let seed = 0; seed < share(150); seed++) {
    const random = randomSource(seed);
    const all = Array.from({ length: 1 + random(8) }, () => document(random));
    const bytes = new Uint8Array(all.flatMap((one) => [...one]));
    const expected = all.map((one) => picker.decode(one));
    for (const size of [() => 1, () => 7, () => 1 + random(60), () => bytes.length])
      expect(
        differ(await collect(decodeStream(chunks(bytes, size), { pick: picker })), expected),
        `seed ${seed}`,
      ).toBeNull();
  }
});

test("large messages over many chunks, with small ones between", async () => {
  const large = {
    id: 1,
    data: new Uint8Array(100_000),
    text: "x".repeat(50_000),
    list: Array.from({ length: 20_000 }, (_, i) => i),
  };
  const messages = [{ id: 0 }, large, { id: 2 }, large, { id: 4 }];
  const bytes = new Uint8Array(messages.flatMap((one) => [...encode(one)]));
  const picker = new Picker({ id: "/id", last: "/list/19999" });
  const expected = messages.map((one) => ({ id: one.id, last: one === large ? 19_999 : undefined }));
  for (const size of [100, 4096, 5000, 65_536])
    expect(
      await collect(
        decodeStream(
          chunks(bytes, () => size),
          { pick: picker },
        ),
      ),
    ).toEqual(expected);
});

test("errors have the offset in the stream", async () => {
  const bytes = new Uint8Array([...encode({ a: 1 }), ...encode({ a: "xyz" }), 0x81, 0xa1, 0x61, 0xc1]);
  for (const size of [1, 3, 100]) {
    const error = await caughtAsync(() =>
      collect(
        decodeStream(
          chunks(bytes, () => size),
          { pick: new Picker("/a") },
        ),
      ),
    );
    expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: bytes.length - 1 });
  }
  const cut = bytes.subarray(0, 8);
  for (const size of [1, 3, 100]) {
    const error = await caughtAsync(() =>
      collect(
        decodeStream(
          chunks(cut, () => size),
          { pick: new Picker("/a") },
        ),
      ),
    );
    expect(error).toMatchObject({ code: "ERR_TRUNCATED", offset: 8 });
  }
});

test("limits: bytes of a message that crosses chunks, depth", async () => {
  const small = new Picker("/a", { maxBufferedBytes: 1000 });
  const big = encode({ b: "x".repeat(5000) });
  expect(
    await code(() =>
      collect(
        decodeStream(
          chunks(big, () => 100),
          { pick: small },
        ),
      ),
    ),
  ).toBe("ERR_LIMIT_BYTES");
  const forged = new Uint8Array([0x81, 0xa1, 0x61, 0xdb, 0xff, 0xff, 0xff, 0xff, 1, 2]);
  expect(
    await code(() =>
      collect(
        decodeStream(
          chunks(forged, () => 9),
          { pick: new Picker("/a") },
        ),
      ),
    ),
  ).toBe("ERR_LIMIT_BYTES");
  const deep = new Uint8Array(2000).fill(0x91);
  expect(
    await code(() =>
      collect(
        decodeStream(
          chunks(deep, () => 10),
          { pick: new Picker("/a") },
        ),
      ),
    ),
  ).toBe("ERR_LIMIT_DEPTH");
});

test("a signal, and wrong options", async () => {
  const picker = new Picker("/a");
  const abort = new AbortController();
  abort.abort();
  const bytes = encode({ a: 1 });
  expect(
    await code(() =>
      collect(
        decodeStream(
          chunks(bytes, () => 2),
          { pick: picker, signal: abort.signal },
        ),
      ),
    ),
  ).toBe("ERR_ABORTED");
  for (const options of [
    { pick: 5 },
    { pick: null },
    { pick: {} },
    { pick: picker, maxDepth: 5 },
    { pick: picker, signl: 1 },
  ])
    expect(() => decodeStream(bytes, options as never)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
    );
});
