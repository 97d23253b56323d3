/** The option `binary: "buffer"`: binary is a Buffer with its own memory, wherever it is; nothing else is changed. */
import { Decoder, decode, type Extension, Extensions, encode } from "moonpack";
import { StreamDecoder } from "moonpack/stream";
import { expect, test } from "vitest";

const sizes = [0, 3, 300, 3000, 70_000];
const bytesOf = (size: number): Uint8Array => new Uint8Array(size).map((_, index) => index);

test.each(sizes)("%i bytes are a Buffer whose memory is not the input's", (size) => {
  const decoder = new Decoder({ binary: "buffer" });
  const bytes = bytesOf(size);
  const message = encode([bytes, { deep: [{ bytes }] }, "text"]);
  const [first, { deep }] = decoder.decode<[Buffer, { deep: [{ bytes: Buffer }] }]>(message);
  message.fill(0);
  for (const each of [first, deep[0].bytes]) {
    expect(Buffer.isBuffer(each)).toBe(true);
    expect(each.buffer.byteLength).toBe(size);
    expect(each.equals(bytes)).toBe(true);
  }
});

test("also as keys, in Maps and Sets, and in messages that come in parts", () => {
  const bytes = bytesOf(3);
  const value = new Map<unknown, unknown>([[bytes, new Set([bytes])]]);
  const options = { binary: "buffer", fidelity: "js" } as const;
  const [[key, set]] = [...decode<Map<Buffer, Set<Buffer>>>(encode(value, { fidelity: "js" }), options)];
  expect([key, ...set!].map((each) => Buffer.isBuffer(each))).toEqual([true, true]);

  const decoder = new StreamDecoder({ binary: "buffer" });
  const message = encode({ long: bytesOf(5000), short: bytes });
  const values: unknown[] = [];
  for (let at = 0; at < message.length; at += 700) {
    const part = message.slice(at, at + 700);
    for (const each of decoder.push(part)) values.push(each);
    part.fill(0);
  }
  expect(values).toEqual([{ long: Buffer.from(bytesOf(5000)), short: Buffer.from(bytes) }]);
});

test("extensions get plain bytes, and their values stay as they are", () => {
  class Mine {
    readonly bytes: Uint8Array;
    constructor(bytes: Uint8Array) {
      this.bytes = bytes;
    }
  }
  const live = Object.freeze({ bytes: bytesOf(3), self: [] as unknown[] });
  live.self.push(live);
  let isPlain = false;
  const extensions = new Extensions().register<Mine>({
    type: 1,
    class: Mine,
    encode: ({ bytes }) => bytes,
    decode: (data) => {
      isPlain = !Buffer.isBuffer(data);
      return live as unknown as Mine;
    },
  });
  const message = encode([new Mine(bytesOf(4))], { extensions });
  const [value] = decode<[typeof live]>(message, { extensions, binary: "buffer" });
  expect([isPlain, value === live, Buffer.isBuffer(value.bytes)]).toEqual([true, true, false]);

  const kept = decode<Extension>(message.subarray(1), { unknownExtensions: "keep", binary: "buffer" });
  expect([kept.type, Buffer.isBuffer(kept.data)]).toEqual([1, false]);
});

test("other choices give no Buffers, whatever the input is", () => {
  const input = Buffer.from(encode(bytesOf(3)));
  for (const binary of ["copy", "view"] as const) expect(Buffer.isBuffer(decode(input, { binary }))).toBe(false);
});
