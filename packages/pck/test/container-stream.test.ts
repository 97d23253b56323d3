/** Containers as streams: sources, chunks, abort, and closing the source. */

import { caughtAsync } from "@moonpack/harness/caught.ts";
import { cutEvery } from "@moonpack/harness/cuts.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { decodeContainer, encodeContainer, type Infer, ivar, schema, utf8 } from "@moonpack/pck";
import { readContainer, writeContainer } from "@moonpack/pck/stream";
import { describe, expect, test } from "vitest";

const Line = schema("Line", ivar("number"), utf8("text"));
type Line = Infer<typeof Line>;
const lines: Line[] = Array.from({ length: 1000 }, (_, number) => ({ number, text: "x".repeat(number % 50) }));
const whole = encodeContainer(Line, lines);

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

describe("readContainer", () => {
  test("chunks of any iterable, a ReadableStream, a byte stream, a Blob, the bytes themselves", async () => {
    const chunks = cutEvery(whole, 1000);
    const sources = [
      () => chunks,
      async function* () {
        yield* chunks;
      },
      () =>
        new ReadableStream<Uint8Array<ArrayBuffer>>({
          start(controller) {
            for (const chunk of chunks) controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
            controller.close();
          },
        }),
      () => new Blob([whole]).stream(),
      () => new Blob([whole]),
      () => whole,
    ];
    for (const source of sources) expect(await all(readContainer<Line>(source()))).toEqual(lines);
  });

  test("leaving early closes the source, and so does an error", async () => {
    let ends = 0;
    async function* source(bytes: Uint8Array) {
      try {
        for (;;) yield bytes;
      } finally {
        ends++;
      }
    }
    for await (const { number } of readContainer<Line>(source(whole))) if (number === 3) break;
    expect(ends).toBe(1);
    expect(await caughtAsync(() => all(readContainer(source(Uint8Array.of(0x50, 0)))))).toMatchObject({
      code: "ERR_INVALID_BYTE",
    });
    expect(ends).toBe(2);
  });

  test("a truncated stream: the complete values, then an error at the truncated one", async () => {
    const seen: Line[] = [];
    const error = await caughtAsync(async () => {
      for await (const line of readContainer<Line>([whole.subarray(0, -1)])) seen.push(line);
    });
    expect(seen).toEqual(lines.slice(0, -1));
    expect(error).toMatchObject({ code: "ERR_TRUNCATED", offset: whole.length - 53, needMore: 1 });
  });

  test("the signal aborts it", async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const error = await caughtAsync(async () => {
      for await (const { number } of readContainer<Line>(cutEvery(whole, 100), { signal: stop.signal })) {
        seen.push(number);
        if (number === 10) stop.abort("enough");
      }
    });
    expect(error).toMatchObject({ code: "ERR_ABORTED", cause: "enough" });
    expect(seen.length).toBe(11);
  });

  test("an invalid option throws at once", () => {
    for (const options of [{ signal: 1 }, { maxFrameBytes: -1 }, { int64: "x" }]) {
      expect(() => readContainer([], options as never)).toThrow(
        expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
      );
    }
  });
});

describe("writeContainer", () => {
  test("the same bytes as encodeContainer, in chunks of at most chunkSize", async () => {
    for (const source of [
      lines,
      (async function* () {
        yield* lines;
      })(),
    ]) {
      const chunks = await all(writeContainer(Line, source, { chunkSize: 1024 }));
      expect(concat(...chunks)).toEqual(whole);
      expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(1024);
      for (const chunk of chunks) expect(chunk.buffer.byteLength).toBe(chunk.length);
    }
  });

  test("a message above chunkSize is a separate chunk", async () => {
    const long = { number: 1, text: "x".repeat(3000) };
    const chunks = await all(writeContainer(Line, [lines[1]!, long, lines[2]!], { chunkSize: 1024 }));
    expect(chunks.map(({ length }) => length > 3000)).toEqual([false, true, false]);
    expect(decodeContainer(concat(...chunks)).values).toEqual([lines[1], long, lines[2]]);
  });

  test("no values: the head alone", async () => {
    expect(concat(...(await all(writeContainer(Line, []))))).toEqual(encodeContainer(Line, []));
  });

  test("flush: each value is sent at once", async () => {
    const chunks = await all(writeContainer(Line, lines.slice(0, 3), { flush: "each" }));
    expect(chunks.length).toBe(3);
    expect(decodeContainer(chunks[0]!).values).toEqual(lines.slice(0, 1));
  });

  test("an invalid value: the values before it, then an error with its index; the source is closed", async () => {
    let isOver = false;
    function* source(): Generator<Line> {
      try {
        yield lines[0]!;
        yield { number: 0.5, text: "" };
        yield lines[1]!;
      } finally {
        isOver = true;
      }
    }
    const chunks: Uint8Array[] = [];
    const error = await caughtAsync(async () => {
      for await (const chunk of writeContainer(Line, source())) chunks.push(chunk);
    });
    expect(error).toMatchObject({ code: "ERR_OUT_OF_RANGE", path: "$[1].number" });
    expect(isOver).toBe(true);
    expect(decodeContainer(concat(...chunks)).values).toEqual(lines.slice(0, 1));
  });

  test("piped into a reader, value by value", async () => {
    const back = readContainer<Line>(writeContainer(Line, lines, { flush: "each" }));
    expect(await all(back)).toEqual(lines);
  });
});
