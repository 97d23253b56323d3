/** Blocks that snappyjs packs are unpacked. */
import { randomSource } from "@moonpack/harness/random.ts";
import snappyjs from "snappyjs";
import { expect, test } from "vitest";
import { unpackSnappy } from "../../src/remote-write/snappy.ts";
import { pack } from "./encode.ts";

test("in both directions", () => {
  const next = randomSource(9);
  for (let round = 0; round < 300; round++) {
    const size = next(round % 30 === 0 ? 300_000 : 2000);
    const words = Array.from({ length: 8 }, () => Uint8Array.from({ length: 1 + next(40) }, () => next(256)));
    const raw = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const word = words[next(words.length)]!.subarray(0, size - at);
      raw.set(word, at);
      at += word.length;
    }
    expect(Buffer.compare(unpackSnappy(snappyjs.compress(raw), size), raw)).toBe(0);
    if (size < 2000) expect(Buffer.compare(snappyjs.uncompress(pack(raw, next)), raw)).toBe(0);
  }
});
