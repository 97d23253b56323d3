/** Every vector, valid and invalid, cut everywhere: each function that reads streams gives the results of `StreamDecoder`. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { thinned } from "@moonpack/harness/effort.ts";
import { differ } from "@moonpack/harness/same.ts";
import { rejected, vectors } from "@moonpack/harness/vectors.ts";
import type { MoonpackError } from "moonpack";
import { DecodeStream as NodeDecodeStream, NULL } from "moonpack/node";
import { DecodeStream, decodeAsync, decodeStream, StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

interface Outcome {
  readonly values: unknown[];
  readonly code?: string;
  readonly offset?: number;
}

async function outcomeOf(read: (values: unknown[]) => Promise<void>): Promise<Outcome> {
  const values: unknown[] = [];
  try {
    await read(values);
    return { values };
  } catch (error) {
    const { code, offset } = error as MoonpackError & { offset?: number };
    if (typeof code !== "string") throw error;
    return { values, code, ...(offset === undefined ? {} : { offset }) };
  }
}

type Face = (chunks: Uint8Array<ArrayBuffer>[], values: unknown[]) => Promise<void>;

const byHand: Face = async (chunks, values) => {
  const decoder = new StreamDecoder();
  for (const chunk of chunks) for (const value of decoder.push(chunk)) values.push(value);
  decoder.end();
};
const faces: Record<string, Face> = {
  decodeStream: async (chunks, values) => {
    for await (const value of decodeStream(chunks)) values.push(value);
  },
  "the Web DecodeStream": async (chunks, values) => {
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    for await (const value of source.pipeThrough(new DecodeStream())) values.push(value);
  },
  "the DecodeStream of Node": async (chunks, values) => {
    // Not by iteration: a Node stream that fails drops its queued values.
    const stream = new NodeDecodeStream().on("data", (value) => values.push(value === NULL ? null : value));
    await pipeline(Readable.from(chunks), stream);
  },
};

const messages = [...vectors, ...rejected.filter(({ strict }) => !strict)].filter(({ bytes }) => bytes.length <= 400);
const cutsOf = (bytes: Uint8Array<ArrayBuffer>) =>
  [1, 2, 3, 7, bytes.length || 1].map((size) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size)),
  );

const some = thinned(messages);

describe.each(Object.entries(faces))("%s", (_, face) => {
  test("gives the results of StreamDecoder", async () => {
    expect(messages.length).toBeGreaterThan(300);
    for (const { name, bytes } of some) {
      for (const chunks of cutsOf(bytes)) {
        const expected = await outcomeOf((values) => byHand(chunks, values));
        const outcome = await outcomeOf((values) => face(chunks, values));
        expect({ code: outcome.code, offset: outcome.offset }, name).toEqual({
          code: expected.code,
          offset: expected.offset,
        });
        expect(differ(outcome.values, expected.values), name).toBe(null);
      }
    }
  });
});

test("decodeAsync gives the results of decode for whole messages", async () => {
  for (const { name, bytes, value } of thinned(vectors)) {
    if (bytes.length > 400) continue;
    for (const chunks of cutsOf(bytes))
      expect(differ(await decodeAsync(chunks, { unknownExtensions: "keep" }), value()), name).toBe(null);
  }
});
