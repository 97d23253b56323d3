/**
 * Objects that have ended, in any way, hold no bytes although they are still referenced: none of the three megabytes of an
 * unfinished frame, text or chunk.
 */

import { isWhole } from "@moonpack/harness/effort.ts";
import { type CaseOutcome, retainedIn, retainedInCases } from "@moonpack/harness/retained-memory.ts";
import { beforeAll, expect, test } from "vitest";

const SETUP = `
  import { Writable } from "node:stream";
  import { encode } from "moonpack";
  import { encodeFrame } from "moonpack/bytes";
  import { ContainerReader, encodeContainer, schema, u8 } from "@moonpack/pck";
  import { DecodeStream, EncodeStream, PipelinedWriter } from "moonpack/node";
  import * as web from "moonpack/stream";
  const SIZE = 3_000_000;
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
  const quiet = (promise) => promise.catch(() => undefined);
  /** All of a frame or text but its last byte. */
  const message = () => encode("x".repeat(SIZE)).slice(0, -1);
  const inArray = () => {
    const bytes = new Uint8Array(SIZE);
    bytes.set([0x91, 0xdb, 1, 0, 0, 0]);
    return bytes;
  };
  const frame = () => encodeFrame(new Uint8Array(SIZE)).slice(0, -1);
  /** Many frames and messages in one chunk. */
  const many = () => new Uint8Array(SIZE).fill(1);
  /** A source of this chunk that gives nothing more. */
  const hanging = (chunk) => new ReadableStream({ start: (controller) => controller.enqueue(chunk) });
  /** A transform pair with this chunk in it, whose reader waits for a result. */
  const fed = async (stream, chunk) => {
    const [writer, reader] = [stream.writable.getWriter(), stream.readable.getReader()];
    quiet(writer.closed);
    quiet(reader.closed);
    quiet(writer.write(chunk));
    const read = quiet(reader.read());
    await turn();
    return { stream, writer, reader, read };
  };
  /** An iterator that waits for more than this chunk. */
  const asked = async (make, chunk) => {
    const controller = new AbortController();
    const iterator = make(hanging(chunk), { signal: controller.signal });
    const next = quiet(iterator.next());
    await turn();
    return { controller, iterator, next };
  };
`;

const pairs = [
  ["FrameDecoder, an unfinished frame", "new web.FrameDecoder()", "frame()"],
  ["FrameDecoder, many frames", "new web.FrameDecoder()", "many()"],
  ["DecodeStream, an unfinished text", "new web.DecodeStream()", "message()"],
  ["DecodeStream, many values", "new web.DecodeStream()", "many()"],
  ["EncodeStream", `new web.EncodeStream({ flush: "size", chunkSize: 4_000_000 })`, `"x".repeat(2_000_000)`],
];
const leaving = [
  ["its reader cancels", "(it) => quiet(it.reader.cancel())"],
  ["its writer aborts", "(it) => quiet(it.writer.abort())"],
];
const sources = [
  ["decodeStream, an unfinished text", "web.decodeStream", "message()"],
  ["decodeStream, many values", "web.decodeStream", "many()"],
  ["decodeArrayStream, an unfinished text", "web.decodeArrayStream", "inArray()"],
  ["decodeFrames, an unfinished frame", "web.decodeFrames", "frame()"],
  ["decodeFrames, many frames", "web.decodeFrames", "many()"],
];
const leavingSource = [
  ["return", "(it) => quiet(it.iterator.return())"],
  ["an abort", "(it) => it.controller.abort()"],
];
const nodes = [
  ["Node DecodeStream, an unfinished text", "new DecodeStream()", "message()"],
  ["Node DecodeStream, many values", "new DecodeStream()", "many()"],
  ["Node EncodeStream", `new EncodeStream({ flush: "size", chunkSize: 4_000_000 })`, `"x".repeat(2_000_000)`],
];

const all: [string, string, string][] = [
  ...pairs.flatMap(([name, make, chunk]) =>
    leaving.map(([how, leave]): [string, string, string] => [
      `${name}, ${how}`,
      `() => fed(${make}, ${chunk})`,
      `async (it) => { await (${leave})(it); await turn(); return it; }`,
    ]),
  ),
  ...sources.flatMap(([name, make, chunk]) =>
    leavingSource.map(([how, leave]): [string, string, string] => [
      `${name}, ${how}`,
      `() => asked(${make}, ${chunk})`,
      `async (it) => { await (${leave})(it); await turn(); return it; }`,
    ]),
  ),
  ...nodes.map(([name, make, chunk]): [string, string, string] => [
    `${name}, destroyed`,
    `async () => { const it = ${make}; it.on("error", () => undefined); it.write(${chunk}); it.read(); await turn(); return it; }`,
    `async (it) => { it.destroy(); await turn(); return it; }`,
  ]),
  [
    "FrameDecoder whose decode throws",
    `async () => fed(new web.FrameDecoder({ decode: () => "value" }), many())`,
    `async () => {
      let count = 0;
      const it = await fed(new web.FrameDecoder({ decode: () => { if (++count > 1) throw new Error("mine"); return 1; } }), many());
      for (let i = 0; i < 3; i++) await quiet(it.reader.read());
      return it;
    }`,
  ],
  [
    "decodeFrames whose decode throws",
    `async () => {
      const it = web.decodeFrames([many()], { decode: () => "value" });
      await it.next();
      return it;
    }`,
    `async () => {
      const it = web.decodeFrames([many()], { decode: () => { throw new Error("mine"); } });
      await quiet(it.next());
      return it;
    }`,
  ],
  [
    "ContainerReader, a malformed value",
    `() => {
      const it = new ContainerReader();
      it.push(encodeContainer(schema(u8("a")), []));
      it.push(new Uint8Array(SIZE).fill(2));
      return it;
    }`,
    `(it) => {
      try {
        for (const _ of it);
        throw new Error("no error");
      } catch (error) {
        if (error.code !== "ERR_TRAILING_BYTES") throw error;
      }
      return it;
    }`,
  ],
  [
    "PipelinedWriter whose socket is destroyed",
    `async () => {
      const sink = new Writable({ write() {}, highWaterMark: 1e9 });
      const it = { sink, writer: new PipelinedWriter(sink, { bufferSize: 4_000_000, threshold: 4_000_000 }) };
      it.writer.write("x".repeat(2_000_000));
      return it;
    }`,
    `async (it) => { it.sink.destroy(); await turn(); return it; }`,
  ],
];

/** Every third in a share. */
const cases = all.filter((_, i) => isWhole || i % 3 === 0);

let outcomes: readonly CaseOutcome<"open" | "left">[];
beforeAll(() => {
  outcomes = retainedInCases(
    SETUP,
    cases.map(([, open, left]) => ({ open, left })),
    { count: 4, rounds: 1 },
  );
}, 120_000);

test.each(cases.map(([name], i) => [name, i] as const))("%s", (_, i) => {
  const held = retainedIn(outcomes[i]!);
  expect(held.open).toBeGreaterThan(2_000_000);
  expect(held.left).toBeLessThan(300_000);
});
