/** Parts that are pushed before earlier parts are read: they stay in order and complete, and are not moved. */

import { fault } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { expectLinearMoves } from "@moonpack/harness/moved-counts.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { encode } from "moonpack";
import { encodeFrame, FrameSplitter, type FrameSplitterOptions } from "moonpack/bytes";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

/** A queue of numbers, each pushed as one part. */
interface Line {
  push(n: number): void;
  /** The next number; null when there is none. */
  take(): number | null;
  readonly left: number;
}

function splitter(options?: FrameSplitterOptions): Line {
  const frames = new FrameSplitter(options);
  return {
    push: (n) => void frames.push(encodeFrame(encode(n))),
    take: () => {
      const frame = frames.next();
      return frame === null ? null : (new StreamDecoder<number>().push(frame)[Symbol.iterator]().next().value ?? null);
    },
    get left() {
      return frames.left;
    },
  };
}

function decoder(options?: { readonly binary: "view" }): Line {
  const values = new StreamDecoder<number>(options);
  return {
    push: (n) => void values.push(encode(n)),
    take: () => values[Symbol.iterator]().next().value ?? null,
    get left() {
      return values.left;
    },
  };
}

const lines: [string, () => Line][] = [
  ["FrameSplitter", () => splitter()],
  ["FrameSplitter, views", () => splitter({ frames: "view" })],
  ["StreamDecoder", () => decoder()],
  ["StreamDecoder, views", () => decoder({ binary: "view" })],
];

describe.each(lines)("%s", (_, make) => {
  test.each([1, 10, 1000])("a steady backlog of %d parts is read in order", (backlog) => {
    const line = make();
    let pushed = 0;
    while (pushed < backlog) line.push(pushed++);
    for (let i = 0; i < share(20_000); i++) {
      line.push(pushed++);
      if (line.take() !== i) throw new Error(`not ${i}`);
    }
    for (let i = pushed - backlog; i < pushed; i++) expect(line.take()).toBe(i);
    expect(line.take()).toBe(null);
    expect(line.left).toBe(0);
  });

  test("a backlog that grows and shrinks, parts of every size", () => {
    const random = randomSource(7);
    const line = make();
    let [pushed, taken, ahead] = [0, 0, 0];
    for (let i = 0; i < share(400); i++) {
      for (let k = random(i % 3 === 0 ? 300 : 30); k > 0; k--) line.push(pushed++);
      for (let k = random(i % 3 === 1 ? 300 : 30); k > 0 && taken < pushed; k--) expect(line.take()).toBe(taken++);
      ahead = Math.max(ahead, pushed - taken);
    }
    expect(ahead).toBeGreaterThan(30);
    while (taken < pushed) expect(line.take()).toBe(taken++);
    expect([line.take(), line.left]).toEqual([null, 0]);
  });

  test("moved bytes are linear in the parts when all are pushed before the first is read", () => {
    expectLinearMoves((n) => {
      const line = make();
      for (let i = 0; i < n; i++) {
        line.push(i);
        if (line.left === 0) throw new Error("nothing waits");
      }
      for (let i = 0; i < n; i++) if (line.take() !== i) throw new Error(`not ${i}`);
    }, 500);
  });
});

describe("parts of many sizes, pushed before earlier parts are read", () => {
  const sizes = [0, 1, 2, 15, 16, 17, 62, 63, 64, 500, 0, 2046, 2047, 2048, 2049, 4000, 4095, 4096, 4097, 10_000, 0, 3];
  const parts = sizes.map((size, i) => new Uint8Array(size).fill(i));

  test.each([
    ["copy", 1],
    ["copy", 7],
    ["view", 1],
  ] as const)("frames: %s, cut in %d", (frames, cuts) => {
    const splitter = new FrameSplitter({ frames });
    const got: Uint8Array[] = [];
    for (const part of parts) {
      const bytes = encodeFrame(part);
      const step = Math.ceil(bytes.length / cuts);
      for (let at = 0; at < bytes.length; at += step) {
        const own = bytes.slice(at, at + step);
        splitter.push(own);
        if (frames === "copy" && splitter.left > own.length) own.fill(0xee); // the waiting part is a copy
      }
      if (got.length === 3) got.push(...[splitter.next()].filter((frame) => frame !== null));
    }
    for (const frame of splitter) got.push(frame);
    expect(concat(...got)).toEqual(concat(...parts));
    expect(got.map((frame) => frame.length)).toEqual(sizes);
    expect(splitter.left).toBe(0);
    splitter.end();
  });

  test.each(["copy", "view"] as const)("binary: %s", (binary) => {
    const decoder = new StreamDecoder<Uint8Array>({ binary });
    decoder.push(encode("first"));
    for (const part of parts) {
      const own = encode(part).slice();
      decoder.push(own);
      own.fill(0xee);
    }
    const [first, ...rest] = decoder;
    expect(first).toBe("first");
    expect(rest.map((bytes) => bytes.length)).toEqual(sizes);
    expect(concat(...rest)).toEqual(concat(...parts));
    decoder.end();
  });
});

test("views: a waiting chunk that is transferred away is an error, not a gap in the stream", () => {
  const chunks = [1, 2, 3].map((n) => encodeFrame(new Uint8Array(n).fill(n)));
  const splitter = new FrameSplitter({ frames: "view" });
  for (const chunk of chunks) splitter.push(chunk);
  structuredClone(chunks[1]!.buffer, { transfer: [chunks[1]!.buffer] });
  expect(splitter.next()).toEqual(new Uint8Array([1]));
  expect(fault(() => splitter.next())).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  expect([splitter.closed, splitter.left]).toEqual([true, 0]);
});
