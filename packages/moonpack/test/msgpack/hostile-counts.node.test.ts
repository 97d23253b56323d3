/** Lists and maps with more elements than V8 can hold: it would end the process, without an error that can be caught. */

import { decode as decodeCompat } from "@moonpack/compat/msgpack-javascript";
import { fault } from "@moonpack/harness/caught.ts";
import { childResult } from "@moonpack/harness/child.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import { type DecoderOptions, decode, decodeMulti, Encoder, Extension } from "moonpack";
import { js } from "moonpack/msgpack/features";
import { decodeStream } from "moonpack/stream";
import { describe, expect, test } from "vitest";

const LIST = 2 ** 26 + 1;
const MAP = 2 ** 24 + 1;

/** A message of `count` elements or pairs, each of which is there: all are 0. */
function message(token: number, count: number, items: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(5 + items);
  bytes[0] = token;
  new DataView(bytes.buffer).setUint32(1, count);
  return bytes;
}

const list = message(0xdd, LIST, LIST);
const map = message(0xdf, MAP, 2 * MAP);

describe.each([
  ["a list", list],
  ["a map", map],
] as const)("%s", (_name, bytes) => {
  test.each<[string, DecoderOptions]>([
    ["by default", {}],
    ["strict", { strict: true }],
    ["maps: map", { maps: "map", maxElements: Infinity }],
    ["fidelity js", { fidelity: js }],
  ])("%s", (_options, options) => {
    expect(fault(() => decode(bytes, options))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", offset: 0 });
  });

  test("of several values, and in the compat face", () => {
    expect(fault(() => [...decodeMulti(bytes)]).code).toBe("ERR_LIMIT_ELEMENTS");
    expect(() => decodeCompat(bytes)).toThrow(expect.objectContaining({ code: "ERR_LIMIT_ELEMENTS" }));
  });

  test("in a stream, at its header", async () => {
    const source = (async function* () {
      yield bytes.subarray(0, 5);
      yield new Uint8Array(1);
      throw new Error("read on");
    })();
    await expect(decodeStream(source, { maxBytes: Infinity }).next()).rejects.toMatchObject({
      code: "ERR_LIMIT_ELEMENTS",
    });
  });
});

test("a Set of more members than V8's", () => {
  const members = message(0xdd, MAP, MAP);
  const bytes = new Encoder().encode(new Extension(97, members));
  expect(fault(() => decode(bytes, { fidelity: js }))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", offset: 0 });
});

test.runIf(isWhole)(
  "maps in maps, whose pairs wait on one stack",
  () => {
    const code = childResult<string>(
      `
      import { decode } from "moonpack";
      const size = 5 + 2 * ${MAP - 1};
      const bytes = new Uint8Array(7 * size);
      // The value of the last key is the next map. No key is a text.
      for (let at = 0; at < bytes.length; at += size - 1) bytes.set([0xdf, 1, 0, 0, 0], at);
      try { decode(bytes); } catch (error) { console.log(JSON.stringify(error.code)); }`,
      ["--max-old-space-size=6000"],
      120_000,
    );
    expect(code).toBe("ERR_LIMIT_ELEMENTS");
  },
  120_000,
);

test("a header alone is truncated", () => {
  expect(fault(() => decode(list.subarray(0, 100)))).toMatchObject({ code: "ERR_TRUNCATED" });
});
